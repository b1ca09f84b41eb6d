/* A choice without choices. */
#include "bad.h"

BAD_PARAM(.name = "shape", .unit = "", .preset = "flat", .sentence = "how",
          .type = HP_PARAM_CHOICE);
