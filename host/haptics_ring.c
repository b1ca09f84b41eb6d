#include "haptics_ring.h"
#include <errno.h>

int
haptics_ring_push(struct haptics_ring *ring,
                  const struct hp_effect_command *command, uint64_t cause_ns)
{
    uint32_t put = atomic_load_explicit(&ring->put, memory_order_relaxed);
    struct haptics_entry *entry = &ring->entries[put % HAPTICS_RING_ENTRIES];

    if (put - atomic_load_explicit(&ring->taken, memory_order_acquire) ==
        HAPTICS_RING_ENTRIES)
        return -ENOSPC;
    entry->command = *command;
    entry->cause_ns = cause_ns;
    atomic_store_explicit(&ring->put, put + 1, memory_order_release);
    return 0;
}

const struct haptics_entry *
haptics_ring_first(const struct haptics_ring *ring)
{
    uint32_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);

    if (taken == atomic_load_explicit(&ring->put, memory_order_acquire))
        return NULL;
    return &ring->entries[taken % HAPTICS_RING_ENTRIES];
}

void
haptics_ring_take(struct haptics_ring *ring)
{
    atomic_fetch_add_explicit(&ring->taken, 1, memory_order_release);
}
