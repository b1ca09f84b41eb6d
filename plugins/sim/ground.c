#include "ground.h"

#include <math.h>
#include <motion/math.h>

/* Wide hills with small ones on them; the heights add up to the maximum. */
#define WIDE_CELL_M    4000.0
#define WIDE_HEIGHT_M  320.0
#define SMALL_CELL_M   900.0
#define SMALL_HEIGHT_M (GROUND_HILLS_MAX_M - WIDE_HEIGHT_M)
/* The curve between two points is at its steepest 15/8 of straight. */
#define STEEPEST \
    (15.0 / 8 * (WIDE_HEIGHT_M / WIDE_CELL_M + SMALL_HEIGHT_M / SMALL_CELL_M))
#define LOOK_M    50.0
#define LOOKS_MAX 500

/* A lattice point's value, 0 .. 1, from an integer mix of its place. */
static double
lattice(uint64_t seed, int x, int y)
{
    uint64_t h = seed ^ (uint64_t)(uint32_t)x * 0x9e3779b97f4a7c15u ^
                 (uint64_t)(uint32_t)y * 0xc2b2ae3d27d4eb4fu;

    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    return (double)(h >> 40) * (1.0 / (1 << 24));
}

static double
ease(double share)
{
    return share * share * share * (share * (share * 6 - 15) + 10);
}

static double
ease_slope(double share)
{
    double rest = share * (1 - share);

    return 30 * rest * rest;
}

/* Lattice values with a smooth surface between them; its slope is added to
 * `slope`, by `scale` for each of the lattice's steps. */
static double
noise(uint64_t seed, double x, double y, double scale, double slope[2])
{
    int column = motion_floor(x), row = motion_floor(y);
    double across = ease(x - column), along = ease(y - row);
    double a = lattice(seed, column, row);
    double b = lattice(seed, column + 1, row);
    double c = lattice(seed, column, row + 1);
    double d = lattice(seed, column + 1, row + 1);
    double near = a + (b - a) * across;
    double far = c + (d - c) * across;

    slope[0] +=
        scale * ease_slope(x - column) * (b - a + (d - c - b + a) * along);
    slope[1] += scale * ease_slope(y - row) * (far - near);
    return near + (far - near) * along;
}

double
ground_surface(const struct ground *g, double north, double east,
               double slope[2])
{
    if (g->land != NULL)
        return terrain_surface(g->land, north, east, slope);
    slope[0] = slope[1] = 0;
    /* Far beyond the world, where no cell has a number, the land is flat. */
    if (!g->hills || !(fabs(north) < 1e9 && fabs(east) < 1e9))
        return 0;
    return WIDE_HEIGHT_M * noise(g->seed, north / WIDE_CELL_M,
                                 east / WIDE_CELL_M,
                                 WIDE_HEIGHT_M / WIDE_CELL_M, slope) +
           SMALL_HEIGHT_M * noise(~g->seed, north / SMALL_CELL_M,
                                  east / SMALL_CELL_M,
                                  SMALL_HEIGHT_M / SMALL_CELL_M, slope);
}

double
ground_height(const struct ground *g, double north, double east)
{
    double slope[2];

    return ground_surface(g, north, east, slope);
}

double
ground_height_max(const struct ground *g)
{
    if (g->land != NULL)
        return terrain_height_max(g->land);
    return g->hills ? GROUND_HILLS_MAX_M : 0;
}

/* Height over the ground after `t` seconds of straight flight. */
static double
clearance(const struct ground *g, const double position[3],
          const double velocity[3], double t)
{
    return -(position[2] + velocity[2] * t) -
           ground_height(g, position[0] + velocity[0] * t,
                         position[1] + velocity[1] * t);
}

/* When the path comes down to the height of the highest ground. */
static double
time_to_highest(const struct ground *g, const double position[3],
                const double velocity[3], double horizon_s)
{
    double above = -position[2] - ground_height_max(g);

    if (above <= 0)
        return 0;
    return velocity[2] * horizon_s > above ? above / velocity[2] : horizon_s;
}

/*
 * Hills have a steepest slope, so the ground cannot come nearer than by so much
 * a second: as long as the height over it lasts, nothing is met. Where it is
 * low, it looks each 50 m, between which no hill rises by more than 20 cm.
 */
static double
hills_ahead(const struct ground *g, const double position[3],
            const double velocity[3], double t, double horizon_s)
{
    double over = fabs(velocity[0]) + fabs(velocity[1]);
    double rising = STEEPEST * over + velocity[2];
    double least_s = over > 1 ? LOOK_M / over : LOOK_M;
    double clear = clearance(g, position, velocity, t), before, step;
    int i;

    for (i = 0; i < LOOKS_MAX && t < horizon_s; i++) {
        if (clear <= 0)
            return t;
        if (rising <= 0 ||
            (velocity[2] < 0 &&
             -(position[2] + velocity[2] * t) > GROUND_HILLS_MAX_M))
            return horizon_s;
        step = clear / rising > least_s ? clear / rising : least_s;
        before = clear;
        clear = clearance(g, position, velocity, t + step);
        if (clear <= 0)
            return motion_clamp(t + step * before / (before - clear), 0,
                                horizon_s);
        t += step;
    }
    return horizon_s;
}

double
ground_time_ahead(const struct ground *g, const double position[3],
                  const double velocity[3], double horizon_s)
{
    double t = time_to_highest(g, position, velocity, horizon_s);

    if (g->land != NULL && t < horizon_s)
        return terrain_time_ahead(g->land, position, velocity, horizon_s);
    if (!g->hills || t >= horizon_s)
        return t;
    return hills_ahead(g, position, velocity, t, horizon_s);
}
