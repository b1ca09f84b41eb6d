#include "due_heap.h"
#include <errno.h>
#include <stdlib.h>

int
due_heap_init(struct due_heap *h, uint32_t capacity)
{
    uint32_t i;

    h->count = 0;
    h->heap = calloc(capacity, sizeof(*h->heap));
    h->place = calloc(capacity, sizeof(*h->place));
    h->due_ns = calloc(capacity, sizeof(*h->due_ns));
    if (h->heap == NULL || h->place == NULL || h->due_ns == NULL)
        return -ENOMEM;
    for (i = 0; i < capacity; i++)
        h->place[i] = DUE_HEAP_NONE;
    return 0;
}

void
due_heap_finish(struct due_heap *h)
{
    free(h->heap);
    free(h->place);
    free(h->due_ns);
}

static uint64_t
due_at(const struct due_heap *h, uint32_t place)
{
    return h->due_ns[h->heap[place]];
}

static void
put(struct due_heap *h, uint32_t place, uint32_t number)
{
    h->heap[place] = number;
    h->place[number] = place;
}

static void
rise(struct due_heap *h, uint32_t place)
{
    uint32_t number = h->heap[place];

    while (place > 0 && due_at(h, (place - 1) / 2) > h->due_ns[number]) {
        put(h, place, h->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(h, place, number);
}

static void
sink(struct due_heap *h, uint32_t place)
{
    uint32_t number = h->heap[place], below;

    for (;;) {
        below = 2 * place + 1;
        if (below + 1 < h->count && due_at(h, below + 1) < due_at(h, below))
            below++;
        if (below >= h->count || due_at(h, below) >= h->due_ns[number])
            break;
        put(h, place, h->heap[below]);
        place = below;
    }
    put(h, place, number);
}

void
due_heap_set(struct due_heap *h, uint32_t number, uint64_t due_ns)
{
    if (h->place[number] == DUE_HEAP_NONE)
        put(h, h->count++, number);
    h->due_ns[number] = due_ns;
    rise(h, h->place[number]);
    sink(h, h->place[number]);
}

void
due_heap_remove(struct due_heap *h, uint32_t number)
{
    uint32_t place = h->place[number], moved;

    if (place == DUE_HEAP_NONE)
        return;
    h->place[number] = DUE_HEAP_NONE;
    moved = h->heap[--h->count];
    if (place == h->count)
        return;
    put(h, place, moved);
    rise(h, place);
    sink(h, h->place[moved]);
}

uint32_t
due_heap_first(const struct due_heap *h, uint64_t *due_ns)
{
    if (h->count == 0)
        return DUE_HEAP_NONE;
    *due_ns = due_at(h, 0);
    return h->heap[0];
}
