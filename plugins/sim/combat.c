#include "combat.h"

#include <errno.h>
#include <math.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <stdlib.h>
#include <string.h>

#define HITS_MAX 1024 /* in one tick; later ones are not counted */

/* The ball that holds a target's whole path in one tick. */
struct target {
    double middle_m[3];
    double radius_m;
    uint32_t slot;
};

struct combat {
    const struct surroundings *around;
    uint64_t seed;
    uint32_t rounds_max;
    uint32_t round_count;
    uint32_t target_count;
    uint32_t hit_count;
    struct round *rounds;
    struct target *targets;
    struct gun_hit *hits;
};

int
combat_create(struct combat **out, const struct surroundings *around,
              uint64_t seed, uint32_t rounds_max, uint32_t slots_max)
{
    struct combat *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return -ENOMEM;
    c->around = around;
    c->seed = seed;
    c->rounds_max = rounds_max;
    c->rounds = calloc(rounds_max + 1, sizeof(*c->rounds));
    c->targets = calloc(slots_max + 1, sizeof(*c->targets));
    c->hits = calloc(HITS_MAX, sizeof(*c->hits));
    if (c->rounds == NULL || c->targets == NULL || c->hits == NULL) {
        combat_destroy(c);
        return -ENOMEM;
    }
    *out = c;
    return 0;
}

void
combat_destroy(struct combat *c)
{
    if (c == NULL)
        return;
    free(c->rounds);
    free(c->targets);
    free(c->hits);
    free(c);
}

void
combat_forget(struct combat *c, uint32_t shooter)
{
    uint32_t i, kept = 0;

    for (i = 0; i < c->round_count; i++)
        if (c->rounds[i].shooter != shooter)
            c->rounds[kept++] = c->rounds[i];
    c->round_count = kept;
}

/* Not one that has just appeared: its path would lead across the world. */
static void
gather_targets(struct combat *c, const struct combat_scene *scene)
{
    const double *was, *is;
    double way[3];
    struct target *t;
    uint32_t slot;
    int i;

    c->target_count = 0;
    for (slot = 0; slot < scene->slots_end; slot++) {
        if (!scene->used[slot] ||
            scene->after[slot].happened & AIRCRAFT_DID_RESPAWN)
            continue;
        t = &c->targets[c->target_count++];
        was = scene->before[slot].state.position_m;
        is = scene->after[slot].state.position_m;
        for (i = 0; i < 3; i++)
            way[i] = is[i] - was[i];
        vector_between(t->middle_m, was, is, 0.5);
        t->radius_m = GUN_TARGET_RADIUS_M + vector_length(way) / 2;
        t->slot = slot;
    }
}

/* Whether the two balls of a tick's paths leave a round no chance to hit. */
static int
far_apart(const struct target *t, const double middle_m[3], double radius_m)
{
    double reach = t->radius_m + radius_m;

    return fabs(t->middle_m[0] - middle_m[0]) > reach ||
           fabs(t->middle_m[1] - middle_m[1]) > reach ||
           fabs(t->middle_m[2] - middle_m[2]) > reach;
}

/* The earliest aircraft that a round met on its way, its shooter apart. */
static int
find_hit(const struct combat *c, const struct combat_scene *scene,
         const struct round *r, const double from[3], double start_s,
         struct gun_hit *first)
{
    double middle[3], way[3], radius;
    const struct target *t;
    struct gun_hit hit;
    uint32_t k;
    int i, found = 0;

    for (i = 0; i < 3; i++)
        way[i] = r->position_m[i] - from[i];
    vector_between(middle, from, r->position_m, 0.5);
    radius = vector_length(way) / 2;
    for (k = 0; k < c->target_count; k++) {
        t = &c->targets[k];
        if (far_apart(t, middle, radius) || t->slot == r->shooter ||
            !gun_meets(r, from, start_s, &scene->before[t->slot],
                       &scene->after[t->slot], scene->tick_s, &hit))
            continue;
        if (!found || hit.time_s < first->time_s)
            *first = hit;
        found = 1;
    }
    return found;
}

/* Flies a round to the tick's end. Returns 0 when it is spent. */
static int
fly_round(struct combat *c, const struct combat_scene *scene, struct round *r,
          double start_s)
{
    double from[3];
    struct gun_hit hit;
    int flies;

    memcpy(from, r->position_m, sizeof(from));
    flies = gun_move(r, c->around, scene->tick_s - start_s);
    if (!find_hit(c, scene, r, from, start_s, &hit))
        return flies;
    if (c->hit_count < HITS_MAX)
        c->hits[c->hit_count++] = hit;
    return 0;
}

static void
fly_rounds(struct combat *c, const struct combat_scene *scene)
{
    uint32_t i, kept = 0;

    for (i = 0; i < c->round_count; i++)
        if (fly_round(c, scene, &c->rounds[i], 0))
            c->rounds[kept++] = c->rounds[i];
    c->round_count = kept;
}

/* Rounds that left a muzzle within the tick join those in the air. */
static void
fire_rounds(struct combat *c, const struct combat_scene *scene)
{
    const struct aircraft *before, *after;
    struct round *r;
    uint32_t slot, i;
    double born_s;

    for (slot = 0; slot < scene->slots_end; slot++) {
        before = &scene->before[slot];
        after = &scene->after[slot];
        if (!scene->used[slot])
            continue;
        for (i = 0; i < after->rounds_fired - before->rounds_fired; i++) {
            if (c->round_count == c->rounds_max)
                return;
            r = &c->rounds[c->round_count];
            gun_round(r, c->seed, before, after, i, &born_s);
            if (fly_round(c, scene, r, motion_clamp(born_s, 0, scene->tick_s)))
                c->round_count++;
        }
    }
}

/* Insertion sort: a tick has few hits, and its order must not vary. */
static void
sort_hits(struct combat *c)
{
    struct gun_hit hit;
    uint32_t i, k;

    for (i = 1; i < c->hit_count; i++) {
        hit = c->hits[i];
        for (k = i; k > 0 && gun_hit_order(&hit, &c->hits[k - 1]) < 0; k--)
            c->hits[k] = c->hits[k - 1];
        c->hits[k] = hit;
    }
}

uint32_t
combat_step(struct combat *c, const struct combat_scene *scene,
            const struct gun_hit **hits)
{
    c->hit_count = 0;
    gather_targets(c, scene);
    fly_rounds(c, scene);
    fire_rounds(c, scene);
    sort_hits(c);
    *hits = c->hits;
    return c->hit_count;
}

const struct round *
combat_rounds(const struct combat *c, uint32_t *count)
{
    *count = c->round_count;
    return c->rounds;
}
