#include "gun.h"

#include "ballistics.h"
#include <motion/math.h>
#include <motion/vector.h>

#define ROUND_LIFE_S 3.0

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
gun_round(struct round *out, const struct aircraft_gun *gun, uint64_t seed,
          const struct aircraft *before, const struct aircraft *after,
          uint32_t index, double *born_s)
{
    const double across_mps = gun->muzzle_mps * gun->spread;
    double speed[3], arm[3], start[3];
    struct rotation r;
    int i;

    out->number = before->rounds_fired + index;
    out->shooter = after->slot;
    out->age_s = 0;
    out->coefficient = gun->bc_lbin2 * BALLISTIC_KG_M2_PER_LB_IN2;
    out->damage_per_speed2 = gun->damage / (gun->muzzle_mps * gun->muzzle_mps);
    /* The gun charges evenly, so this is when it was full. */
    *born_s = (1 - before->gun_charge + index) / gun->rounds_per_s;
    rotation_of(&r, before->state.attitude);
    speed[0] = gun->muzzle_mps;
    speed[1] = across_mps * scatter(seed, after->slot, out->number, 1);
    speed[2] = across_mps * scatter(seed, after->slot, out->number, 2);
    rotation_to_world(out->velocity_mps, &r, speed);
    rotation_to_world(arm, &r, gun->position_m);
    for (i = 0; i < 3; i++) {
        start[i] = before->state.position_m[i] +
                   before->state.velocity_mps[i] * *born_s;
        out->position_m[i] = start[i] + arm[i];
        out->velocity_mps[i] += before->state.velocity_mps[i];
    }
}

int
gun_move(struct round *r, const struct surroundings *around, double dt_s)
{
    const struct ballistic_body body = {BALLISTIC_G7, r->coefficient};

    ballistic_move(around, &body, r->position_m, r->velocity_mps, dt_s);
    r->age_s += dt_s;
    return r->age_s < ROUND_LIFE_S &&
           ballistic_over_ground(around, r->position_m);
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
    double speed[3];
    struct rotation turn;
    int i;

    rotation_of(&turn, target->state.attitude);
    rotation_to_body(out->direction, &turn, apart);
    vector_unit(out->direction);
    for (i = 0; i < 3; i++)
        speed[i] = r->velocity_mps[i] - target->state.velocity_mps[i];
    out->damage =
        motion_clamp(r->damage_per_speed2 * vector_dot(speed, speed), 0, 1);
    out->shooter = r->shooter;
    out->number = r->number;
    out->target = target->slot;
    out->reserved = 0;
}

int
gun_sweep(const double from[3], const double to[3], double start_s,
          const struct aircraft *before, const struct aircraft *after,
          double tick_s, double radius_m, double *time_s, double apart[3])
{
    const double *was = before->state.position_m;
    const double *is = after->state.position_m;
    double at_start[3], near[3], far[3], share;
    int i;

    vector_between(at_start, was, is, start_s / tick_s);
    for (i = 0; i < 3; i++) {
        near[i] = from[i] - at_start[i];
        far[i] = to[i] - is[i];
    }
    share = sphere_entry(near, far, radius_m);
    if (share < 0)
        return 0;
    vector_between(apart, near, far, share);
    *time_s = start_s + share * (tick_s - start_s);
    return 1;
}

int
gun_meets(const struct round *r, const double from[3], double start_s,
          const struct aircraft *before, const struct aircraft *after,
          double tick_s, struct gun_hit *out)
{
    double apart[3], time_s;

    if (!gun_sweep(from, r->position_m, start_s, before, after, tick_s,
                   GUN_TARGET_RADIUS_M, &time_s, apart))
        return 0;
    hit_fill(out, r, apart, after);
    out->time_s = time_s;
    return 1;
}

int
gun_hit_order(const struct gun_hit *a, const struct gun_hit *b)
{
    if (a->time_s != b->time_s)
        return a->time_s < b->time_s ? -1 : 1;
    if (a->shooter != b->shooter)
        return a->shooter < b->shooter ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}
