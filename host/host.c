#include "cmd.h"
#include "config.h"
#include "host_private.h"
#include "jobs.h"
#include "log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Agents and the log are served this often. */
#define SERVE_NS  100000000ull
#define SECOND_NS 1000000000ull

/* An agent may take this long. */
#define AGENT_BUDGET_NS 5000000ull

/* ---- configuration ---- */

int64_t
host_number(const struct host *h, const char *section, const char *key)
{
    int64_t value = 0;

    config_int(h->setup->config, section, key, 0, &value);
    return value;
}

const char *
host_text(const struct host *h, const char *section, const char *key)
{
    const char *value = "";

    config_text(h->setup->config, section, key, 0, &value);
    return value;
}

int
host_flag(const struct host *h, const char *section, const char *key)
{
    int value = 0;

    config_flag(h->setup->config, section, key, &value);
    return value;
}

static enum host_role
role_of(const char *word)
{
    if (strcmp(word, "server") == 0)
        return HOST_SERVER;
    return strcmp(word, "client") == 0 ? HOST_CLIENT : HOST_SOLO;
}

static double
simulator_real(const struct host *h, const char *key)
{
    double value = 0;

    config_real(h->setup->config, "net.simulator", key, 0, &value);
    return value;
}

/* A host that is both ends lets each do its half. */
static void
read_simulator(const struct host *h, struct net_simulator *s)
{
    s->delay_ms = simulator_real(h, "delay_ms");
    s->jitter_ms = simulator_real(h, "jitter_ms");
    s->loss_percent = simulator_real(h, "loss_percent");
    s->duplicate_percent = simulator_real(h, "duplicate_percent");
    s->reorder_percent = simulator_real(h, "reorder_percent");
    s->seed = (uint64_t)host_number(h, "net.simulator", "seed");
    s->sends_only = h->role == HOST_SOLO;
    if (net_simulator_is_on(s))
        log_warning("net: [net.simulator] makes the link bad on purpose");
}

static void
read_side(struct host *h)
{
    struct side_config *s = &h->side;

    s->clock = h->clock;
    tick_rate_parse(host_text(h, "host", "tick_rate_hz"), &s->rate);
    s->snapshot_every = (uint32_t)host_number(h, "host", "snapshot_every");
    s->catch_up_max = (uint32_t)host_number(h, "host", "catch_up_ticks_max");
    s->spin_ns = (uint64_t)host_number(h, "host", "spin_us") * 1000;
    s->timer_slack_ns = (uint64_t)host_number(h, "host", "timer_slack_ns");
    s->realtime = host_flag(h, "host", "realtime");
    s->service_tick = strcmp(host_text(h, "net", "service"), "tick") == 0;
    s->phase_off = strcmp(host_text(h, "net", "phase"), "off") == 0;
    s->clients_max = (uint32_t)host_number(h, "net", "clients_max");
    s->entities_max = (uint32_t)host_number(h, "host", "entities_max");
    s->address =
        h->role == HOST_SOLO ? "127.0.0.1" : host_text(h, "net", "address");
    s->port = (uint16_t)host_number(h, "net", "port");
    s->workers = (uint32_t)host_number(h, "host", "workers");
    read_simulator(h, &s->simulator);
}

uint64_t
host_budget_ns(const struct host *h, struct tick_rate rate)
{
    return tick_period_ns(rate) *
           (uint64_t)host_number(h, "host", "budget_percent") / 100;
}

int
host_init(struct host *h, struct setup *setup, struct clock *clock,
          struct clock_waiter *waiter, const struct host_signals *signals)
{
    memset(h, 0, sizeof(*h));
    h->setup = setup;
    h->clock = clock;
    h->waiter = waiter;
    h->signals = signals;
    h->role = role_of(host_text(h, "host", "role"));
    read_side(h);
    crew_init(&h->crew, setup, clock, host_budget_ns(h, h->side.rate));
    return 0;
}

/* ---- life ---- */

int
host_start_agents(struct host *h, uint32_t side, const struct hp_limits *limits)
{
    uint32_t i;
    int err = crew_start_all(&h->crew, HP_KIND_AGENT, side, limits, h->agents,
                             HOST_AGENTS_MAX, &h->agent_count);

    /* No tick waits for an agent, so it is held to its own budget. */
    for (i = 0; i < h->agent_count; i++)
        h->agents[i]->budget_ns = AGENT_BUDGET_NS;
    return err;
}

int
host_start(struct host *h)
{
    int status = host_judge_record(h);

    if (status == 0 && h->role != HOST_CLIENT)
        status = host_start_server(h);
    if (status == 0 && h->role != HOST_SERVER)
        status = host_start_client(h);
    h->status = status;
    return status;
}

static const struct side_report *
watched_report(const struct host *h)
{
    return h->server != NULL ? server_report(h->server)
                             : client_report(h->client);
}

static void
serve_agents(struct host *h, uint64_t now_ns)
{
    const struct hp_agent_ops *ops;
    struct hp_status status;
    uint32_t i;

    if (h->agent_count == 0)
        return;
    host_status(watched_report(h),
                h->server != NULL ? HP_SIDE_SERVER : HP_SIDE_CLIENT, now_ns,
                &status);
    for (i = 0; i < h->agent_count; i++) {
        ops = h->agents[i]->ops;
        instance_enter(h->agents[i], "idle", status.tick);
        ops->idle(h->agents[i]->self, &status, AGENT_BUDGET_NS);
        instance_leave(h->agents[i]);
    }
}

static void
serve_metrics(const struct host *h)
{
    const char *path = host_text(h, "metrics", "json");
    int err;

    if (path[0] == '\0')
        return;
    err = host_write_metrics(h, path);
    if (err < 0)
        log_warning("metrics: cannot write %s: %s", path, strerror(-err));
}

/* Plugins whose live rows may have changed read them again. */
static void
reload_plugins(struct host *h)
{
    struct instance *i;
    uint32_t k;

    for (k = 0; k < h->crew.count; k++) {
        i = h->crew.all[k];
        if (!HP_HAS(i->table, reload) || i->table->reload == NULL ||
            i->config == h->model_config)
            continue;
        if (i->table->reload(i->self) < 0)
            log_warning("%s: keeps its old parameters: %s", i->label,
                        i->failure[0] ? i->failure : "no reason given");
    }
}

/* Each problem is a line of the log: a running host has no other place. */
static void
log_lines(char *text)
{
    char *rest = NULL, *line;

    for (line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        log_error("%s", line);
}

static int
load_effects(const char *path, struct effects **out)
{
    char *problems = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&problems, &bytes);
    int err = -ENOMEM;

    if (to != NULL) {
        err = effects_load(out, path, to);
        fclose(to);
    }
    if (problems != NULL)
        log_lines(problems);
    free(problems);
    if (err < 0 && err != -EINVAL)
        log_error("haptics: %s: cannot be read: %s", path, strerror(-err));
    return err;
}

static void
reload_effects(struct host *h)
{
    struct effects *next = NULL;

    if (h->haptics == NULL)
        return;
    if (load_effects(host_text(h, "haptics", "effects"), &next) < 0) {
        log_warning("haptics: the old effects stay in force");
        return;
    }
    haptics_set_effects(h->haptics, next, h->waiter);
    effects_destroy(h->effects);
    h->effects = next;
}

static void
reload(struct host *h)
{
    char why[1024];
    struct host_swap swap;
    struct setup next;
    uint32_t level;

    if (setup_read_again(h->setup, &next, why, sizeof(why)) < 0) {
        log_error("reload: refused, everything stays as it was: %s", why);
        return;
    }
    if (host_prepare_swap(h, &next, &swap) < 0) {
        log_error("reload: refused, everything stays as it was");
        setup_drop(&next);
        return;
    }
    setup_take(h->setup, &next);
    host_commit_swap(h, &swap);
    if (log_parse_level(host_text(h, "log", "level"), &level) == 0)
        log_set_level(level);
    if (h->server != NULL && host_load_bans(h) < 0)
        log_warning("net: the old bans stay in force");
    record_reload(h->record);
    reload_plugins(h);
    reload_effects(h);
    log_info("reload: done");
}

static int
is_over(struct host *h)
{
    char why[256];

    if (h->signals->stop)
        return 1;
    if (h->client == NULL || !client_is_lost(h->client, why))
        return 0;
    log_error("client: %s", why);
    h->status = CMD_UNAVAILABLE;
    return 1;
}

int
host_serve(struct host *h, uint64_t for_ns)
{
    uint64_t start_ns = clock_now_ns(h->clock), now_ns = start_ns;
    uint64_t end_ns = for_ns == CLOCK_NEVER ? CLOCK_NEVER : start_ns + for_ns;
    uint64_t next_ns = start_ns, second_ns = start_ns + SECOND_NS;

    while (now_ns < end_ns && !is_over(h)) {
        next_ns += SERVE_NS;
        if (next_ns < now_ns)
            next_ns = now_ns + SERVE_NS;
        clock_wait(h->waiter, -1, next_ns < end_ns ? next_ns : end_ns, 0);
        now_ns = clock_now_ns(h->clock);
        if (h->reloads_seen != h->signals->reload) {
            h->reloads_seen = h->signals->reload;
            reload(h);
        }
        serve_agents(h, now_ns);
        if (now_ns >= second_ns) {
            second_ns += SECOND_NS;
            if (h->haptics != NULL)
                haptics_poll_devices(h->haptics);
            serve_metrics(h);
        }
        log_flush();
    }
    return h->status;
}

void
host_stop(struct host *h)
{
    if (h->client != NULL) {
        client_stop(h->client);
        client_join(h->client, h->waiter);
    }
    input_device_stop(h->input_device, h->waiter);
    h->input_device = NULL;
    if (h->haptics != NULL)
        haptics_stop(h->haptics, h->waiter);
    if (h->server != NULL) {
        server_stop(h->server);
        server_join(h->server, h->waiter);
    }
    host_stop_record(h);
    if (h->server != NULL || h->client != NULL)
        serve_metrics(h);
    log_flush();
}

void
host_finish(struct host *h)
{
    client_destroy(h->client);
    server_destroy(h->server);
    record_destroy(h->record);
    haptics_destroy(h->haptics);
    crew_finish(&h->crew);
    jobs_destroy(h->jobs);
    effects_destroy(h->effects);
    config_destroy(h->model_config);
    memset(h, 0, sizeof(*h));
}
