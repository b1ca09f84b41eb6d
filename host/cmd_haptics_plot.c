/*
 * `hardpoint haptics plot`: a picture of effects.ini. Each effect alone, and
 * three at once, as the mixer itself renders them for motors that can show
 * everything: what a device makes of it is `hardpoint haptics check`'s to tell.
 */
#include "cmd.h"
#include "cmd_haptics.h"
#include "effects_rows.h"
#include "mixer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000ull
#define STEP_MS   4
#define ALONE_MS  1000 /* shown of each effect */
#define HELD_MS   600  /* a hold is let go then */
#define MIX_MS    1400
#define ACTUATORS 6

#define COLUMNS 4
#define PANEL_W 250
#define PANEL_H 120
#define PLOT_W  230
#define PLOT_H  80
#define MARGIN  20
#define LEGEND  40
#define MIX_H   130

static const uint32_t shown[ACTUATORS] = {
    HP_ACTUATOR_LOW,    HP_ACTUATOR_HIGH,   HP_ACTUATOR_TRIGGER_L,
    HP_ACTUATOR_AXIS_X, HP_ACTUATOR_AXIS_Y, HP_ACTUATOR_AUDIO};
static const char *const colours[ACTUATORS] = {"#1b6ca8", "#e07b00", "#7a3fa0",
                                               "#2a9d4a", "#c0392b", "#555555"};

/* Levels over time, of each actuator. */
struct trace {
    uint32_t count;
    float levels[MIX_MS / STEP_MS + 1][ACTUATORS];
};

struct cue {
    const struct effect *effect;
    uint32_t at_ms;
};

/* A device that shows everything as it is told. */
static void
ideal_device(struct hp_device *d)
{
    uint32_t i;

    memset(d, 0, sizeof(*d));
    d->actuator_count = ACTUATORS;
    for (i = 0; i < ACTUATORS; i++) {
        d->actuators[i].kind = shown[i];
        if (shown[i] == HP_ACTUATOR_AXIS_X || shown[i] == HP_ACTUATOR_AXIS_Y)
            d->actuators[i].flags = HP_ACTUATOR_SIGNED;
    }
}

static void
tell(struct mixer *m, const struct cue *c, uint32_t ms)
{
    struct hp_effect_command command = {.effect = c->effect->name, .level = 1};
    int is_hold = c->effect->mode == EFFECT_HOLD;

    if (is_hold && ms >= c->at_ms && ms < c->at_ms + HELD_MS)
        command.action = HP_EFFECT_HOLD;
    else if (is_hold && ms == c->at_ms + HELD_MS)
        command.action = HP_EFFECT_RELEASE;
    else if (!is_hold && ms == c->at_ms)
        command.action = HP_EFFECT_PLAY;
    else
        return;
    command.cause_tick = ms + 1;
    mixer_command(m, &command, 0, (uint64_t)(ms + 1) * NS_PER_MS);
}

static int
render(const struct effects *set, const struct cue *cues, uint32_t cue_count,
       uint32_t length_ms, struct trace *out)
{
    float now[ACTUATORS] = {0};
    struct hp_device device;
    struct hp_levels levels;
    struct mixer *m = NULL;
    uint32_t ms, i;
    int err = mixer_create(&m, set, 16 * NS_PER_MS);

    if (err < 0)
        return err;
    ideal_device(&device);
    mixer_set_devices(m, &device, 1);
    out->count = 0;
    for (ms = 0; ms <= length_ms; ms += STEP_MS) {
        for (i = 0; i < cue_count; i++)
            tell(m, &cues[i], ms);
        mixer_render(m, (uint64_t)(ms + 1) * NS_PER_MS, &levels);
        for (i = 0; i < levels.count; i++)
            now[levels.levels[i].actuator] = levels.levels[i].level;
        memcpy(out->levels[out->count++], now, sizeof(now));
    }
    mixer_destroy(m);
    return 0;
}

/* ---- the picture ---- */

static int
is_used(const struct trace *t, uint32_t actuator)
{
    uint32_t i;

    for (i = 0; i < t->count; i++)
        if (t->levels[i][actuator] != 0)
            return 1;
    return 0;
}

/* A force may be below none: its line is in the middle. */
static double
height_of(uint32_t actuator, float level)
{
    int is_force = shown[actuator] == HP_ACTUATOR_AXIS_X ||
                   shown[actuator] == HP_ACTUATOR_AXIS_Y;

    return is_force ? PLOT_H * (0.5 - (double)level / 2)
                    : PLOT_H * (1 - (double)level);
}

static void
draw_line(FILE *to, const struct trace *t, uint32_t actuator, double width,
          const char *more)
{
    double x, y, before = -1;
    uint32_t i;

    fprintf(to,
            "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" %s"
            "points=\"",
            colours[actuator], width, more);
    for (i = 0; i < t->count; i++) {
        x = width > 2 || t->count > ALONE_MS / STEP_MS + 1
                ? (double)i * (COLUMNS * PANEL_W - MARGIN) / t->count
                : (double)i * PLOT_W / t->count;
        y = height_of(actuator, t->levels[i][actuator]);
        if (before >= 0)
            fprintf(to, "%.1f,%.1f ", x, before); /* a step, not a slope */
        fprintf(to, "%.1f,%.1f ", x, y);
        before = y;
    }
    fprintf(to, "\"/>\n");
}

static void
draw_frame(FILE *to, int width, uint32_t length_ms)
{
    uint32_t ms;

    fprintf(to,
            "<rect width=\"%d\" height=\"%d\" fill=\"#fafafa\" "
            "stroke=\"#ccc\"/>\n",
            width, PLOT_H);
    for (ms = 200; ms < length_ms; ms += 200)
        fprintf(to,
                "<line x1=\"%u\" x2=\"%u\" y1=\"0\" y2=\"%d\" "
                "stroke=\"#e4e4e4\"/>\n",
                ms * (unsigned)width / length_ms,
                ms * (unsigned)width / length_ms, PLOT_H);
}

static void
draw_effect(FILE *to, const struct effect *e, const struct trace *t, int x,
            int y)
{
    uint32_t i;

    fprintf(to, "<g transform=\"translate(%d,%d)\">\n", x, y);
    draw_frame(to, PLOT_W, ALONE_MS);
    fprintf(to,
            "<text x=\"2\" y=\"-4\">%s</text><text x=\"%d\" y=\"-4\" "
            "text-anchor=\"end\" fill=\"#888\">%s, priority %d</text>\n",
            e->name, PLOT_W, effects_mode_name(e->mode), e->priority);
    for (i = 0; i < ACTUATORS; i++)
        if (is_used(t, i))
            draw_line(to, t, i, 1.5, "");
    fprintf(to, "</g>\n");
}

static void
draw_legend(FILE *to)
{
    uint32_t i;

    for (i = 0; i < ACTUATORS; i++)
        fprintf(to,
                "<rect x=\"%u\" y=\"10\" width=\"14\" height=\"4\" "
                "fill=\"%s\"/><text x=\"%u\" y=\"16\">%s</text>\n",
                MARGIN + i * 100, colours[i], MARGIN + 18 + i * 100,
                shown[i] == HP_ACTUATOR_TRIGGER_L
                    ? "triggers"
                    : effects_actuator_name(shown[i]));
    fprintf(to,
            "<text x=\"%u\" y=\"16\" fill=\"#888\">a line each 200 ms; "
            "forces around the middle</text>\n",
            MARGIN + ACTUATORS * 100);
}

/* Dotted: each alone. Whole: what is left of all three. */
static int
draw_mix(FILE *to, const struct effects *set, const struct cue *cues,
         uint32_t count, int y)
{
    struct trace *t = calloc(1, sizeof(*t));
    uint32_t i, actuator;
    int err = t == NULL ? -ENOMEM : 0;

    for (actuator = 0; err == 0 && actuator < 2; actuator++) {
        fprintf(to, "<g transform=\"translate(%d,%d)\">\n", MARGIN / 2,
                y + (int)actuator * MIX_H);
        draw_frame(to, COLUMNS * PANEL_W - MARGIN, MIX_MS);
        fprintf(to, "<text x=\"2\" y=\"-4\">%s: ",
                effects_actuator_name(shown[actuator]));
        for (i = 0; i < count; i++)
            fprintf(to, "%s%s at %u ms", i ? ", " : "", cues[i].effect->name,
                    cues[i].at_ms);
        fprintf(to, "; dashed each alone, whole what is felt</text>\n");
        for (i = 0; err == 0 && i < count; i++) {
            err = render(set, &cues[i], 1, MIX_MS, t);
            if (err == 0)
                draw_line(to, t, actuator, 1, "stroke-dasharray=\"4 3\" ");
        }
        if (err == 0)
            err = render(set, cues, count, MIX_MS, t);
        if (err == 0)
            draw_line(to, t, actuator, 2.5, "");
        fprintf(to, "</g>\n");
    }
    free(t);
    return err;
}

/* The first hold that the heavy motor feels, a train into it, and the first
 * one-shot that both motors feel, into both. */
static uint32_t
choose_three(const struct effects *set, struct cue *cues)
{
    static const enum effect_mode modes[] = {EFFECT_HOLD, EFFECT_PULSES,
                                             EFFECT_ONESHOT};
    static const uint32_t at_ms[] = {0, 200, 400};
    const struct effect *e;
    uint32_t i, m, count = 0;

    for (m = 0; m < 3; m++) {
        for (i = 0; i < set->count; i++) {
            e = &set->list[i];
            if (e->mode == modes[m] && e->levels[HP_ACTUATOR_LOW] > 0)
                break;
        }
        if (i < set->count)
            cues[count++] = (struct cue){&set->list[i], at_ms[m]};
    }
    return count;
}

static int
draw(FILE *to, const struct effects *set)
{
    int rows = ((int)set->count + COLUMNS - 1) / COLUMNS;
    int mix_y = LEGEND + rows * PANEL_H + 20, err = 0;
    struct trace *t = calloc(1, sizeof(*t));
    struct cue cues[3];
    uint32_t i;

    if (t == NULL)
        return -ENOMEM;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            COLUMNS * PANEL_W, mix_y + 2 * MIX_H);
    draw_legend(to);
    for (i = 0; err == 0 && i < set->count; i++) {
        cues[0] = (struct cue){&set->list[i], 0};
        err = render(set, cues, 1, ALONE_MS, t);
        if (err == 0)
            draw_effect(to, &set->list[i], t,
                        MARGIN / 2 + (int)(i % COLUMNS) * PANEL_W,
                        LEGEND + 14 + (int)(i / COLUMNS) * PANEL_H);
    }
    if (err == 0)
        err = draw_mix(to, set, cues, choose_three(set, cues), mix_y);
    fprintf(to, "</svg>\n");
    free(t);
    return err;
}

int
cmd_haptics_plot(const char *path)
{
    struct effects *set = NULL;
    int err = effects_load(&set, path, stderr);

    if (err == -EINVAL)
        return CMD_CONFIG; /* told */
    if (err < 0) {
        fprintf(stderr, "%s: error: cannot be read: %s\n", path,
                strerror(-err));
        return CMD_NO_INPUT;
    }
    set->curve_count = 0;
    err = draw(stdout, set);
    effects_destroy(set);
    return err < 0 ? CMD_PLUGIN : CMD_OK;
}
