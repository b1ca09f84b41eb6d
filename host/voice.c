#include "voice.h"
#include <math.h>
#include <string.h>

#define NS_PER_MS  1000000ull
#define GLIDE_NS   (100 * NS_PER_MS)
#define SIDE_SHARE 0.7f /* the far hand still feels something */

/* A stretch of the shape: straight from one height to another. */
struct stage {
    uint64_t end_ns; /* VOICE_NEVER: until released */
    uint64_t length_ns;
    float from, to;
    int rising; /* an attack */
};

static float
lerp(float from, float to, uint64_t part, uint64_t whole)
{
    if (part >= whole)
        return to;
    return from + (to - from) * ((float)part / (float)whole);
}

static uint64_t
least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Moves to the stage after `s`. */
static struct stage
stage_after(const struct stage *s, uint64_t length_ns, float to)
{
    struct stage next = {s->end_ns + length_ns, length_ns, s->to, to, 0};

    return next;
}

static struct stage
attack_of(const struct voice *v)
{
    uint64_t length = v->feel.attack_ms * NS_PER_MS;
    struct stage s = {v->start_ns + length, length, v->attack_from, 1, 1};

    return s;
}

static struct stage
stage_of_oneshot(const struct voice *v, uint64_t time_ns)
{
    struct stage s = attack_of(v);

    if (time_ns < s.end_ns)
        return s;
    s = stage_after(&s, v->feel.hold_ms * NS_PER_MS, 1);
    if (time_ns < s.end_ns)
        return s;
    return stage_after(&s, v->feel.decay_ms * NS_PER_MS, 0);
}

static struct stage
stage_of_hold(const struct voice *v, uint64_t time_ns)
{
    struct stage s = attack_of(v);

    if (time_ns < s.end_ns)
        return s;
    s = stage_after(&s, v->feel.decay_ms * NS_PER_MS, v->feel.sustain);
    if (time_ns < s.end_ns)
        return s;
    s.from = s.to;
    s.end_ns = VOICE_NEVER;
    return s;
}

static struct stage
stage_of_pulses(const struct voice *v, uint64_t time_ns)
{
    struct stage s = {v->start_ns, 0, 0, 0, 0};
    uint32_t i;

    for (i = 0; i < v->feel.pulse_count; i++) {
        s.from = s.to = 1;
        s.end_ns += v->feel.pulses[i].on_ms * NS_PER_MS;
        if (time_ns < s.end_ns || i + 1 == v->feel.pulse_count)
            break;
        s.from = s.to = 0;
        s.end_ns += v->feel.pulses[i].off_ms * NS_PER_MS;
        if (time_ns < s.end_ns)
            break;
    }
    return s;
}

static struct stage
stage_of(const struct voice *v, uint64_t time_ns)
{
    struct stage s;

    if (voice_is_releasing(v)) {
        s.length_ns = v->release_for_ns;
        s.end_ns = v->release_ns + v->release_for_ns;
        s.from = v->release_from;
        s.to = 0;
        s.rising = 0;
        return s;
    }
    if (v->feel.mode == EFFECT_HOLD)
        return stage_of_hold(v, time_ns);
    if (v->feel.mode == EFFECT_PULSES)
        return stage_of_pulses(v, time_ns);
    return stage_of_oneshot(v, time_ns);
}

void
voice_start(struct voice *v, const struct effect *feel, uint32_t effect,
            float level, uint64_t time_ns)
{
    memset(v, 0, sizeof(*v));
    v->feel = *feel;
    v->effect = effect;
    v->active = 1;
    v->level = level;
    v->start_ns = time_ns;
    v->alive_until_ns = VOICE_NEVER;
    v->release_ns = VOICE_NEVER;
}

void
voice_return(struct voice *v, float level, uint64_t time_ns)
{
    float heard = voice_shape(v, time_ns) * v->level;

    v->attack_from = level > heard ? heard / level : 1;
    v->level = level;
    v->start_ns = time_ns;
    v->release_ns = VOICE_NEVER;
}

int
voice_is_releasing(const struct voice *v)
{
    return v->release_ns != VOICE_NEVER;
}

void
voice_release(struct voice *v, uint64_t time_ns, uint64_t within_ns)
{
    struct stage now = stage_of(v, time_ns);
    uint64_t left;

    if (v->feel.mode == EFFECT_HOLD && !voice_is_releasing(v))
        left = v->feel.release_ms * NS_PER_MS;
    else
        left = now.end_ns > time_ns ? now.end_ns - time_ns : 0;
    v->release_from = voice_shape(v, time_ns);
    v->release_ns = time_ns;
    v->release_for_ns = least(left, within_ns);
}

void
voice_glide(struct voice *v, const struct effect *feel, uint32_t effect,
            uint64_t time_ns)
{
    float heard[HP_ACTUATOR_KINDS];

    voice_values(v, time_ns, heard); /* it may be gliding now */
    memcpy(v->glide_from, heard, sizeof(heard));
    v->glide_until_ns = time_ns + GLIDE_NS;
    v->feel = *feel;
    v->effect = effect;
    v->outdated = 0;
}

enum voice_end
voice_settle(struct voice *v, uint64_t time_ns)
{
    enum voice_end end = VOICE_GOES_ON;
    struct stage s;
    uint64_t last;

    if (v->feel.mode == EFFECT_HOLD && !voice_is_releasing(v)) {
        last = v->start_ns + v->feel.max_hold_ms * NS_PER_MS;
        end = v->alive_until_ns < last ? VOICE_UNHEARD : VOICE_TOO_LONG;
        last = least(last, v->alive_until_ns);
        if (time_ns < last)
            return VOICE_GOES_ON;
        /* From when it was due, not from when it was noticed. */
        voice_release(v, last, VOICE_NEVER);
    }
    s = stage_of(v, time_ns);
    if (time_ns >= s.end_ns)
        v->active = 0;
    return end;
}

/*
 * What is told stands until the next step, so an attack is one step ahead: an
 * effect is felt at its very start, not four milliseconds later.
 */
float
voice_shape(const struct voice *v, uint64_t time_ns)
{
    struct stage s = stage_of(v, time_ns);
    uint64_t left, done;

    if (time_ns >= s.end_ns || time_ns < v->start_ns)
        return 0;
    if (s.from == s.to)
        return s.to;
    left = s.end_ns - time_ns;
    done = s.length_ns > left ? s.length_ns - left : 0;
    if (s.rising)
        done += VOICE_STEP_NS;
    return lerp(s.from, s.to, done, s.length_ns);
}

/* A hit from the right is felt in the right hand, where a pad's light motor is;
 * a stick is pushed away from it. */
static void
take_side(const struct voice *v, float values[HP_ACTUATOR_KINDS])
{
    float right = v->toward[1], push;

    if (!v->feel.side || (v->toward[0] == 0 && right == 0))
        return;
    values[right > 0 ? HP_ACTUATOR_LOW : HP_ACTUATOR_HIGH] *=
        1 - SIDE_SHARE * fabsf(right);
    push = hypotf(values[HP_ACTUATOR_AXIS_X], values[HP_ACTUATOR_AXIS_Y]);
    values[HP_ACTUATOR_AXIS_X] = -push * right;
    values[HP_ACTUATOR_AXIS_Y] = push * v->toward[0];
}

void
voice_values(const struct voice *v, uint64_t time_ns,
             float values[HP_ACTUATOR_KINDS])
{
    float factor = v->feel.gain * v->level * voice_shape(v, time_ns);
    uint32_t kind;

    for (kind = 0; kind < HP_ACTUATOR_KINDS; kind++)
        values[kind] = v->feel.levels[kind] * factor;
    take_side(v, values);
    if (time_ns >= v->glide_until_ns)
        return;
    for (kind = 0; kind < HP_ACTUATOR_KINDS; kind++)
        values[kind] = lerp(values[kind], v->glide_from[kind],
                            v->glide_until_ns - time_ns, GLIDE_NS);
}

uint64_t
voice_next_ns(const struct voice *v, uint64_t time_ns)
{
    struct stage s = stage_of(v, time_ns);
    uint64_t next = s.end_ns;

    if (time_ns < v->start_ns)
        return v->start_ns;
    if (s.from != s.to || time_ns < v->glide_until_ns)
        next = least(next, time_ns + VOICE_STEP_NS);
    if (v->feel.mode == EFFECT_HOLD && !voice_is_releasing(v)) {
        next = least(next, v->alive_until_ns);
        next = least(next, v->start_ns + v->feel.max_hold_ms * NS_PER_MS);
    }
    return next;
}
