/*
 * The F-16's engine as Stevens & Lewis give it: power 0 .. 100 per cent that
 * follows the throttle with a lag, thrust by table over power, Mach number and
 * height. Power 50 is military; above it the afterburner burns.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#define ENGINE_MILITARY_POWER 50.0

/* The power that throttle 0 .. 1 asks for; military at 0.77. */
double engine_power_command(double throttle);
/* Its inverse. */
double engine_throttle(double power);

/* How fast power changes, per cent a second. */
double engine_power_rate(double power, double command);

/* Newtons along body x, for power 0 .. 100. */
double engine_thrust(double power, double height_m, double mach);
/* The power that gives `thrust`, or -1 when none does. */
double engine_power_for(double thrust, double height_m, double mach);

/* Kilograms of fuel a second; `density` is the air's over that at sea level. */
double engine_fuel_flow(double power, double density);

#endif
