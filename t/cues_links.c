/* Feels nothing, and remembers what it was told. */
#include "links_world.h"
#include <errno.h>
#include <hardpoint/cues.h>
#include <stdlib.h>

#define HP_NAME    "links"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "remembers snapshots and events"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

static int
links_create(const struct hp_host *host, struct hp_instance **out)
{
    (void)host;
    *out = calloc(1, sizeof(struct links_cues));
    return *out == NULL ? -ENOMEM : 0;
}

static int
links_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)self;
    (void)limits;
    return 0;
}

static void
links_stop(struct hp_instance *self)
{
    (void)self;
}

static void
links_destroy(struct hp_instance *self)
{
    free(self);
}

static void
links_input(struct hp_instance *self, const struct hp_tick *tick,
            const struct hp_input *input, const void *own,
            struct hp_effect_sink *sink)
{
    struct links_cues *c = (void *)self;

    (void)own;
    (void)sink;
    c->timed += tick->deadline_ns != 0 || input->sampled_ns != 0;
}

static uint32_t
count_own(const struct hp_view *view)
{
    const struct hp_entity *own, *other;
    uint32_t i, count = 0;

    if (view->own == HP_INDEX_NONE)
        return 0;
    own = (const void *)((const char *)view->entities +
                         (size_t)view->own * view->stride);
    for (i = 0; i < view->count; i++) {
        other = (const void *)((const char *)view->entities +
                               (size_t)i * view->stride);
        count += other->owner == own->owner;
    }
    return count;
}

static void
links_snapshot(struct hp_instance *self, const struct hp_view *view,
               const void *own, struct hp_effect_sink *sink)
{
    struct links_cues *c = (void *)self;
    const struct hp_event *event;
    uint32_t i;

    (void)own;
    (void)sink;
    c->backwards += c->snapshots > 0 && view->tick <= c->newest_tick;
    c->newest_tick = view->tick;
    c->not_one += count_own(view) != 1;
    c->snapshots++;
    for (i = 0; i < view->event_count; i++) {
        event = (const void *)((const char *)view->events +
                               (size_t)i * view->event_stride);
        c->early += event->tick > view->tick;
        if (c->event_count < LINKS_EVENTS)
            c->events[c->event_count++] = event->type - HP_EVENT_SIM;
    }
}

static const struct hp_cues_ops ops = {
    .size = sizeof(ops),
    .input = links_input,
    .snapshot = links_snapshot,
};

HP_PLUGIN_NOTE(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    links_create,
    links_start,
    links_stop,
    links_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
