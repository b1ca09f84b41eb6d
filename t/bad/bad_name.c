/* A name that no INI section could hold. */
#define HP_NAME "Bad Name"
#include "bad.h"

BAD_NOTE;
BAD_TABLE;
