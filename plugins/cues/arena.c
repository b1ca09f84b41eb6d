#include "arena.h"
#include <stdlib.h>
#include <string.h>

#define SMALLEST 4  /* 16 bytes */
#define CLASSES  24 /* up to 128 MB, more than any arena */

struct piece {
    struct piece *next;
};

struct arena {
    size_t bytes, used;
    struct piece *free[CLASSES];
    _Alignas(16) unsigned char memory[];
};

struct arena *
arena_create(size_t bytes)
{
    struct arena *a = calloc(1, sizeof(*a) + bytes);

    if (a != NULL)
        a->bytes = bytes;
    return a;
}

void
arena_destroy(struct arena *a)
{
    free(a);
}

static int
class_of(size_t bytes)
{
    int c = 0;

    while (c < CLASSES && ((size_t)1 << (c + SMALLEST)) < bytes)
        c++;
    return c;
}

static void *
take(struct arena *a, int c)
{
    size_t bytes = (size_t)1 << (c + SMALLEST);
    struct piece *p = a->free[c];

    if (p != NULL) {
        a->free[c] = p->next;
        return p;
    }
    if (bytes > a->bytes - a->used)
        return NULL;
    a->used += bytes;
    return a->memory + a->used - bytes;
}

static void
give(struct arena *a, void *memory, int c)
{
    struct piece *p = memory;

    p->next = a->free[c];
    a->free[c] = p;
}

void *
arena_allocate(void *context, void *old, size_t old_bytes, size_t bytes)
{
    struct arena *a = context;
    int from = class_of(old_bytes), to = class_of(bytes);
    void *new;

    if (bytes == 0) {
        if (old != NULL)
            give(a, old, from);
        return NULL;
    }
    if (to >= CLASSES)
        return NULL;
    if (old == NULL)
        return take(a, to);
    if (from == to)
        return old;
    new = take(a, to);
    if (new == NULL)
        return bytes < old_bytes ? old : NULL;
    memcpy(new, old, old_bytes < bytes ? old_bytes : bytes);
    give(a, old, from);
    return new;
}
