/*
 * The landing gear on the ground. A strut is a spring and a damper along body
 * z; its guide takes what pushes aside, so the ground answers along its own
 * normal. A tyre holds by a spring too, its stick: how far the contact point
 * has moved against the wheel. It may bend as far as friction bears and slips
 * beyond that; at rest it holds for ever, on a slope as well. Across a rolling
 * wheel the stick fades with the way rolled, which is how a tyre corners.
 */
#ifndef SIM_STRUTS_H
#define SIM_STRUTS_H

#include "airframe.h"

/* Wheels reach no further below the centre of mass than this, in metres. */
#define STRUTS_REACH_M 5.0

/*
 * Adds what the ground does through the wheels: `force` in world axes
 * (newtons), `moment` in body axes (newton metres), and how the sticks change
 * into `stick_mps`. Returns the load that the struts carry, 0 when no wheel
 * touches or the gear is not locked down.
 */
double struts_forces(const struct airframe *f, const struct airframe_state *s,
                     const struct airframe_command *command, double height_m,
                     double force[3], double moment[3],
                     double stick_mps[GEAR_STRUTS_MAX][2]);

/* Whether a wheel may touch within the next twentieth of a second. */
int struts_near(const struct airframe *f, const struct airframe_state *s);

/* After a step: sticks bend no further than friction holds them. */
void struts_slip(const struct airframe *f, struct airframe_state *s,
                 const struct airframe_command *command);

/* How many parts a step of `dt_s` on the wheels needs: stiff struts swing and
 * stiff dampers decay faster than RK4 follows. */
int struts_parts(const struct airframe *f, const struct airframe_state *s,
                 double dt_s);

/* How fast the aircraft goes into the ground below it, along the ground's
 * normal: over a slope, level flight sinks as well. */
double struts_closing(const struct airframe *f, const struct airframe_state *s);

/* The lowest point of the hull over the ground, in metres. */
double struts_hull_clearance(const struct airframe *f,
                             const struct airframe_state *s);

#endif
