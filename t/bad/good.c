/* Nothing is wrong: what a refusal is compared with. */
#include "bad.h"

BAD_NOTE;
BAD_TABLE;
