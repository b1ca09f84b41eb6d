/* A parameter that no INI key could be. */
#include "bad.h"

BAD_PARAM(.name = "Gain!", .unit = "", .preset = "", .sentence = "how",
          .type = HP_PARAM_TEXT);
