#include "aircraft.h"

#include "carrier.h"
#include "damage.h"
#include "engine.h"
#include "stores.h"
#include "struts.h"
#include "systems.h"
#include <errno.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <string.h>

#define AXIS_FULL         32767.0
#define SPAWN_SPACING_M   600.0
#define GROUND_NEAR_M     60.0
#define AIRBORNE_MIN_S    0.5 /* a shorter hop is no new touchdown */
#define SPEED_MAX_MPS     1400.0
#define TURN_MAX_RPS      19.0
#define SPAWN_SLOWER      0.97
#define SPAWN_SLOWEST_MPS 15.0
#define TRAVEL_SLACK_DEG  5.0
#define GOLDEN_ANGLE      2.39996322972865332

_Static_assert(sizeof(struct aircraft) ==
                   AIRFRAME_STATES * 8 + 15 * 8 + 6 * 4 + 16,
               "no padding: the bytes travel and are hashed");
_Static_assert(sizeof(struct aircraft) <= HP_OWN_BYTES_MAX,
               "own state fits the wire");

/* The fastest level flight at or below a speed. */
static int
model_init(struct aircraft_model *m, const struct aircraft_type *type,
           const struct surroundings *around, double height_m, double speed_mps)
{
    double mass;
    int err;

    airframe_init(&m->frame, type, around);
    mass = m->frame.dry_mass_kg + m->frame.fuel_max_kg +
           stores_full_kg(type->file);
    if (!m->frame.systems) {
        m->spawn_speed_mps = speed_mps; /* a body: nobody flies it, it falls */
        return 0;
    }
    do {
        m->spawn_speed_mps = speed_mps;
        err = airframe_trim_level(&m->frame, height_m, speed_mps, mass,
                                  &m->spawn_trim);
        speed_mps *= SPAWN_SLOWER;
    } while (err < 0 && speed_mps > SPAWN_SLOWEST_MPS);
    return err;
}

int
aircraft_world_init(struct aircraft_world *w,
                    const struct aircraft_type *const *types, uint32_t count,
                    const struct surroundings *around,
                    const struct planet_geodetic *spawn, double spawn_speed_mps)
{
    struct aircraft_model *m = w->models;
    int err = 0;

    memset(w, 0, sizeof(*w));
    w->spawn = *spawn;
    while (w->model_count < count && err == 0) {
        err = model_init(m, types[w->model_count], around, spawn->height_m,
                         spawn_speed_mps);
        w->model_count += err == 0;
        m++;
    }
    w->frame = w->models[0].frame;
    return err;
}

/*
 * Places wind outward like a sunflower's seeds, so any number of slots keeps
 * its distance; all fly north in parallel.
 */
static void
spawn_place(const struct aircraft_world *w, uint16_t slot,
            struct planet_geodetic *out)
{
    const struct planet *planet = &w->frame.around.planet;
    double radius = SPAWN_SPACING_M * sqrt((double)slot);
    double angle = slot * GOLDEN_ANGLE;
    double north = radius * motion_cos(angle);
    double east = radius * motion_sin(angle);
    struct planet_place middle;
    double at[3];
    int i;

    /* Across the plane that touches the planet, then back to the height: it
     * works at a pole as well. */
    planet_position_of(planet, &w->spawn, at);
    planet_locate(planet, at, &middle);
    for (i = 0; i < 3; i++)
        at[i] += middle.ned[0][i] * north + middle.ned[1][i] * east;
    planet_geodetic_of(planet, at, out);
    out->height_m = w->spawn.height_m;
}

/* Level flight to the north. */
static void
spawn_state(const struct aircraft_world *w, const struct aircraft_model *m,
            uint16_t slot, struct airframe_state *s)
{
    const struct planet *planet = &w->frame.around.planet;
    double velocity[3] = {m->spawn_speed_mps, 0, 0};
    struct planet_geodetic at;

    spawn_place(w, slot, &at);
    airframe_place(s, planet, &at, velocity, 0, m->spawn_trim.alpha_rad, 0);
}

/* What its gun holds, as far as the world allows. */
static uint32_t
rounds_of(const struct aircraft_world *w, const struct aircraft_model *m)
{
    const struct aircraft_gun *gun = &m->frame.type->file->gun;

    if (gun->heading.line == 0)
        return 0;
    return gun->rounds < w->ammunition ? (uint32_t)gun->rounds : w->ammunition;
}

/* On its wheels, at rest, just over the ground. */
static void
stand(const struct aircraft_world *w, const struct aircraft_model *m,
      struct aircraft *a)
{
    static const double rest[3];
    const struct gear *gear = &m->frame.gear;
    struct planet_geodetic at;
    double lowest_m = 0;
    int i;

    for (i = 0; i < gear->strut_count; i++)
        if (gear->struts[i].position_m[2] > lowest_m)
            lowest_m = gear->struts[i].position_m[2];
    spawn_place(w, a->slot, &at);
    at.height_m = ground_height(&w->frame.around.ground, a->state.position_m[0],
                                a->state.position_m[1]) +
                  lowest_m;
    airframe_place(&a->state, &w->frame.around.planet, &at, rest, 0, 0, 0);
    a->state.gear = 1;
    a->state.power = 0;
    a->state.elevator_deg = a->state.pitch_trim_deg = 0;
    a->flags = AIRCRAFT_GEAR_DOWN;
    a->throttle = 0;
    a->airborne_s = 0;
}

void
aircraft_spawn_type(const struct aircraft_world *w, struct aircraft *a,
                    uint32_t type, uint16_t slot, uint16_t generation,
                    uint32_t owner)
{
    const struct aircraft_model *m = &w->models[type];
    const struct airframe_trim *trim = &m->spawn_trim;
    struct airframe_state *s = &a->state;

    memset(a, 0, sizeof(*a));
    a->type = type;
    a->slot = slot;
    a->generation = generation;
    a->owner = owner;
    spawn_state(w, m, slot, s);
    s->elevator_deg = trim->elevator_deg;
    s->pitch_trim_deg = trim->elevator_deg;
    s->power = trim->power;
    s->fuel_kg = m->frame.fuel_max_kg;
    a->gun_charge = 1;
    a->health = 1;
    a->airborne_s = 1;
    a->normal_g = 1;
    a->throttle = engine_throttle(trim->power);
    a->hydraulics = a->engines[0] = a->engines[1] = 1;
    systems_reset(a);
    a->rounds_left = rounds_of(w, m);
    stores_fill(w, a);
    if (w->on_ground && m->frame.gear.strut_count > 0)
        stand(w, m, a);
    /* What is held down already was not pressed for this aircraft. */
    a->buttons = UINT32_MAX;
}

void
aircraft_spawn(const struct aircraft_world *w, struct aircraft *a,
               uint16_t slot, uint16_t generation, uint32_t owner)
{
    aircraft_spawn_type(w, a, 0, slot, generation, owner);
}

static void
respawn(const struct aircraft_world *w, struct aircraft *a)
{
    uint32_t fired = a->rounds_fired, released = a->stores_released;

    aircraft_spawn_type(w, a, a->type, a->slot, (uint16_t)(a->generation + 1),
                        a->owner);
    a->rounds_fired = fired; /* a round's number is never used again */
    a->stores_released = released;
    a->happened = AIRCRAFT_DID_RESPAWN;
}

void
aircraft_kill(struct aircraft *a)
{
    a->flags |= AIRCRAFT_DEAD;
    a->flags &= ~(uint32_t)(AIRCRAFT_AFTERBURNER | AIRCRAFT_FIRING);
    a->health = 0;
    a->dead_s = 0;
}

static double
axis(const struct hp_input *input, int index, double low)
{
    return motion_clamp(input->axes[index] / AXIS_FULL, low, 1);
}

/*
 * The lever's full travel is military power; the afterburner is its button
 * alone, which asks for all of it. So no device needs a detent.
 */
static double
throttle_of(const struct aircraft *a, const struct hp_input *input)
{
    if (a->flags & AIRCRAFT_AFTERBURNER)
        return 1;
    return axis(input, HP_AXIS_THROTTLE, 0) *
           engine_throttle(ENGINE_MILITARY_POWER - 0.01);
}

static void
press_buttons(const struct aircraft_model *m, struct aircraft *a,
              const struct hp_input *input)
{
    int burner = m->frame.type->file->engine.maximum >= 0;
    uint32_t edges = input->buttons & ~a->buttons;
    uint32_t before = a->flags;

    if (edges & HP_BUTTON_GEAR && !(a->flags & AIRCRAFT_ON_GROUND)) {
        a->flags ^= AIRCRAFT_GEAR_DOWN;
        a->happened |= AIRCRAFT_DID_GEAR;
    }
    if (input->buttons & HP_BUTTON_AFTERBURNER && burner &&
        a->state.fuel_kg > 0)
        a->flags |= AIRCRAFT_AFTERBURNER;
    else
        a->flags &= ~(uint32_t)AIRCRAFT_AFTERBURNER;
    if (a->flags & ~before & AIRCRAFT_AFTERBURNER)
        a->happened |= AIRCRAFT_DID_AFTERBURNER;
    if (edges & HP_BUTTON_HOOK)
        carrier_press_hook(a);
}

/* The gun charges at its rate, whatever the tick's; a full charge fires. */
static void
fire(const struct aircraft_model *m, struct aircraft *a,
     const struct hp_input *input, double dt_s)
{
    a->gun_charge += m->frame.type->file->gun.rounds_per_s * dt_s;
    if (!(input->buttons & HP_BUTTON_GUN) || a->rounds_left == 0) {
        a->gun_charge = motion_clamp(a->gun_charge, 0, 1);
        a->flags &= ~(uint32_t)AIRCRAFT_FIRING;
        return;
    }
    while (a->gun_charge >= 1 && a->rounds_left > 0) {
        a->gun_charge -= 1;
        a->rounds_left--;
        a->rounds_fired++;
        if (!(a->flags & AIRCRAFT_FIRING))
            a->happened |= AIRCRAFT_DID_BURST;
        a->flags |= AIRCRAFT_FIRING;
    }
    a->gun_charge = motion_clamp(a->gun_charge, 0, 1);
}

/* How fast the busiest surface went, as a share of what its actuator can. */
static double
surface_rate(const struct control *c, const struct airframe_state *from,
             const struct airframe_state *to, double dt_s)
{
    const struct control_surface *surfaces = c->surfaces;
    double e = fabs(to->elevator_deg - from->elevator_deg) *
               surfaces[AIRCRAFT_ELEVATOR].per_rate;
    double a = fabs(to->aileron_deg - from->aileron_deg) *
               surfaces[AIRCRAFT_AILERON].per_rate;
    double r = fabs(to->rudder_deg - from->rudder_deg) *
               surfaces[AIRCRAFT_RUDDER].per_rate;
    double most = e > a ? e : a;

    most = most > r ? most : r;
    return motion_clamp(most / dt_s, 0, 1);
}

/* Whether the state may go on: every number finite and within the world. */
static int
state_sound(const struct airframe_state *s)
{
    const double *all = (const double *)s;
    int i;

    for (i = 0; i < AIRFRAME_STATES; i++)
        if (!(fabs(all[i]) < 1e7))
            return 0;
    return vector_dot(s->velocity_mps, s->velocity_mps) <=
               SPEED_MAX_MPS * SPEED_MAX_MPS &&
           vector_dot(s->rates_rps, s->rates_rps) <=
               TURN_MAX_RPS * TURN_MAX_RPS;
}

/* A wreck lies still where it fell. */
static void
crash(struct aircraft *a, double sink_mps)
{
    if (!(a->flags & AIRCRAFT_DEAD))
        aircraft_kill(a);
    a->flags |= AIRCRAFT_WRECK;
    a->flags &= ~(uint32_t)AIRCRAFT_ON_GROUND;
    a->happened |= AIRCRAFT_DID_CRASH;
    a->ground_hit_mps = sink_mps;
    a->normal_g = 1;
    a->control_rate = 0;
    memset(a->state.velocity_mps, 0, sizeof(a->state.velocity_mps));
    memset(a->state.rates_rps, 0, sizeof(a->state.rates_rps));
    a->state.power = 0;
}

double
aircraft_sink(const struct aircraft_world *w, const struct airframe_state *s)
{
    struct planet_place place;

    planet_locate(&w->frame.around.planet, s->position_m, &place);
    return vector_dot(place.ned[2], s->velocity_mps);
}

/* Wheels and hull against the ground, after a part; `before` is its start.
 * 0: it crashed. */
static int
meet_ground(const struct aircraft_world *w, struct aircraft *a,
            const struct airframe_air *air, const struct airframe_state *before,
            double dt_s)
{
    const struct airframe *frame = &aircraft_model_of(w, a)->frame;
    int was = (a->flags & AIRCRAFT_ON_GROUND) != 0;
    int is = air->wheel_load_n > 0;
    double top = ground_height_max(&w->frame.around.ground);
    double sink_mps;

    /* Nothing of it reaches further down within a part. */
    if (air->height_m > top + GROUND_NEAR_M) {
        a->airborne_s += dt_s;
        a->flags &= ~(uint32_t)AIRCRAFT_ON_GROUND;
        return 1;
    }
    sink_mps = struts_closing(frame, before);
    if ((is && !was && sink_mps > frame->gear.sink_max_mps) ||
        struts_hull_clearance(frame, &a->state) < 0) {
        crash(a, sink_mps);
        return 0;
    }
    if (is && !was && a->airborne_s >= AIRBORNE_MIN_S) {
        a->happened |= AIRCRAFT_DID_TOUCH;
        a->ground_hit_mps = sink_mps;
    }
    a->airborne_s = is ? 0 : a->airborne_s + dt_s;
    if (is)
        a->flags |= AIRCRAFT_ON_GROUND;
    else
        a->flags &= ~(uint32_t)AIRCRAFT_ON_GROUND;
    return 1;
}

/* What the pilot asks for; the dead ask for nothing. */
static struct airframe_command
command_of(const struct aircraft *a, const struct hp_input *input)
{
    struct airframe_command command = {0};

    command.gear = a->flags & AIRCRAFT_GEAR_DOWN ? 1 : 0;
    if (a->flags & AIRCRAFT_DEAD)
        return command;
    command.pitch = axis(input, HP_AXIS_PITCH, -1);
    command.roll = axis(input, HP_AXIS_ROLL, -1);
    command.yaw = axis(input, HP_AXIS_YAW, -1);
    command.brake = axis(input, HP_AXIS_BRAKE, 0);
    command.throttle = throttle_of(a, input);
    systems_limit(a, &command);
    return command;
}

/* Returns 0 when the flight ended: in a crash, or out of its numbers. */
static int
fly_part(const struct aircraft_world *w, struct aircraft *a,
         const struct airframe_command *command, double dt_s)
{
    const struct aircraft_model *m = aircraft_model_of(w, a);
    struct airframe_state before = a->state;
    struct airframe_air air;

    airframe_step(&m->frame, &a->state, command, dt_s, &air);
    if (!state_sound(&a->state)) {
        a->state = before;
        a->flags |= AIRCRAFT_FROZEN;
        a->happened |= AIRCRAFT_DID_FREEZE;
        return 0;
    }
    a->normal_g = motion_clamp(air.normal_g, -1000, 1000);
    systems_step(m, a, &air, command->throttle, before.power, dt_s);
    if (!meet_ground(w, a, &air, &before, dt_s))
        return 0;
    carrier_hold(w, a, dt_s);
    return 1;
}

/* The ground is met in each part of a long tick: a gear that hits it fast
 * breaks, and must not throw the aircraft up again before anybody looks. */
static void
fly(const struct aircraft_world *w, struct aircraft *a,
    const struct hp_input *input, const struct hp_tick *tick)
{
    struct airframe_state before = a->state;
    struct airframe_command command = command_of(a, input);
    const struct airframe *frame = &aircraft_model_of(w, a)->frame;
    double dt_s = tick->dt_s;
    int parts = airframe_parts(dt_s);
    int i, flies = 1;

    a->throttle = command.throttle;
    damage_command(w, a, &command);
    command.load_kg = stores_carried_kg(w, a);
    airframe_gust(frame, &a->state, HP_ENTITY_ID(a->slot, a->generation),
                  (double)tick->index * dt_s, command.gust_mps);
    for (i = 0; i < parts && flies; i++)
        flies = fly_part(w, a, &command, dt_s / parts);
    if (flies)
        a->control_rate =
            surface_rate(&frame->type->control, &before, &a->state, dt_s);
}

void
aircraft_step(const struct aircraft_world *w, struct aircraft *a,
              const struct hp_input *input, const struct hp_tick *tick)
{
    double dt_s = tick->dt_s;
    int asked = (input->buttons & ~a->buttons & HP_BUTTON_RESPAWN) != 0;

    a->happened = 0;
    if (a->flags & AIRCRAFT_DEAD)
        a->dead_s += dt_s;
    if (asked || (a->flags & AIRCRAFT_DEAD && a->dead_s >= w->respawn_s)) {
        respawn(w, a);
    } else if (!(a->flags & (AIRCRAFT_WRECK | AIRCRAFT_FROZEN))) {
        if (!(a->flags & (AIRCRAFT_DEAD | AIRCRAFT_FAINT))) {
            press_buttons(aircraft_model_of(w, a), a, input);
            stores_press(a, input->buttons & ~a->buttons);
            fire(aircraft_model_of(w, a), a, input, dt_s);
        }
        fly(w, a, input, tick);
    }
    a->buttons = input->buttons;
}

static int
within(double value, double low, double high)
{
    return value >= low && value <= high; /* false for a NaN */
}

static int
surfaces_sound(const struct control *c, const struct airframe_state *s)
{
    const double at_deg[AIRCRAFT_SURFACES] = {s->elevator_deg, s->aileron_deg,
                                              s->rudder_deg};
    int i, good = 1;

    for (i = 0; i < AIRCRAFT_SURFACES; i++)
        good &= within(at_deg[i], c->surfaces[i].min_deg - TRAVEL_SLACK_DEG,
                       c->surfaces[i].max_deg + TRAVEL_SLACK_DEG);
    return good;
}

int
aircraft_check(const struct aircraft_world *w, const struct aircraft *a)
{
    const struct airframe_state *s = &a->state;
    int good = state_sound(s);

    good &= within(quaternion_square(s->attitude), 1 - 1e-9, 1 + 1e-9);
    good &= surfaces_sound(&aircraft_model_of(w, a)->frame.type->control, s);
    good &= within(s->pitch_trim_deg, -1000, 1000);
    good &= within(s->power, 0, 100) && within(s->gear, 0, 1);
    good &= within(s->fuel_kg, 0, aircraft_model_of(w, a)->frame.fuel_max_kg);
    good &= within(a->gun_charge, 0, 1) && within(a->health, 0, 1);
    good &= within(a->dead_s, 0, 1e9) && within(a->airborne_s, 0, 1e9);
    good &= within(a->normal_g, -1000, 1000);
    good &= within(a->control_rate, 0, 1) && within(a->throttle, 0, 1);
    good &= within(a->ground_hit_mps, -SPEED_MAX_MPS, SPEED_MAX_MPS);
    good &= within(a->hydraulics, 0, 1);
    good &= within(a->engines[0], 0, 1) && within(a->engines[1], 0, 1);
    good &= within(a->surge, 0, 1) && within(a->distortion, 0, 2);
    good &= within(a->reserve, 0, 1) && within(a->trap_mps, 0, SPEED_MAX_MPS);
    good &= stores_sound(w, a);
    good &= a->rounds_left <= w->ammunition;
    good &= (a->flags & ~(uint32_t)AIRCRAFT_FLAGS) == 0;
    good &= (a->happened & ~(uint32_t)AIRCRAFT_HAPPENINGS) == 0;
    good &= a->type < w->model_count;
    return good ? 0 : -EINVAL;
}
