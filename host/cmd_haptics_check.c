/* `hardpoint haptics check`: for every effect and device, what will move. */
#include "cmd.h"
#include "cmd_haptics.h"
#include "effects_rows.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LIMIT_FROM 0.9f /* as in the mixer; alone no shipped effect is above */

/* What was adapted, in words. */
struct notes {
    char text[240];
    size_t used;
};

static void note(struct notes *n, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
note(struct notes *n, const char *format, ...)
{
    va_list args;
    int wrote;

    if (n->used + 4 >= sizeof(n->text))
        return;
    if (n->used > 0)
        n->used += (size_t)snprintf(n->text + n->used,
                                    sizeof(n->text) - n->used, ", ");
    va_start(args, format);
    wrote =
        vsnprintf(n->text + n->used, sizeof(n->text) - n->used, format, args);
    va_end(args);
    if (wrote > 0)
        n->used += (size_t)wrote;
    if (n->used >= sizeof(n->text))
        n->used = sizeof(n->text) - 1;
}

/* The level that the motor is told at full strength. */
static float
shaped(const struct effect *e, const struct hp_actuator *a,
       const struct effect_curve *c, struct notes *n)
{
    float level = e->levels[a->kind] * e->gain, full, x;

    if (!(a->flags & HP_ACTUATOR_SIGNED))
        level = fabsf(level);
    full = c->full > c->min ? c->full : c->min;
    x = fminf(fabsf(level) * c->gain, 1);
    if (c->gamma != 1)
        x = powf(x, c->gamma);
    x = c->min + (full - c->min) * x;
    if (x > c->ceiling)
        note(n, "held to %g by the ceiling", (double)c->ceiling);
    return copysignf(fminf(x, c->ceiling), level);
}

static void
note_times(const struct effect *e, const struct effect_curve *c,
           struct notes *n)
{
    uint32_t i, on = e->attack_ms + e->hold_ms + e->decay_ms, off = UINT32_MAX;

    for (i = 0; i < e->pulse_count; i++) {
        on = i == 0 || e->pulses[i].on_ms < on ? e->pulses[i].on_ms : on;
        if (i + 1 < e->pulse_count && e->pulses[i].off_ms < off)
            off = e->pulses[i].off_ms;
    }
    if (e->mode != EFFECT_HOLD && on < c->pulse_min_ms)
        note(n, "%u ms stretched to %u", on, c->pulse_min_ms);
    if (off < c->gap_min_ms)
        note(n, "gaps of %u ms stretched to %u", off, c->gap_min_ms);
    if (c->kick > 0 && c->kick_ms > 0)
        note(n, "kicked to %g for %u ms", (double)c->kick, c->kick_ms);
    if (c->slew_ms > 0)
        note(n, "rises in %u ms at least", c->slew_ms);
}

static void
note_frequency(const struct effect *e, const struct hp_actuator *a,
               struct notes *n)
{
    float fitted = e->frequency_hz;

    if (e->frequency_hz <= 0 || !(a->flags & HP_ACTUATOR_FREQUENCY) ||
        a->frequency_max_hz <= 0)
        return;
    fitted = fminf(fmaxf(fitted, a->frequency_min_hz), a->frequency_max_hz);
    if (fitted != e->frequency_hz)
        note(n, "%g Hz becomes %g", (double)e->frequency_hz, (double)fitted);
}

/* Returns whether it moves. */
static int
check_actuator(const struct effects *set, const struct effect *e,
               const struct hp_device *d, const struct hp_actuator *a)
{
    struct effect_curve curve;
    struct notes n = {{0}, 0};
    float level;

    if (a->kind == 0 || a->kind >= HP_ACTUATOR_KINDS ||
        e->levels[a->kind] == 0 || e->gain == 0)
        return 0;
    effects_curve(set, a, d->vendor, d->product, &curve);
    level = shaped(e, a, &curve, &n);
    note_times(e, &curve, &n);
    note_frequency(e, a, &n);
    printf("    %-10s %6.3f%s%s\n", effects_actuator_name(a->kind),
           (double)level, n.used > 0 ? "   " : "", n.text);
    return 1;
}

static int
check_device(const struct rig *r, const struct effect *e, uint32_t index)
{
    char id[97];
    const struct hp_device *d;
    uint32_t backend, i;
    int moves = 0;

    d = haptics_device(r->haptics, index, &backend);
    printf("  %s (%s)\n", cmd_haptics_tidy(id, d->stable_id),
           r->backends[backend]->table->name);
    for (i = 0; i < d->actuator_count; i++)
        moves += check_actuator(r->effects, e, d, &d->actuators[i]);
    if (moves == 0)
        printf("    nothing: it has no actuator that this effect moves\n");
    return moves;
}

int
cmd_haptics_check(const struct rig *r)
{
    uint32_t i, d, silent = 0, moves;

    for (i = 0; i < r->effects->count; i++) {
        printf("%s: %s, class %s, priority %d\n", r->effects->list[i].name,
               effects_mode_name(r->effects->list[i].mode),
               r->effects->list[i].class_name, r->effects->list[i].priority);
        moves = 0;
        for (d = 0; d < haptics_device_count(r->haptics); d++)
            moves += (uint32_t)check_device(r, &r->effects->list[i], d);
        silent += moves == 0;
    }
    printf("%u effects, %u devices, %u effects felt nowhere\n",
           r->effects->count, haptics_device_count(r->haptics), silent);
    return silent > 0 ? CMD_NO : CMD_OK;
}
