/*
 * A device judged from outside: a page of a file. A child process runs the
 * haptics thread over a backend that writes its level there; the parent, who
 * may stop or kill the child, reads what the device does.
 *
 *     latching   keeps the last level, as a pad driven over hidraw does: only
 *                the guardian stops it when the child is gone
 *     expiring   the parent lets the level end at its deadline, as the kernel
 *                does with an evdev effect
 */
#ifndef FAR_SIDE_H
#define FAR_SIDE_H

#include "clock.h"
#include "haptics.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAR_MS 1000000ull

/* The guardian's report is eight zero bytes at the start of the file. */
struct far_page {
    _Atomic uint64_t level_ppm; /* what the device does now, millionths */
    _Atomic uint64_t deadline_ns;
    _Atomic uint64_t renders;
    _Atomic uint64_t command; /* enum far_command, from the parent */
};

enum far_command {
    FAR_FLY = 0,
    FAR_QUIT,  /* as a host that ends */
    FAR_CRASH, /* SIGSEGV */
    FAR_SPIN,  /* the tick thread hangs: no heartbeat, no word */
    FAR_PAUSE, /* and the holds are repeated all the same */
    FAR_DEAD,
    FAR_STOP_HOLD, /* snapshots stop: nobody keeps the hold alive */
    FAR_BLOCK,     /* the haptics thread itself hangs, in a backend */
    FAR_END_NOW    /* a second TERM */
};

struct hp_instance {
    struct far_page *page;
    char path[96];
    int is_latching;
};

static int
far_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    struct hp_device *d = sink->devices;

    memset(d, 0, sizeof(*d));
    d->generation = 1;
    d->flags = self->is_latching ? 0 : HP_DEVICE_HOLDS_DEADLINE;
    d->actuator_count = 1;
    d->actuators[0].kind = HP_ACTUATOR_LOW;
    snprintf(d->stable_id, sizeof(d->stable_id), "far:0");
    snprintf(d->name, sizeof(d->name), "far side");
    sink->count = 1;
    return 0;
}

static void
far_put(struct hp_instance *self, double level, uint64_t deadline_ns)
{
    atomic_store(&self->page->deadline_ns, deadline_ns);
    atomic_store(&self->page->level_ppm, (uint64_t)(level * 1e6));
    atomic_fetch_add(&self->page->renders, 1);
}

static int
far_render(struct hp_instance *self, const struct hp_levels *levels)
{
    uint32_t i;

    for (i = 0; i < levels->count; i++)
        far_put(self, (double)levels->levels[i].level,
                levels->levels[i].deadline_ns);
    while (atomic_load(&self->page->command) == FAR_BLOCK)
        usleep(1000);
    return 0;
}

static int
far_silence(struct hp_instance *self)
{
    far_put(self, 0, 0);
    return 0;
}

static int
far_guard(struct hp_instance *self, struct hp_guard_sink *sink)
{
    struct hp_guard *g = sink->guards;

    memset(g, 0, sizeof(*g));
    g->action = HP_GUARD_WRITE;
    snprintf(g->node, sizeof(g->node), "%s", self->path);
    g->report_bytes = 8;
    sink->count = 1;
    return 0;
}

static const struct hp_haptics_ops far_ops = {
    .size = sizeof(far_ops),
    .devices = far_devices,
    .render = far_render,
    .silence = far_silence,
    .guard = far_guard,
};
static const struct hp_haptics_ops far_unguarded = {
    .size = sizeof(far_unguarded),
    .devices = far_devices,
    .render = far_render,
    .silence = far_silence,
};

static inline uint64_t
far_now_ns(void)
{
    return clock_monotonic_ns();
}

/* ---- the child ---- */

static inline struct effects *
far_effects(void)
{
    struct effects *set = calloc(1, sizeof(*set));
    struct effect *e = set->list;

    set->count = 1;
    set->keepalive_ms = 250;
    snprintf(e->name, sizeof(e->name), "stall");
    snprintf(e->class_name, sizeof(e->class_name), "airframe");
    e->mode = EFFECT_HOLD;
    e->levels[HP_ACTUATOR_LOW] = 0.5f;
    e->gain = 1;
    e->sustain = 1;
    e->release_ms = 120;
    e->max_hold_ms = 60000;
    return set;
}

static inline void
far_hold(struct haptics *h, uint64_t now_ns)
{
    struct hp_effect_command c = {
        .effect = "stall", .action = HP_EFFECT_HOLD, .level = 1};

    c.cause_tick = now_ns / FAR_MS;
    haptics_post(h, &c, 1, now_ns);
}

/* Flies, with a hold on, until the parent says otherwise. */
static inline void
far_fly(struct haptics *h, struct clock *clock, struct clock_waiter *waiter,
        struct far_page *page)
{
    volatile int *nowhere = NULL;
    uint64_t now_ns, command;

    for (;;) {
        now_ns = clock_now_ns(clock);
        command = atomic_load(&page->command);
        if (command == FAR_QUIT)
            return;
        if (command == FAR_CRASH) {
            signal(SIGSEGV, SIG_DFL);
            *nowhere = 1;
        }
        if (command == FAR_END_NOW)
            haptics_end_process(h, 143);
        haptics_scope(h, command == FAR_PAUSE  ? MIXER_PAUSED
                         : command == FAR_DEAD ? MIXER_DEAD
                                               : MIXER_FLYING);
        if (command != FAR_SPIN)
            haptics_heartbeat(h, now_ns);
        if (command != FAR_SPIN && command != FAR_STOP_HOLD)
            far_hold(h, now_ns);
        clock_wait(waiter, -1, now_ns + 16 * FAR_MS, 0);
    }
}

static inline void
far_child(struct hp_instance *self, const struct hp_haptics_ops *ops)
{
    struct instance *instance = calloc(1, sizeof(*instance));
    struct haptics_config config = {0};
    struct clock_waiter *waiter;
    struct haptics *haptics;

    clock_create_real(&config.clock);
    clock_join(config.clock, &waiter);
    clock_enter(waiter);
    instance->ops = ops;
    instance->self = self;
    instance->clock = config.clock;
    hist_init(&instance->call_ns);
    snprintf(instance->label, sizeof(instance->label), "haptics.far");
    snprintf(instance->section, sizeof(instance->section), "haptics.far");
    config.backends = &instance;
    config.backend_count = 1;
    config.effects = far_effects();
    config.snapshot_interval_ns = 16 * FAR_MS;
    if (haptics_create(&haptics, &config) < 0 || haptics_start(haptics) < 0)
        _exit(99);
    far_fly(haptics, config.clock, waiter, self->page);
    haptics_stop(haptics, waiter);
    _exit(0);
}

/* ---- the parent ---- */

struct far_side {
    struct hp_instance self;
    pid_t pid;
};

/* 0 once the device moves; -ETIME after two seconds in which it did not. */
static inline int
far_start(struct far_side *f, int is_latching, const struct hp_haptics_ops *ops)
{
    uint64_t end_ns;
    int fd;

    memset(f, 0, sizeof(*f));
    f->self.is_latching = is_latching;
    snprintf(f->self.path, sizeof(f->self.path), "/tmp/hardpoint-far-XXXXXX");
    fd = mkstemp(f->self.path);
    if (fd < 0 || ftruncate(fd, 4096) < 0)
        return -errno;
    f->self.page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    f->pid = fork();
    if (f->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        far_child(&f->self, ops);
    }
    end_ns = far_now_ns() + 2000 * FAR_MS;
    while (atomic_load(&f->self.page->level_ppm) == 0) {
        if (far_now_ns() > end_ns)
            return -ETIME;
        usleep(2000);
    }
    return 0;
}

/* What the device does: an expiring one by itself. */
static inline int
far_moves(const struct far_side *f)
{
    const struct far_page *p = f->self.page;

    return atomic_load(&p->level_ppm) != 0 &&
           (f->self.is_latching || far_now_ns() < atomic_load(&p->deadline_ns));
}

/* Milliseconds until it is silent and stays so for `stay_ms`; -1 when not
 * within `within_ms`. */
static inline int
far_silent_ms(const struct far_side *f, unsigned within_ms, unsigned stay_ms)
{
    uint64_t start_ns = far_now_ns(), now_ns = start_ns, since_ns = 0;

    while (now_ns < start_ns + (within_ms + stay_ms) * FAR_MS) {
        if (far_moves(f))
            since_ns = 0;
        else if (since_ns == 0)
            since_ns = now_ns;
        else if (now_ns - since_ns >= stay_ms * FAR_MS)
            return (int)((since_ns - start_ns) / FAR_MS);
        usleep(1000);
        now_ns = far_now_ns();
    }
    return -1;
}

static inline void
far_say(struct far_side *f, enum far_command command)
{
    atomic_store(&f->self.page->command, command);
}

/* Ends the child, whatever became of it; its wait status. */
static inline int
far_end(struct far_side *f)
{
    int status = 0;

    kill(f->pid, SIGKILL);
    waitpid(f->pid, &status, 0);
    munmap(f->self.page, 4096);
    unlink(f->self.path);
    return status;
}

#endif
