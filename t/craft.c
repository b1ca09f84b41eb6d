/* What `hardpoint aircraft` works out, against published figures. */
#include "aircraft_types.h"
#include "csv.h"
#include "tap.h"
#include <errno.h>
#include <sim/craft_card.h>
#include <sim/craft_check.h>
#include <sim/craft_eigen.h>
#include <sim/engine.h>

static struct csv table;

static struct craft *
craft_of(const char *name)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *file;
    struct craft *c = NULL;

    if (aircraft_file_open(&file, name, &problems) < 0 ||
        craft_create(&c, file) < 0) {
        printf("Bail out! no %s\n", name);
        exit(1);
    }
    aircraft_problems_finish(&problems);
    return c;
}

/* The F-16 in the textbook's air, with its mass, gravity and balance. */
static struct craft *
book_f16(void)
{
    struct craft *c = craft_of("f16");
    struct airframe *both[] = {&c->still, &c->flying};
    int i;

    c->mass_kg = 20500 / 32.17 * KG_PER_SLUG;
    for (i = 0; i < 2; i++) {
        both[i]->around.weather.standard = NULL;
        both[i]->around.planet.gravity_mps2 = 32.17 * METRES_PER_FOOT;
        both[i]->reference_m[0] = 0;
    }
    c->still.dry_mass_kg = c->mass_kg;
    c->flying.dry_mass_kg = c->mass_kg - c->fuel_kg;
    c->alpha_top_rad = 50 * RADIANS_PER_DEG;
    return c;
}

static double
power_at(const struct craft *c, double speed_mps,
         const struct craft_level *level)
{
    return engine_power_for(c->type, level->thrust_n, 0,
                            speed_mps / craft_sound_speed(c, 0));
}

static void
level_flight_agrees_with_table_3_6_2(void)
{
    struct craft *c = book_f16();
    struct craft_level level;
    double speed;
    int i;

    csv_read(&table, "sl_trim_table_3_6_2.csv");
    ok(table.rows >= 8);
    /* At 130 ft/s the elevator trims a third of a degree of alpha: the search
     * by whole degrees passes it over. */
    for (i = 1; i < table.rows; i++) {
        speed = csv_cell(&table, i, "tas_ftps") * METRES_PER_FOOT;
        if (!ok_int(craft_level(c, 0, speed, 1, &level), 0))
            continue;
        ok_real(level.alpha_rad * DEG_PER_RAD, csv_cell(&table, i, "alpha_deg"),
                0.05);
        ok_real(level.elevator_deg, csv_cell(&table, i, "elevator_deg"), 0.05);
        ok_real(engine_throttle(power_at(c, speed, &level)),
                csv_cell(&table, i, "throttle"), 0.001);
    }
    craft_destroy(c);
}

static const struct craft_mode *
mode_named(const struct craft_modes *m, const char *name)
{
    static const struct craft_mode none = {"none", NAN, NAN};
    int i;

    for (i = 0; i < m->count; i++)
        if (strcmp(m->modes[i].name, name) == 0)
            return &m->modes[i];
    printf("# no mode %s\n", name);
    return &none;
}

static void
modes_at(const struct craft *c, double speed_mps, struct craft_modes *out)
{
    struct airframe_state s;
    double power;

    memset(out, 0, sizeof(*out));
    if (ok_int(craft_enter(c, 0, speed_mps, &s, &power), 0))
        ok_int(craft_modes(c, &s, out), 0);
}

/* Stevens & Lewis at 502 ft/s: roots of their 4 x 4 matrices. */
static void
the_modes_are_the_textbooks(void)
{
    struct craft *c = book_f16();
    const struct craft_mode *m;
    struct craft_modes modes;

    modes_at(c, 502 * METRES_PER_FOOT, &modes);
    m = mode_named(&modes, "dutch roll");
    ok_real(m->real, -0.4224, 0.01);
    ok_real(m->imag, 3.0633, 0.03);
    ok_real(mode_named(&modes, "roll")->real, -3.6162, 0.03);
    ok_real(mode_named(&modes, "spiral")->real, -0.0163, 0.002);
    /* Balanced at 35 % it does not swing in pitch: two roots, one of them fast. */
    ok_real(mode_named(&modes, "pitch subsidence")->real, -1.91, 0.05);
    craft_destroy(c);
}

/* Roskam's airplane A in cruise: 5.5 rad/s and 0.69 or so, 3.2 and 0.2. */
static void
the_trainer_swings_as_light_aircraft_do(void)
{
    struct craft *c = craft_of("trainer");
    const struct craft_mode *m;
    struct craft_modes modes;

    modes_at(c, 60, &modes);
    ok_int(modes.count, 5);
    m = mode_named(&modes, "short period");
    ok(craft_mode_period_s(m) > 0.9 && craft_mode_period_s(m) < 2.5);
    ok(craft_mode_damping(m) > 0.5 && craft_mode_damping(m) < 0.95);
    m = mode_named(&modes, "phugoid");
    ok(craft_mode_period_s(m) > 20 && craft_mode_period_s(m) < 50);
    ok(craft_mode_damping(m) > 0);
    m = mode_named(&modes, "dutch roll");
    ok(craft_mode_period_s(m) > 1.5 && craft_mode_period_s(m) < 3);
    ok(mode_named(&modes, "roll")->real < -5);
    craft_destroy(c);
}

static void
eigenvalues_of_a_known_matrix_are_found(void)
{
    /* Companion of (x - 1)(x + 2)(x - 3)(x^2 + 2 x + 5). */
    double a[CRAFT_EIGEN_MAX][CRAFT_EIGEN_MAX] = {
        {0, 0, 0, 0, -30},
        {1, 0, 0, 0, 13 },
        {0, 1, 0, 0, 14 },
        {0, 0, 1, 0, 4  },
        {0, 0, 0, 1, 0  },
    };
    struct craft_root roots[CRAFT_EIGEN_MAX];
    static const struct craft_root wanted[] = {
        {1,  0 },
        {-2, 0 },
        {3,  0 },
        {-1, 2 },
        {-1, -2}
    };
    double near, apart;
    int i, k;

    ok_int(craft_eigenvalues(a, 5, roots), 0);
    for (i = 0; i < 5; i++) {
        near = 1e9;
        for (k = 0; k < 5; k++) {
            apart = hypot(roots[k].real - wanted[i].real,
                          roots[k].imag - wanted[i].imag);
            near = apart < near ? apart : near;
        }
        ok_real(near, 0, 1e-9);
    }
    a[2][3] = NAN;
    ok_int(craft_eigenvalues(a, 5, roots), -EDOM);
}

/* At the stall the wing just carries the weight, and slower it does not. */
static void
the_stall_is_where_the_lift_ends(void)
{
    struct craft *c = craft_of("f16");
    double stall = craft_stall_mps(c, 0), alpha;

    ok_real(stall, 66, 6);
    ok(craft_lift_most(c, 0, stall + 0.1, 0, &alpha) >= craft_weight(c));
    ok(craft_lift_most(c, 0, stall - 0.1, 0, &alpha) < craft_weight(c));
    ok_real(alpha * DEG_PER_RAD, 22, 1e-6);
    ok(craft_stall_mps(c, 6000) > stall * 1.3);
    craft_destroy(c);
}

/* What the card says of a turn is a turn that flies: the trim of the step. */
static void
a_sustained_turn_is_a_trim(void)
{
    struct craft *c = craft_of("f16");
    struct craft_turn turn;
    struct airframe_manoeuvre m = {.speed_mps = 200};
    struct airframe frame = c->flying;
    struct airframe_state s = {.fuel_kg = c->fuel_kg};

    m.at.height_m = 3000;
    craft_turn_at(c, 3000, 200, &turn);
    ok(turn.load_g > turn.sustained_g[CRAFT_FULL]);
    ok(turn.sustained_g[CRAFT_FULL] > turn.sustained_g[CRAFT_MILITARY]);
    /* A little less than what military power can. */
    m.turn_rps = turn.sustained_dps[CRAFT_MILITARY] * RADIANS_PER_DEG * 0.97;
    ok_int(airframe_trim(&frame, &m, &s), 0);
    ok_real(s.power, ENGINE_MILITARY_POWER, 4);
    craft_destroy(c);
}

static void
performance_falls_with_height(void)
{
    struct craft *c = craft_of("trainer");
    struct craft_band low, high;

    craft_band(c, 0, CRAFT_FULL, &low);
    craft_band(c, 3000, CRAFT_FULL, &high);
    ok(low.climb_mps > 3 && low.climb_mps < 6);
    ok(high.climb_mps < low.climb_mps);
    ok_real(low.fast_mps, 66, 6);
    ok(!low.capped && low.slow_mps < low.climb_at_mps);
    ok(craft_ceiling_m(c, CRAFT_FULL) > 3000);
    ok(craft_roll_dps(c, 0, 60) > 60 && craft_roll_dps(c, 0, 60) < 120);
    craft_destroy(c);
}

static void
a_ball_has_an_empty_card(void)
{
    static struct craft_card card;
    struct craft *c = craft_of("sphere");

    craft_card_fill(&card, c);
    ok(!card.flies);
    ok_int(card.row_count, 0);
    craft_destroy(c);
}

/* clang-format off */
TAP_MAIN(FACT(level_flight_agrees_with_table_3_6_2), FACT(the_modes_are_the_textbooks),
         FACT(the_trainer_swings_as_light_aircraft_do), FACT(eigenvalues_of_a_known_matrix_are_found),
         FACT(the_stall_is_where_the_lift_ends), FACT(a_sustained_turn_is_a_trim),
         FACT(performance_falls_with_height), FACT(a_ball_has_an_empty_card))
/* clang-format on */
