/* SPDX-License-Identifier: 0BSD */
/* hardpoint/input.h - where the pilot's commands come from. */
#ifndef HARDPOINT_INPUT_H
#define HARDPOINT_INPUT_H

#include <hardpoint/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hp_input_ops {
    uint32_t size;
    uint32_t reserved;

    /* [tick] Copies the newest sample into `out`, which comes zeroed: axes,
     * buttons, flags and the time it was taken (0: the host's now). Never
     * waits for a device. -ENODEV: it is gone; the host goes on with the last
     * axes and no buttons. */
    int (*poll)(struct hp_instance *self, const struct hp_tick *tick,
                struct hp_input *out);

    /* [device] Reads the device until `until_ns`; may block, and may be back
     * as soon as it has read something: it is called again within about a
     * millisecond. Overlaps poll. NULL when there is nothing to wait for. */
    int (*work)(struct hp_instance *self, uint64_t until_ns);
};

#ifdef __cplusplus
}
#endif

#endif
