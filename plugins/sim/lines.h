/*
 * Where an aircraft's tables have their breakpoints. Forces bend there, and a
 * step of RK4 across a bend is only of second order: two tick rates would fly
 * two flights. So a step ends near the line and a new one begins.
 */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include <stdint.h>

#define LINES_MAX     48
#define LINES_BUCKETS 64

/* Breakpoints of one quantity; all zeros: none. */
struct lines {
    double at[LINES_MAX];         /* rising */
    double per_unit;              /* buckets */
    uint8_t below[LINES_BUCKETS]; /* lines at or below a bucket's start */
    int32_t count;
    int32_t reserved;
};

/* Takes `count` breakpoints in rising order; those beyond LINES_MAX are left
 * out. */
void lines_set(struct lines *l, const double *at, int count);

/*
 * The share of the way from `from` to `to` where the first line is met, or 1.
 * One within a hundredth of either end is not worth a step of its own.
 */
double lines_share(const struct lines *l, double from, double to);

#endif
