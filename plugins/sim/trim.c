/* Steady flight, searched with the airframe's own forces. */
#include "airframe.h"
#include "engine.h"
#include "units.h"
#include <errno.h>
#include <math.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <string.h>

#define ALPHA_FIRST_DEG (-8.0)
#define ALPHA_LAST_DEG  50.0
#define ALPHA_STEP_DEG  0.5
#define HALVINGS        52

struct level_flight {
    const struct airframe *frame;
    struct airframe_state state;
    struct airframe_state dot;
    double thrust_n; /* what is missing along the path */
};

/* Evaluates the derivative with these angles; idle at no fuel: no thrust. */
static void
level_evaluate(struct level_flight *l, double alpha_rad, double elevator_deg)
{
    static const struct airframe_command none;
    struct airframe_air air;

    l->state.attitude[0] = motion_cos(alpha_rad / 2);
    l->state.attitude[2] = motion_sin(alpha_rad / 2);
    l->state.elevator_deg = elevator_deg;
    airframe_derivative(l->frame, &l->state, &none, &l->dot, &air);
}

/* The elevator that stops pitching at this alpha, within its travel. */
static double
level_elevator(struct level_flight *l, double alpha_rad)
{
    const struct control_surface *c =
        &l->frame->type->control.surfaces[AIRCRAFT_ELEVATOR];
    double low = c->min_deg, high = c->max_deg, middle = 0;
    int i;

    for (i = 0; i < HALVINGS; i++) {
        middle = (low + high) / 2;
        level_evaluate(l, alpha_rad, middle);
        /* More elevator is nose down. */
        if (l->dot.rates_rps[1] > 0)
            low = middle;
        else
            high = middle;
    }
    return middle;
}

/* How fast it would fall (m/s2) at this alpha, elevator and thrust trimmed. */
static double
level_sink(struct level_flight *l, double alpha_rad, double *elevator_deg,
           double mass_kg)
{
    *elevator_deg = level_elevator(l, alpha_rad);
    level_evaluate(l, alpha_rad, *elevator_deg);
    l->thrust_n = -l->dot.velocity_mps[0] / motion_cos(alpha_rad) * mass_kg;
    return l->dot.velocity_mps[2] -
           l->thrust_n / mass_kg * motion_sin(alpha_rad);
}

/* Where the sink changes sign between two alphas. */
static double
level_alpha(struct level_flight *l, double low, double high, double mass_kg)
{
    double middle = low, elevator;
    int i;

    for (i = 0; i < HALVINGS; i++) {
        middle = (low + high) / 2;
        if (level_sink(l, middle, &elevator, mass_kg) > 0)
            low = middle;
        else
            high = middle;
    }
    return middle;
}

/* Whether the elevator stopped short of its ends. */
static int
within_travel(const struct airframe *f, double elevator_deg)
{
    const struct control_surface *c =
        &f->type->control.surfaces[AIRCRAFT_ELEVATOR];

    return elevator_deg > c->min_deg + 0.01 && elevator_deg < c->max_deg - 0.01;
}

int
airframe_trim_level(const struct airframe *f, double height_m, double speed_mps,
                    double mass_kg, struct airframe_trim *out)
{
    struct airframe frame = *f;
    struct level_flight l = {.frame = &frame};
    struct airframe_air air;
    double alpha = ALPHA_FIRST_DEG * RADIANS_PER_DEG, elevator;

    /* Without fuel there is no thrust: the mass goes into the frame. */
    frame.dry_mass_kg = mass_kg;
    /* A curved planet's own needs a different search; the difference is small. */
    frame.around.planet.kind = PLANET_FLAT;
    frame.around.planet.turn_rps = 0;
    l.state.position_m[2] = -height_m;
    l.state.velocity_mps[0] = speed_mps;
    while (level_sink(&l, alpha, &elevator, mass_kg) > 0) {
        alpha += ALPHA_STEP_DEG * RADIANS_PER_DEG;
        if (alpha > ALPHA_LAST_DEG * RADIANS_PER_DEG)
            return -ERANGE;
    }
    out->alpha_rad = level_alpha(&l, alpha - ALPHA_STEP_DEG * RADIANS_PER_DEG,
                                 alpha, mass_kg);
    level_sink(&l, out->alpha_rad, &out->elevator_deg, mass_kg);
    airframe_air(&air, &frame, &l.state);
    out->power = engine_power_for(f->type, l.thrust_n, height_m, air.mach);
    return out->power < 0 || !within_travel(f, out->elevator_deg) ? -ERANGE : 0;
}

/* What a steady flight may choose; straight flight leaves the rest at 0. */
enum unknown {
    PITCH,
    ELEVATOR,
    POWER,
    BANK,
    SLIP, /* the nose off the course */
    AILERON,
    RUDDER,
    UNKNOWNS
};

#define UNKNOWNS_STRAIGHT 3
#define NEWTON_STEPS      30
#define TURN_PARTS        12
#define SMALL_ENOUGH      1e-11

struct steady {
    struct airframe frame; /* its systems stand still */
    struct airframe_manoeuvre manoeuvre;
    struct airframe_state state;
    int unknowns;
};

static void
steady_place(struct steady *t, const double x[UNKNOWNS], double turn[3])
{
    const struct airframe_manoeuvre *m = &t->manoeuvre;
    const struct planet *planet = &t->frame.around.planet;
    double ned[3] = {m->speed_mps * motion_cos(m->course_rad),
                     m->speed_mps * motion_sin(m->course_rad), 0};
    struct planet_place place;
    struct rotation r;
    int i;

    airframe_place(&t->state, planet, &m->at, ned, m->course_rad + x[SLIP],
                   x[PITCH], x[BANK]);
    planet_locate(planet, t->state.position_m, &place);
    planet_local_turn(planet, t->state.position_m, t->state.velocity_mps, turn);
    for (i = 0; i < 3; i++)
        turn[i] += m->turn_rps * place.ned[2][i];
    rotation_of(&r, t->state.attitude);
    rotation_to_body(t->state.rates_rps, &r, turn);
    turn[2] -= planet->turn_rps; /* as world axes see it */
    t->state.elevator_deg = x[ELEVATOR];
    t->state.power = x[POWER];
    t->state.aileron_deg = x[AILERON];
    t->state.rudder_deg = x[RUDDER];
}

/* What is left over, in the order of what mends it best. */
static void
steady_error(struct steady *t, const double x[UNKNOWNS], double out[UNKNOWNS])
{
    static const struct airframe_command none;
    const struct airframe *f = &t->frame;
    double turn[3], bend[3], left[3], force[3] = {0}, moment[3] = {0};
    struct airframe_state dot;
    struct airframe_air air;
    struct rotation r;
    int i;

    steady_place(t, x, turn);
    airframe_derivative(f, &t->state, &none, &dot, &air);
    vector_cross(bend, turn, t->state.velocity_mps);
    for (i = 0; i < 3; i++)
        bend[i] = (dot.velocity_mps[i] - bend[i]) / GRAVITY_MPS2;
    rotation_of(&r, t->state.attitude);
    rotation_to_body(left, &r, bend);
    airframe_aero(f, &t->state, &air, force, moment);
    out[0] = left[2];
    out[1] = dot.rates_rps[1];
    out[2] = left[0];
    out[3] = left[1];
    out[4] = force[1] / (f->dry_mass_kg * GRAVITY_MPS2);
    out[5] = dot.rates_rps[0];
    out[6] = dot.rates_rps[2];
}

static double
largest(const double *values, int count)
{
    double most = 0;
    int i;

    for (i = 0; i < count; i++)
        most = fabs(values[i]) > most ? fabs(values[i]) : most;
    return most;
}

/* Solves a x = b in place, by elimination with the largest pivot. */
static int
solve(double a[UNKNOWNS][UNKNOWNS], double b[UNKNOWNS], int count)
{
    double factor, spare;
    int i, k, row, pivot;

    for (i = 0; i < count; i++) {
        pivot = i;
        for (row = i + 1; row < count; row++)
            if (fabs(a[row][i]) > fabs(a[pivot][i]))
                pivot = row;
        if (!(fabs(a[pivot][i]) > 1e-14))
            return -ERANGE;
        for (k = 0; k < count; k++) {
            spare = a[i][k];
            a[i][k] = a[pivot][k];
            a[pivot][k] = spare;
        }
        spare = b[i];
        b[i] = b[pivot];
        b[pivot] = spare;
        for (row = 0; row < count; row++) {
            if (row == i)
                continue;
            factor = a[row][i] / a[i][i];
            for (k = i; k < count; k++)
                a[row][k] -= factor * a[i][k];
            b[row] -= factor * b[i];
        }
    }
    for (i = 0; i < count; i++)
        b[i] /= a[i][i];
    return 0;
}

/* Newton's method with slopes by differences. */
static int
steady_search(struct steady *t, double x[UNKNOWNS])
{
    static const double nudge[UNKNOWNS] = {1e-6, 1e-4, 1e-3, 1e-6,
                                           1e-6, 1e-4, 1e-4};
    static const double most[UNKNOWNS] = {0.05, 3, 10, 0.1, 0.02, 3, 3};
    double slopes[UNKNOWNS][UNKNOWNS], error[UNKNOWNS], near[UNKNOWNS];
    double before;
    int step, i, k;

    for (step = 0; step < NEWTON_STEPS; step++) {
        steady_error(t, x, error);
        if (largest(error, t->unknowns) < SMALL_ENOUGH)
            return 0;
        for (i = 0; i < t->unknowns; i++) {
            before = x[i];
            x[i] = before + nudge[i];
            steady_error(t, x, near);
            x[i] = before;
            for (k = 0; k < t->unknowns; k++)
                slopes[k][i] = (near[k] - error[k]) / nudge[i];
        }
        if (solve(slopes, error, t->unknowns) < 0)
            return -ERANGE;
        for (i = 0; i < t->unknowns; i++)
            x[i] -= motion_clamp(error[i], -most[i], most[i]);
    }
    steady_error(t, x, error);
    return largest(error, t->unknowns) < 1e-8 ? 0 : -ERANGE;
}

/* Into the turn by parts: each starts from the trim of the one before. */
static int
steady_turn(struct steady *t, double turn_rps, double x[UNKNOWNS])
{
    int i, err = 0;

    t->unknowns = UNKNOWNS;
    for (i = 1; i <= TURN_PARTS && err == 0; i++) {
        t->manoeuvre.turn_rps = turn_rps * i / TURN_PARTS;
        x[BANK] = motion_atan2(t->manoeuvre.speed_mps * t->manoeuvre.turn_rps,
                               GRAVITY_MPS2);
        err = steady_search(t, x);
    }
    return err;
}

int
airframe_trim(const struct airframe *f,
              const struct airframe_manoeuvre *manoeuvre,
              struct airframe_state *s)
{
    struct steady t = {*f, *manoeuvre, *s, UNKNOWNS_STRAIGHT};
    double x[UNKNOWNS] = {0.05, -2, 20, 0, 0, 0, 0};
    struct airframe_trim level;
    int err;

    t.frame.systems = 0;
    t.manoeuvre.turn_rps = 0;
    if (airframe_trim_level(f, manoeuvre->at.height_m, manoeuvre->speed_mps,
                            f->dry_mass_kg + s->fuel_kg, &level) == 0) {
        x[PITCH] = level.alpha_rad;
        x[ELEVATOR] = level.elevator_deg;
        x[POWER] = level.power;
    }
    err = steady_search(&t, x);
    if (err == 0 && manoeuvre->turn_rps != 0)
        err = steady_turn(&t, manoeuvre->turn_rps, x);
    if (err < 0 || !(x[POWER] >= 0 && x[POWER] <= engine_power_max(f->type)))
        return -ERANGE;
    *s = t.state;
    return 0;
}
