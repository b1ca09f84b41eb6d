/* Who may say what to the haptics thread; the device threads. */
#include "haptics_private.h"
#include "log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS HAPTICS_NS_PER_MS
#define WORK_NS   (50 * NS_PER_MS) /* how long a device call may take */

/* ---- the device threads ---- */

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
    while (!atomic_load_explicit(&b->stop, memory_order_acquire)) {
        seen = atomic_load(&b->renders);
        until_ns = clock_now_ns(h->config.clock) + WORK_NS;
        instance_enter(b->instance, "work", INSTANCE_NO_TICK);
        err = b->ops->work(b->instance->self, until_ns);
        instance_leave(b->instance);
        backend_tell_error(b, "work", err, &b->work_err);
        atomic_store(&b->idle, 1);
        if (atomic_load(&b->renders) == seen)
            clock_wait(b->waiter, -1, until_ns, 0);
        atomic_store(&b->idle, 0);
    }
    instance_thread_finish();
}

/* ---- backends ---- */

static struct backend *
backend_create(struct haptics *h, struct instance *instance)
{
    struct backend *b = calloc(1, sizeof(*b));

    if (b == NULL)
        return NULL;
    b->haptics = h;
    b->instance = instance;
    b->ops = instance->ops;
    snprintf(b->thread_name, sizeof(b->thread_name), "%.15s",
             instance->section);
    return b;
}

static int
backend_start(struct backend *b)
{
    int err = 0;

    if (b->ops->work != NULL)
        err = clock_thread_launch(b->haptics->config.clock, &b->thread,
                                  &b->waiter, device_main, b, b->thread_name);
    if (err < 0)
        log_error("%s: cannot start a thread: %s", b->instance->label,
                  strerror(-err));
    return err;
}

/* Its device thread carries the last zeros to the device. */
static void
backend_stop(struct backend *b, struct clock_waiter *of_caller)
{
    if (b->thread == NULL)
        return;
    atomic_store_explicit(&b->stop, 1, memory_order_release);
    clock_wake(b->waiter);
    clock_thread_join(b->thread, of_caller);
    b->thread = NULL;
    b->waiter = NULL;
}

/* ---- the main thread ---- */

int
haptics_create(struct haptics **out, const struct haptics_config *config)
{
    struct haptics *h;
    uint32_t i;
    int err = -ENOMEM;

    if (config->backend_count > HAPTICS_BACKENDS_MAX)
        return -E2BIG;
    h = calloc(1, sizeof(*h));
    if (h == NULL)
        return -ENOMEM;
    h->config = *config;
    for (i = 0; i < config->backend_count; i++) {
        h->backends[i] = backend_create(h, config->backends[i]);
        if (h->backends[i] == NULL)
            goto fail;
    }
    h->config.backends = NULL; /* the caller's array may go */
    haptics_devices_init(&h->devices, config->only_device, &h->config.roles);
    h->guard.off = clock_is_virtual(config->clock);
    h->guard.unsafe = config->unsafe;
    hist_init(&h->command_ns);
    hist_init(&h->event_ns);
    err =
        mixer_create(&h->mixer, config->effects, config->snapshot_interval_ns);
    if (err < 0)
        goto fail;
    *out = h;
    return 0;

fail:
    haptics_destroy(h);
    return err;
}

void
haptics_destroy(struct haptics *h)
{
    uint32_t i;

    if (h == NULL)
        return;
    for (i = 0; i < HAPTICS_BACKENDS_MAX; i++)
        free(h->backends[i]);
    haptics_guard_finish(&h->guard);
    mixer_destroy(h->mixer);
    free(h);
}

int
haptics_start(struct haptics *h)
{
    struct clock *clock = h->config.clock;
    uint32_t i;
    int err;

    haptics_poll_devices(h);
    atomic_store(&h->heartbeat_ns, clock_now_ns(clock));
    for (i = 0; i < h->config.backend_count; i++) {
        err = backend_start(h->backends[i]);
        if (err < 0)
            return err;
    }
    err = clock_thread_launch(clock, &h->thread, &h->waiter, haptics_main, h,
                              "haptics");
    if (err < 0)
        log_error("haptics: cannot start a thread: %s", strerror(-err));
    return err;
}

/* First the mixer's zeros, then silence, and the devices' threads last: they
 * carry both to the devices. */
void
haptics_stop(struct haptics *h, struct clock_waiter *of_caller)
{
    uint32_t i;

    if (h == NULL)
        return;
    atomic_store_explicit(&h->stop, 1, memory_order_release);
    if (h->thread != NULL)
        clock_wake(h->waiter);
    clock_thread_join(h->thread, of_caller);
    h->thread = NULL;
    h->waiter = NULL;
    haptics_silence_backends(h);
    for (i = 0; i < h->config.backend_count; i++)
        backend_stop(h->backends[i], of_caller);
    haptics_guard_finish(&h->guard);
}

int
haptics_end_process(struct haptics *h, int status)
{
    if (!atomic_load(&h->running))
        return 0;
    atomic_store(&h->hurry, status);
    clock_wake(h->waiter);
    return 1;
}

void
haptics_poll_devices(struct haptics *h)
{
    struct instance *backends[HAPTICS_BACKENDS_MAX];
    uint32_t i, count = h->config.backend_count;

    for (i = 0; i < count; i++)
        backends[i] = h->backends[i]->instance;
    /* Who moves must be guarded before. */
    haptics_guard_poll(&h->guard, backends, count);
    if (!haptics_devices_poll(&h->devices, &h->guard, backends, count))
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

struct haptics_told
haptics_told(const struct haptics *h, uint32_t index, uint32_t actuator)
{
    return h->told[h->devices.now.devices[index].id][actuator];
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

/* ---- other backends ---- */

static void
set_parked(struct haptics *h, int parked, struct clock_waiter *of_caller)
{
    unsigned reasons = 0;

    atomic_store_explicit(&h->park, parked, memory_order_release);
    clock_wake(h->waiter);
    while (parked && !atomic_load_explicit(&h->parked, memory_order_acquire))
        reasons |= clock_wait(of_caller, -1,
                              clock_now_ns(h->config.clock) + NS_PER_MS, 0);
    if (reasons & CLOCK_WOKEN) /* it was for the caller's own wait */
        clock_wake(of_caller);
}

static int
is_among(const struct instance *instance, struct instance *const *list,
         uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (list[i] == instance)
            return 1;
    return 0;
}

/* The one that serves an instance already, taken out of its place; or a new
 * one, started. */
static int
take_backend(struct haptics *h, struct backend **old, uint32_t old_count,
             struct instance *instance, struct backend **out)
{
    uint32_t i;
    int err;

    for (i = 0; i < old_count; i++)
        if (old[i] != NULL && old[i]->instance == instance) {
            *out = old[i];
            old[i] = NULL;
            return 0;
        }
    *out = backend_create(h, instance);
    if (*out == NULL)
        return -ENOMEM;
    err = backend_start(*out);
    if (err < 0) {
        free(*out);
        *out = NULL;
    }
    return err;
}

/* While the haptics thread is parked. */
static int
replace_backends(struct haptics *h, struct instance *const *instances,
                 uint32_t count, struct clock_waiter *of_caller)
{
    struct backend *old[HAPTICS_BACKENDS_MAX];
    uint32_t i, kept = 0, old_count = h->config.backend_count;
    int err, worst = 0;

    memcpy(old, h->backends, sizeof(old));
    memset(h->backends, 0, sizeof(h->backends));
    for (i = 0; i < old_count; i++) {
        if (is_among(old[i]->instance, instances, count))
            continue;
        backend_silence(old[i]);
        backend_stop(old[i], of_caller);
        free(old[i]);
        old[i] = NULL;
    }
    for (i = 0; i < count; i++) {
        err = take_backend(h, old, old_count, instances[i], &h->backends[kept]);
        kept += err == 0;
        worst = err < 0 ? err : worst;
    }
    h->config.backend_count = kept;
    return worst;
}

int
haptics_swap(struct haptics *h, struct instance *const *backends,
             uint32_t count, struct clock_waiter *of_caller)
{
    uint64_t begun_ns = clock_now_ns(h->config.clock), gap_ns;
    int err;

    if (count > HAPTICS_BACKENDS_MAX)
        return -E2BIG;
    set_parked(h, 1, of_caller);
    err = replace_backends(h, backends, count, of_caller);
    haptics_devices_forget(&h->devices);
    haptics_guard_forget(&h->guard);
    haptics_poll_devices(h);
    gap_ns = clock_now_ns(h->config.clock) - begun_ns;
    set_parked(h, 0, of_caller);
    atomic_fetch_add_explicit(&h->swaps, 1, memory_order_relaxed);
    if (gap_ns > atomic_load_explicit(&h->swap_ns_max, memory_order_relaxed))
        atomic_store_explicit(&h->swap_ns_max, gap_ns, memory_order_relaxed);
    return err;
}

void
haptics_set_roles(struct haptics *h, const struct roles *roles)
{
    h->config.roles = *roles;
    haptics_devices_forget_roles(&h->devices);
    haptics_poll_devices(h);
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
    out->swaps = atomic_load_explicit(&h->swaps, memory_order_relaxed);
    out->swap_ns_max =
        atomic_load_explicit(&h->swap_ns_max, memory_order_relaxed);
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
