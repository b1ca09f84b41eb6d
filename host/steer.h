/*
 * The client's clock: when its ticks run, so that inputs arrive just before
 * the server's deadline. Pure arithmetic on what snapshots say; the client
 * moves its schedule by what steer_step returns.
 *
 * Lock: the margin (how early inputs arrive) is held at a target that widens
 * by 50 us with each miss and narrows by 0.05 us with each hit, so about one
 * input in a thousand misses. Sweep ([net] phase = off): nothing is held; the
 * clock drifts through every phase once in 600 ticks, as that of an
 * unsynchronised machine would, and jumps a tick ahead when inputs come late.
 */
#ifndef STEER_H
#define STEER_H

#include "tick.h"
#include <stdint.h>

struct steer {
    uint64_t period_ns;
    int sweep;         /* [net] phase = off */
    int coarse;        /* the server reads its socket once a tick: margins
                          * tell only in time or late */
    int64_t target_ns; /* margin to hold */
    int64_t error_ns;  /* newest: margin - target; > 0: too early */
    int fresh;         /* the error has not been acted on */
    uint32_t delay_ticks;
    uint32_t dilation_q8;
    uint64_t newest_tick;  /* of the snapshots heard */
    uint64_t settle_tick;  /* misses up to here are those of an older jump */
    uint64_t coarse_until; /* up to this tick an error of a period is mended at
                            * once */
    uint64_t misses, hits, resyncs;
};

#define STEER_TARGET_NS     300000ll /* to begin with */
#define STEER_TARGET_MIN_NS 80000ll

/* `sweep` and `coarse` as in the struct. */
void steer_init(struct steer *s, struct tick_rate rate, int sweep, int coarse);

/* The client's ticks begin, or begin anew, at `tick`: what is heard of older
 * ones is no news, and the first second's errors are mended at once. */
void steer_begin(struct steer *s, uint64_t tick);

/*
 * One snapshot's word: the margin of the newest input, `used_mask` of the
 * inputs (bit i: that of `tick - i` was in time), the peer's delay, dilation.
 * `first_tick` is the first tick that this client sent an input for.
 */
void steer_hear(struct steer *s, uint64_t tick, int64_t margin_ns,
                uint32_t used_mask, uint32_t delay_ticks, uint32_t dilation_q8,
                uint64_t first_tick);

/*
 * Once each client tick, `next` being the tick that it runs next: by how much
 * to move the schedule, + later. At most 1.5 % of a period, 5 % while inputs
 * miss; a whole error over 250 ms (a period, at the beginning), or a tick's
 * jump, at once.
 */
int64_t steer_step(struct steer *s, uint64_t next);

#endif
