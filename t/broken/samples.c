/* An axis that no device has: the most negative number. */
#include "broken.h"

static int
poll_stick(struct hp_instance *self, const struct hp_tick *tick,
           struct hp_input *out)
{
    out->axes[HP_AXIS_PITCH] = INT16_MIN;
    return 0;
}

static const struct hp_input_ops ops = {GOOD_INPUT, .poll = poll_stick};
BROKEN_OPS_ONLY(HP_KIND_INPUT, ops);
