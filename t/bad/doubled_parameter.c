/* Two parameters of one name. */
#include "bad.h"

BAD_NOTE;
static const struct hp_param params[] = {
    {.name = "gain",
     .unit = "",
     .preset = "",
     .sentence = "how strong",
     .type = HP_PARAM_TEXT},
    {.name = "other",
     .unit = "",
     .preset = "",
     .sentence = "another",
     .type = HP_PARAM_TEXT},
    {.name = "gain",
     .unit = "",
     .preset = "",
     .sentence = "how strong",
     .type = HP_PARAM_TEXT},
};
HP_PLUGIN = {BAD_HEAD, params, HP_PARAMS(params), BAD_LIFE, &bad_ops,
             NULL,     NULL};
