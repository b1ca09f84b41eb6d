/*
 * The planet below: where up is, how it pulls, how fast it turns. World axes
 * are fixed to it: north, east, down over a flat Earth; elsewhere x towards
 * latitude 0, longitude 0, and z along the axis it turns about (ECEF). One code
 * path serves all of them; only the figures and three functions differ.
 */
#ifndef SIM_PLANET_H
#define SIM_PLANET_H

enum planet_kind {
    PLANET_FLAT,        /* constant gravity, no rotation */
    PLANET_ROUND,       /* a sphere that turns */
    PLANET_ROUND_STILL, /* a sphere that does not */
    PLANET_WGS84        /* the ellipsoid, with J2, turning */
};

struct planet {
    int kind;
    int reserved;
    double gravity_mps2; /* over a flat Earth; the unit of load factors */
    double gm;           /* m3/s2 */
    double equator_m;    /* radius at the equator, */
    double pole_m;       /* and at the poles */
    double j2;
    double turn_rps; /* about world z */
};

/* Where a position lies over the planet. */
struct planet_place {
    double height_m;  /* over the ellipsoid, along its normal */
    double ned[3][3]; /* rows: north, east and down in world axes */
};

struct planet_geodetic {
    double latitude_rad;
    double longitude_rad; /* -pi .. pi; 0 at a pole */
    double height_m;
};

/* The kind of a name: flat, round, round_still, wgs84. -EINVAL: none. */
int planet_named(const char *name);

void planet_init(struct planet *out, enum planet_kind kind);

/* Height within 1e-6 m and axes within 1e-11 rad below 100 km. */
void planet_locate(const struct planet *p, const double position[3],
                   struct planet_place *out);

/*
 * How a free body accelerates in world axes: gravity, and where the planet
 * turns what its turning adds (Coriolis, centrifugal).
 */
void planet_fall(const struct planet *p, const double position[3],
                 const double velocity[3], double out[3]);

/* Gravitation alone, without what the planet's turning adds. */
void planet_gravitation(const struct planet *p, const double position[3],
                        double out[3]);

/* Within a micrometre both ways, poles and date line included. Over a flat
 * Earth latitude and longitude stand for north and east over its radius. */
void planet_geodetic_of(const struct planet *p, const double position[3],
                        struct planet_geodetic *out);
void planet_position_of(const struct planet *p, const struct planet_geodetic *g,
                        double out[3]);

/* The attitude, to world axes, of a body that points north, east and down. */
void planet_level(const struct planet *p, const struct planet_geodetic *g,
                  double out[4]);

/*
 * How the local north, east and down turn against inertial space for someone
 * who moves at `velocity`, world axes.
 */
void planet_local_turn(const struct planet *p, const double position[3],
                       const double velocity[3], double out[3]);

#endif
