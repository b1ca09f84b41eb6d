#include "combat.h"

#include <errno.h>
#include <motion/math.h>
#include <stdlib.h>
#include <string.h>

#define HITS_MAX 1024 /* in one tick; later ones are not counted */

struct combat {
    const struct surroundings *around;
    uint64_t seed;
    uint32_t rounds_max;
    uint32_t round_count;
    struct round *rounds;
    struct sweep *sweep;
    struct arsenal *arsenal;
    struct hit_list hits;
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
    c->hits.hits = calloc(HITS_MAX, sizeof(*c->hits.hits));
    c->hits.capacity = HITS_MAX;
    if (c->rounds == NULL || c->hits.hits == NULL ||
        sweep_create(&c->sweep, slots_max) < 0 ||
        arsenal_create(&c->arsenal, slots_max) < 0) {
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
    sweep_destroy(c->sweep);
    arsenal_destroy(c->arsenal);
    free(c->hits.hits);
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
    arsenal_forget(c->arsenal, shooter);
}

/* The earliest aircraft that a round met on its way, its shooter apart; the lower
 * slot of two at once. */
static int
find_hit(const struct combat *c, const struct combat_scene *scene,
         const struct round *r, const double from[3], double start_s,
         struct gun_hit *first)
{
    struct sweep_look look;
    struct gun_hit hit;
    uint32_t slot;
    int found = 0;

    sweep_look(c->sweep, &look, from, r->position_m, 0);
    while ((slot = sweep_next(c->sweep, &look)) != HP_INDEX_NONE) {
        if (slot == r->shooter ||
            !gun_meets(r, from, start_s, &scene->before[slot],
                       &scene->after[slot], scene->tick_s, &hit))
            continue;
        if (!found || gun_hit_order(&hit, first) < 0)
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
    if (c->hits.count < c->hits.capacity)
        c->hits.hits[c->hits.count++] = hit;
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

static const struct aircraft_gun *
gun_of(const struct combat_scene *scene, const struct aircraft *a)
{
    return &aircraft_model_of(scene->rules, a)->frame.type->file->gun;
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
            gun_round(r, gun_of(scene, after), c->seed, before, after, i,
                      &born_s);
            if (fly_round(c, scene, r, motion_clamp(born_s, 0, scene->tick_s)))
                c->round_count++;
        }
    }
}

/* Insertion sort: a tick has few hits, and its order must not vary. */
static void
sort_hits(struct hit_list *list)
{
    struct gun_hit hit;
    uint32_t i, k;

    for (i = 1; i < list->count; i++) {
        hit = list->hits[i];
        for (k = i; k > 0 && gun_hit_order(&hit, &list->hits[k - 1]) < 0; k--)
            list->hits[k] = list->hits[k - 1];
        list->hits[k] = hit;
    }
}

/* Whether anything flies, or is about to. */
static int
busy(const struct combat *c, const struct combat_scene *scene)
{
    uint32_t slot;

    if (c->round_count > 0 || arsenal_busy(c->arsenal, scene))
        return 1;
    for (slot = 0; slot < scene->slots_end; slot++)
        if (scene->used[slot] &&
            scene->after[slot].rounds_fired != scene->before[slot].rounds_fired)
            return 1;
    return 0;
}

uint32_t
combat_step(struct combat *c, const struct combat_scene *scene,
            const struct gun_hit **hits)
{
    c->hits.count = 0;
    *hits = c->hits.hits;
    if (busy(c, scene)) {
        sweep_gather(c->sweep, scene, GUN_TARGET_RADIUS_M);
        fly_rounds(c, scene);
        fire_rounds(c, scene);
    }
    /* Also in a tick without any: the newest launches are none. */
    arsenal_step(c->arsenal, scene, c->sweep, &c->hits);
    sort_hits(&c->hits);
    return c->hits.count;
}

const struct arsenal *
combat_arsenal(const struct combat *c)
{
    return c->arsenal;
}

const struct round *
combat_rounds(const struct combat *c, uint32_t *count)
{
    *count = c->round_count;
    return c->rounds;
}
