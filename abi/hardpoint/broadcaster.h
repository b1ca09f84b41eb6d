/* SPDX-License-Identifier: 0BSD */
/*
 * hardpoint/broadcaster.h - what each client is told of the world. Both ends
 * live in one plugin: its bytes, baselines included, are its own business.
 * The host carries them in one datagram, unsequenced, and says which arrived.
 */
#ifndef HARDPOINT_BROADCASTER_H
#define HARDPOINT_BROADCASTER_H

#include <hardpoint/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hp_broadcaster_ops {
    uint32_t size;
    uint32_t reserved;

    /* [tick] Server: forget what `client` knew; it starts from nothing. */
    int (*join)(struct hp_instance *self, uint32_t client);

    /* [tick] Server: `client` is gone. */
    void (*leave)(struct hp_instance *self, uint32_t client);

    /* [tick] Server: `client` has decoded the snapshot of `tick`. Each tick
     * is told once, in rising order within one packet. */
    void (*acked)(struct hp_instance *self, uint32_t client, uint64_t tick);

    /* [tick] Server: the bytes for `client` of this view, at most the sink's
     * capacity. `view->own` is the client's own record. Takes what matters
     * most when not all fits. */
    int (*encode)(struct hp_instance *self, uint32_t client,
                  const struct hp_view *view, struct hp_byte_sink *sink);

    /* [tick] Client: the records in `bytes` of the snapshot `tick`, in order
     * of slot. Untrusted. -EBADMSG: not a valid snapshot, nothing changed;
     * -ENOENT: refers to a baseline that is not here, nothing changed. */
    int (*decode)(struct hp_instance *self, uint64_t tick, const uint8_t *bytes,
                  uint32_t count, struct hp_view_sink *sink);
};

#ifdef __cplusplus
}
#endif

#endif
