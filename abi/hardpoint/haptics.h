/* SPDX-License-Identifier: 0BSD */
/*
 * hardpoint/haptics.h - a backend: devices with actuators that take levels.
 * Envelopes, mixing and priorities are the host's; a backend gets levels, each
 * with the time until which it is valid, and must be silent after it by itself.
 */
#ifndef HARDPOINT_HAPTICS_H
#define HARDPOINT_HAPTICS_H

#include <hardpoint/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

enum hp_actuator_kind {
    HP_ACTUATOR_LOW = 1,       /* the heavy, slow rumble motor */
    HP_ACTUATOR_HIGH = 2,      /* the light, fast one */
    HP_ACTUATOR_TRIGGER_L = 3, /* trigger motors */
    HP_ACTUATOR_TRIGGER_R = 4,
    HP_ACTUATOR_AXIS_X = 5, /* force on a stick, -1..1 */
    HP_ACTUATOR_AXIS_Y = 6,
    HP_ACTUATOR_AUDIO = 7, /* a channel of a shaker */
    HP_ACTUATOR_GENERIC = 8,
    HP_ACTUATOR_KINDS = 9 /* one more than the last */
};

enum hp_actuator_flag {
    HP_ACTUATOR_SIGNED = 1 << 0,   /* takes -1..1 */
    HP_ACTUATOR_FREQUENCY = 1 << 1 /* takes frequency_hz */
};

enum hp_device_flag {
    /* The device, or the kernel, ends a level at its deadline although this
     * process is dead or stopped. Without it a guardian is needed. */
    HP_DEVICE_HOLDS_DEADLINE = 1 << 0
};

struct hp_actuator {
    uint32_t kind;  /* HP_ACTUATOR_* kind */
    uint32_t flags; /* HP_ACTUATOR_* flags */
    float minimum;  /* below it nothing is felt, 0..1 */
    float frequency_min_hz;
    float frequency_max_hz; /* 0 when fixed */
    uint16_t rise_ms;
    uint16_t fall_ms;
    uint16_t pulse_min_ms;
    uint16_t gap_min_ms;
    uint16_t interval_min_ms; /* fastest useful rate of commands */
    uint16_t steps;           /* 0: fine; 1: on and off */
};

#define HP_DEVICE_ACTUATORS_MAX 16

struct hp_device {
    uint32_t id;         /* the backend's own number, below 32 */
    uint32_t generation; /* changes at each reconnect */
    uint32_t flags;      /* HP_DEVICE_* */
    uint16_t vendor;
    uint16_t product;
    uint16_t actuator_count;
    int16_t battery_percent; /* -1: unknown */
    char stable_id[96];      /* bus:vid:pid:serial-or-port */
    char name[96];
    struct hp_actuator actuators[HP_DEVICE_ACTUATORS_MAX];
};

struct hp_device_sink {
    uint32_t size;
    uint32_t count;
    uint32_t capacity;
    uint32_t stride;
    struct hp_device *devices;
    void *unused; /* NULL */
};

enum hp_level_flag {
    HP_LEVEL_FIRST = 1 << 0 /* the actuator was silent before it */
};

struct hp_level {
    uint64_t deadline_ns; /* silent after it, by itself; monotonic */
    uint64_t cause_ns;    /* sample or arrival that led to it, 0 if none */
    uint32_t device;
    uint32_t generation;
    uint32_t actuator;  /* index into the device's actuators */
    uint32_t flags;     /* HP_LEVEL_* */
    float level;        /* 0..1, or -1..1 when signed */
    float frequency_hz; /* 0: as the device likes */
};

struct hp_levels {
    uint32_t size;
    uint32_t count;
    uint32_t stride;
    uint32_t reserved;
    uint64_t time_ns; /* of this mix */
    const struct hp_level *levels;
    const char *effects; /* names of the sounding effects, comma between;
                          * for people, may be "" */
};

enum hp_guard_action {
    HP_GUARD_NONE = 0,    /* nothing needed */
    HP_GUARD_WRITE = 1,   /* open `node`, write the report (hidraw, a file) */
    HP_GUARD_EVDEV = 2,   /* `node` is an event node: gain 0, a zero effect;
                           * the gain is put back once the host is gone */
    HP_GUARD_DATAGRAM = 3 /* `node` is "127.0.0.1:9000": send the report */
};

/* What the guardian process must do to a device if this process dies. */
struct hp_guard {
    uint32_t device; /* as in hp_device.id */
    uint32_t action; /* HP_GUARD_* */
    char node[120];
    uint8_t report[128]; /* what makes it silent */
    uint32_t report_bytes;
    uint32_t reserved;
};

struct hp_guard_sink {
    uint32_t size;
    uint32_t count;
    uint32_t capacity;
    uint32_t stride;
    struct hp_guard *guards;
    void *unused; /* NULL */
};

struct hp_haptics_ops {
    uint32_t size;
    uint32_t reserved;

    /* [main] The devices there are now. Overlaps [rt] and [device] calls.
     * -ENOSPC: more than the sink holds; it is full then. */
    int (*devices)(struct hp_instance *self, struct hp_device_sink *sink);

    /* [rt] Takes levels: every actuator that changed, and every one that is
     * not silent, at least each 100 ms. Copies and returns; never blocks.
     * Zero overtakes whatever is queued. */
    int (*render)(struct hp_instance *self, const struct hp_levels *levels);

    /* [device] Does the slow part until `until_ns`; may block on the device.
     * One that returns early is called again after the next render, or at
     * `until_ns`. NULL when there is none. */
    int (*work)(struct hp_instance *self, uint64_t until_ns);

    /* [any] Every actuator to zero, at once. Idempotent. */
    int (*silence)(struct hp_instance *self);

    /* [main] What the guardian needs. NULL when every device holds its
     * deadline. Overlaps [rt] and [device] calls. */
    int (*guard)(struct hp_instance *self, struct hp_guard_sink *sink);
};

#ifdef __cplusplus
}
#endif

#endif
