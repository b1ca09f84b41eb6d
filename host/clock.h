/*
 * Time, and waiting for it: the only place that reads a clock.
 *
 * A clock is real (CLOCK_MONOTONIC) or virtual. On a virtual clock only one
 * thread runs at a time: the one that holds the turn. When it waits or leaves,
 * the turn goes to the next in order of joining, counted round from the one
 * that had it, that has something to do: it was woken, its descriptor is
 * readable, its deadline has come, or it has not entered yet. When none has,
 * time jumps to the earliest deadline. So a test of many threads and sockets on
 * loopback is exact and repeatable.
 *
 * The thread that creates a virtual clock joins and enters first, sets things
 * up while it holds the turn, and lets the others run by waiting. When no
 * thread has a deadline and nothing happens for ten seconds (a signal or
 * another process may still wake one), the test is stuck: abort().
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
/* [any] The same of a real clock, for who has none at hand: ENet's own calls
 * while no net is open. */
uint64_t clock_monotonic_ns(void);
/* [any] Seconds since 1970, for the date of a report and nothing else; 0 on a
 * virtual clock. */
int64_t clock_wall_s(const struct clock *clock);
int clock_is_virtual(const struct clock *clock);

/* [any] Nanoseconds by which boot time has run ahead of monotonic time: what
 * the machine slept. 0 on a virtual clock unless clock_suspend said so. */
uint64_t clock_slept_ns(const struct clock *clock);
/* [any] Virtual clocks only: as if the machine had slept for `ns`. Monotonic
 * time stands still meanwhile, as it does on Linux. */
void clock_suspend(struct clock *clock, uint64_t ns);

/*
 * Takes a place for a thread, before the thread is started and in an order
 * that does not vary: on a virtual clock it counts as running from now on.
 * -ENOMEM, -EMFILE.
 */
int clock_join(struct clock *clock, struct clock_waiter **out);
/* The thread's first call: on a virtual clock waits for its turn. Once more
 * does nothing. */
void clock_enter(struct clock_waiter *waiter);
/* [the waiter's thread] Gives the place up. Accepts NULL. Also for a waiter
 * whose thread could not be started. */
void clock_leave(struct clock_waiter *waiter);

enum clock_reason {
    CLOCK_DEADLINE = 1 << 0, /* it has passed */
    CLOCK_READABLE = 1 << 1, /* the descriptor has something to read */
    CLOCK_WOKEN = 1 << 2     /* clock_wake was called */
};

/*
 * [the waiter's thread] Waits until `deadline_ns`, until `fd` (or -1) is
 * readable, or until woken; sleeps but for the last `spin_ns`. Returns the
 * reasons, at least one. One system call when something is ready, and one more
 * when the deadline to come is another than the time before.
 */
unsigned clock_wait(struct clock_waiter *waiter, int fd, uint64_t deadline_ns,
                    uint64_t spin_ns);

/* [any] Ends the waiter's present or next clock_wait. Async-signal-safe. */
void clock_wake(struct clock_waiter *waiter);

/*
 * [main] Starts a thread of the given name (15 bytes of it are kept). It takes
 * no signal but those of its own faults. With `of_thread` it enters before
 * `run` and leaves after it, unless `run` has done so itself; that waiter lives
 * until clock_thread_join.
 * NULL: the thread has no place on the clock and blocks where it likes.
 * -ENOMEM, -EAGAIN; the waiter is then still the caller's to leave.
 */
struct clock_thread;
int clock_thread_start(struct clock *clock, struct clock_thread **out,
                       struct clock_waiter *of_thread, void (*run)(void *),
                       void *argument, const char *name);
/* [main] clock_join and clock_thread_start in one, for a thread with a place.
 * Errors as of both; then there is neither, and `waiter` is NULL. */
int clock_thread_launch(struct clock *clock, struct clock_thread **out,
                        struct clock_waiter **waiter, void (*run)(void *),
                        void *argument, const char *name);
/* [main] Waits for a thread to end. On a virtual clock the caller, who holds
 * `of_caller`, lets the others run until then. Accepts NULL as thread. */
void clock_thread_join(struct clock_thread *thread,
                       struct clock_waiter *of_caller);

/* [any] How late the kernel may wake the calling thread so as to save power;
 * 50000 by default, 1 is the least. clock_wait has no slack whatever this is:
 * its timer is exact. A negative errno. */
int clock_set_slack(uint64_t ns);
/* [any] Puts the calling thread, but none that it starts, before all ordinary
 * ones (SCHED_FIFO). -EPERM: refused. */
int clock_set_realtime(void);

#endif
