/*
 * Everything that flies between aircraft: rounds and stores, whom they
 * meet within a tick, and in which order.
 */
#ifndef SIM_COMBAT_H
#define SIM_COMBAT_H

#include "arsenal.h"

struct combat;

/*
 * No rounds yet; `around` must outlive it; room for `rounds_max` of them and `slots_max` aircraft. `seed`
 * scatters the rounds. Returns 0 and a combat for combat_destroy, or -ENOMEM.
 */
int combat_create(struct combat **out, const struct surroundings *around,
                  uint64_t seed, uint32_t rounds_max, uint32_t slots_max);

/* Accepts NULL. */
void combat_destroy(struct combat *c);

/* Rounds and stores of a slot vanish: nobody is left to own their hits. */
void combat_forget(struct combat *c, uint32_t shooter);

/*
 * Flies old rounds and stores, and those that left within the tick, to its end. Returns how many
 * hits there were, at most 1024; `hits` lies in order of time, shooter, round,
 * until the next step.
 */
uint32_t combat_step(struct combat *c, const struct combat_scene *scene,
                     const struct gun_hit **hits);

/* The stores in the air, and those that left in the newest step. */
const struct arsenal *combat_arsenal(const struct combat *c);

/* The rounds in the air, for a digest. */
const struct round *combat_rounds(const struct combat *c, uint32_t *count);

#endif
