#include "math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* pi/2 in two parts: the first has 33 bits, so that a whole number of quarter
 * turns times it is exact. */
#define HALF_PI_HIGH 1.57079632673412561417e+00
#define HALF_PI_LOW  6.07710050650619224932e-11

/* Taylor series on -pi/4 .. pi/4; the first term left out is below 1e-18. */
static double
sine_near_zero(double x)
{
    double s = x * x;
    double p = 1.0 / 355687428096000.0;

    p = p * s - 1.0 / 1307674368000.0;
    p = p * s + 1.0 / 6227020800.0;
    p = p * s - 1.0 / 39916800.0;
    p = p * s + 1.0 / 362880.0;
    p = p * s - 1.0 / 5040.0;
    p = p * s + 1.0 / 120.0;
    p = p * s - 1.0 / 6.0;
    return x + x * s * p;
}

static double
cosine_near_zero(double x)
{
    double s = x * x;
    double p = -1.0 / 6402373705728000.0;

    p = p * s + 1.0 / 20922789888000.0;
    p = p * s - 1.0 / 87178291200.0;
    p = p * s + 1.0 / 479001600.0;
    p = p * s - 1.0 / 3628800.0;
    p = p * s + 1.0 / 40320.0;
    p = p * s - 1.0 / 720.0;
    p = p * s + 1.0 / 24.0;
    p = p * s - 0.5;
    return 1.0 + s * p;
}

/* The sine of `angle` plus `quarters` quarter turns. */
static double
sine_turned(double angle, int quarters)
{
    int turns;
    double x;

    if (!(fabs(angle) < 1e9))
        return quarters & 1 ? 1.0 : 0.0;
    turns = motion_floor(angle / (MOTION_PI / 2) + 0.5);
    x = angle - turns * HALF_PI_HIGH - turns * HALF_PI_LOW;
    switch ((turns + quarters) & 3) {
    case 0:
        return sine_near_zero(x);
    case 1:
        return cosine_near_zero(x);
    case 2:
        return -sine_near_zero(x);
    default:
        return -cosine_near_zero(x);
    }
}

double
motion_sin(double angle)
{
    return sine_turned(angle, 0);
}

double
motion_cos(double angle)
{
    return sine_turned(angle, 1);
}

/*
 * The angle of (small, large), 0 <= small <= large, large > 0: turned back by
 * the nearest of nine known angles, what is left is at most 1/16 and a short
 * series does.
 */
static double
angle_in_octant(double small, double large)
{
    static const double known[9] = {
        0.0,
        0.12435499454676143503, /* atan(1/8) */
        0.24497866312686415417,
        0.35877067027057222040,
        0.46364760900080611621,
        0.55859931534356243597,
        0.64350110879328438680,
        0.71882999962162450542,
        0.78539816339744830962,
    };
    /* Most angles in flight are small: they need no division to know it. */
    double at = 16 * small < large ? 0 : small / large * 8 + 0.5;
    int i = at < 8 ? (int)at : 8; /* a NaN gets a place too */
    double c = i * 0.125;
    double r = (small - c * large) / (large + c * small);
    double s = r * r;
    /* The series in pairs, which run side by side. */
    double p = (-1.0 / 3.0 + 1.0 / 5.0 * s) +
               s * s *
                   ((-1.0 / 7.0 + 1.0 / 9.0 * s) +
                    s * s * (-1.0 / 11.0 + 1.0 / 13.0 * s));

    return known[i] + (r + r * s * p);
}

/* What infinities come to; otherwise one of the two is no number. */
static double
angle_of_ends(double across, double along)
{
    if (across != across || along != along)
        return across + along;
    if (across == along)
        return MOTION_PI / 4;
    return across < along ? 0 : MOTION_PI / 2;
}

double
motion_atan2(double y, double x)
{
    double across = fabs(y), along = fabs(x);
    double angle;

    if (across == 0 && along == 0)
        return 0;
    if (across <= along)
        angle = angle_in_octant(across, along);
    else
        angle = MOTION_PI / 2 - angle_in_octant(along, across);
    if (angle != angle) /* rare: infinities, or a NaN to pass on */
        angle = angle_of_ends(across, along);
    if (x < 0)
        angle = MOTION_PI - angle;
    return y < 0 ? -angle : angle;
}

double
motion_asin(double value)
{
    double v = motion_clamp(value, -1, 1);

    return motion_atan2(v, sqrt((1 - v) * (1 + v)));
}

/* ln 2 in two parts: a whole number of up to 11 bits times the first is exact. */
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW  1.90821492927058770002e-10
#define LN2      (LN2_HIGH + LN2_LOW)

double
motion_exp(double x)
{
    int power = motion_floor(motion_clamp(x, -700, 700) / LN2 + 0.5);
    double r = x - power * LN2_HIGH - power * LN2_LOW;
    uint64_t bits = (uint64_t)(1023 + power) << 52;
    double scale, sum = 1;
    int i;

    /* |r| is at most 0.35: the first term left out is below 1e-18. */
    for (i = 14; i > 0; i--)
        sum = 1 + sum * r / i;
    memcpy(&scale, &bits, sizeof(scale));
    return sum * scale;
}

double
motion_log(double x)
{
    uint64_t bits;
    double part, f, s, sum = 0;
    int power, i;

    memcpy(&bits, &x, sizeof(bits));
    power = (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffff) | (uint64_t)1023 << 52;
    memcpy(&part, &bits, sizeof(part)); /* 1 .. 2 */
    if (part > 1.4142135623730951) {
        part *= 0.5;
        power++;
    }
    f = (part - 1) / (part + 1);
    s = f * f;
    for (i = 23; i > 0; i -= 2)
        sum = sum * s + 1.0 / i;
    return power * LN2_HIGH + (2 * f * sum + power * LN2_LOW);
}
