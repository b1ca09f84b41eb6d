/* poll allocates. */
#include "broken.h"

static void *volatile kept;

static int
poll_stick(struct hp_instance *self, const struct hp_tick *tick,
           struct hp_input *out)
{
    kept = malloc(100);
    free(kept);
    return 0;
}

static const struct hp_input_ops ops = {sizeof(ops), 0, poll_stick, NULL};
BROKEN_OPS_ONLY(HP_KIND_INPUT, ops);
