/*
 * The device thread of an input plugin with `work`: it reads the device, which
 * may block, while the client's tick polls what it has read.
 */
#ifndef INPUT_DEVICE_H
#define INPUT_DEVICE_H

#include "instance.h"

struct clock;
struct clock_waiter;
struct input_device;

/* [main] Starts the thread for a started instance. 0 with NULL in `out` when
 * the plugin has no `work`; -ENOMEM, -EAGAIN: no thread, logged. */
int input_device_start(struct input_device **out, struct instance *input,
                       struct clock *clock);
/* [main] Ends it, within a call of `work`; `of_caller` is the caller's place on
 * the clock. Accepts NULL. */
void input_device_stop(struct input_device *d, struct clock_waiter *of_caller);

#endif
