/* A table without a version. */
#include "bad.h"

BAD_NOTE;
HP_PLUGIN = {sizeof(struct hp_plugin),
             0,
             0,
             HP_KIND_AGENT,
             0,
             HP_NAME,
             NULL,
             HP_SUMMARY,
             HP_LICENSE,
             HP_AUTHOR,
             BAD_TAIL};
