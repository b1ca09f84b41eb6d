/* What mixer.c (commands and voices) and mixer_levels.c (actuators) share. */
#ifndef MIXER_STATE_H
#define MIXER_STATE_H

#include "mixer.h"
#include "voice.h"

/* Plays seen of one effect, so that a prediction and its confirmation sound
 * once: more than a second of them at any rate a finger or a gun gives. */
#define MIXER_RECENT 32

struct recent_play {
    uint64_t cause_tick;
    uint64_t time_ns;
    int seen;
    int predicted;
};

/* What the mixer remembers of an effect between its voices. */
struct effect_state {
    uint64_t started_ns;
    uint64_t held_until_ns; /* a HOLD before this goes on with the last one */
    int was_started;
    int spent; /* reached max_hold: silent until it is let go */
    uint32_t recent_next;
    struct recent_play recent[MIXER_RECENT];
};

struct mixed_actuator {
    float told;
    float frequency_hz;
    uint64_t told_ns;
    int zero_again;     /* a lost zero is a stuck motor: it is told twice */
    float slewed;       /* where a force is on its way */
    uint64_t slewed_ns; /* and when that was */
    uint64_t on_ns;     /* when it last began to move */
    uint64_t off_ns;    /* and when it last stopped; 0: never yet */
};

struct mixed_device {
    uint32_t id;
    uint32_t generation;
    uint32_t actuator_count;
    uint16_t vendor, product;
    float cap; /* of a weak battery, else 1 */
    struct effect_curve curves[HP_DEVICE_ACTUATORS_MAX];
    struct hp_actuator actuators[HP_DEVICE_ACTUATORS_MAX];
    struct mixed_actuator states[HP_DEVICE_ACTUATORS_MAX];
};

struct mixer {
    const struct effects *effects;
    uint64_t snapshot_interval_ns;
    uint64_t keepalive_ns;
    uint64_t time_ns; /* the newest seen */
    unsigned scope;
    uint64_t hushed_ns;  /* the newest release of everything; 0: none yet */
    uint64_t resumed_ns; /* when flying began again; 0: it never ceased */
    struct mixer_counters counters;
    struct voice voices[MIXER_VOICES_MAX];
    struct effect_state states[EFFECTS_MAX];
    struct effect_state spare[EFFECTS_MAX]; /* while a set is replaced */
    uint32_t device_count;
    struct mixed_device devices[MIXER_DEVICES_MAX];
    struct mixed_device spare_devices[MIXER_DEVICES_MAX];
    struct hp_level levels[MIXER_LEVELS_MAX];
    char names[MIXER_VOICES_MAX * 33];
};

/* Lets every voice's time pass: what is due releases or ends. */
void mixer_settle(struct mixer *m, uint64_t time_ns);

/* Finds every actuator's curve anew. */
void mixer_resolve_curves(struct mixer *m);

#endif
