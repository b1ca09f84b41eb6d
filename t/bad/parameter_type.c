/* A parameter of a type that this host does not know. */
#include "bad.h"

BAD_PARAM(.name = "gain", .unit = "", .preset = "", .sentence = "how",
          .type = 77);
