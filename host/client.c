#include "client.h"
#include "ack_window.h"
#include "client_private.h"
#include "log.h"
#include "steer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Haptics takes a client that shows nothing for 250 ms for dead. */
#define HEARTBEAT_NS 50000000ull

/*
 * Until the link's length is known, and where latency is measured, often; then
 * just often enough to follow it: each echo is a datagram of its own.
 */
#define PING_OFTEN_NS 20000000ull
#define PING_NS       100000000ull
#define PINGS_OFTEN   32

/* How long a goodbye may take, and how often ENet looks whether to repeat it.
 * A motor that is on when the host is told to stop is off within 350 ms. */
#define GOODBYE_NS      150000000ull
#define GOODBYE_LOOK_NS 10000000ull

static uint64_t
now(const struct client *c)
{
    return clock_now_ns(c->config.side.clock);
}

/* ---- a tick ---- */

/* The pilot's command; with the device gone, the last axes and no buttons. */
static void
poll_input(struct client *c, const struct hp_tick *tick, struct hp_input *out)
{
    const struct hp_input_ops *ops = c->parts.input->ops;
    struct hp_tick shown = *tick;
    int err;

    if (instance_is_deterministic(c->parts.input))
        shown.deadline_ns = 0;
    memset(out, 0, sizeof(*out));
    instance_enter(c->parts.input, "poll", tick->index);
    err = ops->poll(c->parts.input->self, &shown, out);
    instance_leave(c->parts.input);
    if (err < 0) {
        memcpy(out->axes, c->last_input.axes, sizeof(out->axes));
        out->buttons = 0;
    }
    if (out->sampled_ns == 0 || out->sampled_ns > now(c))
        out->sampled_ns = now(c);
    out->flags &= (uint16_t)~HP_INPUT_REPEATED;
    c->last_input = *out;
}

static void
keep_input(struct client *c, uint64_t tick, uint64_t late_ns,
           const struct hp_input *input)
{
    struct kept_input *slot = &c->kept[tick & c->kept_mask];

    slot->tick = tick;
    slot->late_ns = late_ns;
    slot->input = *input;
}

/* The predicted own record, or NULL. */
static const void *
predict(struct client *c, const struct hp_tick *tick,
        const struct hp_input *input)
{
    const struct hp_predictor_ops *ops = c->parts.predictor->ops;
    struct hp_input untimed = *input;
    int err;

    untimed.sampled_ns = 0;
    instance_enter(c->parts.predictor, "input", tick->index);
    ops->input(c->parts.predictor->self, tick, &untimed);
    err = ops->own(c->parts.predictor->self, c->own_record);
    instance_leave(c->parts.predictor);
    return err < 0 ? NULL : c->own_record;
}

/* Each cues plugin decides for itself; what they want goes out together. */
static void
cue_input(struct client *c, const struct hp_tick *tick,
          const struct hp_input *input, const void *own)
{
    struct hp_effect_sink sink = client_effect_sink(c);
    struct hp_input untimed = *input;
    const struct hp_cues_ops *ops;
    uint32_t i;

    untimed.sampled_ns = 0;
    for (i = 0; i < c->parts.cues_count; i++) {
        ops = c->parts.cues[i]->ops;
        instance_enter(c->parts.cues[i], "input", tick->index);
        ops->input(c->parts.cues[i]->self, tick,
                   instance_is_deterministic(c->parts.cues[i]) ? &untimed
                                                               : input,
                   own, &sink);
        instance_leave(c->parts.cues[i]);
    }
    client_post_effects(c, &sink, input->sampled_ns);
}

static void
set_scope(struct client *c, const struct hp_input *input, const void *own)
{
    const struct hp_entity *record = own;
    unsigned scope = MIXER_FLYING;

    if (c->parts.haptics == NULL)
        return;
    if (input->flags & HP_INPUT_PAUSED)
        scope |= MIXER_PAUSED;
    if (input->flags & HP_INPUT_UNFOCUSED)
        scope |= MIXER_UNFOCUSED;
    if (input->flags & HP_INPUT_MENU)
        scope |= MIXER_MENU;
    if (input->flags & HP_INPUT_REPLAY)
        scope |= MIXER_REPLAY;
    if (record != NULL && record->flags & HP_ENTITY_DEAD)
        scope |= MIXER_DEAD;
    if (scope != c->scope)
        haptics_scope(c->parts.haptics, scope);
    c->scope = scope;
}

/* Every input that the server may not have yet, newest first. */
static void
gather_inputs(const struct client *c, uint64_t tick, struct proto_input *m)
{
    const struct kept_input *slot;
    uint64_t back;

    m->tick = tick;
    m->input_count = 0;
    for (back = 0; back <= tick && back < PROTO_INPUTS_MAX; back++) {
        slot = &c->kept[(tick - back) & c->kept_mask];
        if (slot->tick != tick - back)
            break;
        if (back > 0 && tick - back <= c->confirmed_input)
            break;
        m->inputs[m->input_count++] = slot->input;
    }
}

static void
send_input(struct client *c, uint64_t tick)
{
    struct proto_input *m = &c->input_message;
    uint8_t bytes[NET_DATAGRAM_MAX];
    int count;

    gather_inputs(c, tick, m);
    m->snapshot = c->decoded.newest;
    m->ack_bits = c->decoded.count < c->limits->window_ticks
                      ? c->decoded.count
                      : c->limits->window_ticks;
    memcpy(m->acks, c->decoded.bits, sizeof(m->acks));
    m->flags = c->want_own ? PROTO_INPUT_WANT_OWN : 0;
    count = proto_put_input(bytes, sizeof(bytes), m);
    client_send(c, NET_INPUTS, bytes, count);
}

static void
send_pings(struct client *c, uint64_t now_ns)
{
    int often = c->config.stages || c->ping_id < PINGS_OFTEN;
    struct proto_ping ping = {.sent_ns = now_ns};
    uint8_t bytes[64];
    int count;

    if (now_ns - c->pinged_ns < (often ? PING_OFTEN_NS : PING_NS))
        return;
    c->pinged_ns = now_ns;
    ping.id = ++c->ping_id;
    ping.path = c->ping_id & 1 ? PROTO_PATH_EVENT : PROTO_PATH_TICK;
    count = proto_put_ping(bytes, sizeof(bytes), PROTO_PING, &ping);
    client_send(c, NET_INPUTS, bytes, count);
}

static void
sample_rtt(struct client *c)
{
    int rtt_ms = net_peer_rtt_ms(c->net, 0);

    if (rtt_ms > 0)
        hist_record(&c->stages.enet_rtt_us, (uint64_t)rtt_ms * 1000);
    else if (rtt_ms == 0)
        atomic_fetch_add_explicit(&c->stages.rtt_placeholders, 1,
                                  memory_order_relaxed);
}

/* One tick: the order here is the order the header promises. */
static void
client_tick(struct client *c)
{
    uint64_t start_ns = now(c), late_ns, dropped = c->schedule.dropped, tick;
    struct hp_tick abi_tick;
    struct hp_input input;
    const void *own;

    tick = c->schedule.next;
    late_ns = tick_begin(&c->schedule, start_ns,
                         clock_slept_ns(c->config.side.clock));
    dropped = c->schedule.dropped - dropped;
    side_report_begin(&c->report, start_ns, late_ns, dropped);
    tick_describe(c->rate, tick, tick_deadline_ns(&c->schedule, tick),
                  &abi_tick);

    poll_input(c, &abi_tick, &input);
    keep_input(c, tick, late_ns, &input);
    abi_tick.deadline_ns = 0;
    own = predict(c, &abi_tick, &input);
    cue_input(c, &abi_tick, &input, own);
    set_scope(c, &input, own);
    send_input(c, tick);
    send_pings(c, start_ns);
    net_flush(c->net);

    hist_record(&c->stages.send_ns, now(c) - input.sampled_ns);
    sample_rtt(c);
    tick_shift(&c->schedule, steer_step(&c->steer, c->schedule.next));
    side_report_end(&c->report, &c->schedule, c->net, start_ns, now(c));
}

/* ---- the loop ---- */

/* Steering sets the clock ahead by a quarter second at most. Further behind than
 * that, ticks are dropped and the client begins anew: to run them all would
 * only make a slow machine slower. */
static uint32_t
catch_up_max(struct tick_rate rate)
{
    return rate.num / rate.den / 4 + 4;
}

/*
 * The first tick, and each time that the client finds itself behind the truth,
 * or ahead of it beyond the server's reach:
 * from the tick after the newest snapshot, as far ahead as the link is long.
 */
void
client_begin_ticks(struct client *c, uint64_t snapshot, uint64_t now_ns)
{
    uint64_t period_ns = tick_period_ns(c->rate);
    uint64_t lead_ns = hist_quantile(&c->stages.ping_event_ns, 0), t0_ns;

    if (lead_ns > period_ns * c->limits->window_ticks / 2)
        lead_ns = period_ns * c->limits->window_ticks / 2;
    t0_ns = now_ns + period_ns - STEER_TARGET_NS - lead_ns;
    if (c->ticking)
        tick_jump(&c->schedule, snapshot + 1, t0_ns);
    else
        tick_schedule_init(&c->schedule, c->rate, snapshot + 1, t0_ns,
                           catch_up_max(c->rate));
    c->first_input = snapshot + 1;
    /* When the clock goes back, ticks get other inputs than they had. */
    if (c->confirmed_input > snapshot)
        c->confirmed_input = snapshot;
    if (c->measured_input > snapshot)
        c->measured_input = snapshot;
    steer_begin(&c->steer, snapshot + 1);
    c->ticking = 1;
}

uint64_t
client_due_ns(const struct client *c)
{
    uint64_t due_ns = now(c) + HEARTBEAT_NS, link_ns = net_due_ns(c->net);

    if (c->ticking && tick_next_ns(&c->schedule) < due_ns)
        due_ns = tick_next_ns(&c->schedule);
    return link_ns < due_ns ? link_ns : due_ns;
}

void
client_serve(struct client *c)
{
    client_drain(c);
    if (c->parts.haptics != NULL)
        haptics_heartbeat(c->parts.haptics, now(c));
    if (c->ticking && now(c) >= tick_next_ns(&c->schedule))
        client_tick(c);
}

void
client_greet(struct client *c)
{
    send_pings(c, now(c)); /* how long the link is, before the first tick */
    net_flush(c->net);
}

void
client_leave(struct client *c)
{
    net_disconnect(c->net, 0, 0);
    net_flush(c->net);
}

static int
is_gone(struct client *c)
{
    struct net_event event;

    while (net_receive(c->net, &event) > 0)
        if (event.type == NET_DISCONNECTED)
            return 1;
    return 0;
}

/* Until the server has confirmed it: to a server that missed it we would be
 * there until its timeout. */
static void
say_goodbye(struct client *c)
{
    uint64_t until_ns = now(c) + GOODBYE_NS;

    if (atomic_load_explicit(&c->lost, memory_order_relaxed))
        return;
    client_leave(c);
    while (!is_gone(c) && now(c) < until_ns)
        clock_wait(c->waiter, net_fd(c->net), now(c) + GOODBYE_LOOK_NS, 0);
}

static void
client_thread(void *argument)
{
    struct client *c = argument;
    uint64_t due_ns, spin_ns;

    instance_thread_init();
    clock_enter(c->waiter);
    side_thread_init(&c->config.side, "client");
    client_greet(c);
    while (!atomic_load_explicit(&c->stopping, memory_order_relaxed)) {
        due_ns = client_due_ns(c);
        spin_ns = c->ticking && due_ns == tick_next_ns(&c->schedule)
                      ? c->config.side.spin_ns
                      : 0;
        clock_wait(c->waiter, net_fd(c->net), due_ns, spin_ns);
        client_serve(c);
    }
    say_goodbye(c);
    instance_thread_finish();
    clock_leave(c->waiter);
}

/* ---- life ---- */

static int
allocate(struct client *c)
{
    uint32_t kept = 64;

    while (kept < 2 * c->limits->window_ticks)
        kept *= 2;
    c->kept_mask = kept - 1;
    c->kept = calloc(kept, sizeof(*c->kept));
    c->records_bytes =
        (size_t)c->limits->entities_max * c->limits->schema->record_bytes;
    c->records = pages_create(c->records_bytes);
    c->events = pages_create(CLIENT_EVENTS_BYTES);
    c->own_record = calloc(1, c->limits->schema->record_bytes);
    c->effects = calloc(CLIENT_EFFECTS_MAX, sizeof(*c->effects));
    if (c->kept == NULL || c->records == NULL || c->events == NULL ||
        c->own_record == NULL || c->effects == NULL)
        return -ENOMEM;
    while (kept-- > 0)
        c->kept[kept].tick = UINT64_MAX;
    /* An Own may come before the first snapshot: a view of nothing. */
    c->view = (struct hp_view){.size = sizeof(c->view),
                               .stride = c->limits->schema->record_bytes,
                               .event_stride = sizeof(c->events[0]),
                               .own = HP_INDEX_NONE,
                               .entities = c->records,
                               .events = c->events};
    return 0;
}

int
client_prepare(struct client *c, const struct client_parts *parts,
               const struct hp_limits *limits)
{
    const struct side_config *side = &c->config.side;
    int err;

    c->parts = *parts;
    c->limits = limits;
    err = allocate(c);
    if (err < 0)
        return err;
    steer_init(&c->steer, c->rate, side->phase_off,
               c->welcome->flags & PROTO_WELCOME_TICK_SERVICE);
    side_report_init(&c->report, c->rate);
    return 0;
}

int
client_start(struct client *c)
{
    return clock_thread_launch(c->config.side.clock, &c->thread, &c->waiter,
                               client_thread, c, "client");
}

int
client_fd(const struct client *c)
{
    return net_fd(c->net);
}

void
client_stop(struct client *c)
{
    atomic_store_explicit(&c->stopping, 1, memory_order_relaxed);
    if (c->waiter != NULL)
        clock_wake(c->waiter);
}

void
client_join(struct client *c, struct clock_waiter *of_caller)
{
    clock_thread_join(c->thread, of_caller);
    c->thread = NULL;
    c->waiter = NULL; /* it went with its thread */
}

void
client_destroy(struct client *c)
{
    if (c == NULL)
        return;
    net_close(c->net);
    free(c->welcome);
    free(c->kept);
    pages_destroy(c->records, c->records_bytes);
    pages_destroy(c->events, CLIENT_EVENTS_BYTES);
    free(c->own_record);
    free(c->effects);
    free(c);
}

int
client_shares_clock(const struct client *c)
{
    return c->shares_clock;
}

const struct proto_welcome *
client_welcome(const struct client *c)
{
    return c->welcome;
}

int
client_is_lost(const struct client *c, char *why)
{
    if (!atomic_load_explicit(&c->lost, memory_order_acquire))
        return 0;
    memcpy(why, c->lost_why, sizeof(c->lost_why));
    return 1;
}

const struct side_report *
client_report(const struct client *c)
{
    return &c->report;
}

const struct client_stages *
client_stages(const struct client *c)
{
    return &c->stages;
}
