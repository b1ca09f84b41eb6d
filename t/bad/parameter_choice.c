/* A choice whose default is none of its choices. */
#include "bad.h"

BAD_PARAM(.name = "shape", .unit = "", .preset = "fla", .sentence = "how",
          .choices = "flat|round", .type = HP_PARAM_CHOICE);
