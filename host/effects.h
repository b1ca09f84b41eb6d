/*
 * Effects as data: how each effect of effects.ini feels. Loaded whole or not
 * at all; a set in use is never changed, a new one replaces it.
 */
#ifndef EFFECTS_H
#define EFFECTS_H

#include <hardpoint/hardpoint.h>
#include <stdint.h>
#include <stdio.h>

#define EFFECTS_MAX        64
#define EFFECT_PULSES_MAX  8
#define EFFECTS_CURVES_MAX 16

enum effect_mode {
    EFFECT_ONESHOT = 1,
    EFFECT_PULSES = 2,
    EFFECT_HOLD = 3
};

/* What a start does while the effect sounds `limit` times already. */
enum effect_repeat {
    EFFECT_RESTART = 1, /* the oldest begins anew */
    EFFECT_IGNORE = 2,
    EFFECT_QUEUE = 3 /* it waits until spacing_ms after the one before */
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
    float duck;    /* how much it turns down lower priorities, 0..1 */
    int exclusive; /* a train: it ducks them in its gaps too */
    int side;      /* stronger on the side that the command points to */
    enum effect_repeat repeat;
    uint32_t limit; /* so many at once */
    uint32_t spacing_ms;
    uint32_t attack_ms, hold_ms, decay_ms, release_ms;
    uint32_t again_after_ms; /* a start sooner than this is ignored */
    uint32_t max_hold_ms;
    uint32_t pulse_count;
    struct effect_pulse pulses[EFFECT_PULSES_MAX];
};

/* How a level becomes what a motor can show. */
enum effect_curve_key { /* a bit in `given` for each */
    CURVE_MIN = 0,
    CURVE_FULL,
    CURVE_GAMMA,
    CURVE_GAIN,
    CURVE_CEILING,
    CURVE_KICK,
    CURVE_KICK_MS,
    CURVE_PULSE_MIN_MS,
    CURVE_GAP_MIN_MS,
    CURVE_SLEW_MS
};

struct effect_curve {
    uint32_t kind; /* HP_ACTUATOR_*, or 0: every one of this device: */
    uint16_t vendor, product;
    uint32_t given; /* bits 1 << CURVE_* */
    float min, full, gamma, gain, ceiling, kick;
    uint32_t kick_ms, pulse_min_ms, gap_min_ms;
    uint32_t slew_ms; /* of a force: at least so long from 0 to 1 */
};

struct effects {
    uint32_t curve_count;
    struct effect_curve curves[EFFECTS_CURVES_MAX];
    uint32_t count;
    uint32_t keepalive_ms; /* a hold ends this long after its last update */
    struct effect list[EFFECTS_MAX];
};

/* Reads a file; every problem goes to `to` as file:line:col: error. 0,
 * -EINVAL after problems, or why it could not be read. */
int effects_load(struct effects **out, const char *path, FILE *to);
void effects_destroy(struct effects *e);
/* The curve for an actuator: its own figures, then the set's curve for its
 * kind, then the one for its device. */
void effects_curve(const struct effects *e, const struct hp_actuator *a,
                   uint16_t vendor, uint16_t product, struct effect_curve *out);
/* NULL when there is none of that name. */
const struct effect *effects_find(const struct effects *e, const char *name);

#endif
