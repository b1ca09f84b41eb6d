/* One client of a swarm, from its socket to its last tick. */
#include "cmd.h"
#include "config.h"
#include "host_private.h"
#include "log.h"
#include "swarm_private.h"
#include <errno.h>
#include <hardpoint/broadcaster.h>
#include <hardpoint/input.h>
#include <hardpoint/predictor.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#define CONNECT_NS 10000000000ull

/* ---- light: a client that takes every snapshot for empty ---- */

struct swarm_light {
    struct instance broadcaster, predictor;
};

static int
light_decode(struct hp_instance *self, uint64_t tick, const uint8_t *bytes,
             uint32_t count, struct hp_view_sink *sink)
{
    (void)self;
    (void)tick;
    (void)bytes;
    (void)count;
    sink->count = 0;
    return 0;
}

static void
light_input(struct hp_instance *self, const struct hp_tick *tick,
            const struct hp_input *input)
{
    (void)self;
    (void)tick;
    (void)input;
}

static int
light_snapshot(struct hp_instance *self, const struct hp_truth *truth,
               const struct hp_view *view)
{
    (void)self;
    (void)truth;
    (void)view;
    return 0;
}

static int
light_own(struct hp_instance *self, void *record)
{
    (void)self;
    (void)record;
    return -ENOENT;
}

static void
light_measure(struct hp_instance *self, struct hp_prediction *out)
{
    (void)self;
    (void)out;
}

static const struct hp_broadcaster_ops light_broadcaster = {
    .size = sizeof(light_broadcaster), .decode = light_decode};

static const struct hp_predictor_ops light_predictor = {
    .size = sizeof(light_predictor),
    .input = light_input,
    .snapshot = light_snapshot,
    .own = light_own,
    .measure = light_measure,
};

static void
light_init(struct instance *i, const struct clock *clock, const void *ops)
{
    i->ops = ops;
    i->clock = clock;
    i->side = HP_SIDE_CLIENT;
    hist_init(&i->call_ns);
    snprintf(i->label, sizeof(i->label), "swarm --light");
}

struct swarm_light *
swarm_light_create(const struct clock *clock)
{
    struct swarm_light *light = calloc(1, sizeof(*light));

    if (light == NULL)
        return NULL;
    light_init(&light->broadcaster, clock, &light_broadcaster);
    light_init(&light->predictor, clock, &light_predictor);
    return light;
}

void
swarm_light_destroy(struct swarm_light *light)
{
    free(light);
}

/* ---- its plugins ---- */

static int
add_instance(struct swarm *s, uint32_t kind, struct config *config,
             struct instance **out)
{
    struct host *h = &s->host;
    int err = instance_create(out, crew_plugin(&h->crew, kind), config,
                              h->clock, HP_SIDE_CLIENT);

    return err < 0 ? err : crew_start(*out, &h->client_limits);
}

/* Its own seed: those of one swarm fly differently, each as it did before. */
static int
seeded_config(struct swarm *s, uint32_t i, struct config **out)
{
    const struct hp_plugin *table =
        plugin_table(crew_plugin(&s->host.crew, HP_KIND_INPUT));
    char setting[128];
    int err = config_create(out);

    if (err < 0)
        return err;
    snprintf(setting, sizeof(setting), "input.swarm.seed=%lld",
             (long long)host_number(&s->host, "input.swarm", "seed") + i);
    config_override(*out, setting);
    snprintf(setting, sizeof(setting), "input.swarm.pattern=%s",
             host_text(&s->host, "input.swarm", "pattern"));
    config_override(*out, setting);
    config_bind(*out, "input.swarm", table->params, table->param_count,
                table->param_stride);
    return 0;
}

static int
add_input(struct swarm *s, struct swarm_client *c, uint32_t i)
{
    const struct hp_plugin *table =
        plugin_table(crew_plugin(&s->host.crew, HP_KIND_INPUT));
    struct config *config = s->host.setup->config;
    int err;

    if (strcmp(table->name, "swarm") == 0) {
        err = seeded_config(s, i, &c->config);
        if (err < 0)
            return err;
        config = c->config;
    }
    return add_instance(s, HP_KIND_INPUT, config, &c->input);
}

static int
add_decoders(struct swarm *s, struct swarm_client *c,
             struct client_parts *parts)
{
    const struct hp_sim_ops *ops = s->host.sim[1]->ops;
    struct config *config = s->host.setup->config;
    int err;

    if (s->light != NULL) {
        parts->broadcaster = &s->light->broadcaster;
        parts->predictor = &s->light->predictor;
        return 0;
    }
    err = add_instance(s, HP_KIND_BROADCASTER, config, &c->broadcaster);
    if (err == 0)
        err = add_instance(s, HP_KIND_PREDICTOR, config, &c->predictor);
    parts->broadcaster = c->broadcaster;
    parts->predictor = c->predictor;
    parts->own_check = ops->own_check;
    parts->model = s->host.sim[1]->self;
    return err;
}

static int
equip(struct swarm *s, struct swarm_client *c, uint32_t i)
{
    struct client_parts parts = {0};
    int err;

    if (!s->has_model) {
        err = host_start_model(&s->host, client_welcome(c->client));
        if (err < 0)
            return err;
        s->has_model = 1;
    }
    err = add_input(s, c, i);
    if (err == 0)
        err = add_decoders(s, c, &parts);
    parts.input = c->input;
    return err < 0 ? err
                   : client_prepare(c->client, &parts, &s->host.client_limits);
}

/* ---- its life ---- */

int
swarm_client_begin(struct swarm *s, uint32_t i)
{
    struct swarm_client *c = &s->clients[i];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    struct client_config config = {
        .side = s->host.side,
        .name = c->name,
        .options = host_text(&s->host, "client", "join"),
        .stages = 0,
        .connect_ns = CONNECT_NS,
    };
    int err;

    if (net_simulator_is_on(&s->options->link))
        config.side.simulator = s->options->link;
    config.side.simulator.seed += i; /* a bad link of its own */
    snprintf(c->name, sizeof(c->name), "swarm-%u", i + 1);
    c->begun_ns = clock_now_ns(s->host.clock);
    err = client_begin(&c->client, &config);
    if (err == 0 &&
        epoll_ctl(s->epoll, EPOLL_CTL_ADD, client_fd(c->client), &event) < 0)
        err = -errno;
    if (err < 0) {
        log_error("swarm: client %u cannot begin: %s", i + 1, strerror(-err));
        return CMD_UNAVAILABLE;
    }
    c->state = SWARM_JOINING;
    s->joining++;
    due_heap_set(&s->due, i, client_due_ns(c->client));
    return 0;
}

/* It is over for this one, for a reason; its counters may still be read. */
static void
retire(struct swarm *s, uint32_t i, enum swarm_state state, char *why)
{
    struct swarm_client *c = &s->clients[i];

    if (c->state == SWARM_JOINING)
        s->joining--;
    else
        s->flying--;
    c->state = state;
    epoll_ctl(s->epoll, EPOLL_CTL_DEL, client_fd(c->client), NULL);
    due_heap_remove(&s->due, i);
    if (why[0] == '\0')
        client_is_lost(c->client, why);
}

static void
join(struct swarm *s, uint32_t i)
{
    struct swarm_client *c = &s->clients[i];
    int done = client_await(c->client), err;

    if (done == 0)
        return;
    if (done == -ETIMEDOUT)
        retire(s, i, SWARM_UNANSWERED, s->unanswered_why);
    else if (done < 0)
        retire(s, i, SWARM_REFUSED, s->refused_why);
    if (done < 0) {
        client_destroy(c->client);
        c->client = NULL;
        return;
    }
    c->join_ns = clock_now_ns(s->host.clock) - c->begun_ns;
    err = equip(s, c, i);
    if (err < 0) {
        s->status = err == -EPROTO ? CMD_UNAVAILABLE : CMD_PLUGIN;
        return;
    }
    c->state = SWARM_FLYING;
    s->joining--;
    s->flying++;
    client_greet(c->client);
}

void
swarm_client_serve(struct swarm *s, uint32_t i)
{
    struct swarm_client *c = &s->clients[i];
    char why[256];

    if (c->state == SWARM_JOINING) {
        join(s, i);
    } else if (c->state == SWARM_FLYING) {
        client_serve(c->client);
        if (client_is_lost(c->client, why))
            retire(s, i, SWARM_DROPPED, s->dropped_why);
    }
    if (c->state == SWARM_JOINING || c->state == SWARM_FLYING)
        due_heap_set(&s->due, i, client_due_ns(c->client));
}

void
swarm_client_finish(struct swarm_client *c)
{
    client_destroy(c->client);
    instance_destroy(c->input);
    instance_destroy(c->predictor);
    instance_destroy(c->broadcaster);
    config_destroy(c->config);
}
