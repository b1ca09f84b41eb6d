#include "log.h"
#include "server_private.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Peers beyond the clients, so that one too many can be told so. */
#define SPARE_PEERS 8

#define PINGS_A_SECOND 50
#define WORDS_A_SECOND 10

/* How long all goodbyes may take, and how often ENet looks whether to repeat
 * one. */
#define GOODBYE_NS      300000000ull
#define GOODBYE_LOOK_NS 10000000ull

static int
is_anyone_here(const struct server *s)
{
    uint32_t i;

    for (i = 0; i < s->session_count; i++)
        if (s->sessions[i].state != SESSION_FREE)
            return 1;
    return 0;
}

/* Until every client has confirmed it, so that a lost datagram leaves nobody
 * waiting for a server that is no more. */
static void
say_goodbye(struct server *s)
{
    uint64_t until_ns = server_now(s) + GOODBYE_NS;
    uint32_t i;

    server_drain(s); /* who has just left needs none */
    for (i = 0; i < s->session_count; i++)
        if (s->sessions[i].state != SESSION_FREE)
            server_refuse(s, &s->sessions[i], PROTO_REFUSED_SHUTDOWN,
                          SERVER_SHUTS_DOWN);
    net_flush(s->net);
    while (is_anyone_here(s) && server_now(s) < until_ns) {
        clock_wait(s->waiter, net_fd(s->net), server_now(s) + GOODBYE_LOOK_NS,
                   0);
        server_drain(s);
    }
}

static uint64_t
earlier_ns(uint64_t a_ns, uint64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

/* Until the next tick is due, or something has come. */
static void
wait_and_drain(struct server *s, uint64_t tick_ns)
{
    uint64_t link_ns = net_due_ns(s->net);
    unsigned why = clock_wait(s->waiter, net_fd(s->net),
                              earlier_ns(tick_ns, link_ns), s->config.spin_ns);

    if (why & CLOCK_READABLE || server_now(s) >= link_ns)
        server_drain(s);
}

/* The socket is read once a tick; what a simulated link held back of our sends
 * still leaves when it is due. */
static void
wait_and_release(struct server *s, uint64_t tick_ns)
{
    clock_wait(s->waiter, -1, earlier_ns(tick_ns, net_release_due_ns(s->net)),
               s->config.spin_ns);
    net_release(s->net);
}

static void
server_thread(void *argument)
{
    struct server *s = argument;
    uint64_t due_ns;

    instance_thread_init();
    clock_enter(s->waiter);
    side_thread_init(&s->config, "server");
    while (!atomic_load_explicit(&s->stopping, memory_order_relaxed)) {
        due_ns = tick_next_ns(&s->schedule);
        if (s->config.service_tick)
            wait_and_release(s, due_ns);
        else
            wait_and_drain(s, due_ns);
        if (server_now(s) < due_ns)
            continue;
        if (!s->config.service_tick)
            server_drain(s);
        server_tick(s);
        if (s->config.service_tick)
            server_drain(s);
    }
    say_goodbye(s);
    atomic_store_explicit(&s->report.peers, 0, memory_order_relaxed);
    instance_thread_finish();
    clock_leave(s->waiter);
}

/* ---- life ---- */

static void
fill_welcome(struct server *s, const struct server_parts *parts)
{
    struct proto_welcome *w = s->welcome;

    w->rate_num = s->config.rate.num;
    w->rate_den = s->config.rate.den;
    w->snapshot_every = s->config.snapshot_every;
    w->clients_max = s->config.clients_max;
    w->entities_max = s->config.entities_max;
    w->schema = *s->limits->schema;
    w->flags = s->config.service_tick ? PROTO_WELCOME_TICK_SERVICE : 0;
    w->plugin_count = parts->plugin_count;
    memcpy(w->plugins, parts->plugins,
           parts->plugin_count * sizeof(*parts->plugins));
    w->shared_count = parts->shared_count;
    if (parts->shared_count > 0)
        memcpy(w->shared, parts->shared,
               parts->shared_count * sizeof(*parts->shared));
}

static int
allocate(struct server *s, uint32_t record_bytes)
{
    uint32_t clients = s->config.clients_max, i;
    int err;

    s->session_count = clients + SPARE_PEERS;
    s->sessions = calloc(s->session_count, sizeof(*s->sessions));
    s->clients = calloc(clients, sizeof(*s->clients));
    s->inputs = calloc(clients, sizeof(*s->inputs));
    s->own_index = calloc(clients, sizeof(*s->own_index));
    s->records_bytes = (size_t)s->config.entities_max * record_bytes;
    s->records = pages_create(s->records_bytes);
    s->events = pages_create(SERVER_EVENTS_BYTES);
    s->welcome = calloc(1, sizeof(*s->welcome));
    s->message = malloc(NET_MESSAGE_MAX);
    if (s->sessions == NULL || s->clients == NULL || s->inputs == NULL ||
        s->own_index == NULL || s->records == NULL || s->events == NULL ||
        s->welcome == NULL || s->message == NULL)
        return -ENOMEM;
    for (i = 0; i < s->session_count; i++) {
        err = session_init(&s->sessions[i], s->limits->window_ticks);
        if (err < 0)
            return err;
    }
    s->view.size = sizeof(s->view);
    s->view.stride = record_bytes;
    s->view.event_stride = sizeof(*s->events);
    s->view.entities = s->records;
    s->view.events = s->events;
    return 0;
}

static int
listen_on(struct server *s)
{
    struct net_config config = {.address = s->config.address,
                                .port = s->config.port,
                                .peers_max = s->session_count,
                                .clock = s->config.clock,
                                .simulator = s->config.simulator};
    char why[256];
    int err = net_listen(&s->net, &config, why, sizeof(why));

    if (err < 0)
        log_error("%s", why);
    return err;
}

/* An input each tick, pings, and a few words. */
static uint32_t
messages_a_second(struct tick_rate rate)
{
    return SESSION_RATE_FACTOR *
           ((uint32_t)tick_rate_hz(rate) + PINGS_A_SECOND + WORDS_A_SECOND);
}

int
server_create(struct server **out, const struct side_config *config,
              const struct server_parts *parts)
{
    struct server *s = calloc(1, sizeof(*s));
    int err;

    if (s == NULL)
        return -ENOMEM;
    s->config = *config;
    s->sim = parts->sim;
    s->broadcaster = parts->broadcaster;
    s->sim_ops = s->sim->ops;
    s->broadcaster_ops = s->broadcaster->ops;
    s->limits = parts->limits;
    s->record = parts->record;
    s->messages_a_second = messages_a_second(config->rate);
    side_report_init(&s->report, config->rate);
    hist_init(&s->stages.step_ns);
    hist_init(&s->stages.view_ns);
    hist_init(&s->stages.encode_ns);
    hist_init(&s->stages.flush_ns);
    hist_init(&s->stages.input_wait_ns);
    err = allocate(s, s->limits->schema->record_bytes);
    if (err < 0)
        goto fail;
    fill_welcome(s, parts);
    err = listen_on(s);
    if (err < 0)
        goto fail;
    *out = s;
    return 0;

fail:
    server_destroy(s);
    return err;
}

void
server_destroy(struct server *s)
{
    uint32_t i;

    if (s == NULL)
        return;
    net_close(s->net);
    bans_destroy(s->bans);
    bans_destroy(s->bans_next);
    bans_destroy(s->bans_old);
    for (i = 0; s->sessions != NULL && i < s->session_count; i++)
        session_finish(&s->sessions[i]);
    free(s->sessions);
    free(s->clients);
    free(s->inputs);
    free(s->own_index);
    pages_destroy(s->records, s->records_bytes);
    pages_destroy(s->events, SERVER_EVENTS_BYTES);
    free(s->welcome);
    free(s->message);
    free(s);
}

void
server_set_bans(struct server *s, struct bans *bans)
{
    bans_destroy(
        atomic_exchange_explicit(&s->bans_old, NULL, memory_order_acq_rel));
    bans_destroy(
        atomic_exchange_explicit(&s->bans_next, bans, memory_order_acq_rel));
}

int
server_start(struct server *s)
{
    tick_schedule_init(&s->schedule, s->config.rate, 0,
                       server_now(s) + tick_period_ns(s->config.rate),
                       s->config.catch_up_max);
    return clock_thread_launch(s->config.clock, &s->thread, &s->waiter,
                               server_thread, s, "server");
}

void
server_stop(struct server *s)
{
    atomic_store_explicit(&s->stopping, 1, memory_order_relaxed);
    if (s->waiter != NULL)
        clock_wake(s->waiter);
}

void
server_join(struct server *s, struct clock_waiter *of_caller)
{
    clock_thread_join(s->thread, of_caller);
    s->thread = NULL;
    s->waiter = NULL; /* it went with its thread */
}

uint16_t
server_port(const struct server *s)
{
    return net_port(s->net);
}

const struct side_report *
server_report(const struct server *s)
{
    return &s->report;
}

const struct server_stages *
server_stages(const struct server *s)
{
    return &s->stages;
}
