#include "input_device.h"
#include "clock.h"
#include "log.h"
#include <errno.h>
#include <hardpoint/input.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define WORK_NS  50000000ull /* how long a call of work may take */
#define AGAIN_NS 1000000ull  /* and how soon the next one comes */

struct input_device {
    struct instance *input; /* borrowed */
    const struct hp_input_ops *ops;
    struct clock *clock;
    struct clock_thread *thread;
    struct clock_waiter *waiter;
    _Atomic int stop;
    int failing; /* the newest call failed: said once */
};

static void
tell_failure(struct input_device *d, int err)
{
    if (err < 0 && !d->failing)
        log_warning("%s: work failed: %s", d->input->label, strerror(-err));
    d->failing = err < 0;
}

/* Work may be back early, with something read; the pause is for a plugin that
 * waits for nothing. */
static void
device_main(void *argument)
{
    struct input_device *d = argument;

    instance_thread_init();
    while (!atomic_load_explicit(&d->stop, memory_order_acquire)) {
        instance_enter(d->input, "work", INSTANCE_NO_TICK);
        tell_failure(
            d, d->ops->work(d->input->self, clock_now_ns(d->clock) + WORK_NS));
        instance_leave(d->input);
        clock_wait(d->waiter, -1, clock_now_ns(d->clock) + AGAIN_NS, 0);
    }
    instance_thread_finish();
}

int
input_device_start(struct input_device **out, struct instance *input,
                   struct clock *clock)
{
    const struct hp_input_ops *ops = input->ops;
    struct input_device *d;
    int err;

    *out = NULL;
    if (!HP_HAS(ops, work) || ops->work == NULL)
        return 0;
    d = calloc(1, sizeof(*d));
    if (d == NULL)
        return -ENOMEM;
    d->input = input;
    d->ops = ops;
    d->clock = clock;
    err = clock_thread_launch(clock, &d->thread, &d->waiter, device_main, d,
                              "input");
    if (err < 0) {
        log_error("%s: its device thread does not start: %s", input->label,
                  strerror(-err));
        free(d);
        return err;
    }
    *out = d;
    return 0;
}

void
input_device_stop(struct input_device *d, struct clock_waiter *of_caller)
{
    if (d == NULL)
        return;
    atomic_store_explicit(&d->stop, 1, memory_order_release);
    clock_wake(d->waiter);
    clock_thread_join(d->thread, of_caller);
    free(d);
}
