/* The table says another kind than the note. */
#include "bad.h"

HP_PLUGIN_NOTE(HP_KIND_INPUT, 0);
BAD_TABLE;
