#include "terrain.h"
#include "terrain_grid.h"

#include <math.h>
#include <motion/math.h>

double
terrain_height_max(const struct terrain *t)
{
    return t->highest_m;
}

/* The cell that holds a place, given in spacings from the first sample, and how
 * far in it; beyond the edge, the edge. Returns whether it is within. */
static int
cell_of(double at, int samples, int *cell, double *share)
{
    int within = at > 0 && at < samples - 1;

    at = at > 0 ? at : 0; /* also what is no number */
    at = at < samples - 1 ? at : samples - 1;
    *cell = at < samples - 2 ? (int)at : samples - 2;
    *share = at - *cell;
    return within;
}

double
terrain_surface(const struct terrain *t, double north, double east,
                double slope[2])
{
    double up, right, near, a, b, c;
    int row, column;
    int in_north =
        cell_of((north - t->north_m) / t->spacing_m, t->rows, &row, &up);
    int in_east =
        cell_of((east - t->east_m) / t->spacing_m, t->columns, &column, &right);

    /* The triangle's corner with the right angle, and the other two. */
    near = up + right < 1;
    a = near ? terrain_sample(t, row, column)
             : terrain_sample(t, row + 1, column + 1);
    b = terrain_sample(t, row + 1, column);
    c = terrain_sample(t, row, column + 1);
    if (near) {
        slope[0] = b - a;
        slope[1] = c - a;
        a += slope[0] * up + slope[1] * right;
    } else {
        slope[0] = a - c;
        slope[1] = a - b;
        a -= slope[0] * (1 - up) + slope[1] * (1 - right);
    }
    slope[0] = in_north ? slope[0] / t->spacing_m : 0;
    slope[1] = in_east ? slope[1] / t->spacing_m : 0;
    return a;
}

/* ---- the path ahead ---- */

/* A path in spacings from the first sample and metres of height. */
struct path {
    double north, east, height;
    double to_north, to_east, climb; /* each second */
};

/* When a coordinate next reaches a whole multiple of `step`; `nudge` past now. */
static double
next_line_at(double from, double rate, double now, double step, double last)
{
    double at = from + rate * now, line;

    if (rate > 0) {
        line = (floor(at / step + 1e-9) + 1) * step;
        if (at < 0)
            line = 0;
        else if (at >= last)
            return INFINITY;
        return (line - from) / rate;
    }
    if (rate < 0) {
        line = (-floor(1e-9 - at / step) - 1) * step;
        if (at > last)
            line = last;
        else if (at <= 0)
            return INFINITY;
        return (line - from) / rate;
    }
    return INFINITY;
}

/* When it crosses a cell's diagonal next: where north + east is whole. */
static double
next_diagonal_at(const struct path *p, double now)
{
    return next_line_at(p->north + p->east, p->to_north + p->to_east, now, 1,
                        INFINITY);
}

static double
least(double a, double b)
{
    return a < b ? a : b;
}

static double
clear_at(const struct terrain *t, const struct path *p, double time_s)
{
    double slope[2];

    return p->height + p->climb * time_s -
           terrain_surface(
               t, t->north_m + (p->north + p->to_north * time_s) * t->spacing_m,
               t->east_m + (p->east + p->to_east * time_s) * t->spacing_m,
               slope);
}

/* The highest land in the square of cells where the path is in between. */
static double
block_above(const struct terrain *t, const struct path *p, double time_s)
{
    double share;
    int row, column;

    cell_of(p->north + p->to_north * time_s, t->rows, &row, &share);
    cell_of(p->east + p->to_east * time_s, t->columns, &column, &share);
    return t->blocks_m[row / TERRAIN_BLOCK * t->block_columns +
                       column / TERRAIN_BLOCK];
}

/* From `now` to `until`, within one square of cells: each triangle is flat, so
 * the height over it is straight. The time of meeting, or infinity. */
static double
walk_cells(const struct terrain *t, const struct path *p, double now,
           double until)
{
    double before = clear_at(t, p, now), after, next;
    int cells = 0;

    if (before <= 0)
        return now;
    while (now < until && cells++ < 6 * TERRAIN_BLOCK) {
        next = least(next_line_at(p->north, p->to_north, now, 1, t->rows - 1),
                     next_line_at(p->east, p->to_east, now, 1, t->columns - 1));
        next = least(least(next, next_diagonal_at(p, now)), until);
        /* Rounding must not hold it where it is. */
        next = next > now ? next : now + (until - now) * 1e-3;
        after = clear_at(t, p, next);
        if (after <= 0)
            return now + (next - now) * before / (before - after);
        before = after;
        now = next;
    }
    return INFINITY;
}

double
terrain_time_ahead(const struct terrain *t, const double position[3],
                   const double velocity[3], double horizon_s)
{
    struct path p = {(position[0] - t->north_m) / t->spacing_m,
                     (position[1] - t->east_m) / t->spacing_m,
                     -position[2],
                     velocity[0] / t->spacing_m,
                     velocity[1] / t->spacing_m,
                     -velocity[2]};
    double now = 0, until, low, met;
    int blocks = 0;

    if (clear_at(t, &p, 0) <= 0)
        return 0;
    while (now < horizon_s && blocks++ < 4 * TERRAIN_SIDE_MAX / TERRAIN_BLOCK) {
        if (p.climb >= 0 && p.height + p.climb * now > t->highest_m)
            return horizon_s;
        until = least(
            next_line_at(p.north, p.to_north, now, TERRAIN_BLOCK, t->rows - 1),
            next_line_at(p.east, p.to_east, now, TERRAIN_BLOCK,
                         t->columns - 1));
        until = least(until > now ? until : now + 1e-6, horizon_s);
        low = p.height + p.climb * (p.climb < 0 ? until : now);
        if (low <= block_above(t, &p, (now + until) / 2)) {
            met = walk_cells(t, &p, now, until);
            if (met < horizon_s)
                return met;
        }
        now = until;
    }
    return horizon_s;
}
