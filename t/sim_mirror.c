/* Flights and their mirror images: what is symmetric in the world must be in
 * the sim, whatever it computes. */
#include "tap.h"
#include <motion/math.h>
#include <motion/vector.h>
#include <sim/fly_sortie.h>
#include <stdio.h>
#include <stdlib.h>

#define FOOT 0.3048
#define DEG  (MOTION_PI / 180)

static struct sortie one, other;

static void
start(struct sortie *s, const struct scenario *plan)
{
    char why[300];

    sortie_finish(s); /* of the flight before */
    ok_int(sortie_start(s, plan, why, sizeof(why)), 0);
}

static void
read_plan(struct scenario *out, const char *name)
{
    const char *source = getenv("HP_SRC");
    char path[512];

    snprintf(path, sizeof(path), "%s/conf/scenarios/%s.ini",
             source != NULL ? source : ".", name);
    ok_int(scenario_read(path, out), 0);
}

/* A plan on the other half of the planet, left and right exchanged. The planet
 * turns alike: its axis has no mirror image in the plane of the equator. */
static void
mirror_plan(const struct scenario *from, struct scenario *to)
{
    *to = *from;
    to->latitude = -from->latitude;
    to->velocity_ned[0] = -from->velocity_ned[0];
    to->attitude[0] = MOTION_PI - from->attitude[0];
    to->wind[0] = -from->wind[0];
    to->shear[0] = -from->shear[0];
    to->course_step = -from->course_step;
    to->offset_step = -from->offset_step;
    to->turn_rate = -from->turn_rate;
}

/* Flies both; the worst difference in metres, and in radians. */
static void
fly_both(const struct scenario *plan, double *metres, double *radians)
{
    struct scenario image;
    struct sortie_row a, b;
    double gap;
    int i, ticks = (int)(plan->duration_s * plan->rate_hz + 0.5);

    mirror_plan(plan, &image);
    start(&one, plan);
    start(&other, &image);
    *metres = *radians = 0;
    for (i = 0; i < ticks; i++) {
        sortie_step(&one);
        sortie_step(&other);
        sortie_look(&one, &a);
        sortie_look(&other, &b);
        gap = fabs(a.at.height_m - b.at.height_m);
        gap += fabs(a.at.latitude_rad + b.at.latitude_rad) * 6.4e6;
        gap += fabs(a.at.longitude_rad - b.at.longitude_rad) * 6.4e6;
        *metres = gap > *metres ? gap : *metres;
        gap = fabs(a.bank_rad + b.bank_rad) + fabs(a.pitch_rad - b.pitch_rad);
        *radians = gap > *radians ? gap : *radians;
    }
}

static void
mirrored(const char *name, double within_m, double within_rad)
{
    struct scenario plan;
    double metres, radians;

    read_plan(&plan, name);
    fly_both(&plan, &metres, &radians);
    ok_real(metres, 0, within_m);
    ok_real(radians, 0, within_rad);
}

static void
a_flight_south_of_the_equator_mirrors_one_north_of_it(void)
{
    mirrored("nesc_11", 1e-5, 1e-8);
    mirrored("nesc_13p1", 1e-5, 1e-8);
    mirrored("nesc_13p2", 1e-5, 1e-8);
    /* What the ailerons do was measured at slips from both sides, and is not
     * the same. */
    mirrored("nesc_13p3", 2, 0.04);
    mirrored("nesc_13p4", 2, 0.04);
}

static void
a_ball_thrown_south_mirrors_one_thrown_north(void)
{
    struct scenario plan;
    double metres, radians;

    read_plan(&plan, "nesc_10");
    fly_both(&plan, &metres, &radians);
    ok_real(metres, 0, 1e-6);
}

/* Where nothing turns, east and west are alike as well. */
static void
without_rotation_a_ball_flies_east_as_it_flies_west(void)
{
    struct scenario plan;
    struct sortie_row a, b;
    int i;

    read_plan(&plan, "nesc_09");
    plan.planet = PLANET_ROUND_STILL;
    start(&one, &plan);
    plan.velocity_ned[1] = -plan.velocity_ned[1];
    start(&other, &plan);
    for (i = 0; i < 30 * 60; i++) {
        sortie_step(&one);
        sortie_step(&other);
    }
    sortie_look(&one, &a);
    sortie_look(&other, &b);
    ok_real(a.at.longitude_rad * 6.4e6, -b.at.longitude_rad * 6.4e6, 1e-6);
    ok_real(a.at.height_m, b.at.height_m, 1e-6);
}

/* On a turning planet the eastward one weighs less: 2 w v / g of it. */
static void
on_a_turning_planet_the_ball_thrown_east_flies_higher(void)
{
    struct scenario plan;
    struct sortie_row a, b;
    double v = 1000 * FOOT, t = 5;
    int i;

    read_plan(&plan, "nesc_09");
    plan.drag_coefficient = 0;
    start(&one, &plan);
    plan.velocity_ned[1] = -plan.velocity_ned[1];
    start(&other, &plan);
    for (i = 0; i < 5 * 60; i++) {
        sortie_step(&one);
        sortie_step(&other);
    }
    sortie_look(&one, &a);
    sortie_look(&other, &b);
    /* Upward 2 w v for both, each its way. */
    ok_real(a.at.height_m - b.at.height_m, 2 * 7.292115e-5 * v * t * t, 0.01);
}

static void
the_longitude_does_not_matter(void)
{
    struct scenario plan;
    struct sortie_row a, b;
    int i;

    read_plan(&plan, "nesc_13p4");
    start(&one, &plan);
    plan.longitude += 190 * DEG;
    start(&other, &plan);
    for (i = 0; i < 60 * 60; i++) {
        sortie_step(&one);
        sortie_step(&other);
    }
    sortie_look(&one, &a);
    sortie_look(&other, &b);
    ok_real(a.at.latitude_rad * 6.4e6, b.at.latitude_rad * 6.4e6, 1e-5);
    ok_real(a.at.longitude_rad + 190 * DEG,
            b.at.longitude_rad + (b.at.longitude_rad < 0 ? 2 * MOTION_PI : 0),
            1e-12);
}

/* Metres flown to the right of a course of 45 degrees. */
static double
fly_aside(double seconds)
{
    struct sortie_row now;
    double aside = 0;

    while ((double)one.tick < seconds * 60) {
        sortie_step(&one);
        sortie_look(&one, &now);
        aside += (now.ned_mps[1] - now.ned_mps[0]) * sqrt(0.5) / 60;
    }
    return aside;
}

static void
a_side_step_ends_on_its_track(void)
{
    struct scenario plan;
    struct sortie_row now;
    double aside;

    read_plan(&plan, "nesc_13p4");
    start(&one, &plan);
    aside = fly_aside(20);
    ok_real(aside, 0, 1);
    aside += fly_aside(150);
    ok_real(aside / FOOT, 2000, 2);
    sortie_look(&one, &now);
    ok_real(now.heading_rad / DEG, 45, 0.02);
}

static void
a_speed_step_ends_five_knots_slower_at_its_height(void)
{
    struct scenario plan;
    struct sortie_row before, after;
    int i;

    read_plan(&plan, "nesc_13p2");
    start(&one, &plan);
    sortie_look(&one, &before);
    for (i = 0; i < 60 * 60; i++)
        sortie_step(&one);
    sortie_look(&one, &after);
    /* Equivalent airspeed; a regulator without an integral falls short. */
    ok_real((before.air.speed_mps * sqrt(before.air.density) -
             after.air.speed_mps * sqrt(after.air.density)) /
                sqrt(1.225) * 3600 / 1852,
            5, 0.5);
    ok_real((after.at.height_m - before.at.height_m) / FOOT, 0, 5);
    ok_real(after.ned_mps[2], 0, 0.01);
}

static void
a_pole_is_circled_at_one_latitude_and_an_even_pace(void)
{
    struct scenario plan;
    struct sortie_row now;
    double before, turn;
    int i;

    read_plan(&plan, "nesc_15");
    start(&one, &plan);
    for (i = 0; i < 120 * 60; i++)
        sortie_step(&one);
    sortie_look(&one, &now);
    before = now.at.longitude_rad;
    for (i = 0; i < 60 * 60; i++)
        sortie_step(&one);
    sortie_look(&one, &now);
    turn = now.at.longitude_rad - before;
    turn += turn < 0 ? 2 * MOTION_PI : 0;
    /* At 3 nautical miles from it, by the autopilot's own measure. */
    ok_real((90 - now.at.latitude_rad / DEG) * 364567.2, 18228.36, 500);
    /* The meridian's radius at a pole is a2/b. */
    ok_real(turn,
            now.ned_mps[1] * 60 / (6399593.6 + now.at.height_m) /
                motion_cos(now.at.latitude_rad),
            1e-5);
}

TAP_MAIN(FACT(a_flight_south_of_the_equator_mirrors_one_north_of_it),
         FACT(a_ball_thrown_south_mirrors_one_thrown_north),
         FACT(without_rotation_a_ball_flies_east_as_it_flies_west),
         FACT(on_a_turning_planet_the_ball_thrown_east_flies_higher),
         FACT(the_longitude_does_not_matter),
         FACT(a_side_step_ends_on_its_track),
         FACT(a_speed_step_ends_five_knots_slower_at_its_height),
         FACT(a_pole_is_circled_at_one_latitude_and_an_even_pace))
