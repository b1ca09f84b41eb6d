/*
 * One client's inputs on the server, ordered by tick. The tick thread owns it.
 */
#ifndef INPUT_QUEUE_H
#define INPUT_QUEUE_H

#include <hardpoint/types.h>
#include <stdint.h>

struct input_queue;

/* What the server tells the client about the inputs up to a tick. */
struct input_account {
    uint64_t newest;     /* newest input at or before the tick that is here */
    int64_t margin_ns;   /* its tick's start - arrival; < 0: late */
    uint64_t snapshot;   /* newest snapshot decoded when it was sent */
    uint64_t arrived_ns; /* of it */
    uint32_t used_mask;  /* bit i: the input of `tick - i` was in time */
    uint32_t fresh;      /* 1: the newest was used by this very tick */
};

/* Holds inputs of up to `window` ticks to either side of the present one. 0 or
 * -ENOMEM. */
int input_queue_create(struct input_queue **out, uint32_t window);
/* Accepts NULL. */
void input_queue_destroy(struct input_queue *q);
/* Forgets everything; `next` is the tick that runs next. */
void input_queue_reset(struct input_queue *q, uint64_t next);

/*
 * Keeps the input of `tick`; another one for the same tick replaces it when it
 * was sent after a newer snapshot, as by a client whose clock went back, and
 * the tick has not been taken. 1: new; 0: known already; -ERANGE: outside the
 * window around the tick that runs next. A late one is kept too: its buttons
 * move to the next tick that has an input of its own.
 */
int input_queue_push(struct input_queue *q, uint64_t tick,
                     const struct hp_input *input, uint64_t arrived_ns,
                     uint64_t snapshot);

/* The input to step `tick` with; called once for each tick in turn. The tick
 * starts at `start_ns`: its deadline, or later when the server is late. */
void input_queue_take(struct input_queue *q, uint64_t tick, uint64_t start_ns,
                      uint64_t period_ns, struct hp_input *out);

/* After take: what to tell about it. */
void input_queue_account(const struct input_queue *q,
                         struct input_account *out);

#endif
