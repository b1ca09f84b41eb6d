/*
 * What t/links.c sees of its plugins sim_links, cues_links and input_links: a
 * world in which everything that the net may lose, double or disorder leaves a
 * trace. The instances are the plugins' own; the test reads them while it holds
 * the virtual clock's turn.
 */
#ifndef LINKS_WORLD_H
#define LINKS_WORLD_H

#include <hardpoint/sim.h>

#define LINKS_CLIENTS 8
#define LINKS_TICKS   8192 /* that are remembered */
#define LINKS_EVENTS  8192

/* What a client owns: every input that it was ever stepped with is in `sum`. */
struct links_own {
    uint64_t steps;
    uint64_t sum;
    double position_m;
    uint32_t slot;
    uint32_t owner;
};

struct links_record {
    struct hp_entity head;
    uint32_t steps; /* low bits */
    uint32_t reserved;
};

/* The input that one tick of the server was stepped with. */
struct links_used {
    uint64_t tick;
    uint32_t sample; /* the tick that it was sampled for */
    uint32_t buttons;
    uint32_t repeated;
};

/* sim_links */
struct links_sim {
    const struct hp_host *host;
    struct links_own own[LINKS_CLIENTS];
    int joined[LINKS_CLIENTS];
    uint64_t tick;
    uint32_t serial[LINKS_CLIENTS]; /* events made so far for each client */
    uint32_t fresh_events[LINKS_CLIENTS];
    int quiet;                           /* the test: make no more events */
    struct links_used used[LINKS_TICKS]; /* of client 0, by tick */
    /* The test: called in each step, on the server's thread. */
    void (*hook)(void *context, uint64_t tick);
    void *hook_context;
};

/* cues_links */
struct links_cues {
    uint32_t event_count;
    uint32_t events[LINKS_EVENTS]; /* serial numbers, in order of delivery */
    uint64_t newest_tick;
    uint32_t backwards; /* snapshots that were not newer than the one before */
    uint32_t not_one;   /* snapshots without exactly one own record */
    uint32_t early;     /* events that came before their tick */
    uint32_t timed;     /* inputs with a time, which it must not be shown */
    uint32_t snapshots;
};

/* input_links */
struct links_input {
    uint32_t timed; /* ticks with a deadline, which it must not be shown */
};

/* The sample of a tick carries its number, and a press each seventh tick. */
static inline void
links_sample(uint64_t tick, struct hp_input *out)
{
    out->axes[0] = (int16_t)(tick & 0x7fff);
    out->axes[1] = (int16_t)(tick >> 15 & 0x7fff);
    out->buttons = tick % 7 == 0 ? HP_BUTTON_GUN : 0;
}

static inline uint32_t
links_sampled_tick(const struct hp_input *input)
{
    return (uint32_t)input->axes[0] | (uint32_t)input->axes[1] << 15;
}

#endif
