/* No table of its kind. */
#include "bad.h"

BAD_NOTE;
HP_PLUGIN = {BAD_HEAD, HP_NO_PARAMS, BAD_LIFE, NULL, NULL, NULL};
