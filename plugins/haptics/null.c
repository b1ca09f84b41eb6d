/*
 * haptics_null - no device, and the example to copy for one.
 *
 * It is one pretend pad with two motors that nobody can feel. It behaves as a
 * device must: a motor runs at the newest level it was given, and stops by
 * itself at that level's deadline.
 */
#include <errno.h>
#include <hardpoint/haptics.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define HP_NAME    "null"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "a pretend pad that nobody can feel"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

enum {
    MOTOR_LOW,
    MOTOR_HIGH,
    MOTORS
};

static const struct hp_device pad = {
    .id = 0,
    .generation = 1,
    .flags = HP_DEVICE_HOLDS_DEADLINE, /* so it needs no guardian */
    .actuator_count = MOTORS,
    .battery_percent = -1,
    .stable_id = "null:0",
    .name = "pretend pad",
    .actuators = {[MOTOR_LOW] = {.kind = HP_ACTUATOR_LOW},
                  [MOTOR_HIGH] = {.kind = HP_ACTUATOR_HIGH}},
};

struct hp_instance {
    const struct hp_host *host;

    /* render writes on the haptics thread while silence may come from any
     * other: every cell is one atomic, and the newest value wins. */
    struct {
        _Atomic float level;
        _Atomic uint64_t deadline_ns;
    } motors[MOTORS];

    atomic_ullong levels;  /* taken since start */
    atomic_ullong ran_out; /* of them, not renewed before their deadline */
};

/* [main] Reads parameters (here: none); opens nothing yet. */
static int
null_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    *out = self;
    return 0;
}

/* [main] A real backend opens its devices here, and says by host->fail why it
 * could not. All memory that the later calls use is allocated by now. */
static int
null_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)limits;
    atomic_store(&self->levels, 0);
    atomic_store(&self->ran_out, 0);
    return 0;
}

/* [any] Every motor to zero, at once. */
static int
null_silence(struct hp_instance *self)
{
    int i;

    for (i = 0; i < MOTORS; i++)
        atomic_store(&self->motors[i].level, 0);
    return 0;
}

/* [main] Silent and closed after this. */
static void
null_stop(struct hp_instance *self)
{
    char line[80];

    null_silence(self);
    snprintf(line, sizeof(line), "%llu levels, %llu of them ran out",
             atomic_load(&self->levels), atomic_load(&self->ran_out));
    self->host->log(self->host, HP_LOG_DEBUG, line);
}

static void
null_destroy(struct hp_instance *self)
{
    free(self);
}

/* [main] The devices there are now. */
static int
null_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    (void)self;
    sink->count = 0;
    if (sink->capacity < 1)
        return -ENOSPC;
    sink->devices[0] = pad;
    sink->count = 1;
    return 0;
}

/* One motor's new level; what happened to the old one is counted. */
static void
motor_set(struct hp_instance *self, const struct hp_level *level,
          uint64_t now_ns)
{
    float before = atomic_load(&self->motors[level->actuator].level);
    uint64_t deadline_ns =
        atomic_load(&self->motors[level->actuator].deadline_ns);

    atomic_fetch_add(&self->levels, 1);
    if (before > 0 && now_ns > deadline_ns)
        atomic_fetch_add(&self->ran_out, 1);
    atomic_store(&self->motors[level->actuator].deadline_ns,
                 level->deadline_ns);
    atomic_store(&self->motors[level->actuator].level, level->level);
}

/* [rt] Copies and returns: no allocation, no lock, no device call. A backend
 * with a device lets `work`, on a thread of its own, do the slow part. */
static int
null_render(struct hp_instance *self, const struct hp_levels *levels)
{
    const char *at = (const char *)levels->levels;
    const struct hp_level *level;
    uint32_t i;

    /* Arrays are stepped by their stride: the host's records may be longer
     * than those this plugin was compiled with. */
    for (i = 0; i < levels->count; i++, at += levels->stride) {
        level = (const struct hp_level *)at;
        if (level->device == pad.id && level->generation == pad.generation &&
            level->actuator < MOTORS)
            motor_set(self, level, levels->time_ns);
    }
    return 0;
}

static const struct hp_haptics_ops ops = {
    .size = sizeof(ops),
    .devices = null_devices,
    .render = null_render,
    .work = NULL, /* there is no slow part */
    .silence = null_silence,
    .guard = NULL, /* the pad holds its deadline */
};

HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
    HP_NO_PARAMS,
    null_create,
    null_start,
    null_stop,
    null_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
