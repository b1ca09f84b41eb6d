/*
 * cues_@name@ - plays an effect when the gun fires, and another when a hit is
 * taken.
 *
 * The gun is felt in the client tick of the trigger, before the server knows;
 * the hit as soon as the snapshot that tells of it is decoded. effects.ini says
 * how each effect feels.
 */
#include <errno.h>
#include <hardpoint/cues.h>
#include <stdlib.h>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "an effect at the trigger, another at a hit"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

struct hp_instance {
    uint32_t buttons; /* of the input before */
};

/* ---- its life, all [main] ---- */

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    (void)host;
    *out = calloc(1, sizeof(struct hp_instance));
    return *out == NULL ? -ENOMEM : 0;
}

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)limits; /* its schema has the fields of `own` by name */
    self->buttons = 0;
    return 0;
}

static void
stop(struct hp_instance *self)
{
    (void)self;
}

static void
destroy(struct hp_instance *self)
{
    free(self);
}

/* ---- the calls of its kind ---- */

static void
play(struct hp_effect_sink *sink, const char *effect, uint64_t cause_tick,
     uint32_t flags)
{
    if (sink->count >= sink->capacity)
        return;
    sink->commands[sink->count++] = (struct hp_effect_command){
        .effect = effect,
        .cause_tick = cause_tick,
        .action = HP_EFFECT_PLAY,
        .flags = flags,
        .level = 1,
    };
}

/* [tick] */
static void
on_input(struct hp_instance *self, const struct hp_tick *tick,
         const struct hp_input *input, const void *own,
         struct hp_effect_sink *sink)
{
    uint32_t pressed = input->buttons & ~self->buttons;

    (void)own;
    self->buttons = input->buttons;
    if (pressed & HP_BUTTON_GUN)
        play(sink, "gun_burst", tick->index, HP_EFFECT_PREDICTED);
}

/* [tick] Arrays are stepped by their stride. */
static void
on_snapshot(struct hp_instance *self, const struct hp_view *view,
            const void *own, struct hp_effect_sink *sink)
{
    const struct hp_entity *me = own;
    const struct hp_event *event;
    uint32_t i;

    (void)self;
    for (i = 0; me != NULL && i < view->event_count; i++) {
        event = (const void *)((const char *)view->events +
                               (size_t)i * view->event_stride);
        if (event->type == HP_EVENT_HIT &&
            event->whom == HP_ENTITY_ID(me->slot, me->generation))
            play(sink, "hit_taken", event->tick, 0);
    }
}

static const struct hp_cues_ops ops = {
    .size = sizeof(ops),
    .input = on_input,
    .snapshot = on_snapshot,
};

/* ---- what the host reads first: a note in the file, then the table ---- */

HP_PLUGIN_NOTE(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    create,
    start,
    stop,
    destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
