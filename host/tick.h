/*
 * When ticks are due: absolute, rational deadlines, and what happens when the
 * host is late. Pure arithmetic; whoever owns the schedule does the waiting.
 *
 *     deadline(k) = start + (k - first + dropped) * den * 1e9 / num
 *
 * computed whole each time, so there is no drift, ever, and always
 *
 *     ticks run + dropped = elapsed since start x rate, within one
 *
 * once the ticks that are due have been run.
 */
#ifndef TICK_H
#define TICK_H

#include <hardpoint/types.h>
#include <stdint.h>

#define TICK_RATE_MIN_HZ 1
#define TICK_RATE_MAX_HZ 1000

struct tick_rate {
    uint32_t num; /* ticks in ... */
    uint32_t den; /* ... this many seconds; reduced */
};

/*
 * Reads "60", "59.94" or "60000/1001", with "Hz" and blanks around it or not.
 * -EINVAL: not such a number, or text after it; -ERANGE: below 1 or above
 * 1000 Hz, or over 32 bits once reduced. `out` is written on success only.
 */
int tick_rate_parse(const char *text, struct tick_rate *out);
double tick_rate_hz(struct tick_rate rate);
/* One period, rounded to a nanosecond. */
uint64_t tick_period_ns(struct tick_rate rate);
/* max(64, one second) of ticks: how far back inputs and acks reach. */
uint32_t tick_window(struct tick_rate rate);
/* The ABI's view of tick `index`. */
void tick_describe(struct tick_rate rate, uint64_t index, uint64_t deadline_ns,
                   struct hp_tick *out);

struct tick_schedule {
    struct tick_rate rate;
    uint64_t start_ns; /* when `first` was due; re-syncs and shifts move it */
    uint64_t first;
    uint64_t next; /* the tick that runs next */
    uint32_t catch_up_max;
    uint64_t run;       /* ticks run */
    uint64_t late;      /* of them, more than a tenth of a period late */
    uint64_t dropped;   /* periods that no tick was run for */
    uint64_t resyncs;   /* suspends that were skipped over */
    uint64_t slept_ns;  /* when last seen; UINT64_MAX: not yet */
    uint64_t window_ns; /* dilation: start of the second that is counted */
    uint64_t window_run;
    uint64_t window_dropped;
    uint64_t dropped_ns; /* when time was last dropped */
    /* Speed of the last whole second: 256 full, 128 half, never 0. Full again
     * once nothing was dropped for half a second: clients that went on slowly
     * would fall behind. */
    uint32_t dilation_q8;
};

void tick_schedule_init(struct tick_schedule *s, struct tick_rate rate,
                        uint64_t first, uint64_t t0_ns, uint32_t catch_up_max);
/* As things stand now: an earlier tick's own deadline may have been another. */
uint64_t tick_deadline_ns(const struct tick_schedule *s, uint64_t tick);
/* Deadline of `next`. */
uint64_t tick_next_ns(const struct tick_schedule *s);

/*
 * Called when tick_next_ns has passed: counts the tick as run and moves to the
 * next. When more than catch_up_max periods behind, first drops all whole
 * periods that it is behind by (dropping just down to catch_up_max would leave
 * a host that is too slow always that far behind). When `slept_ns`
 * (clock_slept_ns) grew by over half a second since the call before, the
 * machine was suspended: the schedule moves to now, without catch-up and
 * without a drop. Returns how late the tick starts, in ns, after that.
 */
uint64_t tick_begin(struct tick_schedule *s, uint64_t now_ns,
                    uint64_t slept_ns);

/* Moves all deadlines to come by `ns`: a client that steers its clock. */
void tick_shift(struct tick_schedule *s, int64_t ns);

/* Makes `tick` the next one, due at `deadline_ns`: a client that begins anew.
 * The counts go on; numbers that were skipped are in none of them. */
void tick_jump(struct tick_schedule *s, uint64_t tick, uint64_t deadline_ns);

#endif
