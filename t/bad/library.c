/* A library that has what a plugin lacks, or that is gone when it loads. */
#include "bad.h"

int hp_needs_library(void);
int
hp_needs_library(void)
{
    return 1;
}
#ifndef WITHOUT_TABLE
BAD_TABLE;
#endif
