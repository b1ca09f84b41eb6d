/* predictor_@name@: nothing is known at first, then what the server said. */
#include "test_host.h"

int
main(void)
{
    const struct hp_predictor_ops *ops = hp_plugin_v1.ops;
    struct hp_entity records[2] = {{0}}, own;
    struct hp_limits limits = {0};
    struct hp_truth truth = {0};
    struct hp_view view = {0};
    struct hp_instance *self;
    struct test_host t;

    limits.schema = &test_schema;
    test_host_init(&t, HP_SIDE_CLIENT);
    self = test_start(&t, &limits);
    truth.size = sizeof(truth);
    view.size = sizeof(view);
    view.count = 2;
    view.stride = sizeof(records[0]);
    view.entities = records;
    records[1].position_m[0] = 7;

    check(ops->own(self, &own) == -ENOENT,
          "before a snapshot nothing is known");
    view.own = 1;
    ops->snapshot(self, &truth, &view);
    check(ops->own(self, &own) == 0 &&
              memcmp(&own, &records[1], sizeof(own)) == 0,
          "then the own record is the server's");
    check(ops->present(self, 1, &own) == 0, "... and is shown");
    view.own = HP_INDEX_NONE;
    ops->snapshot(self, &truth, &view);
    check(ops->own(self, &own) == -ENOENT, "who owns nothing is shown nothing");
    test_stop(self);
    return test_end(4);
}
