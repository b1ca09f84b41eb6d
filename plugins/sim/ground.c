#include "ground.h"

#include <math.h>
#include <motion/math.h>

/* Wide hills with small ones on them; the heights add up to the maximum. */
#define WIDE_CELL_M    4000.0
#define WIDE_HEIGHT_M  320.0
#define SMALL_CELL_M   900.0
#define SMALL_HEIGHT_M 80.0

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
    return g->hills ? WIDE_HEIGHT_M + SMALL_HEIGHT_M : 0;
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

double
ground_time_ahead(const struct ground *g, const double position[3],
                  const double velocity[3], double horizon_s)
{
    double t = time_to_highest(g, position, velocity, horizon_s);
    double before, above, step;

    if (!g->hills || t >= horizon_s)
        return t;
    before = clearance(g, position, velocity, t);
    if (before <= 0)
        return t;
    while (t < horizon_s) {
        /* Finer steps where it matters: a quarter second now, longer ahead;
         * climbing over the highest hill ends it. */
        if (velocity[2] < 0 &&
            -(position[2] + velocity[2] * t) > ground_height_max(g))
            return horizon_s;
        step = motion_clamp(t * 0.25, 0.25, 4);
        t += step;
        above = clearance(g, position, velocity, t);
        if (above <= 0)
            return motion_clamp(t - step * above / (above - before), 0,
                                horizon_s);
        before = above;
    }
    return horizon_s;
}
