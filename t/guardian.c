/* Whoever dies, hangs or leaves: the device falls silent. Judged from another
 * process; the bounds are wide, doc/haptics.md has the figures. */
#include "far_side.h"
#include "tap.h"

#define LONG_MS 2000 /* for a busy machine; a device left on stays on */
#define STAY_MS 150

static struct far_side
moving(int is_latching)
{
    struct far_side f;

    setenv("HARDPOINT_LIBEXEC", getenv("HP_BUILD") ? getenv("HP_BUILD") : ".",
           1);
    ok_int(far_start(&f, is_latching, &far_ops), 0);
    ok(far_moves(&f));
    return f;
}

static void
falls_silent_after_signal(int is_latching, int number)
{
    struct far_side f = moving(is_latching);

    kill(f.pid, number);
    ok(far_silent_ms(&f, LONG_MS, STAY_MS) >= 0);
    far_end(&f);
}

static void
falls_silent_when_told(int is_latching, enum far_command command)
{
    struct far_side f = moving(is_latching);

    far_say(&f, command);
    ok(far_silent_ms(&f, LONG_MS, STAY_MS) >= 0);
    far_end(&f);
}

static void
a_killed_host_leaves_no_motor_on(void)
{
    falls_silent_after_signal(1, SIGKILL);
    falls_silent_after_signal(0, SIGKILL);
}

static void
a_stopped_host_leaves_no_motor_on(void)
{
    falls_silent_after_signal(1, SIGSTOP);
    falls_silent_after_signal(0, SIGSTOP);
}

static void
a_crashed_host_leaves_no_motor_on(void)
{
    falls_silent_when_told(1, FAR_CRASH);
}

static void
a_host_that_goes_on_is_felt_again(void)
{
    struct far_side f = moving(1);
    uint64_t end_ns;

    kill(f.pid, SIGSTOP);
    ok(far_silent_ms(&f, LONG_MS, STAY_MS) >= 0);
    kill(f.pid, SIGCONT);
    end_ns = far_now_ns() + LONG_MS * FAR_MS;
    while (!far_moves(&f) && far_now_ns() < end_ns)
        usleep(1000);
    ok(far_moves(&f));
    kill(f.pid, SIGKILL); /* and the guardian is still there */
    ok(far_silent_ms(&f, LONG_MS, STAY_MS) >= 0);
    far_end(&f);
}

static void
a_backend_that_hangs_is_silenced_from_outside(void)
{
    falls_silent_when_told(1, FAR_BLOCK);
}

static void
a_hanging_tick_thread_releases_everything(void)
{
    falls_silent_when_told(1, FAR_SPIN);
}

static void
a_pause_and_death_are_silent_though_holds_are_repeated(void)
{
    falls_silent_when_told(1, FAR_PAUSE);
    falls_silent_when_told(1, FAR_DEAD);
}

static void
a_hold_that_nobody_repeats_ends(void)
{
    falls_silent_when_told(1, FAR_STOP_HOLD);
}

static void
quitting_amid_an_effect_is_silent(void)
{
    falls_silent_when_told(1, FAR_QUIT);
}

static void
a_second_term_silences_before_it_ends_the_process(void)
{
    struct far_side f = moving(1);
    int status = 0;

    far_say(&f, FAR_END_NOW);
    waitpid(f.pid, &status, 0);
    ok(!far_moves(&f));
    ok(WIFEXITED(status));
    ok_int(WEXITSTATUS(status), 143);
    far_end(&f);
}

static void
a_device_that_nobody_can_stop_is_refused(void)
{
    struct far_side f;

    ok_int(far_start(&f, 1, &far_unguarded), -ETIME);
    far_end(&f);
}

static void
a_device_is_refused_when_the_guardian_is_missing(void)
{
    struct far_side f;

    setenv("HARDPOINT_LIBEXEC", "/nowhere", 1);
    ok_int(far_start(&f, 1, &far_ops), -ETIME);
    far_end(&f);
    ok_int(far_start(&f, 0, &far_ops), 0); /* who stops by itself needs none */
    far_end(&f);
}

TAP_MAIN(FACT(a_killed_host_leaves_no_motor_on),
         FACT(a_stopped_host_leaves_no_motor_on),
         FACT(a_crashed_host_leaves_no_motor_on),
         FACT(a_host_that_goes_on_is_felt_again),
         FACT(a_backend_that_hangs_is_silenced_from_outside),
         FACT(a_hanging_tick_thread_releases_everything),
         FACT(a_pause_and_death_are_silent_though_holds_are_repeated),
         FACT(a_hold_that_nobody_repeats_ends),
         FACT(quitting_amid_an_effect_is_silent),
         FACT(a_second_term_silences_before_it_ends_the_process),
         FACT(a_device_that_nobody_can_stop_is_refused),
         FACT(a_device_is_refused_when_the_guardian_is_missing))
