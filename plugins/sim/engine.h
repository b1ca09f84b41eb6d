/*
 * An engine: power 0 .. 100 per cent that follows the throttle with a lag,
 * thrust by the type's tables. Power 50 is military, all that it gives without
 * the afterburner; above it the afterburner burns, if there is one.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "airframe.h"

#define ENGINE_MILITARY_POWER 50.0

/* The power that throttle 0 .. 1 asks for; military at 0.77. */
double engine_power_command(const struct aircraft_type *t, double throttle);
/* Its inverse. */
double engine_throttle(double power);

/* The most power it has: 100, or 50 without an afterburner. */
double engine_power_max(const struct aircraft_type *t);

/* How fast power changes, per cent a second. */
double engine_power_rate(const struct aircraft_type *t, double power,
                         double command);

/* Newtons along body x at `power`, of aero_run's targets of the engine. */
double engine_thrust_of(const double targets[ENGINE_TARGETS], double power);

/* The same at a height and Mach number. */
double engine_thrust(const struct aircraft_type *t, double power,
                     double height_m, double mach);
/* The power that gives `thrust`, or -1 when none does. */
double engine_power_for(const struct aircraft_type *t, double thrust,
                        double height_m, double mach);

#endif
