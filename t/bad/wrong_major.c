/* Another major, and calls that lead nowhere. */
#include "bad.h"

#undef HP_ABI_MAJOR
#define HP_ABI_MAJOR 2
BAD_NOTE;
HP_PLUGIN = {BAD_HEAD,  HP_NO_PARAMS, (void *)1, (void *)2, (void *)3,
             (void *)4, (void *)5,    NULL,      NULL};
