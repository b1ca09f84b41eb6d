/* idle takes SIGUSR1 for itself. */
#include "broken.h"
#include <signal.h>

static void
idle(struct hp_instance *self, const struct hp_status *status,
     uint64_t budget_ns)
{
    signal(SIGUSR1, SIG_IGN);
}

static const struct hp_agent_ops ops = {sizeof(ops), 0, idle};
BROKEN_OPS_ONLY(HP_KIND_AGENT, ops);
