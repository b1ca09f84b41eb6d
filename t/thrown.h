/*
 * A second program for bodies that fall: in axes that do not turn, heights by
 * iteration, the atmosphere from its definition, damping by Euler's equations.
 * It shares no line with the sim's step but the standard atmosphere, and stands
 * in for the check-cases that t/data/flight has no trajectory of.
 */
#ifndef T_THROWN_H
#define T_THROWN_H

#include <math.h>
#include <motion/vector.h>
#include <sim/atmosphere.h>
#include <string.h>

#define THROWN_TURN 7.292115e-5
#define THROWN_GM   (1.4076443110e16 * 0.028316846592)
#define THROWN_STEP (1.0 / 240)

struct thrown {
    /* The world, NASA's figures: an ellipsoid with J2, or a sphere. */
    double equator_m, flattening, j2, turn_rps;
    double drag_area_m2, mass_kg; /* the area times its coefficient */
    double wind_east_mps, shear_east_per_s;
    double inertia[3], damping[3]; /* N m s2, N m s2/m3: by rho V w */
    /* The state: place and velocity in axes at rest; attitude to them. */
    double time_s;
    double s[13];
};

struct thrown_moment {
    double latitude_rad, longitude_rad, height_m;
    double ned_mps[3], euler_rad[3], rates_rps[3];
};

/* Latitude and height by iteration from the sphere's, until nothing moves. */
static void
thrown_place(const struct thrown *t, const double r[3], double *latitude,
             double *height)
{
    double e2 = t->flattening * (2 - t->flattening);
    double axis = sqrt(r[0] * r[0] + r[1] * r[1]);
    double at = atan2(r[2], axis), n = 0;
    int i;

    for (i = 0; i < 12; i++) {
        n = t->equator_m / sqrt(1 - e2 * sin(at) * sin(at));
        at = atan2(r[2] + e2 * n * sin(at), axis);
    }
    *latitude = at;
    *height = axis * cos(at) + r[2] * sin(at) -
              t->equator_m * sqrt(1 - e2 * sin(at) * sin(at));
}

/* Rows north, east, down at a latitude and a longitude from the x axis. */
static void
thrown_ned(double latitude, double longitude, double m[3][3])
{
    double sf = sin(latitude), cf = cos(latitude);
    double sl = sin(longitude), cl = cos(longitude);
    double rows[3][3] = {
        {-sf * cl, -sf * sl, cf },
        {-sl,      cl,       0  },
        {-cf * cl, -cf * sl, -sf}
    };

    memcpy(m, rows, sizeof(rows));
}

/* Gravitation, then drag and damping by the air that turns with the planet. */
static void
thrown_rate(const struct thrown *t, const double s[13], double d[13])
{
    const double *r = s, *v = s + 3, *q = s + 6, *w = s + 10;
    double square = vector_dot(r, r), far = sqrt(square);
    double c = 1.5 * t->j2 * (t->equator_m / far) * (t->equator_m / far);
    double z = 5 * r[2] * r[2] / square, pull = THROWN_GM / square / far;
    double latitude, height, ned[3][3], air[3], speed, east, turn[3];
    double down_turn[3] = {0, 0, t->turn_rps};
    struct atmosphere_standard a;
    struct rotation to;
    int i;

    thrown_place(t, r, &latitude, &height);
    thrown_ned(latitude, atan2(r[1], r[0]), ned);
    atmosphere_standard(&a, height);
    east = t->wind_east_mps + t->shear_east_per_s * height;
    air[0] = v[0] + t->turn_rps * r[1] - east * ned[1][0];
    air[1] = v[1] - t->turn_rps * r[0] - east * ned[1][1];
    air[2] = v[2] - east * ned[1][2];
    speed = vector_length(air);
    for (i = 0; i < 3; i++) {
        d[i] = v[i];
        d[3 + i] =
            -pull * r[i] * (1 + c * ((i == 2 ? 3 : 1) - z)) -
            a.density / 2 * speed * t->drag_area_m2 / t->mass_kg * air[i];
    }
    d[6] = (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]) / 2;
    d[7] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2;
    d[8] = (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2;
    d[9] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2;
    rotation_of(&to, q);
    rotation_to_body(turn, &to, down_turn);
    for (i = 0; i < 3; i++)
        d[10 + i] = ((t->inertia[(i + 1) % 3] - t->inertia[(i + 2) % 3]) *
                         w[(i + 1) % 3] * w[(i + 2) % 3] +
                     t->damping[i] * a.density * speed * (w[i] - turn[i])) /
                    t->inertia[i];
}

static void
thrown_fly(struct thrown *t, double until_s)
{
    double k[4][13], at[13];
    int i, j, steps = (int)((until_s - t->time_s) / THROWN_STEP + 0.5);
    static const double ahead[4] = {0, 0.5, 0.5, 1};

    for (; steps > 0; steps--) {
        for (j = 0; j < 4; j++) {
            for (i = 0; i < 13; i++)
                at[i] = t->s[i] +
                        (j == 0 ? 0 : ahead[j] * THROWN_STEP * k[j - 1][i]);
            thrown_rate(t, at, k[j]);
        }
        for (i = 0; i < 13; i++)
            t->s[i] += THROWN_STEP / 6 *
                       (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        t->time_s += THROWN_STEP;
    }
}

/* From over latitude 0, longitude 0, level, by a velocity over the ground. */
static void
thrown_start(struct thrown *t, double height_m, const double ned_mps[3],
             const double rates_rps[3])
{
    memset(t->s, 0, sizeof(t->s));
    t->time_s = 0;
    t->s[0] = t->equator_m + height_m;
    t->s[3] = -ned_mps[2];
    t->s[4] = ned_mps[1] + t->turn_rps * t->s[0];
    t->s[5] = ned_mps[0];
    t->s[6] = t->s[8] = sqrt(0.5); /* north, east, down are z, y, -x there */
    t->s[8] = -t->s[8];
    memcpy(t->s + 10, rates_rps, 3 * sizeof(*rates_rps));
}

static void
thrown_look(const struct thrown *t, struct thrown_moment *out)
{
    double longitude = atan2(t->s[1], t->s[0]), ned[3][3], body[3][3];
    struct rotation to;
    int i, k;

    thrown_place(t, t->s, &out->latitude_rad, &out->height_m);
    thrown_ned(out->latitude_rad, longitude, ned);
    out->longitude_rad = longitude - t->turn_rps * t->time_s;
    rotation_of(&to, t->s + 6);
    for (i = 0; i < 3; i++) {
        out->ned_mps[i] = ned[i][0] * (t->s[3] + t->turn_rps * t->s[1]) +
                          ned[i][1] * (t->s[4] - t->turn_rps * t->s[0]) +
                          ned[i][2] * t->s[5];
        out->rates_rps[i] = t->s[10 + i];
        for (k = 0; k < 3; k++)
            body[i][k] = ned[i][0] * to.m[0][k] + ned[i][1] * to.m[1][k] +
                         ned[i][2] * to.m[2][k];
    }
    out->euler_rad[0] = atan2(body[1][0], body[0][0]);
    out->euler_rad[1] = asin(-body[2][0]);
    out->euler_rad[2] = atan2(body[2][1], body[2][2]);
}

#endif
