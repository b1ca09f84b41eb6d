#define _GNU_SOURCE /* ppoll, names of threads, SCHED_RESET_ON_FORK */
#include "clock_private.h"
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)

/* ---- the clock ---- */

int
clock_create_real(struct clock **out)
{
    *out = calloc(1, sizeof(**out));
    return *out == NULL ? -ENOMEM : 0;
}

int
clock_create_virtual(struct clock **out, uint64_t start_ns)
{
    int err = clock_create_real(out);

    if (err < 0)
        return err;
    err = turns_create(&(*out)->turns, start_ns);
    if (err < 0) {
        free(*out);
        *out = NULL;
    }
    return err;
}

void
clock_destroy(struct clock *clock)
{
    if (clock == NULL)
        return;
    turns_destroy(clock->turns);
    free(clock);
}

static uint64_t
read_clock_ns(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

uint64_t
clock_monotonic_ns(void)
{
    return read_clock_ns(CLOCK_MONOTONIC);
}

uint64_t
clock_now_ns(const struct clock *clock)
{
    if (clock->turns != NULL)
        return turns_now_ns(clock->turns);
    return clock_monotonic_ns();
}

int64_t
clock_wall_s(const struct clock *clock)
{
    if (clock->turns != NULL)
        return 0;
    return (int64_t)(read_clock_ns(CLOCK_REALTIME) / SECOND_NS);
}

int
clock_is_virtual(const struct clock *clock)
{
    return clock->turns != NULL;
}

uint64_t
clock_slept_ns(const struct clock *clock)
{
    uint64_t before_ns, boot_ns, after_ns;
    int tries;

    if (clock->turns != NULL)
        return turns_slept_ns(clock->turns);
    /* A thread that is stopped between two readings must not look like a
     * machine that slept, so only readings close together count. */
    for (tries = 0; tries < 8; tries++) {
        before_ns = read_clock_ns(CLOCK_MONOTONIC);
        boot_ns = read_clock_ns(CLOCK_BOOTTIME);
        after_ns = read_clock_ns(CLOCK_MONOTONIC);
        if (after_ns - before_ns < SECOND_NS / 1000)
            break;
    }
    return boot_ns > after_ns ? boot_ns - after_ns : 0;
}

void
clock_suspend(struct clock *clock, uint64_t ns)
{
    assert(clock->turns != NULL);
    turns_suspend(clock->turns, ns);
}

/* ---- a thread's place ---- */

static void
free_waiter(struct clock_waiter *w)
{
    if (w == NULL)
        return;
    if (w->event >= 0)
        close(w->event);
    if (w->timer >= 0)
        close(w->timer);
    free(w);
}

static int
open_descriptors(struct clock_waiter *w)
{
    w->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (w->event >= 0 && w->clock->turns == NULL)
        w->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (w->event < 0 || (w->timer < 0 && w->clock->turns == NULL))
        return errno == ENOMEM ? -ENOMEM : -EMFILE;
    return 0;
}

int
clock_join(struct clock *clock, struct clock_waiter **out)
{
    struct clock_waiter *w = calloc(1, sizeof(*w));
    int err;

    if (w == NULL)
        return -ENOMEM;
    w->clock = clock;
    w->event = w->timer = -1;
    err = open_descriptors(w);
    if (err == 0 && clock->turns != NULL)
        err = turns_join(clock->turns, w);
    if (err < 0) {
        free_waiter(w);
        return err;
    }
    *out = w;
    return 0;
}

void
clock_enter(struct clock_waiter *waiter)
{
    if (waiter->clock->turns != NULL)
        turns_enter(waiter->clock->turns, waiter);
}

void
clock_leave(struct clock_waiter *waiter)
{
    if (waiter == NULL)
        return;
    if (waiter->clock->turns != NULL)
        turns_leave(waiter->clock->turns, waiter);
    if (!waiter->of_thread)
        free_waiter(waiter);
}

void
clock_wake(struct clock_waiter *waiter)
{
    static const uint64_t one = 1;
    int saved = errno; /* a signal may have come between a call and its errno */

    /* EAGAIN: woken 2^64 - 2 times already. */
    while (write(waiter->event, &one, sizeof(one)) < 0 && errno == EINTR)
        ;
    errno = saved;
}

int
clock_take_wake(struct clock_waiter *waiter)
{
    uint64_t count;

    return read(waiter->event, &count, sizeof(count)) == sizeof(count);
}

/* ---- waiting in real time ---- */

/*
 * A timer is aimed at an absolute time, and wakes when it comes. The timeout of
 * ppoll is relative (what delays the call delays the end), and the kernel rounds
 * it up by a thousandth of its length, whatever the slack: 17 us at 60 Hz.
 */
static void
set_timer(struct clock_waiter *w, uint64_t at_ns)
{
    struct itimerspec at = {
        .it_value = {(time_t)(at_ns / SECOND_NS), (long)(at_ns % SECOND_NS)}
    };

    if (w->timer_ns == at_ns)
        return;
    timerfd_settime(w->timer, TFD_TIMER_ABSTIME, &at, NULL);
    w->timer_ns = at_ns;
}

static unsigned
poll_until(struct clock_waiter *w, int fd, uint64_t until_ns)
{
    static const struct timespec at_once = {0, 0};
    int has_passed = read_clock_ns(CLOCK_MONOTONIC) >= until_ns;
    int needs_timer = !has_passed && until_ns != CLOCK_NEVER;
    struct pollfd polled[] = {
        {w->event,                    POLLIN, 0},
        {fd,                          POLLIN, 0},
        {needs_timer ? w->timer : -1, POLLIN, 0}
    };
    unsigned reasons = 0;

    if (needs_timer)
        set_timer(w, until_ns);
    if (ppoll(polled, 3, has_passed ? &at_once : NULL, NULL) <= 0)
        return 0;
    assert(!(polled[1].revents & POLLNVAL));
    if (polled[0].revents != 0 && clock_take_wake(w))
        reasons |= CLOCK_WOKEN;
    if (polled[1].revents != 0)
        reasons |= CLOCK_READABLE;
    return reasons;
}

unsigned
clock_wait(struct clock_waiter *waiter, int fd, uint64_t deadline_ns,
           uint64_t spin_ns)
{
    uint64_t sleep_until_ns = deadline_ns;
    unsigned reasons;

    if (waiter->clock->turns != NULL)
        return turns_wait(waiter->clock->turns, waiter, fd, deadline_ns);
    /* Once that moment has passed, each poll returns at once: it spins. */
    if (deadline_ns != CLOCK_NEVER)
        sleep_until_ns = deadline_ns > spin_ns ? deadline_ns - spin_ns : 0;
    do {
        reasons = poll_until(waiter, fd, sleep_until_ns);
        if (read_clock_ns(CLOCK_MONOTONIC) >= deadline_ns)
            reasons |= CLOCK_DEADLINE;
    } while (reasons == 0);
    return reasons;
}

/* ---- threads ---- */

struct clock_thread {
    pthread_t thread;
    struct clock *clock;
    struct clock_waiter *waiter;
    void (*run)(void *);
    void *argument;
    char name[16]; /* what the kernel keeps */
};

static void *
thread_main(void *argument)
{
    struct clock_thread *t = argument;

    pthread_setname_np(pthread_self(), t->name);
    if (t->waiter != NULL)
        clock_enter(t->waiter);
    t->run(t->argument);
    clock_leave(t->waiter);
    return NULL;
}

/* Signals are the main thread's, but a fault belongs to who made it. */
static void
block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                 SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked;
    size_t i;

    sigfillset(&blocked);
    for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

int
clock_thread_start(struct clock *clock, struct clock_thread **out,
                   struct clock_waiter *of_thread, void (*run)(void *),
                   void *argument, const char *name)
{
    struct clock_thread *t = calloc(1, sizeof(*t));
    sigset_t before;
    int err;

    if (t == NULL)
        return -ENOMEM;
    t->clock = clock;
    t->waiter = of_thread;
    t->run = run;
    t->argument = argument;
    snprintf(t->name, sizeof(t->name), "%s", name);
    if (of_thread != NULL)
        of_thread->of_thread = 1;
    block_signals(&before);
    err = pthread_create(&t->thread, NULL, thread_main, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err != 0) {
        if (of_thread != NULL)
            of_thread->of_thread = 0;
        free(t);
        return -err;
    }
    *out = t;
    return 0;
}

int
clock_thread_launch(struct clock *clock, struct clock_thread **out,
                    struct clock_waiter **waiter, void (*run)(void *),
                    void *argument, const char *name)
{
    int err = clock_join(clock, waiter);

    if (err < 0)
        return err;
    err = clock_thread_start(clock, out, *waiter, run, argument, name);
    if (err < 0) {
        clock_leave(*waiter);
        *waiter = NULL;
    }
    return err;
}

void
clock_thread_join(struct clock_thread *thread, struct clock_waiter *of_caller)
{
    if (thread == NULL)
        return;
    if (thread->clock->turns != NULL && thread->waiter != NULL)
        turns_wait_left(thread->clock->turns, of_caller, thread->waiter);
    pthread_join(thread->thread, NULL);
    free_waiter(thread->waiter);
    free(thread);
}

int
clock_set_slack(uint64_t ns)
{
    /* 0 would mean "as the process began". */
    if (prctl(PR_SET_TIMERSLACK, ns == 0 ? 1UL : (unsigned long)ns, 0, 0, 0) <
        0)
        return -errno;
    return 0;
}

int
clock_set_realtime(void)
{
    struct sched_param priority;

    /* Low among its kind: kernel threads that serve us stay above. */
    priority.sched_priority = sched_get_priority_min(SCHED_FIFO) + 9;
    if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority) < 0)
        return -errno;
    return 0;
}
