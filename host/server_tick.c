/* One tick of the server, phase by phase. */
#include "digest.h"
#include "server_private.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

/* HP_AUDIENCE_NEAR: within this of the client's own record. */
#define NEAR_M 10000.0

/* ---- the phases of a tick ---- */

/* Freezes what each client commanded for this tick, in order of client. */
static uint32_t
freeze_inputs(struct server *s, uint64_t tick, uint64_t deadline_ns,
              uint64_t start_ns)
{
    uint64_t period_ns = tick_period_ns(s->config.rate);
    struct input_account account;
    uint32_t i, count = 0;

    for (i = 0; i < s->config.clients_max; i++) {
        if (s->clients[i] == NULL)
            continue;
        s->inputs[count].client = i;
        input_queue_take(s->clients[i]->inputs, tick,
                         start_ns > deadline_ns ? start_ns : deadline_ns,
                         period_ns, &s->inputs[count].input);
        s->inputs[count].input.sampled_ns = 0;
        input_queue_account(s->clients[i]->inputs, &account);
        if (account.fresh && start_ns > account.arrived_ns)
            hist_record(&s->stages.input_wait_ns,
                        start_ns - account.arrived_ns);
        count++;
    }
    return count;
}

static void
step(struct server *s, uint64_t tick, uint32_t count)
{
    struct hp_tick abi_tick;

    tick_describe(s->config.rate, tick, 0, &abi_tick);
    instance_enter(s->sim, "step", tick);
    s->sim_ops->step(s->sim->self, &abi_tick, s->inputs, count);
    hist_record(&s->stages.step_ns, instance_leave(s->sim));
}

static const struct hp_entity *
record_at(const struct server *s, uint32_t index)
{
    return (const void *)((const char *)s->records +
                          (size_t)index * s->view.stride);
}

/* The view after the step, and where in it each client's own record is. */
static void
look(struct server *s, uint64_t tick)
{
    struct hp_view_sink sink = {
        .size = sizeof(sink),
        .capacity = s->config.entities_max,
        .stride = s->view.stride,
        .event_capacity = SERVER_EVENTS_MAX,
        .entities = s->records,
        .events = s->events,
    };
    uint32_t i;
    int err;

    pages_open(s->records, s->records_bytes);
    pages_open(s->events, SERVER_EVENTS_BYTES);
    instance_enter(s->sim, "view", tick);
    err = s->sim_ops->view(s->sim->self, &sink);
    hist_record(&s->stages.view_ns, instance_leave(s->sim));
    pages_close(s->records, s->records_bytes);
    pages_close(s->events, SERVER_EVENTS_BYTES);
    if (err < 0 && err != -ENOSPC)
        instance_complain(s->sim, "view", tick,
                          "returned an error; what it wrote is used");
    if (sink.count > s->config.entities_max ||
        sink.event_count > SERVER_EVENTS_MAX)
        instance_complain(s->sim, "view", tick,
                          "counted more than its sink holds; the rest is "
                          "ignored");
    s->view.tick = tick;
    s->view.count = sink.count < s->config.entities_max
                        ? sink.count
                        : s->config.entities_max;
    s->view.event_count = sink.event_count < SERVER_EVENTS_MAX
                              ? sink.event_count
                              : SERVER_EVENTS_MAX;
    for (i = 0; i < s->config.clients_max; i++)
        s->own_index[i] = HP_INDEX_NONE;
    for (i = 0; i < s->view.count; i++)
        if (record_at(s, i)->owner < s->config.clients_max)
            s->own_index[record_at(s, i)->owner] = i;
    atomic_store_explicit(&s->report.entities, s->view.count,
                          memory_order_relaxed);
}

/* What was stepped and what came of it, for a replay. */
static void
keep(struct server *s, uint64_t tick, uint32_t count)
{
    struct record_moment m = {.tick = tick,
                              .inputs = s->inputs,
                              .input_count = count,
                              .view = &s->view};
    struct hp_byte_sink sink = {.size = sizeof(sink),
                                .capacity = s->limits->schema->own_bytes};
    uint8_t *states;
    uint32_t i;

    if (s->record == NULL)
        return;
    instance_enter(s->sim, "hash", tick);
    m.hash = s->sim_ops->hash(s->sim->self);
    instance_leave(s->sim);
    states = record_tick(s->record, &m);
    if (states == NULL)
        return;
    for (i = 0; i < count; i++) {
        sink.bytes = states + (size_t)i * sink.capacity;
        instance_enter(s->sim, "own_get", tick);
        s->sim_ops->own_get(s->sim->self, s->inputs[i].client, &sink);
        instance_leave(s->sim);
    }
    record_commit(s->record);
}

static const struct hp_entity *
find_entity(const struct server *s, uint32_t id)
{
    uint32_t low = 0, high = s->view.count, middle;
    const struct hp_entity *record;

    while (low < high) {
        middle = low + (high - low) / 2;
        if (record_at(s, middle)->slot < (id & 0xffff))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->view.count)
        return NULL;
    record = record_at(s, low);
    return HP_ENTITY_ID(record->slot, record->generation) == id ? record : NULL;
}

static int
is_near(const struct hp_entity *own, const struct hp_entity *other)
{
    double sum = 0;
    int i;

    for (i = 0; i < 3; i++)
        sum += (own->position_m[i] - other->position_m[i]) *
               (own->position_m[i] - other->position_m[i]);
    return sum < NEAR_M * NEAR_M;
}

/* `actors` are who and whom of the event, NULL where they are gone. */
static int
is_told(const struct server *s, const struct hp_event *event,
        const struct hp_entity *const actors[2], uint32_t client)
{
    const struct hp_entity *own = s->own_index[client] == HP_INDEX_NONE
                                      ? NULL
                                      : record_at(s, s->own_index[client]);
    int i;

    if (event->audience == HP_AUDIENCE_ALL)
        return 1;
    for (i = 0; i < 2; i++) {
        if (actors[i] == NULL)
            continue;
        if (actors[i]->owner == client)
            return 1;
        if (event->audience == HP_AUDIENCE_NEAR && own != NULL &&
            is_near(own, actors[i]))
            return 1;
    }
    return 0;
}

static void
hand_out(struct server *s, const struct hp_event *event)
{
    const struct hp_entity *const actors[2] = {find_entity(s, event->who),
                                               find_entity(s, event->whom)};
    uint32_t i;

    for (i = 0; i < s->config.clients_max; i++)
        if (s->clients[i] != NULL && is_told(s, event, actors, i))
            event_queue_push(&s->clients[i]->events, event);
}

static void
hand_out_events(struct server *s)
{
    uint32_t e;

    for (e = 0; e < s->view.event_count; e++)
        hand_out(s, &s->events[e]);
}

static void
send_own(struct server *s, struct session *c, uint64_t tick,
         const struct hp_byte_sink *own)
{
    struct proto_own m = {
        .tick = tick, .own = own->bytes, .own_bytes = own->count};

    server_send(s, c, NET_BULK, proto_put_own(s->message, NET_MESSAGE_MAX, &m));
    c->own_sent = tick;
}

/* The check word of what the client owns; the exact state when it is due. */
static void
tell_own(struct server *s, struct session *c, uint64_t tick,
         struct proto_snapshot *m)
{
    uint64_t bytes[HP_OWN_BYTES_MAX / 8];
    struct hp_byte_sink sink = {.size = sizeof(sink),
                                .capacity = sizeof(bytes),
                                .bytes = (void *)bytes};
    int err;

    instance_enter(s->sim, "own_get", tick);
    err = s->sim_ops->own_get(s->sim->self, c->client, &sink);
    instance_leave(s->sim);
    if (err == -ENOENT)
        return;
    if (err < 0 || sink.count != s->limits->schema->own_bytes) {
        instance_complain(s->sim, "own_get", tick,
                          "gave no own state of the schema's size; the client "
                          "gets none");
        return;
    }
    m->flags |= PROTO_SNAPSHOT_OWN_CHECK;
    m->own_check = digest_own(bytes, sink.count);
    if (session_wants_own(c, tick))
        send_own(s, c, tick, &sink);
}

/* All of the snapshot but the broadcaster's bytes. */
static void
describe(struct server *s, struct session *c, uint64_t tick, uint64_t start_ns,
         uint64_t step_end_ns, struct proto_snapshot *m)
{
    int rtt_ms = net_peer_rtt_ms(s->net, c->peer);
    struct input_account account;

    input_queue_account(c->inputs, &account);
    memset(m, 0, offsetof(struct proto_snapshot, events));
    m->tick = tick;
    m->input_tick = account.newest;
    m->used_mask = account.used_mask;
    m->margin_us = (int32_t)(account.margin_ns / 1000);
    m->dilation_q8 = (uint16_t)s->schedule.dilation_q8;
    m->peers = s->joined;
    if (account.newest > 0 && tick >= account.snapshot)
        m->delay_ticks = (uint32_t)(tick - account.snapshot);
    if (rtt_ms > 0)
        m->delay_ms = (uint32_t)rtt_ms;
    if (c->stages) {
        m->flags |= PROTO_SNAPSHOT_STAGES;
        m->stages.input_tick = account.newest;
        m->stages.arrived_ns = account.arrived_ns;
        m->stages.tick_start_ns = start_ns;
        m->stages.step_end_ns = step_end_ns;
        m->stages.flush_ns = server_now(s);
    }
    m->event_count = event_queue_peek(&c->events, m->events, PROTO_EVENTS_MAX);
    tell_own(s, c, tick, m);
}

static void
send_snapshot(struct server *s, struct session *c, uint64_t tick,
              uint64_t start_ns, uint64_t step_end_ns)
{
    struct proto_snapshot m;
    struct hp_byte_sink sink = {.size = sizeof(sink)};
    uint32_t events_put = 0, room;
    int head, err;

    describe(s, c, tick, start_ns, step_end_ns, &m);
    head = proto_put_snapshot(s->message, NET_DATAGRAM_MAX, &m, &events_put);
    if (head < 0)
        return;
    sink.bytes = s->message + head;
    room = (uint32_t)(NET_DATAGRAM_MAX - head);
    if (room > s->limits->snapshot_bytes_max)
        room = s->limits->snapshot_bytes_max;
    sink.capacity = room;
    s->view.own = s->own_index[c->client];
    instance_enter(s->broadcaster, "encode", tick);
    err = s->broadcaster_ops->encode(s->broadcaster->self, c->client, &s->view,
                                     &sink);
    hist_record(&s->stages.encode_ns, instance_leave(s->broadcaster));
    if (err < 0 || sink.count > room) {
        instance_complain(s->broadcaster, "encode", tick,
                          err < 0 ? "returned an error; the snapshot is empty"
                                  : "counted more bytes than its sink holds; "
                                    "the snapshot is empty");
        sink.count = 0;
    }
    server_send(s, c, NET_SNAPSHOTS, head + (int)sink.count);
    event_queue_sent(&c->events, events_put, tick);
}

static void
send_snapshots(struct server *s, uint64_t tick, uint64_t start_ns,
               uint64_t step_end_ns)
{
    uint32_t i;

    if (tick % s->config.snapshot_every != 0)
        return;
    for (i = 0; i < s->config.clients_max; i++)
        if (s->clients[i] != NULL)
            send_snapshot(s, s->clients[i], tick, start_ns, step_end_ns);
}

static void
answer_tick_pings(struct server *s)
{
    uint32_t i, k;

    for (i = 0; i < s->session_count; i++) {
        struct session *c = &s->sessions[i];

        if (c->state == SESSION_FREE)
            continue;
        for (k = 0; k < c->ping_count; k++)
            server_send(s, c, NET_INPUTS,
                        proto_put_ping(s->message, NET_MESSAGE_MAX, PROTO_PONG,
                                       &c->pings[k]));
        c->ping_count = 0;
    }
}

static void
flush(struct server *s)
{
    uint64_t from_ns = server_now(s);

    net_flush(s->net);
    hist_record(&s->stages.flush_ns, server_now(s) - from_ns);
}

/* One tick: the order here is the order the header promises. */
void
server_tick(struct server *s)
{
    uint64_t tick = s->schedule.next, deadline_ns, late_ns, dropped;
    uint64_t start_ns = server_now(s), step_end_ns;
    uint32_t count;

    dropped = s->schedule.dropped;
    late_ns =
        tick_begin(&s->schedule, start_ns, clock_slept_ns(s->config.clock));
    dropped = s->schedule.dropped - dropped;
    deadline_ns = tick_deadline_ns(&s->schedule, tick);
    side_report_begin(&s->report, start_ns, late_ns, dropped);

    server_take_bans(s);
    server_drop_mute(s);
    server_drop_twins(s);
    count = freeze_inputs(s, tick, deadline_ns, start_ns);
    step(s, tick, count);
    step_end_ns = server_now(s);
    look(s, tick);
    keep(s, tick, count);
    hand_out_events(s);
    send_snapshots(s, tick, start_ns, step_end_ns);
    answer_tick_pings(s);
    flush(s);

    atomic_store_explicit(&s->report.peers, s->joined, memory_order_relaxed);
    side_report_end(&s->report, &s->schedule, s->net, start_ns, server_now(s));
}
