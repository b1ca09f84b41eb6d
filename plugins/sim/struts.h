/*
 * The landing gear: three struts as spring and damper, tyres with friction.
 */
#ifndef SIM_STRUTS_H
#define SIM_STRUTS_H

#include "airframe.h"

/* Wheels reach no further below the centre of mass than this, in metres. */
#define STRUTS_REACH_M 5.0

/*
 * Adds what the ground does through the wheels: `force` in world axes
 * (newtons), `moment` in body axes (newton metres). Returns the load that the
 * struts carry, 0 when no wheel touches or the gear is not locked down.
 */
double struts_forces(const struct airframe *f, const struct airframe_state *s,
                     const struct airframe_command *command, double height_m,
                     double force[3], double moment[3]);

/* The lowest point of the hull over the ground, in metres. */
double struts_hull_clearance(const struct airframe *f,
                             const struct airframe_state *s);

#endif
