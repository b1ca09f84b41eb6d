/*
 * A store on its way: a bomb falls as a point with drag; a missile burns, then
 * coasts, and turns towards its target by proportional navigation.
 */
#ifndef SIM_MISSILE_H
#define SIM_MISSILE_H

#include "aircraft.h"

struct flying_store {
    double position_m[3];
    double velocity_mps[3];
    double age_s;
    uint32_t number;  /* of its shooter's stores */
    uint32_t shooter; /* slot */
    uint32_t target;  /* slot, or HP_INDEX_NONE: it flies straight on */
    uint16_t target_generation;
    uint16_t kind; /* STORE_MISSILE or STORE_BOMB */
    uint32_t type; /* place of its data among the world's models */
    uint32_t reserved;
};
_Static_assert(sizeof(struct flying_store) == 80, "hashed in words");

/*
 * Moves it for a tick. `prey` is where a missile's target is at the tick's start,
 * NULL without one. Returns 0 when it is spent: too old, or in the ground.
 */
int missile_move(struct flying_store *s, const struct aircraft_world *w,
                 const struct airframe_state *prey, double dt_s);

/*
 * How far off a missile's nose a point is, as the cosine; -1 beyond its reach.
 * `far_m` is the distance.
 */
double missile_sees(const struct flying_store *s,
                    const struct aircraft_missile *data,
                    const double position_m[3], double *far_m);

#endif
