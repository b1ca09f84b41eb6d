/* SPDX-License-Identifier: 0BSD */
/*
 * hardpoint/cues.h - the decision that something should be felt. Cues turn
 * inputs (at once, in the same client tick) and snapshots (as soon as one is
 * decoded) into effect commands; effects.ini says how an effect feels.
 */
#ifndef HARDPOINT_CUES_H
#define HARDPOINT_CUES_H

#include <hardpoint/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

enum hp_effect_action {
    HP_EFFECT_PLAY = 1,    /* a one-shot */
    HP_EFFECT_HOLD = 2,    /* starts, or keeps alive and updates, a hold */
    HP_EFFECT_RELEASE = 3, /* ends a hold through its release */
    HP_EFFECT_CUT = 4      /* ends it now */
};

enum hp_effect_flag {
    HP_EFFECT_PREDICTED = 1 << 0 /* from an input, before the server knew */
};

struct hp_effect_command {
    const char *effect;  /* "gun_burst"; a constant of the plugin */
    const void *unused;  /* NULL */
    uint64_t cause_tick; /* tick of the input or snapshot that caused it */
    uint32_t action;     /* HP_EFFECT_* */
    uint32_t flags;      /* HP_EFFECT_PREDICTED */
    float level;         /* 0..1, multiplies the effect's levels */
    float direction[3];  /* unit vector in body axes, or zeros */
};

/* The callee appends commands and counts them; the rest is dropped. */
struct hp_effect_sink {
    uint32_t size;
    uint32_t count;
    uint32_t capacity;
    uint32_t reserved;
    struct hp_effect_command *commands;
    void *unused; /* NULL */
};

struct hp_cues_ops {
    uint32_t size;
    uint32_t reserved;

    /* [tick] In the client tick that sampled `input`, before it is sent.
     * `own` is the predicted own record after it, or NULL. */
    void (*input)(struct hp_instance *self, const struct hp_tick *tick,
                  const struct hp_input *input, const void *own,
                  struct hp_effect_sink *sink);

    /* [tick] As soon as a snapshot is decoded. `view->events` are those that
     * this client had not seen. `own` is the own record in the view, or
     * NULL. */
    void (*snapshot)(struct hp_instance *self, const struct hp_view *view,
                     const void *own, struct hp_effect_sink *sink);
};

#ifdef __cplusplus
}
#endif

#endif
