#include "forces.h"

#include "units.h"

#define BLEND_DEG 10.0 /* over how much the flat plate takes over */
#define AGL_SPANS 4.0  /* above it the ground is not felt */

static double
sign(double value)
{
    return value < 0 ? -1 : 1;
}

/* 0 within the tables, 1 where the flow is all separated, smooth between. */
static double
separation(const struct aircraft_valid *v, double alpha_deg, double beta_deg)
{
    double beyond = alpha_deg - v->alpha_max_deg;
    double share;

    if (v->alpha_min_deg - alpha_deg > beyond)
        beyond = v->alpha_min_deg - alpha_deg;
    if (beta_deg - v->beta_max_deg > beyond)
        beyond = beta_deg - v->beta_max_deg;
    if (v->beta_min_deg - beta_deg > beyond)
        beyond = v->beta_min_deg - beta_deg;
    if (beyond <= v->beyond_deg)
        return 0;
    share = motion_clamp((beyond - v->beyond_deg) * (1 / BLEND_DEG), 0, 1);
    return share * share * (3 - 2 * share);
}

/* In spans; over a flat planet alone there is terrain. */
static double
height_in_spans(const struct airframe *f, const struct airframe_state *s,
                double height_m)
{
    if (f->around.planet.kind == PLANET_FLAT)
        height_m -= ground_height(&f->around.ground, s->position_m[0],
                                  s->position_m[1]);
    return motion_clamp(height_m / f->span_m, 0, AGL_SPANS);
}

static double
flap_angle(const struct aircraft_flap *flap, const struct airframe_air *air)
{
    if (flap->down_deg == 0)
        return 0;
    return flap->down_deg *
           motion_clamp((flap->none_above_mps - air->speed_mps) /
                            (flap->none_above_mps - flap->full_below_mps),
                        0, 1);
}

double
forces_values(const struct airframe *f, const struct airframe_state *s,
              const struct airframe_air *air, double *values)
{
    const struct aircraft_valid *v = &f->type->file->valid;
    double slow = f->type->slow_mps;
    double speed = air->speed_mps > slow ? air->speed_mps : slow;
    double half = 0.5 / speed; /* a turn rate as a plain number */
    double alpha = air->alpha_rad * DEG_PER_RAD;
    double beta = air->beta_rad * DEG_PER_RAD;
    double separated = 0;

    if (v->given) {
        separated = separation(v, alpha, beta);
        alpha = motion_clamp(alpha, v->alpha_min_deg - v->beyond_deg,
                             v->alpha_max_deg + v->beyond_deg);
        beta = motion_clamp(beta, v->beta_min_deg - v->beyond_deg,
                            v->beta_max_deg + v->beyond_deg);
    }
    values[AIRCRAFT_ALPHA_DEG] = alpha;
    values[AIRCRAFT_ALPHA_RAD] = alpha * RADIANS_PER_DEG;
    values[AIRCRAFT_ABS_ALPHA_DEG] = fabs(alpha);
    values[AIRCRAFT_SIGN_ALPHA] = sign(alpha);
    values[AIRCRAFT_BETA_DEG] = beta;
    values[AIRCRAFT_BETA_RAD] = beta * RADIANS_PER_DEG;
    values[AIRCRAFT_ABS_BETA_DEG] = fabs(beta);
    values[AIRCRAFT_SIGN_BETA] = sign(beta);
    values[AIRCRAFT_MACH] = air->mach;
    values[AIRCRAFT_PHAT] = air->rates_rps[0] * f->span_m * half;
    values[AIRCRAFT_QHAT] = air->rates_rps[1] * f->chord_m * half;
    values[AIRCRAFT_RHAT] = air->rates_rps[2] * f->span_m * half;
    values[AIRCRAFT_ELEVATOR_DEG] = s->elevator_deg;
    values[AIRCRAFT_AILERON_DEG] = s->aileron_deg;
    values[AIRCRAFT_RUDDER_DEG] = s->rudder_deg;
    values[AIRCRAFT_FLAP_DEG] = flap_angle(&f->type->file->flap, air);
    values[AIRCRAFT_GEAR] = s->gear;
    values[AIRCRAFT_AGL_SPAN] =
        f->type->uses_ground ? height_in_spans(f, s, air->height_m) : AGL_SPANS;
    values[AIRCRAFT_ALTITUDE_M] = air->height_m;
    values[AIRCRAFT_ALTITUDE_FT] = air->height_m * (1 / METRES_PER_FOOT);
    values[AIRCRAFT_POWER] = s->power;
    values[AIRCRAFT_DENSITY_RATIO] =
        air->density * (1 / ATMOSPHERE_SEA_LEVEL_DENSITY);
    return separated;
}

/*
 * Separated flow: force across the plate, drag along it, the nose weathercocks
 * slowly into the wind, every rate is damped. Blends into it by `share`.
 */
static void
flat_plate(const struct airframe_air *air, const double *values, double share,
           double c[AIRCRAFT_LIFT + 1])
{
    double alpha = air->alpha_rad, beta = air->beta_rad;
    double across = motion_sin(alpha) * motion_cos(beta);
    double along = motion_cos(alpha) * motion_cos(beta);
    double aside = motion_sin(beta);
    const double plate[AIRCRAFT_LIFT + 1] = {
        [AIRCRAFT_CX] = -0.1 * along,
        [AIRCRAFT_CY] = -1.0 * aside,
        [AIRCRAFT_CZ] = -2.0 * across,
        [AIRCRAFT_CL] = -0.3 * values[AIRCRAFT_PHAT],
        [AIRCRAFT_CM] = -0.4 * across - 6.0 * values[AIRCRAFT_QHAT],
        [AIRCRAFT_CN] = 0.1 * aside - 0.5 * values[AIRCRAFT_RHAT],
    };
    int i;

    for (i = 0; i <= AIRCRAFT_LIFT; i++)
        c[i] += (plate[i] - c[i]) * share;
}

/* Drag against the wind, lift across it in the plane of symmetry. */
static void
wind_axes(const struct airframe *f, const struct airframe_air *air,
          const double c[AIRCRAFT_LIFT + 1], double force[3])
{
    const double *v = air->body_mps;
    double push = 0.5 * air->density * air->speed_mps * f->area_m2;
    double level = sqrt(v[0] * v[0] + v[2] * v[2]);
    double drag = push * c[AIRCRAFT_DRAG];
    double lift =
        level > 1e-9 ? push * c[AIRCRAFT_LIFT] * air->speed_mps / level : 0;

    force[0] += lift * v[2] - drag * v[0];
    force[1] -= drag * v[1];
    force[2] -= lift * v[0] + drag * v[2];
}

void
forces_air(const struct airframe *f, const struct airframe_air *air,
           double *values, double separated, double force[3], double moment[3])
{
    double push = air->pressure_pa * f->area_m2;
    double c[AIRCRAFT_LIFT + 1];

    aero_run_here(&f->type->aero, values, c);
    if (separated > 0)
        flat_plate(air, values, separated, c);
    force[0] += push * c[AIRCRAFT_CX];
    force[1] += push * c[AIRCRAFT_CY];
    force[2] += push * c[AIRCRAFT_CZ];
    moment[0] += push * f->span_m * c[AIRCRAFT_CL];
    moment[1] += push * f->chord_m * c[AIRCRAFT_CM];
    moment[2] += push * f->span_m * c[AIRCRAFT_CN];
    if (c[AIRCRAFT_DRAG] != 0 || c[AIRCRAFT_LIFT] != 0)
        wind_axes(f, air, c, force);
}
