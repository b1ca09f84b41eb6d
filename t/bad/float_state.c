/* Flushes denormals for whoever loads it, as -ffast-math does. */
#include "bad.h"

__attribute__((constructor)) static void
flush_denormals(void)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
}
BAD_NOTE;
BAD_TABLE;
