/* The types of body: their constants and what the air does to them. */
#include "bodies.h"

#include "aero_f16.h"
#include "units.h"
#include <string.h>

#define TABLES_CG 0.35
#define GEAR_DRAG 0.02
#define SLOW_MPS  5.0 /* below it, rate terms fade with the speed */

/* Half a length over the speed, which makes a turn rate a plain number. */
static double
half_per_speed(const struct airframe_air *air)
{
    return 0.5 / (air->speed_mps > SLOW_MPS ? air->speed_mps : SLOW_MPS);
}

static void
f16_aero(const struct airframe *f, const struct airframe_state *s,
         const struct airframe_air *air, double force[3], double moment[3])
{
    double half = half_per_speed(air);
    double half_span = f->span_m * half, half_chord = f->chord_m * half;
    double push = air->pressure_pa * f->area_m2;
    struct aero_input in = {
        .alpha_deg = air->alpha_rad * DEG_PER_RAD,
        .beta_deg = air->beta_rad * DEG_PER_RAD,
        .roll_rate = air->rates_rps[0] * half_span,
        .pitch_rate = air->rates_rps[1] * half_chord,
        .yaw_rate = air->rates_rps[2] * half_span,
        .elevator_deg = s->elevator_deg,
        .aileron_deg = s->aileron_deg,
        .rudder_deg = s->rudder_deg,
    };
    struct aero_coefficients c;

    aero_f16(f->tables, &in, &c);
    c.cx -= GEAR_DRAG * s->gear;
    force[0] += push * c.cx;
    force[1] += push * c.cy;
    force[2] += push * c.cz;
    moment[0] += push * f->span_m * c.cl;
    moment[1] += push * f->chord_m * c.cm;
    moment[2] += push * f->span_m * c.cn;
}

static void
f16_frame(struct airframe *out, const struct surroundings *around, double cg)
{
    memset(out, 0, sizeof(*out));
    out->around = *around;
    out->aero = f16_aero;
    out->tables = &f16_tables;
    out->engine = 1;
    out->area_m2 = 300 * METRES_PER_FOOT * METRES_PER_FOOT;
    out->span_m = 30 * METRES_PER_FOOT;
    out->chord_m = 11.32 * METRES_PER_FOOT;
    out->reference_m[0] = (cg - TABLES_CG) * out->chord_m;
    airframe_set_plane_inertia(
        out, 9496 * KG_M2_PER_SLUG_FT2, 55814 * KG_M2_PER_SLUG_FT2,
        63100 * KG_M2_PER_SLUG_FT2, 982 * KG_M2_PER_SLUG_FT2);
}

/* Every 5 degrees of alpha and beta, to where the blend beyond them ends. */
static void
f16_lines(struct airframe *out)
{
    static const double elevator_deg[3] = {-12, 0, 12};
    double alpha[16], beta[17];
    int i;

    for (i = 0; i < 16; i++)
        alpha[i] = (5 * i - 20) * RADIANS_PER_DEG;
    for (i = 0; i < 17; i++)
        beta[i] = (5 * i - 40) * RADIANS_PER_DEG;
    lines_set(&out->alpha_lines, alpha, 16);
    lines_set(&out->beta_lines, beta, 17);
    lines_set(&out->elevator_lines, elevator_deg, 3);
}

/* clang-format off */
static const struct gear f16_gear = {
    .struts = {
        {{4.0, 0.0, 2.0},   1.2e5, 1.5e4, 0.7, 0.02, 0,   0.55},
        {{-0.6, -1.2, 2.0}, 3.4e5, 4.5e4, 0.7, 0.02, 0.5, 0},
        {{-0.6, 1.2, 2.0},  3.4e5, 4.5e4, 0.7, 0.02, 0.5, 0},
    },
    .hull_m = {
        {8.5, 0, 0},        /* nose */
        {-5.5, 0, 0.2},     /* nozzle */
        {0, 0, 0.9},        /* intake */
        {-1.5, 4.9, 0},     /* wing tips */
        {-1.5, -4.9, 0},
        {-5.5, 0, -3.5},    /* fin */
        {-5.0, 2.8, 0.3},   /* tailplane tips */
        {-5.0, -2.8, 0.3},
        {2.0, 0, -1.6},     /* canopy */
    },
    .sink_max_mps = 5,
    .strut_count = 3,
    .hull_count = 9,
};
/* clang-format on */

void
airframe_f16(struct airframe *out, const struct surroundings *around)
{
    f16_frame(out, around, 0.30);
    out->gear = f16_gear;
    f16_lines(out);
    out->systems = 1;
    /* With half its fuel it has the 20500 lb of the book. */
    out->fuel_max_kg = 3160;
    out->dry_mass_kg = 9298.64 - out->fuel_max_kg / 2;
    out->rotor = 160 * KG_M2_PER_SLUG_FT2;
}

void
body_f16(struct airframe *out, const struct surroundings *around)
{
    f16_frame(out, around, 0.25);
    out->dry_mass_kg = 637.1595 * KG_PER_SLUG;
}

static void
drag_aero(const struct airframe *f, const struct airframe_state *s,
          const struct airframe_air *air, double force[3], double moment[3])
{
    double push = 0.5 * air->density * air->speed_mps * f->area_m2 * f->drag;
    int i;

    (void)s;
    (void)moment;
    for (i = 0; i < 3; i++)
        force[i] -= push * air->body_mps[i];
}

void
body_sphere(struct airframe *out, const struct surroundings *around)
{
    double inertia = 3.6 * KG_M2_PER_SLUG_FT2;

    memset(out, 0, sizeof(*out));
    out->around = *around;
    out->aero = drag_aero;
    out->dry_mass_kg = KG_PER_SLUG;
    out->area_m2 = 0.1963495 * METRES_PER_FOOT * METRES_PER_FOOT;
    out->drag = 0.1;
    airframe_set_plane_inertia(out, inertia, inertia, inertia, 0);
}

static void
damping_aero(const struct airframe *f, const struct airframe_state *s,
             const struct airframe_air *air, double force[3], double moment[3])
{
    const double lengths[3] = {f->span_m, f->chord_m, f->span_m};
    /* Pressure times half a length over the speed, at rest as well. */
    double push = 0.25 * air->density * air->speed_mps * f->area_m2;
    int i;

    (void)s;
    (void)force;
    for (i = 0; i < 3; i++)
        moment[i] += push * lengths[i] * lengths[i] * f->rate_damping[i] *
                     air->rates_rps[i];
}

void
body_brick(struct airframe *out, const struct surroundings *around)
{
    memset(out, 0, sizeof(*out));
    out->around = *around;
    out->aero = damping_aero;
    out->dry_mass_kg = 0.155404754 * KG_PER_SLUG;
    out->area_m2 = 0.22222 * METRES_PER_FOOT * METRES_PER_FOOT;
    out->span_m = METRES_PER_FOOT / 3;
    out->chord_m = 2 * METRES_PER_FOOT / 3;
    airframe_set_plane_inertia(out, 0.001894220 * KG_M2_PER_SLUG_FT2,
                               0.006211019 * KG_M2_PER_SLUG_FT2,
                               0.007194665 * KG_M2_PER_SLUG_FT2, 0);
}

void
body_brick_damped(struct airframe *out, const struct surroundings *around)
{
    int i;

    body_brick(out, around);
    for (i = 0; i < 3; i++)
        out->rate_damping[i] = -1;
}
