/* Turbulence and gusts: strength, spectrum, smoothness, and the same for all
 * who ask. */
#include "tap.h"
#include <math.h>
#include <motion/math.h>
#include <sim/gusts.h>
#include <stdlib.h>

#define SAMPLES 65536
#define STEP_S  0.125

static double wind[3][SAMPLES];

static void
sample(const struct gusts *g, uint32_t entity, double height_m,
       double speed_mps)
{
    struct gusts_place at = {entity, 0, 0, height_m, speed_mps};
    double ned[3];
    int i, k;

    for (i = 0; i < SAMPLES; i++) {
        at.time_s = i * STEP_S;
        gusts_at(g, &at, ned);
        for (k = 0; k < 3; k++)
            wind[k][i] = ned[k];
    }
}

/* The mean of a product at a distance in time. */
static double
moment(const double *a, const double *b, int lag)
{
    double sum = 0;
    int i;

    for (i = 0; i + lag < SAMPLES; i++)
        sum += a[i] * b[i + lag];
    return sum / (SAMPLES - lag);
}

/* The power per hertz about a frequency, from stretches of 64 s. */
static double
power_at(const double *a, double hertz)
{
    const int count = 512;
    double sum = 0, c, s, w, window;
    int from, i, bins, b;

    bins = 0;
    for (b = -2; b <= 2; b++) {
        w = 2 * MOTION_PI * (hertz + b / 64.0) * STEP_S;
        for (from = 0; from + count <= SAMPLES; from += count, bins++) {
            c = s = 0;
            for (i = 0; i < count; i++) {
                window = 1 - cos(2 * MOTION_PI * i / count);
                c += a[from + i] * cos(w * i) * window;
                s += a[from + i] * sin(w * i) * window;
            }
            sum += 2 * (c * c + s * s) * STEP_S / count / 1.5;
        }
    }
    return sum / bins;
}

static void
its_strength_is_the_tables_at_any_height(void)
{
    static const double heights[] = {10, 100, 700, 2000, 6000};
    double length[2], rms[2];
    int i, k;

    for (i = 0; i < 5; i++) {
        struct gusts g = {3, 0, 1 + i % 3, 0};

        sample(&g, 5, heights[i], 150);
        gusts_dryden(&g, heights[i], length, rms);
        ok(rms[0] > 0.5 && rms[1] > 0.5);
        for (k = 0; k < 3; k++)
            ok_real(sqrt(moment(wind[k], wind[k], 0)), rms[k / 2],
                    0.08 * rms[k / 2]);
    }
}

static void
its_figures_are_those_of_the_standard(void)
{
    struct gusts g = {1, 0, GUSTS_MODERATE, 0};
    double length[2], rms[2];

    /* At 500 ft in a wind of 30 knots: sigma w is a tenth of it. */
    gusts_dryden(&g, 152.4, length, rms);
    ok_real(rms[1], 1.543, 1e-3);
    ok_real(rms[0], 1.543 / pow(0.177 + 0.000823 * 500, 0.4), 2e-3);
    ok_real(length[1], 152.4, 1e-3);
    ok_real(length[0], 152.4 / pow(0.177 + 0.000823 * 500, 1.2), 0.1);
    /* At 7500 ft: 10.1 ft/s, 1750 ft. */
    gusts_dryden(&g, 2286, length, rms);
    ok_real(rms[0], 10.1 * 0.3048, 1e-3);
    ok_real(length[0], 533.4, 1e-9);
    g.turbulence = GUSTS_CALM;
    gusts_dryden(&g, 2286, length, rms);
    ok_real(rms[0] + rms[1], 0, 0);
}

static void
it_forgets_itself_over_its_length(void)
{
    struct gusts g = {8, 0, GUSTS_MODERATE, 0};
    double scale, square;
    int lag;

    /* 533.4 m at 133.35 m/s: after 4 s a part in e is left. */
    sample(&g, 1, 2286, 133.35);
    square = moment(wind[0], wind[0], 0);
    for (lag = 8; lag <= 96; lag += 8) {
        scale = exp(-lag * STEP_S / 4);
        ok_real(moment(wind[0], wind[0], lag) / square, scale, 0.12);
        /* The vertical one crosses zero at two lengths. */
        ok_real(moment(wind[2], wind[2], lag) / square,
                scale * (1 - lag * STEP_S / 8), 0.15);
    }
}

static void
its_power_falls_as_drydens_does(void)
{
    static const double hertz[] = {0.05, 0.1, 0.2, 0.4, 0.8, 1.2};
    struct gusts g = {8, 0, GUSTS_MODERATE, 0};
    double length[2], rms[2], x, want;
    int i;

    sample(&g, 2, 2286, 133.35);
    gusts_dryden(&g, 2286, length, rms);
    for (i = 0; i < 6; i++) {
        x = 2 * MOTION_PI * hertz[i] * 4;
        want = rms[0] * rms[0] * 4 * 4 / (1 + x * x);
        ok_real(log(power_at(wind[0], hertz[i]) / want), 0, 0.5);
        want = rms[1] * rms[1] * 2 * 4 * (1 + 3 * x * x) / (1 + x * x) /
               (1 + x * x);
        ok_real(log(power_at(wind[2], hertz[i]) / want), 0, 0.5);
    }
}

static void
no_two_entities_or_axes_share_it(void)
{
    static double other[3][SAMPLES];
    struct gusts g = {8, 0, GUSTS_SEVERE, 0};
    double square;
    int k;

    sample(&g, 1, 2286, 150);
    memcpy(other, wind, sizeof(wind));
    square = moment(wind[0], wind[0], 0);
    ok_real(moment(wind[0], wind[1], 0) / square, 0, 0.1);
    ok_real(moment(wind[0], wind[2], 0) / square, 0, 0.1);
    sample(&g, 2, 2286, 150);
    for (k = 0; k < 3; k++)
        ok_real(moment(wind[k], other[k], 0) / square, 0, 0.1);
    g.seed = 9;
    sample(&g, 1, 2286, 150);
    for (k = 0; k < 3; k++)
        ok_real(moment(wind[k], other[k], 0) / square, 0, 0.1);
}

static void
it_is_smooth_and_asked_twice_the_same(void)
{
    struct gusts g = {8, 12, GUSTS_SEVERE, 0};
    struct gusts_place at = {4, 0, 0, 1000, 150};
    double before[3], now[3], again[3];
    int i, k;

    gusts_at(&g, &at, before);
    for (i = 1; i < 60000; i++) {
        at.time_s = i * 1e-3;
        at.speed_mps = 150 + 50 * sin(at.time_s);
        at.height_m = 1000 + 900 * sin(at.time_s / 7);
        gusts_at(&g, &at, now);
        gusts_at(&g, &at, again);
        for (k = 0; k < 3; k++) {
            ok_real(now[k], before[k], 0.12);
            ok_int(memcmp(&now[k], &again[k], sizeof(now[k])), 0);
        }
        memcpy(before, now, sizeof(now));
    }
}

static void
a_single_gust_rises_to_its_peak_and_passes(void)
{
    struct gusts g = {5, 10, GUSTS_CALM, 0};
    struct gusts_place at = {0, 0, 0, 1000, 150};
    double ned[3], most = 0, strength, blowing = 0;
    int i;

    for (i = 0; i < 20 * 100; i++) {
        at.time_s = i * 0.01;
        gusts_at(&g, &at, ned);
        strength = sqrt(ned[0] * ned[0] + ned[1] * ned[1] + ned[2] * ned[2]);
        most = strength > most ? strength : most;
        blowing += (strength > 0) * 0.01;
    }
    ok_real(most, 10, 0.05);
    ok(blowing > 2 * 30 / 150.0 - 0.1 && blowing < 2 * 100 / 150.0 + 0.1);
    for (i = 0; i < 100; i++) {
        at.time_s = i * 20;
        at.speed_mps = 1;
        gusts_at(&g, &at, ned);
        ok_real(fabs(ned[0]) + fabs(ned[1]) + fabs(ned[2]), 0, 0);
    }
}

static void
what_is_no_number_still_blows_a_number(void)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, -5, 1e300};
    struct gusts g = {5, 10, GUSTS_SEVERE, 0};
    double ned[3];
    int i, k;

    for (i = 0; i < 5; i++)
        for (k = 0; k < 3; k++) {
            struct gusts_place at = {0, 0, k == 0 ? odd[i] : 5,
                                     k == 1 ? odd[i] : 1000,
                                     k == 2 ? odd[i] : 150};

            gusts_at(&g, &at, ned);
            ok(isfinite(ned[0]) && isfinite(ned[1]) && isfinite(ned[2]));
        }
}

static void
in_calm_air_nothing_moves(void)
{
    struct gusts g = {5, 0, GUSTS_CALM, 0};
    struct gusts_place at = {0, 0, 17, 1000, 150};
    double ned[3] = {1, 1, 1};

    gusts_at(&g, &at, ned);
    ok_real(fabs(ned[0]) + fabs(ned[1]) + fabs(ned[2]), 0, 0);
}

TAP_MAIN(FACT(its_strength_is_the_tables_at_any_height),
         FACT(its_figures_are_those_of_the_standard),
         FACT(it_forgets_itself_over_its_length),
         FACT(its_power_falls_as_drydens_does),
         FACT(no_two_entities_or_axes_share_it),
         FACT(it_is_smooth_and_asked_twice_the_same),
         FACT(a_single_gust_rises_to_its_peak_and_passes),
         FACT(what_is_no_number_still_blows_a_number),
         FACT(in_calm_air_nothing_moves))
