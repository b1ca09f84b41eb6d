/* Calls what no library defines. */
#include "bad.h"

extern int hp_nobody_has_this(void);
int bad_anchor(void);
int
bad_anchor(void)
{
    return hp_nobody_has_this();
}
BAD_NOTE;
BAD_TABLE;
