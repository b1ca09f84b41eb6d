#include "haptics_devices.h"
#include "log.h"
#include <errno.h>
#include <string.h>

#define NOT_TOLD (-2)
#define IS_NEW   4u /* beside the number of the list between */

void
haptics_devices_init(struct haptics_devices *d, const char *only,
                     const struct roles *roles)
{
    memset(d, 0, sizeof(*d));
    d->only = only;
    d->roles = roles;
    haptics_devices_forget_roles(d);
    d->filled = 0;
    d->read = 1;
    atomic_init(&d->between, 2);
}

void
haptics_devices_forget_roles(struct haptics_devices *d)
{
    int i;

    for (i = 0; i < ROLES_MAX; i++)
        d->roles_told[i] = NOT_TOLD;
}

void
haptics_devices_forget(struct haptics_devices *d)
{
    memset(&d->now, 0, sizeof(d->now));
    d->now.count = UINT32_MAX; /* no list is like it */
    haptics_devices_forget_roles(d);
}

/* The devices of one backend, after those of the others. */
static void
ask(struct haptics_devices *d, uint32_t backend, struct instance *i)
{
    const struct hp_haptics_ops *ops = i->ops;
    struct hp_device *answers = &d->answers[d->candidate_count];
    struct hp_device_sink sink = {0};
    const char *dot = strchr(i->section, '.'); /* "haptics.sdl2" */
    struct roles_candidate *c;
    uint32_t k;
    int err;

    sink.size = sizeof(sink);
    sink.capacity = HAPTICS_CANDIDATES_MAX - d->candidate_count;
    if (sink.capacity > MIXER_DEVICES_MAX)
        sink.capacity = MIXER_DEVICES_MAX;
    sink.stride = sizeof(answers[0]);
    sink.devices = answers;
    instance_enter(i, "devices", INSTANCE_NO_TICK);
    err = ops->devices(i->self, &sink);
    instance_leave(i);
    if (err < 0 && err != -ENOSPC)
        return;
    for (k = 0; k < sink.count && k < sink.capacity; k++) {
        c = &d->candidates[d->candidate_count++];
        c->backend = backend;
        c->backend_name = dot != NULL ? dot + 1 : i->section;
        c->device = &answers[k];
    }
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
    const struct roles_candidate *c, const struct instance *i)
{
    const struct hp_device *device = c->device;
    uint32_t slot = find_slot(d, next, c->backend, device->id);
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
    next->slots[slot].backend = c->backend;
    next->slots[slot].gain =
        c->role != ROLES_NOBODY ? d->roles->list[c->role].gain : 1;
    next->slots[slot].id = device->id;
    copy = &next->devices[next->count++];
    *copy = *device;
    copy->id = slot;
    if (copy->actuator_count > HP_DEVICE_ACTUATORS_MAX)
        copy->actuator_count = HP_DEVICE_ACTUATORS_MAX;
}

/* What is not to be moved at all is no choice for a role either. */
static void
drop_the_unwanted(struct haptics_devices *d, struct haptics_guard *guard,
                  struct instance *const *backends)
{
    struct roles_candidate *c = d->candidates;
    uint32_t i, kept = 0;

    for (i = 0; i < d->candidate_count; i++, c++)
        if (is_wanted(d, c->device) &&
            haptics_guard_allows(guard, c->backend, backends[c->backend],
                                 c->device))
            d->candidates[kept++] = *c;
    d->candidate_count = kept;
}

/* Says which device a role has, when that changes. */
static void
tell_roles(struct haptics_devices *d)
{
    const struct roles_candidate *c, *has[ROLES_MAX] = {0};
    uint32_t i;
    int what;

    for (c = d->candidates; c < d->candidates + d->candidate_count; c++)
        if (c->role != ROLES_NOBODY)
            has[c->role] = c;
    for (i = 0; i < d->roles->count; i++) {
        c = has[i];
        what = c == NULL ? ROLES_NOBODY
                         : (int)(c->backend << 16 | (c->device->id & 0xffff));
        if (what == d->roles_told[i])
            continue;
        d->roles_told[i] = what;
        if (c != NULL)
            log_info("haptics: [rig.%s] is \"%.95s\", moved by %s",
                     d->roles->list[i].name, c->device->name, c->backend_name);
        else
            log_warning("haptics: [rig.%s] has no device: none is \"%s\"; "
                        "`hardpoint haptics list` shows what there is",
                        d->roles->list[i].name, d->roles->list[i].device);
    }
}

int
haptics_devices_poll(struct haptics_devices *d, struct haptics_guard *guard,
                     struct instance *const *backends, uint32_t count)
{
    struct haptics_device_list *next = &d->lists[d->filled];
    const struct roles_candidate *c;
    uint32_t b;

    memset(next, 0, sizeof(*next));
    memset(d->answers, 0, sizeof(d->answers));
    d->candidate_count = 0;
    for (b = 0; b < count; b++)
        ask(d, b, backends[b]);
    drop_the_unwanted(d, guard, backends);
    roles_assign(d->roles, d->candidates, d->candidate_count);
    tell_roles(d);
    for (c = d->candidates; c < d->candidates + d->candidate_count; c++)
        if (c->is_served)
            add(d, next, c, backends[c->backend]);
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
