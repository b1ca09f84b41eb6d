/* It knows one tick rate. */
#include "broken.h"

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    if (limits->rate_num != 60 || limits->rate_den != 1)
        return self->host->fail(self->host, -EINVAL, "knows 60 Hz alone");
    return good_start(self, limits);
}

BROKEN_PLUGIN(HP_KIND_AGENT, BROKEN_NO_PARAMS, good_create, start, good_stop,
              good_destroy, good_agent);
