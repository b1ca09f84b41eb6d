#include "world.h"

#include "combat.h"
#include "schema.h"
#include <errno.h>
#include <motion/math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_PER_AIRCRAFT 8
#define EVENTS_EXTRA        256

struct world {
    const struct aircraft_world *rules;
    struct world_log log;
    uint32_t clients_max;
    uint32_t entities_max;
    uint32_t event_count;
    uint32_t events_max;
    uint32_t slots_end; /* no used slot is at or beyond it */
    uint32_t *slot_of_client;
    uint16_t *generations; /* of each slot's next use */
    uint8_t *used;
    struct aircraft *aircraft; /* by slot */
    struct aircraft *before;   /* the same at the step's start */
    struct combat *combat;
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
    w->clients_max = clients_max;
    w->entities_max = entities_max;
    w->events_max = EVENTS_PER_AIRCRAFT * entities_max + EVENTS_EXTRA;
    w->slot_of_client = calloc(clients_max + 1, sizeof(*w->slot_of_client));
    w->generations = calloc(entities_max + 1, sizeof(*w->generations));
    w->used = calloc(entities_max + 1, sizeof(*w->used));
    w->aircraft = calloc(entities_max + 1, sizeof(*w->aircraft));
    w->before = calloc(entities_max + 1, sizeof(*w->before));
    w->events = calloc(w->events_max, sizeof(*w->events));
    if (w->slot_of_client == NULL || w->generations == NULL ||
        w->used == NULL || w->aircraft == NULL || w->before == NULL ||
        w->events == NULL ||
        combat_create(&w->combat, &rules->frame.around, seed, rounds_max,
                      entities_max) < 0) {
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
    combat_destroy(w->combat);
    free(w->events);
    free(w);
}

int
world_join(struct world *w, uint32_t client, uint32_t type)
{
    uint32_t slot = 0;

    if (client >= w->clients_max || type >= w->rules->model_count)
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
    aircraft_spawn_type(w->rules, &w->aircraft[slot], type, (uint16_t)slot,
                        w->generations[slot], client);
    return 0;
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
    combat_forget(w->combat, slot);
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
        aircraft_step(w->rules, &w->aircraft[slot], input, tick);
        tell_happenings(w, tick->index, &w->aircraft[slot]);
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
    struct combat_scene scene = {w->before,    w->aircraft, w->used,
                                 w->slots_end, 0,           tick->dt_s};
    const struct gun_hit *hits;
    uint32_t i, hit_count;

    w->event_count = 0;
    step_aircraft(w, tick, inputs, count);
    hit_count = combat_step(w->combat, &scene, &hits);
    for (i = 0; i < hit_count; i++)
        apply_hit(w, tick->index, &hits[i]);
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
    uint64_t hash = 0x2545f4914f6cdd1du;
    const struct round *rounds;
    uint32_t slot, count;
    uint64_t use;

    for (slot = 0; slot < w->entities_max; slot++) {
        use = (uint64_t)w->generations[slot] << 8 | w->used[slot];
        hash = fold(hash, &use, sizeof(use));
        if (w->used[slot])
            hash = fold(hash, &w->aircraft[slot], sizeof(w->aircraft[slot]));
    }
    rounds = combat_rounds(w->combat, &count);
    return fold(hash, rounds, count * sizeof(rounds[0]));
}
