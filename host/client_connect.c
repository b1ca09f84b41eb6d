/* A client until it is welcome: connect, Hello, Welcome. */
#include "client_private.h"
#include "log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The wait is cut so that an interrupt is seen. */
#define LOOK_NS 20000000ull

void
client_tap_received(struct client *c, const struct net_event *event)
{
    if (c->config.tap != NULL)
        c->config.tap(c->config.tap_context, 0, event->channel, event->bytes,
                      event->count);
}

void
client_send(struct client *c, enum net_channel channel, const uint8_t *bytes,
            int count)
{
    if (count <= 0)
        return;
    if (c->config.tap != NULL)
        c->config.tap(c->config.tap_context, 1, channel, bytes, (size_t)count);
    net_send(c->net, 0, channel, bytes, (size_t)count);
}

static void
say_hello(struct client *c)
{
    struct proto_hello hello = {.version = PROTO_VERSION};
    uint8_t bytes[512];
    int count;

    hello.flags = c->shares_clock ? PROTO_HELLO_STAGES : 0;
    snprintf(hello.name, sizeof(hello.name), "%s", c->config.name);
    snprintf(hello.options, sizeof(hello.options), "%s", c->config.options);
    count = proto_put_hello(bytes, sizeof(bytes), &hello);
    client_send(c, NET_CONTROL, bytes, count);
    net_flush(c->net);
}

static int
take_welcome(struct client *c, const struct net_event *event)
{
    struct proto_welcome *w = c->welcome;

    if (proto_get_welcome(event->bytes, event->count, w) < 0) {
        client_lose(c, "the server's Welcome makes no sense: is it another "
                       "program, or another release?");
        return -EPROTO;
    }
    c->rate.num = w->rate_num;
    c->rate.den = w->rate_den;
    /* A server that works as the analysed one is also pinged as that one: how
     * fast ENet's estimate settles is part of what was measured. */
    if (w->flags & PROTO_WELCOME_TICK_SERVICE)
        net_set_ping_interval(c->net, 0, 0);
    return 1;
}

static int
take_refusal(struct client *c, const struct net_event *event)
{
    struct proto_refusal refusal;

    if (proto_get_refusal(event->bytes, event->count, &refusal) < 0) {
        client_lose(c, "the server refuses, and its reason makes no sense");
        return -EPROTO;
    }
    client_lose(c, refusal.sentence);
    return -ECONNREFUSED;
}

static int
nobody_answers(struct client *c)
{
    uint64_t waited_ns = clock_now_ns(c->config.side.clock) - c->begun_ns;
    char why[256];

    snprintf(why, sizeof(why),
             "nobody answers at %s:%u within %.1f s: is the server running, "
             "and is UDP let through?",
             c->config.side.address, c->config.side.port,
             (double)waited_ns / 1e9);
    client_lose(c, why);
    return -ETIMEDOUT;
}

/* ENet gives up by itself when no answer comes; a server that has answered
 * and then goes away is another matter. */
static int
closed_early(struct client *c)
{
    if (!c->connected)
        return nobody_answers(c);
    client_lose(c, "the connection was closed before the welcome");
    return -ECONNREFUSED;
}

/* 1: welcome; 0: not yet; or an error whose reason is kept. */
static int
take_event(struct client *c, const struct net_event *event)
{
    switch (event->type) {
    case NET_CONNECTED:
        c->connected = 1;
        say_hello(c);
        return 0;
    case NET_DISCONNECTED:
        return closed_early(c);
    case NET_MESSAGE:
        break;
    }
    client_tap_received(c, event);
    switch (proto_peek(event->bytes, event->count)) {
    case PROTO_WELCOME:
        return take_welcome(c, event);
    case PROTO_REFUSAL:
        return take_refusal(c, event);
    default:
        return 0; /* a snapshot may overtake the Welcome */
    }
}

int
client_await(struct client *c)
{
    struct net_event event;
    int done;

    while (net_receive(c->net, &event) > 0) {
        done = take_event(c, &event);
        if (done != 0)
            return done;
    }
    if (clock_now_ns(c->config.side.clock) - c->begun_ns < c->config.connect_ns)
        return 0;
    return nobody_answers(c);
}

static int
wait_for_welcome(struct client *c, struct clock_waiter *waiter,
                 const _Atomic int *interrupted)
{
    const struct clock *clock = c->config.side.clock;
    uint64_t look_ns;
    int done;

    while ((done = client_await(c)) == 0) {
        if (interrupted != NULL && *interrupted)
            return -EINTR;
        look_ns = clock_now_ns(clock) + LOOK_NS;
        if (net_due_ns(c->net) < look_ns)
            look_ns = net_due_ns(c->net);
        clock_wait(waiter, net_fd(c->net), look_ns, 0);
    }
    if (done == -ECONNREFUSED)
        log_error("client: %s:%u refuses: %s", c->config.side.address,
                  c->config.side.port, c->lost_why);
    else if (done < 0)
        log_error("client: %s", c->lost_why);
    return done < 0 ? done : 0;
}

static int
open_socket(struct client *c)
{
    struct net_config config = {.address = c->config.side.address,
                                .port = c->config.side.port,
                                .peers_max = 1,
                                .clock = c->config.side.clock,
                                .simulator = c->config.side.simulator};
    char why[256];
    int err = net_connect(&c->net, &config, why, sizeof(why));

    if (err < 0)
        log_error("%s", why);
    return err;
}

static void
init_stages(struct client_stages *s)
{
    hist_init(&s->input_to_snapshot_ns);
    hist_init(&s->send_ns);
    hist_init(&s->enet_rtt_us);
    hist_init(&s->ping_event_ns);
    hist_init(&s->ping_tick_ns);
    hist_init(&s->decode_ns);
    hist_init(&s->margin_ns);
}

int
client_begin(struct client **out, const struct client_config *config)
{
    struct client *c = calloc(1, sizeof(*c));
    int err;

    if (c == NULL)
        return -ENOMEM;
    c->config = *config;
    c->begun_ns = clock_now_ns(config->side.clock);
    init_stages(&c->stages);
    c->welcome = calloc(1, sizeof(*c->welcome));
    err = c->welcome == NULL ? -ENOMEM : open_socket(c);
    if (err < 0) {
        client_destroy(c);
        return err;
    }
    c->shares_clock = config->stages && net_server_is_here(c->net);
    *out = c;
    return 0;
}

int
client_connect(struct client **out, const struct client_config *config,
               struct clock_waiter *waiter, const _Atomic int *interrupted)
{
    struct client *c = NULL;
    int err = client_begin(&c, config);

    if (err < 0)
        return err;
    err = wait_for_welcome(c, waiter, interrupted);
    if (err < 0) {
        client_destroy(c);
        return err;
    }
    *out = c;
    return 0;
}
