/*
 * Effect commands on their way from the client's tick thread to the haptics
 * thread. One thread pushes, one takes, nobody waits: `put` is stored by the
 * first with release, `taken` by the second, and each reads the other's with
 * acquire. Zeroed memory is an empty ring.
 */
#ifndef HAPTICS_RING_H
#define HAPTICS_RING_H

#include <hardpoint/hardpoint.h>
#include <stdatomic.h>
#include <stdint.h>

/* Ten ticks of every effect at once; a power of two. */
#define HAPTICS_RING_ENTRIES 1024u

struct haptics_entry {
    struct hp_effect_command command;
    uint64_t cause_ns;
};

struct haptics_ring {
    _Atomic uint32_t put;
    _Atomic uint32_t taken;
    struct haptics_entry entries[HAPTICS_RING_ENTRIES];
};

/* 0, or -ENOSPC. */
int haptics_ring_push(struct haptics_ring *ring,
                      const struct hp_effect_command *command,
                      uint64_t cause_ns);
/* The oldest, until the next call; NULL when empty. */
const struct haptics_entry *haptics_ring_first(const struct haptics_ring *ring);
/* Done with the oldest. */
void haptics_ring_take(struct haptics_ring *ring);

#endif
