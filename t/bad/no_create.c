/* No create. */
#include "bad.h"

BAD_NOTE;
HP_PLUGIN = {BAD_HEAD,    HP_NO_PARAMS, NULL, bad_start, bad_stop,
             bad_destroy, &bad_ops,     NULL, NULL};
