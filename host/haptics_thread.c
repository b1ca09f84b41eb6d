/* The haptics thread: commands in, levels out. */
#include "haptics_private.h"
#include "log.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

#define NS_PER_MS    HAPTICS_NS_PER_MS
#define HEARTBEAT_NS (250 * NS_PER_MS) /* older than this: the client hangs */
#define SILENT_IN_NS (100 * NS_PER_MS) /* three times what a release takes */

void
backend_silence(struct backend *b)
{
    instance_enter(b->instance, "silence", INSTANCE_NO_TICK);
    b->ops->silence(b->instance->self);
    instance_leave(b->instance);
}

void
haptics_silence_backends(struct haptics *h)
{
    uint32_t i;

    for (i = 0; i < h->config.backend_count; i++)
        backend_silence(h->backends[i]);
}

/* ---- what it hears ---- */

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
        h->pending_count == HAPTICS_PENDING_MAX)
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

/* ---- what it says ---- */

static void
record_pending(struct haptics *h, uint64_t now_ns)
{
    const struct pending *p;

    for (p = h->pending; p < h->pending + h->pending_count; p++)
        hist_record(p->predicted ? &h->command_ns : &h->event_ns,
                    now_ns > p->cause_ns ? now_ns - p->cause_ns : 0);
    h->pending_count = 0;
}

void
backend_tell_error(const struct backend *b, const char *call, int err,
                   int *told)
{
    if (err < 0 && err != *told)
        log_warning("%s: %s failed: %s", b->instance->label, call,
                    strerror(-err));
    *told = err;
}

static void
note_told(struct haptics_told *told, float level)
{
    told->levels++;
    if (fabsf(level) > fabsf(told->peak))
        told->peak = level;
}

/* The levels for one backend's devices, by the backend's own numbers. */
static uint32_t
select_levels(struct haptics *h, uint32_t backend, const struct hp_levels *all)
{
    const struct haptics_slot *slot;
    const struct hp_level *level;
    uint32_t count = 0;

    for (level = all->levels; level < all->levels + all->count; level++) {
        slot = &h->slots[level->device];
        if (slot->backend != backend)
            continue;
        note_told(&h->told[level->device][level->actuator], level->level);
        h->levels[count] = *level;
        h->levels[count].level *= slot->gain;
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
    backend_tell_error(b, "render", err, &b->render_err);
    atomic_fetch_add_explicit(&h->renders, 1, memory_order_relaxed);
    /* Either the device thread sees the count, or we see it idle. */
    atomic_fetch_add(&b->renders, 1);
    if (atomic_load(&b->idle))
        clock_wake(b->waiter);
}

static int
is_still_served(const struct haptics *h, uint32_t slot,
                const struct haptics_device_list *next)
{
    const struct haptics_slot *a = &h->slots[slot], *b = &next->slots[slot];

    return b->used && a->backend == b->backend && a->id == b->id;
}

/* A device that is no longer to be moved, or by another backend from now on, is
 * told to stop before: its own deadline would come later. */
static void
let_go(struct haptics *h, uint32_t slot, uint64_t now_ns)
{
    struct backend *b = h->backends[h->slots[slot].backend];
    struct hp_levels levels = {.size = sizeof(levels),
                               .count = h->served[slot].actuator_count,
                               .stride = sizeof(h->levels[0]),
                               .time_ns = now_ns,
                               .levels = h->levels,
                               .effects = ""};
    uint32_t a;

    for (a = 0; a < levels.count; a++)
        h->levels[a] =
            (struct hp_level){.deadline_ns = now_ns,
                              .device = h->slots[slot].id,
                              .generation = h->served[slot].generation,
                              .actuator = a};
    render(h, b, &levels);
}

static void
remember_served(struct haptics *h, const struct haptics_device_list *list)
{
    uint32_t i;

    memcpy(h->slots, list->slots, sizeof(h->slots));
    for (i = 0; i < list->count; i++) {
        h->served[list->devices[i].id].generation = list->devices[i].generation;
        h->served[list->devices[i].id].actuator_count =
            list->devices[i].actuator_count;
    }
}

static void
take_devices(struct haptics *h, uint64_t now_ns)
{
    const struct haptics_device_list *list = haptics_devices_take(&h->devices);
    uint32_t slot;

    if (list == NULL)
        return;
    for (slot = 0; slot < MIXER_DEVICES_MAX; slot++)
        if (h->slots[slot].used && !is_still_served(h, slot, list))
            let_go(h, slot, now_ns);
    mixer_set_devices(h->mixer, list->devices, list->count);
    remember_served(h, list);
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
            render(h, h->backends[i], &part);
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

/* ---- its life ---- */

static uint64_t
beat(struct haptics *h, uint64_t now_ns)
{
    return haptics_guard_beat(&h->guard, mixer_is_sounding(h->mixer), now_ns);
}

static uint64_t
haptics_turn(struct haptics *h, uint64_t now_ns)
{
    uint64_t watch_ns, beat_ns, next_ns;

    take_effects(h);
    take_devices(h, now_ns);
    take_scope(h, now_ns);
    take_commands(h, now_ns);
    watch_ns = watch_heartbeat(h, now_ns);
    beat_ns = beat(h, now_ns);
    next_ns = mix(h, now_ns);
    publish_counts(h);
    if (beat_ns < next_ns)
        next_ns = beat_ns;
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
        beat(h, now_ns);
        next_ns = mix(h, now_ns);
        if (!mixer_is_sounding(h->mixer) || now_ns >= end_ns)
            break;
        clock_wait(h->waiter, -1, next_ns < end_ns ? next_ns : end_ns, 0);
        now_ns = clock_now_ns(h->config.clock);
    }
    publish_counts(h);
}

/* The device threads get a moment to carry the silence. */
static void
end_process(struct haptics *h)
{
    uint64_t end_ns;

    fall_silent(h);
    haptics_silence_backends(h);
    end_ns = clock_now_ns(h->config.clock) + SILENT_IN_NS;
    while (clock_now_ns(h->config.clock) < end_ns)
        clock_wait(h->waiter, -1, end_ns, 0);
    _exit(atomic_load(&h->hurry));
}

/* The main thread changes the backends meanwhile. What was held sounds again
 * as soon as it is asked for again, which the cues do in each tick. */
static void
stay_parked(struct haptics *h)
{
    fall_silent(h);
    memset(h->slots, 0, sizeof(h->slots)); /* of backends that may go */
    atomic_store_explicit(&h->parked, 1, memory_order_release);
    while (atomic_load_explicit(&h->park, memory_order_acquire) &&
           !atomic_load_explicit(&h->stop, memory_order_acquire))
        clock_wait(h->waiter, -1, beat(h, clock_now_ns(h->config.clock)), 0);
    atomic_store_explicit(&h->parked, 0, memory_order_release);
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

void
haptics_main(void *argument)
{
    struct haptics *h = argument;
    uint64_t next_ns;

    instance_thread_init();
    ask_realtime(h);
    atomic_store(&h->running, 1);
    while (!atomic_load_explicit(&h->stop, memory_order_acquire)) {
        next_ns = haptics_turn(h, clock_now_ns(h->config.clock));
        if (atomic_load(&h->hurry) != 0)
            end_process(h);
        if (atomic_load_explicit(&h->park, memory_order_acquire)) {
            stay_parked(h);
            continue;
        }
        clock_wait(h->waiter, -1, next_ns, 0);
    }
    atomic_store(&h->running, 0);
    fall_silent(h);
    instance_thread_finish();
}
