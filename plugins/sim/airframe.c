#include "airframe.h"

#include "aero_f16.h"
#include "atmosphere.h"
#include "control.h"
#include "engine.h"
#include "struts.h"
#include "units.h"
#include <motion/vector.h>
#include <string.h>

#define CG_OF_TABLES   0.35
#define GEAR_TRANSIT_S 5.0
#define GEAR_DRAG      0.02
#define SLOW_MPS       5.0 /* below it, rate terms fade with the speed */
#define PART_MAX_S     0.02

_Static_assert(sizeof(struct airframe_state) ==
                   AIRFRAME_STATES * sizeof(double),
               "RK4 walks the state as an array");

void
airframe_set_inertia(struct airframe *f, double ixx, double iyy, double izz,
                     double ixz)
{
    double whole = ixx * izz - ixz * ixz;

    f->c1 = ((iyy - izz) * izz - ixz * ixz) / whole;
    f->c2 = (ixx - iyy + izz) * ixz / whole;
    f->c3 = izz / whole;
    f->c4 = ixz / whole;
    f->c5 = (izz - ixx) / iyy;
    f->c6 = ixz / iyy;
    f->c7 = 1 / iyy;
    f->c8 = (ixx * (ixx - iyy) + ixz * ixz) / whole;
    f->c9 = ixx / whole;
}

void
airframe_f16(struct airframe *out, const struct ground *ground)
{
    memset(out, 0, sizeof(*out));
    out->tables = &f16_tables;
    out->ground = *ground;
    out->gravity_mps2 = GRAVITY_MPS2;
    /* With half its fuel it has the 20500 lb of the book. */
    out->fuel_max_kg = 3160;
    out->dry_mass_kg = 9298.64 - out->fuel_max_kg / 2;
    out->area_m2 = 300 * METRES_PER_FOOT * METRES_PER_FOOT;
    out->chord_per_span = 11.32 / 30;
    out->span_m = 30 * METRES_PER_FOOT;
    out->chord_m = 11.32 * METRES_PER_FOOT;
    out->cg = 0.30;
    out->rotor = 160 * KG_M2_PER_SLUG_FT2;
    airframe_set_inertia(out, 9496 * KG_M2_PER_SLUG_FT2,
                         55814 * KG_M2_PER_SLUG_FT2, 63100 * KG_M2_PER_SLUG_FT2,
                         982 * KG_M2_PER_SLUG_FT2);
}

static void
air_with_rotation(struct airframe_air *out, const struct airframe_state *s,
                  const struct rotation *r)
{
    struct atmosphere a;
    double *v = out->body_mps;
    int i;

    atmosphere_at(&a, -s->position_m[2]);
    rotation_to_body(v, r, s->velocity_mps);
    for (i = 0; i < 3; i++)
        out->down_body[i] = r->m[2][i];
    out->speed_mps = vector_length(v);
    out->alpha_rad = motion_atan2(v[2], v[0]);
    out->beta_rad = motion_atan2(v[1], sqrt(v[0] * v[0] + v[2] * v[2]));
    out->mach = out->speed_mps / a.sound_speed;
    out->density = a.density;
    out->pressure_pa = 0.5 * a.density * out->speed_mps * out->speed_mps;
    out->normal_g = 0;
    out->wheel_load_n = 0;
}

void
airframe_air(struct airframe_air *out, const struct airframe_state *s)
{
    struct rotation r;

    rotation_of(&r, s->attitude);
    air_with_rotation(out, s, &r);
}

/* Forces and moments of the air at the centre of mass, body axes. */
static void
air_forces(const struct airframe *f, const struct airframe_state *s,
           const struct airframe_air *air, double force[3], double moment[3])
{
    double slow = air->speed_mps > SLOW_MPS ? air->speed_mps : SLOW_MPS;
    double half_per_speed = 0.5 / slow;
    double half_span = f->span_m * half_per_speed;
    double half_chord = f->chord_m * half_per_speed;
    double push = air->pressure_pa * f->area_m2;
    struct aero_input in = {
        .alpha_deg = air->alpha_rad * DEG_PER_RAD,
        .beta_deg = air->beta_rad * DEG_PER_RAD,
        .roll_rate = s->rates_rps[0] * half_span,
        .pitch_rate = s->rates_rps[1] * half_chord,
        .yaw_rate = s->rates_rps[2] * half_span,
        .elevator_deg = s->elevator_deg,
        .aileron_deg = s->aileron_deg,
        .rudder_deg = s->rudder_deg,
    };
    struct aero_coefficients c;
    double offset = CG_OF_TABLES - f->cg;

    aero_f16(f->tables, &in, &c);
    /* The tables' moments are about 35 % chord: move them to the centre. */
    c.cm += c.cz * offset;
    c.cn -= c.cy * offset * f->chord_per_span;
    c.cx -= GEAR_DRAG * s->gear;
    force[0] = push * c.cx;
    force[1] = push * c.cy;
    force[2] = push * c.cz;
    moment[0] = push * f->span_m * c.cl;
    moment[1] = push * f->chord_m * c.cm;
    moment[2] = push * f->span_m * c.cn;
}

static void
turn_rates(const struct airframe *f, const double w[3], const double moment[3],
           double out[3])
{
    double p = w[0], q = w[1], r = w[2], h = f->rotor;

    out[0] = (f->c1 * r + f->c2 * p + f->c4 * h) * q + f->c3 * moment[0] +
             f->c4 * moment[2];
    out[1] = (f->c5 * p - f->c7 * h) * r - f->c6 * (p * p - r * r) +
             f->c7 * moment[1];
    out[2] = (f->c8 * p - f->c2 * r + f->c9 * h) * q + f->c4 * moment[0] +
             f->c9 * moment[2];
}

/* Power, fuel and gear follow their commands; returns the thrust. */
static double
engine_and_gear(const struct airframe_state *s,
                const struct airframe_command *command,
                const struct airframe_air *air, struct airframe_state *dot)
{
    double burning = motion_clamp(s->fuel_kg, 0, 1); /* the last kilogram */
    double asked = s->fuel_kg > 0 ? engine_power_command(command->throttle) : 0;
    double gap = command->gear - s->gear;

    dot->power = engine_power_rate(s->power, asked);
    dot->fuel_kg =
        s->fuel_kg > 0
            ? -engine_fuel_flow(s->power,
                                air->density / ATMOSPHERE_SEA_LEVEL_DENSITY)
            : 0;
    dot->gear = gap > 0   ? 1 / GEAR_TRANSIT_S
                : gap < 0 ? -1 / GEAR_TRANSIT_S
                          : 0;
    return burning * engine_thrust(s->power, -s->position_m[2], air->mach);
}

void
airframe_derivative(const struct airframe *f, const struct airframe_state *s,
                    const struct airframe_command *command,
                    struct airframe_state *dot, struct airframe_air *air)
{
    double force[3], moment[3], world[3], contact[3] = {0, 0, 0};
    double per_mass = 1 / (f->dry_mass_kg + s->fuel_kg);
    struct rotation r;
    int i;

    rotation_of(&r, s->attitude);
    air_with_rotation(air, s, &r);
    air_forces(f, s, air, force, moment);
    force[0] += engine_and_gear(s, command, air, dot);
    air->wheel_load_n = struts_forces(f, s, command, &r, contact, moment);
    air->normal_g =
        (air->wheel_load_n * r.m[2][2] - force[2]) * per_mass / f->gravity_mps2;
    rotation_to_world(world, &r, force);
    for (i = 0; i < 3; i++) {
        dot->position_m[i] = s->velocity_mps[i];
        dot->velocity_mps[i] = (world[i] + contact[i]) * per_mass;
    }
    dot->velocity_mps[2] += f->gravity_mps2;
    quaternion_rate(dot->attitude, s->attitude, s->rates_rps);
    turn_rates(f, s->rates_rps, moment, dot->rates_rps);
    control_rates(s, air, command, dot);
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

static void
runge_kutta(const struct airframe *f, struct airframe_state *s,
            const struct airframe_command *command, double dt_s,
            struct airframe_air *air)
{
    struct airframe_state k1, k2, k3, k4, at;
    const double *a = (const double *)&k1, *b = (const double *)&k2;
    const double *c = (const double *)&k3, *d = (const double *)&k4;
    double *o = (double *)s;
    double sixth = dt_s / 6;
    int i;

    airframe_derivative(f, s, command, &k1, air);
    state_ahead(&at, s, &k1, dt_s / 2);
    airframe_derivative(f, &at, command, &k2, air);
    state_ahead(&at, s, &k2, dt_s / 2);
    airframe_derivative(f, &at, command, &k3, air);
    state_ahead(&at, s, &k3, dt_s);
    airframe_derivative(f, &at, command, &k4, air);
    for (i = 0; i < AIRFRAME_STATES; i++)
        o[i] += sixth * (a[i] + 2 * (b[i] + c[i]) + d[i]);
    state_bound(s);
    quaternion_unit(s->attitude);
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
    int i;

    for (i = 0; i < parts; i++)
        runge_kutta(f, s, command, dt_s / parts, air);
}
