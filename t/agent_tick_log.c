#include "fake_host.h"
#include "tap.h"

static void
it_writes_one_line_a_second(void)
{
    const struct hp_agent_ops *ops = hp_plugin_v1.ops;
    struct hp_limits limits = fake_limits(HP_SIDE_SERVER);
    struct hp_status status = {.size = sizeof(status), .tick_hz = 60};
    struct hp_instance *self;
    struct fake_host fake;
    int i;

    fake_host_init(&fake, HP_SIDE_SERVER);
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    for (i = 0; i <= 35; i++) {
        status.time_ns = 5000000000 + (uint64_t)i * 100000000;
        status.tick = (uint64_t)i * 6;
        status.bytes_in = (uint64_t)i * 100;
        status.bytes_out = (uint64_t)i * 400;
        status.ticks_late = (uint64_t)i / 10;
        status.peers = 2;
        status.entities = 5;
        ops->idle(self, &status, 1000000);
    }
    ok_int(fake.log_lines, 3);
    ok_int(fake.log_level, HP_LOG_INFO);
    ok_text(fake.log_text,
            "tick 180: 60.00 Hz, 1 late, 0 dropped, 2 peers, 5 entities, "
            "1000 B/s in, 4000 B/s out");
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

static void
late_calls_do_not_add_up_and_a_stall_is_one_line(void)
{
    const struct hp_agent_ops *ops = hp_plugin_v1.ops;
    struct hp_limits limits = fake_limits(HP_SIDE_SERVER);
    struct hp_status status = {.size = sizeof(status)};
    struct hp_instance *self;
    struct fake_host fake;
    int i;

    fake_host_init(&fake, HP_SIDE_SERVER);
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    status.time_ns = 5000000000;
    for (i = 0; i < 300; i++) { /* 31.5 s */
        ops->idle(self, &status, 1000000);
        status.time_ns += 105000000;
    }
    ok_int(fake.log_lines, 31);
    status.time_ns += 60000000000;
    ops->idle(self, &status, 1000000);
    ops->idle(self, &status, 1000000);
    ok_int(fake.log_lines, 32);
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

TAP_MAIN(FACT(it_writes_one_line_a_second),
         FACT(late_calls_do_not_add_up_and_a_stall_is_one_line))
