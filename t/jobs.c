/* The jobs call: each index once, whoever does it. */
#include "tap.h"
#include <clock.h>
#include <fault.h>
#include <float_control.h>
#include <jobs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define INDICES 3000

struct table {
    struct jobs *jobs;
    pthread_t caller;
    uint8_t times[INDICES];
    uint64_t squares[INDICES];
    _Atomic uint32_t ranges;
    _Atomic uint32_t by_helpers;
    _Atomic uint32_t wrong;
    uint32_t last_first;
};

static void
fill(void *context, uint32_t first, uint32_t end)
{
    struct table *t = context;
    uint32_t i;

    atomic_fetch_add(&t->ranges, 1);
    if (!pthread_equal(pthread_self(), t->caller))
        atomic_fetch_add(&t->by_helpers, 1);
    for (i = first; i < end; i++) {
        t->times[i]++;
        t->squares[i] = (uint64_t)i * i;
    }
}

static void
begin(struct table *t, struct jobs *jobs)
{
    memset(t, 0, sizeof(*t));
    t->jobs = jobs;
    t->caller = pthread_self();
}

/* How many of the first `count` were not done just once, or wrong; and whether
 * any beyond was done. */
static int
faults(const struct table *t, uint32_t count)
{
    uint32_t i;
    int bad = 0;

    for (i = 0; i < INDICES; i++)
        bad += i < count ? t->times[i] != 1 || t->squares[i] != (uint64_t)i * i
                         : t->times[i] != 0;
    return bad;
}

static int
open_jobs(struct jobs **jobs, struct clock **clock, uint32_t threads)
{
    return clock_create_real(clock) == 0 &&
           jobs_create(jobs, *clock, threads, NULL, NULL) == 0;
}

static void
close_jobs(struct jobs *jobs, struct clock *clock)
{
    jobs_destroy(jobs);
    clock_destroy(clock);
}

static void
each_index_is_done_once_by_any_number_of_threads(void)
{
    static const uint32_t counts[] = {0, 1, 2, 7, 64, 1000, INDICES};
    static struct table t;
    struct jobs *jobs;
    struct clock *clock;
    uint32_t threads, grain;
    size_t i;

    for (threads = 0; threads <= 5; threads++) {
        ok(open_jobs(&jobs, &clock, threads));
        ok_int(jobs_threads(jobs), threads == 0 ? 1 : threads);
        for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
            for (grain = 0; grain <= 500; grain = grain * 5 + 1) {
                begin(&t, jobs);
                jobs_run(jobs, fill, &t, counts[i], grain);
                ok_int(faults(&t, counts[i]), 0);
            }
        close_jobs(jobs, clock);
    }
}

static void
thousands_of_calls_one_after_the_other_lose_nothing(void)
{
    static struct table t;
    struct jobs *jobs;
    struct clock *clock;
    int round, bad = 0;

    ok(open_jobs(&jobs, &clock, 3));
    begin(&t, jobs);
    for (round = 0; round < 5000; round++) {
        uint32_t count = (uint32_t)(round % 61), i;

        memset(t.times, 0, 64);
        jobs_run(jobs, fill, &t, count, 1);
        for (i = 0; i < 64; i++)
            bad += t.times[i] != (i < count);
    }
    ok_int(bad, 0);
    close_jobs(jobs, clock);
}

/* A range that waits until another thread has begun one too. */
static void
meet(void *context, uint32_t first, uint32_t end)
{
    struct table *t = context;

    fill(t, first, end);
    while (atomic_load(&t->ranges) < 2)
        sched_yield();
}

static void
a_helper_works_at_the_same_time(void)
{
    static struct table t;
    struct jobs *jobs;
    struct clock *clock;

    ok(open_jobs(&jobs, &clock, 2));
    begin(&t, jobs);
    jobs_run(jobs, meet, &t, 2, 1);
    ok_int(faults(&t, 2), 0);
    ok_int(t.by_helpers, 1);
    close_jobs(jobs, clock);
}

static void
work_below_two_grains_stays_whole_on_its_thread(void)
{
    static struct table t;
    struct jobs *jobs;
    struct clock *clock;

    ok(open_jobs(&jobs, &clock, 4));
    begin(&t, jobs);
    jobs_run(jobs, fill, &t, 199, 100);
    ok_int(t.ranges, 1);
    ok_int(t.by_helpers, 0);
    begin(&t, jobs);
    jobs_run(jobs, fill, &t, 200, 100);
    ok_int(t.ranges, 2);
    close_jobs(jobs, clock);
    begin(&t, NULL);
    jobs_run(NULL, fill, &t, INDICES, 1);
    ok_int(t.ranges, 1);
    ok_int(faults(&t, INDICES), 0);
}

/* Each index of the outer call runs ten inner ones. */
static void
nest(void *context, uint32_t first, uint32_t end)
{
    struct table *t = context, *inner;
    uint32_t i;

    for (i = first; i < end; i++) {
        inner = calloc(1, sizeof(*inner));
        if (inner == NULL)
            continue;
        begin(inner, t->jobs);
        jobs_run(t->jobs, fill, inner, 10, 1);
        if (inner->ranges != 1 || inner->by_helpers != 0 ||
            faults(inner, 10) != 0)
            atomic_fetch_add(&t->wrong, 1);
        free(inner);
        t->times[i]++;
    }
}

static void
a_call_within_a_range_runs_whole_in_place(void)
{
    static struct table t;
    struct jobs *jobs;
    struct clock *clock;
    int i, once = 0;

    ok(open_jobs(&jobs, &clock, 3));
    begin(&t, jobs);
    jobs_run(jobs, nest, &t, 50, 1);
    for (i = 0; i < 50; i++)
        once += t.times[i] == 1;
    ok_int(once, 50);
    ok_int(t.wrong, 0);
    close_jobs(jobs, clock);
}

static void
look_at_mark(void *context, uint32_t first, uint32_t end)
{
    struct table *t = context;
    const struct fault_mark *mark = fault_newest();

    if (mark == NULL || strcmp(mark->label, "sim.test (server)") != 0 ||
        strcmp(mark->call, "step") != 0 || mark->tick != 77 ||
        float_control() != t->squares[0])
        atomic_fetch_add(&t->wrong, 1);
    atomic_fetch_add(&t->ranges, 1);
    (void)first;
    (void)end;
    while (atomic_load(&t->ranges) < 2)
        sched_yield();
}

static void
a_helper_bears_the_callers_name_and_floating_point_state(void)
{
    static struct table t;
    struct jobs *jobs;
    struct clock *clock;
    struct fault_mark *mark = fault_enter();
    uint64_t usual = float_control();

    ok(open_jobs(&jobs, &clock, 2));
    *mark = (struct fault_mark){
        .label = "sim.test (server)", .call = "step", .tick = 77};
    begin(&t, jobs);
#if defined(__x86_64__)
    float_control_set(usual | 0x8040); /* denormals count as zero */
#endif
    t.squares[0] = float_control();
    jobs_run(jobs, look_at_mark, &t, 2, 1);
    float_control_set(usual);
    ok_int(t.wrong, 0);
    ok_int(t.ranges, 2);
    fault_leave();
    ok(fault_newest() == NULL);
    close_jobs(jobs, clock);
}

static void
note_order(void *context, uint32_t first, uint32_t end)
{
    struct table *t = context;

    if (first < t->last_first)
        t->wrong++;
    t->last_first = first;
    fill(t, first, end);
}

static void
shuffled_ranges_come_in_another_order_each_time(void)
{
    static struct table t;
    struct jobs *jobs = NULL;
    uint32_t ranges = 0, backwards = 0;
    int i, bad = 0;

    ok_int(jobs_create_shuffled(&jobs, 4), 0);
    for (i = 0; i < 20; i++) {
        begin(&t, jobs);
        jobs_run(jobs, note_order, &t, 100, 64);
        bad += faults(&t, 100);
        ranges += t.ranges;
        backwards += t.wrong;
    }
    ok_int(bad, 0);
    ok(ranges > 100);
    ok(backwards > 20);
    jobs_destroy(jobs);
}

static void
nothing_is_left_of_what_was_never_called(void)
{
    struct jobs *jobs;
    struct clock *clock;
    int i;

    for (i = 0; i < 20; i++) {
        ok(open_jobs(&jobs, &clock, 4));
        close_jobs(jobs, clock);
    }
    jobs_destroy(NULL);
}

TAP_MAIN(FACT(each_index_is_done_once_by_any_number_of_threads),
         FACT(thousands_of_calls_one_after_the_other_lose_nothing),
         FACT(a_helper_works_at_the_same_time),
         FACT(work_below_two_grains_stays_whole_on_its_thread),
         FACT(a_call_within_a_range_runs_whole_in_place),
         FACT(a_helper_bears_the_callers_name_and_floating_point_state),
         FACT(shuffled_ranges_come_in_another_order_each_time),
         FACT(nothing_is_left_of_what_was_never_called))
