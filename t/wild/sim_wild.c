/* A world of one thing for each client, which does harm from tick 30 on. */
#define HP_NAME   "wild"
#define WILD_KIND HP_KIND_SIM
#include "wild.h"
#include <math.h>

struct record {
    struct hp_entity head;
    float heat;
    uint32_t reserved;
};

struct own {
    double heat;
    uint64_t tick;
};

/* clang-format off */
#define HEAD(name, member, type, count, step, low, high) \
    {name, "1", step, low, high, type, offsetof(struct hp_entity, member), count, 0}
static const struct hp_field fields[] = {
    HEAD("slot", slot, HP_FIELD_U16, 1, 1, 0, 65535),
    HEAD("generation", generation, HP_FIELD_U16, 1, 1, 0, 65535),
    HEAD("type", type, HP_FIELD_U16, 1, 1, 0, 15),
    HEAD("flags", flags, HP_FIELD_U16, 1, 1, 0, 7),
    HEAD("owner", owner, HP_FIELD_U32, 1, 1, 0, 4294967295.0),
    HEAD("position_m", position_m, HP_FIELD_F64, 3, 1.0 / 64, -1e6, 1e6),
    HEAD("attitude", attitude, HP_FIELD_QUATERNION, 1, 1.0 / 32767, -1, 1),
    HEAD("velocity_mps", velocity_mps, HP_FIELD_F32, 3, 1.0 / 64, -1500, 1500),
    HEAD("rates_rps", rates_rps, HP_FIELD_F32, 3, 1.0 / 512, -20, 20),
    {"heat", "1", 1.0 / 64, -100, 100, HP_FIELD_F32, offsetof(struct record, heat), 1, 0},
};

#define SCHEMA(record_bytes, own_bytes, fields) \
    {sizeof(struct hp_schema), record_bytes, own_bytes, 1, \
     sizeof(fields) / sizeof(fields[0]), sizeof(fields[0]), fields, "wild"}
static const struct hp_schema good =
    SCHEMA(sizeof(struct record), sizeof(struct own), fields);
static const struct hp_schema own_long =
    SCHEMA(sizeof(struct record), HP_OWN_BYTES_MAX + 8, fields);
static const struct hp_schema record_long =
    SCHEMA(HP_RECORD_BYTES_MAX + 8, sizeof(struct own), fields);
static const struct hp_schema record_short =
    SCHEMA(sizeof(struct hp_entity) - 8, sizeof(struct own), fields);
static const struct hp_schema field_outside =
    SCHEMA(sizeof(struct hp_entity), sizeof(struct own), fields);
/* clang-format on */

static const struct hp_schema *
wild_schema(struct hp_instance *self)
{
    if (wild_does(self, "schema none"))
        return NULL;
    if (wild_does(self, "schema own"))
        return &own_long;
    if (wild_does(self, "schema long"))
        return &record_long;
    if (wild_does(self, "schema short"))
        return &record_short;
    if (wild_does(self, "schema field"))
        return &field_outside;
    return &good;
}

static int
wild_join(struct hp_instance *self, uint32_t client, const char *options)
{
    (void)options;
    if (wild_does(self, "join"))
        return -EIO;
    self->joined = client + 1;
    return 0;
}

static void
wild_leave(struct hp_instance *self, uint32_t client)
{
    (void)client;
    self->joined = 0;
}

static void
wild_step(struct hp_instance *self, const struct hp_tick *tick,
          const struct hp_client_input *inputs, uint32_t count)
{
    (void)inputs;
    (void)count;
    self->seen = (unsigned long)tick->index;
    wild_harm(self, tick->index);
}

/* What is no number, or none that belongs here, changes with the tick. */
static double
odd_number(unsigned long tick)
{
    const double odd[] = {NAN, INFINITY, -INFINITY, 1e38, -1e300, 5e-324};

    return odd[tick % 6];
}

static void
spoil(struct record *r, struct hp_event *event, unsigned long tick)
{
    double odd = odd_number(tick);
    int i;

    r->heat = (float)odd;
    for (i = 0; i < 3; i++) {
        r->head.position_m[i] = odd;
        r->head.velocity_mps[i] = (float)odd;
        r->head.rates_rps[i] = (float)odd;
        event->direction[i] = (float)odd;
    }
    for (i = 0; i < 4; i++)
        r->head.attitude[i] = (float)odd;
    event->strength = (float)odd;
}

static int
wild_view(struct hp_instance *self, struct hp_view_sink *sink)
{
    struct record *r = sink->entities;

    if (self->joined == 0)
        return 0;
    memset(r, 0, sizeof(*r));
    r->head.generation = 1;
    r->head.owner = self->joined - 1;
    r->head.attitude[0] = 1;
    sink->count = 1;
    memset(sink->events, 0, sizeof(*sink->events));
    sink->events->tick = self->seen;
    sink->events->type = HP_EVENT_SIM;
    sink->events->who = HP_ENTITY_ID(0, 1);
    sink->events->whom = HP_ENTITY_NONE;
    sink->events->audience = HP_AUDIENCE_ALL;
    sink->event_count = 1;
    if (self->seen < WILD_TICK)
        return 0;
    if (wild_does(self, "odd numbers"))
        spoil(r, sink->events, self->seen);
    if (wild_does(self, "view count"))
        sink->count = sink->event_count = UINT32_MAX;
    if (wild_does(self, "view capacity"))
        sink->count = sink->capacity = sink->event_capacity = UINT32_MAX;
    if (wild_does(self, "view owner"))
        r->head.owner = 4000000000u;
    return wild_does(self, "view error") ? -EIO : 0;
}

static int
wild_own_get(struct hp_instance *self, uint32_t client,
             struct hp_byte_sink *sink)
{
    struct own own = {0, self->seen};

    (void)client;
    if (self->seen >= WILD_TICK && wild_does(self, "odd numbers"))
        own.heat = odd_number(self->seen);
    memcpy(sink->bytes, &own, sizeof(own));
    sink->count = sizeof(own);
    if (self->seen >= WILD_TICK && wild_does(self, "own count"))
        sink->count = 1u << 20;
    return self->seen >= WILD_TICK && wild_does(self, "own error") ? -EIO : 0;
}

static uint64_t
wild_hash(struct hp_instance *self)
{
    return self->seen;
}

static void
wild_model_step(const struct hp_instance *self, void *own,
                const struct hp_input *input, const struct hp_tick *tick)
{
    struct own *o = own;

    (void)self;
    (void)input;
    o->tick = tick->index;
}

static int
wild_own_check(const struct hp_instance *self, const void *own, uint32_t bytes)
{
    const struct own *o = own;

    (void)self;
    return bytes == sizeof(*o) && isfinite(o->heat) ? 0 : -EINVAL;
}

static void
wild_own_view(const struct hp_instance *self, const void *own, void *record)
{
    struct record *r = record;

    (void)self;
    (void)own;
    memset(r, 0, sizeof(*r));
    r->head.attitude[0] = 1;
}

static const struct hp_sim_ops ops = {
    .size = sizeof(ops),
    .schema = wild_schema,
    .join = wild_join,
    .leave = wild_leave,
    .step = wild_step,
    .view = wild_view,
    .own_get = wild_own_get,
    .hash = wild_hash,
    .model_step = wild_model_step,
    .own_check = wild_own_check,
    .own_view = wild_own_view,
};

WILD_PLUGIN;
