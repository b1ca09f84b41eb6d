/* idle takes another locale. */
#include "broken.h"
#include <locale.h>

static void
idle(struct hp_instance *self, const struct hp_status *status,
     uint64_t budget_ns)
{
    setlocale(LC_ALL, "C.UTF-8");
}

static const struct hp_agent_ops ops = {sizeof(ops), 0, idle};
BROKEN_OPS_ONLY(HP_KIND_AGENT, ops);
