/* The planet and its air against published figures; t/data/flight names them. */
#include "csv.h"
#include "tap.h"
#include <motion/math.h>
#include <motion/vector.h>
#include <sim/surroundings.h>

#define FOOT 0.3048
#define DEG  (MOTION_PI / 180)

static struct csv table;
static struct atmosphere_table air;

static void
geodetic(struct planet_geodetic *g, double lat, double lon, double height)
{
    g->latitude_rad = lat * DEG;
    g->longitude_rad = lon * DEG;
    g->height_m = height;
}

/* There and back, in metres. */
static double
round_trip(const struct planet *p, double lat, double lon, double height)
{
    struct planet_geodetic from, to;
    double at[3], again[3], gap[3];
    int i;

    geodetic(&from, lat, lon, height);
    planet_position_of(p, &from, at);
    planet_geodetic_of(p, at, &to);
    planet_position_of(p, &to, again);
    for (i = 0; i < 3; i++)
        gap[i] = again[i] - at[i];
    return vector_length(gap) + fabs(to.height_m - height) +
           fabs(to.latitude_rad - from.latitude_rad) * p->equator_m;
}

static void
positions_go_there_and_back_within_a_millimetre_anywhere(void)
{
    static const double latitudes[] = {-90, -89.9999, -60, -1e-9, 0,
                                       0.5, 45,       89,  90};
    static const double longitudes[] = {-180, -179.9999, -90, 0, 30, 180};
    static const double heights[] = {-500, 0, 3000, 20000, 86000};
    struct planet planets[2];
    double worst = 0, gap;
    int i, k, n, m;

    planet_init(&planets[0], PLANET_ROUND);
    planet_init(&planets[1], PLANET_WGS84);
    for (m = 0; m < 2; m++)
        for (i = 0; i < 9; i++)
            for (k = 0; k < 6; k++)
                for (n = 0; n < 5; n++) {
                    gap = round_trip(&planets[m], latitudes[i], longitudes[k],
                                     heights[n]);
                    worst = gap > worst ? gap : worst;
                }
    ok_real(worst, 0, 1e-5);
}

static double
share(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) * (2.0 / 16777216) - 1;
}

/* Many places, crowded about the poles and the date line. */
static void
random_positions_go_there_and_back_within_a_millimetre(void)
{
    struct planet planet;
    uint32_t seed = 11;
    double latitude, longitude, height, gap, low = 0, high = 0;
    int i;

    planet_init(&planet, PLANET_WGS84);
    for (i = 0; i < 30000; i++) {
        latitude = 90 * share(&seed);
        longitude = 180 * share(&seed);
        height = 110000 * share(&seed);
        if (i % 3 == 0)
            latitude = (latitude > 0 ? 90 : -90) * (1 - pow(10, -2 - i % 12));
        if (i % 4 == 0)
            longitude =
                (longitude > 0 ? 180 : -180) * (1 - pow(10, -2 - i % 14));
        gap = round_trip(&planet, latitude, longitude,
                         height < 0 ? height / 10 : height);
        low = gap > low ? gap : low;
        gap = round_trip(&planet, latitude, longitude, fabs(height) * 10);
        high = gap > high ? gap : high;
    }
    /* From 11 km below to 110 km, and to 1100 km. */
    ok_real(low, 0, 1e-5);
    ok_real(high, 0, 1e-3);
}

static void
published_positions_agree_within_a_millimetre(void)
{
    struct planet_geodetic g;
    struct planet p;
    double at[3];
    int i;

    planet_init(&p, PLANET_WGS84);
    csv_read(&table, "epsg_example.csv");
    geodetic(&g, csv_cell(&table, 0, "lat_deg"), csv_cell(&table, 0, "lon_deg"),
             csv_cell(&table, 0, "h_m"));
    planet_position_of(&p, &g, at);
    ok_real(at[0], csv_cell(&table, 0, "X_m"), 1e-3);
    ok_real(at[1], csv_cell(&table, 0, "Y_m"), 1e-3);
    ok_real(at[2], csv_cell(&table, 0, "Z_m"), 1e-3);
    csv_read(&table, "wgs84_ecef_points.csv");
    ok_int(table.rows, 14);
    for (i = 0; i < table.rows; i++) {
        at[0] = csv_cell(&table, i, "X_ft") * FOOT;
        at[1] = csv_cell(&table, i, "Y_ft") * FOOT;
        at[2] = csv_cell(&table, i, "Z_ft") * FOOT;
        planet_geodetic_of(&p, at, &g);
        ok_real(g.latitude_rad / DEG, csv_cell(&table, i, "lat_deg"), 1e-8);
        ok_real(g.longitude_rad / DEG, csv_cell(&table, i, "lon_deg"), 1e-8);
        ok_real(g.height_m, csv_cell(&table, i, "alt_ft") * FOOT, 1e-3);
    }
}

static void
gravitation_agrees_with_published_magnitudes(void)
{
    struct planet p;
    double at[3], pull[3];
    int i;

    planet_init(&p, PLANET_WGS84);
    csv_read(&table, "wgs84_ecef_points.csv");
    for (i = 0; i < table.rows; i++) {
        at[0] = csv_cell(&table, i, "X_ft") * FOOT;
        at[1] = csv_cell(&table, i, "Y_ft") * FOOT;
        at[2] = csv_cell(&table, i, "Z_ft") * FOOT;
        planet_gravitation(&p, at, pull);
        ok_real(vector_length(pull) / FOOT,
                csv_cell(&table, i, "gravitation_ftps2"), 1e-8);
    }
}

/* J2's pull is the slope of its potential; the z factor is the one that a
 * public tool has wrong. */
static void
gravitation_is_the_slope_of_its_potential(void)
{
    struct planet p;
    double at[3] = {3e6, -2e6, 5.4e6}, pull[3], moved[3], u[2], r, s;
    int i, k;

    planet_init(&p, PLANET_WGS84);
    planet_gravitation(&p, at, pull);
    for (i = 0; i < 3; i++) {
        for (k = 0; k < 2; k++) {
            memcpy(moved, at, sizeof(at));
            moved[i] += k ? 50 : -50;
            r = vector_length(moved);
            s = moved[2] / r;
            u[k] = p.gm / r *
                   (1 - p.j2 * (p.equator_m / r) * (p.equator_m / r) *
                            (1.5 * s * s - 0.5));
        }
        ok_real(pull[i], (u[1] - u[0]) / 100, 1e-8);
    }
}

/* At rest on the ground a plumb line hangs along the ellipsoid's normal, but
 * for the harmonics beyond J2. */
static void
a_body_at_rest_falls_along_the_normal(void)
{
    static const double still[3];
    struct planet_geodetic g;
    struct planet_place place;
    struct planet p;
    double at[3], pull[3];
    int i;

    planet_init(&p, PLANET_WGS84);
    for (i = -9; i <= 9; i++) {
        geodetic(&g, i * 10, 77, 0);
        planet_position_of(&p, &g, at);
        planet_locate(&p, at, &place);
        planet_fall(&p, at, still, pull);
        ok_real(vector_dot(place.ned[0], pull), 0, 7e-5);
        ok_real(vector_dot(place.ned[1], pull), 0, 1e-12);
        ok_real(vector_dot(place.ned[2], pull), 9.806, 0.027);
    }
}

static void
who_keeps_level_turns_with_the_ground_below(void)
{
    struct planet_geodetic g;
    struct planet_place before, after;
    struct planet p;
    double at[3], v[3], turn[3], slope[3], cross[3];
    int i, k;

    planet_init(&p, PLANET_WGS84);
    geodetic(&g, 52, -7, 9000);
    planet_position_of(&p, &g, at);
    planet_locate(&p, at, &before);
    for (i = 0; i < 3; i++)
        v[i] = 200 * before.ned[0][i] + 150 * before.ned[1][i];
    planet_local_turn(&p, at, v, turn);
    turn[2] -= p.turn_rps; /* world axes turn as well */
    for (i = 0; i < 3; i++)
        at[i] += v[i] * 0.5;
    planet_locate(&p, at, &after);
    for (k = 0; k < 3; k++) {
        for (i = 0; i < 3; i++)
            slope[i] = (after.ned[k][i] - before.ned[k][i]) / 0.5;
        vector_cross(cross, turn, before.ned[k]);
        for (i = 0; i < 3; i++)
            ok_real(slope[i], cross[i], 1e-8);
    }
}

/* Worst relative difference of a column, at heights of `unit` metres. */
static void
check_air(const char *name, const char *height, double unit, const char *column,
          double column_unit, double within)
{
    struct atmosphere_standard exact;
    struct atmosphere fast;
    double got, want, z;
    int i, rough;

    csv_read(&table, name);
    ok(table.rows > 8);
    for (i = 0; i < table.rows; i++) {
        z = csv_cell(&table, i, height) * unit;
        want = csv_cell(&table, i, column) * column_unit;
        atmosphere_standard(&exact, z);
        atmosphere_from(&air, &fast, z);
        rough = strchr(column, 'T') != NULL ? 0 : column[0] == 'p' ? 1 : 2;
        got = rough == 0                       ? exact.temperature_k
              : rough == 1                     ? exact.pressure_pa
              : strncmp(column, "rho", 3) == 0 ? exact.density
                                               : exact.sound_speed;
        if (!ok_real(got / want, 1, within))
            printf("# %s at %g m\n", column, z);
        if (rough == 2)
            ok_real((column[0] == 'r' ? fast.density : fast.sound_speed) / got,
                    1, 1e-4);
    }
}

static void
the_standard_atmosphere_agrees_with_its_tables(void)
{
    const char *si = "us76_si_geometric.csv", *icao = "icao_doc7488.csv";
    const char *us = "us76_us_geometric.csv";
    double slug_ft3 = 14.593902937206365 / (FOOT * FOOT * FOOT);

    atmosphere_fill(&air);
    check_air(si, "z_geometric_m", 1, "T_K", 1, 1e-4);
    check_air(si, "z_geometric_m", 1, "p_Pa", 1, 1e-4);
    check_air(si, "z_geometric_m", 1, "rho_kgm3", 1, 1e-4);
    check_air(si, "z_geometric_m", 1, "a_mps", 1, 1e-4);
    check_air(icao, "z_geometric_m", 1, "T_K", 1, 1e-4);
    check_air(icao, "z_geometric_m", 1, "p_Pa", 1, 1e-4);
    check_air(icao, "z_geometric_m", 1, "rho_kgm3", 1, 1e-4);
    check_air(icao, "z_geometric_m", 1, "a_mps", 1, 1e-4);
    check_air(us, "z_kft", 1000 * FOOT, "T_degR", 5.0 / 9, 2e-4);
    check_air(us, "z_kft", 1000 * FOOT, "rho_slugft3", slug_ft3, 5e-4);
    check_air(us, "z_kft", 1000 * FOOT, "a_ftps", FOOT, 1e-4);
}

static void
beyond_its_ends_the_air_is_as_at_them(void)
{
    struct atmosphere end, beyond;

    atmosphere_fill(&air);
    atmosphere_from(&air, &end, 86000);
    atmosphere_from(&air, &beyond, 1e6);
    ok_real(beyond.density, end.density, 0);
    atmosphere_from(&air, &end, -5000);
    atmosphere_from(&air, &beyond, -1e6);
    ok_real(beyond.density, end.density, 0);
    atmosphere_from(&air, &beyond, NAN);
    ok(isnan(beyond.density) || beyond.density == end.density);
}

TAP_MAIN(FACT(positions_go_there_and_back_within_a_millimetre_anywhere),
         FACT(random_positions_go_there_and_back_within_a_millimetre),
         FACT(published_positions_agree_within_a_millimetre),
         FACT(gravitation_agrees_with_published_magnitudes),
         FACT(gravitation_is_the_slope_of_its_potential),
         FACT(a_body_at_rest_falls_along_the_normal),
         FACT(who_keeps_level_turns_with_the_ground_below),
         FACT(the_standard_atmosphere_agrees_with_its_tables),
         FACT(beyond_its_ends_the_air_is_as_at_them))
