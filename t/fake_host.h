/*
 * A host for the test of one plugin: parameters are pairs of text, the clock
 * stands where the test puts it, log lines and the last failure are kept.
 *
 *     struct fake_host fake;
 *     struct hp_instance *self;
 *
 *     fake_host_init(&fake, HP_SIDE_CLIENT);
 *     fake_host_set(&fake, "file", "out.jsonl");
 *     ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
 *
 * A parameter that the test did not set has its row's default.
 */
#ifndef FAKE_HOST_H
#define FAKE_HOST_H

#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE_PARAMS 16

struct fake_host {
    struct hp_host host;
    uint64_t now_ns;
    struct {
        const char *name;
        const char *value;
    } params[FAKE_PARAMS];
    int param_count;
    int log_lines;
    uint32_t log_level; /* of the last line */
    char log_text[512]; /* the last line */
    char failure[1024]; /* the last sentence of fail */
};

static inline void
fake_log(const struct hp_host *host, uint32_t level, const char *text)
{
    struct fake_host *fake = host->context;

    fake->log_lines++;
    fake->log_level = level;
    snprintf(fake->log_text, sizeof(fake->log_text), "%s", text);
}

static inline int
fake_fail(const struct hp_host *host, int code, const char *sentence)
{
    struct fake_host *fake = host->context;

    snprintf(fake->failure, sizeof(fake->failure), "%s", sentence);
    return code;
}

static inline uint64_t
fake_now_ns(const struct hp_host *host)
{
    return ((const struct fake_host *)host->context)->now_ns;
}

/* The row of that name and type; its text goes to `value`. */
static inline int
fake_find(const struct hp_host *host, const char *name, uint32_t type,
          const char **value)
{
    const struct fake_host *fake = host->context;
    const struct hp_param *row = NULL;
    uint32_t r;
    int i;

    for (r = 0; r < hp_plugin_v1.param_count; r++)
        if (strcmp(hp_plugin_v1.params[r].name, name) == 0)
            row = &hp_plugin_v1.params[r];
    if (row == NULL)
        return -ENOENT;
    if (row->type != type)
        return -EINVAL;
    *value = row->preset;
    for (i = 0; i < fake->param_count; i++)
        if (strcmp(fake->params[i].name, name) == 0)
            *value = fake->params[i].value;
    return *value == NULL ? -ENOENT : 0;
}

static inline int
fake_param_flag(const struct hp_host *host, const char *name, int *out)
{
    const char *value;
    int err = fake_find(host, name, HP_PARAM_FLAG, &value);

    if (err == 0)
        *out = strcmp(value, "yes") == 0;
    return err;
}

static inline int
fake_param_int(const struct hp_host *host, const char *name, uint32_t index,
               int64_t *out)
{
    const char *value;
    int err = fake_find(host, name, HP_PARAM_INT, &value);

    (void)index;
    if (err == 0)
        *out = strtoll(value, NULL, 10);
    return err;
}

static inline int
fake_param_real(const struct hp_host *host, const char *name, uint32_t index,
                double *out)
{
    const char *value;
    int err = fake_find(host, name, HP_PARAM_REAL, &value);

    (void)index;
    if (err == 0)
        *out = strtod(value, NULL);
    return err;
}

/* A repeated row has one value here. */
static inline int
fake_param_text(const struct hp_host *host, const char *name, uint32_t index,
                const char **out)
{
    static const uint32_t types[] = {HP_PARAM_TEXT, HP_PARAM_PATH,
                                     HP_PARAM_CHOICE, HP_PARAM_DATA};
    int err = index == 0 ? -EINVAL : -ENOENT;
    size_t i;

    for (i = 0; i < 4 && err == -EINVAL; i++)
        err = fake_find(host, name, types[i], out);
    return err;
}

static inline const void *
fake_extension(const struct hp_host *host, const char *id)
{
    (void)host;
    (void)id;
    return NULL;
}

static inline void
fake_jobs(const struct hp_host *host,
          void (*run)(void *context, uint32_t first, uint32_t end),
          void *context, uint32_t count, uint32_t grain)
{
    (void)host;
    (void)grain;
    if (count > 0)
        run(context, 0, count);
}

/* As the real host: a deterministic plugin gets no clock. */
static inline void
fake_host_init(struct fake_host *fake, uint32_t side)
{
    memset(fake, 0, sizeof(*fake));
    fake->host = (struct hp_host){
        .size = sizeof(fake->host),
        .abi_major = HP_ABI_MAJOR,
        .abi_minor = HP_ABI_MINOR,
        .side = side,
        .log = fake_log,
        .fail = fake_fail,
        .now_ns =
            hp_plugin_v1.flags & HP_PLUGIN_DETERMINISTIC ? NULL : fake_now_ns,
        .param_flag = fake_param_flag,
        .param_int = fake_param_int,
        .param_real = fake_param_real,
        .param_text = fake_param_text,
        .extension = fake_extension,
        .context = fake,
        .jobs = fake_jobs,
    };
    fake->now_ns = 1000000000;
}

static inline void
fake_host_set(struct fake_host *fake, const char *name, const char *value)
{
    fake->params[fake->param_count].name = name;
    fake->params[fake->param_count++].value = value;
}

/* Limits as of a 60 Hz game of 32; the test adds schema and model. */
static inline struct hp_limits
fake_limits(uint32_t side)
{
    return (struct hp_limits){
        .size = sizeof(struct hp_limits),
        .side = side,
        .rate_num = 60,
        .rate_den = 1,
        .clients_max = 32,
        .entities_max = 256,
        .snapshot_bytes_max = 1000,
        .window_ticks = 64,
    };
}

static inline struct hp_tick
fake_tick(uint64_t index)
{
    return (struct hp_tick){
        .index = index,
        .dt_s = 1.0 / 60,
        .rate_num = 60,
        .rate_den = 1,
    };
}

#endif
