#include "fake_host.h"
#include "tap.h"

static void
it_shows_the_newest_snapshot(void)
{
    const struct hp_predictor_ops *ops = hp_plugin_v1.ops;
    struct hp_schema schema = {.record_bytes = sizeof(struct hp_entity)};
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);
    struct hp_truth truth = {.size = sizeof(truth)};
    struct hp_entity world[2] = {{.slot = 3}, {.slot = 9}};
    struct hp_view view = {.size = sizeof(view),
                           .count = 2,
                           .stride = sizeof(world[0]),
                           .own = 1,
                           .entities = world};
    struct hp_entity record;
    struct hp_instance *self;
    struct fake_host fake;

    fake_host_init(&fake, HP_SIDE_CLIENT);
    limits.schema = &schema;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    ok_int(ops->own(self, &record), -ENOENT);
    ok_int(ops->present(self, 1, &record), -ENOENT);
    ok_int(ops->snapshot(self, &truth, &view), 0);
    ok_int(ops->present(self, 1, &record), 0);
    ok_int(record.slot, 9);
    view.own = HP_INDEX_NONE;
    ok_int(ops->snapshot(self, &truth, &view), 0);
    ok_int(ops->own(self, &record), -ENOENT);
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

TAP_MAIN(FACT(it_shows_the_newest_snapshot))
