/* A table of its kind that says half the size. */
#include "bad.h"

BAD_NOTE;
static const struct hp_agent_ops small = {8, 0, bad_idle};
HP_PLUGIN = {BAD_HEAD, HP_NO_PARAMS, BAD_LIFE, &small, NULL, NULL};
