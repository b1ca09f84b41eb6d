/*
 * The events of a world's tick: what aircraft did, what they let go and who was
 * hit, each told to whom it concerns.
 */
#ifndef SIM_TIDINGS_H
#define SIM_TIDINGS_H

#include "arsenal.h"

struct tidings {
    struct hp_event *events;
    uint32_t count;
    uint32_t capacity; /* what is more in one tick is not told */
    uint64_t tick;
};

/* What an aircraft's own step did. */
void tidings_of_step(struct tidings *t, const struct aircraft *a);

/* Stores that left; `aircraft` by slot. */
void tidings_of_launches(struct tidings *t, const struct arsenal *arsenal,
                         const struct aircraft *aircraft);

/* A hit, and whether it was the last. */
void tidings_of_hit(struct tidings *t, const struct gun_hit *hit,
                    const struct aircraft *shooter,
                    const struct aircraft *target, int killed);

#endif
