#include "gusts.h"

#include <math.h>
#include <motion/math.h>
#include <string.h>

/* Knots of time are 0.25 s apart on the finest level, twice as far on each. */
#define LEVELS        8
#define FINEST_S      0.25
#define BANDWIDTH     0.3714 /* of a level, times the distance of its knots */
#define KEPT_SQUARE   0.7429 /* of the knots' variance, between them */
#define SPEED_MIN_MPS 10.0

/* Single gusts: in each window one begins, and ends before the next. */
#define WINDOW_S     20.0
#define START_MAX_S  8.0
#define RAMP_MIN_M   30.0
#define RAMP_MORE_M  70.0
#define GUST_MPS_MIN 20.0 /* or it would last into the next window */
#define GUST_LEVEL   255u

/* Heights, lengths along and down, strengths of light, moderate, severe. */
struct row {
    double height_m;
    double length_m[2];
    double rms_mps[2][3];
};

/* clang-format off */
static const struct row rows[] = {
    {3.048, {23.055, 3.048}, {{1.515, 3.03, 4.544}, {0.7717, 1.543, 2.315}}},
    {6.096, {43.766, 6.096}, {{1.489, 2.977, 4.466}, {0.7717, 1.543, 2.315}}},
    {15.24, {94.728, 15.24}, {{1.419, 2.838, 4.256}, {0.7717, 1.543, 2.315}}},
    {30.48, {153.98, 30.48}, {{1.324, 2.648, 3.972}, {0.7717, 1.543, 2.315}}},
    {60.96, {221.22, 60.96}, {{1.186, 2.372, 3.557}, {0.7717, 1.543, 2.315}}},
    {91.44, {256.11, 91.44}, {{1.088, 2.175, 3.263}, {0.7717, 1.543, 2.315}}},
    {152.4, {287.93, 152.4}, {{0.954, 1.908, 2.862}, {0.7717, 1.543, 2.315}}},
    {213.36, {299.84, 213.36}, {{0.8643, 1.729, 2.593}, {0.7717, 1.543, 2.315}}},
    {304.8, {304.8, 304.8}, {{0.7717, 1.543, 2.315}, {0.7717, 1.543, 2.315}}},
    {609.6, {533.4, 533.4}, {{2.122, 2.964, 5.57}, {2.122, 2.964, 5.57}}},
    {1143, {533.4, 533.4}, {{2.256, 3.231, 7.01}, {2.256, 3.231, 7.01}}},
    {2286, {533.4, 533.4}, {{2.042, 3.078, 7.193}, {2.042, 3.078, 7.193}}},
    {4572, {533.4, 533.4}, {{1.402, 2.438, 6.736}, {1.402, 2.438, 6.736}}},
    {7620, {533.4, 533.4}, {{0.823, 2.012, 6.096}, {0.823, 2.012, 6.096}}},
    {10668, {533.4, 533.4}, {{0.1219, 1.524, 4.877}, {0.1219, 1.524, 4.877}}},
    {13716, {533.4, 533.4}, {{0, 1.28, 4.602}, {0, 1.28, 4.602}}},
    {16764, {533.4, 533.4}, {{0, 0.823, 3.688}, {0, 0.823, 3.688}}},
    {19812, {533.4, 533.4}, {{0, 0, 2.408}, {0, 0, 2.408}}},
    {22860, {533.4, 533.4}, {{0, 0, 1.89}, {0, 0, 1.89}}},
    {24384, {533.4, 533.4}, {{0, 0, 1.554}, {0, 0, 1.554}}},
};
/* clang-format on */
#define ROWS ((int)(sizeof(rows) / sizeof(rows[0])))

int
gusts_named(const char *name)
{
    static const char *const names[] = {"none", "light", "moderate", "severe"};
    int i;

    for (i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return GUSTS_CALM;
}

/* 64 bits that anything of the four changes all over. */
static uint64_t
mix(uint64_t seed, uint32_t entity, uint32_t level, int64_t knot)
{
    uint64_t h = seed + 0x9e3779b97f4a7c15u * (entity + 1) +
                 0xc2b2ae3d27d4eb4fu * (uint64_t)knot +
                 0x165667b19e3779f9u * (level + 1);

    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    h *= 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

/* The n-th 21 bits of a hash, -1 .. 1. */
static double
part(uint64_t hash, int n)
{
    return (double)(int64_t)(hash >> (21 * n) & 0x1fffff) * (2.0 / 0x1fffff) -
           1;
}

void
gusts_dryden(const struct gusts *g, double height_m, double length_m[2],
             double rms_mps[2])
{
    const struct row *low, *high;
    double share;
    int i = 0, k, which = g->turbulence - GUSTS_LIGHT;

    while (i < ROWS - 2 && height_m > rows[i + 1].height_m)
        i++;
    low = &rows[i];
    high = &rows[i + 1];
    share = motion_clamp(
        (height_m - low->height_m) / (high->height_m - low->height_m), 0, 1);
    for (k = 0; k < 2; k++) {
        length_m[k] =
            low->length_m[k] + (high->length_m[k] - low->length_m[k]) * share;
        rms_mps[k] =
            which < 0 ? 0
                      : low->rms_mps[k][which] +
                            (high->rms_mps[k][which] - low->rms_mps[k][which]) *
                                share;
    }
}

/* Dryden's power at a frequency over that at 0; `time_s` is length by speed. */
static double
along_power(double hertz, double time_s)
{
    double x = 2 * MOTION_PI * hertz * time_s;

    return 2 / (1 + x * x);
}

static double
down_power(double hertz, double time_s)
{
    double x = 2 * MOTION_PI * hertz * time_s;
    double s = 1 + x * x;

    return (1 + 3 * x * x) / (s * s);
}

/*
 * Each level is a low pass of white knots. Stacked, they are a staircase under
 * which lies Dryden's spectrum: what a level adds is by how much the power
 * grows from the next finer one's band to its own. Fills amplitudes that make
 * `rms` together.
 */
static void
level_weights(double (*power)(double, double), double time_s, double rms,
              double out[LEVELS])
{
    double finer = 0, here, cut = BANDWIDTH / FINEST_S, sum = 0;
    int i;

    for (i = 0; i < LEVELS; i++, cut /= 2) {
        /* The coarsest also has all that is slower. */
        here = power(i < LEVELS - 1 ? cut * 0.7 : cut * 0.4, time_s);
        out[i] = here > finer ? (here - finer) * cut : 0;
        finer = here > finer ? here : finer;
        sum += out[i];
    }
    /* Knots are even from -1 to 1: a third is their variance. */
    for (i = 0; i < LEVELS; i++)
        out[i] = rms * sqrt(out[i] * (3 / KEPT_SQUARE) / sum);
}

/* One level at a time, between its two knots. */
static void
add_level(const struct gusts *g, const struct gusts_place *at, int level,
          double spacing_s, const double weights[3], double ned[3])
{
    double knots = at->time_s / spacing_s;
    int64_t knot = (int64_t)knots;
    double t = knots - (double)knot;
    double ease = t * t * (3 - 2 * t);
    uint64_t before = mix(g->seed, at->entity, (uint32_t)level, knot);
    uint64_t after = mix(g->seed, at->entity, (uint32_t)level, knot + 1);
    double from;
    int i;

    for (i = 0; i < 3; i++) {
        from = part(before, i);
        ned[i] += weights[i] * (from + (part(after, i) - from) * ease);
    }
}

static void
add_turbulence(const struct gusts *g, const struct gusts_place *at,
               double ned[3])
{
    double length[2], rms[2], along[LEVELS], down[LEVELS];
    double spacing_s = FINEST_S;
    int i;

    gusts_dryden(g, at->height_m, length, rms);
    level_weights(along_power, length[0] / at->speed_mps, rms[0], along);
    level_weights(down_power, length[1] / at->speed_mps, rms[1], down);
    for (i = 0; i < LEVELS; i++, spacing_s *= 2) {
        const double weights[3] = {along[i], along[i], down[i]};

        add_level(g, at, i, spacing_s, weights, ned);
    }
}

/* Up, down or from a side, over two ramps' length of the way. */
static void
add_single(const struct gusts *g, const struct gusts_place *at, double ned[3])
{
    int64_t window = (int64_t)(at->time_s * (1 / WINDOW_S));
    uint64_t hash = mix(g->seed, at->entity, GUST_LEVEL, window);
    double start_s = (part(hash, 0) + 1) / 2 * START_MAX_S;
    double ramp_m = RAMP_MIN_M + (part(hash, 1) + 1) / 2 * RAMP_MORE_M;
    double side = part(hash, 2) * MOTION_PI, strength, way_m;
    double speed = at->speed_mps > GUST_MPS_MIN ? at->speed_mps : GUST_MPS_MIN;

    way_m = speed * (at->time_s - (double)window * WINDOW_S - start_s);
    if (way_m <= 0 || way_m >= 2 * ramp_m)
        return;
    strength = g->single_mps / 2 * (1 - motion_cos(MOTION_PI * way_m / ramp_m));
    if (hash >> 63) {
        ned[2] += hash >> 62 & 1 ? strength : -strength;
    } else {
        ned[0] += strength * motion_cos(side);
        ned[1] += strength * motion_sin(side);
    }
}

void
gusts_at(const struct gusts *g, const struct gusts_place *at, double ned_mps[3])
{
    struct gusts_place here = *at;

    memset(ned_mps, 0, 3 * sizeof(*ned_mps));
    /* Also what a broken number is: it must not become a knot. */
    if (!(here.speed_mps > SPEED_MIN_MPS))
        here.speed_mps = SPEED_MIN_MPS;
    if (!(here.height_m > 0))
        here.height_m = 0;
    if (!(here.time_s >= 0 && here.time_s < 1e15))
        return;
    if (g->turbulence != GUSTS_CALM)
        add_turbulence(g, &here, ned_mps);
    if (g->single_mps > 0)
        add_single(g, &here, ned_mps);
}
