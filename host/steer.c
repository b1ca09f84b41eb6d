#include "steer.h"
#include <stdlib.h>
#include <string.h>

#define SECOND_NS  1000000000ull
#define RESYNC_NS  250000000ll
#define FAR_ENOUGH 4 /* errors in a row */

/* One miss for a thousand hits: 1/6 against 1/6000. */
#define MISS_WIDENS_NS   50000
#define MISS_WIDENS_PART 6
#define HIT_NARROWS_PART 6000

/* A surge falls to a third in so many seconds; so the longest, a period and a
 * half, is below a third of a period after five. */
#define SURGE_SECONDS     3
#define SURGE_WIDENS_PART 16 /* of a period */
#define SURGE_STAYS       16 /* one part of so many, when misses come back */

#define SWEEP_TICKS 600

static uint32_t
second_of_ticks(const struct steer *s)
{
    return (uint32_t)(SECOND_NS / s->period_ns) + 1;
}

void
steer_init(struct steer *s, struct tick_rate rate, int sweep, int coarse)
{
    memset(s, 0, sizeof(*s));
    s->period_ns = tick_period_ns(rate);
    s->sweep = sweep;
    s->coarse = coarse;
    s->target_ns = STEER_TARGET_NS;
    s->lasting_ns = STEER_TARGET_NS;
    s->quiet = second_of_ticks(s);
    s->dilation_q8 = 256;
}

void
steer_begin(struct steer *s, uint64_t tick)
{
    s->settle_tick = tick;
    s->coarse_until = tick + 1000000000ull / s->period_ns + 8;
    s->fresh = 0;
    s->far = 0;
}

static int64_t
clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Alone, a miss is chance; in company, a bad patch. */
static void
widen(struct steer *s)
{
    int64_t step = s->lasting_ns / MISS_WIDENS_PART;

    if (s->quiet < second_of_ticks(s) / 2) {
        s->surge_ns += (int64_t)s->period_ns / SURGE_WIDENS_PART;
    } else {
        s->lasting_ns += step > MISS_WIDENS_NS ? step : MISS_WIDENS_NS;
        s->lasting_ns += s->surge_ns / SURGE_STAYS;
        s->surge_ns -= s->surge_ns / SURGE_STAYS;
    }
    s->misses++;
    s->quiet = 0;
}

static void
narrow(struct steer *s)
{
    s->lasting_ns -= s->lasting_ns / HIT_NARROWS_PART;
    s->surge_ns -= s->surge_ns / (SURGE_SECONDS * second_of_ticks(s));
    s->hits++;
    s->quiet++;
}

static int
has_length(const struct steer *s)
{
    return s->delay_ticks > 2;
}

/* On a link without length, misses in a row are one hitch of this machine and
 * count once; on a long one a few may be chance. */
static uint32_t
chance_in_a_row(const struct steer *s)
{
    return has_length(s) ? 3 : 1;
}

/* A period and a half is the most that a margin can be worth: a miss by more,
 * or one after another, is the clock's fault, which the error mends. */
static void
learn(struct steer *s, int missed)
{
    int64_t most = (int64_t)(s->period_ns + s->period_ns / 2);

    s->in_a_row = missed ? s->in_a_row + 1 : 0;
    if (!missed)
        narrow(s);
    else if (s->error_ns >= -most && s->in_a_row <= chance_in_a_row(s))
        widen(s);
    s->lasting_ns = clamp(s->lasting_ns, STEER_TARGET_MIN_NS, most);
    s->surge_ns = clamp(s->surge_ns, 0, most - s->lasting_ns);
    s->target_ns = s->lasting_ns + s->surge_ns;
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

/* One datagram that was held up far too long is no reason to jump; only what
 * all of several say is. */
static void
watch_far_errors(struct steer *s)
{
    int is_far = s->error_ns > RESYNC_NS || s->error_ns < -RESYNC_NS;
    int same_side = (s->error_ns > 0) == (s->far_ns > 0);

    if (!is_far) {
        s->far = 0;
        return;
    }
    if (s->far == 0 || !same_side) {
        s->far = 1;
        s->far_ns = s->error_ns;
        return;
    }
    s->far++;
    if (llabs(s->error_ns) < llabs(s->far_ns))
        s->far_ns = s->error_ns;
}

void
steer_hear(struct steer *s, const struct steer_news *news, uint64_t first_tick)
{
    uint32_t misses;

    if (news->tick <= s->newest_tick)
        return;
    misses = count_misses(s, news->tick, news->used_mask, first_tick);
    s->newest_tick = news->tick;
    s->delay_ticks = news->delay_ticks;
    s->dilation_q8 = news->dilation_q8 > 0 ? news->dilation_q8 : 256;
    if (news->input_tick < first_tick || news->input_tick <= s->settle_tick)
        return; /* the margin of what was sent before we last jumped */
    s->error_ns = news->margin_ns - s->target_ns;
    /* Without a link to learn, what misses at first is the start's own. */
    if (news->tick > s->coarse_until || has_length(s))
        learn(s, misses > 0);
    s->fresh = 1;
    watch_far_errors(s);
    if (s->sweep || s->coarse)
        count_ticks(s, news->margin_ns, misses);
}

static int64_t
jump(struct steer *s, int64_t by_ns)
{
    s->resyncs++;
    s->far = 0;
    return by_ns;
}

static int64_t
step_locked(struct steer *s, uint64_t next)
{
    int64_t period = (int64_t)s->period_ns, most = period * 3 / 200, move;

    if (next <= s->coarse_until && llabs(s->error_ns) > period)
        return jump(s, s->error_ns);
    if (s->far >= FAR_ENOUGH)
        return jump(s, s->far_ns);
    if (s->error_ns < -s->target_ns || s->error_ns > period)
        most = period / 20;
    /* The longer the loop, the gentler the hand: what is done now is seen only
     * delay_ticks later. */
    move = s->error_ns /
           (s->delay_ticks > 4 ? 2 * (int64_t)s->delay_ticks + 2 : 10);
    return clamp(move, -most, most);
}

/* After a jump ahead the ticks jumped over run at once, all of them late: they
 * and what was sent before say nothing of where the clock is now. */
static void
settle(struct steer *s, uint64_t next, int64_t move)
{
    s->settle_tick = next;
    if (move < 0)
        s->settle_tick += (uint64_t)(-move) / s->period_ns + 1;
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
    if (llabs(move) > (int64_t)s->period_ns / 16)
        settle(s, next, move);
    s->fresh = 0;
    return stretch + move;
}
