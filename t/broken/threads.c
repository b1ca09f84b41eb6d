/* start keeps a thread-local pointer that a tick on another thread lacks. */
#include "broken.h"

static _Thread_local struct hp_instance *current;

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    current = self;
    return good_start(self, limits);
}

static int
poll_stick(struct hp_instance *self, const struct hp_tick *tick,
           struct hp_input *out)
{
    current->count++;
    return 0;
}

static const struct hp_input_ops ops = {sizeof(ops), 0, poll_stick, NULL};
BROKEN_PLUGIN(HP_KIND_INPUT, BROKEN_NO_PARAMS, good_create, start, good_stop,
              good_destroy, ops);
