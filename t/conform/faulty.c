/*
 * A haptics backend whose device is a page of a file, compiled once for each
 * way of being wrong: BREAKS_DEADLINE and so on; with none it is right. The
 * same source with FAR_SIDE defined is the far side of that device.
 */
#define _GNU_SOURCE
#include "../../host/conform/far_side.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MOTORS 2
#define MS     1000000ull
#define QUEUE  8192

struct page {
    _Atomic double levels[MOTORS];
};

static struct page *
map(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *at;

    if (fd < 0 || ftruncate(fd, 4096) < 0)
        return NULL;
    at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return at != MAP_FAILED ? at : NULL;
}

#ifdef FAR_SIDE

static char path[64];
static struct page *page;

static int
begin(struct far_setting settings[FAR_SETTINGS_MAX], char *why,
      size_t why_bytes)
{
    snprintf(path, sizeof(path), "/tmp/hardpoint-faulty-%ld", (long)getpid());
    page = map(path);
    if (page == NULL) {
        snprintf(why, why_bytes, "no %s", path);
        return -EIO;
    }
    snprintf(settings[0].text, sizeof(settings[0].text),
             "haptics.faulty.file=%s", path);
    return 1;
}

static int
felt(const struct hp_device *device, uint32_t actuator, double *level)
{
    if (actuator >= device->actuator_count || actuator >= MOTORS)
        return -ENOENT;
    *level = atomic_load(&page->levels[actuator]);
    return 0;
}

static void
end(void)
{
    unlink(path);
}

HP_EXPORT const struct far_side hp_far_side = {
    .begin = begin, .felt = felt, .end = end};

#else

#    define HP_NAME    "faulty"
#    define HP_VERSION "1.0.0"
#    define HP_SUMMARY "right, or wrong in one way"
#    define HP_LICENSE "0BSD"
#    define HP_AUTHOR  "Hardpoint"

static const struct hp_param params[] = {
    {.name = "file",
     .unit = "",
     .preset = "",
     .type = HP_PARAM_TEXT,
     .sentence = "The device."},
};

struct hp_instance {
    const struct hp_host *host;
    char path[100];
    struct page *page;
    struct {
        _Atomic float level;
        _Atomic uint64_t deadline_ns;
    } motors[MOTORS];
    _Atomic int on;
    float queue[QUEUE]; /* of motor 0, where zero waits its turn */
    _Atomic unsigned put, taken;
};

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    const char *path = "";

    host->param_text(host, "file", 0, &path);
    snprintf(self->path, sizeof(self->path), "%s", path);
    self->host = host;
    *out = self;
    return 0;
}

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)limits;
    self->page = map(self->path);
    memset(self->motors, 0, sizeof(self->motors));
    memset(self->page, 0, sizeof(*self->page));
    return 0;
}

static void
stop(struct hp_instance *self)
{
#    ifndef BREAKS_STOP
    memset(self->page, 0, sizeof(*self->page));
#    endif
#    ifdef BREAKS_LEAVES
    open("/dev/null", O_RDONLY);
#    endif
    munmap(self->page, 4096);
}

static void
destroy(struct hp_instance *self)
{
    free(self);
}

static int
devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    struct hp_device d = {.generation = 1,
                          .actuator_count = MOTORS,
                          .battery_percent = -1,
                          .stable_id = "faulty:0",
                          .name = "faulty",
                          .actuators = {{.kind = HP_ACTUATOR_LOW},
                                        {.kind = HP_ACTUATOR_HIGH}}};

    (void)self;
#    ifndef BREAKS_GUARDED
    d.flags = HP_DEVICE_HOLDS_DEADLINE;
#    endif
#    ifdef BREAKS_DEVICES
    d.actuators[1].kind = 77;
#    endif
    sink->count = 0;
#    ifndef BREAKS_SINK
    if (sink->capacity == 0)
        return -ENOSPC;
#    endif
    sink->devices[0] = d;
    sink->count = 1;
    return 0;
}

static int
render(struct hp_instance *self, const struct hp_levels *levels)
{
    const struct hp_level *level;
    uint32_t i;
    float value;

#    ifdef BREAKS_RENDER
    usleep(60000);
#    endif
    for (i = 0; i < levels->count; i++) {
#    ifdef BREAKS_STRIDE
        level = &levels->levels[i];
#    else
        level = (const void *)((const char *)levels->levels +
                               (size_t)i * levels->stride);
#    endif
#    ifndef BREAKS_HOSTILE
        if (level->device != 0 || level->generation != 1)
            continue;
#    endif
        if (level->actuator >= MOTORS)
            continue;
        value = level->level;
#    ifndef BREAKS_MORE
        value = value > 1 ? 1 : value > 0 ? value : 0;
#    endif
        atomic_store(&self->motors[level->actuator].level, value);
#    ifdef BREAKS_RENEWED
        if (atomic_load(&self->page->levels[level->actuator]) == 0)
#    endif
            atomic_store(&self->motors[level->actuator].deadline_ns,
                         level->deadline_ns);
        if (level->actuator == 0) {
            self->queue[atomic_load(&self->put) % QUEUE] = value;
            atomic_fetch_add(&self->put, 1);
        }
    }
    return 0;
}

static float
wanted(struct hp_instance *self, int motor, uint64_t now_ns)
{
    float level = atomic_load(&self->motors[motor].level);

#    ifndef BREAKS_DEADLINE
    if (now_ns >= atomic_load(&self->motors[motor].deadline_ns))
        return 0;
#    endif
#    ifdef BREAKS_NEWEST
    if (motor == 0) {
        if (atomic_load(&self->taken) < atomic_load(&self->put))
            atomic_fetch_add(&self->taken, 1);
        level = self->queue[(atomic_load(&self->taken) - 1) % QUEUE];
    }
#    endif
    return level;
}

static int
work(struct hp_instance *self, uint64_t until_ns)
{
    uint64_t now_ns;
    int i;

    do {
        now_ns = self->host->now_ns(self->host);
        for (i = 0; i < MOTORS; i++)
            atomic_store(&self->page->levels[i], wanted(self, i, now_ns));
#    ifdef BREAKS_ALONE
        atomic_store(&self->page->levels[1], wanted(self, 0, now_ns));
#    endif
        usleep(1000);
    } while (now_ns < until_ns);
#    ifdef BREAKS_WORK
    usleep(1200000);
#    endif
    return 0;
}

static int
silence(struct hp_instance *self)
{
    int i;

#    ifndef BREAKS_SILENCE
    for (i = 0; i < MOTORS; i++)
        atomic_store(&self->motors[i].level, 0);
    atomic_store(&self->taken, atomic_load(&self->put));
    self->queue[(atomic_load(&self->put) - 1) % QUEUE] = 0;
#    else
    (void)self, (void)i;
#    endif
    return 0;
}

static const struct hp_haptics_ops ops = {
    .size = sizeof(ops),
    .devices = devices,
    .render = render,
    .work = work,
    .silence = silence,
};

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
    NULL,
    NULL,
};

#endif
