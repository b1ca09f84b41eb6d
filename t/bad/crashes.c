/* Runs for a while, then writes to nowhere. */
#define HP_NAME "crashes"
#include "bad.h"

static int *volatile nowhere;

static void
idle(struct hp_instance *self, const struct hp_status *status,
     uint64_t budget_ns)
{
    (void)self, (void)budget_ns;
    if (status->tick >= 3)
        *nowhere = 1;
}

BAD_NOTE;
static const struct hp_agent_ops ops = {sizeof(ops), 0, idle};
HP_PLUGIN = {BAD_HEAD, HP_NO_PARAMS, BAD_LIFE, &ops, NULL, NULL};
