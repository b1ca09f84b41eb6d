/*
 * The keys of effects.ini as rows: what each may hold, which modes it is for,
 * where it goes, and a sentence for whoever got it wrong.
 */
#ifndef EFFECTS_ROWS_H
#define EFFECTS_ROWS_H

#include "effects.h"
#include <stddef.h>

#define EFFECTS_CLASSES  6
#define EFFECTS_ROWS_MAX 32

/* [haptics] */
struct effects_globals {
    float master;
    float gains[EFFECTS_CLASSES]; /* in the order of effects_class_names */
    uint32_t keepalive_ms;
};

enum effects_type {
    EFFECTS_REAL = 1, /* a float */
    EFFECTS_WHOLE,    /* 32 bits */
    EFFECTS_CLASS,
    EFFECTS_MODE,
    EFFECTS_PULSES, /* a list of ON/OFF */
    EFFECTS_REPEAT,
    EFFECTS_EXCLUSIVE,
    EFFECTS_YES
};

struct effects_row {
    const char *name;
    const char *unit;     /* may follow the number; "" for none */
    const char *sentence; /* "strength of the heavy motor" */
    double minimum;
    double maximum;
    enum effects_type type;
    unsigned modes;    /* bits 1 << EFFECT_*; 0: any mode */
    unsigned required; /* likewise: the modes that need it */
    size_t offset;     /* in struct effect or struct effects_globals */
};

extern const char *const effects_class_names[EFFECTS_CLASSES];

/* The rows of [haptics], of [effect.NAME], and of [curve.kind.NAME] and
 * [curve.VID:PID], the last in the order of enum effect_curve_key. */
const struct effects_row *effects_global_rows(uint32_t *count);
const struct effects_row *effects_rows(uint32_t *count);
const struct effects_row *effects_curve_rows(uint32_t *count);

/* The HP_ACTUATOR_* kind of that key; 0 for none. */
uint32_t effects_actuator_kind(const char *name);
/* "low", "high", ...: the key for an HP_ACTUATOR_* kind; NULL for none. */
const char *effects_actuator_name(uint32_t kind);
/* "oneshot", "pulses", "hold"; NULL for none. */
const char *effects_mode_name(enum effect_mode mode);

/* Reads `text` into the row's field of `target`. -EINVAL: `why` says what was
 * found and what was expected, and `at` how far into the text it is. */
int effects_row_parse(const struct effects_row *row, const char *text,
                      void *target, char *why, size_t why_bytes, int *at);

#endif
