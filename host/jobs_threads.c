/* The threads that help a tick, and the life of both. */
#define _GNU_SOURCE /* syscall */
#include "clock.h"
#include "instance.h"
#include "jobs_private.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- a helper ---- */

/* Until the number of calls is another than `seen`; returns it. */
static uint32_t
wait_for_call(struct jobs *j, uint32_t seen)
{
    uint32_t calls = atomic_load(&j->calls);
    int i;

    for (i = 0; i < JOBS_SPINS && calls == seen; i++) {
        jobs_relax();
        calls = atomic_load(&j->calls);
    }
    /* Counted before the last look, so that the caller sees one of the two. */
    while (calls == seen) {
        atomic_fetch_add(&j->sleepers, 1);
        jobs_futex_wait(&j->calls, seen);
        atomic_fetch_sub(&j->sleepers, 1);
        calls = atomic_load(&j->calls);
    }
    return calls;
}

static void
helper_main(void *argument)
{
    struct jobs *j = argument;
    uint32_t seen = 0;

    instance_thread_init();
    if (j->begin != NULL)
        j->begin(j->begin_context);
    for (;;) {
        seen = wait_for_call(j, seen);
        if (atomic_load(&j->stopping))
            break;
        jobs_help(j);
    }
    instance_thread_finish();
}

/* ---- life ---- */

static int
start_helper(struct jobs *j, struct clock *clock)
{
    char name[16];
    int err;

    snprintf(name, sizeof(name), "hp-helper-%u",
             (unsigned)(j->helper_count + 1) % 100);
    err = clock_thread_start(clock, &j->helpers[j->helper_count], NULL,
                             helper_main, j, name);
    if (err == 0)
        j->helper_count++;
    return err;
}

int
jobs_create(struct jobs **out, struct clock *clock, uint32_t threads,
            void (*begin)(void *context), void *context)
{
    struct jobs *j = aligned_alloc(JOBS_CACHE_LINE, sizeof(*j));
    int err = 0;

    if (j == NULL)
        return -ENOMEM;
    *j = (struct jobs){.begin = begin, .begin_context = context};
    j->threads = threads < 1                  ? 1
                 : threads > JOBS_THREADS_MAX ? JOBS_THREADS_MAX
                                              : threads;
    while (err == 0 && j->helper_count + 1 < j->threads)
        err = start_helper(j, clock);
    if (err < 0) {
        jobs_destroy(j);
        return err;
    }
    *out = j;
    return 0;
}

int
jobs_create_shuffled(struct jobs **out, uint64_t seed)
{
    int err = jobs_create(out, NULL, 1, NULL, NULL);

    if (err < 0)
        return err;
    (*out)->shuffled = 1;
    (*out)->chance = seed;
    return 0;
}

void
jobs_destroy(struct jobs *j)
{
    uint32_t i;

    if (j == NULL)
        return;
    atomic_store(&j->stopping, 1);
    jobs_call_helpers(j, INT_MAX);
    for (i = 0; i < j->helper_count; i++)
        clock_thread_join(j->helpers[i], NULL);
    free(j);
}

uint32_t
jobs_threads(const struct jobs *j)
{
    return j == NULL ? 1 : j->threads;
}
