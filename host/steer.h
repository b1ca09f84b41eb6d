/*
 * The client's clock: when its ticks run, so that inputs arrive just before
 * the server's deadline. Pure arithmetic on what snapshots say; the client
 * moves its schedule by what steer_step returns.
 *
 * Lock: the margin (how early inputs arrive) is held at a target that widens
 * by a sixth (50 us at least) with each miss and narrows by a six-thousandth
 * with each hit, so about one input in a thousand misses. What misses that come thick add, a bad patch of
 * the link, is a surge of its own, gone a few seconds after them: else the lag
 * of a bad minute would stay for an hour. Misses that come back each time that
 * it goes are no patch, and part of the surge then stays. Sweep ([net] phase = off): nothing is held; the
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
    int64_t target_ns; /* margin to hold: the lasting part and the surge */
    int64_t lasting_ns;
    int64_t surge_ns;
    uint32_t in_a_row; /* misses */
    uint32_t quiet;    /* ticks since the last miss */
    int64_t error_ns;  /* newest: margin - target; > 0: too early */
    int fresh;         /* the error has not been acted on */
    uint32_t delay_ticks;
    uint32_t dilation_q8;
    uint64_t newest_tick;  /* of the snapshots heard */
    uint64_t settle_tick;  /* inputs up to here are those of an older jump */
    uint64_t coarse_until; /* up to this tick an error of a period is mended at
                            * once */
    uint32_t far;          /* so many errors in a row were over 250 ms ... */
    int64_t far_ns;        /* ... and this one was the least of them */
    uint64_t misses, hits, resyncs;
};

/* One snapshot's word. */
struct steer_news {
    uint64_t tick;       /* the snapshot's */
    uint64_t input_tick; /* newest input that it knows ... */
    int64_t margin_ns;   /* ... and how early that was */
    uint32_t used_mask;  /* bit i: the input of `tick - i` was in time */
    uint32_t delay_ticks;
    uint32_t dilation_q8;
};

#define STEER_TARGET_NS     300000ll /* to begin with */
#define STEER_TARGET_MIN_NS 80000ll

/* `sweep` and `coarse` as in the struct. */
void steer_init(struct steer *s, struct tick_rate rate, int sweep, int coarse);

/* The client's ticks begin, or begin anew, at `tick`: what is heard of older
 * ones is no news, and the first second's errors are mended at once. */
void steer_begin(struct steer *s, uint64_t tick);

/* `first_tick` is the first tick that this client sent an input for. Older
 * news than the newest are no news. */
void steer_hear(struct steer *s, const struct steer_news *news,
                uint64_t first_tick);

/*
 * Once each client tick, `next` being the tick that it runs next: by how much
 * to move the schedule, + later. At most 1.5 % of a period, 5 % while inputs
 * miss or the error is over a period; a whole error that stays over 250 ms
 * (a period, at the beginning), or a tick's jump, at once.
 */
int64_t steer_step(struct steer *s, uint64_t next);

#endif
