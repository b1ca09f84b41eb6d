#include "world.h"

#include "combat.h"
#include "damage.h"
#include "pilot.h"
#include "schema.h"
#include "tidings.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_PER_AIRCRAFT 8
#define EVENTS_EXTRA        256

/* What is worth another thread: some 20 us each. */
#define STEP_GRAIN 32
#define VIEW_GRAIN 128

struct world {
    const struct aircraft_world *rules;
    const struct hp_host *host; /* for its jobs; NULL: it has none */
    struct world_log log;
    uint32_t clients_max;
    uint32_t entities_max;
    uint32_t slots_end; /* no used slot is at or beyond it */
    uint32_t *slot_of_client;
    uint16_t *generations; /* of each slot's next use */
    uint8_t *used;
    uint32_t *list; /* the used slots, in order */
    uint32_t list_count;
    uint32_t pilot_count;
    uint32_t pilots_first;          /* slot of the first pilot */
    struct pilot *pilots;           /* the sim's own */
    const struct hp_input **inputs; /* by slot, within a step; else NULL */
    struct aircraft *aircraft;      /* by slot */
    struct aircraft *before;        /* the same at the step's start */
    struct combat *combat;
    struct tidings tidings;
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
    w->tidings.capacity = EVENTS_PER_AIRCRAFT * entities_max + EVENTS_EXTRA;
    w->slot_of_client = calloc(clients_max + 1, sizeof(*w->slot_of_client));
    w->generations = calloc(entities_max + 1, sizeof(*w->generations));
    w->used = calloc(entities_max + 1, sizeof(*w->used));
    w->list = calloc(entities_max + 1, sizeof(*w->list));
    w->inputs = calloc(entities_max + 1, sizeof(*w->inputs));
    w->aircraft = calloc(entities_max + 1, sizeof(*w->aircraft));
    w->before = calloc(entities_max + 1, sizeof(*w->before));
    w->tidings.events = calloc(w->tidings.capacity, sizeof(*w->tidings.events));
    if (w->slot_of_client == NULL || w->generations == NULL ||
        w->used == NULL || w->list == NULL || w->inputs == NULL ||
        w->aircraft == NULL || w->before == NULL || w->tidings.events == NULL ||
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
    free(w->list);
    free(w->pilots);
    free(w->inputs);
    free(w->aircraft);
    free(w->before);
    combat_destroy(w->combat);
    free(w->tidings.events);
    free(w);
}

void
world_set_host(struct world *w, const struct hp_host *host)
{
    w->host = HP_HAS(host, jobs) && host->jobs != NULL ? host : NULL;
}

/* [1 or more indices a call] On the host's threads where it has any. */
static void
share(const struct world *w, void (*run)(void *, uint32_t, uint32_t),
      void *context, uint32_t count, uint32_t grain)
{
    if (count == 0)
        return;
    if (w->host != NULL)
        w->host->jobs(w->host, run, context, count, grain);
    else
        run(context, 0, count);
}

/* The slots that are in use have changed. */
static void
list_slots(struct world *w)
{
    uint32_t slot;

    while (w->slots_end > 0 && !w->used[w->slots_end - 1])
        w->slots_end--;
    w->list_count = 0;
    for (slot = 0; slot < w->slots_end; slot++)
        if (w->used[slot])
            w->list[w->list_count++] = slot;
}

static void
enter(struct world *w, uint32_t slot, uint32_t type, uint32_t owner)
{
    w->used[slot] = 1;
    if (slot >= w->slots_end)
        w->slots_end = slot + 1;
    aircraft_spawn_type(w->rules, &w->aircraft[slot], type, (uint16_t)slot,
                        w->generations[slot], owner);
}

int
world_add_pilots(struct world *w, uint32_t count, uint32_t pattern)
{
    uint32_t i;

    if (count == 0)
        return 0;
    if (w->clients_max >= w->entities_max ||
        count > w->entities_max - w->clients_max)
        return -ENOSPC;
    w->pilots = calloc(count, sizeof(*w->pilots));
    if (w->pilots == NULL)
        return -ENOMEM;
    w->pilot_count = count;
    w->pilots_first = w->clients_max;
    for (i = 0; i < count; i++) {
        pilot_init(&w->pilots[i], pattern, i);
        enter(w, w->pilots_first + i, 0, HP_CLIENT_NONE);
    }
    list_slots(w);
    return 0;
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
    w->slot_of_client[client] = slot;
    enter(w, slot, type, client);
    list_slots(w);
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
    list_slots(w);
    combat_forget(w->combat, slot);
}

const struct aircraft *
world_aircraft(const struct world *w, uint32_t client)
{
    if (client >= w->clients_max || w->slot_of_client[client] == HP_INDEX_NONE)
        return NULL;
    return &w->aircraft[w->slot_of_client[client]];
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

/* A tick as its pieces see it. */
struct world_stride {
    struct world *world;
    const struct hp_tick *tick;
    struct pilot_scene scene;
};

/* What a slot's pilot commands: a client, one of the sim's own, or nobody. */
static const struct hp_input *
input_of(const struct world_stride *s, uint32_t slot)
{
    static const struct hp_input centred;
    const struct world *w = s->world;
    struct pilot *pilot;

    if (w->inputs[slot] != NULL)
        return w->inputs[slot];
    if (slot - w->pilots_first >= w->pilot_count)
        return &centred;
    pilot = &w->pilots[slot - w->pilots_first];
    pilot_think(pilot, &s->scene, slot, s->tick);
    return &pilot->input;
}

/* Reads what all were, writes what its own slots are: so no order matters. */
static void
step_range(void *context, uint32_t first, uint32_t end)
{
    const struct world_stride *s = context;
    struct world *w = s->world;
    uint32_t i, slot;

    for (i = first; i < end; i++) {
        slot = w->list[i];
        w->aircraft[slot] = w->before[slot];
        aircraft_step(w->rules, &w->aircraft[slot], input_of(s, slot), s->tick);
    }
}

/* Finds the slots of inputs that come by client; `given` 0 takes them back. */
static void
hand_inputs(struct world *w, const struct hp_client_input *inputs,
            uint32_t count, int given)
{
    uint32_t i, client, slot;

    for (i = 0; i < count; i++) {
        client = inputs[i].client;
        slot =
            client < w->clients_max ? w->slot_of_client[client] : HP_INDEX_NONE;
        if (slot != HP_INDEX_NONE)
            w->inputs[slot] = given ? &inputs[i].input : NULL;
    }
}

static void
step_aircraft(struct world *w, const struct hp_tick *tick,
              const struct hp_client_input *inputs, uint32_t count)
{
    struct aircraft *newest = w->aircraft;
    struct world_stride stride;
    uint32_t i;

    w->aircraft = w->before;
    w->before = newest;
    stride = (struct world_stride){
        w, tick, {w->rules, w->before, w->used, w->slots_end, w->pilots_first}
    };
    hand_inputs(w, inputs, count, 1);
    share(w, step_range, &stride, w->list_count, STEP_GRAIN);
    hand_inputs(w, inputs, count, 0);
    for (i = 0; i < w->list_count; i++) {
        tidings_of_step(&w->tidings, &w->aircraft[w->list[i]]);
        if (w->aircraft[w->list[i]].happened & AIRCRAFT_DID_FREEZE)
            tell_frozen(w, tick->index, &w->aircraft[w->list[i]]);
    }
}

static void
apply_hit(struct world *w, const struct gun_hit *hit)
{
    struct aircraft *target = &w->aircraft[hit->target];

    if (target->flags & AIRCRAFT_DEAD)
        return;
    damage_take(w->rules, target, hit);
    tidings_of_hit(&w->tidings, hit, &w->aircraft[hit->shooter], target,
                   target->health <= 0);
    if (target->health <= 0)
        aircraft_kill(target);
}

/* A warning is on as long as a missile guides on a living aircraft. */
static void
count_threats(struct world *w)
{
    const struct flying_store *stores;
    uint32_t i, count;
    struct aircraft *a;

    for (i = 0; i < w->list_count; i++)
        w->aircraft[w->list[i]].threat = 0;
    stores = arsenal_stores(combat_arsenal(w->combat), &count);
    for (i = 0; i < count; i++) {
        if (stores[i].target == HP_INDEX_NONE)
            continue;
        a = &w->aircraft[stores[i].target];
        if (a->generation == stores[i].target_generation &&
            !(a->flags & AIRCRAFT_DEAD) && a->threat < UINT8_MAX)
            a->threat++;
    }
}

void
world_step(struct world *w, const struct hp_tick *tick,
           const struct hp_client_input *inputs, uint32_t count)
{
    const struct gun_hit *hits;
    struct combat_scene scene;
    uint32_t i, hit_count;

    w->tidings.count = 0;
    w->tidings.tick = tick->index;
    step_aircraft(w, tick, inputs, count);
    scene = (struct combat_scene){w->rules,     w->before, w->aircraft, w->used,
                                  w->slots_end, 0,         tick->dt_s};
    hit_count = combat_step(w->combat, &scene, &hits);
    tidings_of_launches(&w->tidings, combat_arsenal(w->combat), w->aircraft);
    for (i = 0; i < hit_count; i++)
        apply_hit(w, &hits[i]);
    count_threats(w);
}

struct world_record_sink {
    const struct world *world;
    uint8_t *entities;
    uint32_t stride;
    uint32_t reserved;
};

static void
view_range(void *context, uint32_t first, uint32_t end)
{
    const struct world_record_sink *sink = context;
    const struct world *w = sink->world;
    struct flight_record record;
    uint32_t i;

    for (i = first; i < end; i++) {
        schema_record(w->rules, &w->aircraft[w->list[i]], &record);
        memcpy(sink->entities + (size_t)i * sink->stride, &record,
               sizeof(record));
    }
}

int
world_view(const struct world *w, struct hp_view_sink *sink)
{
    struct world_record_sink records = {w, (uint8_t *)sink->entities,
                                        sink->stride, 0};
    const struct tidings *t = &w->tidings;
    uint32_t events;

    events = t->count < sink->event_capacity ? t->count : sink->event_capacity;
    if (events > 0)
        memcpy(sink->events, t->events, events * sizeof(*t->events));
    sink->event_count = events;
    sink->count =
        w->list_count < sink->capacity ? w->list_count : sink->capacity;
    share(w, view_range, &records, sink->count, VIEW_GRAIN);
    return events < t->count || sink->count < w->list_count ? -ENOSPC : 0;
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
    const struct flying_store *stores;
    uint32_t slot, count;
    uint64_t use;

    for (slot = 0; slot < w->entities_max; slot++) {
        use = (uint64_t)w->generations[slot] << 8 | w->used[slot];
        hash = fold(hash, &use, sizeof(use));
        if (w->used[slot])
            hash = fold(hash, &w->aircraft[slot], sizeof(w->aircraft[slot]));
    }
    if (w->pilot_count > 0)
        hash = fold(hash, w->pilots, w->pilot_count * sizeof(w->pilots[0]));
    rounds = combat_rounds(w->combat, &count);
    hash = fold(hash, rounds, count * sizeof(rounds[0]));
    stores = arsenal_stores(combat_arsenal(w->combat), &count);
    return fold(hash, stores, count * sizeof(stores[0]));
}
