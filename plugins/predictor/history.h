/*
 * The last ticks of the own aircraft: the input that each was stepped with, as
 * the server is believed to have used it, and the state after it. Ticks follow
 * each other without gaps. A tick that the pilot gave no sample for repeats
 * the input before it, as the server does (wire/usage.h).
 *
 * Memory is sized at create; every other call is [tick].
 */
#ifndef PREDICTOR_HISTORY_H
#define PREDICTOR_HISTORY_H

#include <hardpoint/predictor.h>

struct history;

/* For a window of that many ticks. -ENOMEM. */
int history_create(struct history **out, const struct hp_limits *limits);
void history_destroy(struct history *h);

/* Whether states are known at all: from `oldest` to `newest`. */
int history_is_known(const struct history *h);
uint64_t history_oldest(const struct history *h);
uint64_t history_newest(const struct history *h);

/* Forgets the states; the inputs stay, for a state that is yet to come. */
void history_forget_states(struct history *h);

/* The pilot's sample for a tick, stepped at once when the tick is a new one.
 * Ticks that were left out become missed ones. */
void history_push(struct history *h, uint64_t tick,
                  const struct hp_input *sample);

/* Makes sure that the history reaches `tick`, by missed ticks. */
void history_extend(struct history *h, uint64_t tick);

/* Takes the server's word on which of the 32 ticks up to `tick` used their own
 * sample. Returns 1 when that changed an input: replay then. */
int history_learn(struct history *h, uint64_t tick, uint32_t used_mask);

/* The exact state after `tick`; the states before it are forgotten. Returns 1
 * when it differs from what was predicted: replay then; 0 when it does not;
 * -ERANGE when the tick lies before the window. */
int history_restore(struct history *h, uint64_t tick, const void *own);

/* Gives the newest tick the oldest state, for want of anything better, and
 * forgets the rest. */
void history_snap(struct history *h);

/* Steps again what learn and restore made stale. Returns the count of steps. */
uint32_t history_replay(struct history *h);

/* The state after a tick between oldest and newest. */
const void *history_state(const struct history *h, uint64_t tick);

#endif
