/* A live parameter, and no reload to tell it. */
#include "bad.h"

BAD_PARAM(.name = "gain", .unit = "", .preset = "", .sentence = "how",
          .type = HP_PARAM_TEXT, .flags = HP_PARAM_LIVE);
