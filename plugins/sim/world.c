#include "world.h"

#include "gun.h"
#include "schema.h"
#include <errno.h>
#include <math.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_PER_AIRCRAFT 8
#define EVENTS_EXTRA        256
#define HITS_MAX            1024 /* in one tick; later ones are not counted */

/* The ball that holds a target's whole path in one tick. */
struct target {
    double middle_m[3];
    double radius_m;
    uint32_t slot;
};

struct world {
    const struct aircraft_world *rules;
    struct world_log log;
    uint64_t seed;
    uint32_t clients_max;
    uint32_t entities_max;
    uint32_t rounds_max;
    uint32_t round_count;
    uint32_t event_count;
    uint32_t events_max;
    uint32_t hit_count;
    uint32_t target_count;
    uint32_t slots_end; /* no used slot is at or beyond it */
    uint32_t *slot_of_client;
    uint16_t *generations; /* of each slot's next use */
    uint8_t *used;
    struct aircraft *aircraft; /* by slot */
    struct aircraft *before;   /* the same at the step's start */
    struct target *targets;
    struct round *rounds;
    struct gun_hit *hits;
    struct hp_event *events;
};

int
world_create(struct world **out, const struct aircraft_world *rules,
             uint64_t seed, uint32_t clients_max, uint32_t entities_max,
             uint32_t rounds_max, const struct world_log *log)
{
    struct world *w = calloc(1, sizeof(*w));
    uint32_t i;

    if (w == NULL)
        return -ENOMEM;
    /* Slots are 16 bits on the wire, and 65535 means none. */
    if (entities_max > UINT16_MAX)
        entities_max = UINT16_MAX;
    w->rules = rules;
    w->log = *log;
    w->seed = seed;
    w->clients_max = clients_max;
    w->entities_max = entities_max;
    w->rounds_max = rounds_max;
    w->events_max = EVENTS_PER_AIRCRAFT * entities_max + EVENTS_EXTRA;
    w->slot_of_client = calloc(clients_max + 1, sizeof(*w->slot_of_client));
    w->generations = calloc(entities_max + 1, sizeof(*w->generations));
    w->used = calloc(entities_max + 1, sizeof(*w->used));
    w->aircraft = calloc(entities_max + 1, sizeof(*w->aircraft));
    w->before = calloc(entities_max + 1, sizeof(*w->before));
    w->targets = calloc(entities_max + 1, sizeof(*w->targets));
    w->rounds = calloc(rounds_max + 1, sizeof(*w->rounds));
    w->hits = calloc(HITS_MAX, sizeof(*w->hits));
    w->events = calloc(w->events_max, sizeof(*w->events));
    if (w->slot_of_client == NULL || w->generations == NULL ||
        w->used == NULL || w->aircraft == NULL || w->before == NULL ||
        w->targets == NULL || w->rounds == NULL || w->hits == NULL ||
        w->events == NULL) {
        world_destroy(w);
        return -ENOMEM;
    }
    for (i = 0; i < clients_max; i++)
        w->slot_of_client[i] = HP_INDEX_NONE;
    *out = w;
    return 0;
}

void
world_destroy(struct world *w)
{
    if (w == NULL)
        return;
    free(w->slot_of_client);
    free(w->generations);
    free(w->used);
    free(w->aircraft);
    free(w->before);
    free(w->targets);
    free(w->rounds);
    free(w->hits);
    free(w->events);
    free(w);
}

int
world_join(struct world *w, uint32_t client)
{
    uint32_t slot = 0;

    if (client >= w->clients_max)
        return -EINVAL;
    if (w->slot_of_client[client] != HP_INDEX_NONE)
        return -EEXIST;
    while (slot < w->entities_max && w->used[slot])
        slot++;
    if (slot == w->entities_max)
        return -ENOSPC;
    w->used[slot] = 1;
    w->slot_of_client[client] = slot;
    if (slot >= w->slots_end)
        w->slots_end = slot + 1;
    aircraft_spawn(w->rules, &w->aircraft[slot], (uint16_t)slot,
                   w->generations[slot], client);
    return 0;
}

/* What a shooter fired goes with it: nobody is left to own the hits. */
static void
forget_rounds(struct world *w, uint32_t slot)
{
    uint32_t i, kept = 0;

    for (i = 0; i < w->round_count; i++)
        if (w->rounds[i].shooter != slot)
            w->rounds[kept++] = w->rounds[i];
    w->round_count = kept;
}

void
world_leave(struct world *w, uint32_t client)
{
    uint32_t slot;

    if (world_aircraft(w, client) == NULL)
        return;
    slot = w->slot_of_client[client];
    w->slot_of_client[client] = HP_INDEX_NONE;
    w->generations[slot] = (uint16_t)(w->aircraft[slot].generation + 1);
    w->used[slot] = 0;
    while (w->slots_end > 0 && !w->used[w->slots_end - 1])
        w->slots_end--;
    forget_rounds(w, slot);
}

const struct aircraft *
world_aircraft(const struct world *w, uint32_t client)
{
    if (client >= w->clients_max || w->slot_of_client[client] == HP_INDEX_NONE)
        return NULL;
    return &w->aircraft[w->slot_of_client[client]];
}

static uint32_t
entity_id(const struct aircraft *a)
{
    return HP_ENTITY_ID(a->slot, a->generation);
}

/* The next event, or NULL when one tick had more than there is room for. */
static struct hp_event *
event_new(struct world *w, uint64_t tick, uint32_t type,
          const struct aircraft *who, uint32_t audience)
{
    struct hp_event *e;

    if (w->event_count == w->events_max)
        return NULL;
    e = &w->events[w->event_count++];
    memset(e, 0, sizeof(*e));
    e->tick = tick;
    e->cause_tick = tick;
    e->type = type;
    e->who = entity_id(who);
    e->whom = HP_ENTITY_NONE;
    e->audience = audience;
    return e;
}

static void
tell(struct world *w, uint64_t tick, uint32_t type, const struct aircraft *who,
     double strength)
{
    struct hp_event *e = event_new(w, tick, type, who, HP_AUDIENCE_NEAR);

    if (e != NULL)
        e->strength = (float)strength;
}

static void
tell_frozen(struct world *w, uint64_t tick, const struct aircraft *a)
{
    char text[160];

    snprintf(text, sizeof(text),
             "aircraft in slot %u: its state left what is possible at tick "
             "%llu; it is frozen until its pilot asks for a new one",
             (unsigned int)a->slot, (unsigned long long)tick);
    w->log.line(w->log.context, text);
}

/* What an aircraft's own step did, as events. */
static void
tell_happenings(struct world *w, uint64_t tick, const struct aircraft *a)
{
    uint32_t did = a->happened;

    if (did == 0)
        return;
    if (did & AIRCRAFT_DID_RESPAWN)
        tell(w, tick, HP_EVENT_RESPAWN, a, 1);
    if (did & AIRCRAFT_DID_GEAR)
        tell(w, tick, HP_EVENT_GEAR, a, a->flags & AIRCRAFT_GEAR_DOWN ? 1 : 0);
    if (did & AIRCRAFT_DID_AFTERBURNER)
        tell(w, tick, HP_EVENT_AFTERBURNER, a, 1);
    if (did & AIRCRAFT_DID_BURST)
        tell(w, tick, HP_EVENT_GUN, a, 1);
    if (did & AIRCRAFT_DID_TOUCH)
        tell(w, tick, HP_EVENT_TOUCHDOWN, a, a->ground_hit_mps);
    if (did & AIRCRAFT_DID_CRASH)
        tell(w, tick, HP_EVENT_CRASH, a, a->ground_hit_mps);
    if (did & AIRCRAFT_DID_FREEZE)
        tell_frozen(w, tick, a);
}

static void
step_aircraft(struct world *w, const struct hp_tick *tick,
              const struct hp_client_input *inputs, uint32_t count)
{
    static const struct hp_input centred;
    const struct hp_input *input;
    uint32_t slot, next;

    for (slot = 0; slot < w->slots_end; slot++) {
        if (!w->used[slot])
            continue;
        w->before[slot] = w->aircraft[slot];
        /* Inputs come in order of client, slots need not: most often they
         * agree, so look there first. */
        input = &centred;
        next = slot < count && inputs[slot].client == w->aircraft[slot].owner
                   ? slot
                   : 0;
        for (; next < count; next++)
            if (inputs[next].client == w->aircraft[slot].owner) {
                input = &inputs[next].input;
                break;
            }
        aircraft_step(w->rules, &w->aircraft[slot], input, tick->dt_s);
        tell_happenings(w, tick->index, &w->aircraft[slot]);
    }
}

static void
note_hit(struct world *w, const struct gun_hit *hit)
{
    if (w->hit_count < HITS_MAX)
        w->hits[w->hit_count++] = *hit;
}

/* Not one that has just appeared: its path would lead across the world. */
static void
gather_targets(struct world *w)
{
    const double *was, *is;
    double way[3];
    struct target *t;
    uint32_t slot;
    int i;

    w->target_count = 0;
    for (slot = 0; slot < w->slots_end; slot++) {
        if (!w->used[slot] || w->aircraft[slot].happened & AIRCRAFT_DID_RESPAWN)
            continue;
        t = &w->targets[w->target_count++];
        was = w->before[slot].state.position_m;
        is = w->aircraft[slot].state.position_m;
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
find_hit(struct world *w, const struct round *r, const double from[3],
         double start_s, double tick_s, struct gun_hit *first)
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
    for (k = 0; k < w->target_count; k++) {
        t = &w->targets[k];
        if (far_apart(t, middle, radius) || t->slot == r->shooter ||
            !gun_meets(r, from, start_s, &w->before[t->slot],
                       &w->aircraft[t->slot], tick_s, &hit))
            continue;
        if (!found || hit.time_s < first->time_s)
            *first = hit;
        found = 1;
    }
    return found;
}

/* Flies a round to the tick's end. Returns 0 when it is spent. */
static int
fly_round(struct world *w, struct round *r, double start_s, double tick_s)
{
    double from[3];
    struct gun_hit hit;
    int flies;

    memcpy(from, r->position_m, sizeof(from));
    flies = gun_move(r, &w->rules->frame.ground, tick_s - start_s);
    if (!find_hit(w, r, from, start_s, tick_s, &hit))
        return flies;
    note_hit(w, &hit);
    return 0;
}

static void
fly_rounds(struct world *w, double tick_s)
{
    uint32_t i, kept = 0;

    for (i = 0; i < w->round_count; i++)
        if (fly_round(w, &w->rounds[i], 0, tick_s))
            w->rounds[kept++] = w->rounds[i];
    w->round_count = kept;
}

/* Rounds that left a muzzle within the step join those in the air. */
static void
fire_rounds(struct world *w, double tick_s)
{
    const struct aircraft *before, *after;
    struct round *r;
    uint32_t slot, i;
    double born_s;

    for (slot = 0; slot < w->slots_end; slot++) {
        before = &w->before[slot];
        after = &w->aircraft[slot];
        if (!w->used[slot])
            continue;
        for (i = 0; i < after->rounds_fired - before->rounds_fired; i++) {
            if (w->round_count == w->rounds_max)
                return;
            r = &w->rounds[w->round_count];
            gun_round(r, w->seed, before, after, i, &born_s);
            if (fly_round(w, r, motion_clamp(born_s, 0, tick_s), tick_s))
                w->round_count++;
        }
    }
}

/* Insertion sort: a tick has few hits, and its order must not vary. */
static void
sort_hits(struct world *w)
{
    struct gun_hit hit;
    uint32_t i, k;

    for (i = 1; i < w->hit_count; i++) {
        hit = w->hits[i];
        for (k = i; k > 0 && gun_hit_order(&hit, &w->hits[k - 1]) < 0; k--)
            w->hits[k] = w->hits[k - 1];
        w->hits[k] = hit;
    }
}

static void
apply_hit(struct world *w, uint64_t tick, const struct gun_hit *hit)
{
    struct aircraft *target = &w->aircraft[hit->target];
    const struct aircraft *shooter = &w->aircraft[hit->shooter];
    struct hp_event *e;
    int i;

    if (target->flags & AIRCRAFT_DEAD)
        return;
    target->health = motion_clamp(target->health - hit->damage, 0, 1);
    e = event_new(w, tick, HP_EVENT_HIT, shooter, HP_AUDIENCE_NEAR);
    if (e != NULL) {
        e->whom = entity_id(target);
        /* A round that does a fifth of an aircraft's worth is the hardest. */
        e->strength = (float)motion_clamp(hit->damage * 5, 0, 1);
        for (i = 0; i < 3; i++)
            e->direction[i] = (float)hit->direction[i];
    }
    if (target->health > 0)
        return;
    aircraft_kill(target);
    e = event_new(w, tick, HP_EVENT_KILL, shooter, HP_AUDIENCE_ALL);
    if (e != NULL) {
        e->whom = entity_id(target);
        e->strength = 1;
    }
}

void
world_step(struct world *w, const struct hp_tick *tick,
           const struct hp_client_input *inputs, uint32_t count)
{
    uint32_t i;

    w->event_count = 0;
    w->hit_count = 0;
    step_aircraft(w, tick, inputs, count);
    gather_targets(w);
    fly_rounds(w, tick->dt_s);
    fire_rounds(w, tick->dt_s);
    sort_hits(w);
    for (i = 0; i < w->hit_count; i++)
        apply_hit(w, tick->index, &w->hits[i]);
}

int
world_view(const struct world *w, struct hp_view_sink *sink)
{
    uint8_t *at = sink->entities;
    struct flight_record record;
    uint32_t slot, events;

    events = w->event_count < sink->event_capacity ? w->event_count
                                                   : sink->event_capacity;
    if (events > 0)
        memcpy(sink->events, w->events, events * sizeof(*w->events));
    sink->event_count = events;
    sink->count = 0;
    for (slot = 0; slot < w->slots_end; slot++) {
        if (!w->used[slot])
            continue;
        if (sink->count == sink->capacity)
            return -ENOSPC;
        schema_record(w->rules, &w->aircraft[slot], &record);
        memcpy(at, &record, sizeof(record));
        at += sink->stride;
        sink->count++;
    }
    return events < w->event_count ? -ENOSPC : 0;
}

/* Folds words into a digest; every member hashed is a multiple of 8 bytes. */
static uint64_t
fold(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    uint64_t word;
    size_t i;

    for (i = 0; i + 8 <= count; i += 8) {
        memcpy(&word, at + i, 8);
        hash = (hash ^ word) * 0x9fb21c651e98df25u;
        hash ^= hash >> 29;
    }
    return hash;
}

uint64_t
world_hash(const struct world *w)
{
    uint64_t hash = w->seed ^ 0x2545f4914f6cdd1du;
    uint64_t use;
    uint32_t slot;

    for (slot = 0; slot < w->entities_max; slot++) {
        use = (uint64_t)w->generations[slot] << 8 | w->used[slot];
        hash = fold(hash, &use, sizeof(use));
        if (w->used[slot])
            hash = fold(hash, &w->aircraft[slot], sizeof(w->aircraft[slot]));
    }
    return fold(hash, w->rounds, w->round_count * sizeof(w->rounds[0]));
}
