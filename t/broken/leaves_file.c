/* stop forgets to close what start opened. */
#include "broken.h"
#include <fcntl.h>

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    return open("/dev/null", O_RDONLY) < 0 ? -EIO : good_start(self, limits);
}

BROKEN_PLUGIN(HP_KIND_AGENT, BROKEN_NO_PARAMS, good_create, start, good_stop,
              good_destroy, good_agent);
