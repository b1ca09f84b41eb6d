/*
 * What the haptics thread wants of one actuator, left where a device thread
 * finds it: the newest level wins, nobody waits, and zero is never behind
 * anything. Level and frequency are two floats in one word, so that they are
 * never those of two commands.
 */
#ifndef CELL_H
#define CELL_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct cell {
    _Atomic uint64_t sound; /* 0: silent */
    _Atomic uint64_t deadline_ns;
};

/* What a cell says. */
struct sound {
    float level; /* least..1, 0: silent */
    float hz;    /* 0: as the device likes */
    uint64_t deadline_ns;
};

/* [rt] A level out of `least`..1 is brought there; NaN is silent. */
static inline void
cell_put(struct cell *c, float level, float least, float hz,
         uint64_t deadline_ns)
{
    uint32_t bits[2] = {0, 0};

    if (level > 1)
        level = 1;
    if (level < least)
        level = least;
    if (level > 0 || level < 0) {
        memcpy(&bits[0], &level, sizeof(level));
        memcpy(&bits[1], &hz, sizeof(hz));
    }
    atomic_store_explicit(&c->deadline_ns, deadline_ns, memory_order_relaxed);
    atomic_store_explicit(&c->sound, (uint64_t)bits[0] << 32 | bits[1],
                          memory_order_release);
}

/* [any] */
static inline void
cell_clear(struct cell *c)
{
    atomic_store_explicit(&c->sound, 0, memory_order_release);
}

/* What is wanted at `now_ns`: nothing from the deadline on. */
static inline struct sound
cell_take(struct cell *c, uint64_t now_ns)
{
    uint64_t word = atomic_load_explicit(&c->sound, memory_order_acquire);
    uint32_t bits[2] = {(uint32_t)(word >> 32), (uint32_t)word};
    struct sound s = {0};

    s.deadline_ns = atomic_load_explicit(&c->deadline_ns, memory_order_relaxed);
    if (word == 0 || now_ns >= s.deadline_ns)
        return s;
    memcpy(&s.level, &bits[0], sizeof(s.level));
    memcpy(&s.hz, &bits[1], sizeof(s.hz));
    return s;
}

#endif
