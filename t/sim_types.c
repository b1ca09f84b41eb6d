/* Types of aircraft: what their programs add up to, and how the shipped trainer
 * flies. */
#include "aircraft_types.h"
#include "tap.h"
#include <errno.h>
#include <motion/math.h>
#include <sim/engine.h>
#include <sim/options.h>

#define DEG (180 / MOTION_PI)

/* ---- programs against plain sums ---- */

static uint64_t dice;

static uint32_t
roll(uint32_t sides)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(dice >> 33) % sides;
}

static double
between(double low, double high)
{
    return low + (high - low) * roll(1000001) / 1000000;
}

struct random_aero {
    struct aircraft_table tables[12];
    double numbers[12][4 * 8 + 512];
    struct aero_term terms[30];
    int quantities[30][3];
    int table_count, term_count;
};

static void
random_axis(struct aircraft_axis *a, double *at, int quantity)
{
    int even = (int)roll(2), i;

    a->quantity = quantity;
    a->count = 2 + (int)roll(6);
    a->at = at;
    at[0] = between(-10, 10);
    for (i = 1; i < a->count; i++)
        at[i] = at[i - 1] + (even ? 2.5 : between(0.1, 5));
}

static void
random_table(struct random_aero *r, int index)
{
    struct aircraft_table *t = &r->tables[index];
    int k, first = (int)roll(AIRCRAFT_QUANTITIES - 3);
    size_t i;

    memset(t, 0, sizeof(*t));
    t->edge = (int)roll(2);
    t->dimensions = 1 + (int)roll(3);
    t->cell_count = 1;
    for (k = 0; k < t->dimensions; k++) {
        /* Some share an axis with the table before. */
        if (index > 0 && k < r->tables[index - 1].dimensions && roll(2)) {
            t->axes[k] = r->tables[index - 1].axes[k];
            t->edge = r->tables[index - 1].edge;
        } else {
            random_axis(&t->axes[k], r->numbers[index] + 8 * k, first + k);
        }
        t->cell_count *= (size_t)t->axes[k].count;
    }
    t->cells = r->numbers[index] + 32;
    for (i = 0; i < t->cell_count; i++)
        t->cells[i] = between(-3, 3);
}

static void
random_program(struct random_aero *r)
{
    int i, k;

    r->table_count = 1 + (int)roll(12);
    r->term_count = 1 + (int)roll(30);
    for (i = 0; i < r->table_count; i++)
        random_table(r, i);
    for (i = 0; i < r->term_count; i++) {
        struct aero_term *t = &r->terms[i];

        t->target = (int)roll(8);
        t->factor = between(-2, 2);
        t->quantities = r->quantities[i];
        t->quantity_count = (int)roll(4);
        for (k = 0; k < t->quantity_count; k++)
            r->quantities[i][k] = (int)roll(6);
        t->table =
            roll(4) == 0 ? NULL : &r->tables[roll((uint32_t)r->table_count)];
    }
}

/* What the terms say, read off one by one. */
static void
plain_sums(const struct random_aero *r, const double *values, double sums[8],
           double sizes[8])
{
    double product;
    int i, k;

    memset(sums, 0, 8 * sizeof(*sums));
    memset(sizes, 0, 8 * sizeof(*sizes));
    for (i = 0; i < r->term_count; i++) {
        const struct aero_term *t = &r->terms[i];

        product = t->factor;
        for (k = 0; k < t->quantity_count; k++)
            product *= values[t->quantities[k]];
        if (t->table != NULL)
            product *= aircraft_table_value(t->table, values);
        sums[t->target] += product;
        sizes[t->target] += 30 * (1 + fabs(product));
    }
}

static void
a_program_is_the_sum_of_its_terms(void)
{
    static const uint8_t order[8] = {3, 0, 7, 1, 2, 6, 5, 4};
    static struct random_aero r;
    struct aero_program p;
    double values[AIRCRAFT_QUANTITIES], got[8], want[8], size[8];
    int i, k, q, compared = 0;

    dice = 7;
    for (i = 0; i < 300; i++) {
        random_program(&r);
        if (!ok_int(aero_compile(&p, r.terms, r.term_count, 8, order), 0))
            return;
        for (k = 0; k < 20; k++) {
            for (q = 0; q < AIRCRAFT_QUANTITIES; q++)
                values[q] = between(-30, 40);
            aero_run(&p, values, got);
            plain_sums(&r, values, want, size);
            for (q = 0; q < 8; q++, compared++)
                ok_real(got[q], want[q], 1e-13 * size[q]);
        }
        aero_program_finish(&p);
    }
    ok_int(compared, 300 * 20 * 8);
}

static void
no_number_is_no_way_out_of_a_table(void)
{
    const struct aircraft_type *type = type_of("f16");
    double values[AIRCRAFT_QUANTITIES], got[AIRCRAFT_LIFT + 1];
    int i;

    /* It reads nothing outside, which the sanitizer looks at, and hides no
     * NaN: the step's end must find it. */
    for (i = 0; i < AIRCRAFT_QUANTITIES; i++)
        values[i] = i % 2 ? -1e300 : 1e300;
    aero_run(&type->aero, values, got);
    for (i = 0; i < AIRCRAFT_QUANTITIES; i++)
        values[i] = NAN;
    aero_run(&type->aero, values, got);
    ok(isnan(got[AIRCRAFT_CX]) && isnan(got[AIRCRAFT_CN]));
}

/* ---- the trainer ---- */

static struct atmosphere_table air;

static void
around_of(struct surroundings *around)
{
    memset(around, 0, sizeof(*around));
    planet_init(&around->planet, PLANET_FLAT);
    atmosphere_fill(&air);
    around->weather.standard = &air;
}

static void
trainer_world(struct aircraft_world *w, double speed_mps)
{
    const struct aircraft_type *types[2] = {type_of("f16"), type_of("trainer")};
    const struct planet_geodetic spawn = {0, 0, 1500};
    struct surroundings around;

    around_of(&around);
    ok_int(aircraft_world_init(w, types, 2, &around, &spawn, speed_mps), 0);
    w->respawn_s = 1e9;
}

static void
the_trainer_trims_at_60_mps(void)
{
    struct surroundings around;
    struct airframe_trim trim;
    struct airframe f;

    around_of(&around);
    airframe_init(&f, type_of("trainer"), &around);
    ok_int(airframe_trim_level(&f, 1000, 60, 1200, &trim), 0);
    ok_real(trim.alpha_rad * DEG, 0.6, 0.6);
    ok(trim.power > 30 && trim.power < 50);
    ok_int(airframe_trim_level(&f, 1000, 20, 1200, &trim), -ERANGE);
    ok_int(airframe_trim_level(&f, 1000, 85, 1200, &trim), -ERANGE);
}

static void
hands_off_it_keeps_its_height(void)
{
    struct hp_input input = {0};
    struct aircraft_world w;
    struct aircraft a;
    int i;

    trainer_world(&w, 60);
    aircraft_spawn_type(&w, &a, 1, 0, 0, 0);
    input.axes[HP_AXIS_THROTTLE] = (int16_t)(32767 * a.throttle / 0.77);
    for (i = 0; i < 60 * 60; i++)
        aircraft_step(&w, &a, &input, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_real(-a.state.position_m[2], 1500, 10);
    ok_real(a.state.velocity_mps[0], 60, 1);
}

static void
it_stalls_when_asked_and_recovers(void)
{
    struct hp_input input = {0};
    struct aircraft_world w;
    struct aircraft a;
    struct airframe_air at;
    double most = 0;
    int i;

    trainer_world(&w, 60);
    aircraft_spawn_type(&w, &a, 1, 0, 0, 0);
    input.axes[HP_AXIS_PITCH] = 32767;
    for (i = 0; i < 12 * 60; i++) {
        aircraft_step(&w, &a, &input, &(struct hp_tick){.dt_s = 1.0 / 60});
        airframe_air(&at, &w.models[1].frame, &a.state);
        most = at.alpha_rad * DEG > most ? at.alpha_rad * DEG : most;
    }
    ok(most > 20); /* well past the top of its lift at 16 */
    input.axes[HP_AXIS_PITCH] = 0;
    input.axes[HP_AXIS_THROTTLE] = 32767;
    for (i = 0; i < 20 * 60; i++)
        aircraft_step(&w, &a, &input, &(struct hp_tick){.dt_s = 1.0 / 60});
    airframe_air(&at, &w.models[1].frame, &a.state);
    ok(at.alpha_rad * DEG < 12 && at.speed_mps > 35);
    ok(!(a.flags & (AIRCRAFT_DEAD | AIRCRAFT_FROZEN)));
}

static void
its_propeller_pulls_less_as_it_gets_faster(void)
{
    const struct aircraft_type *t = type_of("trainer");

    ok(engine_thrust(t, 50, 0, 0.05) > engine_thrust(t, 50, 0, 0.2) + 500);
    ok(engine_thrust(t, 50, 0, 0.2) > engine_thrust(t, 50, 3000, 0.2) + 300);
    ok_real(engine_power_command(t, 1), ENGINE_MILITARY_POWER, 0);
}

/* ---- types in a world ---- */

static void
each_type_enters_as_fast_as_it_can(void)
{
    struct aircraft_world w;

    trainer_world(&w, 180);
    ok_real(w.models[0].spawn_speed_mps, 180, 0);
    ok(w.models[1].spawn_speed_mps > 55 && w.models[1].spawn_speed_mps < 75);
}

static void
a_wrong_type_is_no_own_state(void)
{
    struct aircraft_world w;
    struct aircraft a;

    trainer_world(&w, 60 * 3);
    aircraft_spawn_type(&w, &a, 1, 0, 0, 0);
    ok_int(aircraft_check(&w, &a), 0);
    a.type = 2;
    ok_int(aircraft_check(&w, &a), -EINVAL);
    a.type = UINT32_MAX;
    ok_int(aircraft_check(&w, &a), -EINVAL);
    /* An F-16's fuel does not fit a trainer's tanks. */
    aircraft_spawn(&w, &a, 0, 0, 0);
    a.type = 1;
    ok_int(aircraft_check(&w, &a), -EINVAL);
}

static void
a_body_is_thrown_and_falls(void)
{
    const struct aircraft_type *types[2] = {type_of("f16"), type_of("sphere")};
    const struct planet_geodetic spawn = {0, 0, 1500};
    static const struct hp_input none;
    struct surroundings around;
    struct aircraft_world w;
    struct aircraft a;
    int i;

    around_of(&around);
    ok_int(aircraft_world_init(&w, types, 2, &around, &spawn, 180), 0);
    w.respawn_s = 1e9;
    aircraft_spawn_type(&w, &a, 1, 0, 0, 0);
    for (i = 0; i < 60 * 60 && !(a.flags & AIRCRAFT_WRECK); i++) {
        aircraft_step(&w, &a, &none, &(struct hp_tick){.dt_s = 1.0 / 60});
        ok_int(aircraft_check(&w, &a), 0);
    }
    ok(i > 15 * 60 && i < 30 * 60); /* 17.5 s without air */
    ok_real(a.state.position_m[2], 0, 5);
}

static void
who_has_no_gun_does_not_fire(void)
{
    struct hp_input input = {.buttons = HP_BUTTON_GUN};
    struct aircraft_world w;
    struct aircraft a;
    int i;

    trainer_world(&w, 180);
    w.ammunition = 100;
    aircraft_spawn_type(&w, &a, 1, 0, 0, 0);
    for (i = 0; i < 60; i++)
        aircraft_step(&w, &a, &input, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.rounds_fired, 0);
    aircraft_spawn(&w, &a, 0, 0, 0);
    ok_int(a.rounds_left, 100);
}

static void
a_pilot_asks_by_name(void)
{
    const struct join_types types = {
        {"f16", "trainer", "glider"},
        3
    };
    struct join_options o;
    char why[300];

    ok_int(options_parse("", &types, &o, why, sizeof(why)), 0);
    ok_int(o.type, 0);
    ok_int(options_parse("aircraft=trainer", &types, &o, why, sizeof(why)), 0);
    ok_int(o.type, 1);
    ok_int(options_parse("aircraft=f15", &types, &o, why, sizeof(why)),
           -EINVAL);
    ok_text(why,
            "join option aircraft \"f15\": no such aircraft here; expected "
            "f16, trainer or glider");
}

static void
an_unknown_aircraft_is_told_with_the_known(void)
{
    struct aircraft_type *t;
    char why[600];

    ok_int(aircraft_type_open(&t, "trianer", why, sizeof(why)), -ENOENT);
    ok(strstr(why, "did you mean \"trainer\"?") != NULL);
    ok_int(aircraft_type_open(&t, "./none.ini", why, sizeof(why)), -ENOENT);
    ok(strstr(why, "./none.ini:1:1: error: cannot read it") != NULL);
}

TAP_MAIN(FACT(a_program_is_the_sum_of_its_terms),
         FACT(no_number_is_no_way_out_of_a_table),
         FACT(the_trainer_trims_at_60_mps), FACT(hands_off_it_keeps_its_height),
         FACT(it_stalls_when_asked_and_recovers),
         FACT(its_propeller_pulls_less_as_it_gets_faster),
         FACT(each_type_enters_as_fast_as_it_can),
         FACT(a_wrong_type_is_no_own_state), FACT(a_body_is_thrown_and_falls),
         FACT(who_has_no_gun_does_not_fire), FACT(a_pilot_asks_by_name),
         FACT(an_unknown_aircraft_is_told_with_the_known))
