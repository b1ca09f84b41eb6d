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

    hello.flags = c->config.stages ? PROTO_HELLO_STAGES : 0;
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
        log_error("client: the server's Welcome makes no sense: is it "
                  "another program, or another release?");
        return -EPROTO;
    }
    c->rate.num = w->rate_num;
    c->rate.den = w->rate_den;
    return 1;
}

static int
take_refusal(struct client *c, const struct net_event *event)
{
    struct proto_refusal refusal;

    if (proto_get_refusal(event->bytes, event->count, &refusal) < 0)
        return -EPROTO;
    log_error("client: %s:%u refuses: %s", c->config.side.address,
              c->config.side.port, refusal.sentence);
    return -ECONNREFUSED;
}

static int
nobody_answers(const struct client *c, uint64_t waited_ns)
{
    log_error("client: nobody answers at %s:%u within %.1f s: is the server "
              "running, and is UDP let through?",
              c->config.side.address, c->config.side.port,
              (double)waited_ns / 1e9);
    return -ETIMEDOUT;
}

/* ENet gives up by itself when no answer comes; a server that has answered
 * and then goes away is another matter. */
static int
closed_early(const struct client *c, uint64_t waited_ns)
{
    if (!c->connected)
        return nobody_answers(c, waited_ns);
    log_error("client: %s:%u closed the connection before it said welcome",
              c->config.side.address, c->config.side.port);
    return -ECONNREFUSED;
}

/* 1: welcome; 0: not yet; or an error that has been logged. */
static int
take_event(struct client *c, const struct net_event *event, uint64_t waited_ns)
{
    switch (event->type) {
    case NET_CONNECTED:
        c->connected = 1;
        say_hello(c);
        return 0;
    case NET_DISCONNECTED:
        return closed_early(c, waited_ns);
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

static int
wait_for_welcome(struct client *c, struct clock_waiter *waiter,
                 const _Atomic int *interrupted)
{
    const struct clock *clock = c->config.side.clock;
    uint64_t start_ns = clock_now_ns(clock), waited_ns = 0;
    struct net_event event;
    uint64_t look_ns;
    int done;

    while (waited_ns < c->config.connect_ns) {
        while (net_receive(c->net, &event) > 0) {
            done = take_event(c, &event, waited_ns);
            if (done != 0)
                return done < 0 ? done : 0;
        }
        if (interrupted != NULL && *interrupted)
            return -EINTR;
        look_ns = clock_now_ns(clock) + LOOK_NS;
        if (net_due_ns(c->net) < look_ns)
            look_ns = net_due_ns(c->net);
        clock_wait(waiter, net_fd(c->net), look_ns, 0);
        waited_ns = clock_now_ns(clock) - start_ns;
    }
    return nobody_answers(c, waited_ns);
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
client_connect(struct client **out, const struct client_config *config,
               struct clock_waiter *waiter, const _Atomic int *interrupted)
{
    struct client *c = calloc(1, sizeof(*c));
    int err;

    if (c == NULL)
        return -ENOMEM;
    c->config = *config;
    init_stages(&c->stages);
    c->welcome = calloc(1, sizeof(*c->welcome));
    if (c->welcome == NULL) {
        err = -ENOMEM;
        goto fail;
    }
    err = open_socket(c);
    if (err < 0)
        goto fail;
    err = wait_for_welcome(c, waiter, interrupted);
    if (err < 0)
        goto fail;
    *out = c;
    return 0;

fail:
    client_destroy(c);
    return err;
}
