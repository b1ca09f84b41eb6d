/* cues_@name@: one effect a press of the trigger, one a hit. */
#include "test_host.h"

int
main(void)
{
    const struct hp_cues_ops *ops = hp_plugin_v1.ops;
    struct hp_effect_command commands[8];
    struct hp_effect_sink sink = {0};
    struct hp_limits limits = {0};
    struct hp_event hit = {0};
    struct hp_input input = {0};
    struct hp_entity own = {0};
    struct hp_view view = {0};
    struct hp_instance *self;
    struct hp_tick tick;
    struct test_host t;
    int i;

    limits.schema = &test_schema;
    test_host_init(&t, HP_SIDE_CLIENT);
    self = test_start(&t, &limits);
    sink.size = sizeof(sink);
    sink.capacity = 8;
    sink.commands = commands;

    input.buttons = HP_BUTTON_GUN;
    for (i = 0; i < 5; i++) {
        tick = test_tick(i);
        ops->input(self, &tick, &input, NULL, &sink);
    }
    check(sink.count == 1, "the trigger is felt once a press");
    check(strcmp(commands[0].effect, "gun_burst") == 0 &&
              commands[0].flags == HP_EFFECT_PREDICTED,
          "... as the gun, at once");

    own.slot = 4;
    hit.type = HP_EVENT_HIT;
    hit.who = HP_ENTITY_NONE;
    hit.whom = HP_ENTITY_ID(4, 0);
    view.size = sizeof(view);
    view.own = HP_INDEX_NONE;
    view.events = &hit;
    view.event_count = 1;
    view.event_stride = sizeof(hit);
    ops->snapshot(self, &view, &own, &sink);
    check(sink.count == 2 && strcmp(commands[1].effect, "hit_taken") == 0,
          "a hit is felt");
    own.slot = 5;
    ops->snapshot(self, &view, &own, &sink);
    check(sink.count == 2, "... but not that of another");
    test_stop(self);
    return test_end(4);
}
