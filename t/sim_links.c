/* A world that remembers what the net did to it; links_world.h says how. */
#include "links_world.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "links"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "remembers every input and numbers every event"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

#define EVENT_EVERY 5  /* ticks */
#define BURST_EVERY 60 /* ticks */
#define BURST       20 /* events at once: more than one snapshot holds */

/* clang-format off */
#define FIELD(name, member, type, count, step, low, high) \
    {name, "1", step, low, high, type, offsetof(struct links_record, member), \
     count, 0}
static const struct hp_field fields[] = {
    FIELD("slot", head.slot, HP_FIELD_U16, 1, 1, 0, 65535),
    FIELD("generation", head.generation, HP_FIELD_U16, 1, 1, 0, 65535),
    FIELD("type", head.type, HP_FIELD_U16, 1, 1, 0, 15),
    FIELD("flags", head.flags, HP_FIELD_U16, 1, 1, 0, 7),
    FIELD("owner", head.owner, HP_FIELD_U32, 1, 1, 0, 4294967295.0),
    FIELD("position_m", head.position_m, HP_FIELD_F64, 3, 1.0 / 64, -1e6, 1e6),
    FIELD("attitude", head.attitude, HP_FIELD_QUATERNION, 1, 1.0 / 1024, -1, 1),
    FIELD("velocity_mps", head.velocity_mps, HP_FIELD_F32, 3, 1.0 / 8, -9, 9),
    FIELD("rates_rps", head.rates_rps, HP_FIELD_F32, 3, 1.0 / 8, -9, 9),
    FIELD("steps", steps, HP_FIELD_U32, 1, 1, 0, 4294967295.0),
};
/* clang-format on */

static const struct hp_schema schema = {
    .size = sizeof(schema),
    .record_bytes = sizeof(struct links_record),
    .own_bytes = sizeof(struct links_own),
    .version = 1,
    .field_count = sizeof(fields) / sizeof(fields[0]),
    .field_stride = sizeof(fields[0]),
    .fields = fields,
    .name = "links",
};

static struct links_sim *
world(struct hp_instance *self)
{
    return (void *)self;
}

static int
links_create(const struct hp_host *host, struct hp_instance **out)
{
    struct links_sim *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return -ENOMEM;
    w->host = host;
    *out = (void *)w;
    return 0;
}

static int
links_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)self;
    (void)limits;
    return 0;
}

static void
links_stop(struct hp_instance *self)
{
    (void)self;
}

static void
links_destroy(struct hp_instance *self)
{
    free(self);
}

static const struct hp_schema *
links_schema(struct hp_instance *self)
{
    (void)self;
    return &schema;
}

static int
links_join(struct hp_instance *self, uint32_t client, const char *options)
{
    struct links_sim *w = world(self);

    (void)options;
    if (client >= LINKS_CLIENTS)
        return -ENOSPC;
    memset(&w->own[client], 0, sizeof(w->own[client]));
    w->own[client].slot = client;
    w->own[client].owner = client;
    w->joined[client] = 1;
    w->serial[client] = 0;
    return 0;
}

static void
links_leave(struct hp_instance *self, uint32_t client)
{
    world(self)->joined[client] = 0;
}

static void
model_step(const struct hp_instance *self, void *own,
           const struct hp_input *input, const struct hp_tick *tick)
{
    struct links_own *o = own;

    (void)self;
    (void)tick;
    o->steps++;
    o->sum = o->sum * UINT64_C(6364136223846793005) +
             (links_sampled_tick(input) ^ (uint64_t)input->buttons << 32 ^
              (uint64_t)input->flags << 48) +
             1;
    o->position_m += (double)(o->sum >> 60) / 64;
}

static void
count_events(struct links_sim *w, uint32_t client, uint64_t tick)
{
    w->fresh_events[client] = 0;
    if (w->quiet || !w->joined[client])
        return;
    if (tick % EVENT_EVERY == 0)
        w->fresh_events[client] = 1;
    if (tick % BURST_EVERY == 0)
        w->fresh_events[client] = BURST;
}

static void
links_step(struct hp_instance *self, const struct hp_tick *tick,
           const struct hp_client_input *inputs, uint32_t count)
{
    struct links_sim *w = world(self);
    uint32_t i;

    w->tick = tick->index;
    for (i = 0; i < count; i++)
        model_step(self, &w->own[inputs[i].client], &inputs[i].input, tick);
    if (count > 0 && inputs[0].client == 0)
        w->used[tick->index % LINKS_TICKS] = (struct links_used){
            .tick = tick->index,
            .sample = links_sampled_tick(&inputs[0].input),
            .buttons = inputs[0].input.buttons,
            .repeated = inputs[0].input.flags & HP_INPUT_REPEATED,
        };
    for (i = 0; i < LINKS_CLIENTS; i++)
        count_events(w, i, tick->index);
    if (w->hook != NULL)
        w->hook(w->hook_context, tick->index);
}

static void
own_view(const struct hp_instance *self, const void *own, void *record)
{
    const struct links_own *o = own;
    struct links_record *r = record;

    (void)self;
    memset(r, 0, sizeof(*r));
    r->head.slot = (uint16_t)o->slot;
    r->head.owner = o->owner;
    r->head.position_m[0] = o->position_m;
    r->head.attitude[0] = 1;
    r->steps = (uint32_t)o->steps;
}

static int
links_view(struct hp_instance *self, struct hp_view_sink *sink)
{
    struct links_sim *w = world(self);
    uint32_t i, k;

    sink->count = 0;
    sink->event_count = 0;
    for (i = 0; i < LINKS_CLIENTS; i++) {
        if (!w->joined[i] || sink->count == sink->capacity)
            continue;
        own_view(self, &w->own[i],
                 (char *)sink->entities + (size_t)sink->count * sink->stride);
        sink->count++;
        for (k = 0;
             k < w->fresh_events[i] && sink->event_count < sink->event_capacity;
             k++)
            sink->events[sink->event_count++] = (struct hp_event){
                .tick = w->tick,
                .cause_tick = w->tick,
                .type = HP_EVENT_SIM + w->serial[i]++,
                .who = HP_ENTITY_ID(i, 0),
                .whom = HP_ENTITY_NONE,
                .audience = HP_AUDIENCE_OWNER,
            };
    }
    return 0;
}

static int
links_own_get(struct hp_instance *self, uint32_t client,
              struct hp_byte_sink *sink)
{
    struct links_sim *w = world(self);

    if (client >= LINKS_CLIENTS || !w->joined[client])
        return -ENOENT;
    memcpy(sink->bytes, &w->own[client], sizeof(w->own[client]));
    sink->count = sizeof(w->own[client]);
    return 0;
}

static uint64_t
links_hash(struct hp_instance *self)
{
    const struct links_sim *w = world(self);
    uint64_t hash = w->tick;
    uint32_t i;

    for (i = 0; i < LINKS_CLIENTS; i++)
        hash = hash * 31 + w->own[i].sum;
    return hash;
}

static int
own_check(const struct hp_instance *self, const void *own, uint32_t bytes)
{
    (void)self;
    (void)own;
    return bytes == sizeof(struct links_own) ? 0 : -EINVAL;
}

static const struct hp_sim_ops ops = {
    .size = sizeof(ops),
    .schema = links_schema,
    .join = links_join,
    .leave = links_leave,
    .step = links_step,
    .view = links_view,
    .own_get = links_own_get,
    .hash = links_hash,
    .model_step = model_step,
    .own_check = own_check,
    .own_view = own_view,
};

HP_PLUGIN_NOTE(HP_KIND_SIM, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_SIM, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    links_create,
    links_start,
    links_stop,
    links_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
