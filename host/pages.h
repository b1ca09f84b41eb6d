/*
 * Memory that plugins may read and only one call may fill: the views. With
 * `configure --enable-checks` it is a mapping of its own that can be written
 * to only between pages_open and pages_close, so that a plugin that writes to
 * what it is shown faults there and then, with its name in the report.
 * Otherwise it is plain memory, and opening costs nothing.
 */
#ifndef PAGES_H
#define PAGES_H

/* Here, as who allocates and who opens must agree on HP_CHECKS. */
#include <config.h>

#include <stddef.h>
#include <stdlib.h>

#ifdef HP_CHECKS

/* [main] Zeroed memory, closed; NULL when there is none. */
void *pages_create(size_t bytes);
/* [main] `memory` of pages_create with the same `bytes`, or NULL. */
void pages_destroy(void *memory, size_t bytes);
/* [tick] Writable from here on, for every thread. */
void pages_open(void *memory, size_t bytes);
/* [tick] Only to be read from here on. */
void pages_close(void *memory, size_t bytes);

#else

static inline void *
pages_create(size_t bytes)
{
    return calloc(1, bytes);
}

static inline void
pages_destroy(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

static inline void
pages_open(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

static inline void
pages_close(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

#endif

#endif
