/* A table without its note. */
#include "bad.h"

BAD_TABLE;
