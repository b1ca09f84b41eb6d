/*
 * clock.c (real time, threads) and clock_virtual.c (turns) share this.
 */
#ifndef CLOCK_PRIVATE_H
#define CLOCK_PRIVATE_H

#include "clock.h"
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

struct clock_turns; /* what a virtual clock has on top */

struct clock {
    struct clock_turns *turns; /* NULL: real */
};

struct clock_waiter {
    struct clock *clock;
    int event;         /* eventfd that clock_wake writes */
    int timer;         /* real: timerfd, set to ... */
    uint64_t timer_ns; /* ... this time; 0: not set */
    int of_thread;     /* clock_thread_join frees it, not clock_leave */
    struct {
        int state; /* enum waiter_state of clock_virtual.c */
        int fd;
        uint64_t deadline_ns;
        const struct clock_waiter *until_left;
        unsigned reasons; /* why it got the turn */
        pthread_cond_t come;
    } turn; /* under the mutex of the clock's turns */
};

/* Empties the eventfd; whether it had been written. */
int clock_take_wake(struct clock_waiter *waiter);

int turns_create(struct clock_turns **out, uint64_t start_ns);
void turns_destroy(struct clock_turns *t);
uint64_t turns_now_ns(const struct clock_turns *t);
uint64_t turns_slept_ns(const struct clock_turns *t);
void turns_suspend(struct clock_turns *t, uint64_t ns);
int turns_join(struct clock_turns *t, struct clock_waiter *w);
void turns_enter(struct clock_turns *t, struct clock_waiter *w);
void turns_leave(struct clock_turns *t, struct clock_waiter *w);
unsigned turns_wait(struct clock_turns *t, struct clock_waiter *w, int fd,
                    uint64_t deadline_ns);
/* Lets the others run until `other` has left. */
void turns_wait_left(struct clock_turns *t, struct clock_waiter *w,
                     const struct clock_waiter *other);

#endif
