#include "fly_sortie.h"

#include "units.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void
surroundings_of(struct sortie *s, struct surroundings *out)
{
    const struct scenario *plan = &s->scenario;

    memset(out, 0, sizeof(*out));
    planet_init(&out->planet, (int)plan->planet);
    memcpy(out->weather.wind_mps, plan->wind, sizeof(plan->wind));
    memcpy(out->weather.shear_per_s, plan->shear, sizeof(plan->shear));
    out->weather.gusts.turbulence = (int)plan->turbulence;
    out->weather.gusts.single_mps = plan->gust;
    out->weather.gusts.seed = (uint64_t)plan->seed;
    if (plan->atmosphere == 0) {
        atmosphere_fill(&s->air);
        out->weather.standard = &s->air;
    }
}

/* NASA's loading of the F-16: no fuel, no rotor. */
static void
load_as_nasa(struct aircraft_mass *m)
{
    m->empty_kg = 637.1595 * KG_PER_SLUG;
    m->cg_mac = 0.25;
    m->rotor_h = 0;
    m->fuel_kg = 0;
}

/* One constant term in place of all that the file says of drag. */
static void
set_drag(struct aircraft_file *f, double coefficient)
{
    int i, kept = 0;

    for (i = 0; i < f->term_count; i++)
        if (f->terms[i].target != AIRCRAFT_DRAG)
            f->terms[kept++] = f->terms[i];
    if (kept < AIRCRAFT_TERMS_MAX)
        f->terms[kept++] = (struct aircraft_term){
            .target = AIRCRAFT_DRAG, .factor = coefficient, .table = -1};
    f->term_count = kept;
}

/* What the scenario says against the aircraft's file. */
static void
load_vehicle(const struct scenario *plan, struct aircraft_file *f)
{
    if (plan->vehicle == VEHICLE_F16)
        load_as_nasa(&f->mass);
    if (!isnan(plan->mass_kg))
        f->mass.empty_kg = plan->mass_kg;
    if (!isnan(plan->cg_mac))
        f->mass.cg_mac = plan->cg_mac / 100;
    if (!isnan(plan->drag_coefficient))
        set_drag(f, plan->drag_coefficient);
}

static int
vehicle_of(struct sortie *s, const struct surroundings *around, char *why,
           size_t why_bytes)
{
    static const char *const names[] = {"f16", "sphere", "brick",
                                        "brick_damped", "f16"};
    const struct scenario *plan = &s->scenario;
    const char *which =
        isnan(plan->vehicle) ? plan->aircraft : names[(int)plan->vehicle];
    struct aircraft_problems problems = {0};
    struct aircraft_file *file;
    int err = aircraft_file_open(&file, which, &problems);

    aircraft_problems_first(&problems, which, why, why_bytes);
    aircraft_problems_finish(&problems);
    if (err < 0)
        return err;
    load_vehicle(plan, file);
    err = aircraft_type_create(&s->type, file);
    if (err < 0) {
        snprintf(why, why_bytes, "%s: %s", which, strerror(-err));
        return err;
    }
    airframe_init(&s->frame, s->type, around);
    if (plan->control == CONTROL_AUTOPILOT &&
        s->type->file->autopilot.heading.line == 0) {
        snprintf(why, why_bytes,
                 "%s has no section [autopilot], which by = autopilot needs; "
                 "add its gains, or fly by = fixed or trace",
                 which);
        return -EINVAL;
    }
    /* Nobody moves its surfaces, and its engine holds its power. */
    s->frame.systems = plan->control == CONTROL_TRACE;
    s->state.fuel_kg =
        s->frame.fuel_max_kg * (isnan(plan->fuel) ? 100 : plan->fuel) / 100;
    return 0;
}

void
sortie_finish(struct sortie *s)
{
    aircraft_type_destroy(s->type);
    s->type = NULL;
}

static void
place_of(const struct scenario *plan, const struct planet *planet,
         struct planet_geodetic *out)
{
    out->latitude_rad = plan->latitude;
    out->longitude_rad = plan->longitude;
    out->height_m = plan->altitude;
    if (!isnan(plan->north))
        out->latitude_rad = plan->north / planet->equator_m;
    if (!isnan(plan->east))
        out->longitude_rad = plan->east / planet->equator_m;
}

/* The file's rates and body velocity, once the attitude is known. */
static void
set_motion(struct sortie *s)
{
    const struct scenario *plan = &s->scenario;
    struct rotation r;
    int i;

    rotation_of(&r, s->state.attitude);
    if (!isnan(plan->velocity_body[0]))
        rotation_to_world(s->state.velocity_mps, &r, plan->velocity_body);
    for (i = 0; i < 3; i++)
        s->state.rates_rps[i] =
            plan->rates[i] +
            (plan->rates_against == 0
                 ? 0
                 : s->frame.around.planet.turn_rps * r.m[2][i]);
}

static int
set_trim(struct sortie *s, const struct planet_geodetic *at,
         const double ned[3], char *why, size_t why_bytes)
{
    const struct scenario *plan = &s->scenario;
    struct airframe_manoeuvre m = {*at, sqrt(ned[0] * ned[0] + ned[1] * ned[1]),
                                   motion_atan2(ned[1], ned[0]),
                                   plan->trim == TRIM_TURN ? plan->turn_rate
                                                           : 0};

    if (airframe_trim(&s->frame, &m, &s->state) == 0)
        return 0;
    snprintf(
        why, why_bytes,
        "no trim at %.0f m and %.1f m/s over the ground%s: the F-16 cannot "
        "hold that; try a speed of 150 to 250 m/s, below 10000 m, and a "
        "slower turn",
        at->height_m, m.speed_mps,
        plan->trim == TRIM_TURN ? " in this turn" : "");
    return -ERANGE;
}

/* A piloted aircraft enters in level flight on its course, as in a game. */
static int
set_pilot(struct sortie *s, const struct planet_geodetic *at,
          const double ned[3], char *why, size_t why_bytes)
{
    struct aircraft_world *w = &s->world;
    const struct aircraft_type *types = s->type;
    double speed = sqrt(ned[0] * ned[0] + ned[1] * ned[1]);
    int err = fly_trace_read(&s->trace, s->scenario.trace, why, why_bytes);

    if (err < 0)
        return err;
    if (aircraft_world_init(w, &types, 1, &s->frame.around, at, speed) < 0 ||
        w->models[0].spawn_speed_mps != speed) {
        snprintf(why, why_bytes,
                 "the aircraft cannot fly level at %.0f m and %.1f m/s, as a "
                 "piloted one begins; an F-16 can at 180 m/s and 1500 m",
                 at->height_m, speed);
        return -ERANGE;
    }
    w->respawn_s = 1e9;
    w->ammunition = 511;
    aircraft_spawn(w, &s->aircraft, 0, 0, 0);
    airframe_place(&s->aircraft.state, &s->frame.around.planet, at, ned,
                   motion_atan2(ned[1], ned[0]),
                   w->models[0].spawn_trim.alpha_rad, 0);
    s->state = s->aircraft.state;
    return 0;
}

static void
set_controls(struct sortie *s)
{
    const struct scenario *plan = &s->scenario;

    if (!isnan(plan->elevator))
        s->state.elevator_deg = plan->elevator;
    if (!isnan(plan->aileron))
        s->state.aileron_deg = plan->aileron;
    if (!isnan(plan->rudder))
        s->state.rudder_deg = plan->rudder;
    if (!isnan(plan->power))
        s->state.power = plan->power;
}

int
sortie_start(struct sortie *out, const struct scenario *scenario, char *why,
             size_t why_bytes)
{
    static const double still[3];
    const double *ned =
        isnan(scenario->velocity_ned[0]) ? still : scenario->velocity_ned;
    struct surroundings around;
    struct planet_geodetic at;
    int err = 0;

    memset(out, 0, sizeof(*out));
    out->scenario = *scenario;
    surroundings_of(out, &around);
    err = vehicle_of(out, &around, why, why_bytes);
    if (err < 0)
        return err;
    place_of(scenario, &around.planet, &at);
    airframe_place(&out->state, &around.planet, &at, ned, scenario->attitude[0],
                   scenario->attitude[1], scenario->attitude[2]);
    set_motion(out);
    if (scenario->trim != TRIM_NONE)
        err = set_trim(out, &at, ned, why, why_bytes);
    if (err == 0 && scenario->control == CONTROL_TRACE)
        return set_pilot(out, &at, ned, why, why_bytes);
    set_controls(out);
    if (err == 0 && scenario->control == CONTROL_AUTOPILOT)
        autopilot_start(&out->autopilot, out);
    return err;
}

static void
step_pilot(struct sortie *s)
{
    double dt_s = 1 / s->scenario.rate_hz;
    struct hp_tick tick = {.index = s->tick, .dt_s = dt_s};
    struct hp_input input;

    fly_trace_sample(&s->trace, (double)s->tick * dt_s, dt_s, &input);
    aircraft_step(&s->world, &s->aircraft, &input, &tick);
    s->state = s->aircraft.state;
    s->tick++;
}

void
sortie_step(struct sortie *s)
{
    struct airframe_command command = {0};
    double dt_s = 1 / s->scenario.rate_hz;
    struct airframe_air air;
    int parts = airframe_parts(dt_s), i;

    if (s->scenario.control == CONTROL_TRACE) {
        step_pilot(s);
        return;
    }
    if (s->scenario.control == CONTROL_AUTOPILOT)
        autopilot_steer(&s->autopilot, s);
    airframe_gust(&s->frame, &s->state, 0, (double)s->tick * dt_s,
                  command.gust_mps);
    for (i = 0; i < parts; i++)
        airframe_step(&s->frame, &s->state, &command, dt_s / parts, &air);
    s->tick++;
}

void
sortie_look(const struct sortie *s, struct sortie_row *out)
{
    const struct planet *planet = &s->frame.around.planet;
    struct airframe_local at;
    struct planet_place place;
    struct atmosphere air;
    double pull[3];
    int i;

    airframe_local_of(&at, planet, &s->state);
    airframe_air(&out->air, &s->frame, &s->state);
    planet_locate(planet, s->state.position_m, &place);
    planet_geodetic_of(planet, s->state.position_m, &out->at);
    planet_gravitation(planet, s->state.position_m, pull);
    weather_air(&s->frame.around.weather, &air, place.height_m);
    out->time_s = (double)s->tick / s->scenario.rate_hz;
    out->gravitation_mps2 = vector_length(pull);
    out->sound_speed_mps = air.sound_speed;
    out->heading_rad = motion_atan2(at.attitude.m[1][0], at.attitude.m[0][0]);
    out->pitch_rad = motion_asin(-at.attitude.m[2][0]);
    out->bank_rad = motion_atan2(at.attitude.m[2][1], at.attitude.m[2][2]);
    for (i = 0; i < 3; i++) {
        out->ned_mps[i] = at.velocity_mps[i];
        out->rates_rps[i] = s->state.rates_rps[i];
    }
}
