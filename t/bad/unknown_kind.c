/* A kind that this host does not know. */
#include "bad.h"

HP_PLUGIN_NOTE(42, 0);
HP_PLUGIN = {HP_PLUGIN_HEAD(42, 0), BAD_TAIL};
