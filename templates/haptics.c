/*
 * haptics_@name@ - a pad whose motors are printed: a line a change.
 *
 * It behaves as a device must: levels are copied at once, the slow part is left
 * to a thread of its own, and a motor stops by itself at its deadline.
 */
#include <errno.h>
#include <fcntl.h>
#include <hardpoint/haptics.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "a pad whose motors are printed"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

enum {
    MOTOR_LOW,
    MOTOR_HIGH,
    MOTORS
};

/* Printed in hundredths: what is less is no change. */
#define STEPS 100

struct hp_instance {
    const struct hp_host *host;
    const char *file;
    int fd;

    /* Written by [rt] and [any], read by [device]: atomics, no lock. */
    struct {
        _Atomic float level;
        _Atomic uint64_t deadline_ns;
    } motors[MOTORS];

    int shown[MOTORS]; /* [device] what was printed last */
};

/* ---- its INI key ---- */

static const struct hp_param params[] = {
    {
     .name = "file",
     .unit = "",
     .preset = "/dev/stderr",
     .sentence = "Where the levels are printed.",
     .type = HP_PARAM_PATH,
     },
};

/* ---- its life, all [main] ---- */

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    self->fd = -1;
    if (host->param_text(host, "file", 0, &self->file) < 0) {
        free(self);
        return host->fail(host, -EINVAL, "file must be given");
    }
    *out = self;
    return 0;
}

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    char sentence[256];
    int err;

    (void)limits;
    self->fd =
        open(self->file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (self->fd >= 0)
        return 0;
    err = -errno;
    snprintf(sentence, sizeof(sentence), "cannot open %s for writing",
             self->file);
    return self->host->fail(self->host, err, sentence);
}

/* [any] Every motor to zero, at once; idempotent. */
static int
silence(struct hp_instance *self)
{
    int i;

    for (i = 0; i < MOTORS; i++)
        atomic_store(&self->motors[i].level, 0);
    return 0;
}

/* What a motor does now, in steps: nothing once its deadline is over. */
static int
steps_of(struct hp_instance *self, int motor, uint64_t now_ns)
{
    if (now_ns >= atomic_load(&self->motors[motor].deadline_ns))
        return 0;
    return (int)(atomic_load(&self->motors[motor].level) * STEPS + 0.5f);
}

/* [device] Prints what changed and returns; it is called again after the next
 * render, or at `until_ns`. A real device would be written here. */
static int
work(struct hp_instance *self, uint64_t until_ns)
{
    uint64_t now_ns = self->host->now_ns(self->host);
    int i, length, changed = 0, steps[MOTORS];
    char line[64];

    (void)until_ns;
    for (i = 0; i < MOTORS; i++) {
        steps[i] = steps_of(self, i, now_ns);
        changed |= steps[i] != self->shown[i];
        self->shown[i] = steps[i];
    }
    if (!changed)
        return 0;
    length = snprintf(line, sizeof(line), "low %d high %d\n", steps[MOTOR_LOW],
                      steps[MOTOR_HIGH]);
    return write(self->fd, line, (size_t)length) == length ? 0 : -EIO;
}

/* Silent and closed after this. */
static void
stop(struct hp_instance *self)
{
    silence(self);
    work(self, 0);
    close(self->fd);
    self->fd = -1;
}

static void
destroy(struct hp_instance *self)
{
    free(self);
}

/* ---- the calls of its kind ---- */

/* [main] The devices there are now. */
static int
devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    struct hp_device *d = sink->devices;

    (void)self;
    sink->count = 0;
    if (sink->capacity < 1)
        return -ENOSPC;
    memset(d, 0, sizeof(*d));
    d->generation = 1;
    d->flags = HP_DEVICE_HOLDS_DEADLINE; /* so it needs no guardian */
    d->actuator_count = MOTORS;
    d->battery_percent = -1;
    snprintf(d->stable_id, sizeof(d->stable_id), "@name@:0");
    snprintf(d->name, sizeof(d->name), "@name@");
    d->actuators[MOTOR_LOW].kind = HP_ACTUATOR_LOW;
    d->actuators[MOTOR_HIGH].kind = HP_ACTUATOR_HIGH;
    sink->count = 1;
    return 0;
}

/* [rt] Copies and returns: no allocation, no lock, no I/O. Arrays are stepped
 * by their stride; what speaks of another device is not for us. */
static int
render(struct hp_instance *self, const struct hp_levels *levels)
{
    const struct hp_level *l;
    uint32_t i;

    for (i = 0; i < levels->count; i++) {
        l = (const void *)((const char *)levels->levels +
                           (size_t)i * levels->stride);
        if (l->device != 0 || l->generation != 1 || l->actuator >= MOTORS ||
            !(l->level >= 0 && l->level <= 1))
            continue;
        atomic_store(&self->motors[l->actuator].deadline_ns, l->deadline_ns);
        atomic_store(&self->motors[l->actuator].level, l->level);
    }
    return 0;
}

static const struct hp_haptics_ops ops = {
    .size = sizeof(ops),
    .devices = devices,
    .render = render,
    .work = work,
    .silence = silence,
    .guard = NULL, /* every device holds its deadline */
};

/* ---- what the host reads first: a note in the file, then the table ---- */

HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
    params,
    HP_PARAMS(params),
    create,
    start,
    stop,
    destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
