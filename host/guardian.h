/*
 * The last layer of silence: a small process of its own that outlives this one.
 * It holds the other end of a socket pair and hears, each 50 ms while anything
 * may be moving, that we live. When the socket ends, or is silent for 200 ms
 * meanwhile, it stops the devices by itself, as their backends' `guard` said.
 *
 * Only devices that would go on without us need it (no
 * HP_DEVICE_HOLDS_DEADLINE).
 */
#ifndef GUARDIAN_H
#define GUARDIAN_H

#include <hardpoint/hardpoint.h>
#include <stdint.h>

#define GUARDIAN_GUARDS_MAX 64
#define GUARDIAN_BEAT_NS    50000000ull
#define GUARDIAN_SILENCE_NS 200000000ull
#define GUARDIAN_FD         3 /* its end of the socket pair */

/* One datagram on the socket. A list is FORGET, then GUARD for each. */
enum guardian_word {
    GUARDIAN_FORGET = 1,
    GUARDIAN_GUARD = 2,
    GUARDIAN_ACTIVE = 3, /* something may be moving; also: I live */
    GUARDIAN_IDLE = 4    /* nothing moves */
};

struct guardian_message {
    uint32_t word;
    uint32_t reserved;
    struct hp_guard guard; /* of GUARDIAN_GUARD */
};

struct guardian;

/* [main] Starts the process. -ENOENT: the program is not there; else why not;
 * logged. */
int guardian_start(struct guardian **out);
/* [main] Ends it; what moves is stopped before, by whoever moved it. Accepts
 * NULL. */
void guardian_stop(struct guardian *g);
/* [main] */
int guardian_is_alive(struct guardian *g);
/* [main] What to do; replaces what it was told before. -EPIPE, -EAGAIN. */
int guardian_tell(struct guardian *g, const struct hp_guard *guards,
                  uint32_t count);
/* [rt] One send that never waits. */
void guardian_beat(struct guardian *g, int active);

#endif
