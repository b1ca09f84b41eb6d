#include "atmosphere.h"
#include "units.h"

#include <math.h>

/* t^0.14 for t = 0.8 + 0.35 u, |u| <= 1: a Chebyshev fit, within 1e-10. */
static double
power_014(double t)
{
    static const double c[] = {
        0.9692428326486149,      0.059366122667293506,
        -0.011168250663907787,   0.0030294113007204152,
        -0.0009476512894562545,  0.0003198827580262281,
        -0.00011330056661674094, 4.2135640824386145e-05,
        -1.5919085926662752e-05, 5.016903863988008e-06,
        -1.8454444844451242e-06, 1.576118492723211e-06,
        -6.571220543349909e-07,
    };
    double u = (t - 0.8) * (1 / 0.35);
    double s = u * u;
    double even = c[12], odd = c[11];
    int i;

    /* Two shorter chains run side by side. */
    for (i = 10; i > 0; i -= 2) {
        even = even * s + c[i];
        odd = odd * s + c[i - 1];
    }
    return even * s + c[0] + odd * u;
}

void
atmosphere_at(struct atmosphere *out, double height_m)
{
    double height_ft = height_m * (1 / METRES_PER_FOOT);
    double t = motion_clamp(1 - 0.703e-5 * height_ft, 0.46, 1.14);
    double temperature = height_ft >= 35000 ? 390 : 519 * t; /* Rankine */

    out->density =
        2.377e-3 * KG_M3_PER_SLUG_FT3 * (t * t) * (t * t) * power_014(t);
    out->sound_speed = sqrt(1.4 * 1716.3 * temperature) * METRES_PER_FOOT;
}
