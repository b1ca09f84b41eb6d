/* stop forgets the block that start allocated. */
#include "broken.h"

static void
stop(struct hp_instance *self)
{
}

BROKEN_PLUGIN(HP_KIND_AGENT, BROKEN_NO_PARAMS, good_create, good_start, stop,
              good_destroy, good_agent);
