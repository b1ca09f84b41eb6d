/* An aircraft on its wheels: it stands, rolls, turns, brakes and lands. */
#include "aircraft_types.h"
#include "tap.h"
#include <motion/math.h>
#include <motion/vector.h>
#include <sim/aircraft.h>
#include <sim/schema.h>
#include <sim/struts.h>

#define DEG (MOTION_PI / 180)

static const struct ground flat;
static struct aircraft_world w;
static struct aircraft a;
static struct hp_input in;

static void
world_of(const struct ground *ground)
{
    const struct planet_geodetic spawn = {0, 0, 1500};
    struct surroundings around = {.ground = *ground};

    planet_init(&around.planet, PLANET_FLAT);
    ok_int(f16_world_init(&w, &around, &spawn, 180), 0);
    w.respawn_s = 1e9;
}

static void
without_air(void)
{
    static struct atmosphere_table thin;
    int i;

    for (i = 0; i < ATMOSPHERE_ROWS; i++)
        thin.rows[i] = (struct atmosphere){1e-9, 340};
    w.models[0].frame.around.weather.standard = &thin;
}

/* On its wheels at a place, along `heading`, level with the ground there. */
static void
place(double north, double east, double heading, double speed_mps)
{
    struct ground *ground = &w.frame.around.ground;
    double slope[2], ahead[3] = {cos(heading), sin(heading), 0};
    double height = ground_surface(ground, north, east, slope);
    double pitch = atan(slope[0] * ahead[0] + slope[1] * ahead[1]);
    double bank = atan(slope[0] * ahead[1] - slope[1] * ahead[0]);
    double velocity[3] = {speed_mps * ahead[0], speed_mps * ahead[1],
                          -speed_mps * tan(pitch)};
    struct planet_geodetic at = {north / w.frame.around.planet.equator_m,
                                 east / w.frame.around.planet.equator_m,
                                 height + 1.95};

    aircraft_spawn(&w, &a, 0, 0, 0);
    airframe_place(&a.state, &w.frame.around.planet, &at, velocity, heading,
                   pitch, bank);
    a.state.gear = 1;
    a.state.power = 0;
    a.state.fuel_kg = 0;
    a.flags = AIRCRAFT_GEAR_DOWN;
    memset(&in, 0, sizeof(in));
}

static void
run(double seconds, int rate)
{
    int i;

    for (i = 0; i < seconds * rate; i++)
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / rate});
}

static double
speed(void)
{
    return vector_length(a.state.velocity_mps);
}

static double
moved(const double from[3])
{
    double gap[3];
    int i;

    for (i = 0; i < 3; i++)
        gap[i] = a.state.position_m[i] - from[i];
    return vector_length(gap);
}

static void
parked_it_stays_for_an_hour_at_any_rate(void)
{
    static const int rates[] = {30, 60, 120};
    double from[3];
    int i;

    world_of(&flat);
    for (i = 0; i < 3; i++) {
        place(0, 0, 1, 0);
        in.axes[HP_AXIS_BRAKE] = 32767;
        run(60, rates[i]);
        memcpy(from, a.state.position_m, sizeof(from));
        run(rates[i] == 30 ? 3600 : 300, rates[i]);
        ok_real(moved(from), 0, 1e-3);
        ok_real(speed(), 0, 1e-9);
        ok_int(a.flags, AIRCRAFT_ON_GROUND | AIRCRAFT_GEAR_DOWN);
    }
}

/* The steepest place of a walk over the hills. */
static double
find_slope(const struct ground *g, double *north)
{
    double x, slope[2], steep, most = 0;

    for (x = 0; x < 40000; x += 50) {
        ground_surface(g, x, 0, slope);
        steep = sqrt(slope[0] * slope[0] + slope[1] * slope[1]);
        if (steep > most) {
            most = steep;
            *north = x;
        }
    }
    return most;
}

static void
parked_on_a_hillside_it_stays_as_well(void)
{
    struct ground hills = {.seed = 11, .hills = 1};
    double north = 0, from[3], heading;

    ok(find_slope(&hills, &north) > tan(5 * DEG));
    world_of(&hills);
    for (heading = 0; heading < 6; heading += 1.5) {
        place(north, 0, heading, 0);
        in.axes[HP_AXIS_BRAKE] = 32767;
        run(60, 60);
        memcpy(from, a.state.position_m, sizeof(from));
        run(600, 30);
        ok_real(moved(from), 0, 1e-3);
        ok_int(a.flags, AIRCRAFT_ON_GROUND | AIRCRAFT_GEAR_DOWN);
    }
}

static void
without_brakes_it_rolls_down_the_hill(void)
{
    struct ground hills = {.seed = 11, .hills = 1};
    double north = 0, slope[2], steep = find_slope(&hills, &north), from[3];

    ground_surface(&hills, north, 0, slope);
    world_of(&hills);
    place(north, 0, motion_atan2(-slope[1], -slope[0]), 0);
    memcpy(from, a.state.position_m, sizeof(from));
    run(3, 60);
    /* By the slope less what rolling takes, as a sledge would. */
    ok_real(moved(from), 0.5 * 9.80665 * (sin(atan(steep)) - 0.02) * 9, 0.4);
}

static void
a_free_wheel_slows_by_its_rolling_resistance(void)
{
    double before;

    world_of(&flat);
    without_air();
    place(0, 0, 0.3, 10);
    run(1, 60);
    before = speed();
    run(4, 60);
    ok_real((before - speed()) / 4, 0.02 * 9.80665, 0.003);
}

static void
brakes_stop_it_where_friction_says(void)
{
    double from[3], share = 0.6 / 4.6, height = 1.9, mu;

    world_of(&flat);
    without_air();
    place(0, 0, 0, 40);
    run(1, 60);
    memcpy(from, a.state.position_m, sizeof(from));
    in.axes[HP_AXIS_BRAKE] = 32767;
    mu = speed();
    run(20, 60);
    /* Half the main wheels' load and a fiftieth of all; braking moves load to
     * the nose: mu = 0.02 + 0.5 (1 - share - mu height / base). */
    ok_real(moved(from),
            mu * mu / 2 / 9.80665 /
                ((0.02 + 0.5 * (1 - share)) / (1 + 0.5 * height / 4.6)),
            4);
    ok_real(speed(), 0, 1e-4);
    ok_real(a.state.position_m[1], from[1], 0.05);
}

static void
braking_takes_as_far_at_any_rate(void)
{
    static const int rates[] = {30, 60, 240, 1000};
    double far[4];
    int i;

    world_of(&flat);
    for (i = 0; i < 4; i++) {
        place(0, 0, 0, 60);
        in.axes[HP_AXIS_BRAKE] = 20000;
        run(30, rates[i]);
        far[i] = a.state.position_m[0];
        ok_real(speed(), 0, 1e-4);
    }
    for (i = 0; i < 3; i++)
        ok_real(far[i], far[3], 0.1);
}

static void
pedals_turn_a_taxiing_aircraft_about_its_main_wheels(void)
{
    double turn, v, rate;
    int side;

    world_of(&flat);
    for (side = -1; side <= 1; side += 2) {
        place(0, 0, 0, 5);
        in.axes[HP_AXIS_YAW] = (int16_t)(side * 32767);
        run(3, 60);
        v = a.state.velocity_mps[0] * a.state.velocity_mps[0] +
            a.state.velocity_mps[1] * a.state.velocity_mps[1];
        turn = w.models[0].frame.gear.struts[0].steer_rad / (1 + v / 225);
        /* The centre of mass is 0.6 m ahead of the main axle. */
        rate = side * sqrt(v / (pow(4.6 / tan(turn), 2) + 0.36));
        ok_real(a.state.rates_rps[2], rate, 0.08 * fabs(rate));
    }
}

static void
no_corner_is_taken_faster_than_tyres_hold(void)
{
    double before[3], pull, most = 0;
    int i, k;

    world_of(&flat);
    without_air();
    place(0, 0, 0, 25);
    in.axes[HP_AXIS_YAW] = 32767;
    for (i = 0; i < 240; i++) {
        memcpy(before, a.state.velocity_mps, sizeof(before));
        aircraft_step(&w, &a, &in, &(struct hp_tick){.dt_s = 1.0 / 60});
        if (a.flags & AIRCRAFT_WRECK)
            break; /* it may tip over, as it would */
        for (k = 0; k < 2; k++)
            before[k] = (a.state.velocity_mps[k] - before[k]) * 60;
        pull = sqrt(before[0] * before[0] + before[1] * before[1]);
        most = pull > most ? pull : most;
    }
    ok(most > 3);
    ok(most < 0.7 * 9.80665 * 1.3); /* loads swing about the weight */
}

static void
across_the_runway_wind_does_not_move_a_parked_one(void)
{
    double from[3];

    world_of(&flat);
    place(0, 0, 0, 0);
    in.axes[HP_AXIS_BRAKE] = 32767;
    run(30, 60);
    memcpy(from, a.state.position_m, sizeof(from));
    w.models[0].frame.around.weather.wind_mps[1] = 15;
    run(60, 60);
    ok(moved(from) < 0.05); /* it leans */
    memcpy(from, a.state.position_m, sizeof(from));
    run(600, 30);
    ok_real(moved(from), 0, 1e-3);
}

/* Nose first, banked or askew: it breaks or rolls, its numbers stay numbers. */
static void
any_touch_down_stays_finite_at_thirty_hertz(void)
{
    uint32_t seed = 7;
    int i, k, crashed = 0, rolled = 0;

    world_of(&flat);
    for (i = 0; i < 60; i++) {
        double part[5];

        for (k = 0; k < 5; k++) {
            seed = seed * 1664525 + 1013904223;
            part[k] = (seed >> 8) * (2.0 / 16777216) - 1;
        }
        place(0, 0, 0, 70 + 10 * part[0]);
        {
            double ned[3] = {a.state.velocity_mps[0], 8 * part[1],
                             2 + 2 * part[2]};
            struct planet_geodetic at = {0, 0, 3};

            airframe_place(&a.state, &w.frame.around.planet, &at, ned, 0,
                           -0.05 + 0.1 * part[3], 0.1 * part[4]);
        }
        run(8, 30);
        ok_int(aircraft_check(&w, &a), 0);
        ok(!(a.flags & AIRCRAFT_FROZEN));
        crashed += (a.flags & AIRCRAFT_WRECK) != 0;
        rolled += (a.flags & AIRCRAFT_ON_GROUND) != 0;
    }
    ok(crashed + rolled == 60);
    ok(rolled > 20);
}

/* Level flight into rising ground is as hard a landing as a fast descent. */
static void
what_a_landing_strikes_is_the_ground_as_it_lies(void)
{
    struct ground hills = {.seed = 11, .hills = 1};
    double north = 0, slope[2], steep = find_slope(&hills, &north), up;
    int way;

    ground_surface(&hills, north, 0, slope);
    up = motion_atan2(slope[1], slope[0]);
    world_of(&hills);
    for (way = 0; way < 2; way++) {
        place(north, 0, up, 70);
        a.state.position_m[2] -= 0.2;
        a.state.velocity_mps[2] = way == 0 ? 0 : -70 * steep;
        ok_real(struts_closing(&w.models[0].frame, &a.state),
                way == 0 ? 70 * sin(atan(steep)) : 0, 0.01);
        run(0.5, 60);
        ok_int((a.flags & AIRCRAFT_WRECK) != 0, way == 0);
    }
}

static void
stiff_struts_are_stepped_in_parts(void)
{
    double from[3];
    int i;

    world_of(&flat);
    ok_int(struts_parts(&w.models[0].frame, &a.state, 1.0 / 60), 1);
    for (i = 0; i < 3; i++) {
        w.models[0].frame.gear.struts[i].stiffness *= 50;
        w.models[0].frame.gear.struts[i].damping *= 12;
    }
    ok(struts_parts(&w.models[0].frame, &a.state, 1.0 / 60) > 5);
    place(0, 0, 0, 0);
    in.axes[HP_AXIS_BRAKE] = 32767;
    run(20, 30);
    memcpy(from, a.state.position_m, sizeof(from));
    run(20, 30);
    ok_real(moved(from), 0, 1e-6);
    ok_int(a.flags, AIRCRAFT_ON_GROUND | AIRCRAFT_GEAR_DOWN);
}

TAP_MAIN(FACT(parked_it_stays_for_an_hour_at_any_rate),
         FACT(parked_on_a_hillside_it_stays_as_well),
         FACT(without_brakes_it_rolls_down_the_hill),
         FACT(a_free_wheel_slows_by_its_rolling_resistance),
         FACT(brakes_stop_it_where_friction_says),
         FACT(braking_takes_as_far_at_any_rate),
         FACT(pedals_turn_a_taxiing_aircraft_about_its_main_wheels),
         FACT(no_corner_is_taken_faster_than_tyres_hold),
         FACT(across_the_runway_wind_does_not_move_a_parked_one),
         FACT(any_touch_down_stays_finite_at_thirty_hertz),
         FACT(what_a_landing_strikes_is_the_ground_as_it_lies),
         FACT(stiff_struts_are_stepped_in_parts))
