/* start refuses its own presets. */
#include "broken.h"

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    return self->host->fail(self->host, -EINVAL, "no mood for it");
}

BROKEN_PLUGIN(HP_KIND_AGENT, HP_NO_PARAMS, good_create, start, good_stop,
              good_destroy, good_agent);
