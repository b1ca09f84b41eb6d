#include "craft_modes.h"

#include "craft_eigen.h"
#include "engine.h"
#include "units.h"
#include <errno.h>
#include <math.h>
#include <string.h>

/* Body axes; the first four are what happens in the plane of symmetry. */
enum motion {
    U,
    W,
    Q,
    THETA,
    V,
    P,
    R,
    PHI,
    RIGID,
    ELEVATOR = RIGID,
    AILERON,
    RUDDER,
    PITCH_TRIM,
    POWER,
    MOTIONS
};

/* Small beside what tables have in a cell, large beside rounding. */
static const double nudges[MOTIONS] = {
    [U] = 0.05,        [W] = 0.02,       [Q] = 1e-4,      [THETA] = 1e-4,
    [V] = 0.02,        [P] = 1e-4,       [R] = 1e-4,      [PHI] = 1e-4,
    [ELEVATOR] = 0.01, [AILERON] = 0.01, [RUDDER] = 0.01, [PITCH_TRIM] = 0.01,
    [POWER] = 0.01};

struct linear {
    struct airframe frame;
    struct airframe_state at;
    struct airframe_command command;
    double speed_mps;
    double x0[MOTIONS];
    double a[CRAFT_EIGEN_MAX][CRAFT_EIGEN_MAX];
};

static void
motions_of(const struct airframe_state *s, double x[MOTIONS])
{
    struct rotation r;
    double body[3];

    rotation_of(&r, s->attitude);
    rotation_to_body(body, &r, s->velocity_mps);
    x[U] = body[0];
    x[V] = body[1];
    x[W] = body[2];
    x[P] = s->rates_rps[0];
    x[Q] = s->rates_rps[1];
    x[R] = s->rates_rps[2];
    x[THETA] = asin(-r.m[2][0]);
    x[PHI] = atan2(r.m[2][1], r.m[2][2]);
    x[ELEVATOR] = s->elevator_deg;
    x[AILERON] = s->aileron_deg;
    x[RUDDER] = s->rudder_deg;
    x[PITCH_TRIM] = s->pitch_trim_deg;
    x[POWER] = s->power;
}

static void
state_of(const struct linear *l, const double x[MOTIONS],
         struct airframe_state *s)
{
    double body[3] = {x[U], x[V], x[W]};
    double ct = cos(x[THETA] / 2), st = sin(x[THETA] / 2);
    double cp = cos(x[PHI] / 2), sp = sin(x[PHI] / 2);
    struct rotation r;

    *s = l->at;
    s->attitude[0] = cp * ct;
    s->attitude[1] = sp * ct;
    s->attitude[2] = cp * st;
    s->attitude[3] = -sp * st;
    rotation_of(&r, s->attitude);
    rotation_to_world(s->velocity_mps, &r, body);
    s->rates_rps[0] = x[P];
    s->rates_rps[1] = x[Q];
    s->rates_rps[2] = x[R];
    s->elevator_deg = x[ELEVATOR];
    s->aileron_deg = x[AILERON];
    s->rudder_deg = x[RUDDER];
    s->pitch_trim_deg = x[PITCH_TRIM];
    s->power = x[POWER];
}

static void
rates_of(const struct linear *l, const double x[MOTIONS], double out[MOTIONS])
{
    double body[3] = {x[U], x[V], x[W]}, turn[3], pull[3];
    struct airframe_state s, dot;
    struct airframe_air air;
    struct rotation r;

    state_of(l, x, &s);
    airframe_derivative(&l->frame, &s, &l->command, &dot, &air);
    rotation_of(&r, s.attitude);
    rotation_to_body(pull, &r, dot.velocity_mps);
    vector_cross(turn, s.rates_rps, body);
    out[U] = pull[0] - turn[0];
    out[V] = pull[1] - turn[1];
    out[W] = pull[2] - turn[2];
    out[P] = dot.rates_rps[0];
    out[Q] = dot.rates_rps[1];
    out[R] = dot.rates_rps[2];
    out[THETA] = x[Q] * cos(x[PHI]) - x[R] * sin(x[PHI]);
    out[PHI] = x[P] + tan(x[THETA]) * (x[Q] * sin(x[PHI]) + x[R] * cos(x[PHI]));
    out[ELEVATOR] = dot.elevator_deg;
    out[AILERON] = dot.aileron_deg;
    out[RUDDER] = dot.rudder_deg;
    out[PITCH_TRIM] = dot.pitch_trim_deg;
    out[POWER] = dot.power;
}

/* Speeds as shares of the flight's, so that the matrix is of one size. */
static double
scale_of(const struct linear *l, int motion)
{
    return motion == U || motion == V || motion == W ? l->speed_mps : 1;
}

static void
make_linear(struct linear *l, const struct airframe *frame,
            const struct airframe_state *s, int motions)
{
    double low[MOTIONS], high[MOTIONS], x[MOTIONS];
    int i, k;

    memset(l, 0, sizeof(*l));
    l->frame = *frame;
    l->at = *s;
    l->speed_mps = vector_length(s->velocity_mps);
    l->command.throttle = engine_throttle(s->power);
    motions_of(s, l->x0);
    for (i = 0; i < motions; i++) {
        memcpy(x, l->x0, sizeof(x));
        x[i] = l->x0[i] - nudges[i];
        rates_of(l, x, low);
        x[i] = l->x0[i] + nudges[i];
        rates_of(l, x, high);
        for (k = 0; k < motions; k++)
            l->a[k][i] = (high[k] - low[k]) / (2 * nudges[i]) * scale_of(l, i) /
                         scale_of(l, k);
    }
}

double
craft_fastest_rate(const struct craft *c, const struct airframe_state *s)
{
    struct craft_root roots[CRAFT_EIGEN_MAX];
    struct linear l;
    double most = 0, rate;
    int i;

    make_linear(&l, &c->flying, s, MOTIONS);
    if (craft_eigenvalues(l.a, MOTIONS, roots) < 0)
        return INFINITY;
    for (i = 0; i < MOTIONS; i++) {
        rate = hypot(roots[i].real, roots[i].imag);
        most = rate > most ? rate : most;
    }
    return most;
}

/* ---- names ---- */

static double
size_of(const struct craft_mode *m)
{
    return hypot(m->real, m->imag);
}

/* The four roots of one half as modes, the fastest first; pairs become one. */
static int
take_modes(const struct linear *l, int first, struct craft_mode *out)
{
    double a[CRAFT_EIGEN_MAX][CRAFT_EIGEN_MAX];
    struct craft_root roots[4];
    struct craft_mode mode;
    int i, k, count = 0;

    for (i = 0; i < 4; i++)
        for (k = 0; k < 4; k++)
            a[i][k] = l->a[first + i][first + k];
    if (craft_eigenvalues(a, 4, roots) < 0)
        return -EDOM;
    for (i = 0; i < 4; i++) {
        mode = (struct craft_mode){NULL, roots[i].real, roots[i].imag};
        if (fabs(mode.imag) < 1e-9 * (1e-3 + fabs(mode.real)))
            mode.imag = 0;
        if (mode.imag < 0)
            continue; /* its twin stands for it */
        for (k = count++; k > 0 && size_of(&mode) > size_of(&out[k - 1]); k--)
            out[k] = out[k - 1];
        out[k] = mode;
    }
    return count;
}

static void
name_plane(struct craft_mode *m, int count)
{
    int swings = count > 0 && m[0].imag > 0, i, fast = 1;

    for (i = 0; i < count; i++) {
        if (m[i].imag > 0)
            m[i].name = fast ? "short period" : "phugoid";
        else if (m[i].real > 0)
            m[i].name = swings ? "speed divergence" : "pitch divergence";
        else
            m[i].name = fast ? "pitch subsidence" : "speed subsidence";
        /* Two real roots stand for one swing. */
        fast = fast && m[i].imag == 0 && i == 0;
    }
}

static void
name_sides(struct craft_mode *m, int count)
{
    int i, swings = 0, reals = 0;

    for (i = 0; i < count; i++)
        if (m[i].imag > 0)
            m[i].name = swings++ == 0 ? "dutch roll" : "roll-spiral";
        else
            m[i].name = reals++ == 0 ? "roll" : reals == 2 ? "spiral" : "yaw";
}

int
craft_modes(const struct craft *c, const struct airframe_state *s,
            struct craft_modes *out)
{
    struct airframe frame = c->flying;
    struct linear l;
    int plane, sides;

    frame.systems = 0;
    make_linear(&l, &frame, s, RIGID);
    plane = take_modes(&l, U, out->modes);
    if (plane < 0)
        return plane;
    sides = take_modes(&l, V, out->modes + plane);
    if (sides < 0)
        return sides;
    name_plane(out->modes, plane);
    name_sides(out->modes + plane, sides);
    out->count = plane + sides;
    return 0;
}

double
craft_mode_period_s(const struct craft_mode *m)
{
    return m->imag > 0 ? 2 * MOTION_PI / m->imag : 0;
}

double
craft_mode_damping(const struct craft_mode *m)
{
    double size = size_of(m);

    return size > 0 ? -m->real / size : 0;
}

double
craft_mode_half_s(const struct craft_mode *m)
{
    return m->real == 0 ? INFINITY : log(2) / fabs(m->real);
}
