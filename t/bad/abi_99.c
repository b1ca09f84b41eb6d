/* ABI 99: must be refused before this constructor runs. */
#include "bad.h"

#undef HP_ABI_MAJOR
#define HP_ABI_MAJOR 99
__attribute__((constructor)) static void
never(void)
{
    abort();
}
BAD_NOTE;
BAD_TABLE;
