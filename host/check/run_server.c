/* The courses of what runs on the server: sim, broadcaster, agent. */
#include <config.h>

#include "run.h"
#include <digest.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void
absorb(struct run *r, const void *bytes, size_t count)
{
    r->output = digest64(r->output, bytes, count);
}

/* ---- sim ---- */

static const struct hp_sim_ops *
sim_ops(const struct run *r)
{
    return r->ops;
}

static void
sim_open(struct run *r)
{
    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_MAIN, "schema",
             r->schema = sim_ops(r)->schema(r->instance->self));
    if (r->schema == NULL || r->schema->record_bytes > HP_RECORD_BYTES_MAX ||
        r->schema->own_bytes > HP_OWN_BYTES_MAX)
        check_fail("schema gives %s, expected records of at most %d and an own "
                   "state of at most %d bytes",
                   r->schema == NULL ? "NULL" : "more", HP_RECORD_BYTES_MAX,
                   HP_OWN_BYTES_MAX);
    r->records = calloc(r->limits.entities_max, r->schema->record_bytes);
    if (r->records == NULL)
        check_skip("no memory");
}

static void
sim_join(struct run *r, uint32_t client)
{
    int err;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "join",
             err = sim_ops(r)->join(r->instance->self, client, ""));
    if (run_judge(r, "join", err, 0) == 0)
        r->joined |= 1u << client;
}

static void
sim_leave(struct run *r, uint32_t client)
{
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "leave",
             sim_ops(r)->leave(r->instance->self, client));
    r->joined &= ~(1u << client);
}

static void
sim_step(struct run *r)
{
    struct hp_tick tick = world_tick(&r->limits, r->tick, 1);
    uint32_t client, count = 0;

    for (client = 0; client < WORLD_CLIENTS_MAX; client++) {
        if (!(r->joined & 1u << client))
            continue;
        r->inputs[count] = (struct hp_client_input){.client = client};
        r->inputs[count++].input = world_input(&r->chance);
    }
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "step",
             sim_ops(r)->step(r->instance->self, &tick, r->inputs, count));
}

static void
sim_view(struct run *r)
{
    struct hp_event events[64];
    struct hp_view_sink sink = {
        .size = sizeof(sink),
        .capacity = r->limits.entities_max,
        .stride = r->schema->record_bytes,
        .event_capacity = 64,
        .entities = r->records,
        .events = events,
    };
    int err;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "view",
             err = sim_ops(r)->view(r->instance->self, &sink));
    run_judge(r, "view", err, 0);
    if (sink.count > sink.capacity || sink.event_count > 64)
        check_fail("view counts %u records and %u events, the sink holds %u "
                   "and 64",
                   sink.count, sink.event_count, sink.capacity);
    absorb(r, r->records, (size_t)sink.count * r->schema->record_bytes);
}

static void
sim_own_get(struct run *r, uint32_t client)
{
    struct hp_byte_sink sink = {
        .size = sizeof(sink),
        .capacity = r->schema->own_bytes,
        .bytes = (uint8_t *)r->own,
    };
    int err;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "own_get",
             err = sim_ops(r)->own_get(r->instance->self, client, &sink));
    if (run_judge(r, "own_get", err, 0) == 0)
        absorb(r, r->own, sink.count);
}

static void
sim_hash(struct run *r)
{
    uint64_t hash;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "hash",
             hash = sim_ops(r)->hash(r->instance->self));
    absorb(r, &hash, sizeof(hash));
}

/* Clients come one after another, and one goes again. */
static void
sim_tick(struct run *r)
{
    if (r->tick < 4)
        sim_join(r, (uint32_t)r->tick);
    if (r->tick == 50)
        sim_leave(r, 1);
    if (r->tick == 60)
        sim_join(r, 1);
    sim_step(r);
    sim_view(r);
    if (r->tick % 4 == 0)
        sim_own_get(r, 0);
    sim_hash(r);
}

/* The model's calls, on a state that is nobody's but ours. */
static void
sim_aside(struct run *r)
{
    struct hp_tick tick = world_tick(&r->limits, 0, 1);
    struct hp_input input = {.buttons = 0};
    const struct hp_sim_ops *ops = sim_ops(r);
    struct hp_instance *self = r->instance->self;
    uint64_t own[HP_OWN_BYTES_MAX / 8] = {0};
    char record[HP_RECORD_BYTES_MAX];
    int err;

    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_REALTIME, "own_check",
             err = ops->own_check(self, own, r->schema->own_bytes));
    if (err < 0)
        return; /* zeros need not be a state; what is none is not stepped */
    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_REALTIME, "model_step",
             ops->model_step(self, own, &input, &tick));
    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_REALTIME, "own_view",
             ops->own_view(self, own, record));
}

static void
sim_any(struct run *r)
{
    uint32_t client = chance_below(&r->chance, WORLD_CLIENTS_MAX);

    switch (chance_below(&r->chance, 7)) {
    case 0:
        if (!(r->joined & 1u << client))
            sim_join(r, client);
        break;
    case 1:
        if (r->joined & 1u << client)
            sim_leave(r, client);
        break;
    case 2:
        sim_step(r);
        r->tick++;
        break;
    case 3:
        sim_view(r);
        break;
    case 4:
        sim_own_get(r, client);
        break;
    case 5:
        sim_hash(r);
        break;
    default:
        sim_aside(r);
        break;
    }
}

const struct run_kind run_sim = {sim_open, sim_tick, sim_aside, sim_any};

/* ---- broadcaster ---- */

static const struct hp_broadcaster_ops *
broadcaster_ops(const struct run *r)
{
    return r->ops;
}

static void
broadcaster_open(struct run *r)
{
    /* What is decoded goes here. */
    r->records = calloc(r->limits.entities_max, world_schema.record_bytes);
    if (r->records == NULL)
        check_skip("no memory");
}

static void
broadcaster_join(struct run *r, uint32_t client)
{
    int err;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "join",
             err = broadcaster_ops(r)->join(r->instance->self, client));
    if (run_judge(r, "join", err, 0) == 0)
        r->joined |= 1u << client;
}

static void
broadcaster_leave(struct run *r, uint32_t client)
{
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "leave",
             broadcaster_ops(r)->leave(r->instance->self, client));
    r->joined &= ~(1u << client);
}

static void
broadcaster_encode(struct run *r, uint32_t client)
{
    uint32_t at = r->kept_count % RUN_KEPT;
    struct hp_byte_sink sink = {
        .size = sizeof(sink),
        .capacity = r->limits.snapshot_bytes_max,
        .bytes = r->kept[at].bytes,
    };
    int err;

    world_fill(&r->view, r->tick, 12, client);
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "encode",
             err = broadcaster_ops(r)->encode(r->instance->self, client,
                                              &r->view.view, &sink));
    if (run_judge(r, "encode", err, 0) < 0)
        return;
    if (sink.count > sink.capacity)
        check_fail("encode counts %u bytes at tick %llu, the sink holds %u",
                   sink.count, (unsigned long long)r->tick, sink.capacity);
    r->kept[at].count = sink.count;
    r->kept[at].tick = r->tick;
    r->kept_count++;
    absorb(r, sink.bytes, sink.count);
}

static int
broadcaster_decode(struct run *r, uint32_t index)
{
    struct hp_view_sink sink = {
        .size = sizeof(sink),
        .capacity = r->limits.entities_max,
        .stride = world_schema.record_bytes,
        .entities = r->records,
    };
    int err;

    RUN_CALL(r->far_end, r->tick, RUN_REALTIME, "decode",
             err = broadcaster_ops(r)->decode(
                 r->far_end->self, r->kept[index].tick, r->kept[index].bytes,
                 r->kept[index].count, &sink));
    if (run_judge(r, "decode", err, 0) == 0)
        absorb(r, r->records, (size_t)sink.count * world_schema.record_bytes);
    return err;
}

static void
broadcaster_acked(struct run *r, uint32_t client, uint64_t tick)
{
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "acked",
             broadcaster_ops(r)->acked(r->instance->self, client, tick));
}

static void
broadcaster_tick(struct run *r)
{
    if (r->tick == 0)
        broadcaster_join(r, 0);
    broadcaster_encode(r, 0);
    if (r->kept_count > 0 &&
        broadcaster_decode(r, (r->kept_count - 1) % RUN_KEPT) == 0)
        broadcaster_acked(r, 0, r->tick);
}

static void
broadcaster_any(struct run *r)
{
    uint32_t client = chance_below(&r->chance, WORLD_CLIENTS_MAX);
    int is_in = (r->joined & 1u << client) != 0;

    switch (chance_below(&r->chance, 5)) {
    case 0:
        if (!is_in)
            broadcaster_join(r, client);
        break;
    case 1:
        if (is_in)
            broadcaster_leave(r, client);
        break;
    case 2:
        if (is_in)
            broadcaster_encode(r, client);
        r->tick++;
        break;
    case 3:
        if (r->kept_count >= RUN_KEPT)
            broadcaster_decode(r, chance_below(&r->chance, RUN_KEPT));
        break;
    default:
        if (is_in && r->tick > 0)
            broadcaster_acked(r, client, r->tick - 1);
        break;
    }
}

const struct run_kind run_broadcaster = {broadcaster_open, broadcaster_tick,
                                         NULL, broadcaster_any};

/* ---- agent ---- */

static void
agent_open(struct run *r)
{
    (void)r;
}

/* Ten calls a second, as [main] makes them. */
static void
agent_tick(struct run *r)
{
    const struct hp_agent_ops *ops = r->ops;
    struct hp_status status = {
        .size = sizeof(status),
        .side = HP_SIDE_SERVER,
        .time_ns = 1000000000 + r->tick * 100000000,
        .tick = r->tick * 6,
        .ticks_run = r->tick * 6,
        .bytes_in = r->tick * 1000,
        .bytes_out = r->tick * 9000,
        .tick_hz = 60,
        .tick_mean_ms = 0.4,
        .tick_max_ms = 1.1,
        .peers = 4,
        .entities = 12,
    };

    RUN_CALL(r->instance, r->tick, RUN_MAIN, "idle",
             ops->idle(r->instance->self, &status, 1000000));
}

static void
agent_any(struct run *r)
{
    agent_tick(r);
    /* The host may have been stopped for a while. */
    r->tick += 1 + chance_below(&r->chance, 100);
}

const struct run_kind run_agent = {agent_open, agent_tick, NULL, agent_any};
