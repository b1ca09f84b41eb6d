/*
 * A whole host on the virtual clock with the plugins of links_world.h, both
 * sides in one process and a simulated link between them.
 */
#ifndef LINKS_HOST_H
#define LINKS_HOST_H

#include "client_private.h"
#include "digest.h"
#include "host.h"
#include "links_world.h"
#include "log.h"
#include "server_private.h"
#include "setup.h"
#include "tap.h"
#include <hardpoint/predictor.h>
#include <stdlib.h>

#define SECOND_NS 1000000000ull
#define MS_NS     1000000ull

struct links_host {
    struct setup setup;
    struct clock *clock;
    struct clock_waiter *waiter;
    struct host host;
    struct host_signals signals;
    const char *settings[16];
    char texts[12][96];
    char path[4200];
    uint64_t messages; /* that the client sent and received ... */
    uint64_t digest;   /* ... and all their bytes */
};

static inline void
links_tap(void *context, int sent, enum net_channel channel,
          const uint8_t *bytes, size_t count)
{
    struct links_host *b = context;
    uint32_t head[3] = {(uint32_t)sent, channel, (uint32_t)count};

    b->messages++;
    b->digest = digest64(b->digest, head, sizeof(head));
    b->digest = digest64(b->digest, bytes, count);
}

static inline int
links_set(struct links_host *b, int n, const char *key, double value)
{
    snprintf(b->texts[n], sizeof(b->texts[n]), "%s=%.6f", key, value);
    b->settings[n] = b->texts[n];
    return n + 1;
}

/* `link` as the swarm's --link; the link exists whatever it says. */
static inline void
links_open_at(struct links_host *b, const char *link, const char *rate)
{
    struct net_simulator s;
    int n = 0;

    memset(b, 0, sizeof(*b));
    b->digest = DIGEST_SEED;
    ok_int(net_simulator_parse(link, &s), 0);
    n = links_set(b, n, "net.simulator.delay_ms",
                  s.delay_ms > 0 ? s.delay_ms : 0.001);
    n = links_set(b, n, "net.simulator.jitter_ms", s.jitter_ms);
    n = links_set(b, n, "net.simulator.loss_percent", s.loss_percent);
    n = links_set(b, n, "net.simulator.duplicate_percent", s.duplicate_percent);
    n = links_set(b, n, "net.simulator.reorder_percent", s.reorder_percent);
    snprintf(b->texts[n], sizeof(b->texts[n]), "net.simulator.seed=%u",
             (unsigned)s.seed);
    b->settings[n] = b->texts[n];
    n++;
    snprintf(b->texts[n], sizeof(b->texts[n]), "host.tick_rate_hz=%s", rate);
    b->settings[n] = b->texts[n];
    n++;
    snprintf(b->path, sizeof(b->path), "host.plugin_path=%s/t/.libs",
             getenv("HP_BUILD"));
    b->settings[n++] = b->path;
    b->settings[n++] = "plugins.sim=links";
    b->settings[n++] = "plugins.cues=links";
    b->settings[n++] = "plugins.input=links";
    b->settings[n++] = "plugins.haptics=none";
    log_set_level(HP_LOG_ERROR);
    ok_int(clock_create_virtual(&b->clock, SECOND_NS), 0);
    snprintf(b->setup.file, sizeof(b->setup.file), "?");
    ok_int(setup_load(&b->setup, NULL, b->settings, n, stdout), 0);
    ok_int(clock_join(b->clock, &b->waiter), 0);
    host_init(&b->host, &b->setup, b->clock, b->waiter, &b->signals);
    b->host.side.port = 0;
    b->host.tap = links_tap;
    b->host.tap_context = b;
    clock_enter(b->waiter);
    ok_int(host_start(&b->host), 0);
}

static inline void
links_open(struct links_host *b, const char *link)
{
    links_open_at(b, link, "60");
}

static inline void
links_close(struct links_host *b)
{
    host_stop(&b->host);
    host_finish(&b->host);
    clock_leave(b->waiter);
    setup_finish(&b->setup);
    clock_destroy(b->clock);
}

static inline void
links_run(struct links_host *b, double seconds)
{
    ok_int(host_serve(&b->host, (uint64_t)(seconds * 1e9)), 0);
}

/* Both ends of the link, from now on. */
static inline void
links_change(struct links_host *b, const char *link)
{
    struct net_simulator s;

    ok_int(net_simulator_parse(link, &s), 0);
    net_simulate(b->host.server->net, &s);
    net_simulate(b->host.client->net, &s);
}

static inline struct links_sim *
links_sim(const struct links_host *b)
{
    return (void *)b->host.sim[0]->self;
}

static inline struct links_cues *
links_cues(const struct links_host *b)
{
    return (void *)b->host.client->parts.cues[0]->self;
}

static inline struct hp_prediction
links_prediction(const struct links_host *b)
{
    struct hp_prediction p = {.size = sizeof(p)};
    const struct hp_predictor_ops *ops = b->host.predictor->ops;

    ops->measure(b->host.predictor->self, &p);
    return p;
}

/* By how much the client runs a tick before the server does. */
static inline int64_t
links_lead_ns(const struct links_host *b)
{
    const struct tick_schedule *c = &b->host.client->schedule;

    return (int64_t)(tick_deadline_ns(&b->host.server->schedule, c->next) -
                     tick_next_ns(c));
}

#endif
