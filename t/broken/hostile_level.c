/* Uses an actuator's number without a look at it. */
#include "broken.h"

static int
render(struct hp_instance *self, const struct hp_levels *levels)
{
    const struct hp_level *l = levels->levels;
    uint32_t i;

    for (i = 0; i < levels->count; i++)
        if (l[i].actuator > 0)
            abort(); /* where a write past the end would be luck */
    return 0;
}

static const struct hp_haptics_ops ops = {GOOD_HAPTICS, .render = render};
BROKEN_OPS_ONLY(HP_KIND_HAPTICS, ops);
