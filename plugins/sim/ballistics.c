/* The standard projectiles' drag, after the tables of the Ballistic Research
 * Laboratory: coefficient over Mach number, straight between. */
#include "ballistics.h"

#include <math.h>
#include <motion/vector.h>

#define AREA_SHARE (3.14159265358979323846 / 8)

struct drag_row {
    double mach;
    double cd;
};

/* clang-format off */
static const struct drag_row g1[] = {
    {0, 0.2629}, {0.05, 0.2558}, {0.1, 0.2487}, {0.15, 0.2413},
    {0.2, 0.2344}, {0.25, 0.2278}, {0.3, 0.2214}, {0.35, 0.2155},
    {0.4, 0.2104}, {0.45, 0.2061}, {0.5, 0.2032}, {0.55, 0.2020},
    {0.6, 0.2034}, {0.7, 0.2165}, {0.725, 0.2230}, {0.75, 0.2313},
    {0.775, 0.2417}, {0.8, 0.2546}, {0.825, 0.2706}, {0.85, 0.2901},
    {0.875, 0.3136}, {0.9, 0.3415}, {0.925, 0.3734}, {0.95, 0.4084},
    {0.975, 0.4448}, {1, 0.4805}, {1.025, 0.5136}, {1.05, 0.5427},
    {1.075, 0.5677}, {1.1, 0.5883}, {1.125, 0.6053}, {1.15, 0.6191},
    {1.2, 0.6393}, {1.25, 0.6518}, {1.3, 0.6589}, {1.35, 0.6621},
    {1.4, 0.6625}, {1.45, 0.6607}, {1.5, 0.6573}, {1.55, 0.6528},
    {1.6, 0.6474}, {1.65, 0.6413}, {1.7, 0.6347}, {1.75, 0.6280},
    {1.8, 0.6210}, {1.85, 0.6141}, {1.9, 0.6072}, {1.95, 0.6003},
    {2, 0.5934}, {2.05, 0.5867}, {2.1, 0.5804}, {2.15, 0.5743},
    {2.2, 0.5685}, {2.25, 0.5630}, {2.3, 0.5577}, {2.35, 0.5527},
    {2.4, 0.5481}, {2.45, 0.5438}, {2.5, 0.5397}, {2.6, 0.5325},
    {2.7, 0.5264}, {2.8, 0.5211}, {2.9, 0.5168}, {3, 0.5133},
    {3.1, 0.5105}, {3.2, 0.5084}, {3.3, 0.5067}, {3.4, 0.5054},
    {3.5, 0.5040}, {3.6, 0.5030}, {3.7, 0.5022}, {3.8, 0.5016},
    {3.9, 0.5010}, {4, 0.5006}, {4.2, 0.4998}, {4.4, 0.4995},
    {4.6, 0.4992}, {4.8, 0.4990}, {5, 0.4988},
};

static const struct drag_row g7[] = {
    {0, 0.1198}, {0.05, 0.1197}, {0.1, 0.1196}, {0.15, 0.1194},
    {0.2, 0.1193}, {0.25, 0.1194}, {0.3, 0.1194}, {0.35, 0.1194},
    {0.4, 0.1193}, {0.45, 0.1193}, {0.5, 0.1194}, {0.55, 0.1193},
    {0.6, 0.1194}, {0.65, 0.1197}, {0.7, 0.1202}, {0.725, 0.1207},
    {0.75, 0.1215}, {0.775, 0.1226}, {0.8, 0.1242}, {0.825, 0.1266},
    {0.85, 0.1306}, {0.875, 0.1368}, {0.9, 0.1464}, {0.925, 0.1660},
    {0.95, 0.2054}, {0.975, 0.2993}, {1, 0.3803}, {1.025, 0.4015},
    {1.05, 0.4043}, {1.075, 0.4034}, {1.1, 0.4014}, {1.125, 0.3987},
    {1.15, 0.3955}, {1.2, 0.3884}, {1.25, 0.3810}, {1.3, 0.3732},
    {1.35, 0.3657}, {1.4, 0.3580}, {1.5, 0.3440}, {1.55, 0.3376},
    {1.6, 0.3315}, {1.65, 0.3260}, {1.7, 0.3209}, {1.75, 0.3160},
    {1.8, 0.3117}, {1.85, 0.3078}, {1.9, 0.3042}, {1.95, 0.3010},
    {2, 0.2980}, {2.05, 0.2951}, {2.1, 0.2922}, {2.15, 0.2892},
    {2.2, 0.2864}, {2.25, 0.2835}, {2.3, 0.2807}, {2.35, 0.2779},
    {2.4, 0.2752}, {2.45, 0.2725}, {2.5, 0.2697}, {2.55, 0.2670},
    {2.6, 0.2643}, {2.65, 0.2615}, {2.7, 0.2588}, {2.75, 0.2561},
    {2.8, 0.2533}, {2.85, 0.2506}, {2.9, 0.2479}, {2.95, 0.2451},
    {3, 0.2424}, {3.1, 0.2368}, {3.2, 0.2313}, {3.3, 0.2258},
    {3.4, 0.2205}, {3.5, 0.2154}, {3.6, 0.2106}, {3.7, 0.2060},
    {3.8, 0.2017}, {3.9, 0.1975}, {4, 0.1935}, {4.2, 0.1861},
    {4.4, 0.1793}, {4.6, 0.1730}, {4.8, 0.1672}, {5, 0.1618},
};
/* clang-format on */

double
ballistic_drag(enum ballistic_shape shape, double mach)
{
    const struct drag_row *rows = shape == BALLISTIC_G1 ? g1 : g7;
    int low = 0, middle;
    int high = (int)(shape == BALLISTIC_G1 ? sizeof(g1) / sizeof(g1[0])
                                           : sizeof(g7) / sizeof(g7[0])) -
               1;
    double share;

    if (!(mach < rows[high].mach))
        return rows[high].cd;
    while (high - low > 1) {
        middle = (low + high) / 2;
        if (mach < rows[middle].mach)
            high = middle;
        else
            low = middle;
    }
    share = (mach - rows[low].mach) / (rows[high].mach - rows[low].mach);
    return rows[low].cd + (rows[high].cd - rows[low].cd) * share;
}

/* state: position, velocity. */
static void
ballistic_rate(const struct surroundings *around,
               const struct ballistic_body *body, const double state[6],
               double rate[6])
{
    const double *v = state + 3;
    struct planet_place place;
    struct atmosphere air;
    double wind[3], through[3], speed, slow;
    int i;

    planet_fall(&around->planet, state, v, rate + 3);
    for (i = 0; i < 3; i++)
        rate[i] = v[i];
    if (body->coefficient <= 0)
        return;
    planet_locate(&around->planet, state, &place);
    weather_air(&around->weather, &air, place.height_m);
    weather_wind(&around->weather, &place, wind);
    for (i = 0; i < 3; i++)
        through[i] = v[i] - wind[i];
    speed = vector_length(through);
    slow = air.density * AREA_SHARE * speed *
           ballistic_drag(body->shape, speed / air.sound_speed) /
           body->coefficient;
    for (i = 0; i < 3; i++)
        rate[3 + i] -= slow * through[i];
}

void
ballistic_move(const struct surroundings *around,
               const struct ballistic_body *body, double position[3],
               double velocity[3], double dt_s)
{
    double from[6], at[6], k[4][6];
    int i, stage;

    for (i = 0; i < 3; i++) {
        from[i] = position[i];
        from[3 + i] = velocity[i];
    }
    ballistic_rate(around, body, from, k[0]);
    for (stage = 1; stage < 4; stage++) {
        for (i = 0; i < 6; i++)
            at[i] = from[i] + k[stage - 1][i] * (stage < 3 ? dt_s / 2 : dt_s);
        ballistic_rate(around, body, at, k[stage]);
    }
    for (i = 0; i < 6; i++)
        from[i] += dt_s / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    for (i = 0; i < 3; i++) {
        position[i] = from[i];
        velocity[i] = from[3 + i];
    }
}

int
ballistic_over_ground(const struct surroundings *around,
                      const double position[3])
{
    const struct ground *ground = &around->ground;
    struct planet_place place;

    planet_locate(&around->planet, position, &place);
    return place.height_m > ground_height_max(ground) ||
           place.height_m > ground_height(ground, position[0], position[1]);
}
