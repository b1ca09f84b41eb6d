/*
 * Effects as data: how each effect of effects.ini feels. Loaded whole or not
 * at all; a set in use is never changed, a new one replaces it.
 */
#ifndef EFFECTS_H
#define EFFECTS_H

#include <hardpoint/hardpoint.h>
#include <stdint.h>
#include <stdio.h>

#define EFFECTS_MAX       64
#define EFFECT_PULSES_MAX 8

enum effect_mode {
    EFFECT_ONESHOT = 1,
    EFFECT_PULSES = 2,
    EFFECT_HOLD = 3
};

struct effect_pulse {
    uint32_t on_ms;
    uint32_t off_ms;
};

struct effect {
    char name[32];
    char class_name[16]; /* weapon warning impact airframe engine system */
    enum effect_mode mode;
    int priority;                    /* 0..100 */
    float levels[HP_ACTUATOR_KINDS]; /* by HP_ACTUATOR_* kind; 0: silent */
    float gain;                      /* master x class, from [haptics] */
    float frequency_hz;
    float sustain; /* of a hold, after attack and decay: 0..1 */
    uint32_t attack_ms, hold_ms, decay_ms, release_ms;
    uint32_t again_after_ms; /* a start sooner than this is ignored */
    uint32_t max_hold_ms;
    uint32_t pulse_count;
    struct effect_pulse pulses[EFFECT_PULSES_MAX];
};

struct effects {
    uint32_t count;
    uint32_t keepalive_ms; /* a hold ends this long after its last update */
    struct effect list[EFFECTS_MAX];
};

/* Reads a file; every problem goes to `to` as file:line:col: error. 0,
 * -EINVAL after problems, or why it could not be read. */
int effects_load(struct effects **out, const char *path, FILE *to);
void effects_destroy(struct effects *e);
/* NULL when there is none of that name. */
const struct effect *effects_find(const struct effects *e, const char *name);

#endif
