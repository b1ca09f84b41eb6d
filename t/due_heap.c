#include "due_heap.h"
#include "tap.h"
#include <errno.h>
#include <stdlib.h>

#define MANY 200

static void
the_earliest_comes_first(void)
{
    struct due_heap h;
    uint64_t due = 0, before = 0;
    uint32_t i, n;

    ok_int(due_heap_init(&h, MANY), 0);
    ok_int(due_heap_first(&h, &due), DUE_HEAP_NONE);
    for (i = 0; i < MANY; i++)
        due_heap_set(&h, i, i * 7919 % 1009);
    for (i = 0; i < MANY; i++) {
        n = due_heap_first(&h, &due);
        ok_int(due, n * 7919 % 1009);
        ok(due >= before);
        before = due;
        due_heap_remove(&h, n);
    }
    ok_int(due_heap_first(&h, &due), DUE_HEAP_NONE);
    due_heap_finish(&h);
}

/* Against a plain search, through many changes. */
static void
changes_and_removals_keep_the_order(void)
{
    uint64_t due[MANY], at = 0, least;
    struct due_heap h;
    uint32_t i, k, n;

    ok_int(due_heap_init(&h, MANY), 0);
    for (i = 0; i < MANY; i++)
        due[i] = UINT64_MAX;
    srand(1);
    for (i = 0; i < 5000; i++) {
        n = (uint32_t)rand() % MANY;
        if (rand() % 3 == 0) {
            due[n] = UINT64_MAX;
            due_heap_remove(&h, n);
        } else {
            due[n] = (uint64_t)rand() % 1000;
            due_heap_set(&h, n, due[n]);
        }
        least = UINT64_MAX;
        for (k = 0; k < MANY; k++)
            if (due[k] < least)
                least = due[k];
        n = due_heap_first(&h, &at);
        if (least == UINT64_MAX)
            ok_int(n, DUE_HEAP_NONE);
        else
            ok(at == least && due[n] == least);
    }
    due_heap_finish(&h);
}

TAP_MAIN(FACT(the_earliest_comes_first),
         FACT(changes_and_removals_keep_the_order))
