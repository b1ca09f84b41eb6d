/*
 * cues_probe - no pilot's cue: plays one effect from inputs and another from
 * snapshots at a steady pace, so that `hardpoint bench` has enough of both
 * paths to measure.
 */
#include <errno.h>
#include <hardpoint/cues.h>
#include <stdlib.h>

#define HP_NAME    "probe"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "plays effects at a steady pace, for the bench"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

#define COMMAND_EFFECT "gun_burst"
#define EVENT_EFFECT   "hit_taken"

static const struct hp_param params[] = {
    {
     .name = "every_ms",
     .unit = "ms",
     .preset = "200",
     .sentence = "How often each of the two effects is played.",
     .minimum = 10,
     .maximum = 60000,
     .type = HP_PARAM_INT,
     },
};

struct hp_instance {
    int64_t every_ms;
    uint64_t every_ticks;
    uint64_t next_input, next_snapshot; /* ticks at which to play */
};

static int
probe_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    int err;

    if (self == NULL)
        return -ENOMEM;
    err = host->param_int(host, "every_ms", 0, &self->every_ms);
    if (err < 0) {
        free(self);
        return err;
    }
    *out = self;
    return 0;
}

static int
probe_start(struct hp_instance *self, const struct hp_limits *limits)
{
    self->every_ticks = (uint64_t)self->every_ms * limits->rate_num /
                        ((uint64_t)limits->rate_den * 1000);
    if (self->every_ticks == 0)
        self->every_ticks = 1;
    self->next_input = 0;
    self->next_snapshot = 0;
    return 0;
}

static void
probe_stop(struct hp_instance *self)
{
    (void)self;
}

static void
probe_destroy(struct hp_instance *self)
{
    free(self);
}

static void
play(struct hp_effect_sink *sink, const char *effect, uint64_t tick,
     uint32_t flags)
{
    if (sink->count >= sink->capacity)
        return;
    sink->commands[sink->count++] = (struct hp_effect_command){
        .effect = effect,
        .cause_tick = tick,
        .action = HP_EFFECT_PLAY,
        .flags = flags,
        .level = 1,
    };
}

/* [tick] */
static void
probe_input(struct hp_instance *self, const struct hp_tick *tick,
            const struct hp_input *input, const void *own,
            struct hp_effect_sink *sink)
{
    (void)input;
    (void)own;
    if (tick->index < self->next_input)
        return;
    self->next_input = tick->index + self->every_ticks;
    play(sink, COMMAND_EFFECT, tick->index, HP_EFFECT_PREDICTED);
}

/* [tick] */
static void
probe_snapshot(struct hp_instance *self, const struct hp_view *view,
               const void *own, struct hp_effect_sink *sink)
{
    (void)own;
    if (view->tick < self->next_snapshot)
        return;
    self->next_snapshot = view->tick + self->every_ticks;
    play(sink, EVENT_EFFECT, view->tick, 0);
}

static const struct hp_cues_ops ops = {
    .size = sizeof(ops),
    .input = probe_input,
    .snapshot = probe_snapshot,
};

HP_PLUGIN_NOTE(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC),
    params,
    HP_PARAMS(params),
    probe_create,
    probe_start,
    probe_stop,
    probe_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
