#include "steer.h"
#include <string.h>

#define MISS_WIDENS_NS 50000
/* 0.05 us a hit, kept whole by counting. */
#define HITS_A_MICROSECOND 20
#define RESYNC_NS          250000000ll
#define SWEEP_TICKS        600

void
steer_init(struct steer *s, struct tick_rate rate, int sweep, int coarse)
{
    memset(s, 0, sizeof(*s));
    s->period_ns = tick_period_ns(rate);
    s->sweep = sweep;
    s->coarse = coarse;
    s->target_ns = STEER_TARGET_NS;
    s->dilation_q8 = 256;
}

void
steer_begin(struct steer *s, uint64_t tick)
{
    s->settle_tick = tick;
    s->coarse_until = tick + 1000000000ull / s->period_ns + 8;
    s->fresh = 0;
}

static int64_t
clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Widens on a miss, narrows on hits; a period and a half is the most that a
 * margin can be worth. */
static void
learn(struct steer *s, int missed)
{
    int64_t most = (int64_t)(s->period_ns + s->period_ns / 2);

    if (missed) {
        s->misses++;
        s->target_ns += MISS_WIDENS_NS;
    } else if (++s->hits % HITS_A_MICROSECOND == 0) {
        s->target_ns -= 1000;
    }
    s->target_ns = clamp(s->target_ns, STEER_TARGET_MIN_NS, most);
}

/* How many of the ticks that are new to us, and ours to answer for, missed. */
static uint32_t
count_misses(const struct steer *s, uint64_t tick, uint32_t used_mask,
             uint64_t first_tick)
{
    uint64_t from = s->newest_tick + 1, t;
    uint32_t misses = 0;

    if (from < first_tick)
        from = first_tick;
    if (from <= s->settle_tick)
        from = s->settle_tick + 1;
    if (tick >= 32 && from < tick - 31)
        from = tick - 31;
    for (t = from; t <= tick; t++)
        misses += (used_mask >> (tick - t) & 1) == 0;
    return misses;
}

/* Where margins are not steered by: late is late, and a step ahead mends it; a
 * tick more than the phase needs is a tick too many. */
static void
count_ticks(struct steer *s, int64_t margin_ns, uint32_t misses)
{
    int64_t period = (int64_t)s->period_ns;
    int64_t most = s->coarse ? period * 3 / 2 : period * 11 / 10;

    s->error_ns = 0;
    if (misses > 0)
        s->error_ns = s->sweep ? -period : -period / 8;
    else if (margin_ns > most)
        s->error_ns = period;
    s->fresh = 2;
}

void
steer_hear(struct steer *s, uint64_t tick, int64_t margin_ns,
           uint32_t used_mask, uint32_t delay_ticks, uint32_t dilation_q8,
           uint64_t first_tick)
{
    uint32_t misses;

    if (tick <= s->newest_tick)
        return;
    misses = count_misses(s, tick, used_mask, first_tick);
    if (tick >= first_tick)
        learn(s, misses > 0);
    s->newest_tick = tick;
    s->delay_ticks = delay_ticks;
    s->dilation_q8 = dilation_q8 > 0 ? dilation_q8 : 256;
    if (tick < first_tick || tick <= s->settle_tick)
        return; /* the margin of what was sent before we last jumped */
    s->error_ns = margin_ns - s->target_ns;
    s->fresh = 1;
    if (s->sweep || s->coarse)
        count_ticks(s, margin_ns, misses);
}

static int64_t
step_locked(struct steer *s, uint64_t next)
{
    int64_t period = (int64_t)s->period_ns, most = period * 3 / 200, move;
    int64_t resync = next <= s->coarse_until ? period : RESYNC_NS;

    if (s->error_ns > resync || s->error_ns < -resync) {
        s->resyncs++;
        return s->error_ns;
    }
    if (s->error_ns < -s->target_ns)
        most = period / 20;
    /* The longer the loop, the gentler the hand: what is done now is seen only
     * delay_ticks later. */
    move = s->error_ns /
           (s->delay_ticks > 4 ? 2 * (int64_t)s->delay_ticks + 2 : 10);
    return clamp(move, -most, most);
}

int64_t
steer_step(struct steer *s, uint64_t next)
{
    int64_t stretch, move = 0;

    /* A slowed server is followed at its own pace. */
    stretch = (int64_t)(s->period_ns * 256 / s->dilation_q8 - s->period_ns);
    if (s->sweep)
        stretch += (int64_t)(s->period_ns / SWEEP_TICKS);
    if (s->fresh == 2)
        move = s->error_ns;
    else if (s->fresh == 1 && !s->sweep && !s->coarse)
        move = step_locked(s, next);
    if (move > (int64_t)s->period_ns / 16 || -move > (int64_t)s->period_ns / 16)
        s->settle_tick = next; /* a jump: older answers are no news */
    s->fresh = 0;
    return stretch + move;
}
