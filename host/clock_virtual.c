/*
 * Turns: the virtual clock. All fields are under the mutex, which nobody holds
 * while running, but for the time, which any thread may read.
 *
 * The turn is handed over by the thread that gives it up: hand_over looks for
 * the next one, moves time if it must, and tells that thread alone. A thread
 * that has joined but not entered gets its turn in advance, so the order does
 * not depend on how soon the kernel starts it.
 */
#define _GNU_SOURCE /* ppoll */
#include "clock_private.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STUCK_AFTER_S 10

enum waiter_state {
    JOINED,
    RUNNING, /* or about to: it has been given the turn */
    WAITING,
    LEFT
};

struct clock_turns {
    pthread_mutex_t mutex;
    _Atomic uint64_t now_ns;
    _Atomic uint64_t slept_ns;
    struct clock_waiter **waiters; /* in order of joining */
    struct pollfd *polled;         /* two for each: event, descriptor */
    int count;
    int capacity;
    int next;                     /* where the search begins; up to count */
    struct clock_waiter *running; /* who has the turn; may not know yet */
};

int
turns_create(struct clock_turns **out, uint64_t start_ns)
{
    struct clock_turns *t = calloc(1, sizeof(*t));

    if (t == NULL)
        return -ENOMEM;
    pthread_mutex_init(&t->mutex, NULL);
    atomic_init(&t->now_ns, start_ns);
    *out = t;
    return 0;
}

void
turns_destroy(struct clock_turns *t)
{
    if (t == NULL)
        return;
    assert(t->count == 0);
    pthread_mutex_destroy(&t->mutex);
    free(t->waiters);
    free(t->polled);
    free(t);
}

uint64_t
turns_now_ns(const struct clock_turns *t)
{
    return atomic_load_explicit(&t->now_ns, memory_order_acquire);
}

uint64_t
turns_slept_ns(const struct clock_turns *t)
{
    return atomic_load_explicit(&t->slept_ns, memory_order_acquire);
}

void
turns_suspend(struct clock_turns *t, uint64_t ns)
{
    atomic_fetch_add_explicit(&t->slept_ns, ns, memory_order_acq_rel);
}

/* ---- who is next ---- */

/* Asks the kernel about all descriptors at once. */
static int
poll_all(struct clock_turns *t, const struct timespec *timeout)
{
    int i;

    for (i = 0; i < t->count; i++) {
        struct clock_waiter *w = t->waiters[i];
        int waits = w->turn.state == WAITING;

        t->polled[2 * i] = (struct pollfd){waits ? w->event : -1, POLLIN, 0};
        t->polled[2 * i + 1] =
            (struct pollfd){waits ? w->turn.fd : -1, POLLIN, 0};
    }
    return ppoll(t->polled, 2 * (nfds_t)t->count, timeout, NULL);
}

/* Why waiter `i` may run now; 0: it may not. */
static unsigned
reasons_of(const struct clock_turns *t, int i)
{
    const struct clock_waiter *w = t->waiters[i];
    const struct clock_waiter *until_left = w->turn.until_left;
    unsigned reasons = 0;

    if (w->turn.state == JOINED)
        return CLOCK_WOKEN;
    if (until_left != NULL)
        return until_left->turn.state == LEFT ? CLOCK_WOKEN : 0;
    if (turns_now_ns(t) >= w->turn.deadline_ns)
        reasons |= CLOCK_DEADLINE;
    if (t->polled[2 * i].revents != 0)
        reasons |= CLOCK_WOKEN;
    if (t->polled[2 * i + 1].revents != 0)
        reasons |= CLOCK_READABLE;
    return reasons;
}

static struct clock_waiter *
first_with_reasons(struct clock_turns *t)
{
    int i;

    for (i = 0; i < t->count; i++) {
        int at = (t->next + i) % t->count;
        unsigned reasons = reasons_of(t, at);

        if (reasons == 0)
            continue;
        t->next = at + 1;
        t->waiters[at]->turn.reasons = reasons;
        return t->waiters[at];
    }
    return NULL;
}

static uint64_t
earliest_deadline_ns(const struct clock_turns *t)
{
    uint64_t earliest_ns = CLOCK_NEVER;
    int i;

    for (i = 0; i < t->count; i++)
        if (t->waiters[i]->turn.deadline_ns < earliest_ns)
            earliest_ns = t->waiters[i]->turn.deadline_ns;
    return earliest_ns;
}

/* Nobody has a deadline: only the world outside can go on. */
static void
wait_for_the_world(struct clock_turns *t)
{
    static const struct timespec patience = {STUCK_AFTER_S, 0};

    if (poll_all(t, &patience) != 0)
        return;
    fprintf(stderr,
            "clock: stuck: %d thread%s wait%s on the virtual clock without a "
            "deadline, and nothing came for %d s\n",
            t->count, t->count == 1 ? "" : "s", t->count == 1 ? "s" : "",
            STUCK_AFTER_S);
    abort();
}

static struct clock_waiter *
find_next(struct clock_turns *t)
{
    static const struct timespec at_once = {0, 0};
    struct clock_waiter *w;
    uint64_t deadline_ns;

    for (;;) {
        while (poll_all(t, &at_once) < 0)
            assert(errno == EINTR);
        w = first_with_reasons(t);
        if (w != NULL)
            return w;
        deadline_ns = earliest_deadline_ns(t);
        if (deadline_ns == CLOCK_NEVER)
            wait_for_the_world(t);
        else
            atomic_store_explicit(&t->now_ns, deadline_ns,
                                  memory_order_release);
    }
}

static void
hand_over(struct clock_turns *t)
{
    t->running = NULL;
    if (t->count == 0)
        return;
    t->running = find_next(t);
    pthread_cond_signal(&t->running->turn.come);
}

static void
wait_for_turn(struct clock_turns *t, struct clock_waiter *w)
{
    while (t->running != w)
        pthread_cond_wait(&w->turn.come, &t->mutex);
    w->turn.state = RUNNING;
    w->turn.until_left = NULL;
}

/* ---- a thread's calls ---- */

static int
make_room(struct clock_turns *t)
{
    int capacity = t->capacity == 0 ? 8 : 2 * t->capacity;
    void *grown;

    if (t->count < t->capacity)
        return 0;
    grown = realloc(t->waiters, (size_t)capacity * sizeof(*t->waiters));
    if (grown == NULL)
        return -ENOMEM;
    t->waiters = grown;
    grown = realloc(t->polled, 2 * (size_t)capacity * sizeof(*t->polled));
    if (grown == NULL)
        return -ENOMEM;
    t->polled = grown;
    t->capacity = capacity;
    return 0;
}

int
turns_join(struct clock_turns *t, struct clock_waiter *w)
{
    int err;

    pthread_cond_init(&w->turn.come, NULL);
    w->turn.state = JOINED;
    w->turn.fd = -1;
    w->turn.deadline_ns = CLOCK_NEVER;
    pthread_mutex_lock(&t->mutex);
    err = make_room(t);
    if (err == 0)
        t->waiters[t->count++] = w;
    pthread_mutex_unlock(&t->mutex);
    if (err < 0)
        pthread_cond_destroy(&w->turn.come);
    return err;
}

void
turns_enter(struct clock_turns *t, struct clock_waiter *w)
{
    pthread_mutex_lock(&t->mutex);
    if (t->running == NULL)
        hand_over(t);
    wait_for_turn(t, w);
    pthread_mutex_unlock(&t->mutex);
}

static void
take_out(struct clock_turns *t, int place)
{
    int i;

    t->count--;
    for (i = place; i < t->count; i++)
        t->waiters[i] = t->waiters[i + 1];
    if (t->next > place)
        t->next--;
}

void
turns_leave(struct clock_turns *t, struct clock_waiter *w)
{
    int place;

    pthread_mutex_lock(&t->mutex);
    if (w->turn.state != LEFT) {
        for (place = 0; t->waiters[place] != w; place++)
            assert(place + 1 < t->count);
        take_out(t, place);
        w->turn.state = LEFT;
        pthread_cond_destroy(&w->turn.come);
        if (t->running == w)
            hand_over(t);
    }
    pthread_mutex_unlock(&t->mutex);
}

static void
give_turn_up(struct clock_turns *t, struct clock_waiter *w)
{
    assert(t->running == w);
    w->turn.state = WAITING;
    hand_over(t);
    wait_for_turn(t, w);
}

unsigned
turns_wait(struct clock_turns *t, struct clock_waiter *w, int fd,
           uint64_t deadline_ns)
{
    unsigned reasons;

    pthread_mutex_lock(&t->mutex);
    w->turn.fd = fd;
    w->turn.deadline_ns = deadline_ns;
    give_turn_up(t, w);
    reasons = w->turn.reasons;
    w->turn.fd = -1;
    w->turn.deadline_ns = CLOCK_NEVER;
    if (reasons & CLOCK_WOKEN)
        clock_take_wake(w);
    pthread_mutex_unlock(&t->mutex);
    return reasons;
}

void
turns_wait_left(struct clock_turns *t, struct clock_waiter *w,
                const struct clock_waiter *other)
{
    pthread_mutex_lock(&t->mutex);
    if (other->turn.state != LEFT) {
        w->turn.until_left = other;
        give_turn_up(t, w);
    }
    pthread_mutex_unlock(&t->mutex);
}
