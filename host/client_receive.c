/* What the server says, from the datagram to the cue. */
#include "client_private.h"
#include "log.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* No tick that anybody still tells of ended longer ago. */
#define STAMP_AGE_MAX_NS 10000000000ull

/* A tick that began later than this was held up by the machine. */
#define HITCH_NS 1000000ull

static uint64_t
now(const struct client *c)
{
    return clock_now_ns(c->config.side.clock);
}

static void
count(_Atomic uint64_t *counter, uint64_t by)
{
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

static void
set(_Atomic uint64_t *to, uint64_t value)
{
    atomic_store_explicit(to, value, memory_order_relaxed);
}

void
client_lose(struct client *c, const char *why)
{
    if (atomic_load_explicit(&c->lost, memory_order_relaxed))
        return;
    snprintf(c->lost_why, sizeof(c->lost_why), "%s", why);
    atomic_store_explicit(&c->lost, 1, memory_order_release);
    c->ticking = 0;
}

/* ---- snapshots ---- */

/* Into the view, whole or not at all. */
static int
decode(struct client *c, const struct proto_snapshot *m)
{
    const struct hp_broadcaster_ops *ops = c->parts.broadcaster->ops;
    struct hp_view_sink sink = {
        .size = sizeof(sink),
        .capacity = c->limits->entities_max,
        .stride = c->limits->schema->record_bytes,
        .entities = c->records,
    };
    int err;

    pages_open(c->records, c->records_bytes);
    instance_enter(c->parts.broadcaster, "decode", m->tick);
    err = ops->decode(c->parts.broadcaster->self, m->tick, m->body,
                      (uint32_t)m->body_bytes, &sink);
    instance_leave(c->parts.broadcaster);
    pages_close(c->records, c->records_bytes);
    if (err < 0)
        return err;
    if (sink.count > c->limits->entities_max)
        instance_complain(c->parts.broadcaster, "decode", m->tick,
                          "counted more records than its sink holds; the rest "
                          "is ignored");
    c->view.count = sink.count < c->limits->entities_max
                        ? sink.count
                        : c->limits->entities_max;
    c->view.tick = m->tick;
    return 0;
}

static const struct hp_entity *
record_at(const struct client *c, uint32_t i)
{
    return (const void *)((const char *)c->records +
                          (size_t)i * c->view.stride);
}

static void
find_own(struct client *c)
{
    uint32_t i;

    c->view.own = HP_INDEX_NONE;
    for (i = 0; i < c->view.count; i++)
        if (record_at(c, i)->owner == c->welcome->client)
            c->view.own = i;
}

/* Events are sent until acknowledged; each is handed on once. */
static void
take_events(struct client *c, const struct proto_snapshot *m)
{
    uint32_t i, fresh = 0;

    pages_open(c->events, CLIENT_EVENTS_BYTES);
    for (i = 0; i < m->event_count; i++) {
        if ((int32_t)(m->events[i].id - c->last_event) <= 0)
            continue;
        c->last_event = m->events[i].id;
        c->events[fresh++] = m->events[i];
    }
    pages_close(c->events, CLIENT_EVENTS_BYTES);
    c->view.event_count = fresh;
    count(&c->stages.events, fresh);
}

static void
keep_truth(struct client *c, const struct proto_snapshot *m)
{
    c->truth = (struct hp_truth){
        .size = sizeof(c->truth),
        .flags = m->flags & PROTO_SNAPSHOT_OWN_CHECK ? HP_TRUTH_CHECK : 0,
        .tick = m->tick,
        .used_mask = m->used_mask,
        .own_check = m->own_check,
        .peer_delay_ticks = m->delay_ticks,
    };
}

static void
tell_predictor(struct client *c)
{
    const struct hp_predictor_ops *ops = c->parts.predictor->ops;

    instance_enter(c->parts.predictor, "snapshot", c->truth.tick);
    c->want_own =
        ops->snapshot(c->parts.predictor->self, &c->truth, &c->view) > 0;
    instance_leave(c->parts.predictor);
}

struct hp_effect_sink
client_effect_sink(struct client *c)
{
    return (struct hp_effect_sink){.size = sizeof(struct hp_effect_sink),
                                   .capacity = CLIENT_EFFECTS_MAX,
                                   .commands = c->effects};
}

void
client_post_effects(struct client *c, const struct hp_effect_sink *sink,
                    uint64_t cause_ns)
{
    uint32_t wanted =
        sink->count < sink->capacity ? sink->count : sink->capacity;

    if (wanted > 0 && c->parts.haptics != NULL)
        haptics_post(c->parts.haptics, sink->commands, wanted, cause_ns);
}

static void
cue_snapshot(struct client *c, uint64_t cause_ns)
{
    struct hp_effect_sink sink = client_effect_sink(c);
    const void *own =
        c->view.own == HP_INDEX_NONE ? NULL : record_at(c, c->view.own);
    const struct hp_cues_ops *ops;
    uint32_t i;

    for (i = 0; i < c->parts.cues_count; i++) {
        ops = c->parts.cues[i]->ops;
        instance_enter(c->parts.cues[i], "snapshot", c->view.tick);
        ops->snapshot(c->parts.cues[i]->self, &c->view, own, &sink);
        instance_leave(c->parts.cues[i]);
    }
    client_post_effects(c, &sink, cause_ns);
}

/* From the sample of each input to the first snapshot that contains it. */
static void
measure_inputs(struct client *c, const struct proto_snapshot *m,
               uint64_t now_ns)
{
    const struct kept_input *slot = &c->kept[m->input_tick & c->kept_mask];

    if (m->input_tick <= c->measured_input || (m->used_mask & 1) == 0)
        return;
    c->measured_input = m->input_tick;
    if (slot->tick == m->input_tick && now_ns > slot->input.sampled_ns)
        hist_record(&c->stages.input_to_snapshot_ns,
                    now_ns - slot->input.sampled_ns);
    hist_record(&c->stages.margin_ns,
                m->margin_us > 0 ? (uint64_t)m->margin_us * 1000 : 0);
}

/*
 * Whether the clock itself is behind the truth. A tick that is due and has only
 * not run yet is a hitch of this thread: the loop runs it next.
 */
static int
is_behind(const struct client *c, uint64_t tick, uint64_t now_ns)
{
    if (!c->ticking)
        return 1;
    if (tick < c->schedule.next)
        return 0;
    return tick_next_ns(&c->schedule) > now_ns ||
           tick >= c->schedule.next + c->limits->window_ticks;
}

/* Whether the clock is so far ahead that the server would not take an input of
 * ours: it stood still, and its ticks have no gaps. Waiting for it would take as
 * long as it stood. */
static int
is_out_of_reach(const struct client *c, uint64_t tick)
{
    return c->ticking && c->schedule.next > tick + c->limits->window_ticks;
}

/* The margin of an input as our clock meant it: what this thread was late by
 * is no reason to set the clock. */
static int64_t
meant_margin_ns(const struct client *c, const struct proto_snapshot *m)
{
    const struct kept_input *slot = &c->kept[m->input_tick & c->kept_mask];
    int64_t margin_ns = m->margin_us * 1000ll;

    if (slot->tick == m->input_tick && slot->late_ns > HITCH_NS)
        margin_ns += (int64_t)slot->late_ns;
    return margin_ns;
}

/* What the server says of our inputs steers the clock. */
static void
follow(struct client *c, const struct proto_snapshot *m, uint64_t now_ns)
{
    uint64_t newest = c->decoded.newest, every = c->welcome->snapshot_every;

    if (newest > 0 && m->tick > newest + every)
        count(&c->stages.snapshot_gaps, (m->tick - newest) / every - 1);
    if (c->ticking && m->tick >= c->first_input && (m->used_mask & 1) == 0)
        count(&c->stages.inputs_missed, 1);
    if (m->input_tick > c->confirmed_input)
        c->confirmed_input = m->input_tick;
    if (is_behind(c, m->tick, now_ns) || is_out_of_reach(c, m->tick))
        client_begin_ticks(c, m->tick, now_ns);
    steer_hear(&c->steer,
               &(struct steer_news){.tick = m->tick,
                                    .input_tick = m->input_tick,
                                    .margin_ns = meant_margin_ns(c, m),
                                    .used_mask = m->used_mask,
                                    .delay_ticks = m->delay_ticks,
                                    .dilation_q8 = m->dilation_q8},
               c->first_input);
}

/*
 * What an event was caused by: the end of the tick's step where the server's
 * clock is ours. Stamps that cannot be of ours (a relay on this machine, and
 * the server behind it) end that belief.
 */
static uint64_t
cause_of(struct client *c, const struct proto_snapshot *m, uint64_t arrived_ns)
{
    uint64_t now_ns = now(c);

    if (!c->shares_clock || !(m->flags & PROTO_SNAPSHOT_STAGES))
        return arrived_ns;
    if (m->stages.step_end_ns <= now_ns &&
        now_ns - m->stages.step_end_ns < STAMP_AGE_MAX_NS)
        return m->stages.step_end_ns;
    c->shares_clock = 0;
    return arrived_ns;
}

static int
take_snapshot(struct client *c, const struct net_event *event)
{
    struct proto_snapshot *m = &c->snapshot;
    int err =
        proto_get_snapshot(event->bytes, event->count, c->decoded.newest, m);

    if (err < 0)
        return err;
    if (c->decoded.count > 0 && m->tick <= c->decoded.newest) {
        count(&c->stages.stale, 1);
        return 0; /* overtaken: its news are in the newer one */
    }
    err = decode(c, m);
    if (err < 0) {
        count(&c->stages.undecoded, 1);
        return err == -ENOENT ? 0 : err;
    }
    follow(c, m, event->arrived_ns);
    ack_window_mark(&c->decoded, m->tick);
    find_own(c);
    take_events(c, m);
    keep_truth(c, m);
    tell_predictor(c);
    cue_snapshot(c, cause_of(c, m, event->arrived_ns));
    count(&c->stages.snapshots, 1);
    set(&c->stages.newest_tick, m->tick);
    set(&c->stages.newest_ns, event->arrived_ns);
    measure_inputs(c, m, now(c));
    hist_record(&c->stages.decode_ns, now(c) - event->arrived_ns);
    return 0;
}

/* ---- the rest ---- */

static int
take_own(struct client *c, const struct net_event *event)
{
    uint64_t aligned[HP_OWN_BYTES_MAX / 8];
    struct proto_own m;
    int err = proto_get_own(event->bytes, event->count, &m);

    if (err < 0)
        return err;
    if (m.own_bytes != c->limits->schema->own_bytes)
        return -EBADMSG;
    memcpy(aligned, m.own, m.own_bytes);
    if (c->parts.own_check != NULL &&
        c->parts.own_check(c->parts.model, aligned, m.own_bytes) < 0)
        return -EBADMSG;
    c->truth.size = sizeof(c->truth);
    c->truth.flags |= HP_TRUTH_OWN;
    c->truth.own = aligned;
    c->truth.own_tick = m.tick;
    if (c->decoded.count == 0)
        c->truth.tick = m.tick; /* it overtook the first snapshot */
    tell_predictor(c);
    c->truth.flags &= ~(uint32_t)HP_TRUTH_OWN;
    c->truth.own = NULL;
    return 0;
}

static int
take_pong(struct client *c, const struct net_event *event)
{
    struct proto_ping pong;
    int err = proto_get_ping(event->bytes, event->count, &pong);

    if (err < 0)
        return err;
    if (pong.sent_ns > event->arrived_ns)
        return -EBADMSG;
    hist_record(pong.path == PROTO_PATH_TICK ? &c->stages.ping_tick_ns
                                             : &c->stages.ping_event_ns,
                now(c) - pong.sent_ns);
    return 0;
}

static int
take_refusal(struct client *c, const struct net_event *event)
{
    struct proto_refusal m;
    int err = proto_get_refusal(event->bytes, event->count, &m);

    if (err < 0)
        return err;
    client_lose(c, m.sentence);
    return 0;
}

static int
take_notice(const struct net_event *event)
{
    struct proto_notice m;
    int err = proto_get_notice(event->bytes, event->count, &m);

    if (err < 0)
        return err;
    log_line(m.level < HP_LOG_ERROR || m.level > HP_LOG_DEBUG ? HP_LOG_INFO
                                                              : m.level,
             "server says: %s", m.sentence);
    return 0;
}

static void
take_message(struct client *c, const struct net_event *event)
{
    int err = -EBADMSG;

    client_tap_received(c, event);
    switch (proto_peek(event->bytes, event->count)) {
    case PROTO_SNAPSHOT:
        err = take_snapshot(c, event);
        break;
    case PROTO_OWN:
        err = take_own(c, event);
        break;
    case PROTO_PONG:
        err = take_pong(c, event);
        break;
    case PROTO_REFUSAL:
        err = take_refusal(c, event);
        break;
    case PROTO_NOTICE:
        err = take_notice(event);
        break;
    default:
        break;
    }
    if (err < 0)
        count(&c->stages.bad_messages, 1);
}

void
client_drain(struct client *c)
{
    struct net_event event;

    while (net_receive(c->net, &event) > 0) {
        if (event.type == NET_MESSAGE)
            take_message(c, &event);
        else if (event.type == NET_DISCONNECTED)
            client_lose(
                c, "the connection was lost: the server no longer answers");
    }
}
