/*
 * Time, and waiting for it: the only place that reads a clock.
 *
 * A clock is real (CLOCK_MONOTONIC) or virtual. On a virtual clock only one
 * thread runs at a time: the others wait in clock_wait, and when the running
 * one waits too, the first in order of joining that has something to do goes
 * on; when none has, time jumps to the earliest deadline. So a test of many
 * threads and sockets on loopback is exact and repeatable.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

#define CLOCK_NEVER UINT64_MAX

struct clock;        /* real or virtual */
struct clock_waiter; /* one thread's place on it */

/* -ENOMEM. */
int clock_create_real(struct clock **out);
int clock_create_virtual(struct clock **out, uint64_t start_ns);
/* Every waiter has left. Accepts NULL. */
void clock_destroy(struct clock *clock);

/* [any] Nanoseconds, never backwards. */
uint64_t clock_now_ns(const struct clock *clock);
int clock_is_virtual(const struct clock *clock);

/* [any] Nanoseconds by which boot time has run ahead of monotonic time: what
 * the machine slept. 0 on a virtual clock unless clock_suspend said so. */
uint64_t clock_slept_ns(const struct clock *clock);
void clock_suspend(struct clock *clock, uint64_t ns);

/*
 * Takes a place for a thread, before the thread is started and in an order
 * that does not vary: on a virtual clock it counts as running from now on.
 * -ENOMEM, -EMFILE.
 */
int clock_join(struct clock *clock, struct clock_waiter **out);
/* The thread's first call: on a virtual clock waits for its turn. */
void clock_enter(struct clock_waiter *waiter);
/* [the waiter's thread] Gives the place up. Accepts NULL. */
void clock_leave(struct clock_waiter *waiter);

enum clock_reason {
    CLOCK_DEADLINE = 1 << 0, /* it has passed */
    CLOCK_READABLE = 1 << 1, /* the descriptor has something to read */
    CLOCK_WOKEN = 1 << 2     /* clock_wake was called */
};

/*
 * [the waiter's thread] Waits until `deadline_ns`, until `fd` (or -1) is
 * readable, or until woken; sleeps but for the last `spin_ns`. Returns the
 * reasons, at least one. One system call when something is ready.
 */
unsigned clock_wait(struct clock_waiter *waiter, int fd, uint64_t deadline_ns,
                    uint64_t spin_ns);

/* [any] Ends the waiter's present or next clock_wait. Async-signal-safe. */
void clock_wake(struct clock_waiter *waiter);

/* [main] Waits for a thread to end. On a virtual clock the caller, who holds
 * `waiter`, lets the others run until then. */
struct clock_thread;
int clock_thread_start(struct clock *clock, struct clock_thread **out,
                       struct clock_waiter *of_thread, void (*run)(void *),
                       void *argument, const char *name);
void clock_thread_join(struct clock_thread *thread,
                       struct clock_waiter *of_caller);

#endif
