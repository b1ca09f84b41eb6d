/* idle writes to standard output. */
#include "broken.h"
#include <stdio.h>

static void
idle(struct hp_instance *self, const struct hp_status *status,
     uint64_t budget_ns)
{
    puts("tick"); fflush(stdout);
}

static const struct hp_agent_ops ops = {sizeof(ops), 0, idle};
BROKEN_OPS_ONLY(HP_KIND_AGENT, ops);
