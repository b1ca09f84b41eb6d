/* The haptics thread, the device threads, and what others may say to them. */
#include "haptics.h"
#include "clock.h"
#include "haptics_devices.h"
#include "haptics_ring.h"
#include "log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS    1000000ull
#define HEARTBEAT_NS (250 * NS_PER_MS) /* older than this: the client hangs */
#define WORK_NS      (50 * NS_PER_MS)  /* how long a device call may take */
#define SILENT_IN_NS (100 * NS_PER_MS) /* three times what a release takes */
#define PENDING_MAX  64

/* One started plugin, and its device thread when it has slow work to do. */
struct backend {
    struct haptics *haptics;
    struct instance *instance;
    const struct hp_haptics_ops *ops;
    struct clock_waiter *waiter;
    struct clock_thread *thread;
    _Atomic uint32_t renders; /* so that work done meanwhile is not missed */
    _Atomic int idle;         /* the device thread waits for a render */
    int render_err;           /* what was told last */
    int work_err;
    char thread_name[16];
};

/* A start whose way to the first render is being measured. */
struct pending {
    uint64_t cause_ns;
    int predicted;
};

struct haptics {
    struct haptics_config config;
    struct backend backends[HAPTICS_BACKENDS_MAX];
    struct clock_waiter *waiter;
    struct clock_thread *thread;

    /* What other threads say. */
    struct haptics_ring ring;
    struct haptics_devices devices;
    _Atomic(const struct effects *) offered; /* NULL once it is in use */
    _Atomic uint64_t heartbeat_ns;
    _Atomic unsigned scope;
    _Atomic int stop;         /* the haptics thread */
    _Atomic int stop_devices; /* and later the others */
    _Atomic uint64_t dropped;

    /* The haptics thread's own. */
    struct mixer *mixer;
    unsigned scope_taken;
    int heartbeat_lost;
    uint64_t tick; /* newest cause, to name in a fault */
    struct pending pending[PENDING_MAX];
    uint32_t pending_count;
    struct haptics_slot slots[MIXER_DEVICES_MAX];
    struct hp_level levels[MIXER_LEVELS_MAX]; /* of one backend */

    /* What others may read. */
    struct hist command_ns;
    struct hist event_ns;
    _Atomic uint64_t commands, renders, heartbeats_lost, device_count;
    _Atomic uint64_t mixer_counts[6]; /* in the order of the struct */
};

/* ---- the haptics thread: what it hears ---- */

static void
take_effects(struct haptics *h)
{
    const struct effects *offered =
        atomic_load_explicit(&h->offered, memory_order_acquire);

    if (offered == NULL)
        return;
    mixer_set_effects(h->mixer, offered);
    atomic_store_explicit(&h->offered, NULL, memory_order_release);
}

static void
take_devices(struct haptics *h)
{
    const struct haptics_device_list *list = haptics_devices_take(&h->devices);

    if (list == NULL)
        return;
    mixer_set_devices(h->mixer, list->devices, list->count);
    memcpy(h->slots, list->slots, sizeof(h->slots));
}

static void
take_scope(struct haptics *h, uint64_t now_ns)
{
    unsigned scope = atomic_load_explicit(&h->scope, memory_order_acquire);

    if (scope == h->scope_taken)
        return;
    mixer_set_scope(h->mixer, scope, now_ns);
    h->scope_taken = scope;
}

static void
take_command(struct haptics *h, const struct haptics_entry *entry,
             uint64_t now_ns)
{
    struct mixer_counters before, after;
    struct pending *pending;

    mixer_count(h->mixer, &before);
    mixer_command(h->mixer, &entry->command, entry->cause_ns, now_ns);
    mixer_count(h->mixer, &after);
    h->tick = entry->command.cause_tick;
    atomic_fetch_add_explicit(&h->commands, 1, memory_order_relaxed);
    if (after.started == before.started || entry->cause_ns == 0 ||
        h->pending_count == PENDING_MAX)
        return;
    pending = &h->pending[h->pending_count++];
    pending->cause_ns = entry->cause_ns;
    pending->predicted = (entry->command.flags & HP_EFFECT_PREDICTED) != 0;
}

/* At most what the ring holds, so that a busy client cannot keep us here. */
static void
take_commands(struct haptics *h, uint64_t now_ns)
{
    const struct haptics_entry *entry;
    uint32_t i;

    for (i = 0; i < HAPTICS_RING_ENTRIES; i++) {
        entry = haptics_ring_first(&h->ring);
        if (entry == NULL)
            return;
        take_command(h, entry, now_ns);
        haptics_ring_take(&h->ring);
    }
}

/* Releases everything when the client's loop hangs. Returns when to look
 * again. */
static uint64_t
watch_heartbeat(struct haptics *h, uint64_t now_ns)
{
    uint64_t beat_ns =
        atomic_load_explicit(&h->heartbeat_ns, memory_order_acquire);
    int lost = now_ns > beat_ns && now_ns - beat_ns >= HEARTBEAT_NS;

    if (!mixer_is_sounding(h->mixer)) {
        h->heartbeat_lost = 0;
        return CLOCK_NEVER;
    }
    if (lost && !h->heartbeat_lost) {
        atomic_fetch_add_explicit(&h->heartbeats_lost, 1, memory_order_relaxed);
        log_warning("haptics: no sign of the client for %llu ms: everything "
                    "is released",
                    (unsigned long long)((now_ns - beat_ns) / NS_PER_MS));
    }
    if (lost)
        mixer_release_all(h->mixer, now_ns);
    h->heartbeat_lost = lost;
    return lost ? CLOCK_NEVER : beat_ns + HEARTBEAT_NS;
}

/* ---- the haptics thread: what it says ---- */

static void
record_pending(struct haptics *h, uint64_t now_ns)
{
    const struct pending *p;

    for (p = h->pending; p < h->pending + h->pending_count; p++)
        hist_record(p->predicted ? &h->command_ns : &h->event_ns,
                    now_ns > p->cause_ns ? now_ns - p->cause_ns : 0);
    h->pending_count = 0;
}

/* An error is told when it begins or changes, not at each call. */
static void
tell_error(const struct backend *b, const char *call, int err, int *told)
{
    if (err < 0 && err != *told)
        log_warning("%s: %s failed: %s", b->instance->label, call,
                    strerror(-err));
    *told = err;
}

/* The levels for one backend's devices, by the backend's own numbers. */
static uint32_t
select_levels(struct haptics *h, uint32_t backend, const struct hp_levels *all)
{
    const struct haptics_slot *slot;
    uint32_t i, count = 0;

    for (i = 0; i < all->count; i++) {
        slot = &h->slots[all->levels[i].device];
        if (slot->backend != backend)
            continue;
        h->levels[count] = all->levels[i];
        h->levels[count++].device = slot->id;
    }
    return count;
}

static void
render(struct haptics *h, struct backend *b, const struct hp_levels *levels)
{
    int err;

    record_pending(h, clock_now_ns(h->config.clock));
    instance_enter(b->instance, "render", h->tick);
    err = b->ops->render(b->instance->self, levels);
    instance_leave(b->instance);
    tell_error(b, "render", err, &b->render_err);
    atomic_fetch_add_explicit(&h->renders, 1, memory_order_relaxed);
    /* Either the device thread sees the count, or we see it idle. */
    atomic_fetch_add(&b->renders, 1);
    if (atomic_load(&b->idle))
        clock_wake(b->waiter);
}

/* Returns when the next mix is due. */
static uint64_t
mix(struct haptics *h, uint64_t now_ns)
{
    struct hp_levels all, part;
    uint64_t next_ns = mixer_render(h->mixer, now_ns, &all);
    uint32_t i;

    part = all;
    part.levels = h->levels;
    for (i = 0; i < h->config.backend_count; i++) {
        part.count = select_levels(h, i, &all);
        if (part.count > 0)
            render(h, &h->backends[i], &part);
    }
    h->pending_count = 0; /* what was masked made no render */
    return next_ns;
}

static void
publish_counts(struct haptics *h)
{
    struct mixer_counters c;
    const uint64_t *counts = &c.started;
    size_t i;

    mixer_count(h->mixer, &c);
    for (i = 0; i < sizeof(c) / sizeof(*counts); i++)
        atomic_store_explicit(&h->mixer_counts[i], counts[i],
                              memory_order_relaxed);
}

/* ---- the haptics thread: its life ---- */

static uint64_t
haptics_turn(struct haptics *h, uint64_t now_ns)
{
    uint64_t watch_ns, next_ns;

    take_effects(h);
    take_devices(h);
    take_scope(h, now_ns);
    take_commands(h, now_ns);
    watch_ns = watch_heartbeat(h, now_ns);
    next_ns = mix(h, now_ns);
    publish_counts(h);
    return watch_ns < next_ns ? watch_ns : next_ns;
}

/* Nothing is left to a backend's silence that a zero can do before. */
static void
fall_silent(struct haptics *h)
{
    uint64_t now_ns = clock_now_ns(h->config.clock);
    uint64_t end_ns = now_ns + SILENT_IN_NS;
    uint64_t next_ns;

    mixer_release_all(h->mixer, now_ns);
    for (;;) {
        next_ns = mix(h, now_ns);
        if (!mixer_is_sounding(h->mixer) || now_ns >= end_ns)
            break;
        clock_wait(h->waiter, -1, next_ns < end_ns ? next_ns : end_ns, 0);
        now_ns = clock_now_ns(h->config.clock);
    }
    publish_counts(h);
}

static void
ask_realtime(const struct haptics *h)
{
    int err;

    if (!h->config.realtime || clock_is_virtual(h->config.clock))
        return;
    err = clock_set_realtime();
    if (err < 0)
        log_warning("haptics: no real-time scheduling: %s; effects may come "
                    "some milliseconds late on a busy machine. Grant an "
                    "rtprio limit of 10 (limits.conf), or set [host] realtime "
                    "= no",
                    strerror(-err));
}

static void
haptics_main(void *argument)
{
    struct haptics *h = argument;
    uint64_t next_ns;

    instance_thread_init();
    ask_realtime(h);
    while (!atomic_load_explicit(&h->stop, memory_order_acquire)) {
        next_ns = haptics_turn(h, clock_now_ns(h->config.clock));
        clock_wait(h->waiter, -1, next_ns, 0);
    }
    fall_silent(h);
    instance_thread_finish();
}

/* A backend whose work returns early is called again after its next render. */
static void
device_main(void *argument)
{
    struct backend *b = argument;
    struct haptics *h = b->haptics;
    uint64_t until_ns;
    uint32_t seen;
    int err;

    instance_thread_init();
    while (!atomic_load_explicit(&h->stop_devices, memory_order_acquire)) {
        seen = atomic_load(&b->renders);
        until_ns = clock_now_ns(h->config.clock) + WORK_NS;
        instance_enter(b->instance, "work", INSTANCE_NO_TICK);
        err = b->ops->work(b->instance->self, until_ns);
        instance_leave(b->instance);
        tell_error(b, "work", err, &b->work_err);
        atomic_store(&b->idle, 1);
        if (atomic_load(&b->renders) == seen)
            clock_wait(b->waiter, -1, until_ns, 0);
        atomic_store(&b->idle, 0);
    }
    instance_thread_finish();
}

/* ---- the main thread ---- */

int
haptics_create(struct haptics **out, const struct haptics_config *config)
{
    struct haptics *h;
    uint32_t i;
    int err;

    if (config->backend_count > HAPTICS_BACKENDS_MAX)
        return -E2BIG;
    h = calloc(1, sizeof(*h));
    if (h == NULL)
        return -ENOMEM;
    h->config = *config;
    for (i = 0; i < config->backend_count; i++) {
        h->backends[i].haptics = h;
        h->backends[i].instance = config->backends[i];
        h->backends[i].ops = config->backends[i]->ops;
        snprintf(h->backends[i].thread_name, sizeof(h->backends[i].thread_name),
                 "%.15s", config->backends[i]->section);
    }
    h->config.backends = NULL; /* the caller's array may go */
    haptics_devices_init(&h->devices);
    hist_init(&h->command_ns);
    hist_init(&h->event_ns);
    err =
        mixer_create(&h->mixer, config->effects, config->snapshot_interval_ns);
    if (err < 0) {
        haptics_destroy(h);
        return err;
    }
    *out = h;
    return 0;
}

void
haptics_destroy(struct haptics *h)
{
    if (h == NULL)
        return;
    mixer_destroy(h->mixer);
    free(h);
}

static int
start_thread(struct haptics *h, struct clock_waiter **waiter,
             struct clock_thread **thread, void (*run)(void *), void *argument,
             const char *name)
{
    int err = clock_join(h->config.clock, waiter);

    if (err < 0)
        return err;
    err = clock_thread_start(h->config.clock, thread, *waiter, run, argument,
                             name);
    if (err < 0) {
        clock_leave(*waiter);
        *waiter = NULL;
    }
    return err;
}

int
haptics_start(struct haptics *h)
{
    struct backend *b;
    int err;

    haptics_poll_devices(h);
    atomic_store(&h->heartbeat_ns, clock_now_ns(h->config.clock));
    for (b = h->backends; b < h->backends + h->config.backend_count; b++) {
        if (b->ops->work == NULL)
            continue;
        err = start_thread(h, &b->waiter, &b->thread, device_main, b,
                           b->thread_name);
        if (err < 0)
            goto done;
    }
    err = start_thread(h, &h->waiter, &h->thread, haptics_main, h, "haptics");

done:
    if (err < 0)
        log_error("haptics: cannot start a thread: %s", strerror(-err));
    return err;
}

static void
silence_backends(struct haptics *h)
{
    struct backend *b;

    for (b = h->backends; b < h->backends + h->config.backend_count; b++) {
        instance_enter(b->instance, "silence", INSTANCE_NO_TICK);
        b->ops->silence(b->instance->self);
        instance_leave(b->instance);
    }
}

/* First the mixer's zeros, then silence, and the devices' threads last: they
 * carry both to the devices. */
void
haptics_stop(struct haptics *h, struct clock_waiter *of_caller)
{
    struct backend *b;

    if (h == NULL)
        return;
    atomic_store_explicit(&h->stop, 1, memory_order_release);
    if (h->thread != NULL)
        clock_wake(h->waiter);
    clock_thread_join(h->thread, of_caller);
    h->thread = NULL;
    h->waiter = NULL;
    silence_backends(h);
    atomic_store_explicit(&h->stop_devices, 1, memory_order_release);
    for (b = h->backends; b < h->backends + h->config.backend_count; b++) {
        if (b->thread == NULL)
            continue;
        clock_wake(b->waiter);
        clock_thread_join(b->thread, of_caller);
        b->thread = NULL;
        b->waiter = NULL;
    }
}

void
haptics_poll_devices(struct haptics *h)
{
    struct instance *backends[HAPTICS_BACKENDS_MAX];
    uint32_t i, count = h->config.backend_count;

    for (i = 0; i < count; i++)
        backends[i] = h->backends[i].instance;
    if (!haptics_devices_poll(&h->devices, backends, count))
        return;
    atomic_store_explicit(&h->device_count, h->devices.now.count,
                          memory_order_relaxed);
    if (h->thread != NULL)
        clock_wake(h->waiter);
}

uint32_t
haptics_device_count(const struct haptics *h)
{
    return h->devices.now.count;
}

const struct hp_device *
haptics_device(const struct haptics *h, uint32_t index, uint32_t *backend)
{
    const struct hp_device *device = &h->devices.now.devices[index];

    *backend = h->devices.now.slots[device->id].backend;
    return device;
}

void
haptics_set_effects(struct haptics *h, const struct effects *effects,
                    struct clock_waiter *of_caller)
{
    unsigned reasons = 0;

    if (h->thread == NULL) {
        mixer_set_effects(h->mixer, effects);
        return;
    }
    atomic_store_explicit(&h->offered, effects, memory_order_release);
    clock_wake(h->waiter);
    while (atomic_load_explicit(&h->offered, memory_order_acquire) != NULL)
        reasons |= clock_wait(of_caller, -1,
                              clock_now_ns(h->config.clock) + NS_PER_MS, 0);
    if (reasons & CLOCK_WOKEN) /* it was for the caller's own wait */
        clock_wake(of_caller);
}

void
haptics_report(const struct haptics *h, struct haptics_report *out)
{
    uint64_t *counts = &out->mixer.started;
    size_t i;

    memset(out, 0, sizeof(*out));
    for (i = 0; i < sizeof(out->mixer) / sizeof(*counts); i++)
        counts[i] =
            atomic_load_explicit(&h->mixer_counts[i], memory_order_relaxed);
    out->commands = atomic_load_explicit(&h->commands, memory_order_relaxed);
    out->dropped = atomic_load_explicit(&h->dropped, memory_order_relaxed);
    out->renders = atomic_load_explicit(&h->renders, memory_order_relaxed);
    out->heartbeats_lost =
        atomic_load_explicit(&h->heartbeats_lost, memory_order_relaxed);
    out->devices = atomic_load_explicit(&h->device_count, memory_order_relaxed);
}

const struct hist *
haptics_command_ns(const struct haptics *h)
{
    return &h->command_ns;
}

const struct hist *
haptics_event_ns(const struct haptics *h)
{
    return &h->event_ns;
}

/* ---- the client's tick thread ---- */

void
haptics_post(struct haptics *h, const struct hp_effect_command *commands,
             uint32_t count, uint64_t cause_ns)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (haptics_ring_push(&h->ring, &commands[i], cause_ns) < 0)
            atomic_fetch_add_explicit(&h->dropped, 1, memory_order_relaxed);
    if (count > 0 && h->waiter != NULL)
        clock_wake(h->waiter);
}

void
haptics_heartbeat(struct haptics *h, uint64_t now_ns)
{
    atomic_store_explicit(&h->heartbeat_ns, now_ns, memory_order_release);
}

void
haptics_scope(struct haptics *h, unsigned scope)
{
    unsigned before =
        atomic_exchange_explicit(&h->scope, scope, memory_order_acq_rel);

    if (before != scope && h->waiter != NULL)
        clock_wake(h->waiter);
}
