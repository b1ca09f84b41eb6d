/* What bad air, G and a wire do to an aircraft. */
#include "aircraft_types.h"
#include "tap.h"
#include <errno.h>
#include <math.h>
#include <motion/math.h>
#include <sim/carrier.h>
#include <sim/schema.h>
#include <sim/systems.h>

#define RATE 60

static struct aircraft_world w;
static struct aircraft it;

static void
begin(void)
{
    const struct planet_geodetic spawn = {0, 0, 3000};
    struct surroundings around = {0};

    planet_init(&around.planet, PLANET_FLAT);
    ok_int(f16_world_init(&w, &around, &spawn, 200), 0);
    w.respawn_s = 1e9;
    w.ammunition = 511;
    aircraft_spawn(&w, &it, 0, 0, 0);
    it.buttons = 0;
}

static void
too_much_g_too_long_takes_the_pilot_away(void)
{
    struct airframe_command command = {.pitch = 1};
    struct airframe_air air = {.speed_mps = 200};
    double fainted_s = 0, awake_s = 0;

    begin();
    it.normal_g = 5.9;
    systems_step(&w.models[0], &it, &air, 0.5, 30, 60);
    ok_real(it.reserve, 1, 0);
    it.normal_g = 9;
    for (; !(it.flags & AIRCRAFT_FAINT) && fainted_s < 60; fainted_s += 0.1)
        systems_step(&w.models[0], &it, &air, 0.5, 30, 0.1);
    ok_real(fainted_s, 10, 0.3);
    systems_limit(&it, &command);
    ok_real(command.pitch, 0, 0);
    it.normal_g = 1;
    for (; it.flags & AIRCRAFT_FAINT && awake_s < 60; awake_s += 0.1)
        systems_step(&w.models[0], &it, &air, 0.5, 30, 0.1);
    ok_real(awake_s, 3.4, 0.3);
}

/* Of seconds at an alpha, with the lever slammed open or as the power is. */
static int
surges(double alpha_deg, int slammed)
{
    struct airframe_air air = {.speed_mps = 150,
                               .alpha_rad = alpha_deg * MOTION_PI / 180};
    int i;

    begin();
    for (i = 0; i < 60; i++) {
        it.state.power = slammed ? 5 : 50;
        systems_step(&w.models[0], &it, &air, slammed ? 1 : 0.7, it.state.power,
                     1.0 / RATE);
    }
    return it.surge >= SYSTEMS_SURGE_FELT;
}

static void
a_slam_at_high_alpha_stalls_the_compressor(void)
{
    ok(surges(25, 1));
    ok(!surges(25, 0));
    ok(!surges(5, 1));
}

/* ---- the deck ---- */

/* Rolls over the deck at 60 m/s; the metres it takes to stop, or -1. */
static double
rolls_to_a_stop(int hook, double east_m, int rate)
{
    struct hp_input in = {0};
    struct hp_tick t = {.dt_s = 1.0 / rate};
    struct aircraft *a = &it;
    double from;
    int i;

    begin();
    w.on_ground = w.has_strip = 1;
    w.strip_north_m = -10;
    aircraft_spawn(&w, a, 0, 0, 0);
    a->buttons = 0;
    for (i = 0; i < rate; i++)
        aircraft_step(&w, a, &in, &t);
    ok_int(a->flags, AIRCRAFT_ON_GROUND | AIRCRAFT_GEAR_DOWN);
    a->state.velocity_mps[0] = 60;
    a->state.position_m[1] += east_m;
    from = a->state.position_m[0];
    in.buttons = hook ? HP_BUTTON_HOOK : 0;
    for (i = 0; i < 5 * rate; i++) {
        aircraft_step(&w, a, &in, &t);
        if (i == 0)
            ok_int((a->happened & AIRCRAFT_DID_TRAP) != 0, hook && east_m == 0);
    }
    return a->state.velocity_mps[0] < 0.5 ? a->state.position_m[0] - from : -1;
}

static void
a_wire_stops_who_has_the_hook_down(void)
{
    double stop_m = 60 * 60 / (2 * 25.0);

    ok_real(rolls_to_a_stop(1, 0, 60), stop_m, 4);
    ok_real(rolls_to_a_stop(1, 0, 240), rolls_to_a_stop(1, 0, 30), 2);
    ok_real(rolls_to_a_stop(0, 0, 60), -1, 0);
    ok_real(rolls_to_a_stop(1, 20, 60), -1, 0); /* beside the deck */
}

static void
hostile_own_states_are_refused(void)
{
    struct aircraft bad;

    begin();
    ok_int(aircraft_check(&w, &it), 0);
    bad = it;
    bad.reserve = NAN;
    ok_int(aircraft_check(&w, &bad), -EINVAL);
    bad = it;
    bad.surge = 2;
    ok_int(aircraft_check(&w, &bad), -EINVAL);
    bad = it;
    bad.flags = 1u << 20;
    ok_int(aircraft_check(&w, &bad), -EINVAL);
}

/* The stick is nobody's, and the trigger is let go. */
static void
who_is_out_presses_nothing(void)
{
    struct hp_input in = {.buttons = HP_BUTTON_GUN | HP_BUTTON_GEAR};
    struct hp_tick t = {.dt_s = 1.0 / RATE};

    begin();
    it.flags |= AIRCRAFT_FAINT;
    it.reserve = 0;
    aircraft_step(&w, &it, &in, &t);
    ok_int(it.flags & (AIRCRAFT_GEAR_DOWN | AIRCRAFT_FIRING), 0);
}

TAP_MAIN(FACT(too_much_g_too_long_takes_the_pilot_away),
         FACT(who_is_out_presses_nothing),
         FACT(a_slam_at_high_alpha_stalls_the_compressor),
         FACT(a_wire_stops_who_has_the_hook_down),
         FACT(hostile_own_states_are_refused))
