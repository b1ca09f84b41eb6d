/* A note, but no table. */
#include "bad.h"

BAD_NOTE;
