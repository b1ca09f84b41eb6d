/* input_@name@: the stick goes round. */
#include "test_host.h"

int
main(void)
{
    const struct hp_input_ops *ops = hp_plugin_v1.ops;
    struct hp_input first = {0}, quarter = {0}, round = {0};
    struct hp_tick tick;
    struct hp_instance *self;
    struct test_host t;

    test_host_init(&t, HP_SIDE_CLIENT);
    self = test_start(&t, NULL);
    tick = test_tick(0);
    check(ops->poll(self, &tick, &first) == 0, "there is a sample");
    tick = test_tick(2 * 64);
    ops->poll(self, &tick, &quarter);
    tick = test_tick(8 * 64);
    ops->poll(self, &tick, &round);
    check(first.axes[HP_AXIS_PITCH] > 8000 && first.axes[HP_AXIS_ROLL] == 0,
          "the stick begins pulled back");
    check(quarter.axes[HP_AXIS_ROLL] > 8000, "a quarter later it is right");
    check(memcmp(&first, &round, sizeof(first)) == 0,
          "after a round, as before");
    test_stop(self);
    return test_end(4);
}
