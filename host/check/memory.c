#include <config.h>

#include "memory.h"
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef HP_SANITIZED

int
memory_is_watched(void)
{
    return 0;
}

void
memory_begin(void)
{
}

unsigned
memory_end(void)
{
    return 0;
}

long
memory_blocks(void)
{
    return 0;
}

#else

/* The build hides what is not marked; the plugin must find these. */
#    pragma GCC visibility push(default)

/* What glibc calls its own heap by; declared nowhere. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

/* malloc has no argument of ours, so these stand at file scope. */
static _Thread_local int is_counting;
static _Thread_local unsigned counted;
static atomic_long blocks;

int
memory_is_watched(void)
{
    return 1;
}

void
memory_begin(void)
{
    counted = 0;
    is_counting = 1;
}

unsigned
memory_end(void)
{
    is_counting = 0;
    return counted;
}

long
memory_blocks(void)
{
    return atomic_load(&blocks);
}

static void *
note(void *block)
{
    if (is_counting)
        counted++;
    if (block != NULL)
        atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
    return block;
}

void *
malloc(size_t bytes)
{
    return note(__libc_malloc(bytes));
}

void *
calloc(size_t count, size_t bytes)
{
    return note(__libc_calloc(count, bytes));
}

void *
realloc(void *block, size_t bytes)
{
    /* An old block becomes a new one: the sum stays. */
    if (block != NULL)
        atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
    return note(__libc_realloc(block, bytes));
}

void *
memalign(size_t alignment, size_t bytes)
{
    return note(__libc_memalign(alignment, bytes));
}

void *
aligned_alloc(size_t alignment, size_t bytes)
{
    return note(__libc_memalign(alignment, bytes));
}

int
posix_memalign(void **out, size_t alignment, size_t bytes)
{
    *out = note(__libc_memalign(alignment, bytes));
    return *out == NULL ? ENOMEM : 0;
}

void
free(void *block)
{
    if (block == NULL)
        return;
    if (is_counting)
        counted++;
    atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
    __libc_free(block);
}

#    pragma GCC visibility pop

#endif
