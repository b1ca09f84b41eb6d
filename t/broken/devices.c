/* Its device has a number that no device may have. */
#include "broken.h"

static int
devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    int err = good_devices(self, sink);

    if (err == 0)
        sink->devices[0].id = 32;
    return err;
}

static const struct hp_haptics_ops ops = {GOOD_HAPTICS, .devices = devices};
BROKEN_OPS_ONLY(HP_KIND_HAPTICS, ops);
