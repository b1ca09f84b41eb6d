/*
 * The host as a sim under test sees it: rows by name with their defaults, what
 * it failed with and logged, and a side with the limits that a test wants.
 */
#ifndef T_SIM_HOST_H
#define T_SIM_HOST_H

#include <errno.h>
#include <hardpoint/sim.h>
#include <stdlib.h>
#include <string.h>

struct sim_host {
    struct hp_host host;
    const char *settings[8][2]; /* name and value; others have defaults */
    char failed[256];
    char logged[256];
    int logs;
};

static const char *
sim_host_value(const struct hp_host *host, const char *name)
{
    const struct sim_host *h = host->context;
    uint32_t i;

    for (i = 0; i < 8 && h->settings[i][0] != NULL; i++)
        if (strcmp(h->settings[i][0], name) == 0)
            return h->settings[i][1];
    for (i = 0; i < hp_plugin_v1.param_count; i++)
        if (strcmp(hp_plugin_v1.params[i].name, name) == 0)
            return hp_plugin_v1.params[i].preset;
    return NULL;
}

static int
sim_host_int(const struct hp_host *host, const char *name, uint32_t index,
             int64_t *out)
{
    const char *value = sim_host_value(host, name);

    if (value == NULL || index != 0)
        return -ENOENT;
    *out = strtoll(value, NULL, 10);
    return 0;
}

static int
sim_host_real(const struct hp_host *host, const char *name, uint32_t index,
              double *out)
{
    const char *value = sim_host_value(host, name);

    if (value == NULL || index != 0)
        return -ENOENT;
    *out = strtod(value, NULL);
    return 0;
}

static int
sim_host_text(const struct hp_host *host, const char *name, uint32_t index,
              const char **out)
{
    *out = sim_host_value(host, name);
    return *out == NULL || index != 0 ? -ENOENT : 0;
}

static void
sim_host_log(const struct hp_host *host, uint32_t level, const char *text)
{
    struct sim_host *h = host->context;

    (void)level;
    h->logs++;
    strncpy(h->logged, text, sizeof(h->logged) - 1);
}

static int
sim_host_fail(const struct hp_host *host, int code, const char *sentence)
{
    struct sim_host *h = host->context;

    strncpy(h->failed, sentence, sizeof(h->failed) - 1);
    return code;
}

static void
sim_host_jobs(const struct hp_host *host,
              void (*run)(void *context, uint32_t first, uint32_t end),
              void *context, uint32_t count, uint32_t grain)
{
    (void)host;
    (void)grain;
    if (count > 0)
        run(context, 0, count);
}

static void
sim_host_init(struct sim_host *h, uint32_t side)
{
    memset(h, 0, sizeof(*h));
    h->host.size = sizeof(h->host);
    h->host.abi_major = HP_ABI_MAJOR;
    h->host.side = side;
    h->host.log = sim_host_log;
    h->host.fail = sim_host_fail;
    h->host.param_int = sim_host_int;
    h->host.param_real = sim_host_real;
    h->host.param_text = sim_host_text;
    h->host.context = h;
    h->host.jobs = sim_host_jobs;
}

/* An instance that runs; NULL when it refuses. */
static struct hp_instance *
sim_host_start(struct sim_host *h, uint32_t clients_max, uint32_t entities_max)
{
    static struct hp_limits limits;
    struct hp_instance *self = NULL;

    limits.size = sizeof(limits);
    limits.side = h->host.side;
    limits.rate_num = 60;
    limits.rate_den = 1;
    limits.clients_max = clients_max;
    limits.entities_max = entities_max;
    if (hp_plugin_v1.create(&h->host, &self) < 0)
        return NULL;
    if (hp_plugin_v1.start(self, &limits) < 0) {
        hp_plugin_v1.destroy(self);
        return NULL;
    }
    return self;
}

static void
sim_host_stop(struct hp_instance *self)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

static inline const struct hp_sim_ops *
sim_ops(void)
{
    return hp_plugin_v1.ops;
}

#endif
