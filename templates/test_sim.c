/* sim_@name@: the stick moves the cube; the model does what the world does. */
#include "test_host.h"

/* Forty ticks of one client's stick. */
static void
run(struct hp_instance *self, const struct hp_sim_ops *ops)
{
    struct hp_client_input input = {0};
    struct hp_tick tick;
    int i;

    input.input.axes[HP_AXIS_PITCH] = 32767;
    for (i = 0; i < 40; i++) {
        tick = test_tick((uint64_t)i);
        input.input.axes[HP_AXIS_ROLL] = (int16_t)(i * 700);
        ops->step(self, &tick, &input, 1);
    }
}

int
main(void)
{
    const struct hp_sim_ops *ops = hp_plugin_v1.ops;
    struct hp_instance *self, *other;
    struct hp_byte_sink sink = {0};
    struct test_host t;
    struct hp_entity *record;
    uint64_t own[HP_OWN_BYTES_MAX / 8];
    char record_bytes[HP_RECORD_BYTES_MAX];
    uint64_t before;

    test_host_init(&t, HP_SIDE_SERVER);
    self = test_start(&t, NULL);
    other = test_start(&t, NULL);
    check(ops->join(self, 0, "") == 0 && ops->join(other, 0, "") == 0,
          "a client joins");
    before = ops->hash(self);
    run(self, ops);
    run(other, ops);
    check(ops->hash(self) != before, "the stick moves the world");
    check(ops->hash(self) == ops->hash(other), "... twice the same way");

    sink.size = sizeof(sink);
    sink.capacity = sizeof(own);
    sink.bytes = (uint8_t *)own;
    check(ops->own_get(self, 0, &sink) == 0 &&
              ops->own_check(self, own, sink.count) == 0,
          "its own state is sound");
    ops->own_view(self, own, record_bytes);
    record = (struct hp_entity *)(void *)record_bytes;
    check(record->position_m[0] > 12 && record->position_m[0] < 13,
          "forty ticks at 20 m/s are 12.5 m");
    memset(own, 0xff, sizeof(own));
    check(ops->own_check(self, own, sink.count) == -EINVAL,
          "rubbish is refused");
    test_stop(self);
    test_stop(other);
    return test_end(6);
}
