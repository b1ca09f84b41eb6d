#include "haptics_guard.h"
#include "log.h"
#include "mixer.h"
#include <string.h>

/* A device thread may still carry the last zero this long after the mixer. */
#define AFTERWARDS_NS MIXER_DEADLINE_NS

static uint32_t
ask(struct instance *i, struct hp_guard *out, uint32_t capacity)
{
    const struct hp_haptics_ops *ops = i->ops;
    struct hp_guard_sink sink = {0};
    int err;

    if (ops->guard == NULL)
        return 0;
    sink.size = sizeof(sink);
    sink.capacity = capacity;
    sink.stride = sizeof(*out);
    sink.guards = out;
    instance_enter(i, "guard", INSTANCE_NO_TICK);
    err = ops->guard(i->self, &sink);
    instance_leave(i);
    if (err < 0)
        return 0;
    return sink.count < capacity ? sink.count : capacity;
}

static void
stop_process(struct haptics_guard *g)
{
    /* The haptics thread sends to it without a lock, so a dead one stays
     * open until the end; that costs one descriptor. */
    atomic_store(&g->beating, NULL);
    g->failed = 1;
    log_error("haptics: hardpoint-guardian has ended: devices that would go on "
              "without this process are silent from now on");
}

static void
tell_process(struct haptics_guard *g)
{
    if (g->count == 0 && g->process == NULL)
        return;
    if (g->process == NULL && guardian_start(&g->process) < 0) {
        g->failed = 1;
        return;
    }
    if (guardian_tell(g->process, g->guards, g->count) < 0) {
        stop_process(g);
        return;
    }
    atomic_store(&g->beating, g->process);
}

void
haptics_guard_poll(struct haptics_guard *g, struct instance *const *backends,
                   uint32_t count)
{
    struct hp_guard before[GUARDIAN_GUARDS_MAX];
    uint32_t b, i, found, count_before = g->count;

    if (g->off || g->failed)
        return;
    memcpy(before, g->guards, sizeof(before));
    memset(g->guards, 0, sizeof(g->guards));
    g->count = 0;
    for (b = 0; b < count; b++) {
        found = ask(backends[b], &g->guards[g->count],
                    GUARDIAN_GUARDS_MAX - g->count);
        for (i = 0; i < found; i++)
            g->backends[g->count++] = b;
    }
    if (g->count != count_before ||
        memcmp(before, g->guards, sizeof(before)) != 0)
        tell_process(g);
    else if (g->process != NULL && !guardian_is_alive(g->process))
        stop_process(g);
}

void
haptics_guard_forget(struct haptics_guard *g)
{
    memset(g->guards, 0, sizeof(g->guards));
    g->count = UINT32_MAX; /* no list is like it: the next poll tells its own */
    g->refused_count = 0;
}

static int
is_guarded(const struct haptics_guard *g, uint32_t backend, uint32_t device)
{
    uint32_t i;

    for (i = 0; i < g->count; i++)
        if (g->backends[i] == backend && g->guards[i].device == device &&
            g->guards[i].action != HP_GUARD_NONE)
            return g->process != NULL && !g->failed;
    return 0;
}

static int
was_refused(struct haptics_guard *g, uint32_t backend, uint32_t device)
{
    uint32_t i, key = backend << 16 | (device & 0xffff);

    for (i = 0; i < g->refused_count; i++)
        if (g->refused[i] == key)
            return 1;
    if (g->refused_count < GUARDIAN_GUARDS_MAX)
        g->refused[g->refused_count++] = key;
    return 0;
}

int
haptics_guard_allows(struct haptics_guard *g, uint32_t backend,
                     const struct instance *i, const struct hp_device *device)
{
    if (device->flags & HP_DEVICE_HOLDS_DEADLINE || g->off || g->unsafe ||
        is_guarded(g, backend, device->id))
        return 1;
    if (!was_refused(g, backend, device->id))
        log_warning("%s: device \"%.95s\" stays silent: it would go on if this "
                    "process died, and %s; [haptics] unsafe = yes uses it "
                    "all the same",
                    i->label, device->name,
                    g->failed ? "no guardian runs"
                              : "its plugin tells no way to stop it");
    return 0;
}

uint64_t
haptics_guard_beat(struct haptics_guard *g, int sounding, uint64_t now_ns)
{
    struct guardian *process = atomic_load(&g->beating);
    int active;

    if (sounding)
        g->sounded_ns = now_ns;
    active = sounding || (g->active && now_ns < g->sounded_ns + AFTERWARDS_NS);
    if (process == NULL || (!active && !g->active))
        return UINT64_MAX;
    if (active != g->active || now_ns >= g->beaten_ns + GUARDIAN_BEAT_NS) {
        guardian_beat(process, active);
        g->beaten_ns = now_ns;
    }
    g->active = active;
    return active ? g->beaten_ns + GUARDIAN_BEAT_NS : UINT64_MAX;
}

void
haptics_guard_finish(struct haptics_guard *g)
{
    guardian_stop(g->process);
    g->process = NULL;
    atomic_store(&g->beating, NULL);
}
