/*
 * Trigonometry with the same bits on every machine: the C library picks other
 * code by CPU, so a deterministic step may not call it. Only + - * / and sqrt
 * are used here, which IEEE 754 fixes. Angles in radians.
 */
#ifndef MOTION_MATH_H
#define MOTION_MATH_H

#define MOTION_PI 3.14159265358979323846

/* Within 1e-15 for |angle| up to 1e4; |angle| beyond 1e9 gives 0 and 1. */
double motion_sin(double angle);
double motion_cos(double angle);

/* As atan2, within 1e-15; 0 for (0, 0), a NaN for a NaN. */
double motion_atan2(double y, double x);

/* As asin; an argument beyond 1 counts as 1. */
double motion_asin(double value);

/* Within 1e-15 of the value; e^x for |x| up to 700, the log of a positive
 * number that is not denormal. */
double motion_exp(double x);
double motion_log(double x);

static inline double
motion_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* The largest whole number not above `value`, which must fit an int. */
static inline int
motion_floor(double value)
{
    int whole = (int)value;

    return value < whole ? whole - 1 : whole;
}

#endif
