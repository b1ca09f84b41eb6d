/* How the bench reads ENet's round trip: the ranges of the first analysis. */
#include "bench.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

/* The verdict over a run whose estimate was always `rtt_ms`. */
static const char *
verdict(uint32_t rtt_ms, int service_tick, double rate_hz)
{
    struct bench_result *r = bench_result_create();
    const char *text;
    int i;

    r->service_tick = service_tick;
    r->rate_hz = rate_hz;
    for (i = 0; i < 100 && rtt_ms > 0; i++)
        hist_record(&r->stages[0].hist, rtt_ms * 1000ull);
    text = bench_verdict(r);
    free(r);
    return text;
}

static int
begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* To the millisecond, though the histogram's buckets are not whole ones. */
static void
a_tick_paced_server_is_read_by_the_ranges(void)
{
    ok(begins(verdict(14, 1, 60), "below normal"));
    ok(begins(verdict(15, 1, 60), "normal"));
    ok(begins(verdict(22, 1, 60), "normal"));
    ok(begins(verdict(23, 1, 60), "investigate"));
    ok(begins(verdict(33, 1, 60), "investigate"));
    ok(begins(verdict(34, 1, 60), "anomalous"));
}

static void
the_ranges_are_those_of_60_hz(void)
{
    ok(begins(verdict(17, 1, 60000.0 / 1001), "normal"));
    ok(begins(verdict(17, 1, 128), "tick-paced at another rate"));
}

static void
an_event_driven_server_must_be_below_them(void)
{
    ok(begins(verdict(1, 0, 60), "event-driven: below"));
    ok(begins(verdict(15, 0, 60), "event-driven, yet as slow"));
}

static void
without_a_round_trip_nothing_is_said_of_it(void)
{
    ok(begins(verdict(0, 1, 60), "no round trip"));
}

static void
every_stage_has_its_name_and_unit(void)
{
    struct bench_result *r = bench_result_create();
    const char *name;
    int i;

    ok(bench_stage(r, "nosuch") == NULL);
    for (i = 0; i < BENCH_STAGES; i++) {
        name = r->stages[i].name;
        ok(bench_stage(r, name) == &r->stages[i].hist);
        ok(strcmp(name + strlen(name) - 3, "_us") == 0 ||
           strcmp(name + strlen(name) - 3, "_ms") == 0);
    }
    free(r);
}

TAP_MAIN(FACT(a_tick_paced_server_is_read_by_the_ranges),
         FACT(the_ranges_are_those_of_60_hz),
         FACT(an_event_driven_server_must_be_below_them),
         FACT(without_a_round_trip_nothing_is_said_of_it),
         FACT(every_stage_has_its_name_and_unit))
