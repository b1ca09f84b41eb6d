#include "engine.h"

#include "f16_tables.h"
#include "units.h"
#include <math.h>

double
engine_power_command(double throttle)
{
    return throttle <= 0.77 ? 64.94 * throttle : 217.38 * throttle - 117.38;
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

double
engine_power_rate(double power, double command)
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

/* Where Mach number and height fall in the thrust tables. */
struct thrust_place {
    int mach, height;
    double mach_share, height_share;
};

static struct thrust_place
thrust_place(double height_m, double mach)
{
    /* Beyond the tables the last cell goes on a little, then holds. */
    double m = motion_clamp(mach * 5, 0, 6);
    double h =
        motion_clamp(height_m * (1 / (METRES_PER_FOOT * 10000)), -0.2, 5.5);
    struct thrust_place p;

    p.mach = m < F16_MACHS - 1 ? motion_floor(m) : F16_MACHS - 2;
    p.height = h < 0                   ? 0
               : h < F16_ALTITUDES - 1 ? motion_floor(h)
                                       : F16_ALTITUDES - 2;
    p.mach_share = m - p.mach;
    p.height_share = h - p.height;
    return p;
}

static double
thrust_at(const double table[F16_MACHS][F16_ALTITUDES],
          const struct thrust_place *p)
{
    const double *low = &table[p->mach][p->height];
    const double *high = &table[p->mach + 1][p->height];
    double slow = low[0] + (low[1] - low[0]) * p->height_share;
    double fast = high[0] + (high[1] - high[0]) * p->height_share;

    return slow + (fast - slow) * p->mach_share;
}

double
engine_thrust(double power, double height_m, double mach)
{
    struct thrust_place p = thrust_place(height_m, mach);
    int burning = power >= ENGINE_MILITARY_POWER;
    double military = thrust_at(f16_thrust.military_lbf, &p);
    double other =
        thrust_at(burning ? f16_thrust.maximum_lbf : f16_thrust.idle_lbf, &p);
    double share = fabs(power - ENGINE_MILITARY_POWER) * 0.02;

    return (military + (other - military) * share) * NEWTONS_PER_LBF;
}

double
engine_power_for(double thrust, double height_m, double mach)
{
    double idle = engine_thrust(0, height_m, mach);
    double military = engine_thrust(ENGINE_MILITARY_POWER, height_m, mach);
    double maximum = engine_thrust(100, height_m, mach);

    if (thrust < idle || thrust > maximum)
        return -1;
    if (thrust < military)
        return ENGINE_MILITARY_POWER * (thrust - idle) / (military - idle);
    return ENGINE_MILITARY_POWER *
           (1 + (thrust - military) / (maximum - military));
}

double
engine_fuel_flow(double power, double density)
{
    /* About 0.1 kg/s idle, 1.1 military, 7 with full afterburner low down. */
    double dry = 0.1 + 0.02 * motion_clamp(power, 0, ENGINE_MILITARY_POWER);
    double wet = power > ENGINE_MILITARY_POWER
                     ? 0.118 * (power - ENGINE_MILITARY_POWER)
                     : 0;

    return (dry + wet) * (0.25 + 0.75 * density);
}
