/* The jobs call's own state, shared by its two files: jobs.c (a call) and
 * jobs_threads.c (who helps). */
#ifndef JOBS_PRIVATE_H
#define JOBS_PRIVATE_H

#include "fault.h"
#include "jobs.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A few tens of microseconds: about what a sleep and a wake-up cost. Step and
 * view follow each other within that. */
#define JOBS_SPINS 1000

/* In `undone`: the caller sleeps until it is 0. */
#define JOBS_CALLER_SLEEPS 0x80000000u

#define JOBS_CACHE_LINE 64

struct jobs {
    uint32_t threads;
    uint32_t helper_count;
    struct clock_thread *helpers[JOBS_THREADS_MAX];
    void (*begin)(void *);
    void *begin_context;
    int shuffled;
    uint64_t chance; /* shuffled: state */

    /* The call under way. */
    jobs_piece *run;
    void *context;
    uint32_t count;
    uint32_t pieces;
    struct fault_mark mark;
    int has_mark;
    uint64_t float_control;

    _Atomic int busy;
    _Atomic int stopping;
    _Atomic uint32_t sleepers;
    _Atomic uint64_t ticket __attribute__((aligned(JOBS_CACHE_LINE)));
    _Atomic uint32_t undone __attribute__((aligned(JOBS_CACHE_LINE)));
    _Atomic uint32_t calls __attribute__((aligned(JOBS_CACHE_LINE)));
};

static inline void
jobs_futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline void
jobs_futex_wake(_Atomic uint32_t *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

static inline void
jobs_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* [a helper] Does what is left of the call under way. */
void jobs_help(struct jobs *j);
/* Wakes up to `count` helpers that sleep. */
void jobs_call_helpers(struct jobs *j, int count);

#endif
