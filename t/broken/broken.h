/*
 * Whole plugins in statics, one for a kind, so that each file beside this one
 * shows just the one thing that is wrong with it. A file defines BROKEN_KIND
 * (agent, cues, ...), includes this, and overrides what it likes: calls of the
 * kind by BROKEN_OPS, those of its life by BROKEN_CREATE and its like.
 */
#ifndef BROKEN_H
#define BROKEN_H

#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "broken"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "breaks one rule"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

struct hp_instance {
    const struct hp_host *host;
    struct hp_limits limits;
    uint64_t count; /* whatever a file wants to count */
    void *block;
    _Atomic int flag;
};

static int
good_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    *out = self;
    return 0;
}

static int
good_start(struct hp_instance *self, const struct hp_limits *limits)
{
    self->limits = *limits;
    self->block = malloc(16);
    return self->block == NULL ? -ENOMEM : 0;
}

static void
good_stop(struct hp_instance *self)
{
    free(self->block);
    self->block = NULL;
}

static void
good_destroy(struct hp_instance *self)
{
    free(self);
}

/* What a file does not override. */
#define BROKEN_PLUGIN(kind_, params_, create_, start_, stop_, destroy_, ops_) \
    HP_PLUGIN_NOTE(kind_, 0); \
    HP_PLUGIN = {HP_PLUGIN_HEAD(kind_, 0), \
                 params_, \
                 create_, \
                 start_, \
                 stop_, \
                 destroy_, \
                 &ops_, \
                 NULL, \
                 NULL}
#define BROKEN_OPS_ONLY(kind_, ops_) \
    BROKEN_PLUGIN(kind_, BROKEN_NO_PARAMS, good_create, good_start, good_stop, \
                  good_destroy, ops_)
#define BROKEN_NO_PARAMS HP_NO_PARAMS

/* ---- an agent ---- */

static void
good_idle(struct hp_instance *self, const struct hp_status *status,
          uint64_t budget_ns)
{
    self->count += status->peers + budget_ns;
}

static const struct hp_agent_ops good_agent = {sizeof(good_agent), 0,
                                               good_idle};

/* ---- cues ---- */

static void
play(struct hp_effect_sink *sink, const char *effect, uint64_t tick,
     float level)
{
    if (sink->count < sink->capacity)
        sink->commands[sink->count++] =
            (struct hp_effect_command){.effect = effect,
                                       .cause_tick = tick,
                                       .action = HP_EFFECT_PLAY,
                                       .level = level};
}

static void
good_cues_input(struct hp_instance *self, const struct hp_tick *tick,
                const struct hp_input *input, const void *own,
                struct hp_effect_sink *sink)
{
    if (input->buttons & HP_BUTTON_GUN)
        play(sink, "gun_burst", tick->index, 1);
}

static void
good_cues_snapshot(struct hp_instance *self, const struct hp_view *view,
                   const void *own, struct hp_effect_sink *sink)
{
    if (view->event_count > 0)
        play(sink, "hit_taken", view->tick, 1);
}

#define GOOD_CUES \
    .size = sizeof(struct hp_cues_ops), .input = good_cues_input, \
    .snapshot = good_cues_snapshot

/* ---- haptics ---- */

static int
good_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    if (sink->capacity < 1)
        return -ENOSPC;
    sink->devices[0] =
        (struct hp_device){.generation = 1,
                           .flags = HP_DEVICE_HOLDS_DEADLINE,
                           .actuator_count = 1,
                           .stable_id = "broken:0",
                           .name = "broken",
                           .actuators = {{.kind = HP_ACTUATOR_LOW}}};
    sink->count = 1;
    return 0;
}

static int
good_render(struct hp_instance *self, const struct hp_levels *levels)
{
    return 0;
}

static int
good_silence(struct hp_instance *self)
{
    return 0;
}

#define GOOD_HAPTICS \
    .size = sizeof(struct hp_haptics_ops), .devices = good_devices, \
    .render = good_render, .silence = good_silence

/* ---- input ---- */

static int
good_poll(struct hp_instance *self, const struct hp_tick *tick,
          struct hp_input *out)
{
    out->axes[HP_AXIS_ROLL] = (int16_t)(tick->index % 1000);
    return 0;
}

#define GOOD_INPUT .size = sizeof(struct hp_input_ops), .poll = good_poll

#endif
