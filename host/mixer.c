/* Commands into voices. */
#include "mixer_state.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS  1000000ull
#define STALE_NS   (150 * NS_PER_MS)  /* later haptics are wrong haptics */
#define PAIR_NS    (1000 * NS_PER_MS) /* prediction to confirmation */
#define SILENCE_NS (30 * NS_PER_MS)   /* of a release that cannot wait */
#define NO_EFFECT  UINT32_MAX

static uint64_t
keepalive_of(const struct mixer *m)
{
    uint64_t told = m->effects->keepalive_ms * NS_PER_MS;
    uint64_t snapshots = 3 * m->snapshot_interval_ns;

    return told > snapshots ? told : snapshots;
}

int
mixer_create(struct mixer **out, const struct effects *effects,
             uint64_t snapshot_interval_ns)
{
    struct mixer *m = calloc(1, sizeof(*m));

    if (m == NULL)
        return -ENOMEM;
    m->effects = effects;
    m->snapshot_interval_ns = snapshot_interval_ns;
    m->keepalive_ns = keepalive_of(m);
    *out = m;
    return 0;
}

void
mixer_destroy(struct mixer *m)
{
    free(m);
}

static uint32_t
effect_index(const struct effects *effects, const char *name)
{
    uint32_t i;

    for (i = 0; name != NULL && i < effects->count; i++)
        if (strcmp(effects->list[i].name, name) == 0)
            return i;
    return NO_EFFECT;
}

/* A one-shot ends soon, so it keeps its shape; a hold takes the new one, and
 * one that is let go takes it should it come back. */
static void
replace_feel(struct mixer *m, struct voice *v)
{
    uint32_t index = effect_index(m->effects, v->feel.name);
    const struct effect *feel =
        index == NO_EFFECT ? NULL : &m->effects->list[index];

    if (feel == NULL || feel->mode != v->feel.mode) {
        v->effect = NO_EFFECT;
        voice_release(v, m->time_ns, SILENCE_NS);
    } else if (feel->mode == EFFECT_HOLD && !voice_is_releasing(v)) {
        voice_glide(v, feel, index, m->time_ns);
    } else {
        v->effect = index;
        v->outdated = 1;
    }
}

void
mixer_set_effects(struct mixer *m, const struct effects *effects)
{
    uint32_t i, old;

    memcpy(m->spare, m->states, sizeof(m->spare));
    memset(m->states, 0, sizeof(m->states));
    for (i = 0; i < effects->count; i++) {
        old = effect_index(m->effects, effects->list[i].name);
        if (old != NO_EFFECT)
            m->states[i] = m->spare[old];
    }
    m->effects = effects;
    m->keepalive_ns = keepalive_of(m);
    mixer_resolve_curves(m);
    for (i = 0; i < MIXER_VOICES_MAX; i++)
        if (m->voices[i].active)
            replace_feel(m, &m->voices[i]);
}

void
mixer_settle(struct mixer *m, uint64_t time_ns)
{
    struct voice *v;
    enum voice_end end;

    if (time_ns > m->time_ns)
        m->time_ns = time_ns;
    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++) {
        if (!v->active)
            continue;
        end = voice_settle(v, time_ns);
        m->counters.expired += end != VOICE_GOES_ON;
        if (end == VOICE_TOO_LONG && v->effect != NO_EFFECT)
            m->states[v->effect].spent = 1;
    }
}

static int
is_warning(const struct effect *feel)
{
    return strcmp(feel->class_name, "warning") == 0;
}

/* Whether `v` is the better one to lose. */
static int
is_cheaper(const struct voice *v, const struct voice *than)
{
    if (than == NULL || v->feel.priority != than->feel.priority)
        return than == NULL || v->feel.priority < than->feel.priority;
    return v->start_ns < than->start_ns;
}

/* A free voice; else the lowest in priority, then the oldest, that is not
 * above the newcomer and no warning that only a warning may end. */
static struct voice *
take_voice(struct mixer *m, const struct effect *feel)
{
    struct voice *v, *victim = NULL;

    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++) {
        if (!v->active)
            return v;
        if (v->feel.priority > feel->priority)
            continue;
        if (is_warning(&v->feel) && !is_warning(feel))
            continue;
        if (is_cheaper(v, victim))
            victim = v;
    }
    m->counters.stolen += victim != NULL;
    return victim;
}

static struct voice *
find_voice(struct mixer *m, uint32_t effect)
{
    struct voice *v;

    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++)
        if (v->active && v->effect == effect)
            return v;
    return NULL;
}

/* How many of an effect sound or wait; the oldest and the last to start. */
static uint32_t
count_voices(struct mixer *m, uint32_t effect, struct voice **oldest,
             struct voice **last)
{
    struct voice *v;
    uint32_t count = 0;

    *oldest = *last = NULL;
    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++) {
        if (!v->active || v->effect != effect)
            continue;
        count++;
        if (*oldest == NULL || v->start_ns < (*oldest)->start_ns)
            *oldest = v;
        if (*last == NULL || v->start_ns > (*last)->start_ns)
            *last = v;
    }
    return count;
}

/* One command with what it is about. */
struct request {
    uint32_t index; /* of the effect */
    const struct effect *feel;
    struct effect_state *state;
    const struct hp_effect_command *command;
    float level;
    uint64_t cause_ns;
    uint64_t time_ns;
};

static int
is_too_soon(const struct request *r)
{
    return r->state->was_started &&
           r->time_ns <
               r->state->started_ns + r->feel->again_after_ms * NS_PER_MS;
}

static int
is_stale(const struct request *r)
{
    return r->cause_ns != 0 && r->time_ns > r->cause_ns &&
           r->time_ns - r->cause_ns > STALE_NS;
}

static void
note_start(struct mixer *m, const struct request *r, struct voice *v)
{
    v->cause_ns = r->cause_ns;
    r->state->was_started = 1;
    r->state->started_ns = r->time_ns;
    m->counters.started++;
}

static enum effect_repeat
repeat_of(const struct effect *feel)
{
    if (feel->repeat != 0)
        return feel->repeat;
    /* A second train would fill the gaps of the first. */
    return feel->mode == EFFECT_PULSES ? EFFECT_IGNORE : EFFECT_RESTART;
}

/* The voice to use for a start, and when it starts; NULL: none. */
static struct voice *
place_voice(struct mixer *m, const struct request *r, uint64_t *start_ns)
{
    uint32_t limit = r->feel->limit > 0 ? r->feel->limit : 1, count;
    enum effect_repeat repeat = repeat_of(r->feel);
    struct voice *oldest, *last;
    uint64_t turn_ns;

    *start_ns = r->time_ns;
    count = count_voices(m, r->index, &oldest, &last);
    if (count >= limit)
        return repeat == EFFECT_RESTART ? oldest : NULL;
    if (repeat == EFFECT_QUEUE && last != NULL) {
        turn_ns = last->start_ns + r->feel->spacing_ms * NS_PER_MS;
        if (turn_ns > r->time_ns)
            *start_ns = turn_ns;
    }
    return take_voice(m, r->feel);
}

/* Starts a voice, or says in which counter the refusal belongs. */
static uint64_t *
start_voice(struct mixer *m, const struct request *r, struct voice **out)
{
    uint64_t start_ns;
    float level = r->level, heard;
    struct voice *v;

    if (m->scope != MIXER_FLYING || is_too_soon(r))
        return &m->counters.ignored;
    if (is_stale(r))
        return &m->counters.stale;
    v = place_voice(m, r, &start_ns);
    if (v == NULL)
        return &m->counters.ignored;
    if (v->active && v->effect == r->index) { /* a weak one hides no strong */
        heard = v->level * voice_shape(v, r->time_ns);
        level = heard > level ? heard : level;
    }
    voice_start(v, r->feel, r->index, level, start_ns);
    v->toward[0] = r->command->direction[0];
    v->toward[1] = r->command->direction[1];
    note_start(m, r, v);
    *out = v;
    return NULL;
}

/* Whether the other half of the pair was seen; remembers this one. */
static int
is_second_of_pair(const struct request *r)
{
    int predicted = (r->command->flags & HP_EFFECT_PREDICTED) != 0;
    struct recent_play *p;
    uint32_t i;

    for (i = 0; i < MIXER_RECENT; i++) {
        p = &r->state->recent[i];
        if (p->seen && p->predicted != predicted &&
            p->cause_tick == r->command->cause_tick &&
            r->time_ns - p->time_ns < PAIR_NS)
            return 1;
    }
    p = &r->state->recent[r->state->recent_next++ % MIXER_RECENT];
    p->seen = 1;
    p->predicted = predicted;
    p->cause_tick = r->command->cause_tick;
    p->time_ns = r->time_ns;
    return 0;
}

static void
play(struct mixer *m, const struct request *r)
{
    uint64_t *refused = &m->counters.ignored;
    struct voice *v;

    if (!is_second_of_pair(r))
        refused = start_voice(m, r, &v);
    if (refused != NULL)
        (*refused)++;
}

/* A held effect that is a one-shot or a train plays once, and again each
 * again_after while it is held. */
static void
hold_oneshot(struct mixer *m, const struct request *r, int fresh)
{
    uint64_t *refused;
    struct voice *v;

    if (!fresh && (r->feel->again_after_ms == 0 || is_too_soon(r) ||
                   find_voice(m, r->index) != NULL))
        return;
    refused = start_voice(m, r, &v);
    if (refused != NULL && fresh)
        (*refused)++;
}

static void
hold(struct mixer *m, const struct request *r)
{
    int fresh = r->time_ns >= r->state->held_until_ns;
    uint64_t *refused = NULL;
    struct voice *v;

    if (fresh)
        r->state->spent = 0;
    r->state->held_until_ns = r->time_ns + m->keepalive_ns;
    if (r->feel->mode != EFFECT_HOLD) {
        hold_oneshot(m, r, fresh);
        return;
    }
    v = find_voice(m, r->index);
    if (v != NULL && !voice_is_releasing(v)) {
        v->level = r->level;
        v->cause_ns = r->cause_ns;
    } else if (r->state->spent) {
        return;
    } else if (v != NULL && m->scope == MIXER_FLYING && !is_too_soon(r) &&
               !is_stale(r)) {
        if (v->outdated)
            voice_glide(v, r->feel, r->index, r->time_ns);
        voice_return(v, r->level, r->time_ns);
        note_start(m, r, v);
    } else if (v != NULL) {
        return; /* it will be asked again when the release is over */
    } else {
        refused = start_voice(m, r, &v);
    }
    if (refused == NULL)
        v->alive_until_ns = r->time_ns + m->keepalive_ns;
    else if (fresh)
        (*refused)++;
}

/* Ends the voices of an effect that somebody holds; CUT ends them all. */
static void
let_go(struct mixer *m, const struct request *r)
{
    struct voice *v;

    r->state->held_until_ns = 0;
    r->state->spent = 0;
    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++) {
        if (!v->active || v->effect != r->index)
            continue;
        if (r->command->action == HP_EFFECT_CUT)
            v->active = 0;
        else if (r->feel->mode == EFFECT_HOLD && !voice_is_releasing(v))
            voice_release(v, r->time_ns, VOICE_NEVER);
    }
}

void
mixer_command(struct mixer *m, const struct hp_effect_command *command,
              uint64_t cause_ns, uint64_t time_ns)
{
    struct request r = {0};
    float level = command->level;

    mixer_settle(m, time_ns);
    r.index = effect_index(m->effects, command->effect);
    if (r.index == NO_EFFECT) {
        m->counters.unknown++;
        return;
    }
    r.feel = &m->effects->list[r.index];
    r.state = &m->states[r.index];
    r.command = command;
    r.level = level > 1 ? 1 : level;
    r.cause_ns = cause_ns;
    r.time_ns = time_ns;
    if (command->action == HP_EFFECT_RELEASE ||
        command->action == HP_EFFECT_CUT)
        let_go(m, &r);
    else if (!(level >= 0)) /* not a number, or below nothing */
        m->counters.ignored++;
    else if (command->action == HP_EFFECT_PLAY && r.feel->mode != EFFECT_HOLD)
        play(m, &r);
    else if (command->action == HP_EFFECT_PLAY ||
             command->action == HP_EFFECT_HOLD)
        hold(m, &r);
    else
        m->counters.ignored++;
}

void
mixer_release_all(struct mixer *m, uint64_t time_ns)
{
    struct voice *v;

    mixer_settle(m, time_ns);
    m->hushed_ns = time_ns;
    for (v = m->voices; v < m->voices + MIXER_VOICES_MAX; v++) {
        if (v->active && v->start_ns > time_ns)
            v->active = 0; /* of a queue: what has not begun never will */
        else if (v->active)
            voice_release(v, time_ns, SILENCE_NS);
    }
}

void
mixer_fade_in(struct mixer *m, uint64_t time_ns)
{
    m->resumed_ns = time_ns;
}

void
mixer_set_scope(struct mixer *m, unsigned scope, uint64_t time_ns)
{
    if (scope != MIXER_FLYING && m->scope == MIXER_FLYING)
        mixer_release_all(m, time_ns);
    if (scope == MIXER_FLYING && m->scope != MIXER_FLYING)
        mixer_fade_in(m, time_ns);
    m->scope = scope;
}

void
mixer_count(const struct mixer *m, struct mixer_counters *out)
{
    *out = m->counters;
}
