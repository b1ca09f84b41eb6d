/*
 * Point masses with the drag of a standard projectile: how a shot slows is
 * told by which of them it resembles and by its ballistic coefficient.
 */
#ifndef SIM_BALLISTICS_H
#define SIM_BALLISTICS_H

#include "surroundings.h"

#define BALLISTIC_KG_M2_PER_LB_IN2 703.0696

enum ballistic_shape {
    BALLISTIC_G1, /* flat base, blunt */
    BALLISTIC_G7  /* boat tail, slender */
};

struct ballistic_body {
    enum ballistic_shape shape;
    double coefficient; /* kg/m2; 0: no air slows it */
};

/* The drag coefficient at a Mach number; at 5 and beyond the same. */
double ballistic_drag(enum ballistic_shape shape, double mach);

/* Flies for `dt_s` by RK4; world axes. */
void ballistic_move(const struct surroundings *around,
                    const struct ballistic_body *body, double position[3],
                    double velocity[3], double dt_s);

/* Whether a point is over the ground. */
int ballistic_over_ground(const struct surroundings *around,
                          const double position[3]);

#endif
