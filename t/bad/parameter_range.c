/* A range the wrong way round. */
#include "bad.h"

BAD_PARAM(.name = "gain", .unit = "", .preset = "1", .sentence = "how",
          .minimum = 2, .maximum = 1, .type = HP_PARAM_INT);
