/* idle goes to another folder. */
#include "broken.h"
#include <unistd.h>

static void
idle(struct hp_instance *self, const struct hp_status *status,
     uint64_t budget_ns)
{
    if (chdir("/") < 0) abort();
}

static const struct hp_agent_ops ops = {sizeof(ops), 0, idle};
BROKEN_OPS_ONLY(HP_KIND_AGENT, ops);
