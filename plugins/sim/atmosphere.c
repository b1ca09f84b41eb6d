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
atmosphere_textbook(struct atmosphere *out, double height_m)
{
    double height_ft = height_m * (1 / METRES_PER_FOOT);
    double t = motion_clamp(1 - 0.703e-5 * height_ft, 0.46, 1.14);
    double temperature = height_ft >= 35000 ? 390 : 519 * t; /* Rankine */

    out->density =
        2.377e-3 * KG_M3_PER_SLUG_FT3 * (t * t) * (t * t) * power_014(t);
    out->sound_speed = sqrt(1.4 * 1716.3 * temperature) * METRES_PER_FOOT;
}

/* The layers, by geopotential height; each begins as the one below ends. */
struct layer {
    double base_m;
    double lapse; /* K/m */
};

static const struct layer layers[] = {
    {0,     -0.0065},
    {11000, 0      },
    {20000, 0.001  },
    {32000, 0.0028 },
    {47000, 0      },
    {51000, -0.0028},
    {71000, -0.002 },
};

#define LAYERS           ((int)(sizeof(layers) / sizeof(layers[0])))
#define SEA_LEVEL_K      288.15
#define SEA_LEVEL_PA     101325.0
#define GAS_CONSTANT     (8314.32 / 28.9644) /* J/(kg K) */
#define HEAT_RATIO       1.4
#define EARTH_RADIUS_M   6356766.0 /* of geopotential height */
#define HYDROSTATIC_K_PM (GRAVITY_MPS2 / GAS_CONSTANT)

/* Temperature and pressure `up_m` above a layer's base. */
static void
layer_climb(double lapse, double up_m, double *kelvin, double *pascal)
{
    double from = *kelvin;

    *kelvin = from + lapse * up_m;
    *pascal *= lapse == 0 ? motion_exp(-HYDROSTATIC_K_PM * up_m / from)
                          : motion_exp(-HYDROSTATIC_K_PM / lapse *
                                       motion_log(*kelvin / from));
}

void
atmosphere_standard(struct atmosphere_standard *out, double height_m)
{
    double z = motion_clamp(height_m, ATMOSPHERE_LOW_M, ATMOSPHERE_HIGH_M);
    double height = EARTH_RADIUS_M * z / (EARTH_RADIUS_M + z);
    double kelvin = SEA_LEVEL_K, pascal = SEA_LEVEL_PA;
    int i;

    for (i = 0; i < LAYERS - 1 && height > layers[i + 1].base_m; i++)
        layer_climb(layers[i].lapse, layers[i + 1].base_m - layers[i].base_m,
                    &kelvin, &pascal);
    layer_climb(layers[i].lapse, height - layers[i].base_m, &kelvin, &pascal);
    out->temperature_k = kelvin;
    out->pressure_pa = pascal;
    out->density = pascal / (GAS_CONSTANT * kelvin);
    out->sound_speed = sqrt(HEAT_RATIO * GAS_CONSTANT * kelvin);
}

void
atmosphere_fill(struct atmosphere_table *out)
{
    struct atmosphere_standard at;
    int i;

    for (i = 0; i < ATMOSPHERE_ROWS; i++) {
        atmosphere_standard(&at, ATMOSPHERE_LOW_M + ATMOSPHERE_SPACING_M * i);
        out->rows[i].density = at.density;
        out->rows[i].sound_speed = at.sound_speed;
    }
}
