/*
 * Vectors of three and unit quaternions (w, x, y, z; body to world), in the
 * order of operations written here: the same bits everywhere.
 */
#ifndef MOTION_VECTOR_H
#define MOTION_VECTOR_H

#include <math.h>

/* A rotation as a matrix: rows are world axes, columns body axes. */
struct rotation {
    double m[3][3];
};

static inline double
vector_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double
vector_length(const double a[3])
{
    return sqrt(vector_dot(a, a));
}

static inline void
vector_cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* `from` plus `share` of the way to `to`. */
static inline void
vector_between(double out[3], const double from[3], const double to[3],
               double share)
{
    int i;

    for (i = 0; i < 3; i++)
        out[i] = from[i] + (to[i] - from[i]) * share;
}

/* Scales to length one; a vector without direction becomes zeros. */
static inline void
vector_unit(double v[3])
{
    double length = vector_length(v);
    double scale = length > 0 ? 1 / length : 0;
    int i;

    for (i = 0; i < 3; i++)
        v[i] *= scale;
}

static inline double
quaternion_square(const double q[4])
{
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

static inline void
quaternion_unit(double q[4])
{
    double scale = 1 / sqrt(quaternion_square(q));
    int i;

    for (i = 0; i < 4; i++)
        q[i] *= scale;
}

/* `a` after `b`: turns by `b` first. */
static inline void
quaternion_product(double out[4], const double a[4], const double b[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* How a body-to-world quaternion turns under body rates (rad/s). */
static inline void
quaternion_rate(double out[4], const double q[4], const double rates[3])
{
    out[0] = 0.5 * (-q[1] * rates[0] - q[2] * rates[1] - q[3] * rates[2]);
    out[1] = 0.5 * (q[0] * rates[0] + q[2] * rates[2] - q[3] * rates[1]);
    out[2] = 0.5 * (q[0] * rates[1] + q[3] * rates[0] - q[1] * rates[2]);
    out[3] = 0.5 * (q[0] * rates[2] + q[1] * rates[1] - q[2] * rates[0]);
}

static inline void
rotation_of(struct rotation *out, const double q[4])
{
    double xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
    double xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
    double wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];

    out->m[0][0] = 1 - 2 * (yy + zz);
    out->m[0][1] = 2 * (xy - wz);
    out->m[0][2] = 2 * (xz + wy);
    out->m[1][0] = 2 * (xy + wz);
    out->m[1][1] = 1 - 2 * (xx + zz);
    out->m[1][2] = 2 * (yz - wx);
    out->m[2][0] = 2 * (xz - wy);
    out->m[2][1] = 2 * (yz + wx);
    out->m[2][2] = 1 - 2 * (xx + yy);
}

static inline void
rotation_to_world(double out[3], const struct rotation *r, const double body[3])
{
    out[0] = vector_dot(r->m[0], body);
    out[1] = vector_dot(r->m[1], body);
    out[2] = vector_dot(r->m[2], body);
}

static inline void
rotation_to_body(double out[3], const struct rotation *r, const double world[3])
{
    double x = world[0], y = world[1], z = world[2];

    out[0] = r->m[0][0] * x + r->m[1][0] * y + r->m[2][0] * z;
    out[1] = r->m[0][1] * x + r->m[1][1] * y + r->m[2][1] * z;
    out[2] = r->m[0][2] * x + r->m[1][2] * y + r->m[2][2] * z;
}

#endif
