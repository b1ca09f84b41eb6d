/* Links to a library that is gone when it loads. */
#include "bad.h"

extern int hp_needs_library(void);
int bad_anchor(void);
int
bad_anchor(void)
{
    return hp_needs_library();
}
BAD_NOTE;
BAD_TABLE;
