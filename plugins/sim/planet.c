#include "planet.h"

#include "units.h"
#include <errno.h>
#include <motion/vector.h>
#include <string.h>

#define EARTH_GM         3.986004418e14
#define EARTH_TURN_RPS   7.292115e-5
#define EARTH_J2         0.00108262982
#define EARTH_EQUATOR_M  6378137.0
#define EARTH_FLATTENING (1 / 298.257223563)
#define EARTH_SPHERE_M   (20902255.199 * METRES_PER_FOOT)

int
planet_named(const char *name)
{
    static const char *const names[] = {"flat", "round", "round_still",
                                        "wgs84"};
    int i;

    for (i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -EINVAL;
}

void
planet_init(struct planet *out, enum planet_kind kind)
{
    memset(out, 0, sizeof(*out));
    out->kind = kind;
    out->gravity_mps2 = GRAVITY_MPS2;
    out->equator_m = out->pole_m = EARTH_SPHERE_M;
    if (kind == PLANET_FLAT)
        return;
    out->gm = EARTH_GM;
    out->turn_rps = kind == PLANET_ROUND_STILL ? 0 : EARTH_TURN_RPS;
    if (kind == PLANET_WGS84) {
        out->equator_m = EARTH_EQUATOR_M;
        out->pole_m = EARTH_EQUATOR_M * (1 - EARTH_FLATTENING);
        out->j2 = EARTH_J2;
    }
}

/* The direction of a latitude and of a longitude, without any angle. */
struct direction {
    double sine_latitude, cosine_latitude;
    double sine_longitude, cosine_longitude;
    double from_axis_m;
};

/*
 * One pass of Bowring's formula: from the parametric latitude of the point
 * below, first that of the normal through the point. A sphere is its own.
 */
static void
direction_of(const struct planet *p, const double r[3], struct direction *out)
{
    double a = p->equator_m, b = p->pole_m;
    double squeeze = (a * a - b * b) / a, stretch = (a * a - b * b) / b;
    double axis = sqrt(r[0] * r[0] + r[1] * r[1]);
    double far = sqrt(axis * axis + r[2] * r[2]);
    double up = b * r[2] * (1 + stretch / far), off = a * axis;
    double scale = 1 / sqrt(up * up + off * off);
    double sine = up * scale, cosine = off * scale;

    up = r[2] + stretch * sine * sine * sine;
    off = axis - squeeze * cosine * cosine * cosine;
    scale = 1 / sqrt(up * up + off * off);
    out->sine_latitude = up * scale;
    out->cosine_latitude = off * scale;
    out->from_axis_m = axis;
    scale = axis > 0 ? 1 / axis : 0;
    out->cosine_longitude = axis > 0 ? r[0] * scale : 1;
    out->sine_longitude = r[1] * scale;
}

/* From the point on the ellipsoid that the normal through `r` meets. */
static double
height_of(const struct planet *p, const double r[3], const struct direction *d)
{
    double e2 = 1 - p->pole_m * p->pole_m / (p->equator_m * p->equator_m);

    return d->from_axis_m * d->cosine_latitude + r[2] * d->sine_latitude -
           p->equator_m * sqrt(1 - e2 * d->sine_latitude * d->sine_latitude);
}

void
planet_locate(const struct planet *p, const double position[3],
              struct planet_place *out)
{
    static const double flat[3][3] = {
        {1, 0, 0},
        {0, 1, 0},
        {0, 0, 1}
    };
    struct direction d;

    if (p->kind == PLANET_FLAT) {
        out->height_m = -position[2];
        memcpy(out->ned, flat, sizeof(flat));
        return;
    }
    direction_of(p, position, &d);
    out->height_m = height_of(p, position, &d);
    out->ned[0][0] = -d.sine_latitude * d.cosine_longitude;
    out->ned[0][1] = -d.sine_latitude * d.sine_longitude;
    out->ned[0][2] = d.cosine_latitude;
    out->ned[1][0] = -d.sine_longitude;
    out->ned[1][1] = d.cosine_longitude;
    out->ned[1][2] = 0;
    out->ned[2][0] = -d.cosine_latitude * d.cosine_longitude;
    out->ned[2][1] = -d.cosine_latitude * d.sine_longitude;
    out->ned[2][2] = -d.sine_latitude;
}

void
planet_gravitation(const struct planet *p, const double r[3], double out[3])
{
    double square, pull, bulge, axis;

    if (p->kind == PLANET_FLAT) {
        out[0] = out[1] = 0;
        out[2] = p->gravity_mps2;
        return;
    }
    square = 1 / vector_dot(r, r);
    pull = -p->gm * square * sqrt(square);
    bulge = 1.5 * p->j2 * p->equator_m * p->equator_m * square;
    axis = 5 * r[2] * r[2] * square;
    out[0] = pull * r[0] * (1 + bulge * (1 - axis));
    out[1] = pull * r[1] * (1 + bulge * (1 - axis));
    out[2] = pull * r[2] * (1 + bulge * (3 - axis));
}

void
planet_fall(const struct planet *p, const double r[3], const double v[3],
            double out[3])
{
    double w = p->turn_rps;

    planet_gravitation(p, r, out);
    out[0] += w * (2 * v[1] + w * r[0]);
    out[1] -= w * (2 * v[0] - w * r[1]);
}

void
planet_geodetic_of(const struct planet *p, const double r[3],
                   struct planet_geodetic *out)
{
    struct direction d;

    if (p->kind == PLANET_FLAT) {
        out->latitude_rad = r[0] / p->equator_m;
        out->longitude_rad = r[1] / p->equator_m;
        out->height_m = -r[2];
        return;
    }
    direction_of(p, r, &d);
    out->latitude_rad = motion_atan2(d.sine_latitude, d.cosine_latitude);
    out->longitude_rad = motion_atan2(d.sine_longitude, d.cosine_longitude);
    out->height_m = height_of(p, r, &d);
}

void
planet_position_of(const struct planet *p, const struct planet_geodetic *g,
                   double out[3])
{
    double a = p->equator_m, squash = p->pole_m * p->pole_m / (a * a);
    double sine = motion_sin(g->latitude_rad);
    double cosine = motion_cos(g->latitude_rad);
    double normal = a / sqrt(1 - (1 - squash) * sine * sine);

    if (p->kind == PLANET_FLAT) {
        out[0] = g->latitude_rad * p->equator_m;
        out[1] = g->longitude_rad * p->equator_m;
        out[2] = -g->height_m;
        return;
    }
    out[0] = (normal + g->height_m) * cosine * motion_cos(g->longitude_rad);
    out[1] = (normal + g->height_m) * cosine * motion_sin(g->longitude_rad);
    out[2] = (normal * squash + g->height_m) * sine;
}

void
planet_level(const struct planet *p, const struct planet_geodetic *g,
             double out[4])
{
    static const double flat[4] = {1, 0, 0, 0};
    double round = g->longitude_rad / 2;
    double tilt = -(g->latitude_rad + MOTION_PI / 2) / 2;
    double aboffz[2] = {motion_cos(round), motion_sin(round)};
    double aboffy[2] = {motion_cos(tilt), motion_sin(tilt)};

    if (p->kind == PLANET_FLAT) {
        memcpy(out, flat, sizeof(flat));
        return;
    }
    out[0] = aboffz[0] * aboffy[0];
    out[1] = -aboffz[1] * aboffy[1];
    out[2] = aboffz[0] * aboffy[1];
    out[3] = aboffz[1] * aboffy[0];
}

/* Radii of curvature along the meridian and across it, plus the height. */
static void
radii_of(const struct planet *p, const double ned[3][3], double height_m,
         double *north, double *east)
{
    double a = p->equator_m, b = p->pole_m;
    double sine = ned[2][2];
    double w = 1 / sqrt(1 - (1 - b * b / (a * a)) * sine * sine);

    *north = b * b / a * w * w * w + height_m;
    *east = a * w + height_m;
}

void
planet_local_turn(const struct planet *p, const double position[3],
                  const double velocity[3], double out[3])
{
    struct planet_place at;
    double north, east, over_north, over_east, tangent, cosine;
    int i;

    memset(out, 0, 3 * sizeof(*out));
    if (p->kind == PLANET_FLAT)
        return;
    planet_locate(p, position, &at);
    radii_of(p, at.ned, at.height_m, &over_north, &over_east);
    north = vector_dot(at.ned[0], velocity);
    east = vector_dot(at.ned[1], velocity);
    cosine = at.ned[0][2];
    /* At a pole north turns as fast as one likes: there it is left out. */
    tangent = cosine > 1e-9 ? -at.ned[2][2] / cosine : 0;
    for (i = 0; i < 3; i++)
        out[i] = at.ned[0][i] * east / over_east -
                 at.ned[1][i] * north / over_north -
                 at.ned[2][i] * east * tangent / over_east;
    out[2] += p->turn_rps;
}
