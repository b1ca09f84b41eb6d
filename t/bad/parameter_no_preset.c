/* No default, though it is not required. */
#include "bad.h"

BAD_PARAM(.name = "gain", .unit = "", .sentence = "how", .type = HP_PARAM_TEXT);
