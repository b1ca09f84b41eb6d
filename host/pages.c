/* The checked kind of pages.h; without HP_CHECKS all of it stands there. */
#include "pages.h"

#ifdef HP_CHECKS

#    include <sys/mman.h>

/* A mapping of no bytes cannot be made. */
static size_t
at_least_one(size_t bytes)
{
    return bytes > 0 ? bytes : 1;
}

/* A mapping is changed whole, so this fails only when the kernel has no
 * memory; to go on would blame the next filler for it. */
static void
protect(void *memory, size_t bytes, int protection)
{
    if (mprotect(memory, at_least_one(bytes), protection) < 0)
        abort();
}

void *
pages_create(size_t bytes)
{
    void *memory = mmap(NULL, at_least_one(bytes), PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void
pages_destroy(void *memory, size_t bytes)
{
    if (memory != NULL)
        munmap(memory, at_least_one(bytes));
}

void
pages_open(void *memory, size_t bytes)
{
    protect(memory, bytes, PROT_READ | PROT_WRITE);
}

void
pages_close(void *memory, size_t bytes)
{
    protect(memory, bytes, PROT_READ);
}

#endif
