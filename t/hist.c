#include "tap.h"
#include <hist.h>
#include <pthread.h>

static struct hist h, other;

static void
an_empty_one_gives_zeros(void)
{
    struct hist_summary s;

    hist_init(&h);
    hist_summarise(&h, 1, &s);
    ok_int(s.n, 0);
    ok_real(s.min + s.mean + s.p50 + s.p95 + s.p99 + s.p999 + s.max, 0, 0);
}

static void
small_values_are_exact(void)
{
    uint64_t value;

    for (value = 0; value < 128; value++) {
        hist_init(&h);
        hist_record(&h, 0);
        hist_record(&h, value);
        hist_record(&h, 1000);
        ok_int(hist_quantile(&h, 0.6), value);
    }
}

static void
any_value_is_within_one_percent(void)
{
    uint64_t value, got;
    double worst = 0;

    /* Between two outliers, so that the ends do not make it exact. */
    for (value = 1; value < UINT64_MAX / 2; value += value / 37 + 1) {
        hist_init(&h);
        hist_record(&h, 0);
        hist_record(&h, value);
        hist_record(&h, UINT64_MAX);
        got = hist_quantile(&h, 0.5);
        worst = fmax(worst, fabs((double)got / (double)value - 1));
    }
    ok(worst > 0);
    ok(worst < 0.01);
}

static void
the_largest_value_has_a_bucket(void)
{
    hist_init(&h);
    hist_record(&h, UINT64_MAX);
    ok_int(h.buckets[HIST_BUCKETS - 1], 1);
    ok(hist_quantile(&h, 0.5) == UINT64_MAX);
    hist_record(&h, (uint64_t)1 << 63);
    ok_int(h.buckets[HIST_BUCKETS - 64], 1);
}

static void
the_ends_are_exact(void)
{
    hist_init(&h);
    hist_record(&h, 1000003);
    hist_record(&h, 2000003);
    hist_record(&h, 3000017);
    ok_int(hist_quantile(&h, 0), 1000003);
    ok_int(hist_quantile(&h, 1), 3000017);
}

static void
quantiles_count_values_not_buckets(void)
{
    struct hist_summary s;
    int i;

    hist_init(&h);
    for (i = 1; i <= 100; i++)
        hist_record(&h, (uint64_t)i);
    ok_int(hist_quantile(&h, 0.07), 7);
    ok_int(hist_quantile(&h, 0.001), 1);
    hist_summarise(&h, 0.5, &s);
    ok_int(s.n, 100);
    ok_real(s.min, 0.5, 0);
    ok_real(s.mean, 25.25, 1e-9);
    ok_real(s.p50, 25, 0);
    ok_real(s.p95, 47.5, 0);
    ok_real(s.p99, 49.5, 0);
    ok_real(s.p999, 50, 0);
    ok_real(s.max, 50, 0);
}

static void
many_records_equal_that_many_single_ones(void)
{
    int i;

    hist_init(&h);
    hist_init(&other);
    hist_record_many(&h, 700, 5);
    hist_record_many(&h, 9, 0);
    for (i = 0; i < 5; i++)
        hist_record(&other, 700);
    ok(memcmp(&h, &other, sizeof(h)) == 0);
}

static void
adding_keeps_every_value(void)
{
    hist_init(&h);
    hist_init(&other);
    hist_record(&h, 10);
    hist_add(&h, &other);
    ok_int(hist_count(&h), 1);
    ok_int(hist_quantile(&h, 0), 10);
    hist_record(&other, 5);
    hist_record(&other, 5000);
    hist_add(&h, &other);
    ok_int(hist_count(&h), 3);
    ok_int(hist_quantile(&h, 0), 5);
    ok_int(hist_quantile(&h, 0.5), 10);
    ok_int(hist_quantile(&h, 1), 5000);
    ok_real(hist_mean(&h), 5015.0 / 3, 1e-9);
}

static void
counters_stick_instead_of_wrapping(void)
{
    hist_init(&h);
    hist_record_many(&h, 3, (uint64_t)UINT32_MAX + 7);
    hist_record(&h, 3);
    ok(h.buckets[3] == UINT32_MAX);
    hist_record_many(&h, UINT64_MAX, 2);
    ok(h.sum == UINT64_MAX);
}

static void *
record_ten_thousand(void *argument)
{
    int i;

    for (i = 0; i < 10000; i++)
        hist_record(argument, (uint64_t)i);
    return NULL;
}

static void
a_reader_may_look_while_another_thread_records(void)
{
    pthread_t thread;
    int i;

    hist_init(&h);
    ok_int(pthread_create(&thread, NULL, record_ten_thousand, &h), 0);
    for (i = 0; i < 20; i++)
        ok(hist_quantile(&h, 0.5) < 10000);
    pthread_join(thread, NULL);
    ok_int(hist_count(&h), 10000);
}

static void
what_came_since_a_copy_is_told_alone(void)
{
    static struct hist before, since;

    hist_init(&h);
    hist_init(&before);
    hist_record(&h, 1000000);
    hist_record(&h, 3);
    hist_add(&before, &h);
    hist_record_many(&h, 500, 9);
    hist_record(&h, 7);
    hist_since(&since, &h, &before);
    ok_int(hist_count(&since), 10);
    ok_int(hist_quantile(&since, 0), 7);
    ok_int(hist_quantile(&since, 1) / 10, 50);
    ok_real(hist_mean(&since), 450.7, 0.001);
}

TAP_MAIN(FACT(what_came_since_a_copy_is_told_alone),
         FACT(an_empty_one_gives_zeros), FACT(small_values_are_exact),
         FACT(any_value_is_within_one_percent),
         FACT(the_largest_value_has_a_bucket), FACT(the_ends_are_exact),
         FACT(quantiles_count_values_not_buckets),
         FACT(many_records_equal_that_many_single_ones),
         FACT(adding_keeps_every_value),
         FACT(counters_stick_instead_of_wrapping),
         FACT(a_reader_may_look_while_another_thread_records))
