/* agent_@name@: a line, and no more of them than were asked for. */
#include "test_host.h"

int
main(void)
{
    const struct hp_agent_ops *ops = hp_plugin_v1.ops;
    struct hp_status status = {0};
    struct hp_instance *self;
    struct test_host t;
    int i;

    test_host_init(&t, HP_SIDE_SERVER);
    self = test_start(&t, NULL);
    status.size = sizeof(status);
    status.peers = 3;
    status.tick_hz = 60;
    /* Ten calls a second, for 9.9 s. */
    for (i = 0; i < 100; i++) {
        status.time_ns = 1000000000 + (uint64_t)i * 100000000;
        ops->idle(self, &status, 1000000);
    }
    check(t.lines == 2, "a line each five seconds");
    check(strcmp(t.line, "3 peers at 60.0 Hz") == 0, "... says what it saw");
    test_stop(self);
    return test_end(2);
}
