#include "airframe.h"

#include "control.h"
#include "engine.h"
#include "forces.h"
#include "struts.h"
#include "units.h"
#include <string.h>

#define GEAR_TRANSIT_S 5.0
#define PART_MAX_S     0.02
#define CELLS_MAX      4
#define SLOW_MPS       5.0
/* Past the stall, forces change so fast with the angles that it needs more. */
#define STEEP_RAD    0.5
#define STEEP_PART_S 0.009
#define SLOW_MPS     5.0

_Static_assert(sizeof(struct airframe_state) ==
                   AIRFRAME_STATES * sizeof(double),
               "RK4 walks the state as an array");

void
airframe_set_inertia(struct airframe *f, const double tensor[3][3])
{
    const double(*t)[3] = tensor;
    double(*inverse)[3] = f->spin.inverse;
    double cross[3][6], whole;
    int i, k;

    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++)
            inverse[k][i] =
                t[(i + 1) % 3][(k + 1) % 3] * t[(i + 2) % 3][(k + 2) % 3] -
                t[(i + 1) % 3][(k + 2) % 3] * t[(i + 2) % 3][(k + 1) % 3];
    whole = vector_dot(t[0], inverse[0]);
    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++)
            inverse[i][k] /= whole;
    /* -w x I w, by the products of two rates. */
    memcpy(cross,
           (const double[3][6]){
               {0,        -t[1][2], t[1][2],  -t[0][2],          t[0][1],           t[1][1] - t[2][2]},
               {t[0][2],  0,        -t[0][2], t[1][2],           t[2][2] - t[0][0], -t[0][1]         },
               {-t[0][1], t[0][1],  0,        t[0][0] - t[1][1], -t[1][2],          t[0][2]          },
    },
           sizeof(cross));
    for (i = 0; i < 3; i++)
        for (k = 0; k < 6; k++)
            f->spin.products[i][k] = inverse[i][0] * cross[0][k] +
                                     inverse[i][1] * cross[1][k] +
                                     inverse[i][2] * cross[2][k];
}

void
airframe_set_plane_inertia(struct airframe *f, double ixx, double iyy,
                           double izz, double ixz)
{
    double tensor[3][3] = {
        {ixx,  0,   -ixz},
        {0,    iyy, 0   },
        {-ixz, 0,   izz }
    };

    airframe_set_inertia(f, tensor);
}

/* Breakpoints gathered in rising order, each once. */
struct gathering {
    double at[LINES_MAX];
    int count;
};

static void
gather(struct gathering *g, double value)
{
    int i = g->count, k;

    while (i > 0 && g->at[i - 1] >= value - 1e-9)
        i--;
    if (g->count == LINES_MAX || (i < g->count && g->at[i] <= value + 1e-9))
        return;
    for (k = g->count; k > i; k--)
        g->at[k] = g->at[k - 1];
    g->at[i] = value;
    g->count++;
}

static void
gather_axis(const struct aircraft_axis *a, struct gathering *alpha,
            struct gathering *beta, struct gathering *elevator)
{
    int i;

    for (i = 0; i < a->count; i++)
        switch (a->quantity) {
        case AIRCRAFT_ALPHA_DEG:
            gather(alpha, a->at[i] * RADIANS_PER_DEG);
            break;
        case AIRCRAFT_ALPHA_RAD:
            gather(alpha, a->at[i]);
            break;
        case AIRCRAFT_BETA_DEG:
            gather(beta, a->at[i] * RADIANS_PER_DEG);
            break;
        case AIRCRAFT_BETA_RAD:
            gather(beta, a->at[i]);
            break;
        case AIRCRAFT_ABS_BETA_DEG:
            gather(beta, a->at[i] * RADIANS_PER_DEG);
            gather(beta, -a->at[i] * RADIANS_PER_DEG);
            break;
        case AIRCRAFT_ELEVATOR_DEG:
            /* The ends of the travel are no bends inside it. */
            if (i > 0 && i < a->count - 1)
                gather(elevator, a->at[i]);
            break;
        default:
            break;
        }
}

/* Where the blend beyond the tables begins, is at its middle, and ends. */
static void
gather_blend(struct gathering *g, double low_deg, double high_deg,
             double beyond_deg)
{
    int i;

    for (i = 0; i < 3; i++) {
        gather(g, (low_deg - beyond_deg - 5 * i) * RADIANS_PER_DEG);
        gather(g, (high_deg + beyond_deg + 5 * i) * RADIANS_PER_DEG);
    }
}

/* The lines that a step must not cross in one piece. */
static void
set_lines(struct airframe *out, const struct aircraft_file *file)
{
    struct gathering alpha = {.count = 0}, beta = alpha, elevator = alpha;
    const struct aircraft_valid *v = &file->valid;
    int i, k;

    for (i = 0; i < file->term_count; i++) {
        const struct aircraft_table *t =
            file->terms[i].table < 0 ? NULL
                                     : &file->tables[file->terms[i].table];

        for (k = 0; t != NULL && k < t->dimensions; k++)
            gather_axis(&t->axes[k], &alpha, &beta, &elevator);
    }
    if (v->given) {
        gather_blend(&alpha, v->alpha_min_deg, v->alpha_max_deg, v->beyond_deg);
        gather_blend(&beta, v->beta_min_deg, v->beta_max_deg, v->beyond_deg);
    }
    lines_set(&out->alpha_lines, alpha.at, alpha.count);
    lines_set(&out->beta_lines, beta.at, beta.count);
    lines_set(&out->elevator_lines, elevator.at, elevator.count);
}

void
airframe_init(struct airframe *out, const struct aircraft_type *type,
              const struct surroundings *around)
{
    const struct aircraft_file *file = type->file;
    const struct aircraft_mass *m = &file->mass;
    const double tensor[3][3] = {
        {m->ixx,  -m->ixy, -m->ixz},
        {-m->ixy, m->iyy,  -m->iyz},
        {-m->ixz, -m->iyz, m->izz }
    };

    memset(out, 0, sizeof(*out));
    out->around = *around;
    out->type = type;
    out->dry_mass_kg = m->empty_kg;
    out->fuel_max_kg = m->fuel_kg;
    out->area_m2 = file->reference.area_m2;
    out->span_m = file->reference.span_m;
    out->chord_m = file->reference.chord_m;
    /* Shares of the chord count aft, body x counts ahead. */
    out->reference_m[0] =
        (m->cg_mac - file->reference.moment_ref_mac) * out->chord_m;
    out->rotor = m->rotor_h;
    airframe_set_inertia(out, tensor);
    out->gear = file->gear;
    set_lines(out, file);
    out->engine = file->engine.heading.line > 0;
    out->systems = file->control.law != AIRCRAFT_LAW_NONE;
}

void
airframe_local_of(struct airframe_local *out, const struct planet *planet,
                  const struct airframe_state *s)
{
    struct planet_place place;
    struct rotation r;
    int i, k;

    rotation_of(&r, s->attitude);
    if (planet->kind == PLANET_FLAT) {
        memcpy(out->position_m, s->position_m, sizeof(out->position_m));
        memcpy(out->velocity_mps, s->velocity_mps, sizeof(out->velocity_mps));
        memcpy(out->rates_rps, s->rates_rps, sizeof(out->rates_rps));
        out->attitude = r;
        return;
    }
    planet_locate(planet, s->position_m, &place);
    out->position_m[0] = out->position_m[1] = 0;
    out->position_m[2] = -place.height_m;
    for (i = 0; i < 3; i++) {
        out->velocity_mps[i] = vector_dot(place.ned[i], s->velocity_mps);
        out->rates_rps[i] = s->rates_rps[i] - planet->turn_rps * r.m[2][i];
        for (k = 0; k < 3; k++)
            out->attitude.m[i][k] = place.ned[i][0] * r.m[0][k] +
                                    place.ned[i][1] * r.m[1][k] +
                                    place.ned[i][2] * r.m[2][k];
    }
}

static void
euler_attitude(double out[4], double heading, double pitch, double bank)
{
    double ch = motion_cos(heading / 2), sh = motion_sin(heading / 2);
    double cp = motion_cos(pitch / 2), sp = motion_sin(pitch / 2);
    double cb = motion_cos(bank / 2), sb = motion_sin(bank / 2);

    out[0] = cb * cp * ch + sb * sp * sh;
    out[1] = sb * cp * ch - cb * sp * sh;
    out[2] = cb * sp * ch + sb * cp * sh;
    out[3] = cb * cp * sh - sb * sp * ch;
}

void
airframe_place(struct airframe_state *s, const struct planet *planet,
               const struct planet_geodetic *at, const double ned_mps[3],
               double heading_rad, double pitch_rad, double bank_rad)
{
    double level[4], euler[4], turn[3];
    struct planet_place place;
    struct rotation r;
    int i;

    planet_position_of(planet, at, s->position_m);
    planet_locate(planet, s->position_m, &place);
    for (i = 0; i < 3; i++)
        s->velocity_mps[i] = place.ned[0][i] * ned_mps[0] +
                             place.ned[1][i] * ned_mps[1] +
                             place.ned[2][i] * ned_mps[2];
    planet_level(planet, at, level);
    euler_attitude(euler, heading_rad, pitch_rad, bank_rad);
    quaternion_product(s->attitude, level, euler);
    rotation_of(&r, s->attitude);
    planet_local_turn(planet, s->position_m, s->velocity_mps, turn);
    rotation_to_body(s->rates_rps, &r, turn);
}

/* Height, wind and the way down, which over a flat Earth cost little. */
static void
air_around(struct airframe_air *out, const struct airframe *f,
           const struct airframe_state *s, const struct rotation *r,
           double wind[3])
{
    const struct weather *w = &f->around.weather;
    struct planet_place place;
    int i;

    if (f->around.planet.kind == PLANET_FLAT) {
        out->height_m = -s->position_m[2];
        for (i = 0; i < 3; i++) {
            wind[i] = w->wind_mps[i] + w->shear_per_s[i] * out->height_m;
            out->down_body[i] = r->m[2][i];
            out->rates_rps[i] = s->rates_rps[i];
        }
        return;
    }
    planet_locate(&f->around.planet, s->position_m, &place);
    out->height_m = place.height_m;
    weather_wind(w, &place, wind);
    rotation_to_body(out->down_body, r, place.ned[2]);
    for (i = 0; i < 3; i++)
        out->rates_rps[i] =
            s->rates_rps[i] - f->around.planet.turn_rps * r->m[2][i];
}

static void
air_at(struct airframe_air *out, const struct airframe *f,
       const struct airframe_state *s, const struct rotation *r,
       const double gust_mps[3])
{
    struct atmosphere a;
    double *v = out->body_mps, wind[3], ahead;
    int i;

    air_around(out, f, s, r, wind);
    weather_air(&f->around.weather, &a, out->height_m);
    for (i = 0; i < 3; i++)
        wind[i] = s->velocity_mps[i] - wind[i] - gust_mps[i];
    rotation_to_body(v, r, wind);
    out->speed_mps = vector_length(v);
    /* Below 5 m/s the angles fade: a body at rest has none, and none jumps. */
    ahead =
        out->speed_mps < SLOW_MPS ? v[0] + (SLOW_MPS - out->speed_mps) : v[0];
    out->alpha_rad = motion_atan2(v[2], ahead);
    out->beta_rad = motion_atan2(v[1], sqrt(ahead * ahead + v[2] * v[2]));
    out->mach = out->speed_mps / a.sound_speed;
    out->density = a.density;
    out->pressure_pa = 0.5 * a.density * out->speed_mps * out->speed_mps;
    out->normal_g = 0;
    out->wheel_load_n = 0;
}

void
airframe_air(struct airframe_air *out, const struct airframe *f,
             const struct airframe_state *s)
{
    static const double calm[3];
    struct rotation r;

    rotation_of(&r, s->attitude);
    air_at(out, f, s, &r, calm);
}

void
airframe_gust(const struct airframe *f, const struct airframe_state *s,
              uint32_t entity, double time_s, double gust_mps[3])
{
    const struct gusts *g = &f->around.weather.gusts;
    struct gusts_place at = {entity, 0, time_s, 0,
                             vector_length(s->velocity_mps)};
    struct planet_place place;
    double ned[3];
    int i;

    memset(gust_mps, 0, 3 * sizeof(*gust_mps));
    if (g->turbulence == GUSTS_CALM && g->single_mps <= 0)
        return;
    planet_locate(&f->around.planet, s->position_m, &place);
    at.height_m = place.height_m;
    if (f->around.planet.kind == PLANET_FLAT)
        at.height_m -= ground_height(&f->around.ground, s->position_m[0],
                                     s->position_m[1]);
    gusts_at(g, &at, ned);
    for (i = 0; i < 3; i++)
        gust_mps[i] = place.ned[0][i] * ned[0] + place.ned[1][i] * ned[1] +
                      place.ned[2][i] * ned[2];
}

static void
turn_rates(const struct airframe *f, const double w[3], const double moment[3],
           double out[3])
{
    const struct airframe_spin *spin = &f->spin;
    double p = w[0], q = w[1], r = w[2];
    /* The rotor's own turn resists as a moment does. */
    double turn[3] = {moment[0], moment[1] - f->rotor * r,
                      moment[2] + f->rotor * q};
    double pp = p * p, qq = q * q, rr = r * r;
    double pq = p * q, pr = p * r, qr = q * r;
    int i;

    for (i = 0; i < 3; i++) {
        const double *c = spin->products[i];

        out[i] = (c[0] * pp + c[1] * qq + c[2] * rr) +
                 (c[3] * pq + c[4] * pr + c[5] * qr) +
                 vector_dot(spin->inverse[i], turn);
    }
}

/* Power, fuel and gear follow their commands. */
static void
engine_and_gear(const struct airframe *f, const struct airframe_state *s,
                const struct airframe_command *command,
                const double targets[ENGINE_TARGETS],
                struct airframe_state *dot)
{
    double asked = s->fuel_kg > 0 && command->thrust_lost < 1
                       ? engine_power_command(f->type, command->throttle)
                       : 0;
    double gap = command->gear - s->gear;

    dot->power = engine_power_rate(f->type, s->power, asked);
    dot->fuel_kg = s->fuel_kg > 0 ? -targets[ENGINE_FUEL] : 0;
    dot->gear = gap > 0   ? 1 / GEAR_TRANSIT_S
                : gap < 0 ? -1 / GEAR_TRANSIT_S
                          : 0;
}

/* Thrust, and the engine's numbers for what follows. */
static double
thrust_of(const struct airframe *f, const struct airframe_state *s,
          double *values, double targets[ENGINE_TARGETS])
{
    double burning = motion_clamp(s->fuel_kg, 0, 1); /* the last kilogram */

    if (!f->engine)
        return 0;
    aero_run_here(&f->type->engine, values, targets);
    return (f->systems ? burning : 1) * engine_thrust_of(targets, s->power);
}

/* What happens by itself in an aircraft with systems. */
static void
systems_rates(const struct airframe *f, const struct airframe_state *s,
              const struct airframe_command *command,
              const struct airframe_air *air,
              const double targets[ENGINE_TARGETS], struct airframe_state *dot)
{
    if (!f->systems) {
        dot->elevator_deg = dot->aileron_deg = dot->rudder_deg = 0;
        dot->pitch_trim_deg = dot->power = dot->fuel_kg = dot->gear = 0;
        return;
    }
    engine_and_gear(f, s, command, targets, dot);
    control_rates(&f->type->control, s, air, command, dot);
}

/* The moments are about the reference point: move them to the centre. */
static void
move_moment(const double arm[3], const double force[3], double moment[3])
{
    double turn[3];
    int i;

    vector_cross(turn, arm, force);
    for (i = 0; i < 3; i++)
        moment[i] += turn[i];
}

void
airframe_aero(const struct airframe *f, const struct airframe_state *s,
              const struct airframe_air *air, double force[3], double moment[3])
{
    double values[AERO_VALUES];
    double separated = forces_values(f, s, air, values);

    if (f->type->has_forces)
        forces_air(f, air, values, separated, force, moment);
}

void
airframe_derivative(const struct airframe *f, const struct airframe_state *s,
                    const struct airframe_command *command,
                    struct airframe_state *dot, struct airframe_air *air)
{
    double force[3] = {0, 0, 0}, moment[3] = {0, 0, 0}, contact[3] = {0, 0, 0};
    double values[AERO_VALUES], targets[ENGINE_TARGETS] = {0};
    double world[3], separated, thrust;
    double per_mass = 1 / (f->dry_mass_kg + s->fuel_kg + command->load_kg);
    struct rotation r;
    int i;

    rotation_of(&r, s->attitude);
    air_at(air, f, s, &r, command->gust_mps);
    separated = forces_values(f, s, air, values);
    if (f->type->has_forces)
        forces_air(f, air, values, separated, force, moment);
    move_moment(f->reference_m, force, moment);
    thrust = thrust_of(f, s, values, targets);
    force[0] += thrust * (1 - command->thrust_lost);
    moment[2] -= thrust * command->thrust_arm_m;
    air->wheel_load_n = struts_forces(f, s, command, air->height_m, contact,
                                      moment, dot->stick_m);
    air->normal_g = (air->wheel_load_n * air->down_body[2] - force[2]) *
                    per_mass / f->around.planet.gravity_mps2;
    rotation_to_world(world, &r, force);
    planet_fall(&f->around.planet, s->position_m, s->velocity_mps,
                dot->velocity_mps);
    for (i = 0; i < 3; i++) {
        dot->position_m[i] = s->velocity_mps[i];
        dot->velocity_mps[i] += (world[i] + contact[i]) * per_mass;
    }
    quaternion_rate(dot->attitude, s->attitude, air->rates_rps);
    turn_rates(f, s->rates_rps, moment, dot->rates_rps);
    systems_rates(f, s, command, air, targets, dot);
}

static void
state_ahead(struct airframe_state *out, const struct airframe_state *from,
            const struct airframe_state *dot, double t)
{
    const double *a = (const double *)from, *b = (const double *)dot;
    double *o = (double *)out;
    int i;

    for (i = 0; i < AIRFRAME_STATES; i++)
        o[i] = a[i] + b[i] * t;
}

/* What no integrator may leave its bounds by. */
static void
state_bound(struct airframe_state *s)
{
    s->power = motion_clamp(s->power, 0, 100);
    s->gear = motion_clamp(s->gear, 0, 1);
    if (s->fuel_kg < 0)
        s->fuel_kg = 0;
}

/* How much of a step passes before it leaves its cell of the tables, by what it
 * was at the step's start and is at its middle. */
static double
share_in_cell(const struct airframe *f, const struct airframe_state *from,
              const struct airframe_air *start,
              const struct airframe_state *middle,
              const struct airframe_air *air)
{
    double share[3];

    share[0] = lines_share(&f->alpha_lines, start->alpha_rad,
                           2 * air->alpha_rad - start->alpha_rad);
    share[1] = lines_share(&f->beta_lines, start->beta_rad,
                           2 * air->beta_rad - start->beta_rad);
    share[2] = lines_share(&f->elevator_lines, from->elevator_deg,
                           2 * middle->elevator_deg - from->elevator_deg);
    if (share[1] < share[0])
        share[0] = share[1];
    return share[2] < share[0] ? share[2] : share[0];
}

/* RK4 from a state whose derivative `k1` is known; `k2` is that at the middle. */
static void
runge_kutta(const struct airframe *f, struct airframe_state *s,
            const struct airframe_command *command,
            const struct airframe_state *k1, const struct airframe_state *k2,
            double dt_s, struct airframe_air *air)
{
    struct airframe_state k3, k4, at;
    const double *a = (const double *)k1, *b = (const double *)k2;
    const double *c = (const double *)&k3, *d = (const double *)&k4;
    double *o = (double *)s;
    double sixth = dt_s / 6;
    int i;

    state_ahead(&at, s, k2, dt_s / 2);
    airframe_derivative(f, &at, command, &k3, air);
    state_ahead(&at, s, &k3, dt_s);
    airframe_derivative(f, &at, command, &k4, air);
    for (i = 0; i < AIRFRAME_STATES; i++)
        o[i] += sixth * (a[i] + 2 * (b[i] + c[i]) + d[i]);
    state_bound(s);
    quaternion_unit(s->attitude);
}

/*
 * Flies on for at most `dt_s`, and unless `whole` not across a breakpoint of the
 * tables. Returns what it flew.
 */
static double
step_in_cell(const struct airframe *f, struct airframe_state *s,
             const struct airframe_command *command, double dt_s, int whole,
             struct airframe_air *air)
{
    struct airframe_state k1, k2, middle;
    struct airframe_air start;
    double share;

    airframe_derivative(f, s, command, &k1, &start);
    /* Where the air is this slow, no force of it matters. */
    whole |= start.speed_mps < SLOW_MPS;
    if (!whole && dt_s > STEEP_PART_S &&
        fabs(start.alpha_rad) + fabs(start.beta_rad) > STEEP_RAD)
        dt_s /= 2;
    state_ahead(&middle, s, &k1, dt_s / 2);
    airframe_derivative(f, &middle, command, &k2, air);
    share = whole ? 1 : share_in_cell(f, s, &start, &middle, air);
    if (share < 1) {
        dt_s *= share;
        state_ahead(&middle, s, &k1, dt_s / 2);
        airframe_derivative(f, &middle, command, &k2, air);
    }
    runge_kutta(f, s, command, &k1, &k2, dt_s, air);
    return dt_s;
}

/* A few cells may be crossed in a part; then the rest is flown as one. */
static void
fly_part(const struct airframe *f, struct airframe_state *s,
         const struct airframe_command *command, double dt_s,
         struct airframe_air *air)
{
    double left = dt_s;
    int i;

    for (i = 0; i < CELLS_MAX && left > 1e-9 * dt_s; i++)
        left -= step_in_cell(f, s, command, left, i == CELLS_MAX - 1, air);
}

int
airframe_parts(double dt_s)
{
    /* The hair keeps a tick of just this length in one part. */
    return motion_floor(dt_s / PART_MAX_S * (1 - 1e-9)) + 1;
}

void
airframe_step(const struct airframe *f, struct airframe_state *s,
              const struct airframe_command *command, double dt_s,
              struct airframe_air *air)
{
    int parts = airframe_parts(dt_s);
    int wheels = struts_near(f, s);
    int i;

    if (wheels)
        parts *= struts_parts(f, s, dt_s / parts);
    for (i = 0; i < parts; i++) {
        fly_part(f, s, command, dt_s / parts, air);
        if (wheels)
            struts_slip(f, s, command);
    }
}
