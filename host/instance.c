#include "instance.h"
#include "clock.h"
#include "config.h"
#include "fault.h"
#include "float_control.h"
#include "jobs.h"
#include "log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLAME_EVERY_NS UINT64_C(1000000000)

/* ---- the host's table, as one instance sees it ---- */

static struct instance *
instance_of(const struct hp_host *host)
{
    return host->context;
}

static void
host_log(const struct hp_host *host, uint32_t level, const char *text)
{
    const struct instance *i = instance_of(host);

    if (level < HP_LOG_ERROR || level > HP_LOG_DEBUG)
        level = HP_LOG_DEBUG;
    if (text != NULL)
        log_line(level, "%s: %.*s", i->label, (int)strcspn(text, "\n"), text);
}

static int
host_fail(const struct hp_host *host, int code, const char *sentence)
{
    struct instance *i = instance_of(host);

    if (sentence != NULL)
        snprintf(i->failure, sizeof(i->failure), "%.*s",
                 (int)strcspn(sentence, "\n"), sentence);
    return code;
}

static uint64_t
host_now_ns(const struct hp_host *host)
{
    return clock_now_ns(instance_of(host)->clock);
}

static int
host_param_flag(const struct hp_host *host, const char *name, int *out)
{
    const struct instance *i = instance_of(host);

    return config_flag(i->config, i->section, name, out);
}

static int
host_param_int(const struct hp_host *host, const char *name, uint32_t index,
               int64_t *out)
{
    const struct instance *i = instance_of(host);

    return config_int(i->config, i->section, name, index, out);
}

static int
host_param_real(const struct hp_host *host, const char *name, uint32_t index,
                double *out)
{
    const struct instance *i = instance_of(host);

    return config_real(i->config, i->section, name, index, out);
}

static int
host_param_text(const struct hp_host *host, const char *name, uint32_t index,
                const char **out)
{
    const struct instance *i = instance_of(host);

    return config_text(i->config, i->section, name, index, out);
}

static const void *
host_extension(const struct hp_host *host, const char *id)
{
    (void)host;
    (void)id;
    return NULL;
}

static void
host_jobs(const struct hp_host *host,
          void (*run)(void *context, uint32_t first, uint32_t end),
          void *context, uint32_t count, uint32_t grain)
{
    jobs_run(instance_of(host)->jobs, run, context, count, grain);
}

int
instance_is_deterministic(const struct instance *i)
{
    return (i->table->flags & HP_PLUGIN_DETERMINISTIC) != 0;
}

static void
fill_host(struct instance *i)
{
    struct hp_host *h = &i->host;

    h->size = sizeof(*h);
    h->abi_major = HP_ABI_MAJOR;
    h->abi_minor = HP_ABI_MINOR;
    h->side = i->side;
    h->log = host_log;
    h->fail = host_fail;
    /* A clock is what a deterministic plugin must not have. */
    h->now_ns = instance_is_deterministic(i) ? NULL : host_now_ns;
    h->param_flag = host_param_flag;
    h->param_int = host_param_int;
    h->param_real = host_param_real;
    h->param_text = host_param_text;
    h->extension = host_extension;
    h->context = i;
    h->jobs = host_jobs;
}

/* ---- its life ---- */

/* A result that the contract has no meaning for becomes an error. */
static int
judge_result(struct instance *i, const char *call, int result)
{
    if (result <= 0)
        return result;
    snprintf(i->failure, sizeof(i->failure),
             "%s returned %d, expected 0 or a negative errno", call, result);
    return -EPROTO;
}

static int
call_create(struct instance *i)
{
    int result;

    instance_enter(i, "create", INSTANCE_NO_TICK);
    result = i->table->create(&i->host, &i->self);
    instance_leave(i);
    result = judge_result(i, "create", result);
    if (result == 0 && i->self == NULL) {
        snprintf(i->failure, sizeof(i->failure),
                 "create returned 0 but made no instance");
        return -EPROTO;
    }
    /* After an error nothing was handed over. */
    if (result < 0)
        i->self = NULL;
    return result;
}

/* Where [plugins] asks for it. */
static const char *
origin_of(const struct instance *i)
{
    if (i->config == NULL)
        return "no configuration";
    return config_origin(i->config, "plugins",
                         plugin_kind_name(i->table->kind));
}

int
instance_create(struct instance **out, struct plugin *plugin,
                struct config *config, const struct clock *clock, uint32_t side)
{
    struct instance *i = calloc(1, sizeof(*i));
    int err;

    if (i == NULL) {
        log_error("plugin: %s: no memory for an instance", plugin_file(plugin));
        return -ENOMEM;
    }
    i->plugin = plugin;
    i->table = plugin_table(plugin);
    i->ops = i->table->ops;
    i->config = config;
    i->clock = clock;
    i->side = side;
    hist_init(&i->call_ns);
    snprintf(i->section, sizeof(i->section), "%s.%s",
             plugin_kind_name(i->table->kind), i->table->name);
    snprintf(i->label, sizeof(i->label), "%.48s (%s)", i->section,
             side == HP_SIDE_SERVER ? "server" : "client");
    fill_host(i);
    err = call_create(i);
    if (err < 0) {
        log_error("%s: cannot be created: %s%s%s ([plugins] %s, from %s)",
                  i->label, i->failure, i->failure[0] != '\0' ? ": " : "",
                  strerror(-err), plugin_kind_name(i->table->kind),
                  origin_of(i));
        instance_destroy(i);
        return err;
    }
    *out = i;
    return 0;
}

static void
keep_limits(struct instance *i, const struct hp_limits *limits)
{
    uint32_t kind = i->table->kind;

    i->limits = *limits;
    if (kind == HP_KIND_PREDICTOR || kind == HP_KIND_CUES)
        return;
    i->limits.model = NULL;
    if (kind != HP_KIND_BROADCASTER)
        i->limits.schema = NULL;
}

int
instance_start(struct instance *i, const struct hp_limits *limits)
{
    int result;

    i->failure[0] = '\0';
    keep_limits(i, limits);
    instance_enter(i, "start", INSTANCE_NO_TICK);
    result = i->table->start(i->self, &i->limits);
    instance_leave(i);
    result = judge_result(i, "start", result);
    i->started = result == 0;
    return result;
}

void
instance_stop(struct instance *i)
{
    if (i == NULL || !i->started)
        return;
    i->started = 0;
    instance_enter(i, "stop", INSTANCE_NO_TICK);
    i->table->stop(i->self);
    instance_leave(i);
}

void
instance_destroy(struct instance *i)
{
    if (i == NULL)
        return;
    instance_stop(i);
    if (i->self != NULL) {
        instance_enter(i, "destroy", INSTANCE_NO_TICK);
        i->table->destroy(i->self);
        instance_leave(i);
    }
    free(i);
}

/* ---- the account of its calls ---- */

void
instance_enter(struct instance *i, const char *call, uint64_t tick)
{
    struct fault_mark *mark;

    if (i == NULL || (mark = fault_enter()) == NULL)
        return;
    mark->label = i->label;
    mark->call = call;
    mark->tick = tick;
    mark->float_control = float_control();
    /* Last, so that only the call is timed. */
    mark->start_ns = clock_now_ns(i->clock);
}

/* Puts the state back, whoever changed it; tells it once. */
static void
restore_float_control(struct instance *i, const struct fault_mark *mark)
{
    uint64_t after = float_control();

    if (after == mark->float_control)
        return;
    float_control_set(mark->float_control);
    if (i->float_blamed)
        return;
    i->float_blamed = 1;
    log_warning("%s: %s changed the floating-point control state (%llx to "
                "%llx); it was put back",
                i->label, mark->call, (unsigned long long)mark->float_control,
                (unsigned long long)after);
}

static void
blame(struct instance *i, const struct fault_mark *mark, uint64_t now_ns,
      uint64_t took_ns)
{
    i->over_budget++;
    if (i->over_budget > 1 && now_ns - i->blamed_ns < BLAME_EVERY_NS)
        return;
    i->blamed_ns = now_ns;
    log_warning("%s: %s took %.1f ms of a %.1f ms budget at tick %llu; %llu "
                "calls over budget so far",
                i->label, mark->call, (double)took_ns / 1e6,
                (double)i->budget_ns / 1e6, (unsigned long long)mark->tick,
                (unsigned long long)i->over_budget);
}

uint64_t
instance_leave(struct instance *i)
{
    const struct fault_mark *mark;
    uint64_t now_ns, took_ns;

    if (i == NULL || (mark = fault_leave()) == NULL)
        return 0;
    now_ns = clock_now_ns(i->clock);
    took_ns = now_ns - mark->start_ns;
    restore_float_control(i, mark);
    if (mark->tick == INSTANCE_NO_TICK)
        return took_ns;
    hist_record(&i->call_ns, took_ns);
    if (i->budget_ns != 0 && took_ns > i->budget_ns)
        blame(i, mark, now_ns, took_ns);
    return took_ns;
}

void
instance_complain(struct instance *i, const char *call, uint64_t tick,
                  const char *what)
{
    uint64_t now_ns = clock_now_ns(i->clock);

    i->complaints++;
    if (i->complaints > 1 && now_ns - i->complained_ns < BLAME_EVERY_NS)
        return;
    i->complained_ns = now_ns;
    log_warning("%s: %s at tick %llu %s; %llu such calls so far", i->label,
                call, (unsigned long long)tick, what,
                (unsigned long long)i->complaints);
}
