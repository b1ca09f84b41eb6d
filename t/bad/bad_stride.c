/* Rows that are shorter than a row. */
#include "bad.h"

BAD_NOTE;
static const struct hp_param params[] = {{.name = "gain"}};
HP_PLUGIN = {BAD_HEAD, params, 1, 16, BAD_LIFE, &bad_ops, NULL, NULL};
