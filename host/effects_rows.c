#include "effects_rows.h"
#include <errno.h>
#include <ini/ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONESHOT (1u << EFFECT_ONESHOT)
#define PULSES  (1u << EFFECT_PULSES)
#define HOLD    (1u << EFFECT_HOLD)
#define ANY     (ONESHOT | PULSES | HOLD)

#define GLOBAL(member) offsetof(struct effects_globals, member)
#define FIELD(member)  offsetof(struct effect, member)
#define CURVE(member)  offsetof(struct effect_curve, member)
#define LEVEL(kind)    offsetof(struct effect, levels[kind])

const char *const effects_class_names[EFFECTS_CLASSES] = {
    "weapon", "warning", "impact", "airframe", "engine", "system"};

static const char *const mode_names[] = {"oneshot", "pulses", "hold"};
static const char *const repeat_names[] = {"restart", "ignore", "queue"};
static const char *const exclusive_names[] = {"no", "gaps"};
static const char *const yes_names[] = {"no", "yes"};

/* clang-format off */
static const struct effects_row global_rows[] = {
    {"master", "", "multiplies every effect",
     0, 1, EFFECTS_REAL, 0, 0, GLOBAL(master)},
    {"keepalive_ms", "ms", "a hold ends this long after its last update",
     50, 2000, EFFECTS_WHOLE, 0, 0, GLOBAL(keepalive_ms)},
    {"gain.weapon", "", "multiplies the effects of the class weapon",
     0, 1, EFFECTS_REAL, 0, 0, GLOBAL(gains[0])},
    {"gain.warning", "", "multiplies the effects of the class warning",
     0, 1, EFFECTS_REAL, 0, 0, GLOBAL(gains[1])},
    {"gain.impact", "", "multiplies the effects of the class impact",
     0, 1, EFFECTS_REAL, 0, 0, GLOBAL(gains[2])},
    {"gain.airframe", "", "multiplies the effects of the class airframe",
     0, 1, EFFECTS_REAL, 0, 0, GLOBAL(gains[3])},
    {"gain.engine", "", "multiplies the effects of the class engine",
     0, 1, EFFECTS_REAL, 0, 0, GLOBAL(gains[4])},
    {"gain.system", "", "multiplies the effects of the class system",
     0, 1, EFFECTS_REAL, 0, 0, GLOBAL(gains[5])},
};

static const struct effects_row rows[] = {
    {"class", "", "which gain of [haptics] it takes",
     0, 0, EFFECTS_CLASS, 0, ANY, FIELD(class_name)},
    {"priority", "", "a higher one may end a lower one when voices run out",
     0, 100, EFFECTS_WHOLE, 0, 0, FIELD(priority)},
    {"mode", "", "how it runs",
     0, 0, EFFECTS_MODE, 0, ANY, FIELD(mode)},
    {"low", "", "strength on the heavy, slow motor",
     0, 1, EFFECTS_REAL, 0, 0, LEVEL(HP_ACTUATOR_LOW)},
    {"high", "", "strength on the light, fast motor",
     0, 1, EFFECTS_REAL, 0, 0, LEVEL(HP_ACTUATOR_HIGH)},
    {"trigger_l", "", "strength on the left trigger's motor",
     0, 1, EFFECTS_REAL, 0, 0, LEVEL(HP_ACTUATOR_TRIGGER_L)},
    {"trigger_r", "", "strength on the right trigger's motor",
     0, 1, EFFECTS_REAL, 0, 0, LEVEL(HP_ACTUATOR_TRIGGER_R)},
    {"axis_x", "", "force on the stick to the right",
     -1, 1, EFFECTS_REAL, 0, 0, LEVEL(HP_ACTUATOR_AXIS_X)},
    {"axis_y", "", "force on the stick to the rear",
     -1, 1, EFFECTS_REAL, 0, 0, LEVEL(HP_ACTUATOR_AXIS_Y)},
    {"audio", "", "strength on a shaker's channel",
     0, 1, EFFECTS_REAL, 0, 0, LEVEL(HP_ACTUATOR_AUDIO)},
    {"generic", "", "strength on an actuator of no other kind",
     0, 1, EFFECTS_REAL, 0, 0, LEVEL(HP_ACTUATOR_GENERIC)},
    {"frequency_hz", "Hz", "for actuators that take one",
     1, 1000, EFFECTS_REAL, 0, 0, FIELD(frequency_hz)},
    {"attack_ms", "ms", "from nothing to full strength",
     0, 10000, EFFECTS_WHOLE, ONESHOT | HOLD, 0, FIELD(attack_ms)},
    {"hold_ms", "ms", "at full strength",
     0, 10000, EFFECTS_WHOLE, ONESHOT, 0, FIELD(hold_ms)},
    {"decay_ms", "ms", "from full strength to nothing, or to sustain",
     0, 10000, EFFECTS_WHOLE, ONESHOT | HOLD, 0, FIELD(decay_ms)},
    {"sustain", "", "share of full strength that a hold stays at",
     0, 1, EFFECTS_REAL, HOLD, 0, FIELD(sustain)},
    {"release_ms", "ms", "from there to nothing, once let go",
     0, 5000, EFFECTS_WHOLE, HOLD, 0, FIELD(release_ms)},
    {"again_after_ms", "ms", "a start sooner than this is ignored",
     0, 600000, EFFECTS_WHOLE, 0, 0, FIELD(again_after_ms)},
    {"max_hold_ms", "ms", "a hold ends after this, kept alive or not",
     100, 3600000, EFFECTS_WHOLE, HOLD, 0, FIELD(max_hold_ms)},
    {"pulses", "", "ON/OFF in ms, up to 8 of them",
     1, 5000, EFFECTS_PULSES, PULSES, PULSES, FIELD(pulses)},
    {"duck", "", "how far it turns down lower priorities where it is felt",
     0, 1, EFFECTS_REAL, 0, 0, FIELD(duck)},
    {"exclusive", "", "whether it does so in its gaps too",
     0, 0, EFFECTS_EXCLUSIVE, PULSES, 0, FIELD(exclusive)},
    {"side", "", "stronger on the side it comes from",
     0, 0, EFFECTS_YES, 0, 0, FIELD(side)},
    {"repeat", "", "what a start does when it sounds limit times already",
     0, 0, EFFECTS_REPEAT, ONESHOT | PULSES, 0, FIELD(repeat)},
    {"limit", "", "how many of it sound at once",
     1, 8, EFFECTS_WHOLE, ONESHOT, 0, FIELD(limit)},
    {"spacing_ms", "ms", "between the starts of a queue",
     0, 1000, EFFECTS_WHOLE, ONESHOT, 0, FIELD(spacing_ms)},
};

static const struct effects_row curve_rows[] = {
    {"min", "", "the level at which it begins to be felt",
     0, 1, EFFECTS_REAL, 0, 0, CURVE(min)},
    {"full", "", "the level of full strength",
     0.05, 1, EFFECTS_REAL, 0, 0, CURVE(full)},
    {"gamma", "", "above 1: weak levels weaker",
     0.2, 5, EFFECTS_REAL, 0, 0, CURVE(gamma)},
    {"gain", "", "multiplies every level",
     0, 1, EFFECTS_REAL, 0, 0, CURVE(gain)},
    {"ceiling", "", "never more than this",
     0, 1, EFFECTS_REAL, 0, 0, CURVE(ceiling)},
    {"kick", "", "level at each start, to get a motor turning",
     0, 1, EFFECTS_REAL, 0, 0, CURVE(kick)},
    {"kick_ms", "ms", "for how long",
     0, 500, EFFECTS_WHOLE, 0, 0, CURVE(kick_ms)},
    {"pulse_min_ms", "ms", "a shorter pulse is stretched to this",
     0, 500, EFFECTS_WHOLE, 0, 0, CURVE(pulse_min_ms)},
    {"gap_min_ms", "ms", "a shorter gap is stretched to this",
     0, 500, EFFECTS_WHOLE, 0, 0, CURVE(gap_min_ms)},
    {"slew_ms", "ms", "a force takes at least this from none to full",
     0, 2000, EFFECTS_WHOLE, 0, 0, CURVE(slew_ms)},
};
/* clang-format on */

#define ROWS (sizeof(rows) / sizeof(rows[0]))

_Static_assert(ROWS <= EFFECTS_ROWS_MAX,
               "the reader remembers where each was seen");

const struct effects_row *
effects_global_rows(uint32_t *count)
{
    *count = sizeof(global_rows) / sizeof(global_rows[0]);
    return global_rows;
}

const struct effects_row *
effects_rows(uint32_t *count)
{
    *count = ROWS;
    return rows;
}

const struct effects_row *
effects_curve_rows(uint32_t *count)
{
    *count = sizeof(curve_rows) / sizeof(curve_rows[0]);
    return curve_rows;
}

uint32_t
effects_actuator_kind(const char *name)
{
    const char *known;
    uint32_t kind;

    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++) {
        known = effects_actuator_name(kind);
        if (known != NULL && strcmp(known, name) == 0)
            return kind;
    }
    return 0;
}

const char *
effects_mode_name(enum effect_mode mode)
{
    return mode >= EFFECT_ONESHOT && mode <= EFFECT_HOLD ? mode_names[mode - 1]
                                                         : NULL;
}

const char *
effects_actuator_name(uint32_t kind)
{
    size_t i;

    for (i = 0; kind > 0 && kind < HP_ACTUATOR_KINDS && i < ROWS; i++)
        if (rows[i].offset == LEVEL(kind))
            return rows[i].name;
    return NULL;
}

/* What the reader complains about, as it goes. */
struct complaint {
    const struct effects_row *row;
    const char *text; /* the whole value */
    char *why;
    size_t why_bytes;
};

static int
not_a_number(const struct complaint *c)
{
    const struct effects_row *row = c->row;

    snprintf(c->why, c->why_bytes,
             "%s: \"%.40s\" is not a %s, expected %g to %g%s%s (%s)", row->name,
             c->text, row->type == EFFECTS_REAL ? "number" : "whole number",
             row->minimum, row->maximum, *row->unit ? " " : "", row->unit,
             row->sentence);
    return -EINVAL;
}

static int
out_of_range(const struct complaint *c)
{
    const struct effects_row *row = c->row;

    snprintf(c->why, c->why_bytes,
             "%s: %.40s is out of range, expected %g to %g%s%s (%s)", row->name,
             c->text, row->minimum, row->maximum, *row->unit ? " " : "",
             row->unit, row->sentence);
    return -EINVAL;
}

static int
parse_real(const struct complaint *c, float *out)
{
    double value;
    int err = ini_parse_real(c->text, c->row->unit, &value, NULL);

    if (err == -EINVAL)
        return not_a_number(c);
    if (err < 0 || !(value >= c->row->minimum && value <= c->row->maximum))
        return out_of_range(c);
    *out = (float)value;
    return 0;
}

static int
parse_whole(const struct complaint *c, void *out)
{
    long long value;
    int err = ini_parse_int(c->text, c->row->unit, &value, NULL);
    int32_t whole;

    if (err == -EINVAL)
        return not_a_number(c);
    if (err < 0 || (double)value < c->row->minimum ||
        (double)value > c->row->maximum)
        return out_of_range(c);
    whole = (int32_t)value;
    memcpy(out, &whole, sizeof(whole));
    return 0;
}

/* The place of a word in a list; -EINVAL, and the list is told. */
static int
parse_word(const struct complaint *c, const char *const *words, uint32_t count)
{
    const char *near = ini_nearest(c->text, words, count, sizeof(*words));
    char all[128];
    size_t used = 0;
    uint32_t i;

    for (i = 0; i < count; i++) {
        if (strcmp(c->text, words[i]) == 0)
            return (int)i;
        used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
                                 i ? ", " : "", words[i]);
    }
    snprintf(c->why, c->why_bytes, "%s: \"%.40s\" is none of %s%s%s%s",
             c->row->name, c->text, all, near ? "; did you mean \"" : "",
             near ? near : "", near ? "\"?" : "");
    return -EINVAL;
}

static int
bad_pulse(const struct complaint *c, const char *at, const char *found)
{
    snprintf(c->why, c->why_bytes,
             "pulses: %s at \"%.20s\", expected up to %d of ON/OFF in ms, ON 1 "
             "to 5000, OFF 0 to 5000, as in 50/70 50/70",
             found, at, EFFECT_PULSES_MAX);
    return -EINVAL;
}

/* Digits only: 0 to 5000. Moves past them. -1: none there, or too large. */
static long
take_ms(const char **text)
{
    const char *p = *text;
    long value = 0;

    while (*p >= '0' && *p <= '9' && value <= 5000)
        value = value * 10 + (*p++ - '0');
    if (p == *text || value > 5000)
        return -1;
    *text = p;
    return value;
}

static int
parse_pulses(const struct complaint *c, struct effect *effect, int *at)
{
    const char *p = c->text, *start;
    uint32_t count = 0;
    long on, off;

    while (*(p += strspn(p, " \t")) != 0) {
        start = p;
        *at = (int)(p - c->text);
        if (count == EFFECT_PULSES_MAX)
            return bad_pulse(c, start, "one too many");
        on = take_ms(&p);
        if (on < 1 || *p++ != '/')
            return bad_pulse(c, start, "no such pulse");
        off = take_ms(&p);
        if (off < 0 || (*p != 0 && *p != ' ' && *p != '\t'))
            return bad_pulse(c, start, "no such pulse");
        effect->pulses[count].on_ms = (uint32_t)on;
        effect->pulses[count++].off_ms = (uint32_t)off;
    }
    if (count == 0)
        return bad_pulse(c, "", "nothing");
    effect->pulse_count = count;
    return 0;
}

static int
take_place(int place, void *field)
{
    if (place < 0)
        return place;
    memcpy(field, &place, sizeof(place));
    return 0;
}

int
effects_row_parse(const struct effects_row *row, const char *text, void *target,
                  char *why, size_t why_bytes, int *at)
{
    struct complaint c = {row, text, why, why_bytes};
    struct effect *effect = target;
    char *field = (char *)target + row->offset;
    int place;

    *at = 0;
    switch (row->type) {
    case EFFECTS_REAL:
        return parse_real(&c, (float *)(void *)field);
    case EFFECTS_WHOLE:
        return parse_whole(&c, field);
    case EFFECTS_CLASS:
        place = parse_word(&c, effects_class_names, EFFECTS_CLASSES);
        if (place >= 0)
            snprintf(effect->class_name, sizeof(effect->class_name), "%s",
                     effects_class_names[place]);
        return place < 0 ? place : 0;
    case EFFECTS_MODE:
        place = parse_word(&c, mode_names, 3);
        if (place >= 0)
            effect->mode = (enum effect_mode)(place + 1);
        return place < 0 ? place : 0;
    case EFFECTS_PULSES:
        return parse_pulses(&c, effect, at);
    case EFFECTS_REPEAT:
        place = parse_word(&c, repeat_names, 3);
        if (place >= 0)
            effect->repeat = (enum effect_repeat)(place + 1);
        return place < 0 ? place : 0;
    case EFFECTS_EXCLUSIVE:
        place = parse_word(&c, exclusive_names, 2);
        return take_place(place, field);
    case EFFECTS_YES:
        place = parse_word(&c, yes_names, 2);
        return take_place(place, field);
    }
    return -EINVAL;
}
