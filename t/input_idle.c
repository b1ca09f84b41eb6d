#include "fake_host.h"
#include "tap.h"

static void
the_stick_is_centred_and_the_throttle_set(void)
{
    const struct hp_input_ops *ops = hp_plugin_v1.ops;
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);
    struct hp_tick tick = fake_tick(7);
    struct hp_input input = {0};
    struct hp_instance *self;
    struct fake_host fake;

    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake_host_set(&fake, "throttle", "0.25");
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    ok_int(ops->poll(self, &tick, &input), 0);
    ok_int(input.axes[HP_AXIS_ROLL], 0);
    ok_int(input.axes[HP_AXIS_PITCH], 0);
    ok_int(input.axes[HP_AXIS_THROTTLE], 8192);
    ok_int(input.buttons, 0);
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

TAP_MAIN(FACT(the_stick_is_centred_and_the_throttle_set))
