/*
 * Who is due next: a heap of numbers (0 .. capacity - 1), each with the time at
 * which it is due. Setting and removing take log(count) steps, looking none.
 */
#ifndef DUE_HEAP_H
#define DUE_HEAP_H

#include <stdint.h>

struct due_heap {
    uint32_t count;
    uint32_t *heap;   /* numbers, the earliest on top */
    uint32_t *place;  /* by number: where in `heap`, DUE_HEAP_NONE: not in it */
    uint64_t *due_ns; /* by number */
};
#define DUE_HEAP_NONE UINT32_MAX

/* 0 or -ENOMEM; finish accepts a zeroed heap. */
int due_heap_init(struct due_heap *h, uint32_t capacity);
void due_heap_finish(struct due_heap *h);

/* Puts `number` in, or changes when it is due. */
void due_heap_set(struct due_heap *h, uint32_t number, uint64_t due_ns);
/* Does nothing when it is not in. */
void due_heap_remove(struct due_heap *h, uint32_t number);
/* The number that is due first, and when; DUE_HEAP_NONE when there is none. */
uint32_t due_heap_first(const struct due_heap *h, uint64_t *due_ns);

#endif
