#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "tap.h"
#include <arpa/inet.h>
#include <clock_private.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

/* ---- the virtual clock ---- */

static struct clock *turns;
static struct clock_waiter *main_waiter;
static char trail[256]; /* who ran, in order */

static void
begin_at(uint64_t start_ns)
{
    clock_create_virtual(&turns, start_ns);
    clock_join(turns, &main_waiter);
    clock_enter(main_waiter);
    trail[0] = '\0';
}

static void
end(void)
{
    clock_leave(main_waiter);
    clock_destroy(turns);
}

static void
note(char who)
{
    char text[] = {who, '\0'};

    if (strlen(trail) + 1 < sizeof(trail))
        strcat(trail, text);
}

/* A thread that comes back every `period_ns` and says so. */
struct pacer {
    struct clock_waiter *waiter;
    struct clock_thread *thread;
    uint64_t period_ns;
    int rounds;
    char letter;
};

static void
pace(void *argument)
{
    struct pacer *p = argument;
    uint64_t due_ns = clock_now_ns(turns);
    int i;

    for (i = 0; i < p->rounds; i++) {
        due_ns += p->period_ns;
        ok_int(clock_wait(p->waiter, -1, due_ns, 0), CLOCK_DEADLINE);
        ok_int(clock_now_ns(turns), due_ns);
        note(p->letter);
    }
}

static void
start(struct pacer *p, void (*run)(void *))
{
    ok_int(clock_join(turns, &p->waiter), 0);
    ok_int(clock_thread_start(turns, &p->thread, p->waiter, run, p, "pacer"),
           0);
}

static void
time_jumps_to_the_earliest_deadline(void)
{
    begin_at(1000);
    ok(clock_is_virtual(turns));
    ok_int(clock_now_ns(turns), 1000);
    ok_int(clock_wall_s(turns), 0);
    ok_int(clock_wait(main_waiter, -1, 3600000 * MS, 0), CLOCK_DEADLINE);
    ok_int(clock_now_ns(turns), 3600000 * MS);
    ok_int(clock_wait(main_waiter, -1, 5, 0), CLOCK_DEADLINE);
    ok_int(clock_now_ns(turns), 3600000 * MS);
    end();
}

static void
threads_run_in_order_of_time_then_of_joining(void)
{
    struct pacer a = {.letter = 'a', .period_ns = 20, .rounds = 3};
    struct pacer b = {.letter = 'b', .period_ns = 30, .rounds = 2};
    struct pacer c = {.letter = 'c', .period_ns = 20, .rounds = 3};
    int i;

    for (i = 0; i < 50; i++) {
        begin_at(0);
        start(&a, pace);
        start(&b, pace);
        start(&c, pace);
        clock_thread_join(a.thread, main_waiter);
        clock_thread_join(b.thread, main_waiter);
        clock_thread_join(c.thread, main_waiter);
        /* 20: a c, 30: b, 40: c a, as c comes after b; 60: b c a. */
        if (!ok_text(trail, "acbcabca"))
            i = 50;
        ok_int(clock_now_ns(turns), 60);
        end();
    }
}

static void *
enter_late(void *argument)
{
    static const struct timespec nap = {0, 20000000};
    struct clock_waiter *waiter = argument;

    nanosleep(&nap, NULL);
    clock_enter(waiter);
    note('t');
    ok_int(clock_now_ns(turns), 0);
    clock_leave(waiter);
    return NULL;
}

static void
a_thread_that_has_not_entered_yet_holds_time_back(void)
{
    struct clock_waiter *waiter;
    pthread_t thread;

    begin_at(0);
    clock_join(turns, &waiter);
    pthread_create(&thread, NULL, enter_late, waiter);
    clock_wait(main_waiter, -1, 1000, 0);
    note('m');
    pthread_join(thread, NULL);
    ok_text(trail, "tm");
    end();
}

static int
loopback_socket(struct sockaddr_in *address)
{
    socklen_t length = sizeof(*address);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    memset(address, 0, sizeof(*address));
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ok_int(bind(fd, (struct sockaddr *)address, sizeof(*address)), 0);
    ok_int(getsockname(fd, (struct sockaddr *)address, &length), 0);
    return fd;
}

struct echo {
    struct pacer pacer; /* first: start() */
    int fd;
    int left;
};

static void
echo(void *argument)
{
    struct echo *e = argument;
    struct sockaddr_in from;
    socklen_t length;
    char byte;

    for (; e->left > 0; e->left--) {
        ok_int(clock_wait(e->pacer.waiter, e->fd, CLOCK_NEVER, 0),
               CLOCK_READABLE);
        length = sizeof(from);
        ok_int(recvfrom(e->fd, &byte, 1, 0, (struct sockaddr *)&from, &length),
               1);
        ok_int(sendto(e->fd, &byte, 1, 0, (struct sockaddr *)&from, length), 1);
    }
}

static void
datagrams_arrive_before_time_moves(void)
{
    struct echo e = {.left = 500};
    struct sockaddr_in to, own;
    int fd, i;
    char byte = 1;

    begin_at(0);
    e.fd = loopback_socket(&to);
    fd = loopback_socket(&own);
    start(&e.pacer, echo);
    for (i = 0; i < 500; i++) {
        ok_int(sendto(fd, &byte, 1, 0, (struct sockaddr *)&to, sizeof(to)), 1);
        /* The answer is always there before even the next nanosecond. */
        if (!ok_int(clock_wait(main_waiter, fd, (uint64_t)i + 1, 0),
                    CLOCK_READABLE))
            break;
        ok_int(recv(fd, &byte, 1, 0), 1);
        ok_int(clock_wait(main_waiter, -1, (uint64_t)i + 1, 0), CLOCK_DEADLINE);
    }
    clock_thread_join(e.pacer.thread, main_waiter);
    ok_int(clock_now_ns(turns), 500);
    close(fd);
    close(e.fd);
    end();
}

static void
stay_readable(void *argument)
{
    struct echo *e = argument;

    for (; e->left > 0; e->left--) {
        clock_wait(e->pacer.waiter, e->fd, CLOCK_NEVER, 0);
        note('r');
    }
}

static void
a_descriptor_that_stays_readable_starves_nobody(void)
{
    struct echo e = {.left = 4};
    struct sockaddr_in to;
    char byte = 1;
    int i;

    begin_at(0);
    e.fd = loopback_socket(&to);
    ok_int(sendto(e.fd, &byte, 1, 0, (struct sockaddr *)&to, sizeof(to)), 1);
    start(&e.pacer, stay_readable);
    for (i = 0; i < 3; i++) {
        clock_wait(main_waiter, -1, 0, 0);
        note('m');
    }
    clock_thread_join(e.pacer.thread, main_waiter);
    ok_text(trail, "mrmrmrr");
    close(e.fd);
    end();
}

static void
wait_for_wake(void *argument)
{
    struct pacer *p = argument;

    ok_int(clock_wait(p->waiter, -1, 1000, 0), CLOCK_WOKEN);
    note('w');
}

static void
a_wake_ends_the_next_wait_once(void)
{
    struct pacer p = {.letter = 'p'};

    begin_at(0);
    start(&p, wait_for_wake);
    /* Twice, and before the thread has run at all. */
    clock_wake(p.waiter);
    clock_wake(p.waiter);
    clock_thread_join(p.thread, main_waiter);
    ok_text(trail, "w");
    ok_int(clock_now_ns(turns), 0);
    clock_wake(main_waiter);
    ok_int(clock_wait(main_waiter, -1, 10, 0), CLOCK_WOKEN);
    ok_int(clock_wait(main_waiter, -1, 10, 0), CLOCK_DEADLINE);
    end();
}

static void
wake_main(int signal_number)
{
    (void)signal_number;
    clock_wake(main_waiter);
}

static void
a_signal_wakes_though_nobody_has_a_deadline(void)
{
    struct sigaction action = {.sa_handler = wake_main}, before;
    struct itimerval in_20_ms = {
        {0, 0    },
        {0, 20000}
    };

    begin_at(0);
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &in_20_ms, NULL);
    ok_int(clock_wait(main_waiter, -1, CLOCK_NEVER, 0), CLOCK_WOKEN);
    ok_int(clock_now_ns(turns), 0);
    sigaction(SIGALRM, &before, NULL);
    end();
}

static void
a_place_whose_thread_never_started_can_be_left(void)
{
    struct clock_waiter *waiter;

    begin_at(0);
    ok_int(clock_join(turns, &waiter), 0);
    clock_leave(waiter);
    clock_leave(NULL);
    ok_int(clock_wait(main_waiter, -1, 10, 0), CLOCK_DEADLINE);
    end();
}

static void
enter_and_leave(void *argument)
{
    struct pacer *p = argument;

    clock_enter(p->waiter);
    note('e');
    clock_leave(p->waiter);
}

static void
a_thread_may_enter_and_leave_by_itself(void)
{
    struct pacer p = {.letter = 'p'};

    begin_at(0);
    start(&p, enter_and_leave);
    clock_thread_join(p.thread, main_waiter);
    clock_thread_join(NULL, main_waiter);
    ok_text(trail, "e");
    end();
}

static void
a_virtual_machine_sleeps_when_it_is_told_to(void)
{
    begin_at(7);
    ok_int(clock_slept_ns(turns), 0);
    clock_suspend(turns, 60000 * MS);
    ok_int(clock_slept_ns(turns), 60000 * MS);
    ok_int(clock_now_ns(turns), 7);
    end();
}

/* ---- the real clock ---- */

static struct clock *real;
static struct clock_waiter *waiter_on_real;

static void
begin_real(void)
{
    ok_int(clock_create_real(&real), 0);
    ok_int(clock_join(real, &waiter_on_real), 0);
    clock_enter(waiter_on_real);
}

static void
end_real(void)
{
    clock_leave(waiter_on_real);
    clock_destroy(real);
}

static void
a_wait_never_ends_before_its_deadline(void)
{
    uint64_t due_ns;
    int i;

    begin_real();
    ok(!clock_is_virtual(real));
    for (i = 0; i < 40; i++) {
        due_ns = clock_now_ns(real) + 300000;
        /* Every other one spins for its last tenth. */
        ok_int(clock_wait(waiter_on_real, -1, due_ns, i % 2 ? 30000 : 0),
               CLOCK_DEADLINE);
        ok(clock_now_ns(real) >= due_ns);
    }
    end_real();
}

static long
times_slept(uint64_t spin_ns)
{
    struct rusage before, after;

    getrusage(RUSAGE_THREAD, &before);
    clock_wait(waiter_on_real, -1, clock_now_ns(real) + 2 * MS, spin_ns);
    getrusage(RUSAGE_THREAD, &after);
    return after.ru_nvcsw - before.ru_nvcsw;
}

static void
a_wait_that_spins_all_the_time_never_sleeps(void)
{
    int tries;

    begin_real();
    ok(times_slept(0) > 0);
    /* A page fault may count as a sleep, but not each time. */
    for (tries = 0; tries < 5 && times_slept(3 * MS) > 0; tries++)
        ;
    ok(tries < 5);
    end_real();
}

static void
deadlines_may_come_in_any_order(void)
{
    static const int after_us[] = {500, 200, 300, 0, 300, 300, 100};
    uint64_t begin_ns, due_ns;
    int i, ends[2];

    begin_real();
    ok_int(pipe(ends), 0);
    ok_int(write(ends[1], "x", 1), 1);
    begin_ns = clock_now_ns(real);
    for (i = 0; i < 7; i++) {
        /* One that is not waited out, then one that is, often the earlier. */
        ok(clock_wait(waiter_on_real, ends[0], begin_ns + 60000 * MS, 0) ==
           CLOCK_READABLE);
        due_ns = clock_now_ns(real) + (uint64_t)after_us[i] * 1000;
        ok_int(clock_wait(waiter_on_real, -1, due_ns, 0), CLOCK_DEADLINE);
        ok(clock_now_ns(real) >= due_ns);
        ok_int(clock_wait(waiter_on_real, -1, due_ns, 0), CLOCK_DEADLINE);
    }
    ok(clock_now_ns(real) < begin_ns + 60000 * MS);
    close(ends[0]);
    close(ends[1]);
    end_real();
}

static void
real_time_does_not_run_backwards(void)
{
    uint64_t now_ns, before_ns = 0;
    int i;

    begin_real();
    ok(clock_now_ns(real) > 0);
    ok(clock_wall_s(real) > 1600000000);
    for (i = 0; i < 10000; i++, before_ns = now_ns) {
        now_ns = clock_now_ns(real);
        ok(now_ns >= before_ns);
    }
    end_real();
}

static void
what_the_machine_slept_does_not_grow_while_it_runs(void)
{
    uint64_t first_ns;
    int i;

    begin_real();
    first_ns = clock_slept_ns(real);
    for (i = 0; i < 1000; i++)
        ok(clock_slept_ns(real) < first_ns + 500 * MS);
    end_real();
}

static void
a_readable_descriptor_ends_a_real_wait(void)
{
    int ends[2];
    unsigned reasons;

    begin_real();
    ok_int(pipe(ends), 0);
    ok_int(write(ends[1], "x", 1), 1);
    ok_int(clock_wait(waiter_on_real, ends[0], CLOCK_NEVER, 0), CLOCK_READABLE);
    /* Also when the deadline has long passed, and then both are told. */
    reasons = clock_wait(waiter_on_real, ends[0], 1, 0);
    ok_int(reasons, CLOCK_READABLE | CLOCK_DEADLINE);
    close(ends[0]);
    close(ends[1]);
    end_real();
}

static void
wake_argument(void *argument)
{
    static const struct timespec nap = {0, 5000000};

    nanosleep(&nap, NULL);
    clock_wake(argument);
}

static void
another_thread_wakes_a_real_wait(void)
{
    struct clock_thread *thread;

    begin_real();
    clock_wake(waiter_on_real);
    ok_int(clock_wait(waiter_on_real, -1, CLOCK_NEVER, 0), CLOCK_WOKEN);
    ok_int(clock_thread_start(real, &thread, NULL, wake_argument,
                              waiter_on_real, "waker"),
           0);
    ok_int(clock_wait(waiter_on_real, -1, CLOCK_NEVER, 0), CLOCK_WOKEN);
    clock_thread_join(thread, waiter_on_real);
    end_real();
}

static void
a_signal_between_waits_is_not_lost(void)
{
    struct sigaction action = {.sa_handler = wake_main}, before;

    begin_real();
    main_waiter = waiter_on_real;
    sigaction(SIGALRM, &action, &before);
    /* So full that the write fails. */
    ok_int(eventfd_write(waiter_on_real->event, UINT64_MAX - 1), 0);
    errno = 77;
    raise(SIGALRM);
    ok_int(errno, 77);
    ok_int(clock_wait(waiter_on_real, -1, CLOCK_NEVER, 0), CLOCK_WOKEN);
    sigaction(SIGALRM, &before, NULL);
    end_real();
}

struct seen {
    char name[16];
    int slack;
    int takes_term;
    int realtime;
};

static void
look_around(void *argument)
{
    struct seen *seen = argument;
    sigset_t blocked;

    prctl(PR_GET_NAME, seen->name);
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    seen->takes_term = !sigismember(&blocked, SIGTERM);
    ok(!sigismember(&blocked, SIGSEGV));
    ok_int(clock_set_slack(1), 0);
    seen->slack = prctl(PR_GET_TIMERSLACK);
    seen->realtime = clock_set_realtime();
}

static void
a_thread_has_its_name_slack_and_no_signals(void)
{
    struct clock_thread *thread;
    struct seen seen;

    begin_real();
    ok_int(clock_thread_start(real, &thread, NULL, look_around, &seen,
                              "a name of over 15 bytes"),
           0);
    clock_thread_join(thread, waiter_on_real);
    ok_text(seen.name, "a name of over ");
    ok_int(seen.slack, 1);
    ok_int(seen.takes_term, 0);
    ok(seen.realtime == 0 || seen.realtime == -EPERM);
    end_real();
}

TAP_MAIN(FACT(time_jumps_to_the_earliest_deadline),
         FACT(threads_run_in_order_of_time_then_of_joining),
         FACT(a_thread_that_has_not_entered_yet_holds_time_back),
         FACT(datagrams_arrive_before_time_moves),
         FACT(a_descriptor_that_stays_readable_starves_nobody),
         FACT(a_wake_ends_the_next_wait_once),
         FACT(a_signal_wakes_though_nobody_has_a_deadline),
         FACT(a_place_whose_thread_never_started_can_be_left),
         FACT(a_thread_may_enter_and_leave_by_itself),
         FACT(a_virtual_machine_sleeps_when_it_is_told_to),
         FACT(a_wait_never_ends_before_its_deadline),
         FACT(a_wait_that_spins_all_the_time_never_sleeps),
         FACT(deadlines_may_come_in_any_order),
         FACT(real_time_does_not_run_backwards),
         FACT(what_the_machine_slept_does_not_grow_while_it_runs),
         FACT(a_readable_descriptor_ends_a_real_wait),
         FACT(another_thread_wakes_a_real_wait),
         FACT(a_signal_between_waits_is_not_lost),
         FACT(a_thread_has_its_name_slack_and_no_signals))
