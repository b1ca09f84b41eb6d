/* Watches that all it is shown is a number, tells the sum when it stops; or
 * asks for effects that make no sense. */
#define HP_NAME   "wild"
#define WILD_KIND HP_KIND_CUES
#define WILD_STOP cues_stop
#include <hardpoint/plugin.h>
static void cues_stop(struct hp_instance *self);
#include "wild.h"
#include <math.h>
#include <stdio.h>

static int
all_finite(const float *values, int count)
{
    int i;

    for (i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return 0;
    return 1;
}

static int
is_sound(const struct hp_entity *e)
{
    return isfinite(e->position_m[0]) && isfinite(e->position_m[1]) &&
           isfinite(e->position_m[2]) && all_finite(e->attitude, 4) &&
           all_finite(e->velocity_mps, 3) && all_finite(e->rates_rps, 3);
}

static void
ask_for_nonsense(struct hp_effect_sink *sink)
{
    const float odd[] = {NAN, INFINITY, -INFINITY, 1e38f};
    uint32_t i;

    for (i = 0; i < sink->capacity; i++)
        sink->commands[i] = (struct hp_effect_command){
            .effect = i % 5 == 0   ? NULL
                      : i % 5 == 1 ? ""
                                   : "gun_burst",
            .action = i % 7,
            .flags = UINT32_MAX,
            .level = odd[i % 4],
            .direction = {odd[i % 4], odd[(i + 1) % 4], odd[(i + 2) % 4]},
        };
    sink->count = UINT32_MAX;
}

static void
cues_input(struct hp_instance *self, const struct hp_tick *tick,
           const struct hp_input *input, const void *own,
           struct hp_effect_sink *sink)
{
    (void)input;
    (void)sink;
    wild_harm(self, tick->index);
    if (own != NULL)
        self->bad += !is_sound(own);
}

static void
cues_snapshot(struct hp_instance *self, const struct hp_view *view,
              const void *own, struct hp_effect_sink *sink)
{
    const char *at = view->entities;
    uint32_t i;

    (void)own;
    wild_scribble(self, view);
    self->seen++;
    for (i = 0; i < view->count; i++, at += view->stride)
        self->bad +=
            !is_sound((const void *)at) ||
            !isfinite(
                *(const float *)(const void *)(at + sizeof(struct hp_entity)));
    for (i = 0; i < view->event_count; i++)
        self->bad += !isfinite(view->events[i].strength) ||
                     !all_finite(view->events[i].direction, 3);
    if (view->tick >= WILD_TICK && wild_does(self, "nonsense"))
        ask_for_nonsense(sink);
}

static void
cues_stop(struct hp_instance *self)
{
    char line[80];

    snprintf(line, sizeof(line), "%lu views, %lu not finite", self->seen,
             self->bad);
    self->host->log(self->host, HP_LOG_INFO, line);
}

static const struct hp_cues_ops ops = {
    .size = sizeof(ops),
    .input = cues_input,
    .snapshot = cues_snapshot,
};

WILD_PLUGIN;
