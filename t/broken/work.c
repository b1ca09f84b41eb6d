/* work waits for a device that never answers. */
#include "broken.h"
#include <unistd.h>

static int
work(struct hp_instance *self, uint64_t until_ns)
{
    sleep(4);
    return 0;
}

static const struct hp_input_ops ops = {GOOD_INPUT, .work = work};
BROKEN_OPS_ONLY(HP_KIND_INPUT, ops);
