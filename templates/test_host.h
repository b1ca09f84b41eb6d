/*
 * A host just big enough for a test of one plugin, which is linked into the
 * same program. Rows have their presets, unless `settings` says otherwise.
 */
#ifndef TEST_HOST_H
#define TEST_HOST_H

#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test_host {
    struct hp_host host;
    const char *settings[4][2]; /* name and value */
    uint64_t now_ns;
    int lines;      /* logged */
    char line[256]; /* the last of them */
    char why[256];  /* the last sentence of fail */
};

static int test_failed;

/* One TAP line a fact. */
static inline void
check(int truth, const char *fact)
{
    static int number;

    printf("%sok %d - %s\n", truth ? "" : "not ", ++number, fact);
    test_failed |= !truth;
}

static inline int
test_end(int facts)
{
    printf("1..%d\n", facts);
    return test_failed;
}

static inline void
test_log(const struct hp_host *host, uint32_t level, const char *text)
{
    struct test_host *t = host->context;

    (void)level;
    t->lines++;
    snprintf(t->line, sizeof(t->line), "%s", text);
}

static inline int
test_fail(const struct hp_host *host, int code, const char *sentence)
{
    struct test_host *t = host->context;

    snprintf(t->why, sizeof(t->why), "%s", sentence);
    return code;
}

static inline uint64_t
test_now_ns(const struct hp_host *host)
{
    return ((const struct test_host *)host->context)->now_ns;
}

/* NULL: no such row, or it has no value. */
static inline const char *
test_value(const struct hp_host *host, const char *name)
{
    const struct test_host *t = host->context;
    uint32_t i;

    for (i = 0; i < 4 && t->settings[i][0] != NULL; i++)
        if (strcmp(t->settings[i][0], name) == 0)
            return t->settings[i][1];
    for (i = 0; i < hp_plugin_v1.param_count; i++)
        if (strcmp(hp_plugin_v1.params[i].name, name) == 0)
            return hp_plugin_v1.params[i].preset;
    return NULL;
}

static inline int
test_param_text(const struct hp_host *host, const char *name, uint32_t index,
                const char **out)
{
    *out = index == 0 ? test_value(host, name) : NULL;
    return *out == NULL ? -ENOENT : 0;
}

static inline int
test_param_flag(const struct hp_host *host, const char *name, int *out)
{
    const char *value = test_value(host, name);

    *out = value != NULL && strcmp(value, "yes") == 0;
    return value == NULL ? -ENOENT : 0;
}

static inline int
test_param_int(const struct hp_host *host, const char *name, uint32_t index,
               int64_t *out)
{
    const char *value = index == 0 ? test_value(host, name) : NULL;

    *out = value == NULL ? 0 : strtoll(value, NULL, 10);
    return value == NULL ? -ENOENT : 0;
}

static inline int
test_param_real(const struct hp_host *host, const char *name, uint32_t index,
                double *out)
{
    const char *value = index == 0 ? test_value(host, name) : NULL;

    *out = value == NULL ? 0 : strtod(value, NULL);
    return value == NULL ? -ENOENT : 0;
}

static inline const void *
test_extension(const struct hp_host *host, const char *id)
{
    (void)host;
    (void)id;
    return NULL;
}

static inline struct hp_tick
test_tick(uint64_t index)
{
    struct hp_tick tick = {0};

    tick.index = index;
    tick.dt_s = 1.0 / 64;
    tick.rate_num = 64;
    tick.rate_den = 1;
    return tick;
}

static inline void
test_jobs(const struct hp_host *host,
          void (*run)(void *context, uint32_t first, uint32_t end),
          void *context, uint32_t count, uint32_t grain)
{
    (void)host;
    (void)grain;
    if (count > 0)
        run(context, 0, count);
}

/* As the real one: a deterministic plugin gets no clock. */
static inline void
test_host_init(struct test_host *t, uint32_t side)
{
    memset(t, 0, sizeof(*t));
    t->host.size = sizeof(t->host);
    t->host.abi_major = HP_ABI_MAJOR;
    t->host.abi_minor = HP_ABI_MINOR;
    t->host.side = side;
    t->host.log = test_log;
    t->host.fail = test_fail;
    t->host.now_ns =
        hp_plugin_v1.flags & HP_PLUGIN_DETERMINISTIC ? NULL : test_now_ns;
    t->host.param_flag = test_param_flag;
    t->host.param_int = test_param_int;
    t->host.param_real = test_param_real;
    t->host.param_text = test_param_text;
    t->host.extension = test_extension;
    t->host.context = t;
    t->host.jobs = test_jobs;
}

/* An instance that runs; the program ends when it refuses. The limits may be
 * NULL, and live until it is stopped. */
static inline struct hp_instance *
test_start(struct test_host *t, const struct hp_limits *limits)
{
    static struct hp_limits usual;
    struct hp_instance *self = NULL;

    usual.size = sizeof(usual);
    usual.side = t->host.side;
    usual.rate_num = 64;
    usual.rate_den = 1;
    usual.clients_max = 8;
    usual.entities_max = 8;
    usual.snapshot_bytes_max = 1000;
    usual.window_ticks = 64;
    if (limits != NULL) {
        usual.schema = limits->schema;
        usual.model = limits->model;
    }
    if (hp_plugin_v1.create(&t->host, &self) < 0 ||
        hp_plugin_v1.start(self, &usual) < 0) {
        printf("Bail out! it does not start: %s\n", t->why);
        exit(1);
    }
    return self;
}

static inline void
test_stop(struct hp_instance *self)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

/* A schema for those that need one: the head that every record has. */
#define TEST_FIELD(member, type, count, unit, step, low, high) \
    { \
#        member, unit, step, low, high, type, \
            offsetof(struct hp_entity, member), count, 0 \
    }
static const struct hp_field test_fields[] = {
    TEST_FIELD(slot, HP_FIELD_U16, 1, "1", 1, 0, 65535),
    TEST_FIELD(generation, HP_FIELD_U16, 1, "1", 1, 0, 65535),
    TEST_FIELD(type, HP_FIELD_U16, 1, "1", 1, 0, 15),
    TEST_FIELD(flags, HP_FIELD_U16, 1, "1", 1, 0, 7),
    TEST_FIELD(owner, HP_FIELD_U32, 1, "1", 1, 0, 4294967295.0),
    TEST_FIELD(position_m, HP_FIELD_F64, 3, "m", 0.015625, -1e6, 1e6),
    TEST_FIELD(attitude, HP_FIELD_QUATERNION, 1, "1", 0.0009765625, -1, 1),
    TEST_FIELD(velocity_mps, HP_FIELD_F32, 3, "m/s", 0.015625, -1000, 1000),
    TEST_FIELD(rates_rps, HP_FIELD_F32, 3, "rad/s", 0.015625, -20, 20),
};
static const struct hp_schema test_schema = {
    sizeof(struct hp_schema),
    sizeof(struct hp_entity),
    8,
    1,
    sizeof(test_fields) / sizeof(test_fields[0]),
    sizeof(test_fields[0]),
    test_fields,
    "test",
};

#endif
