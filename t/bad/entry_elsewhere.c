/* A note; the table is in a library that it links to (good.c). */
#include "bad.h"

extern int hp_needs_library(void);
int bad_anchor(void);
int
bad_anchor(void)
{
    return hp_needs_library();
}
BAD_NOTE;
