/* A table of its kind without what the kind is for. */
#include "bad.h"

HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
static int
silence(struct hp_instance *self)
{
    (void)self;
    return 0;
}
static int
devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    (void)self, (void)sink;
    return 0;
}
static const struct hp_haptics_ops ops = {sizeof(ops), 0,       devices, NULL,
                                          NULL,        silence, NULL};
HP_PLUGIN = {HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
             HP_NO_PARAMS,
             BAD_LIFE,
             &ops,
             NULL,
             NULL};
