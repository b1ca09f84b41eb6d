#include "arsenal.h"

#include "stores.h"
#include "units.h"
#include <errno.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <stdlib.h>
#include <string.h>

#define EJECTED_MPS 3.0 /* downwards, as it leaves its rack */
#define LOOK_OFF    0.5 /* cosine: beyond 60 degrees a seeker loses its target */

static const double rack_m[3] = {0, 3, 1.5}; /* alternately right and left */

struct arsenal {
    struct flying_store *stores;
    struct arsenal_launch *launches;
    uint32_t count;
    uint32_t launch_count;
};

int
arsenal_create(struct arsenal **out, uint32_t slots_max)
{
    struct arsenal *a = calloc(1, sizeof(*a));

    if (a == NULL)
        return -ENOMEM;
    a->stores = calloc(ARSENAL_MAX, sizeof(*a->stores));
    a->launches = calloc(slots_max + 1, sizeof(*a->launches));
    if (a->stores == NULL || a->launches == NULL) {
        arsenal_destroy(a);
        return -ENOMEM;
    }
    *out = a;
    return 0;
}

void
arsenal_destroy(struct arsenal *a)
{
    if (a == NULL)
        return;
    free(a->stores);
    free(a->launches);
    free(a);
}

void
arsenal_forget(struct arsenal *a, uint32_t slot)
{
    uint32_t i, kept = 0;

    for (i = 0; i < a->count; i++) {
        if (a->stores[i].target == slot)
            a->stores[i].target = HP_INDEX_NONE;
        if (a->stores[i].shooter != slot)
            a->stores[kept++] = a->stores[i];
    }
    a->count = kept;
}

static int
let_go(const struct aircraft *a)
{
    return (a->happened & (AIRCRAFT_DID_LAUNCH | AIRCRAFT_DID_RELEASE)) != 0;
}

int
arsenal_busy(const struct arsenal *a, const struct combat_scene *scene)
{
    uint32_t slot;

    if (a->count > 0)
        return 1;
    for (slot = 0; slot < scene->slots_end; slot++)
        if (scene->used[slot] && let_go(&scene->after[slot]))
            return 1;
    return 0;
}

static const struct aircraft_file *
file_of(const struct combat_scene *scene, const struct flying_store *s)
{
    return scene->rules->models[s->type].frame.type->file;
}

/* Whether a missile may follow the aircraft of a slot. */
static int
may_follow(const struct combat_scene *scene, uint32_t slot)
{
    return slot < scene->slots_end && scene->used[slot] &&
           !(scene->before[slot].flags & (AIRCRAFT_DEAD | AIRCRAFT_FROZEN));
}

/* The nearest in its cone; of two as near the one of the lower slot. */
static void
choose_target(struct flying_store *s, const struct combat_scene *scene)
{
    const struct aircraft_missile *data = &file_of(scene, s)->missile;
    double cone = motion_cos(data->cone_deg * RADIANS_PER_DEG);
    double nearest = 1e300, far_m;
    uint32_t slot;

    for (slot = 0; slot < scene->slots_end; slot++) {
        if (slot == s->shooter || !may_follow(scene, slot) ||
            missile_sees(s, data, scene->before[slot].state.position_m,
                         &far_m) < cone ||
            far_m >= nearest)
            continue;
        nearest = far_m;
        s->target = slot;
        s->target_generation = scene->before[slot].generation;
    }
}

/* A store as it leaves at the tick's start. */
static void
leave(struct flying_store *s, const struct aircraft *before,
      const struct aircraft *after)
{
    const struct airframe_state *from = &before->state;
    double arm[3], down[3] = {0, 0, EJECTED_MPS}, away[3], side[3];
    struct rotation r;
    int i;

    memset(s, 0, sizeof(*s));
    s->number = after->stores_released;
    s->shooter = after->slot;
    s->target = HP_INDEX_NONE;
    s->type = after->type;
    s->kind =
        after->happened & AIRCRAFT_DID_LAUNCH ? STORE_MISSILE : STORE_BOMB;
    memcpy(side, rack_m, sizeof(side));
    if (s->number % 2)
        side[1] = -side[1];
    rotation_of(&r, from->attitude);
    rotation_to_world(arm, &r, side);
    rotation_to_world(away, &r, down);
    for (i = 0; i < 3; i++) {
        s->position_m[i] = from->position_m[i] + arm[i];
        s->velocity_mps[i] = from->velocity_mps[i] + away[i];
    }
}

static void
take_released(struct arsenal *a, const struct combat_scene *scene)
{
    struct flying_store s;
    uint32_t slot;

    a->launch_count = 0;
    for (slot = 0; slot < scene->slots_end; slot++) {
        if (!scene->used[slot] || !let_go(&scene->after[slot]))
            continue;
        leave(&s, &scene->before[slot], &scene->after[slot]);
        if (s.kind == STORE_MISSILE && a->count < ARSENAL_MAX)
            choose_target(&s, scene);
        a->launches[a->launch_count++] =
            (struct arsenal_launch){slot, s.target, s.kind};
        if (a->count < ARSENAL_MAX)
            a->stores[a->count++] = s;
    }
}

/* The target's state at the tick's start; a missile that lost it never finds
 * another. */
static const struct airframe_state *
prey_of(struct flying_store *s, const struct combat_scene *scene)
{
    const struct aircraft_missile *data = &file_of(scene, s)->missile;
    const struct aircraft *it;
    double far_m;

    if (s->target == HP_INDEX_NONE)
        return NULL;
    it = &scene->before[s->target];
    if (may_follow(scene, s->target) &&
        it->generation == s->target_generation &&
        missile_sees(s, data, it->state.position_m, &far_m) >= LOOK_OFF)
        return &it->state;
    s->target = HP_INDEX_NONE;
    return NULL;
}

static void
add_hit(struct hit_list *list, const struct gun_hit *hit)
{
    if (list->count < list->capacity)
        list->hits[list->count++] = *hit;
}

/* What reaches a target that it passes `miss_m` from: half at the fuze's end. */
static double
share_at(double miss_m, double radius_m)
{
    double share = miss_m / radius_m;

    return 1 - 0.5 * motion_clamp(share * share, 0, 1);
}

/* How near it would pass, from where its fuze met the target. */
static double
miss_of(const struct flying_store *s, const struct aircraft *target,
        const double apart_m[3])
{
    double way[3], along, square;
    int i;

    for (i = 0; i < 3; i++)
        way[i] = s->velocity_mps[i] - target->state.velocity_mps[i];
    vector_unit(way);
    along = vector_dot(apart_m, way);
    square = vector_dot(apart_m, apart_m) - along * along;
    return along > 0 || square < 0 ? vector_length(apart_m) : sqrt(square);
}

static void
hit_of(struct gun_hit *out, const struct flying_store *s,
       const struct aircraft *target, const double apart_m[3], double damage)
{
    struct rotation turn;

    memset(out, 0, sizeof(*out));
    rotation_of(&turn, target->state.attitude);
    rotation_to_body(out->direction, &turn, apart_m);
    vector_unit(out->direction);
    out->damage = motion_clamp(damage, 0, 1);
    out->shooter = s->shooter;
    out->number = s->number;
    out->target = target->slot;
}

/* The first aircraft that it met on its way, its own apart; the lower slot of
 * two at once. */
static int
find_met(const struct flying_store *s, const struct combat_scene *scene,
         const struct sweep *sweep, const double from[3], double radius_m,
         double damage, struct gun_hit *first)
{
    struct sweep_look look;
    double time_s, apart[3];
    uint32_t slot;
    int found = 0;

    sweep_look(sweep, &look, from, s->position_m, radius_m);
    while ((slot = sweep_next(sweep, &look)) != HP_INDEX_NONE) {
        if (slot == s->shooter ||
            !gun_sweep(from, s->position_m, 0, &scene->before[slot],
                       &scene->after[slot], scene->tick_s, radius_m, &time_s,
                       apart) ||
            (found && (time_s > first->time_s ||
                       (time_s == first->time_s && slot > first->target))))
            continue;
        hit_of(first, s, &scene->after[slot], apart,
               damage *
                   share_at(miss_of(s, &scene->after[slot], apart), radius_m));
        first->time_s = time_s;
        found = 1;
    }
    return found;
}

/* Everybody within a bomb's blast is hit, the less the further off. */
static void
burst(const struct flying_store *s, const struct combat_scene *scene,
      struct hit_list *hits)
{
    const struct aircraft_bomb *data = &file_of(scene, s)->bomb;
    const struct aircraft *it;
    struct gun_hit hit;
    double apart[3], far_m;
    uint32_t slot;
    int i;

    for (slot = 0; slot < scene->slots_end; slot++) {
        it = &scene->after[slot];
        if (!scene->used[slot])
            continue;
        for (i = 0; i < 3; i++)
            apart[i] = s->position_m[i] - it->state.position_m[i];
        far_m = vector_length(apart) / data->blast_m;
        if (far_m >= 1)
            continue;
        hit_of(&hit, s, it, apart, data->damage * (1 - far_m * far_m));
        hit.time_s = scene->tick_s;
        add_hit(hits, &hit);
    }
}

/* Flies one to the tick's end. Returns 0 when it is spent. */
static int
fly_store(struct flying_store *s, const struct combat_scene *scene,
          const struct sweep *sweep, struct hit_list *hits)
{
    const struct aircraft_file *file = file_of(scene, s);
    int missile = s->kind == STORE_MISSILE, flies;
    double from[3];
    struct gun_hit hit;

    memcpy(from, s->position_m, sizeof(from));
    flies = missile_move(s, scene->rules, missile ? prey_of(s, scene) : NULL,
                         scene->tick_s);
    if (find_met(s, scene, sweep, from,
                 missile ? file->missile.fuze_m : GUN_TARGET_RADIUS_M,
                 missile ? file->missile.damage : file->bomb.damage, &hit)) {
        add_hit(hits, &hit);
        return 0;
    }
    if (!flies && !missile)
        burst(s, scene, hits);
    return flies;
}

void
arsenal_step(struct arsenal *a, const struct combat_scene *scene,
             const struct sweep *sweep, struct hit_list *hits)
{
    uint32_t i, kept = 0;

    take_released(a, scene);
    for (i = 0; i < a->count; i++)
        if (fly_store(&a->stores[i], scene, sweep, hits))
            a->stores[kept++] = a->stores[i];
    a->count = kept;
}

const struct arsenal_launch *
arsenal_launches(const struct arsenal *a, uint32_t *count)
{
    *count = a->launch_count;
    return a->launches;
}

const struct flying_store *
arsenal_stores(const struct arsenal *a, uint32_t *count)
{
    *count = a->count;
    return a->stores;
}
