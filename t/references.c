/*
 * The flight model against published figures, each row at its demand. With the
 * argument "print" it prints the table of doc/flight.md, without one it tests
 * the rows, and that the page has that table; t/data/flight names the sources.
 */
#include "aircraft_types.h"
#include "csv.h"
#include "thrown.h"
#include <motion/math.h>
#include <motion/vector.h>
#include <sim/aircraft.h>
#include <sim/ballistics.h>
#include <sim/fly_sortie.h>
#include <sim/gun.h>
#include <stdarg.h>

#define FOOT            0.3048
#define INCH            0.0254
#define YARD            0.9144
#define DEG             (MOTION_PI / 180)
#define FEET_PER_DEGREE 364567.2
#define RESULTS_MAX     96
#define TIMES_MAX       128
#define PAGE_MAX        65536

/* One row of the table. */
struct result {
    const char *subject, *quantity, *unit;
    double reference, ours; /* where they differ most */
    double difference, demand;
    double close, wide; /* NASA's 04 to 05, and the furthest of all to 05 */
};

static struct result results[RESULTS_MAX];
static int result_count;

static void
add(const char *subject, const char *quantity, const char *unit,
    double reference, double ours, double difference, double demand)
{
    struct result *r = &results[result_count++];

    r->subject = subject;
    r->quantity = quantity;
    r->unit = unit;
    r->reference = reference;
    r->ours = ours;
    r->difference = difference;
    r->demand = demand;
    r->close = r->wide = NAN;
}

static void
add_plain(const char *subject, const char *quantity, const char *unit,
          double reference, double ours, double demand)
{
    add(subject, quantity, unit, reference, ours, fabs(ours - reference),
        demand);
}

static void
add_relative(const char *subject, const char *quantity, double reference,
             double ours, double demand)
{
    add(subject, quantity, "relative", reference, ours,
        fabs(ours / reference - 1), demand);
}

/* Keeps the furthest apart of a row's pairs. */
static void
worse(struct result *r, double reference, double ours)
{
    if (fabs(ours - reference) <= r->difference)
        return;
    r->difference = fabs(ours - reference);
    r->reference = reference;
    r->ours = ours;
}

/* ---- NASA's check-cases ---- */

enum column {
    ALT,
    LON,
    LAT,
    VN,
    VE,
    VD,
    PSI,
    THETA,
    PHI,
    P,
    Q,
    R,
    PULL
};
#define COLUMNS 13

static const char *const column_names[COLUMNS] = {
    "alt_ft",    "lon_deg",   "lat_deg",          "vn_ftps", "ve_ftps",
    "vd_ftps",   "psi_deg",   "theta_deg",        "phi_deg", "p_i_degps",
    "q_i_degps", "r_i_degps", "gravitation_ftps2"};

static struct csv table;
static struct sortie sortie;
static double times[TIMES_MAX], flown[TIMES_MAX][COLUMNS];
static int time_count;

static int
column_at(const char *name)
{
    int i;

    for (i = 0; i < table.columns; i++)
        if (strcmp(table.names[i], name) == 0)
            return i;
    printf("Bail out! no column %s\n", name);
    exit(1);
}

static void
note_moment(double at[COLUMNS])
{
    struct sortie_row now;
    int i;

    sortie_look(&sortie, &now);
    at[ALT] = now.at.height_m / FOOT;
    at[LON] = now.at.longitude_rad / DEG;
    at[LAT] = now.at.latitude_rad / DEG;
    at[PSI] = now.heading_rad / DEG;
    at[THETA] = now.pitch_rad / DEG;
    at[PHI] = now.bank_rad / DEG;
    at[PULL] = now.gravitation_mps2 / FOOT;
    for (i = 0; i < 3; i++) {
        at[VN + i] = now.ned_mps[i] / FOOT;
        at[P + i] = now.rates_rps[i] / DEG;
    }
}

static void
start_scenario(const char *name, double rate_hz)
{
    const char *source = getenv("HP_SRC");
    char path[512], why[300];
    struct scenario plan;

    snprintf(path, sizeof(path), "%s/conf/scenarios/%s.ini",
             source != NULL ? source : ".", name);
    if (scenario_read(path, &plan) != 0) {
        printf("Bail out! cannot read %s\n", path);
        exit(1);
    }
    plan.rate_hz = rate_hz;
    sortie_finish(&sortie); /* of the flight before */
    if (sortie_start(&sortie, &plan, why, sizeof(why)) < 0) {
        printf("Bail out! %s: %s\n", path, why);
        exit(1);
    }
}

/* Flies a shipped scenario through the moments of the table. */
static void
fly_table(const char *name, double rate_hz)
{
    char scenario[32];
    int i, sim, t;

    snprintf(scenario, sizeof(scenario), "nesc_%s", name);
    start_scenario(scenario, rate_hz);
    sim = column_at("sim");
    t = column_at("t_s");
    time_count = 0;
    for (i = 0; i < table.rows && time_count < TIMES_MAX; i++) {
        if (table.cells[i][sim] != 5)
            continue;
        times[time_count] = table.cells[i][t];
        while ((double)sortie.tick < times[time_count] * rate_hz - 0.5)
            sortie_step(&sortie);
        note_moment(flown[time_count++]);
    }
}

static void
fly(const char *name, double rate_hz)
{
    char file[64];

    snprintf(file, sizeof(file), "nesc_%s.csv", name);
    csv_read(&table, file);
    fly_table(name, rate_hz);
}

/* What a simulation of NASA's has at a moment, or NAN. */
static double
published(int sim, double time_s, enum column column)
{
    int i, sims = column_at("sim"), t = column_at("t_s");

    for (i = 0; i < table.rows; i++)
        if (table.cells[i][sims] == sim &&
            fabs(table.cells[i][t] - time_s) < 1e-6)
            return table.cells[i][column_at(column_names[column])];
    return NAN;
}

/* The difference of two values of a column; places in feet. */
static double
apart(enum column column, double a, double b, double latitude_deg)
{
    double d = a - b;

    if (column == LON || column == PSI || column == PHI)
        d -= 360 * motion_floor((d + 180) / 360);
    if (column == LAT || column == LON)
        d *= FEET_PER_DEGREE;
    if (column == LON)
        d *= motion_cos(latitude_deg * DEG);
    return fabs(d);
}

/* The worst difference of one column to a reference, over the flight. */
static double
worst_between(int sim, int other, enum column column)
{
    double worst = 0, a, b, latitude;
    int i;

    for (i = 0; i < time_count; i++) {
        a = published(sim, times[i], column);
        b = published(other, times[i], column);
        latitude = published(5, times[i], LAT);
        if (!isnan(a) && !isnan(b) && apart(column, a, b, latitude) > worst)
            worst = apart(column, a, b, latitude);
    }
    return worst;
}

/* One row for the columns `first` .. `last`, which share a unit. */
static void
compare(const char *subject, const char *quantity, const char *unit, int sim,
        enum column first, enum column last, double demand)
{
    struct result *r = &results[result_count];
    double want, got, d;
    int i, k;
    enum column c;

    add(subject, quantity, unit, 0, 0, -1, demand);
    r->close = r->wide = 0;
    for (c = first; c <= last; c++) {
        for (i = 0; i < time_count; i++) {
            want = published(sim, times[i], c);
            got = flown[i][c];
            d = apart(c, got, want, published(5, times[i], LAT));
            if (!(d <= r->difference)) {
                r->difference = d;
                r->reference = want;
                r->ours = got;
            }
        }
        d = worst_between(4, 5, c);
        r->close = d > r->close ? d : r->close;
        for (k = 1; k <= 6; k++) {
            d = worst_between(k, 5, c);
            r->wide = d > r->wide ? d : r->wide;
        }
    }
}

static void
falling_bodies(void)
{
    fly("01", 60);
    compare("NESC 01, sphere without drag", "altitude", "ft", 5, ALT, ALT,
            0.01);
    compare("", "velocity", "ft/s", 5, VN, VD, 0.01);
    compare("", "gravitation", "ft/s2", 5, PULL, PULL, 1e-6);
    fly("02", 60);
    compare("NESC 02, tumbling brick", "Euler angles", "deg", 4, PSI, PHI,
            0.001);
    compare("", "rates", "deg/s", 4, P, R, 0.0005);
    fly("04", 60);
    compare("NESC 04, drag, round planet at rest", "altitude", "ft", 5, ALT,
            ALT, 0.02);
    compare("", "velocity", "ft/s", 5, VN, VD, 0.02);
    fly("06", 60);
    compare("NESC 06, drag", "altitude", "ft", 5, ALT, ALT, 0.02);
    compare("", "place", "ft", 5, LON, LAT, 0.02);
    compare("", "velocity", "ft/s", 5, VN, VD, 0.02);
    fly("07", 60);
    compare("NESC 07, steady wind", "altitude", "ft", 5, ALT, ALT, 0.02);
    compare("", "place", "ft", 5, LON, LAT, 0.02);
    compare("", "velocity", "ft/s", 5, VN, VD, 0.02);
    fly("09", 60);
    compare("NESC 09, thrown east", "altitude", "ft", 4, ALT, ALT, 0.05);
    compare("", "place", "ft", 4, LON, LAT, 0.05);
    compare("", "velocity", "ft/s", 4, VN, VD, 0.05);
}

/* What a second program has each second, in place of a published table. */
static void
thrown_table(struct thrown *t)
{
    struct thrown_moment now;
    double *cells;
    int i, k;

    memset(&table, 0, sizeof(table));
    snprintf(table.names[0], sizeof(table.names[0]), "sim");
    snprintf(table.names[1], sizeof(table.names[1]), "t_s");
    for (i = 0; i < COLUMNS; i++)
        snprintf(table.names[2 + i], sizeof(table.names[0]), "%s",
                 column_names[i]);
    table.columns = 2 + COLUMNS;
    for (table.rows = 0; table.rows <= 30; table.rows++) {
        thrown_fly(t, table.rows);
        thrown_look(t, &now);
        cells = table.cells[table.rows];
        cells[0] = 5;
        cells[1] = table.rows;
        cells += 2;
        cells[ALT] = now.height_m / FOOT;
        cells[LON] = now.longitude_rad / DEG;
        cells[LAT] = now.latitude_rad / DEG;
        for (k = 0; k < 3; k++) {
            cells[VN + k] = now.ned_mps[k] / FOOT;
            cells[PSI + k] = now.euler_rad[k] / DEG;
            cells[P + k] = now.rates_rps[k] / DEG;
        }
    }
}

static const struct thrown thrown_sphere = {
    .equator_m = 6378137,
    .flattening = 1 / 298.257223563,
    .j2 = 0.00108262982,
    .turn_rps = THROWN_TURN,
    .drag_area_m2 = 0.1963495 * FOOT * FOOT * 0.1,
    .mass_kg = 14.593902937206365,
    .inertia = {1, 1, 1},
};

/* The two programs' difference; NASA's are not in it. */
static void
compare_thrown(const char *subject, const char *quantity, const char *unit,
               enum column first, enum column last, double demand)
{
    struct result *r = &results[result_count];

    compare(subject, quantity, unit, 5, first, last, demand);
    r->close = r->wide = NAN;
}

static void
falls_and_throws(struct thrown *t, const char *name, const char *subject,
                 double height_ft, const double ned_mps[3], double demand)
{
    static const double still[3];

    thrown_start(t, height_ft * FOOT, ned_mps, still);
    thrown_table(t);
    fly_table(name, 60);
    compare_thrown(subject, "altitude", "ft", ALT, ALT, demand);
    compare_thrown("", "place", "ft", LON, LAT, demand);
    compare_thrown("", "velocity", "ft/s", VN, VD, demand);
}

static void
damped_brick(void)
{
    static const double still[3], turning[3] = {10 * DEG, 20 * DEG, 30 * DEG};
    static const double lengths[3] = {1.0 / 3, 2.0 / 3, 1.0 / 3};
    static const double inertia[3] = {0.001894220, 0.006211019, 0.007194665};
    struct thrown t = thrown_sphere;
    int i;

    t.drag_area_m2 = 0;
    for (i = 0; i < 3; i++) {
        t.inertia[i] = inertia[i] * 14.593902937206365 * FOOT * FOOT;
        t.damping[i] =
            -0.22222 / 4 * lengths[i] * lengths[i] * FOOT * FOOT * FOOT * FOOT;
    }
    thrown_start(&t, 30000 * FOOT, still, turning);
    thrown_table(&t);
    fly_table("03", 60);
    compare_thrown("NESC 03, brick in damping air *", "altitude", "ft", ALT,
                   ALT, 0.01);
    compare_thrown("", "Euler angles", "deg", PSI, PHI, 0.001);
    compare_thrown("", "rates", "deg/s", P, R, 0.0005);
}

/* The cases without a published trajectory, against the second program. */
static void
unpublished_falls(void)
{
    static const double still[3], north[3] = {1000 * FOOT, 0, -1000 * FOOT};
    struct thrown t = thrown_sphere;

    falls_and_throws(&t, "10", "NESC 10, thrown north *", 0, north, 0.05);
    t.wind_east_mps = -20 * FOOT;
    t.shear_east_per_s = 0.003;
    falls_and_throws(&t, "08", "NESC 08, sheared wind *", 30000, still, 0.02);
    t = thrown_sphere;
    t.equator_m = 20902255.199 * FOOT;
    t.flattening = t.j2 = 0;
    falls_and_throws(&t, "05", "NESC 05, drag, round planet that turns *",
                     30000, still, 0.02);
    damped_brick();
}

static double fine[TIMES_MAX][COLUMNS];

/* A flight of a case without a published trajectory, at two rates. */
static void
fly_twice(const char *name, int seconds)
{
    int i;

    memset(&table, 0, sizeof(table));
    snprintf(table.names[0], sizeof(table.names[0]), "sim");
    snprintf(table.names[1], sizeof(table.names[1]), "t_s");
    table.columns = 2;
    for (i = 0; i <= seconds; i++) {
        table.cells[i][0] = 5;
        table.cells[i][1] = i;
    }
    table.rows = seconds + 1;
    fly_table(name, 960);
    memcpy(fine, flown, sizeof(fine));
    fly_table(name, 60);
}

static void
compare_rates(const char *subject, const char *quantity, const char *unit,
              enum column first, enum column last, double demand)
{
    struct result *r = &results[result_count];
    double gap;
    int i;
    enum column c;

    add(subject, quantity, unit, 0, 0, -1, demand);
    for (c = first; c <= last; c++)
        for (i = 0; i < time_count; i++) {
            gap = apart(c, flown[i][c], fine[i][c], fine[i][LAT]);
            if (gap <= r->difference)
                continue;
            r->difference = gap;
            r->reference = fine[i][c];
            r->ours = flown[i][c];
        }
}

static void
aircraft_cases(void)
{
    fly("11", 60);
    add_plain("NESC 11, F-16 trim", "pitch", "deg", published(5, 0, THETA),
              flown[0][THETA], 1e-4);
    /* Of the program that found the published start; sims give no surfaces. */
    add_plain("", "elevator", "deg", -3.2328, sortie.state.elevator_deg, 0.01);
    add_plain("", "power", "%", 13.874, sortie.state.power, 0.01);
    compare("NESC 11, 180 s hands off", "altitude", "ft", 5, ALT, ALT, 0.1);
    compare("", "place", "ft", 5, LON, LAT, 0.1);
    compare("", "Euler angles", "deg", 5, PSI, PHI, 1e-4);
    fly("13p1", 60);
    compare("NESC 13.1, climb 100 ft", "altitude", "ft", 5, ALT, ALT, 1);
    compare("", "pitch", "deg", 5, THETA, THETA, 0.05);
    fly("13p3", 60);
    compare("NESC 13.3, turn 15 deg", "altitude", "ft", 5, ALT, ALT, 1);
    compare("", "place", "ft", 5, LON, LAT, 10);
    compare("", "bank", "deg", 5, PHI, PHI, 5);
    fly("13p3", 240);
    compare("NESC 13.3 at 240 Hz", "bank", "deg", 5, PHI, PHI, 1);
    fly_twice("13p2", 20);
    compare_rates("NESC 13.2, slow by 5 kt *", "altitude", "ft", ALT, ALT, 1);
    compare_rates("", "pitch", "deg", THETA, THETA, 0.05);
    fly_twice("13p4", 60);
    compare_rates("NESC 13.4, 2000 ft aside *", "altitude", "ft", ALT, ALT, 1);
    compare_rates("", "place", "ft", LON, LAT, 10);
    compare_rates("", "bank", "deg", PHI, PHI, 5);
    fly_twice("15", 120);
    compare_rates("NESC 15, circle the pole *", "altitude", "ft", ALT, ALT,
                  0.1);
    compare_rates("", "place", "ft", LON, LAT, 1);
    compare_rates("", "bank", "deg", PHI, PHI, 0.1);
    fly("16", 60);
    compare("NESC 16, circle over the date line", "altitude", "ft", 5, ALT, ALT,
            0.1);
    compare("", "place", "ft", 5, LON, LAT, 1);
    compare("", "bank", "deg", 5, PHI, PHI, 0.1);
}

/* ---- air and places ---- */

static void
air_tables(void)
{
    const char *pdas = "us76_si_geometric.csv", *icao = "icao_doc7488.csv";
    const size_t offsets[4] = {
        offsetof(struct atmosphere_standard, temperature_k),
        offsetof(struct atmosphere_standard, pressure_pa),
        offsetof(struct atmosphere_standard, density),
        offsetof(struct atmosphere_standard, sound_speed)};
    static const char *const columns[4] = {"T_K", "p_Pa", "rho_kgm3", "a_mps"};
    static const char *const quantities[4] = {"temperature", "pressure",
                                              "density", "speed of sound"};
    struct atmosphere_standard at;
    double got, want;
    int file, k, i;

    for (file = 0; file < 2; file++)
        for (k = 0; k < 4; k++) {
            struct result *r = &results[result_count];

            csv_read(&table, file == 0 ? pdas : icao);
            add(k > 0       ? ""
                : file == 0 ? "US 1976 atmosphere, PDAS tables"
                            : "US 1976 atmosphere, ICAO Doc 7488",
                quantities[k], "relative", 0, 0, -1, 1e-4);
            for (i = 0; i < table.rows; i++) {
                atmosphere_standard(&at, csv_cell(&table, i, "z_geometric_m"));
                memcpy(&got, (const char *)&at + offsets[k], sizeof(got));
                want = csv_cell(&table, i, columns[k]);
                if (fabs(got / want - 1) > r->difference) {
                    r->difference = fabs(got / want - 1);
                    r->reference = want;
                    r->ours = got;
                }
            }
        }
}

/* Metres between a published position and that of its geodetic one, both
 * ways. */
static void
places(void)
{
    struct planet_geodetic g, want;
    struct planet p;
    double at[3], gap[3], worst = 0, back = 0;
    int i;

    planet_init(&p, PLANET_WGS84);
    csv_read(&table, "epsg_example.csv");
    want.latitude_rad = csv_cell(&table, 0, "lat_deg") * DEG;
    want.longitude_rad = csv_cell(&table, 0, "lon_deg") * DEG;
    want.height_m = csv_cell(&table, 0, "h_m");
    planet_position_of(&p, &want, at);
    add_plain("ECEF, EPSG Guidance Note 7-2", "x", "m",
              csv_cell(&table, 0, "X_m"), at[0], 1e-3);
    add_plain("", "y", "m", csv_cell(&table, 0, "Y_m"), at[1], 1e-3);
    add_plain("", "z", "m", csv_cell(&table, 0, "Z_m"), at[2], 1e-3);
    csv_read(&table, "wgs84_ecef_points.csv");
    for (i = 0; i < table.rows; i++) {
        gap[0] = csv_cell(&table, i, "X_ft") * FOOT;
        gap[1] = csv_cell(&table, i, "Y_ft") * FOOT;
        gap[2] = csv_cell(&table, i, "Z_ft") * FOOT;
        want.latitude_rad = csv_cell(&table, i, "lat_deg") * DEG;
        want.longitude_rad = csv_cell(&table, i, "lon_deg") * DEG;
        want.height_m = csv_cell(&table, i, "alt_ft") * FOOT;
        planet_geodetic_of(&p, gap, &g);
        back = fabs(g.height_m - want.height_m) > back
                   ? fabs(g.height_m - want.height_m)
                   : back;
        planet_position_of(&p, &want, at);
        gap[0] -= at[0];
        gap[1] -= at[1];
        gap[2] -= at[2];
        worst = vector_length(gap) > worst ? vector_length(gap) : worst;
    }
    add("ECEF of NESC 11 and 16", "position of a place", "m", 0, worst, worst,
        1e-3);
    add("", "height of a position", "m", 0, back, back, 1e-3);
}

/* ---- rigid bodies, trims, rounds ---- */

static void
flat_around(struct surroundings *out)
{
    memset(out, 0, sizeof(*out));
    planet_init(&out->planet, PLANET_FLAT);
}

static double
top_error(int rate)
{
    static const struct airframe_command none;
    struct airframe_state s = {
        .attitude = {1 },
          .rates_rps = { 1, 15, 1}
    };
    struct surroundings around;
    struct airframe_air air;
    struct airframe f;
    double worst = 0, gap;
    int row, i, k;

    flat_around(&around);
    airframe_init(&f, type_of("brick"), &around);
    airframe_set_plane_inertia(&f, 10, 20, 26, 0);
    csv_read(&table, "top_10_20_26.csv");
    for (row = 1; row < table.rows; row++) {
        for (i = 0; i < rate / 10; i++)
            airframe_step(&f, &s, &none, 1.0 / rate, &air);
        for (k = 0; k < 7; k++) {
            gap = fabs((k < 3 ? s.rates_rps[k] : s.attitude[k - 3]) -
                       table.cells[row][1 + k]);
            worst = gap > worst ? gap : worst;
        }
    }
    return worst;
}

static void
tops(void)
{
    double error = top_error(60);

    add("Free top 10, 20, 26 at 60 Hz", "rates, quaternion", "rad/s, 1", 0,
        error, error, 2e-3);
    error = top_error(240);
    add("at 240 Hz", "rates, quaternion", "rad/s, 1", 0, error, error, 1e-5);
}

/* The textbook's trims at 502 ft/s, in its own air and gravity. */
static void
textbook_trims(void)
{
    static const char *const subjects[] = {"F-16 trim at 502 ft/s, level",
                                           "centre of mass at 38 %",
                                           "in a turn of 0.3 rad/s"};
    struct airframe_manoeuvre m = {.speed_mps = 502 * FOOT};
    struct surroundings around;
    struct sortie_row now;
    struct airframe f;
    int i;

    flat_around(&around);
    around.planet.gravity_mps2 = 32.17 * FOOT;
    csv_read(&table, "sl_trim_502ftps_sea_level.csv");
    for (i = 0; i < table.rows && i < 3; i++) {
        sortie_finish(&sortie);
        memset(&sortie, 0, sizeof(sortie));
        sortie.scenario.rate_hz = 60;
        nasa_f16(&f, &around);
        f.dry_mass_kg = 20500 / 32.17 * 14.593902937206365;
        f.rotor = 160 * 1.3558179483314;
        f.reference_m[0] = (csv_cell(&table, i, "xcg") - 0.35) * f.chord_m;
        m.turn_rps = csv_cell(&table, i, "turn_rate_radps");
        if (airframe_trim(&f, &m, &sortie.state) < 0)
            sortie.state.elevator_deg = NAN;
        sortie.frame = f;
        sortie_look(&sortie, &now);
        add_plain(subjects[i], "alpha", "rad", csv_cell(&table, i, "alpha_rad"),
                  now.air.alpha_rad, 1e-3);
        add_plain("", "elevator", "deg", csv_cell(&table, i, "elevator_deg"),
                  sortie.state.elevator_deg, 0.05);
        if (m.turn_rps == 0)
            continue;
        add_plain("", "bank", "rad", csv_cell(&table, i, "phi_rad"),
                  now.bank_rad, 1e-3);
        add_plain("", "pitch", "rad", csv_cell(&table, i, "theta_rad"),
                  now.pitch_rad, 1e-3);
        add_plain("", "slip", "rad", csv_cell(&table, i, "beta_rad"),
                  now.air.beta_rad, 1e-3);
        add_plain("", "aileron", "deg", csv_cell(&table, i, "aileron_deg"),
                  sortie.state.aileron_deg, 0.05);
        add_plain("", "rudder", "deg", csv_cell(&table, i, "rudder_deg"),
                  sortie.state.rudder_deg, 0.05);
    }
}

/* Three minutes of a level turn with the controls held. */
static void
turn_track(void)
{
    struct result *north, *east;
    const double *at = sortie.state.position_m;
    double t_s;
    int i;

    csv_read(&table, "sl_turn_track.csv");
    start_scenario("sl_turn", 60);
    north = &results[result_count];
    add("F-16 in that turn, 180 s, controls held", "north", "ft", 0, 0, -1, 20);
    east = &results[result_count];
    add("", "east", "ft", 0, 0, -1, 20);
    for (i = 0; i < table.rows; i++) {
        t_s = csv_cell(&table, i, "t_s");
        while ((double)sortie.tick < t_s * 60 - 0.5)
            sortie_step(&sortie);
        worse(north, csv_cell(&table, i, "north_ft"), at[0] / FOOT);
        worse(east, csv_cell(&table, i, "east_ft"), at[1] / FOOT);
    }
}

static void
bullet(void)
{
    static const char *const subjects[] = {"G7 bullet, 168 gr .308, at 100 yd",
                                           "at 500 yd", "at 1000 yd"};
    static struct atmosphere_table air;
    struct ballistic_body body = {BALLISTIC_G7,
                                  0.223 * BALLISTIC_KG_M2_PER_LB_IN2};
    double angle = 4.221 / 60 * DEG, at[3] = {0, 0, 2 * INCH}, before[3];
    double v[3] = {2750 * FOOT * cos(angle), 0, -2750 * FOOT * sin(angle)};
    double time_s = 0, share, target, speed, was = 0;
    struct surroundings around;
    int row;

    flat_around(&around);
    atmosphere_fill(&air);
    around.weather.standard = &air;
    csv_read(&table, "g7_308_168gr.csv");
    for (row = 1; row < table.rows && row < 4; row++) {
        target = csv_cell(&table, row, "range_yd") * YARD;
        do {
            memcpy(before, at, sizeof(at));
            was = vector_length(v);
            ballistic_move(&around, &body, at, v, 1.0 / 240);
            time_s += 1.0 / 240;
        } while (at[0] < target);
        share = (at[0] - target) / (at[0] - before[0]);
        speed = vector_length(v);
        speed += (was - speed) * share;
        add_plain(subjects[row - 1], "speed", "ft/s",
                  csv_cell(&table, row, "velocity_ftps"), speed / FOOT, 2);
        add_plain("", "path", "in", csv_cell(&table, row, "path_in"),
                  -(at[2] + (before[2] - at[2]) * share) / INCH, 1);
        add_plain("", "time", "s", csv_cell(&table, row, "time_s"),
                  time_s - share / 240, 0.005);
    }
}

/* ---- closed forms ---- */

static void
vacuum_throw(void)
{
    static const struct ballistic_body free_body;
    double at[3] = {0, 0, 0}, v[3] = {300, 40, -400};
    struct surroundings around;
    int i;

    flat_around(&around);
    for (i = 0; i < 3600; i++)
        ballistic_move(&around, &free_body, at, v, 1.0 / 60);
    add_relative("Vacuum throw, 60 s", "along", 18000, at[0], 1e-9);
    add_relative("", "height", 400 * 60 - 9.80665 / 2 * 3600, -at[2], 1e-9);
}

static void
falling_in_even_air(void)
{
    static const struct airframe_command none;
    static struct atmosphere_table even;
    struct airframe_state s = {
        .position_m = {0,      0, -3000},
          .attitude = {1}
    };
    struct surroundings around;
    struct airframe_air air;
    struct airframe f;
    double terminal, want;
    int i;

    for (i = 0; i < ATMOSPHERE_ROWS; i++) {
        even.rows[i].density = 1;
        even.rows[i].sound_speed = 340;
    }
    flat_around(&around);
    around.weather.standard = &even;
    airframe_init(&f, type_of("sphere"), &around);
    f.area_m2 *= 100; /* heavy drag: it nears its terminal speed */
    for (i = 0; i < 600; i++)
        airframe_step(&f, &s, &none, 1.0 / 60, &air);
    terminal = sqrt(2 * f.dry_mass_kg * 9.80665 / (f.area_m2 * 0.1));
    want = terminal * tanh(9.80665 * 10 / terminal);
    add_relative("Fall in even air, v = vt tanh(g t / vt), 10 s", "speed", want,
                 s.velocity_mps[2], 1e-9);
}

static void
parked(enum planet_kind kind, const char *subject, const char *drift,
       int drift_s)
{
    const struct planet_geodetic spawn = {0.6, 0.4, 1500};
    struct planet_geodetic ground = {0.6, 0.4, 1.9};
    static const double still[3];
    struct surroundings around;
    struct aircraft_world w;
    struct aircraft a;
    struct airframe_air air;
    struct airframe_command brake = {.brake = 1, .gear = 1};
    double from[3], gap[3], pull[3];
    int i;

    flat_around(&around);
    planet_init(&around.planet, kind);
    if (f16_world_init(&w, &around, &spawn, 180) < 0)
        return;
    aircraft_spawn(&w, &a, 0, 0, 0);
    airframe_place(&a.state, &around.planet, &ground, still, 0.3, 0, 0);
    a.state.fuel_kg = 0;
    a.state.power = 0;
    a.state.gear = 1;
    for (i = 0; i < 60 * 60; i++)
        airframe_step(&w.frame, &a.state, &brake, 1.0 / 60, &air);
    memcpy(from, a.state.position_m, sizeof(from));
    planet_fall(&around.planet, from, still, pull);
    add_relative(subject, "load of the wheels, m g",
                 w.frame.dry_mass_kg * vector_length(pull), air.wheel_load_n,
                 kind == PLANET_FLAT ? 1e-9 : 1e-6);
    for (i = 0; i < drift_s * 60; i++)
        airframe_step(&w.frame, &a.state, &brake, 1.0 / 60, &air);
    for (i = 0; i < 3; i++)
        gap[i] = a.state.position_m[i] - from[i];
    add("", drift, "m", 0, vector_length(gap), vector_length(gap), 1e-3);
}

/* A round that crosses the path of a target that moves as well. */
static void
swept_hit(void)
{
    struct aircraft before = {0}, after;
    struct gun_hit hit = {0};
    struct round r = {0};
    double tick = 1.0 / 60, start = 0.004, from[3] = {-9, 3, 0};
    double want;

    before.state.attitude[0] = 1;
    before.state.velocity_mps[1] = 240;
    after = before;
    after.state.position_m[1] = 240 * tick;
    r.velocity_mps[0] = 1030;
    r.velocity_mps[1] = 240;
    /* In the target's frame it flies along x, 3 - 240 start m aside. */
    r.position_m[0] = from[0] + 1030 * (tick - start);
    r.position_m[1] = from[1] + 240 * (tick - start);
    want = start + (9 - sqrt(GUN_TARGET_RADIUS_M * GUN_TARGET_RADIUS_M -
                             (3 - 240 * start) * (3 - 240 * start))) /
                       1030;
    if (!gun_meets(&r, from, start, &before, &after, tick, &hit))
        hit.time_s = NAN;
    add_plain("Swept hit", "time", "s", want, hit.time_s, 1e-6);
}

/* ---- the table ---- */

static char page[PAGE_MAX];
static size_t page_bytes;

__attribute__((format(printf, 1, 2))) static void
put(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    page_bytes += (size_t)vsnprintf(page + page_bytes, PAGE_MAX - page_bytes,
                                    format, list);
    va_end(list);
}

/* One figure is enough, and none that a rounding somewhere could turn: far
 * below the demand it is not told how far. */
static void
put_small(double value, double demand)
{
    if (isnan(value))
        put(" | ");
    else if (value < demand * 1e-3)
        put(" | < %.0e", demand * 1e-3);
    else
        put(" | %.1e", value);
}

static int
decimals(double demand)
{
    int places = 0;

    for (; demand < 0.99 && places < 9; demand *= 10)
        places++;
    return places;
}

/* No "-0". */
static double
shown(double value, double demand)
{
    return fabs(value) < demand / 3 ? 0 : value;
}

static void
print_table(void)
{
    const struct result *r;
    int i, places;

    put("| case | quantity | unit | reference | ours | difference | demand | "
        "04 to 05 | all to 05 |\n|---|---|---|---|---|---|---|---|---|\n");
    for (i = 0; i < result_count; i++) {
        r = &results[i];
        put("| %s | %s | %s", r->subject, r->quantity, r->unit);
        places = strcmp(r->unit, "relative") == 0 ? 6 : decimals(r->demand);
        if (r->reference == 0 && r->ours == r->difference) {
            put(" | 0");
            put_small(r->ours, r->demand);
        } else if (strcmp(r->unit, "relative") == 0) {
            put(" | %.5g | %.5g", r->reference, r->ours);
        } else {
            put(" | %.*f | %.*f", places, shown(r->reference, r->demand),
                places, shown(r->ours, r->demand));
        }
        put_small(r->difference, r->demand);
        put(" | %.0e", r->demand);
        put_small(r->close, r->demand);
        put_small(r->wide, r->demand);
        put(" |\n");
    }
}

/* Whether doc/flight.md has the table between its markers. */
static int
page_agrees(void)
{
    static char text[PAGE_MAX * 2];
    static const char begin[] = "<!-- begin references -->\n";
    const char *source = getenv("HP_SRC");
    char path[512], *from, *to;
    FILE *file;

    snprintf(path, sizeof(path), "%s/doc/flight.md",
             source != NULL ? source : ".");
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    from = strstr(text, begin);
    to = strstr(text, "<!-- end references -->");
    if (from == NULL || to == NULL)
        return 0;
    from += strlen(begin);
    return (size_t)(to - from) == page_bytes &&
           memcmp(from, page, page_bytes) == 0;
}

static int
told(int number, int good, const char *what, const char *more)
{
    printf("%s %d - %s: %s\n", good ? "ok" : "not ok", number, what, more);
    return good;
}

int
main(int argc, char **argv)
{
    const char *subject = "";
    int i, good, bad = 0;

    falling_bodies();
    unpublished_falls();
    aircraft_cases();
    air_tables();
    places();
    tops();
    textbook_trims();
    turn_track();
    bullet();
    vacuum_throw();
    falling_in_even_air();
    parked(PLANET_FLAT, "Parked aircraft, brakes on", "drift in an hour", 3600);
    parked(PLANET_WGS84, "Parked on the ellipsoid", "drift in an hour", 3600);
    swept_hit();
    print_table();
    if (argc > 1 && strcmp(argv[1], "print") == 0) {
        fputs(page, stdout);
        return 0;
    }
    printf("1..%d\n", result_count + 1);
    for (i = 0; i < result_count; i++) {
        const struct result *r = &results[i];

        subject = r->subject[0] != '\0' ? r->subject : subject;
        good = r->difference >= 0 && r->difference <= r->demand;
        bad += !told(i + 1, good, subject, r->quantity);
        if (!good)
            printf("# %.12g, reference %.12g: %.3g apart, demand %g\n", r->ours,
                   r->reference, r->difference, r->demand);
    }
    bad += !told(i + 1, page_agrees(), "doc/flight.md",
                 "has this table; else run `make references`");
    return bad != 0;
}
