/* One aircraft's step: held to itself at other tick rates, and to the edges of
 * what a pilot, a file or the ground can do to it. */
#include "aircraft_types.h"
#include "tap.h"
#include <errno.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <sim/aircraft.h>
#include <sim/gun.h>
#include <sim/schema.h>

static const struct ground flat;

static void
world_of(struct aircraft_world *w, const struct ground *ground)
{
    const struct planet_geodetic spawn = {0, 0, 1500};
    struct surroundings around = {.ground = *ground};

    planet_init(&around.planet, PLANET_FLAT);
    ok_int(f16_world_init(w, &around, &spawn, 180), 0);
    w->respawn_s = 5;
    w->ammunition = 511;
}

/*
 * A manoeuvre that every rate can hold alike: it changes each 0.1 s, which is a
 * whole number of ticks at 30, 60, 120, 240 and 1000 Hz.
 */
static void
manoeuvre(struct hp_input *in, int tenth)
{
    static const int16_t rolls[] = {0, 32767, 32767, -20000, -32767, 9000};
    static const int16_t pitches[] = {0, 12000, 25000, 25000, -9000, 3000};

    memset(in, 0, sizeof(*in));
    in->axes[HP_AXIS_ROLL] = rolls[tenth / 8 % 6];
    in->axes[HP_AXIS_PITCH] = pitches[tenth / 11 % 6];
    in->axes[HP_AXIS_YAW] = (int16_t)(tenth / 7 % 3 * 8000 - 8000);
    in->axes[HP_AXIS_THROTTLE] = (int16_t)(tenth / 30 * 8000);
    in->buttons = tenth > 30 && tenth < 60 ? HP_BUTTON_GEAR : 0;
}

/* Any stick position at all, a new one every 0.4 s: no pilot is as rough. */
static void
shake(struct hp_input *in, int tenth)
{
    uint32_t seed = (uint32_t)(tenth / 4) * 2654435761u + 12345;
    int i;

    memset(in, 0, sizeof(*in));
    for (i = 0; i < 4; i++) {
        seed = seed * 1664525 + 1013904223;
        in->axes[i] = (int16_t)((int)(seed >> 16) - 32768);
    }
}

static uint32_t flight; /* which of the slammed ones */

/* Every 0.4 s all the way to one side or the other, on all three axes; with the
 * throttle as well compressors stall, which no two tick rates time alike. */
static void
slam(struct hp_input *in, int tenth)
{
    uint32_t seed = (uint32_t)(tenth / 4) * 2654435761u + flight * 7919 + 12345;
    int i;

    memset(in, 0, sizeof(*in));
    in->axes[HP_AXIS_THROTTLE] = 26000;
    for (i = 0; i < 3; i++) {
        seed = seed * 1664525 + 1013904223;
        in->axes[i] = seed >> 31 ? 32767 : -32767;
    }
}

/* The same world over the ellipsoid, in the standard's air and some wind. */
static void
round_world_of(struct aircraft_world *w, double latitude_deg,
               double longitude_deg)
{
    static struct atmosphere_table air;
    const struct planet_geodetic spawn = {
        latitude_deg * MOTION_PI / 180, longitude_deg * MOTION_PI / 180, 1500};
    struct surroundings around = {0};

    atmosphere_fill(&air);
    around.weather.standard = &air;
    planet_init(&around.planet, PLANET_WGS84);
    ok_int(f16_world_init(w, &around, &spawn, 180), 0);
    w->respawn_s = 5;
    w->ammunition = 511;
}

typedef void (*pilot_fn)(struct hp_input *in, int tenth);

static void
fly_for_ten_seconds(struct aircraft *a, const struct aircraft_world *w,
                    pilot_fn pilot, int rate)
{
    struct hp_input in;
    int i;

    aircraft_spawn(w, a, 0, 0, 0);
    for (i = 0; i < 10 * rate; i++) {
        pilot(&in, i * 10 / rate);
        aircraft_step(w, a, &in, &(struct hp_tick){.dt_s = 1.0 / rate});
    }
}

/* The angle between two attitudes, in degrees. */
static double
apart_deg(const double a[4], const double b[4])
{
    double x = a[0] * b[1] - a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    double y = a[0] * b[2] - a[1] * b[3] - a[2] * b[0] + a[3] * b[1];
    double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] - a[3] * b[0];

    return 2 * asin(sqrt(x * x + y * y + z * z)) * 180 / MOTION_PI;
}

static void
check_rates(const struct aircraft_world *w, pilot_fn pilot)
{
    static const int rates[] = {30, 60, 120, 240};
    struct aircraft truth, a;
    double gap[3];
    int i, k;

    fly_for_ten_seconds(&truth, w, pilot, 1000);
    ok((truth.flags & ~(uint32_t)AIRCRAFT_GEAR_DOWN) == 0);
    for (i = 0; i < 4; i++) {
        fly_for_ten_seconds(&a, w, pilot, rates[i]);
        for (k = 0; k < 3; k++)
            gap[k] = a.state.position_m[k] - truth.state.position_m[k];
        ok_real(vector_length(gap), 0, 0.02);
        ok_real(apart_deg(a.state.attitude, truth.state.attitude), 0, 0.01);
    }
}

static void
ten_seconds_are_the_same_flight_at_any_tick_rate(void)
{
    struct aircraft_world w;

    world_of(&w, &flat);
    check_rates(&w, manoeuvre);
    check_rates(&w, shake);
    round_world_of(&w, 47, 8);
    check_rates(&w, manoeuvre);
}

/*
 * Some leave the tables' angles and tumble, where no step is short enough for
 * ever: one in forty may part a little further.
 */
static void
slammed_sticks_fly_the_same_flight_as_well(void)
{
    struct aircraft_world w;
    struct aircraft truth, a;
    double gap[3];
    int k, apart = 0;

    world_of(&w, &flat);
    for (flight = 0; flight < 40; flight++) {
        fly_for_ten_seconds(&truth, &w, slam, 1000);
        fly_for_ten_seconds(&a, &w, slam, 60);
        for (k = 0; k < 3; k++)
            gap[k] = a.state.position_m[k] - truth.state.position_m[k];
        apart += vector_length(gap) > 0.02 ||
                 apart_deg(a.state.attitude, truth.state.attitude) > 0.01;
        ok_real(vector_length(gap), 0, 0.2);
        ok_real(apart_deg(a.state.attitude, truth.state.attitude), 0, 0.5);
    }
    ok(apart <= 1);
}

static void
a_line_is_met_where_it_lies_and_not_near_the_ends(void)
{
    static const double at[4] = {-3, 0, 1, 10};
    struct lines l = {0};
    double x;

    ok_real(lines_share(&l, -5, 5), 1, 0);
    lines_set(&l, at, 4);
    ok_real(lines_share(&l, 0.5, 1.5), 0.5, 1e-15);
    ok_real(lines_share(&l, 1.5, 0.5), 0.5, 1e-15);
    ok_real(lines_share(&l, 1.5, 9), 1, 0);
    ok_real(lines_share(&l, 9, 12), 1.0 / 3, 1e-15);
    ok_real(lines_share(&l, 12, 13), 1, 0);
    ok_real(lines_share(&l, -4, -5), 1, 0);
    ok_real(lines_share(&l, -1, -4), 2.0 / 3, 1e-15);
    ok_real(lines_share(&l, -3, 3), 0.5, 1e-15); /* it begins at one */
    ok_real(lines_share(&l, 1, -1), 0.5, 1e-15);
    ok_real(lines_share(&l, 0.999, 2), 1, 0); /* too near */
    ok_real(lines_share(&l, NAN, 2), 1, 0);
    ok_real(lines_share(&l, 2, NAN), 1, 0);
    for (x = -4; x < 11; x += 0.01)
        ok_real(lines_share(&l, x, x + 1e-3) <= 1, 1, 0);
}

/* Hands off from a place, for a minute to the north. */
static void
fly_on(double latitude_deg, double longitude_deg, struct planet_geodetic *end)
{
    struct aircraft_world w;
    struct flight_record r;
    struct aircraft a;
    struct hp_input in = {0};
    int i;

    round_world_of(&w, latitude_deg, longitude_deg);
    aircraft_spawn(&w, &a, 0, 0, 0);
    in.axes[HP_AXIS_THROTTLE] = (int16_t)(a.throttle / 0.7698 * 32767);
    for (i = 0; i < 60 * 60; i++) {
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
        ok_int(a.happened, 0);
    }
    ok_int(aircraft_check(&w, &a), 0);
    schema_record(&w, &a, &r);
    ok_real(r.agl_m, 1500, 40);
    ok_real(r.airspeed_mps, 180, 10);
    ok_real(r.g_load, 1, 0.05);
    planet_geodetic_of(&w.frame.around.planet, a.state.position_m, end);
}

static void
over_a_round_planet_it_flies_on_across_date_line_and_pole(void)
{
    struct planet_geodetic end;

    /* 10.8 km are 0.097 degrees on, past the pole down again. */
    fly_on(0, 180, &end);
    ok_real(end.latitude_rad * 180 / MOTION_PI, 0.0977, 0.004);
    ok_real(fabs(end.longitude_rad), MOTION_PI, 1e-4);
    fly_on(89.95, 20, &end);
    ok_real(end.latitude_rad * 180 / MOTION_PI, 89.953, 0.004);
    ok_real(end.longitude_rad * 180 / MOTION_PI, -160, 4);
}

static void
on_an_ellipsoid_the_wheels_carry_it_at_height_zero(void)
{
    const struct planet_geodetic at = {0.9, -2, 1.95};
    static const double still[3];
    struct aircraft_world w;
    struct flight_record r;
    struct aircraft a;
    struct hp_input in = {0};
    int i;

    round_world_of(&w, 50, 0);
    aircraft_spawn(&w, &a, 0, 0, 0);
    airframe_place(&a.state, &w.frame.around.planet, &at, still, 1, 0, 0);
    a.state.gear = 1;
    a.state.power = 0;
    a.flags = AIRCRAFT_GEAR_DOWN;
    in.axes[HP_AXIS_BRAKE] = 32767;
    for (i = 0; i < 60 * 20; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.flags, AIRCRAFT_ON_GROUND | AIRCRAFT_GEAR_DOWN);
    schema_record(&w, &a, &r);
    ok_real(r.agl_m, 1.8, 0.2);
    ok_real(r.g_load, 1, 0.01);
    ok_real(vector_length(a.state.velocity_mps), 0, 0.05);
}

static void
hands_off_it_holds_its_height_and_heading(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i;

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 0, 0, 0);
    in.axes[HP_AXIS_THROTTLE] =
        (int16_t)(a.throttle / 0.7698 * 32767); /* about the trim */
    for (i = 0; i < 60 * 60; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_real(a.state.position_m[2], -1500, 30);
    ok_real(a.state.position_m[1], 0, 5);
    ok_real(a.state.velocity_mps[0], 180, 10);
}

static void
a_stick_held_back_stops_at_the_alpha_limit(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct flight_record r;
    struct hp_input in = {0};
    double alpha = 0, g = 0;
    int i;

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 0, 0, 0);
    in.axes[HP_AXIS_PITCH] = 32767;
    in.axes[HP_AXIS_THROTTLE] = 32767;
    for (i = 0; i < 60 * 8; i++) {
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
        schema_record(&w, &a, &r);
        alpha = r.aoa_deg > alpha ? r.aoa_deg : alpha;
        g = r.g_load > g ? r.g_load : g;
    }
    ok(alpha > 22 && alpha < 30);
    ok(g > 4 && g < 9.5);
    ok(r.stall > 0.5f);
}

static void
full_stick_rolls_and_centred_stick_stops(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i;

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 0, 0, 0);
    in.axes[HP_AXIS_ROLL] = 32767;
    for (i = 0; i < 60; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok(a.state.rates_rps[0] > 3);
    in.axes[HP_AXIS_ROLL] = 0;
    for (i = 0; i < 60; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_real(a.state.rates_rps[0], 0, 0.1);
}

static void
the_afterburner_button_asks_for_all_and_the_lever_for_military(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct flight_record r;
    struct hp_input in = {0};
    int i;

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 0, 0, 0);
    in.axes[HP_AXIS_THROTTLE] = 32767;
    for (i = 0; i < 60 * 20; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_real(a.state.power, 50, 0.1);
    schema_record(&w, &a, &r);
    ok_int(r.afterburner, 0);
    in.buttons = HP_BUTTON_AFTERBURNER;
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, AIRCRAFT_DID_AFTERBURNER);
    for (i = 0; i < 60 * 10; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, 0);
    ok_real(a.state.power, 100, 0.1);
    schema_record(&w, &a, &r);
    ok_int(r.afterburner, 1);
    ok(r.fuel < 1);
    ok_real(r.throttle, 1, 0);
}

static void
without_fuel_the_engine_dies(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i;

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 0, 0, 0);
    a.state.fuel_kg = 2;
    in.buttons = HP_BUTTON_AFTERBURNER;
    for (i = 0; i < 60 * 30; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_real(a.state.fuel_kg, 0, 0.01);
    ok(a.state.power < 50);
    ok(a.state.velocity_mps[0] < 180);
}

static void
the_gun_fires_at_its_rate_whatever_the_ticks(void)
{
    static const int rates[] = {1, 20, 60, 128, 1000};
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i, k;

    world_of(&w, &flat);
    in.buttons = HP_BUTTON_GUN;
    for (i = 0; i < 5; i++) {
        aircraft_spawn(&w, &a, 0, 0, 0);
        for (k = 0; k < rates[i] * 2; k++)
            aircraft_step(&w, &a, &in,
                          &(struct hp_tick){.dt_s = 1.0 / rates[i]});
        ok(a.rounds_fired == 200 || a.rounds_fired == 201);
        ok_int(a.rounds_left, 511 - a.rounds_fired);
    }
}

static void
a_burst_is_told_once_each_time_the_trigger_is_pulled(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i, bursts = 0;

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 0, 0, 0);
    for (i = 0; i < 120; i++) {
        in.buttons = i % 40 >= 20 ? HP_BUTTON_GUN : 0;
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
        bursts += (a.happened & AIRCRAFT_DID_BURST) != 0;
    }
    ok_int(bursts, 3);
}

static void
a_dive_into_the_ground_is_a_crash_and_a_new_aircraft_comes(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i, crashes = 0, respawns = 0;

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 3, 7, 1);
    in.axes[HP_AXIS_PITCH] = -32767;
    for (i = 0; i < 60 * 40 && respawns == 0; i++) {
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
        crashes += (a.happened & AIRCRAFT_DID_CRASH) != 0;
        respawns += (a.happened & AIRCRAFT_DID_RESPAWN) != 0;
        if (crashes == 1 && a.happened & AIRCRAFT_DID_CRASH) {
            ok_int(a.flags & (AIRCRAFT_DEAD | AIRCRAFT_WRECK),
                   AIRCRAFT_DEAD | AIRCRAFT_WRECK);
            ok(a.ground_hit_mps > 20);
            ok_real(a.health, 0, 0);
        }
    }
    ok_int(crashes, 1);
    ok_int(respawns, 1);
    ok_int(a.generation, 8);
    ok_int(a.slot, 3);
    ok_int(a.owner, 1);
    ok_real(a.state.position_m[2], -1500, 1);
    ok_int(aircraft_check(&w, &a), 0);
}

static void
a_respawn_comes_on_the_edge_of_its_button(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 0, 0, 0);
    in.buttons = HP_BUTTON_RESPAWN;
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, 0); /* held since before it was there */
    in.buttons = 0;
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    aircraft_kill(&a);
    in.buttons = HP_BUTTON_RESPAWN;
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, AIRCRAFT_DID_RESPAWN);
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, 0);
    ok_int(a.generation, 1);
}

/* Puts an aircraft just over the ground, level, sinking at `sink_mps`. */
static void
place_for_landing(const struct aircraft_world *w, struct aircraft *a,
                  double sink_mps, int gear)
{
    double pitch = 0.15;

    aircraft_spawn(w, a, 0, 0, 0);
    a->state.position_m[2] = -2.3;
    a->state.velocity_mps[0] = 75;
    a->state.velocity_mps[2] = sink_mps;
    a->state.attitude[0] = motion_cos(pitch / 2);
    a->state.attitude[2] = motion_sin(pitch / 2);
    a->state.power = 0;
    a->state.gear = gear;
    a->flags = gear ? AIRCRAFT_GEAR_DOWN : 0;
}

static void
a_gentle_landing_touches_once_rolls_and_stops(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i, touches = 0;
    double sink = 0;

    world_of(&w, &flat);
    place_for_landing(&w, &a, 1.5, 1);
    in.axes[HP_AXIS_BRAKE] = 32767;
    for (i = 0; i < 60 * 40; i++) {
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
        if (a.happened & AIRCRAFT_DID_TOUCH && touches++ == 0)
            sink = a.ground_hit_mps;
    }
    ok(touches >= 1 && touches <= 2);
    ok_real(sink, 1.5, 0.7);
    ok_int(a.flags, AIRCRAFT_ON_GROUND | AIRCRAFT_GEAR_DOWN);
    ok_real(vector_length(a.state.velocity_mps), 0, 0.02);
    ok_real(a.state.position_m[1], 0, 0.5);
    ok_real(a.normal_g, 1, 0.02);
}

static void
gear_up_or_a_hard_sink_is_a_crash(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i;

    world_of(&w, &flat);
    place_for_landing(&w, &a, 1.5, 0);
    for (i = 0; i < 120; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok(a.flags & AIRCRAFT_WRECK);
    place_for_landing(&w, &a, 8, 1);
    for (i = 0; i < 120; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok(a.flags & AIRCRAFT_WRECK);
}

/* A tick of a second is long enough for the struts to throw a falling aircraft
 * up again: it must break all the same. */
static void
gear_that_hits_hard_breaks_at_any_tick_rate(void)
{
    static const int rates[] = {1, 2, 5, 7, 20, 60, 333};
    struct hp_input in = {0};
    struct aircraft_world w;
    struct aircraft a;
    double height;
    int r, t, crashed;

    world_of(&w, &flat);
    for (r = 0; r < 7; r++) {
        for (height = 5; height < 25; height += 2.5) {
            aircraft_spawn(&w, &a, 0, 0, 0);
            a.state.position_m[2] = -height;
            a.state.velocity_mps[2] = 30;
            a.state.gear = 1;
            a.flags |= AIRCRAFT_GEAR_DOWN;
            crashed = 0;
            for (t = 0; t < 3 * rates[r] && !crashed; t++) {
                aircraft_step(&w, &a, &in,
                              &(struct hp_tick){.dt_s = 1.0 / rates[r]});
                crashed = (a.happened & AIRCRAFT_DID_CRASH) != 0;
            }
            ok(crashed);
            ok(!(a.flags & AIRCRAFT_FROZEN));
            ok_real(-a.state.position_m[2], 2, 2); /* where it fell */
        }
    }
}

static void
the_gear_takes_its_time(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    int i;

    world_of(&w, &flat);
    aircraft_spawn(&w, &a, 0, 0, 0);
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    in.buttons = HP_BUTTON_GEAR;
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, AIRCRAFT_DID_GEAR);
    for (i = 0; i < 149; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, 0);
    ok_real(a.state.gear, 0.5, 0.01);
    for (i = 0; i < 160; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_real(a.state.gear, 1, 1e-12);
}

static void
bad_numbers_freeze_and_never_leave(void)
{
    struct ground hills = {.seed = 1, .hills = 1};
    struct aircraft_world w;
    struct aircraft a;
    double *all = (double *)&a;
    int i;
    struct flight_record r;
    struct hp_input in = {0};

    world_of(&w, &hills);
    aircraft_spawn(&w, &a, 0, 0, 0);
    a.state.rates_rps[0] = 1e6;
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, AIRCRAFT_DID_FREEZE);
    ok(a.flags & AIRCRAFT_FROZEN);
    schema_record(&w, &a, &r);
    ok_int(r.head.flags, HP_ENTITY_FROZEN);
    aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
    ok_int(a.happened, 0);
    for (i = 0; i < AIRFRAME_STATES; i++) {
        aircraft_spawn(&w, &a, 0, 0, 0);
        all[i] = NAN;
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
        ok(a.flags & AIRCRAFT_FROZEN);
    }
}

/* No attitude, speed or stick may lead to a number that is not one. */
static void
any_tumble_stays_finite(void)
{
    struct aircraft_world w;
    struct aircraft a;
    struct hp_input in = {0};
    uint32_t seed = 1;
    int i, k, frozen = 0;

    world_of(&w, &flat);
    for (i = 0; i < 200; i++) {
        aircraft_spawn(&w, &a, 0, 0, 0);
        for (k = 0; k < 10; k++) {
            seed = seed * 1664525 + 1013904223;
            double share = (seed >> 8) * (2.0 / 16777216) - 1;

            if (k < 3)
                a.state.rates_rps[k] = share * 6;
            else if (k < 6)
                a.state.velocity_mps[k - 3] = share * (i % 5 ? 300 : 3);
            else
                a.state.attitude[k - 6] = share + 0.01;
        }
        quaternion_unit(a.state.attitude);
        for (k = 0; k < 240; k++) {
            seed = seed * 1664525 + 1013904223;
            in.axes[k % 3] = (int16_t)(seed >> 16);
            aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
            if (a.flags & AIRCRAFT_FROZEN)
                break;
            ok_int(aircraft_check(&w, &a), 0);
        }
        frozen += k < 240;
    }
    ok_int(frozen, 0);
}

static void
own_states_that_cannot_be_are_refused(void)
{
    struct aircraft_world w;
    struct aircraft good, a;
    double *all = (double *)&a;
    int i;

    world_of(&w, &flat);
    aircraft_spawn(&w, &good, 0, 0, 0);
    ok_int(aircraft_check(&w, &good), 0);
    for (i = 0; i < AIRFRAME_STATES + 8; i++) {
        a = good;
        all[i] = NAN;
        ok_int(aircraft_check(&w, &a), -EINVAL);
        a = good;
        all[i] = 1e300;
        ok_int(aircraft_check(&w, &a), -EINVAL);
    }
    a = good;
    a.state.attitude[0] *= 1.001;
    ok_int(aircraft_check(&w, &a), -EINVAL);
    a = good;
    a.flags = 1 << 20;
    ok_int(aircraft_check(&w, &a), -EINVAL);
    a = good;
    a.rounds_left = 512;
    ok_int(aircraft_check(&w, &a), -EINVAL);
    a = good;
    a.type = 1; /* there is one model */
    ok_int(aircraft_check(&w, &a), -EINVAL);
}

static void
hills_are_smooth_bounded_and_the_same_for_one_seed(void)
{
    struct ground a = {.seed = 5, .hills = 1}, b = {.seed = 6, .hills = 1};
    double x, h, before = ground_height(&a, -20000, 333), low = 1e9,
                 high = -1e9;
    int differs = 0;

    for (x = -20000; x < 20000; x += 1) {
        h = ground_height(&a, x, 333);
        ok_real(h, before, 1.0);
        differs += h != ground_height(&b, x, 333);
        low = h < low ? h : low;
        high = h > high ? h : high;
        before = h;
    }
    ok(low >= 0 && high <= ground_height_max(&a) && high - low > 100);
    ok(differs > 39000);
    ok_real(ground_height(&flat, 123, 456), 0, 0);
}

static void
the_path_ahead_meets_the_ground_when_it_does(void)
{
    struct ground hills = {.seed = 5, .hills = 1};
    double at[3] = {0, 0, -1000}, down[3] = {200, 0, 50}, up[3] = {200, 0, -1};
    double t, h;

    ok_real(ground_time_ahead(&flat, at, down, 60), 20, 1e-9);
    ok_real(ground_time_ahead(&flat, at, up, 60), 60, 0);
    t = ground_time_ahead(&hills, at, down, 60);
    h = ground_height(&hills, 200 * t, 0);
    ok_real(1000 - 50 * t, h, 3);
    ok_real(ground_time_ahead(&hills, at, up, 60), 60, 0);
    at[2] = 10;
    ok_real(ground_time_ahead(&flat, at, up, 60), 0, 0);
}

TAP_MAIN(FACT(ten_seconds_are_the_same_flight_at_any_tick_rate),
         FACT(slammed_sticks_fly_the_same_flight_as_well),
         FACT(a_line_is_met_where_it_lies_and_not_near_the_ends),
         FACT(over_a_round_planet_it_flies_on_across_date_line_and_pole),
         FACT(on_an_ellipsoid_the_wheels_carry_it_at_height_zero),
         FACT(hands_off_it_holds_its_height_and_heading),
         FACT(a_stick_held_back_stops_at_the_alpha_limit),
         FACT(full_stick_rolls_and_centred_stick_stops),
         FACT(the_afterburner_button_asks_for_all_and_the_lever_for_military),
         FACT(without_fuel_the_engine_dies),
         FACT(the_gun_fires_at_its_rate_whatever_the_ticks),
         FACT(a_burst_is_told_once_each_time_the_trigger_is_pulled),
         FACT(a_dive_into_the_ground_is_a_crash_and_a_new_aircraft_comes),
         FACT(a_respawn_comes_on_the_edge_of_its_button),
         FACT(a_gentle_landing_touches_once_rolls_and_stops),
         FACT(gear_up_or_a_hard_sink_is_a_crash),
         FACT(gear_that_hits_hard_breaks_at_any_tick_rate),
         FACT(the_gear_takes_its_time),
         FACT(bad_numbers_freeze_and_never_leave),
         FACT(any_tumble_stays_finite),
         FACT(own_states_that_cannot_be_are_refused),
         FACT(hills_are_smooth_bounded_and_the_same_for_one_seed),
         FACT(the_path_ahead_meets_the_ground_when_it_does))
