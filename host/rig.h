/*
 * The haptics half of a host alone: the backends that a configuration names,
 * started, with their thread, and nothing to fly. For `hardpoint haptics`.
 */
#ifndef RIG_H
#define RIG_H

#include "crew.h"
#include "effects.h"
#include "haptics.h"
#include "setup.h"

struct rig_request {
    const char *file; /* as setup_load takes it */
    const char *const *overrides;
    int override_count;
    const char *device; /* its stable id or name; NULL: all */
    const char *effect; /* of the effects file; NULL: a plain pulse */
    int all_effects;    /* the whole effects file, to look at */
};

struct rig {
    struct setup setup;
    struct clock *clock;
    struct clock_waiter *waiter;
    struct crew crew;
    struct instance *backends[HAPTICS_BACKENDS_MAX];
    uint32_t backend_count;
    struct effects *effects;
    const struct effect *effect; /* what is to be played */
    struct haptics *haptics;
    int signals; /* readable once somebody wants us to end */
};

/* Starts everything and waits a moment for devices to show. Problems are told
 * on standard error. An exit status of cmd.h; rig_close is due either way. */
int rig_open(struct rig *r, const struct rig_request *request);
void rig_close(struct rig *r);

/* Plays the effect at `level` to its end, and silences. 1: a signal ended it. */
int rig_play(struct rig *r, float level);

#endif
