/* A "must" bit that this host does not know. */
#include "bad.h"

HP_PLUGIN_NOTE(HP_KIND_AGENT, 1u << 20);
HP_PLUGIN = {HP_PLUGIN_HEAD(HP_KIND_AGENT, 1u << 20), BAD_TAIL};
