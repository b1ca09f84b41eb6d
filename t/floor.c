#include "tap.h"
#include <errno.h>
#include <floor.h>
#include <hist.h>
#include <unistd.h>

static struct hist h;
static const struct tick_rate fast = {1000, 1};

static void
the_timer_gives_a_lateness_for_every_tick(void)
{
    hist_init(&h);
    ok_int(floor_timer(&h, fast, 150), 0);
    ok_int(hist_count(&h), 150);
    /* Something takes time, and a wake-up that comes at all is no hour late. */
    ok(hist_quantile(&h, 1) > 0);
    ok(hist_quantile(&h, 0.5) < UINT64_C(3600000000000));
}

static void
no_samples_take_no_time(void)
{
    hist_init(&h);
    ok_int(floor_timer(&h, (struct tick_rate){1, 1}, 0), 0);
    ok_int(floor_udp_echo(&h, (struct tick_rate){1, 1}, 0), 0);
    ok_int(hist_count(&h), 0);
}

static void
the_echo_gives_a_round_trip_for_every_byte(void)
{
    hist_init(&h);
    ok_int(floor_udp_echo(&h, fast, 150), 0);
    ok_int(hist_count(&h), 150);
    /* Four system calls and two switches do not fit in a tenth of a us. */
    ok(hist_quantile(&h, 0) > 100);
    /* No answer came later than the socket waits for one. */
    ok(hist_quantile(&h, 0.5) < UINT64_C(1000000000));
}

static int
open_descriptors(void)
{
    int fd, count = 0;

    for (fd = 0; fd < 256; fd++)
        count += lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF;
    return count;
}

static void
nothing_stays_open(void)
{
    int before = open_descriptors();
    struct floor_machine machine;
    struct floor_load load;

    hist_init(&h);
    floor_timer(&h, fast, 1);
    floor_udp_echo(&h, fast, 1);
    floor_load_begin(&load);
    floor_machine(&machine);
    ok_int(open_descriptors(), before);
}

static void
foreign_load_is_unknown_at_once_and_a_share_of_the_cores_later(void)
{
    struct floor_load load;
    double cores;

    floor_load_begin(&load);
    if (load.total == 0) {
        skip("no /proc/stat");
        return;
    }
    load.total += 1000000;
    ok(isnan(floor_load_foreign_cores(&load)));
    floor_load_begin(&load);
    hist_init(&h);
    ok_int(floor_timer(&h, fast, 200), 0);
    cores = floor_load_foreign_cores(&load);
    ok(cores >= 0);
    /* Ticks are coarse: one core of slack. */
    ok(cores <= (double)sysconf(_SC_NPROCESSORS_ONLN) + 1);
}

static void
own_work_is_not_foreign_load(void)
{
    struct floor_load load, own;
    double with_own, without;

    floor_load_begin(&load);
    if (load.total == 0) {
        skip("no /proc/stat");
        return;
    }
    hist_init(&h);
    floor_timer(&h, fast, 200);
    /* As if we had used all of the time that was used. */
    own = load;
    own.own_s -= 1000;
    with_own = floor_load_foreign_cores(&own);
    without = floor_load_foreign_cores(&load);
    ok_real(with_own, 0, 0);
    ok(without >= with_own);
}

static void
the_machine_has_a_kernel_a_cpu_and_cores(void)
{
    struct floor_machine machine;

    memset(&machine, 0x55, sizeof(machine));
    floor_machine(&machine);
    ok(strncmp(machine.kernel, "Linux ", 6) == 0);
    ok(machine.cpu[0] != '\0' && strchr(machine.cpu, '\n') == NULL);
    ok(machine.governor[0] != '\0' && strchr(machine.governor, '\n') == NULL);
    ok(machine.cores >= 1);
    printf("# %s, %s, %u cores, governor %s\n", machine.kernel, machine.cpu,
           machine.cores, machine.governor);
}

TAP_MAIN(FACT(the_timer_gives_a_lateness_for_every_tick),
         FACT(no_samples_take_no_time),
         FACT(the_echo_gives_a_round_trip_for_every_byte),
         FACT(nothing_stays_open),
         FACT(foreign_load_is_unknown_at_once_and_a_share_of_the_cores_later),
         FACT(own_work_is_not_foreign_load),
         FACT(the_machine_has_a_kernel_a_cpu_and_cores))
