/* Voices into the levels of actuators. */
#include "mixer_state.h"
#include <math.h>
#include <string.h>

_Static_assert(EFFECTS_MAX <= 64, "list_names keeps a bit for each");

#define INAUDIBLE 0.001f /* a thousandth: below what any device resolves */

/* The strongest voice for one kind of actuator. */
struct winner {
    float value;
    float frequency_hz;
    uint64_t cause_ns;
};

/* The old entry of a device that is still the same one, or NULL. */
static const struct mixed_device *
same_device(const struct mixed_device *list, uint32_t count,
            const struct hp_device *device)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (list[i].id == device->id &&
            list[i].generation == device->generation &&
            list[i].actuator_count == device->actuator_count)
            return &list[i];
    return NULL;
}

void
mixer_set_devices(struct mixer *m, const struct hp_device *devices,
                  uint32_t count)
{
    uint32_t i, old_count = m->device_count;
    const struct mixed_device *old;
    struct mixed_device *d;

    memcpy(m->spare_devices, m->devices, sizeof(m->devices));
    memset(m->devices, 0, sizeof(m->devices));
    m->device_count = count < MIXER_DEVICES_MAX ? count : MIXER_DEVICES_MAX;
    for (i = 0; i < m->device_count; i++) {
        d = &m->devices[i];
        d->id = devices[i].id;
        d->generation = devices[i].generation;
        d->actuator_count = devices[i].actuator_count;
        if (d->actuator_count > HP_DEVICE_ACTUATORS_MAX)
            d->actuator_count = HP_DEVICE_ACTUATORS_MAX;
        memcpy(d->actuators, devices[i].actuators, sizeof(d->actuators));
        old = same_device(m->spare_devices, old_count, &devices[i]);
        if (old != NULL)
            memcpy(d->states, old->states, sizeof(d->states));
    }
}

static void
let_compete(const struct voice *v, uint64_t time_ns, struct winner *winners)
{
    float values[HP_ACTUATOR_KINDS];
    uint32_t kind;

    voice_values(v, time_ns, values);
    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++) {
        if (fabsf(values[kind]) < INAUDIBLE ||
            fabsf(values[kind]) <= fabsf(winners[kind].value))
            continue;
        winners[kind].value = values[kind];
        winners[kind].frequency_hz = v->feel.frequency_hz;
        winners[kind].cause_ns = v->cause_ns;
    }
}

static void
find_winners(const struct mixer *m, uint64_t time_ns, struct winner *winners)
{
    const struct voice *v;

    memset(winners, 0, HP_ACTUATOR_KINDS * sizeof(*winners));
    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++)
        if (v->active)
            let_compete(v, time_ns, winners);
}

/* What wins, as this actuator can take it. */
static struct winner
fit(const struct winner *winners, const struct hp_actuator *a)
{
    struct winner w = {0};

    if (a->kind == 0 || a->kind >= HP_ACTUATOR_KINDS)
        return w;
    w = winners[a->kind];
    if (!(a->flags & HP_ACTUATOR_SIGNED))
        w.value = fabsf(w.value);
    if (!(a->flags & HP_ACTUATOR_FREQUENCY))
        w.frequency_hz = 0;
    else if (w.frequency_hz > 0 && a->frequency_max_hz > 0)
        w.frequency_hz = fminf(fmaxf(w.frequency_hz, a->frequency_min_hz),
                               a->frequency_max_hz);
    return w;
}

static int
must_be_told(const struct mixed_actuator *s, const struct winner *w,
             uint64_t time_ns)
{
    if (w->value != s->told)
        return 1;
    if (s->told == 0 && !s->zero_again)
        return 0;
    return w->frequency_hz != s->frequency_hz ||
           time_ns >= s->told_ns + MIXER_REFRESH_NS;
}

/* Writes the level if it is due. Returns when it is due again. */
static uint64_t
mix_actuator(struct mixer *m, struct mixed_device *d, uint32_t index,
             const struct winner *winners, uint64_t time_ns, uint32_t *count)
{
    struct mixed_actuator *s = &d->states[index];
    struct winner w = fit(winners, &d->actuators[index]);
    struct hp_level *level;

    if (w.value == 0)
        w.frequency_hz = s->frequency_hz;
    if (must_be_told(s, &w, time_ns)) {
        level = &m->levels[(*count)++];
        memset(level, 0, sizeof(*level));
        level->deadline_ns = time_ns + MIXER_DEADLINE_NS;
        level->cause_ns = w.cause_ns;
        level->device = d->id;
        level->generation = d->generation;
        level->actuator = index;
        level->flags = s->told == 0 && w.value != 0 ? HP_LEVEL_FIRST : 0;
        level->level = w.value;
        level->frequency_hz = w.frequency_hz;
        s->zero_again = s->told != 0 && w.value == 0;
        s->told = w.value;
        s->frequency_hz = w.frequency_hz;
        s->told_ns = time_ns;
    }
    if (s->told == 0 && !s->zero_again)
        return UINT64_MAX;
    return s->told_ns + MIXER_REFRESH_NS;
}

/* "gun_burst,stall_buffet": each sounding effect once. */
static void
list_names(struct mixer *m)
{
    const struct voice *v;
    char *end = m->names;
    uint64_t listed = 0; /* a bit for each effect of the set */

    *end = 0;
    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++) {
        if (!v->active)
            continue;
        if (v->effect < EFFECTS_MAX) {
            if (listed & 1ull << v->effect)
                continue;
            listed |= 1ull << v->effect;
        }
        if (end > m->names)
            *end++ = ',';
        end = stpcpy(end, v->feel.name);
    }
}

/* When a voice changes next. */
static uint64_t
next_change(const struct mixer *m, uint64_t time_ns)
{
    uint64_t next = UINT64_MAX, due;
    const struct voice *v;

    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++) {
        due = v->active ? voice_next_ns(v, time_ns) : UINT64_MAX;
        if (due < next)
            next = due;
    }
    return next;
}

uint64_t
mixer_render(struct mixer *m, uint64_t time_ns, struct hp_levels *out)
{
    struct winner winners[HP_ACTUATOR_KINDS];
    uint32_t i, a, count = 0;
    uint64_t next, due;

    mixer_settle(m, time_ns);
    find_winners(m, time_ns, winners);
    next = next_change(m, time_ns);
    for (i = 0; i < m->device_count; i++) {
        for (a = 0; a < m->devices[i].actuator_count; a++) {
            due = mix_actuator(m, &m->devices[i], a, winners, time_ns, &count);
            if (due < next)
                next = due;
        }
    }
    list_names(m);
    /* A cause is told once: what follows is the effect's own course. */
    for (i = 0; i < MIXER_VOICES_MAX; i++)
        m->voices[i].cause_ns = 0;
    memset(out, 0, sizeof(*out));
    out->size = sizeof(*out);
    out->count = count;
    out->stride = sizeof(m->levels[0]);
    out->time_ns = time_ns;
    out->levels = m->levels;
    out->effects = m->names;
    return next;
}

int
mixer_is_sounding(const struct mixer *m)
{
    uint32_t i, a;

    for (i = 0; i < MIXER_VOICES_MAX; i++)
        if (m->voices[i].active)
            return 1;
    for (i = 0; i < m->device_count; i++)
        for (a = 0; a < m->devices[i].actuator_count; a++)
            if (m->devices[i].states[a].told != 0)
                return 1;
    return 0;
}
