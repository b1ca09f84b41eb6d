/* A parameter without a unit. */
#include "bad.h"

BAD_PARAM(.name = "gain", .preset = "1", .sentence = "how", .maximum = 2,
          .type = HP_PARAM_INT);
