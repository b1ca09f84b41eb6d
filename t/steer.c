/* The client's clock against a made-up server: margins settle on the target. */
#include "steer.h"
#include "tap.h"
#include <stdlib.h>

static const struct tick_rate rate60 = {60, 1};

/* One link: inputs of the client arrive `offset` before the deadline, plus
 * jitter; snapshots tell it `delay` ticks later. */
struct link {
    struct steer steer;
    int64_t offset_ns;
    int64_t jitter_ns;
    uint32_t delay;
    int64_t margins[64];
    uint32_t mask;
    uint64_t tick;
    uint64_t misses;
};

static void
hear(struct link *l, uint64_t tick)
{
    struct steer_news news = {.tick = tick,
                              .input_tick = tick,
                              .margin_ns = l->margins[tick % 64],
                              .used_mask = l->mask >> l->delay,
                              .delay_ticks = l->delay,
                              .dilation_q8 = 256};

    steer_hear(&l->steer, &news, 1);
}

static void
run_ticks(struct link *l, int ticks)
{
    int64_t margin;

    while (ticks-- > 0) {
        l->tick++;
        margin = l->offset_ns;
        if (l->jitter_ns > 0)
            margin -= rand() % l->jitter_ns;
        l->margins[l->tick % 64] = margin;
        l->mask = l->mask << 1 | (margin >= 0);
        l->misses += margin < 0;
        if (l->tick > l->delay)
            hear(l, l->tick - l->delay);
        l->offset_ns -= steer_step(&l->steer, l->tick + 1);
    }
}

static void
a_margin_settles_on_the_target(void)
{
    struct link l = {.offset_ns = 9000000, .delay = 1};

    steer_init(&l.steer, rate60, 0, 0);
    run_ticks(&l, 300);
    ok_real((double)l.offset_ns, (double)l.steer.target_ns, 30000);
    ok_int(l.misses, 0);
}

static void
a_long_link_settles_without_swinging(void)
{
    struct link l = {.offset_ns = 12000000, .delay = 12};

    steer_init(&l.steer, rate60, 0, 0);
    run_ticks(&l, 600);
    ok_real((double)l.offset_ns, (double)l.steer.target_ns, 50000);
    ok(l.misses < 5);
}

static void
late_inputs_speed_the_clock_up(void)
{
    struct link l = {.offset_ns = -20000000, .delay = 2};

    steer_init(&l.steer, rate60, 0, 0);
    run_ticks(&l, 60);
    ok(l.offset_ns > 0);
    run_ticks(&l, 300);
    ok(l.misses < 60);
}

static void
jitter_widens_the_target_until_few_miss(void)
{
    struct link l = {.offset_ns = 3000000, .jitter_ns = 4000000, .delay = 2};

    srand(3);
    steer_init(&l.steer, rate60, 0, 0);
    run_ticks(&l, 2000);
    ok(l.steer.target_ns > STEER_TARGET_NS);
    l.misses = 0;
    run_ticks(&l, 3000);
    ok(l.misses < 3000 / 50);
}

static void
an_error_over_a_quarter_second_is_mended_at_once(void)
{
    struct link l = {.offset_ns = 2000000000, .delay = 1};

    steer_init(&l.steer, rate60, 0, 0);
    run_ticks(&l, 8);
    ok(l.offset_ns < 10000000);
    ok_int(l.steer.resyncs, 1);
}

static void
a_sweep_passes_every_phase_and_jumps_when_late(void)
{
    struct link l = {.offset_ns = 5000000, .delay = 1};
    int seen[10] = {0}, i, phases = 0;

    steer_init(&l.steer, rate60, 1, 0);
    for (i = 0; i < 1300; i++) {
        run_ticks(&l, 1);
        if (l.offset_ns >= 0 && l.offset_ns < 16666666)
            seen[l.offset_ns * 10 / 16666667]++;
    }
    for (i = 0; i < 10; i++)
        phases += seen[i] > 60;
    ok_int(phases, 10);
    ok(l.misses >= 2 && l.misses < 12);
}

static void
a_slowed_server_is_followed(void)
{
    struct steer s;

    struct steer_news news = {.tick = 10,
                              .input_tick = 10,
                              .used_mask = 1,
                              .delay_ticks = 1,
                              .dilation_q8 = 128};

    steer_init(&s, rate60, 0, 0);
    news.margin_ns = s.target_ns;
    steer_hear(&s, &news, 10);
    ok_real((double)steer_step(&s, 11), 16666667, 10);
}

TAP_MAIN(FACT(a_margin_settles_on_the_target),
         FACT(a_long_link_settles_without_swinging),
         FACT(late_inputs_speed_the_clock_up),
         FACT(jitter_widens_the_target_until_few_miss),
         FACT(an_error_over_a_quarter_second_is_mended_at_once),
         FACT(a_sweep_passes_every_phase_and_jumps_when_late),
         FACT(a_slowed_server_is_followed))
