#include "tap.h"
#include <errno.h>
#include <stdlib.h>
#include <tick.h>

#define MS     UINT64_C(1000000)
#define SECOND (1000 * MS)

static const struct tick_rate rates[] = {
    {1,     1   },
    {7,     1   },
    {40,    1   },
    {60,    1   },
    {60000, 1001},
    {128,   1   },
    {333,   1   },
    {1000,  1   },
};
#define RATES (sizeof(rates) / sizeof(rates[0]))

static uint64_t
random_below(uint64_t *state, uint64_t bound)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (*state >> 11) % bound;
}

static void
rates_are_read_as_exact_fractions(void)
{
    static const struct {
        const char *text;
        uint32_t num, den;
    } rows[] = {
        {"60",            60,    1   },
        {"59.94",         2997,  50  },
        {"60000/1001",    60000, 1001},
        {"120/2",         60,    1   },
        {"1",             1,     1   },
        {"1000",          1000,  1   },
        {"60Hz",          60,    1   },
        {"60 Hz",         60,    1   },
        {" 60 hz ",       60,    1   },
        {"1000.000",      1000,  1   },
        {"0060",          60,    1   },
        {"7.5",           15,    2   },
        {"60000/1001 Hz", 60000, 1001},
    };
    struct tick_rate rate;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ok_int(tick_rate_parse(rows[i].text, &rate), 0);
        ok_int(rate.num, rows[i].num);
        ok_int(rate.den, rows[i].den);
    }
}

static void
what_is_no_rate_is_refused(void)
{
    static const char *const texts[] = {
        "",    " ",    "nan",  "inf",    "60abc",  "1/0",     "60/",  "60/x",
        "1e9", "60.",  ".5",   "60/1/1", "60 60",  "Hz",      "60 H", "0x40",
        "+60", "--60", "60,0", "60/-1",  "60.0/1", "60 HzHz", "- 60", "\n60",
    };
    struct tick_rate rate = {5, 6};
    size_t i;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (!ok_int(tick_rate_parse(texts[i], &rate), -EINVAL))
            printf("# the text was \"%s\"\n", texts[i]);
    ok_int(rate.num, 5);
    ok_int(rate.den, 6);
}

static void
a_rate_out_of_range_is_refused(void)
{
    static const char *const texts[] = {
        "0",
        "-1",
        "0.999",
        "1000.001",
        "1001",
        "2147483648",
        "999/1000",
        "18446744073709551616",
        "1/3",
        "-60",
        "0/1",
        "60.00000000000000000000000",
        "4294967297/4294967296",
        "60.0000000001",
        "60/18446744073709551616",
    };
    struct tick_rate rate;
    size_t i;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (!ok_int(tick_rate_parse(texts[i], &rate), -ERANGE))
            printf("# the text was \"%s\"\n", texts[i]);
}

static void
a_rate_tells_its_period_window_and_step(void)
{
    static const struct tick_rate ntsc = {60000, 1001};
    struct hp_tick tick;

    ok_real(tick_rate_hz(ntsc), 59.94005994005994, 1e-12);
    ok_int(tick_period_ns(ntsc), 16683333);
    ok_int(tick_period_ns((struct tick_rate){333, 1}), 3003003);
    ok_int(tick_window(ntsc), 64);
    ok_int(tick_window((struct tick_rate){128, 1}), 128);
    ok_int(tick_window((struct tick_rate){12801, 100}), 129);
    tick_describe(ntsc, 7, 99, &tick);
    ok_int(tick.index, 7);
    ok_int(tick.deadline_ns, 99);
    ok(tick.dt_s == 1001.0 / 60000);
    ok_int(tick.rate_num, 60000);
    ok_int(tick.rate_den, 1001);
}

static void
deadlines_do_not_drift_in_a_year(void)
{
    struct tick_schedule s;
    uint64_t year_s = 365 * 86400;
    size_t i;

    for (i = 0; i < RATES; i++) {
        /* After `den` seconds `num` ticks have passed, to the nanosecond. */
        uint64_t turns = year_s / rates[i].den;

        tick_schedule_init(&s, rates[i], 5, 123, 4);
        ok_int(tick_deadline_ns(&s, 5), 123);
        ok(tick_deadline_ns(&s, 5 + turns * rates[i].num) ==
           123 + turns * rates[i].den * SECOND);
    }
}

/*
 * Runs for `span_ns` a host whose every tick takes what hitch() says, and
 * holds the law after each moment at which nothing is due.
 */
static void
run_with_hitches(struct tick_rate rate, uint64_t span_ns, uint64_t seed)
{
    struct tick_schedule s;
    uint64_t period = tick_period_ns(rate), now = 77, end = now + span_ns;
    uint64_t number = 9;
    double due;

    tick_schedule_init(&s, rate, number, now, 4);
    while (now < end) {
        while (tick_next_ns(&s) <= now) {
            uint64_t choice = random_below(&seed, 100);

            if (!ok_int(s.next, number++))
                return;
            /* Never more than four to catch up with. */
            if (!ok(tick_begin(&s, now, 0) < 5 * period + 5))
                return;
            /* Mostly a tenth of a period; some hitches, rare long stalls. */
            now += random_below(&seed, period / 5);
            if (choice >= 95)
                now += random_below(&seed,
                                    choice == 99 ? 30 * period : 3 * period);
        }
        due = (double)(now - s.start_ns) * rate.num / rate.den / 1e9 + 1;
        if (!ok_real((double)(s.run + s.dropped), due, 1))
            return;
        now = tick_next_ns(&s) + random_below(&seed, 60000);
    }
    ok_int(s.start_ns, 77);
    ok(s.run > 100);
    ok(s.dropped > 0);
    ok(s.late > 0);
}

static void
run_and_dropped_equal_elapsed_by_rate_whatever_the_hitches(void)
{
    size_t i;

    for (i = 0; i < RATES; i++)
        run_with_hitches(rates[i], 20000 * tick_period_ns(rates[i]), i + 1);
}

static void
half_an_hour_of_hitches_at_60_hz_drifts_by_nothing(void)
{
    struct tick_schedule s;
    uint64_t now = 0, seed = 3;

    tick_schedule_init(&s, (struct tick_rate){60, 1}, 0, 0, 4);
    while (tick_next_ns(&s) <= 1800 * SECOND) {
        if (tick_next_ns(&s) > now)
            now = tick_next_ns(&s);
        tick_begin(&s, now, 0);
        if (s.run % 50 == 0)
            now += 5 * MS + random_below(&seed, 35) * MS;
    }
    ok_int(s.dropped, 0);
    ok_int(s.run, 1800 * 60 + 1);
    ok_int(tick_deadline_ns(&s, 1800 * 60), 1800 * SECOND);
}

static void
four_periods_behind_are_caught_up(void)
{
    struct tick_schedule s;
    int i;

    tick_schedule_init(&s, (struct tick_rate){100, 1}, 0, 0, 4);
    ok_int(tick_begin(&s, 49 * MS, 0), 49 * MS);
    for (i = 1; i < 5; i++)
        ok_int(tick_begin(&s, 49 * MS, 0), (uint64_t)(49 - 10 * i) * MS);
    ok_int(s.dropped, 0);
    ok_int(s.run, 5);
    ok_int(s.late, 5);
    ok_int(tick_next_ns(&s), 50 * MS);
}

static void
five_periods_behind_are_dropped_whole(void)
{
    struct tick_schedule s;

    tick_schedule_init(&s, (struct tick_rate){100, 1}, 0, 0, 4);
    ok_int(tick_begin(&s, 50 * MS + 500000, 0), 500000);
    ok_int(s.dropped, 5);
    ok_int(s.run, 1);
    ok_int(s.late, 0);
    ok_int(s.next, 1);
    ok_int(tick_next_ns(&s), 60 * MS);
}

static void
a_minute_of_standstill_is_dropped_at_once(void)
{
    struct tick_schedule s;
    uint64_t stop = 60 * SECOND + 3 * MS;

    tick_schedule_init(&s, (struct tick_rate){60, 1}, 0, 0, 4);
    tick_begin(&s, 0, 0);
    ok(tick_begin(&s, stop, 0) < tick_period_ns(s.rate));
    ok_int(s.dropped, 3599);
    ok(tick_next_ns(&s) > stop);
    ok_int(s.next, 2);
}

static void
a_suspend_is_one_resync_without_drop_or_catch_up(void)
{
    struct tick_schedule s;
    uint64_t before_s = 7 * 3600;

    tick_schedule_init(&s, (struct tick_rate){100, 1}, 0, 0, 4);
    /* What the machine slept before we began is no suspend of ours. */
    tick_begin(&s, 0, before_s * SECOND);
    ok_int(s.resyncs, 0);
    tick_begin(&s, 10 * MS, before_s * SECOND + 400 * MS);
    ok_int(s.resyncs, 0);
    ok_int(tick_begin(&s, 3 * SECOND, (before_s + 60) * SECOND), 0);
    ok_int(s.resyncs, 1);
    ok_int(s.dropped, 0);
    ok_int(s.run, 3);
    ok_int(tick_next_ns(&s), 3 * SECOND + 10 * MS);
    tick_begin(&s, 3 * SECOND + 10 * MS, (before_s + 60) * SECOND);
    ok_int(s.resyncs, 1);
    ok_int(s.dilation_q8, 256);
}

static void
dilation_is_the_speed_of_the_last_second(void)
{
    struct tick_schedule s;
    uint64_t now = 0;
    int i;

    tick_schedule_init(&s, (struct tick_rate){100, 1}, 0, 0, 0);
    ok_int(s.dilation_q8, 256);
    /* Each tick comes two periods after the one before: half speed. */
    for (i = 0; i < 110; i++, now += 20 * MS)
        tick_begin(&s, now, 0);
    ok_int(s.dilation_q8, 128);
    for (i = 0; i < 210; i++, now += 10 * MS)
        tick_begin(&s, now, 0);
    ok_int(s.dilation_q8, 256);
    tick_begin(&s, now + 3600 * SECOND, 0);
    ok_int(s.dilation_q8, 1);
}

static void
a_shift_moves_the_deadlines_to_come(void)
{
    struct tick_schedule s;

    tick_schedule_init(&s, (struct tick_rate){100, 1}, 0, 5 * MS, 4);
    tick_begin(&s, 5 * MS, 0);
    tick_shift(&s, -2000);
    ok_int(tick_next_ns(&s), 15 * MS - 2000);
    tick_shift(&s, 5000);
    ok_int(tick_next_ns(&s), 15 * MS + 3000);
    ok_int(s.dropped, 0);
}

static void
a_jump_goes_on_with_the_counts(void)
{
    struct tick_schedule s;

    tick_schedule_init(&s, (struct tick_rate){100, 1}, 0, 1000000000, 4);
    tick_begin(&s, 1000000000, 0);
    tick_jump(&s, 500, 3000000000);
    ok_int(tick_next_ns(&s), 3000000000);
    tick_begin(&s, 3000000000, 0);
    ok_int(s.next, 501);
    ok_int(tick_next_ns(&s), 3010000000);
    ok_int(s.run, 2);
    ok_int(s.dropped, 0);
    tick_jump(&s, 400, 3005000000);
    ok_int(tick_next_ns(&s), 3005000000);
}

TAP_MAIN(FACT(a_jump_goes_on_with_the_counts),
         FACT(rates_are_read_as_exact_fractions),
         FACT(what_is_no_rate_is_refused), FACT(a_rate_out_of_range_is_refused),
         FACT(a_rate_tells_its_period_window_and_step),
         FACT(deadlines_do_not_drift_in_a_year),
         FACT(run_and_dropped_equal_elapsed_by_rate_whatever_the_hitches),
         FACT(half_an_hour_of_hitches_at_60_hz_drifts_by_nothing),
         FACT(four_periods_behind_are_caught_up),
         FACT(five_periods_behind_are_dropped_whole),
         FACT(a_minute_of_standstill_is_dropped_at_once),
         FACT(a_suspend_is_one_resync_without_drop_or_catch_up),
         FACT(dilation_is_the_speed_of_the_last_second),
         FACT(a_shift_moves_the_deadlines_to_come))
