/* broadcaster_@name@: what goes in comes out, the nearest first. */
#include "test_host.h"

static struct hp_view
view_of(const struct hp_entity *records, uint32_t count)
{
    struct hp_view view = {0};

    view.size = sizeof(view);
    view.count = count;
    view.stride = sizeof(records[0]);
    view.own = 1;
    view.entities = records;
    return view;
}

int
main(void)
{
    const struct hp_broadcaster_ops *ops = hp_plugin_v1.ops;
    struct hp_entity records[3] = {{0}}, decoded[8] = {{0}};
    struct hp_view_sink sink = {0};
    struct hp_byte_sink out = {0};
    struct hp_limits limits = {0};
    struct hp_view view;
    struct hp_instance *self;
    struct test_host t;
    uint8_t bytes[1000];
    uint32_t whole;
    int i;

    limits.schema = &test_schema;
    test_host_init(&t, HP_SIDE_SERVER);
    self = test_start(&t, &limits);
    for (i = 0; i < 3; i++) {
        records[i].slot = (uint16_t)(2 * i);
        records[i].attitude[0] = 1;
        records[i].position_m[0] = (i - 1) * (i == 0 ? 9000.0 : 100.0);
    }
    out.size = sizeof(out);
    out.capacity = sizeof(bytes);
    out.bytes = bytes;
    sink.size = sizeof(sink);
    sink.capacity = 8;
    sink.stride = sizeof(decoded[0]);
    sink.entities = decoded;

    view = view_of(records, 3);
    ops->join(self, 0);
    check(ops->encode(self, 0, &view, &out) == 0, "three records are encoded");
    check(ops->decode(self, 1, bytes, out.count, &sink) == 0 && sink.count == 3,
          "... and decoded");
    check(fabs(decoded[0].position_m[0] - records[0].position_m[0]) < 0.01 &&
              decoded[2].slot == 4,
          "... as they were");
    whole = out.count;
    check(ops->decode(self, 1, bytes, whole - 1, &sink) == -EBADMSG,
          "a byte less is refused");
    out.capacity = whole - 1;
    ops->encode(self, 0, &view, &out);
    check(ops->decode(self, 1, bytes, out.count, &sink) == 0 &&
              sink.count == 2 && decoded[0].slot == 2 && decoded[1].slot == 4,
          "where not all fit, the farthest is left out");
    ops->leave(self, 0);
    test_stop(self);
    return test_end(5);
}
