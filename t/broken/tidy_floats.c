/* idle rounds upwards from here on. */
#include "broken.h"
#include <fenv.h>

static void
idle(struct hp_instance *self, const struct hp_status *status,
     uint64_t budget_ns)
{
    fesetround(FE_UPWARD);
}

static const struct hp_agent_ops ops = {sizeof(ops), 0, idle};
BROKEN_OPS_ONLY(HP_KIND_AGENT, ops);
