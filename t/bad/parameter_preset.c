/* A default outside its own range. */
#include "bad.h"

BAD_PARAM(.name = "gain", .unit = "ms", .preset = "50 s", .sentence = "how",
          .maximum = 100, .type = HP_PARAM_INT);
