#include "fake_host.h"
#include "tap.h"

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_haptics_ops *ops;

static void
begin(void)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

static void
render(uint32_t device, uint32_t actuator, float value, uint64_t time_ns)
{
    struct hp_level level = {.deadline_ns = time_ns + 300,
                             .device = device,
                             .generation = 1,
                             .actuator = actuator,
                             .level = value};
    struct hp_levels levels = {.size = sizeof(levels),
                               .count = 1,
                               .stride = sizeof(level),
                               .time_ns = time_ns,
                               .levels = &level,
                               .effects = ""};

    ok_int(ops->render(self, &levels), 0);
}

static void
there_is_one_pad_with_two_motors(void)
{
    struct hp_device device;
    struct hp_device_sink sink = {.size = sizeof(sink),
                                  .capacity = 1,
                                  .stride = sizeof(device),
                                  .devices = &device};

    begin();
    ok_int(ops->devices(self, &sink), 0);
    ok_int(sink.count, 1);
    ok_int(device.actuator_count, 2);
    ok_int(device.actuators[0].kind, HP_ACTUATOR_LOW);
    ok_int(device.actuators[1].kind, HP_ACTUATOR_HIGH);
    ok_int(device.flags & HP_DEVICE_HOLDS_DEADLINE, HP_DEVICE_HOLDS_DEADLINE);
    sink.capacity = 0;
    ok_int(ops->devices(self, &sink), -ENOSPC);
    end();
}

static void
a_level_that_is_not_renewed_runs_out(void)
{
    begin();
    render(0, 0, 0.5f, 1000);
    render(0, 0, 0.5f, 1200); /* renewed */
    render(0, 0, 0, 1600);    /* too late */
    render(0, 1, 0.5f, 1600);
    ops->silence(self);
    render(0, 1, 0.5f, 2000); /* silenced before, so nothing ran out */
    end();
    ok_text(fake.log_text, "5 levels, 1 of them ran out");
}

static void
levels_for_other_devices_are_not_taken(void)
{
    begin();
    render(1, 0, 1, 1000);
    render(0, 2, 1, 1000);
    end();
    ok_text(fake.log_text, "0 levels, 0 of them ran out");
}

TAP_MAIN(FACT(there_is_one_pad_with_two_motors),
         FACT(a_level_that_is_not_renewed_runs_out),
         FACT(levels_for_other_devices_are_not_taken))
