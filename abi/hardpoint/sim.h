/* SPDX-License-Identifier: 0BSD */
/*
 * hardpoint/sim.h - the world. One instance steps everything on the server;
 * a second, on the client, is the model that prediction replays.
 */
#ifndef HARDPOINT_SIM_H
#define HARDPOINT_SIM_H

#include <hardpoint/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One client's input for the tick that is about to be stepped. */
struct hp_client_input {
    uint32_t client;
    uint32_t reserved;
    struct hp_input input;
};

struct hp_sim_ops {
    uint32_t size; /* sizeof(struct hp_sim_ops) when compiled */
    uint32_t reserved;

    /* [main] After create, both sides: the record and own state. Constant,
     * lives as long as the instance. Never NULL. */
    const struct hp_schema *(*schema)(struct hp_instance *self);

    /* [tick] Server: `client` enters the world with its join options
     * ("aircraft=f16 callsign=Viper", "" for the default; untrusted text).
     * -EINVAL: options make no sense (say why by fail); -ENOSPC: full. */
    int (*join)(struct hp_instance *self, uint32_t client, const char *options);

    /* [tick] Server: `client` is gone; what it owned leaves the world. */
    void (*leave)(struct hp_instance *self, uint32_t client);

    /* [tick] Server: one step. `inputs` holds each joined client once, in
     * order of client, already checked for range. */
    void (*step)(struct hp_instance *self, const struct hp_tick *tick,
                 const struct hp_client_input *inputs, uint32_t count);

    /* [tick] Server: the world after the step, in order of slot, and what
     * happened in it. -ENOSPC: more than the sink holds; it is full then. */
    int (*view)(struct hp_instance *self, struct hp_view_sink *sink);

    /* [tick] Server: the exact state of what `client` owns, own_bytes long,
     * with no undefined byte. -ENOENT: it owns nothing. */
    int (*own_get)(struct hp_instance *self, uint32_t client,
                   struct hp_byte_sink *sink);

    /* [tick] Server: a digest of the whole world state. */
    uint64_t (*hash)(struct hp_instance *self);

    /* [any] Model: `own`, own_bytes long and 8-aligned, after one more tick
     * of `input`. Pure: reads only constants of `self`. The very function
     * that `step` uses for a piloted entity. Sample times are ignored. */
    void (*model_step)(const struct hp_instance *self, void *own,
                       const struct hp_input *input,
                       const struct hp_tick *tick);

    /* [any] Model: whether bytes from the wire are a state that could be:
     * finite, in range, unit quaternion. 0 or -EINVAL. */
    int (*own_check)(const struct hp_instance *self, const void *own,
                     uint32_t bytes);

    /* [any] Model: the readable record of `own`, record_bytes long. */
    void (*own_view)(const struct hp_instance *self, const void *own,
                     void *record);
};

#ifdef __cplusplus
}
#endif

#endif
