#include "lines.h"

#include <motion/math.h>
#include <string.h>

#define NEAR 0.01

void
lines_set(struct lines *l, const double *at, int count)
{
    double start;
    int i, bucket;

    memset(l, 0, sizeof(*l));
    l->count = count < LINES_MAX ? count : LINES_MAX;
    if (l->count == 0)
        return;
    memcpy(l->at, at, (size_t)l->count * sizeof(*at));
    if (at[l->count - 1] > at[0])
        l->per_unit = (LINES_BUCKETS - 1) / (at[l->count - 1] - at[0]);
    for (bucket = 1; bucket < LINES_BUCKETS && l->per_unit > 0; bucket++) {
        start = at[0] + bucket / l->per_unit;
        /* A hair less, so that no rounding puts a line before its bucket. */
        for (i = 0; i < l->count && at[i] < start - 1e-9 / l->per_unit; i++)
            ;
        l->below[bucket] = (uint8_t)i;
    }
}

/* How many lines are at or below `x`. */
static int
lines_below(const struct lines *l, double x)
{
    double bucket =
        motion_clamp((x - l->at[0]) * l->per_unit, 0, LINES_BUCKETS - 1);
    int i = l->below[(int)bucket];

    while (i < l->count && l->at[i] <= x)
        i++;
    return i;
}

double
lines_share(const struct lines *l, double from, double to)
{
    double share;
    int i;

    if (l->count == 0 || !(from == from))
        return 1;
    i = lines_below(l, from);
    if (to > from) {
        if (i == l->count || l->at[i] >= to)
            return 1;
    } else {
        if (i > 0 && l->at[i - 1] >= from)
            i--;
        i--;
        if (i < 0 || l->at[i] <= to)
            return 1;
    }
    share = (l->at[i] - from) / (to - from);
    return share > NEAR && share < 1 - NEAR ? share : 1;
}
