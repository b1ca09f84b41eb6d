/* A table that says more than it has. */
#include "bad.h"

BAD_NOTE;
HP_PLUGIN = {4096,       0,         0,          HP_KIND_AGENT,
             0,          HP_NAME,   HP_VERSION, HP_SUMMARY,
             HP_LICENSE, HP_AUTHOR, BAD_TAIL};
