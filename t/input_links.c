/* A pilot whose every sample says which tick it is for. */
#include "links_world.h"
#include <errno.h>
#include <hardpoint/input.h>
#include <stdlib.h>

#define HP_NAME    "links"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "samples that carry their tick"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

static int
links_create(const struct hp_host *host, struct hp_instance **out)
{
    (void)host;
    *out = calloc(1, sizeof(struct links_input));
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

static int
links_poll(struct hp_instance *self, const struct hp_tick *tick,
           struct hp_input *out)
{
    struct links_input *i = (void *)self;

    i->timed += tick->deadline_ns != 0;
    links_sample(tick->index, out);
    return 0;
}

static const struct hp_input_ops ops = {
    .size = sizeof(ops),
    .poll = links_poll,
};

HP_PLUGIN_NOTE(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    links_create,
    links_start,
    links_stop,
    links_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
