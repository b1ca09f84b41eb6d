/* A second symbol is exported. */
#include "broken.h"

HP_EXPORT int helper(void);

HP_EXPORT int
helper(void)
{
    return 1;
}

BROKEN_OPS_ONLY(HP_KIND_AGENT, good_agent);
