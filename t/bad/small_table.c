/* A table of half the size. */
#include "bad.h"

BAD_NOTE;
HP_PLUGIN = {64,         0,         0,          HP_KIND_AGENT,
             0,          HP_NAME,   HP_VERSION, HP_SUMMARY,
             HP_LICENSE, HP_AUTHOR, BAD_TAIL};
