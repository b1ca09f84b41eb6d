#include "engine.h"

#include "units.h"
#include <math.h>
#include <string.h>

#define PROMPT_PER_S 20.0 /* of an engine without lag */

double
engine_power_max(const struct aircraft_type *t)
{
    return t->file->engine.maximum < 0 ? ENGINE_MILITARY_POWER : 100;
}

double
engine_power_command(const struct aircraft_type *t, double throttle)
{
    double power =
        throttle <= 0.77 ? 64.94 * throttle : 217.38 * throttle - 117.38;

    return motion_clamp(power, 0, engine_power_max(t));
}

double
engine_throttle(double power)
{
    return power <= 64.94 * 0.77 ? power / 64.94 : (power + 117.38) / 217.38;
}

/* One over the lag's time constant: small changes are followed fast. */
static double
lag_rate(double gap)
{
    if (gap <= 25)
        return 1.0;
    if (gap >= 50)
        return 0.1;
    return 1.9 - 0.036 * gap;
}

static double
textbook_rate(double power, double command)
{
    double target, rate;

    if (command >= ENGINE_MILITARY_POWER) {
        target = power >= ENGINE_MILITARY_POWER ? command : 60;
        rate = power >= ENGINE_MILITARY_POWER ? 5 : lag_rate(target - power);
    } else {
        target = power >= ENGINE_MILITARY_POWER ? 40 : command;
        rate = power >= ENGINE_MILITARY_POWER ? 5 : lag_rate(target - power);
    }
    return rate * (target - power);
}

double
engine_power_rate(const struct aircraft_type *t, double power, double command)
{
    switch (t->file->engine.lag) {
    case AIRCRAFT_LAG_F16:
        return textbook_rate(power, command);
    case AIRCRAFT_LAG_FIRST_ORDER:
        return (command - power) / t->file->engine.tau_s;
    default:
        return (command - power) * PROMPT_PER_S;
    }
}

double
engine_thrust_of(const double targets[ENGINE_TARGETS], double power)
{
    double military = targets[ENGINE_MILITARY];
    double other = power >= ENGINE_MILITARY_POWER ? targets[ENGINE_MAXIMUM]
                                                  : targets[ENGINE_IDLE];
    double share = fabs(power - ENGINE_MILITARY_POWER) * 0.02;

    return military + (other - military) * share;
}

static void
targets_at(const struct aircraft_type *t, double height_m, double mach,
           double targets[ENGINE_TARGETS])
{
    double values[AIRCRAFT_QUANTITIES];

    memset(values, 0, sizeof(values));
    values[AIRCRAFT_ALTITUDE_M] = height_m;
    values[AIRCRAFT_ALTITUDE_FT] = height_m * (1 / METRES_PER_FOOT);
    values[AIRCRAFT_MACH] = mach;
    aero_run(&t->engine, values, targets);
}

double
engine_thrust(const struct aircraft_type *t, double power, double height_m,
              double mach)
{
    double targets[ENGINE_TARGETS];

    targets_at(t, height_m, mach, targets);
    return engine_thrust_of(targets, power);
}

double
engine_power_for(const struct aircraft_type *t, double thrust, double height_m,
                 double mach)
{
    double targets[ENGINE_TARGETS], idle, military, maximum;

    targets_at(t, height_m, mach, targets);
    idle = targets[ENGINE_IDLE];
    military = targets[ENGINE_MILITARY];
    maximum = targets[ENGINE_MAXIMUM];
    if (thrust < idle || thrust > maximum)
        return -1;
    if (thrust < military)
        return ENGINE_MILITARY_POWER * (thrust - idle) / (military - idle);
    /* Without an afterburner nothing lies above. */
    if (!(maximum > military))
        return ENGINE_MILITARY_POWER;
    return ENGINE_MILITARY_POWER *
           (1 + (thrust - military) / (maximum - military));
}
