#include "haptics_devices.h"
#include "log.h"
#include <errno.h>
#include <string.h>

#define IS_NEW 4u /* beside the number of the list between */

void
haptics_devices_init(struct haptics_devices *d, const char *only)
{
    memset(d, 0, sizeof(*d));
    d->only = only;
    d->filled = 0;
    d->read = 1;
    atomic_init(&d->between, 2);
}

/* The devices of one backend, into d->answer. */
static uint32_t
ask(struct haptics_devices *d, struct instance *i)
{
    const struct hp_haptics_ops *ops = i->ops;
    struct hp_device_sink sink = {0};
    int err;

    memset(d->answer, 0, sizeof(d->answer));
    sink.size = sizeof(sink);
    sink.capacity = MIXER_DEVICES_MAX;
    sink.stride = sizeof(d->answer[0]);
    sink.devices = d->answer;
    instance_enter(i, "devices", INSTANCE_NO_TICK);
    err = ops->devices(i->self, &sink);
    instance_leave(i);
    if (err < 0 && err != -ENOSPC)
        return 0;
    return sink.count < sink.capacity ? sink.count : sink.capacity;
}

/* A device keeps its slot while it is there, so that the mixer knows it. */
static uint32_t
find_slot(const struct haptics_devices *d,
          const struct haptics_device_list *next, uint32_t backend, uint32_t id)
{
    const struct haptics_slot *s;
    uint32_t slot;

    for (slot = 0; slot < MIXER_DEVICES_MAX; slot++) {
        s = &d->now.slots[slot];
        if (s->used && s->backend == backend && s->id == id &&
            !next->slots[slot].used)
            return slot;
    }
    for (slot = 0; slot < MIXER_DEVICES_MAX; slot++)
        if (!d->now.slots[slot].used && !next->slots[slot].used)
            return slot;
    return MIXER_DEVICES_MAX;
}

/* A device's texts end where they end or where they are full. */
static int
is_called(const char *text, size_t bytes, const char *name)
{
    return strlen(name) < bytes && strncmp(text, name, bytes) == 0;
}

static int
is_wanted(const struct haptics_devices *d, const struct hp_device *device)
{
    return d->only == NULL ||
           is_called(device->stable_id, sizeof(device->stable_id), d->only) ||
           is_called(device->name, sizeof(device->name), d->only);
}

static void
add(struct haptics_devices *d, struct haptics_device_list *next,
    uint32_t backend, const struct instance *i, const struct hp_device *device)
{
    uint32_t slot = find_slot(d, next, backend, device->id);
    struct hp_device *copy;

    if (slot == MIXER_DEVICES_MAX) {
        if (!d->full_told)
            log_warning("%s: device \"%.95s\" is one too many and stays "
                        "silent: at most %d are served",
                        i->label, device->name, MIXER_DEVICES_MAX);
        d->full_told = 1;
        return;
    }
    if (device->battery_percent > 0 &&
        device->battery_percent < MIXER_WEAK_PERCENT && !d->weak_told) {
        log_warning("%s: the battery of \"%.95s\" is at %d %%: it is moved by "
                    "half at most, or it may drop its link",
                    i->label, device->name, device->battery_percent);
        d->weak_told = 1;
    }
    next->slots[slot].used = 1;
    next->slots[slot].backend = backend;
    next->slots[slot].id = device->id;
    copy = &next->devices[next->count++];
    *copy = *device;
    copy->id = slot;
    if (copy->actuator_count > HP_DEVICE_ACTUATORS_MAX)
        copy->actuator_count = HP_DEVICE_ACTUATORS_MAX;
}

int
haptics_devices_poll(struct haptics_devices *d, struct haptics_guard *guard,
                     struct instance *const *backends, uint32_t count)
{
    struct haptics_device_list *next = &d->lists[d->filled];
    uint32_t b, i, found;

    memset(next, 0, sizeof(*next));
    for (b = 0; b < count; b++) {
        found = ask(d, backends[b]);
        for (i = 0; i < found; i++)
            if (is_wanted(d, &d->answer[i]) &&
                haptics_guard_allows(guard, b, backends[b], &d->answer[i]))
                add(d, next, b, backends[b], &d->answer[i]);
    }
    if (memcmp(next, &d->now, sizeof(*next)) == 0)
        return 0;
    d->now = *next;
    d->filled = atomic_exchange_explicit(&d->between, d->filled | IS_NEW,
                                         memory_order_acq_rel) &
                ~IS_NEW;
    return 1;
}

const struct haptics_device_list *
haptics_devices_take(struct haptics_devices *d)
{
    if (!(atomic_load_explicit(&d->between, memory_order_relaxed) & IS_NEW))
        return NULL;
    d->read =
        atomic_exchange_explicit(&d->between, d->read, memory_order_acq_rel) &
        ~IS_NEW;
    return &d->lists[d->read];
}
