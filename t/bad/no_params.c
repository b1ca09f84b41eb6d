/* A count of parameters, but no table of them. */
#include "bad.h"

BAD_NOTE;
HP_PLUGIN = {BAD_HEAD, NULL, 3, 72, BAD_LIFE, &bad_ops, NULL, NULL};
