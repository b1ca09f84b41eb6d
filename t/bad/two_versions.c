/* The table says another version than the note. */
#include "bad.h"

BAD_NOTE;
#undef HP_VERSION
#define HP_VERSION "2.0.0"
BAD_TABLE;
