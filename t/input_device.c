/* The device thread of an input plugin, on the virtual clock. */
#include "input_device.h"
#include "clock.h"
#include "log.h"
#include "tap.h"
#include <errno.h>
#include <hardpoint/input.h>
#include <stdatomic.h>

#define MS 1000000ull

static _Atomic int calls;
static _Atomic uint64_t longest_ns;
static struct clock *virtual;

static int
work(struct hp_instance *self, uint64_t until_ns)
{
    uint64_t left_ns = until_ns - clock_now_ns(virtual);

    (void)self;
    calls++;
    if (left_ns > longest_ns)
        longest_ns = left_ns;
    return calls == 3 ? -EIO : 0;
}

static const struct hp_input_ops with_work = {.size = sizeof(with_work),
                                              .work = work};
static const struct hp_input_ops without = {.size = sizeof(without)};

static void
run_for_100_ms(const struct hp_input_ops *ops, int *has_thread)
{
    static struct instance input;
    struct clock_waiter *waiter = NULL;
    struct input_device *device = NULL;

    calls = 0;
    log_set_level(HP_LOG_ERROR);
    ok_int(clock_create_virtual(&virtual, 1000 * MS), 0);
    ok_int(clock_join(virtual, &waiter), 0);
    clock_enter(waiter);
    memset(&input, 0, sizeof(input));
    hist_init(&input.call_ns);
    input.ops = ops;
    input.clock = virtual;
    ok_int(input_device_start(&device, &input, virtual), 0);
    *has_thread = device != NULL;
    clock_wait(waiter, -1, 1100 * MS, 0);
    input_device_stop(device, waiter);
    clock_leave(waiter);
    clock_destroy(virtual);
}

static void
work_is_called_again_within_a_millisecond(void)
{
    int has_thread;

    run_for_100_ms(&with_work, &has_thread);
    ok_int(has_thread, 1);
    ok(calls >= 99 && calls <= 102);
    ok_int(longest_ns, 50 * MS);
}

static void
a_plugin_without_work_has_no_thread(void)
{
    int has_thread;

    run_for_100_ms(&without, &has_thread);
    ok_int(has_thread, 0);
    ok_int(calls, 0);
}

TAP_MAIN(FACT(work_is_called_again_within_a_millisecond),
         FACT(a_plugin_without_work_has_no_thread))
