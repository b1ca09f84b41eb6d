/*
 * The aircraft of a tick as balls around their paths, sorted along one axis: so
 * that whatever flies looks only at those beside its own path.
 */
#ifndef SIM_SWEEP_H
#define SIM_SWEEP_H

#include "aircraft.h"

/* The aircraft of a tick, by slot: at its start and at its end. */
struct combat_scene {
    const struct aircraft_world *rules;
    const struct aircraft *before;
    const struct aircraft *after;
    const uint8_t *used;
    uint32_t slots_end;
    uint32_t reserved;
    double tick_s;
};

struct sweep;

/* For `slots_max` aircraft. 0 and a sweep for sweep_destroy, or -ENOMEM. */
int sweep_create(struct sweep **out, uint32_t slots_max);

/* Accepts NULL. */
void sweep_destroy(struct sweep *s);

/*
 * [tick] Takes the aircraft of a tick, each in a ball of `radius_m` that moves with it; not
 * one that has just appeared: its path would lead across the world.
 */
void sweep_gather(struct sweep *s, const struct combat_scene *scene,
                  double radius_m);

/* A look along a straight path for whom it may meet. */
struct sweep_look {
    double middle_m[3];
    double radius_m;
    uint32_t next;
    uint32_t reserved;
};

void sweep_look(const struct sweep *s, struct sweep_look *look,
                const double from_m[3], const double to_m[3], double around_m);

/* The slot of the next aircraft near enough, in no order that matters to
 * physics, or HP_INDEX_NONE. */
uint32_t sweep_next(const struct sweep *s, struct sweep_look *look);

#endif
