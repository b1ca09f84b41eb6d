/* destroy trusts that start was there. */
#include "broken.h"

static void
destroy(struct hp_instance *self)
{
    if (self != NULL && self->limits.size == 0)
        abort();
    free(self);
}

BROKEN_PLUGIN(HP_KIND_AGENT, BROKEN_NO_PARAMS, good_create, good_start,
              good_stop, destroy, good_agent);
