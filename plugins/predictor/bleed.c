#include "bleed.h"
#include <math.h>
#include <motion/vector.h>
#include <string.h>

static const double no_turn[4] = {1, 0, 0, 0};

static void
attitude_of(const struct hp_entity *record, double *q)
{
    int i;

    for (i = 0; i < 4; i++)
        q[i] = (double)record->attitude[i];
}

/* The turn that takes attitude `from` to attitude `to`. */
static void
turn_between(const struct hp_entity *from, const struct hp_entity *to,
             double *turn)
{
    double a[4], b[4];

    attitude_of(from, a);
    a[1] = -a[1];
    a[2] = -a[2];
    a[3] = -a[3];
    attitude_of(to, b);
    quaternion_product(turn, b, a);
}

/* A part of a turn, the short way round. */
static void
scale_turn(const double *turn, double weight, double *out)
{
    double sign = turn[0] < 0 ? -1 : 1;
    double sine =
        sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    double half = atan2(sine, sign * turn[0]) * weight;
    double share = sine > 0 ? sign * sin(half) / sine : 0;
    int i;

    out[0] = cos(half);
    for (i = 1; i < 4; i++)
        out[i] = turn[i] * share;
}

void
bleed_reset(struct bleed *b)
{
    memset(b, 0, sizeof(*b));
    memcpy(b->turn, no_turn, sizeof(b->turn));
}

void
bleed_add(struct bleed *b, const struct hp_entity *before,
          const struct hp_entity *after)
{
    double left[4], jump[4];
    int i;

    /* Two corrections before one is shown add up in full. */
    if (b->waiting)
        b->weight = 1;
    for (i = 0; i < 3; i++)
        b->offset_m[i] = b->offset_m[i] * b->weight + before->position_m[i] -
                         after->position_m[i];
    scale_turn(b->turn, b->weight, left);
    turn_between(after, before, jump);
    quaternion_product(b->turn, left, jump);
    b->weight = 1;
    b->waiting = 1;
}

/* From 1 to 0 without a jerk at either end. */
static double
weight_at(const struct bleed *b, uint64_t time_ns)
{
    double done = (double)(time_ns - b->began_ns) / (double)BLEED_NS;

    return done < 1 ? 1 - done * done * (3 - 2 * done) : 0;
}

void
bleed_apply(struct bleed *b, uint64_t time_ns, struct hp_entity *record)
{
    double exact[4], turn[4], shown[4];
    int i;

    if (b->waiting)
        b->began_ns = time_ns;
    b->waiting = 0;
    b->weight = weight_at(b, time_ns);
    if (!(b->weight > 0)) {
        bleed_reset(b);
        return;
    }
    attitude_of(record, exact);
    scale_turn(b->turn, b->weight, turn);
    quaternion_product(shown, turn, exact);
    for (i = 0; i < 3; i++)
        record->position_m[i] += b->offset_m[i] * b->weight;
    for (i = 0; i < 4; i++)
        record->attitude[i] = (float)shown[i];
}

double
bleed_distance_m(const struct hp_entity *a, const struct hp_entity *b)
{
    double sum = 0, difference;
    int i;

    for (i = 0; i < 3; i++) {
        difference = a->position_m[i] - b->position_m[i];
        sum += difference * difference;
    }
    return sqrt(sum);
}

double
bleed_angle_rad(const struct hp_entity *a, const struct hp_entity *b)
{
    double turn[4];

    turn_between(a, b, turn);
    return 2 * atan2(sqrt(turn[1] * turn[1] + turn[2] * turn[2] +
                          turn[3] * turn[3]),
                     fabs(turn[0]));
}
