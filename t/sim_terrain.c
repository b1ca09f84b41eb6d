/* Land from a file: its heights, the path over it, and files that are none. */
#include "tap.h"
#include <errno.h>
#include <math.h>
#include <motion/math.h>
#include <sim/ground.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static char file[1 << 20];
static size_t file_bytes;

/* Writes a file of heights by a rule, and reads it as land. */
static struct terrain *
land_of(int rows, int columns, double spacing_m, double scale_m,
        double (*height)(double north, double east))
{
    struct terrain *t = NULL;
    char why[300] = "";
    double value;
    int row, column, units;

    file_bytes = (size_t)snprintf(
        file, sizeof(file),
        "hardpoint-terrain 1\nsize %d %d\nspacing_m %g\nscale_m %g\nbase_m "
        "100\norigin_m -500 -700\ndata\n",
        rows, columns, spacing_m, scale_m);
    for (row = 0; row < rows; row++)
        for (column = 0; column < columns; column++) {
            value = height(-500 + row * spacing_m, -700 + column * spacing_m);
            units = (int)floor((value - 100) / scale_m + 0.5);
            file[file_bytes++] = (char)(units & 255);
            file[file_bytes++] = (char)(units >> 8 & 255);
        }
    ok_int(terrain_read(&t, file, file_bytes, why, sizeof(why)), 0);
    return t;
}

static double
plane(double north, double east)
{
    return 120 + 0.0875 * north - 0.02 * east;
}

static double
hill(double north, double east)
{
    return 300 * exp(-(north * north + east * east) / 2 / 4e4);
}

static double
ridge(double north, double east)
{
    (void)east;
    return fabs(north - 700) < 1 ? 400 : 100;
}

static double
rough(double north, double east)
{
    uint32_t h = (uint32_t)(north + 5000) * 2654435761u ^
                 (uint32_t)(east + 5000) * 40503u;

    h ^= h >> 15;
    h *= 2246822519u;
    return 100 + (h >> 16) % 200;
}

static void
a_plane_is_as_high_and_as_steep_everywhere(void)
{
    struct terrain *t = land_of(41, 61, 30, 0.004, plane);
    double north, east, slope[2];

    for (north = -499; north < 690; north += 17.3)
        for (east = -699; east < 1090; east += 13.7) {
            ok_real(terrain_surface(t, north, east, slope), plane(north, east),
                    0.003);
            ok_real(slope[0], 0.0875, 2e-4);
            ok_real(slope[1], -0.02, 2e-4);
        }
    ok_real(terrain_height_max(t), plane(-500 + 40 * 30, -700), 0.003);
    terrain_destroy(t);
}

static void
beyond_its_edges_it_goes_on_as_there(void)
{
    struct terrain *t = land_of(41, 61, 30, 0.004, plane);
    double slope[2];

    ok_real(terrain_surface(t, 1e6, 0, slope), plane(700, 0), 0.003);
    ok_real(slope[0], 0, 0);
    ok_real(slope[1], -0.02, 2e-4);
    ok_real(terrain_surface(t, -1e6, -1e6, slope), plane(-500, -700), 0.003);
    ok_real(fabs(slope[0]) + fabs(slope[1]), 0, 0);
    ok(isfinite(terrain_surface(t, NAN, INFINITY, slope)));
    terrain_destroy(t);
}

static void
a_hill_is_met_at_its_samples_and_without_a_step_between(void)
{
    struct terrain *t = land_of(101, 101, 20, 0.01, hill);
    double x, slope[2], before, h;
    int i;

    for (i = 0; i < 100; i++)
        ok_real(terrain_surface(t, -500 + i * 20, -700 + i * 20, slope),
                hill(-500 + i * 20, -700 + i * 20), 0.006);
    before = terrain_surface(t, -700, 0.37 * -700 - 31, slope);
    for (x = -700; x < 1600; x += 0.5) {
        h = terrain_surface(t, x, 0.37 * x - 31, slope);
        ok_real(h, before, 1.2 * 0.5);
        ok_real(h, hill(x < -500 ? -500 : x, 0.37 * x - 31), 0.8);
        before = h;
    }
    terrain_destroy(t);
}

/* Small steps along the path, as a check of what strides. */
static double
crawl(const struct ground *g, const double at[3], const double v[3],
      double horizon_s)
{
    double t;

    for (t = 0; t < horizon_s; t += 2e-3)
        if (-(at[2] + v[2] * t) <=
            ground_height(g, at[0] + v[0] * t, at[1] + v[1] * t))
            return t;
    return horizon_s;
}

static double
share(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) * (2.0 / 16777216) - 1;
}

static void
check_paths(const struct ground *g, int count, double within_s)
{
    uint32_t seed = 5;
    double at[3], v[3], want, got, clear, t;
    int i, k, met = 0;

    for (i = 0; i < count; i++) {
        for (k = 0; k < 3; k++) {
            at[k] = 900 * share(&seed);
            v[k] = 150 * share(&seed);
        }
        at[2] = -250 - 300 * fabs(share(&seed));
        v[2] /= 3;
        want = crawl(g, at, v, 12);
        got = ground_time_ahead(g, at, v, 12);
        met += want > 0 && want < 12;
        if (fabs(got - want) <= within_s)
            continue;
        /* One that only just touches may be told either way. */
        clear = 1e9;
        for (t = 0; t <= 12; t += 2e-3) {
            double over = -(at[2] + v[2] * t) -
                          ground_height(g, at[0] + v[0] * t, at[1] + v[1] * t);

            if (t <= (got < want ? got : want) + within_s || over > 0)
                clear = fabs(over) < clear ? fabs(over) : clear;
        }
        ok_real(clear, 0, 0.25);
    }
    ok(met > count / 10);
}

static void
the_path_meets_rough_land_where_small_steps_do(void)
{
    struct terrain *t = land_of(70, 90, 25, 0.1, rough);
    struct ground g = {.land = t};

    check_paths(&g, 150, 0.003);
    terrain_destroy(t);
    t = land_of(101, 101, 20, 0.01, hill);
    g.land = t;
    check_paths(&g, 60, 0.003);
    terrain_destroy(t);
    t = land_of(41, 61, 30, 0.004, plane);
    g.land = t;
    check_paths(&g, 60, 0.003);
    terrain_destroy(t);
}

static void
the_path_meets_hills_where_small_steps_do(void)
{
    struct ground g = {.seed = 5, .hills = 1};

    check_paths(&g, 80, 0.15);
}

static void
a_ridge_of_one_sample_is_not_missed(void)
{
    struct terrain *t = land_of(161, 20, 20, 0.1, ridge);
    struct ground g = {.land = t};
    double at[3] = {-450, 0, -395}, v[3] = {340, 3, 0}, time_s;

    /* The ridge is 20 m wide at each side of its crest. */
    time_s = ground_time_ahead(&g, at, v, 60);
    ok_real(at[0] + v[0] * time_s, 700 - 20 * 5.0 / 300, 0.01);
    at[2] = -401;
    ok_real(ground_time_ahead(&g, at, v, 60), 60, 0);
    at[2] = -395;
    v[0] = -340;
    ok_real(ground_time_ahead(&g, at, v, 60), 60, 0);
    at[0] = 2000;
    time_s = ground_time_ahead(&g, at, v, 60);
    ok_real(at[0] + v[0] * time_s, 700 + 20 * 5.0 / 300, 0.01);
    /* From outside of the land, and straight down on its crest. */
    at[0] = 9000;
    time_s = ground_time_ahead(&g, at, v, 60);
    ok_real(at[0] + v[0] * time_s, 700 + 20 * 5.0 / 300, 0.01);
    at[0] = 700;
    at[2] = -500;
    v[0] = v[1] = 0;
    v[2] = 10;
    ok_real(ground_time_ahead(&g, at, v, 60), 10, 1e-6);
    terrain_destroy(t);
}

static void
expect(const char *text, size_t bytes, const char *sentence)
{
    struct terrain *t = NULL;
    char why[300] = "";

    ok_int(terrain_read(&t, text, bytes, why, sizeof(why)), -EINVAL);
    if (!ok(strstr(why, sentence) != NULL))
        printf("# said: %s\n# expected: %s\n", why, sentence);
}

#define HEAD "hardpoint-terrain 1\nsize 2 2\nspacing_m 30\nscale_m 1\n"

static void
files_that_are_no_land_are_told_where_and_why(void)
{
#define CASE(text, sentence) expect(text, sizeof(text) - 1, sentence)
    CASE("", "1: the file ends in its heading");
    CASE("P5\n", "1: found \"P5\", expected \"hardpoint-terrain 1\"");
    CASE("\x01\x02\n", "1: found byte 1 in the heading");
    CASE(HEAD, "5: the file ends in its heading; expected a line \"data\"");
    CASE(HEAD "data\n1234567", "5: found 7 bytes of heights after this line, "
                               "expected 8 for size 2 2");
    CASE(HEAD "data\n123456789", "found 9 bytes");
    CASE(HEAD "scale_m 2\n", "5: scale_m: given twice");
    CASE(HEAD "height 2\n", "5: found \"height\", expected size, spacing_m");
    CASE(HEAD "base_m\n", "5: base_m: found 0 numbers, expected 1");
    CASE(HEAD "base_m x\n", "5: base_m: found \"x\", expected a number of "
                            "-10000 to 10000");
    CASE(HEAD "base_m nan\n", "5: base_m: found \"nan\"");
    CASE(HEAD "base_m 1 2\n", "5: base_m: found \"2\" after 1 numbers");
    CASE(HEAD "origin_m 1\n", "5: origin_m: found 1 numbers, expected 2");
    CASE("hardpoint-terrain 1\nsize 1 2\n", "2: size: found \"1\", expected "
                                            "a number of 2 to 8192");
    CASE("hardpoint-terrain 1\nsize 2.5 2\nspacing_m 1\nscale_m 1\ndata\n",
         "5: size: found 2.5, expected whole numbers");
    CASE("hardpoint-terrain 1\nsize 9000 2\n", "2: size: found \"9000\"");
    CASE("hardpoint-terrain 1\nspacing_m 0\n", "2: spacing_m: found \"0\"");
    CASE("hardpoint-terrain 1\nsize 2 2\nscale_m 1\ndata\n12345678",
         "4: spacing_m is missing before \"data\"");
    CASE("hardpoint-terrain 2\n", "1: found \"hardpoint-terrain 2\"");
#undef CASE
}

/* A file of which any byte is another, or the end is missing, is refused or is
 * land; it is never read beyond its end. */
static void
any_byte_may_be_wrong(void)
{
    uint32_t seed = 3;
    char why[300], *copy;
    struct terrain *t;
    double slope[2];
    size_t bytes, at;
    int i, k, good = 0, bad = 0;

    terrain_destroy(land_of(3, 3, 30, 0.1, plane));
    for (i = 0; i < 20000; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes = seed >> 24 & 1 ? file_bytes : (seed >> 8) % (file_bytes + 1);
        copy = malloc(bytes + 1); /* so that a reader beyond it is caught */
        memcpy(copy, file, bytes);
        for (k = 0; k < 1 + i % 3 && bytes > 0; k++) {
            seed = seed * 1664525 + 1013904223;
            at = (seed >> 8) % bytes;
            seed = seed * 1664525 + 1013904223;
            copy[at] = i % 2 ? (char)(seed >> 24)
                             : "0123456789.-e \ndat"[(seed >> 24) % 18];
        }
        t = NULL;
        why[0] = '\0';
        if (terrain_read(&t, copy, bytes, why, sizeof(why)) == 0) {
            ok(isfinite(terrain_surface(t, 10, 10, slope)));
            good++;
        } else {
            ok(why[0] != '\0' && t == NULL);
            bad++;
        }
        terrain_destroy(t);
        free(copy);
    }
    ok(good > 500 && bad > 5000);
}

static void
a_file_that_is_not_there_is_told(void)
{
    struct terrain *t = NULL;
    char why[300];

    ok_int(terrain_load(&t, "/no/such/land", why, sizeof(why)), -ENOENT);
    ok(strcmp(why, "/no/such/land: cannot be read: No such file or "
                   "directory") == 0);
}

TAP_MAIN(FACT(a_plane_is_as_high_and_as_steep_everywhere),
         FACT(beyond_its_edges_it_goes_on_as_there),
         FACT(a_hill_is_met_at_its_samples_and_without_a_step_between),
         FACT(the_path_meets_rough_land_where_small_steps_do),
         FACT(the_path_meets_hills_where_small_steps_do),
         FACT(a_ridge_of_one_sample_is_not_missed),
         FACT(files_that_are_no_land_are_told_where_and_why),
         FACT(any_byte_may_be_wrong), FACT(a_file_that_is_not_there_is_told))
