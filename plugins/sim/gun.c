#include "gun.h"

#include "ballistics.h"
#include <motion/math.h>
#include <motion/vector.h>

#define MUZZLE_MPS 1030.0
/* Of a 20 mm round of 0.1 kg, by the G7 shape. */
#define ROUND_COEFFICIENT (0.287 * BALLISTIC_KG_M2_PER_LB_IN2)
#define ROUND_LIFE_S      3.0
#define SPREAD            0.0025 /* of the muzzle speed, each way across */
#define DAMAGE            0.1    /* of a round at muzzle speed */

static const double muzzle_m[3] = {5.0, -0.8, -0.5};

/* -1 .. 1 from a counter: the same on every machine, in any order. */
static double
scatter(uint64_t seed, uint32_t shooter, uint32_t number, uint32_t axis)
{
    uint64_t h = seed + shooter * 0x9e3779b97f4a7c15u +
                 number * 0xbf58476d1ce4e5b9u + axis * 0x94d049bb133111ebu;

    h ^= h >> 30;
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 27;
    h *= 0x94d049bb133111ebu;
    h ^= h >> 31;
    return (double)(h >> 11) * (2.0 / 9007199254740992.0) - 1;
}

void
gun_round(struct round *out, uint64_t seed, const struct aircraft *before,
          const struct aircraft *after, uint32_t index, double *born_s)
{
    double speed[3], arm[3], start[3];
    struct rotation r;
    int i;

    out->number = before->rounds_fired + index;
    out->shooter = after->slot;
    out->age_s = 0;
    /* The gun charges evenly, so this is when it was full. */
    *born_s = (1 - before->gun_charge + index) / GUN_ROUNDS_PER_S;
    rotation_of(&r, before->state.attitude);
    speed[0] = MUZZLE_MPS;
    speed[1] = MUZZLE_MPS * SPREAD * scatter(seed, after->slot, out->number, 1);
    speed[2] = MUZZLE_MPS * SPREAD * scatter(seed, after->slot, out->number, 2);
    rotation_to_world(out->velocity_mps, &r, speed);
    rotation_to_world(arm, &r, muzzle_m);
    for (i = 0; i < 3; i++) {
        start[i] = before->state.position_m[i] +
                   before->state.velocity_mps[i] * *born_s;
        out->position_m[i] = start[i] + arm[i];
        out->velocity_mps[i] += before->state.velocity_mps[i];
    }
}

/* Whether a round is over the ground. */
static int
above_ground(const struct surroundings *around, const double position[3])
{
    const struct ground *ground = &around->ground;
    struct planet_place place;

    planet_locate(&around->planet, position, &place);
    return place.height_m > ground_height_max(ground) ||
           place.height_m > ground_height(ground, position[0], position[1]);
}

int
gun_move(struct round *r, const struct surroundings *around, double dt_s)
{
    static const struct ballistic_body body = {BALLISTIC_G7, ROUND_COEFFICIENT};

    ballistic_move(around, &body, r->position_m, r->velocity_mps, dt_s);
    r->age_s += dt_s;
    return r->age_s < ROUND_LIFE_S && above_ground(around, r->position_m);
}

/*
 * When a point that moves from `from` to `to` enters the sphere around the
 * origin, as a share of the way; -1 when it does not.
 */
static double
sphere_entry(const double from[3], const double to[3], double radius)
{
    double way[3], a, b, c, root, share;
    int i;

    for (i = 0; i < 3; i++)
        way[i] = to[i] - from[i];
    c = vector_dot(from, from) - radius * radius;
    if (c <= 0)
        return 0;
    a = vector_dot(way, way);
    b = vector_dot(from, way);
    root = b * b - a * c;
    if (b >= 0 || root < 0)
        return -1;
    share = (-b - sqrt(root)) / a;
    return share <= 1 ? share : -1;
}

/* Fills the hit from where the round stood to the target when they met. */
static void
hit_fill(struct gun_hit *out, const struct round *r, const double apart[3],
         const struct aircraft *target)
{
    double speed[3], share;
    struct rotation turn;
    int i;

    rotation_of(&turn, target->state.attitude);
    rotation_to_body(out->direction, &turn, apart);
    vector_unit(out->direction);
    for (i = 0; i < 3; i++)
        speed[i] = r->velocity_mps[i] - target->state.velocity_mps[i];
    share = vector_length(speed) / MUZZLE_MPS;
    out->damage = motion_clamp(DAMAGE * share * share, 0, 1);
    out->shooter = r->shooter;
    out->number = r->number;
    out->target = target->slot;
    out->reserved = 0;
}

int
gun_meets(const struct round *r, const double from[3], double start_s,
          const struct aircraft *before, const struct aircraft *after,
          double tick_s, struct gun_hit *out)
{
    const double *was = before->state.position_m;
    const double *is = after->state.position_m;
    double at_start[3], near[3], far[3], apart[3], share;
    int i;

    vector_between(at_start, was, is, start_s / tick_s);
    for (i = 0; i < 3; i++) {
        near[i] = from[i] - at_start[i];
        far[i] = r->position_m[i] - is[i];
    }
    share = sphere_entry(near, far, GUN_TARGET_RADIUS_M);
    if (share < 0)
        return 0;
    vector_between(apart, near, far, share);
    hit_fill(out, r, apart, after);
    out->time_s = start_s + share * (tick_s - start_s);
    return 1;
}

int
gun_hit_order(const struct gun_hit *a, const struct gun_hit *b)
{
    if (a->time_s != b->time_s)
        return a->time_s < b->time_s ? -1 : 1;
    if (a->shooter != b->shooter)
        return a->shooter < b->shooter ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}
