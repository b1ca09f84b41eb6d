/* What the air and the engine do to an aircraft, by its type's programs. */
#ifndef SIM_FORCES_H
#define SIM_FORCES_H

#include "airframe.h"

/* Fills `values`[AERO_VALUES] by AIRCRAFT_* quantity, and tells how far the flow has left
 * what the tables know: 0 .. 1. */
double forces_values(const struct airframe *f, const struct airframe_state *s,
                     const struct airframe_air *air, double *values);

/* Adds the air's force and its moment about the reference point. */
void forces_air(const struct airframe *f, const struct airframe_air *air,
                double *values, double separated, double force[3],
                double moment[3]);

#endif
