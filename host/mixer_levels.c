/* Voices into the levels of actuators. */
#include "mixer_state.h"
#include <math.h>
#include <string.h>

_Static_assert(EFFECTS_MAX <= 64, "list_names keeps a bit for each");

#define INAUDIBLE 0.001f /* a thousandth: below what any device resolves */

#define WEAK_CAP 0.5f

#define DUCK_DOWN_NS  20e6f
#define DUCK_UP_NS    80e6f
#define LIMIT_FROM    0.9f
#define FADE_NS       200000000ull
#define FADE_FORCE_NS 500000000ull /* nobody may be holding the stick yet */

static int
is_force(uint32_t kind)
{
    return kind == HP_ACTUATOR_AXIS_X || kind == HP_ACTUATOR_AXIS_Y;
}

/* What one kind of actuator is told. */
struct winner {
    float value;
    float frequency_hz;
    uint64_t cause_ns;
};

/* One voice while a mix is made. */
struct part {
    struct voice *voice;
    float values[HP_ACTUATOR_KINDS];
    int ducks; /* others, now */
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
        d->vendor = devices[i].vendor;
        d->product = devices[i].product;
        d->cap = devices[i].battery_percent > 0 &&
                         devices[i].battery_percent < MIXER_WEAK_PERCENT
                     ? WEAK_CAP
                     : 1;
        old = same_device(m->spare_devices, old_count, &devices[i]);
        if (old != NULL)
            memcpy(d->states, old->states, sizeof(d->states));
    }
    mixer_resolve_curves(m);
}

void
mixer_resolve_curves(struct mixer *m)
{
    struct mixed_device *d;
    uint32_t i, a;

    for (i = 0; i < m->device_count; i++) {
        d = &m->devices[i];
        for (a = 0; a < d->actuator_count; a++)
            effects_curve(m->effects, &d->actuators[a], d->vendor, d->product,
                          &d->curves[a]);
    }
}

/* ---- voices into kinds ---- */

/* From 0 to 1 since flying began again. */
static float
fade(const struct mixer *m, const struct voice *v, uint32_t kind,
     uint64_t time_ns)
{
    uint64_t length = is_force(kind) ? FADE_FORCE_NS : FADE_NS;

    if (v->feel.mode != EFFECT_HOLD || time_ns >= m->resumed_ns + length)
        return 1;
    return (float)(time_ns - m->resumed_ns) / (float)length;
}

static uint32_t
gather_parts(struct mixer *m, uint64_t time_ns, struct part *parts)
{
    int resuming =
        m->resumed_ns != 0 && time_ns < m->resumed_ns + FADE_FORCE_NS;
    uint32_t kind, count = 0;
    struct voice *v;
    struct part *p;

    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++) {
        if (!v->active)
            continue;
        p = &parts[count++];
        p->voice = v;
        voice_values(v, time_ns, p->values);
        p->ducks = v->feel.duck > 0 && time_ns >= v->start_ns &&
                   (v->feel.exclusive || voice_shape(v, time_ns) > 0);
        for (kind = 1; resuming && kind < HP_ACTUATOR_KINDS; kind++)
            p->values[kind] *= fade(m, v, kind, time_ns);
    }
    return count;
}

/* A voice that turns others down, and what it leaves of each kind. */
struct ducker {
    int priority;
    float leaves[HP_ACTUATOR_KINDS];
};

struct duckers {
    uint32_t count;
    struct ducker list[MIXER_VOICES_MAX];
};

static void
add_ducker(struct duckers *duckers, const struct voice *v)
{
    struct ducker *d = &duckers->list[duckers->count++];
    uint32_t kind;

    d->priority = v->feel.priority;
    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++)
        d->leaves[kind] = v->feel.levels[kind] != 0 ? 1 - v->feel.duck : 1;
}

/* What the voices above it leave of a voice, in the end. */
static void
left_in_the_end(const struct duckers *duckers, const struct voice *v,
                float aim[HP_ACTUATOR_KINDS])
{
    const struct ducker *d;
    uint32_t kind;

    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++)
        aim[kind] = 1;
    for (d = duckers->list; d < duckers->list + duckers->count; d++) {
        if (d->priority <= v->feel.priority)
            continue;
        for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++)
            aim[kind] =
                d->leaves[kind] < aim[kind] ? d->leaves[kind] : aim[kind];
    }
}

/* Moves there: 20 ms down, 80 ms up. Returns whether it is on its way. */
static int
duck_part(const struct duckers *duckers, struct part *p, uint64_t time_ns)
{
    struct voice *v = p->voice;
    float passed = (float)(time_ns - v->left_ns);
    float down = v->left_ns == 0 ? 1 : passed / DUCK_DOWN_NS;
    float up = v->left_ns == 0 ? 1 : passed / DUCK_UP_NS;
    float aim[HP_ACTUATOR_KINDS], left;
    uint32_t kind;
    int moving = 0;

    left_in_the_end(duckers, v, aim);
    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++) {
        left = aim[kind];
        left = left < v->left[kind] - down ? v->left[kind] - down : left;
        left = left > v->left[kind] + up ? v->left[kind] + up : left;
        moving |= left != aim[kind];
        v->left[kind] = left;
        p->values[kind] *= left;
    }
    v->left_ns = time_ns;
    return moving;
}

/* Straight up to 0.9, then ever flatter, and never 1. */
static float
limit(struct mixer *m, float value)
{
    float over = fabsf(value) - LIMIT_FROM, room = 1 - LIMIT_FROM;

    if (over <= 0)
        return value;
    m->counters.limited++;
    return copysignf(LIMIT_FROM + room * (over / (over + room)), value);
}

static void
add_kind(struct mixer *m, const struct part *parts, uint32_t count,
         uint32_t kind, struct winner *w)
{
    const struct part *top = NULL, *p;
    float sum = 0;

    for (p = parts; p < parts + count; p++) {
        if (fabsf(p->values[kind]) < INAUDIBLE)
            continue;
        sum += is_force(kind) ? p->values[kind]
                              : p->values[kind] * p->values[kind];
        if (w->cause_ns == 0)
            w->cause_ns = p->voice->cause_ns;
        if (top == NULL ||
            p->voice->feel.priority > top->voice->feel.priority ||
            (p->voice->feel.priority == top->voice->feel.priority &&
             fabsf(p->values[kind]) > fabsf(top->values[kind])))
            top = p;
    }
    if (top == NULL)
        return;
    /* One alone is told to the bit as the file says. */
    w->value = is_force(kind) ? sum : sqrtf(sum);
    if (fabsf(w->value) - fabsf(top->values[kind]) < 1e-6f &&
        fabsf(w->value) - fabsf(top->values[kind]) > -1e-6f)
        w->value =
            is_force(kind) ? top->values[kind] : fabsf(top->values[kind]);
    w->value = limit(m, w->value);
    w->frequency_hz = top->voice->feel.frequency_hz;
}

/* Returns whether levels move although no voice does. */
static int
mix_kinds(struct mixer *m, uint64_t time_ns, struct winner *winners)
{
    struct part parts[MIXER_VOICES_MAX];
    uint32_t i, kind, count = gather_parts(m, time_ns, parts);
    struct duckers duckers;
    int ducked = 0, moving = 0;

    duckers.count = 0;
    for (i = 0; i < count; i++) {
        if (parts[i].ducks)
            add_ducker(&duckers, parts[i].voice);
        ducked |= parts[i].ducks || parts[i].voice->left_ns != 0;
    }
    for (i = 0; ducked && i < count; i++)
        moving |= duck_part(&duckers, &parts[i], time_ns);
    memset(winners, 0, HP_ACTUATOR_KINDS * sizeof(*winners));
    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++)
        add_kind(m, parts, count, kind, &winners[kind]);
    if (count > 0 && m->resumed_ns != 0 &&
        time_ns < m->resumed_ns + FADE_FORCE_NS)
        return 1;
    return moving;
}

/* ---- kinds into levels ---- */

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

/* Stretches pulses and gaps to what a motor can show; a silence that was
 * asked for is never put off. */
static float
stretch(const struct mixer *m, const struct mixed_actuator *s,
        const struct effect_curve *c, float level, uint64_t time_ns,
        uint64_t *due)
{
    uint64_t until;

    if (level == 0 && s->told != 0 && s->on_ns > m->hushed_ns) {
        until = s->on_ns + c->pulse_min_ms * 1000000ull;
        if (time_ns < until) {
            *due = until;
            return s->told;
        }
    }
    if (level != 0 && s->told == 0 && s->off_ns != 0) {
        until = s->off_ns + c->gap_min_ms * 1000000ull;
        if (time_ns < until) {
            *due = until;
            return 0;
        }
    }
    return level;
}

static float
kick(const struct mixed_actuator *s, const struct effect_curve *c, float level,
     uint64_t time_ns, uint64_t *due)
{
    uint64_t on_ns = s->told == 0 ? time_ns : s->on_ns;
    uint64_t until = on_ns + c->kick_ms * 1000000ull;

    if (level == 0 || level >= c->kick || time_ns >= until)
        return level;
    *due = until;
    return c->kick;
}

static float
slew(struct mixed_actuator *s, const struct effect_curve *c, float level,
     uint64_t time_ns, uint64_t *due)
{
    uint64_t passed = time_ns - s->slewed_ns;
    float step;

    if (c->slew_ms == 0)
        return level;
    /* One that rested begins with one step; one mixed late does not leap. */
    if (passed > 2 * VOICE_STEP_NS || s->slewed == 0)
        passed = VOICE_STEP_NS;
    step = (float)passed / ((float)c->slew_ms * 1e6f);
    s->slewed_ns = time_ns;
    if (fabsf(level - s->slewed) <= step)
        s->slewed = level;
    else
        s->slewed += copysignf(step, level - s->slewed);
    if (s->slewed != level)
        *due = time_ns + VOICE_STEP_NS;
    return s->slewed;
}

/* The mixed level as this motor can show it. */
static float
shape(const struct effect_curve *c, float cap, float level)
{
    float full = c->full > c->min ? c->full : c->min, x;

    x = fminf(fabsf(level) * c->gain, 1);
    if (x < INAUDIBLE)
        return 0;
    if (c->gamma != 1)
        x = powf(x, c->gamma);
    x = c->min + (full - c->min) * x;
    return copysignf(fminf(fminf(x, c->ceiling), cap), level);
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
    const struct effect_curve *c = &d->curves[index];
    struct winner w = fit(winners, &d->actuators[index]);
    uint64_t due = UINT64_MAX;
    struct hp_level *level;

    w.value = shape(c, d->cap, w.value);
    w.value = kick(s, c, w.value, time_ns, &due);
    w.value = stretch(m, s, c, w.value, time_ns, &due);
    w.value = slew(s, c, w.value, time_ns, &due);

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
        if (s->told == 0 && w.value != 0)
            s->on_ns = time_ns;
        if (s->told != 0 && w.value == 0)
            s->off_ns = time_ns;
        s->told = w.value;
        s->frequency_hz = w.frequency_hz;
        s->told_ns = time_ns;
    }
    if (s->told == 0 && !s->zero_again)
        return due;
    if (due < s->told_ns + MIXER_REFRESH_NS)
        return due;
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
    int moving;

    mixer_settle(m, time_ns);
    moving = mix_kinds(m, time_ns, winners);
    next = next_change(m, time_ns);
    if (moving && time_ns + VOICE_STEP_NS < next)
        next = time_ns + VOICE_STEP_NS;
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
