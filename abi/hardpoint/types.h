/* SPDX-License-Identifier: 0BSD */
/*
 * hardpoint/types.h - what crosses the plugin boundary: ticks, inputs,
 * entities, events, the schema of a record, views and sinks.
 *
 * Every record here is fixed-width, naturally aligned and free of implicit
 * padding; hosts are little-endian. Quantities are SI and carry their unit in
 * the name or beside it. Arrays carry their stride: step by it, not by sizeof.
 *
 * The words [main], [tick], [rt], [device] and [any] say which thread makes a
 * call; hardpoint/plugin.h explains them.
 */
#ifndef HARDPOINT_TYPES_H
#define HARDPOINT_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A plugin's own state for one instance; only the plugin knows its fields. */
struct hp_instance;

/* A client's number on the server: 0 .. clients_max - 1. */
#define HP_CLIENT_NONE UINT32_MAX

/* "No such record" wherever an index into a view is asked for. */
#define HP_INDEX_NONE UINT32_MAX

/*
 * One step of the world. The rate is an exact fraction: 60/1 or 60000/1001.
 * Keep no constant for it.
 */
struct hp_tick {
    uint64_t index;       /* from 0, without gaps */
    uint64_t deadline_ns; /* monotonic; 0 for a deterministic plugin */
    double dt_s;          /* den / num, the same bits every tick */
    uint32_t rate_num;
    uint32_t rate_den;
};

enum hp_axis {
    HP_AXIS_ROLL = 0,     /* + right wing down */
    HP_AXIS_PITCH = 1,    /* + stick back, nose up */
    HP_AXIS_YAW = 2,      /* + nose right */
    HP_AXIS_THROTTLE = 3, /* 0 idle .. 32767 full */
    HP_AXIS_BRAKE = 4,    /* 0 off .. 32767 full */
    HP_AXIS_COUNT = 8     /* the rest is free for a sim to define */
};

enum hp_button {
    HP_BUTTON_GUN = 1 << 0,         /* held: fires */
    HP_BUTTON_GEAR = 1 << 1,        /* edge: handle moves to the other end */
    HP_BUTTON_AFTERBURNER = 1 << 2, /* held: engaged */
    HP_BUTTON_RESPAWN = 1 << 3,     /* edge: asks for a new aircraft */
    HP_BUTTON_RELEASE = 1 << 4,     /* edge: releases the selected store */
    HP_BUTTON_HOOK = 1 << 5,        /* edge: arrestor hook */
    HP_BUTTON_EJECT = 1 << 6,       /* edge */
    HP_BUTTON_SELECT = 1 << 7       /* edge: selects the next store */
};

enum hp_input_flag {
    HP_INPUT_PAUSED = 1 << 0,
    HP_INPUT_UNFOCUSED = 1 << 1,
    HP_INPUT_MENU = 1 << 2,
    HP_INPUT_REPLAY = 1 << 3,
    /* Set by the host: this tick's own sample came too late, so the axes of
     * the one before it were used again and its edges wait for the next. */
    HP_INPUT_REPEATED = 1 << 15
};

/* What a pilot commanded for one tick, the same from device to world. */
struct hp_input {
    uint64_t sampled_ns; /* monotonic; 0 for a deterministic plugin */
    uint32_t buttons;    /* HP_BUTTON_*, level (held = 1) */
    uint16_t flags;      /* HP_INPUT_* */
    uint16_t reserved;
    int16_t axes[HP_AXIS_COUNT]; /* -32767 .. 32767 full scale */
};

enum hp_entity_flag {
    HP_ENTITY_DEAD = 1 << 0,      /* wreck or waiting for respawn */
    HP_ENTITY_ON_GROUND = 1 << 1, /* at least one wheel carries weight */
    HP_ENTITY_FROZEN = 1 << 2     /* the sim met a NaN and stopped it */
};

/*
 * The head of every record; the sim's own fields follow it as its schema says.
 * Positions are metres in an Earth-fixed frame (flat: north, east, down; else
 * ECEF). Velocity is in and relative to that frame. The quaternion is
 * w, x, y, z, body to world, unit length. Body axes: forward, right, down.
 */
struct hp_entity {
    uint16_t slot;       /* place in the world, reused ... */
    uint16_t generation; /* ... and this counts the uses */
    uint16_t type;       /* the sim's own: aircraft, round, ... */
    uint16_t flags;      /* HP_ENTITY_* */
    uint32_t owner;      /* client that pilots it, or HP_CLIENT_NONE */
    uint32_t reserved;
    double position_m[3];
    float attitude[4];
    float velocity_mps[3];
    float rates_rps[3]; /* body rates about x, y, z, radians a second */
};

/* Slot and generation in one word, as events name an entity. */
#define HP_ENTITY_ID(slot, generation) \
    ((uint32_t)(slot) | (uint32_t)(generation) << 16)
#define HP_ENTITY_NONE UINT32_MAX

/* How a field is laid out in the record and what its numbers mean. */
enum hp_field_type {
    HP_FIELD_U8 = 1,
    HP_FIELD_U16 = 2,
    HP_FIELD_U32 = 3,
    HP_FIELD_I16 = 4,
    HP_FIELD_I32 = 5,
    HP_FIELD_F32 = 6,
    HP_FIELD_F64 = 7,
    HP_FIELD_QUATERNION = 8 /* four F32, unit length, as one value */
};

/*
 * One field of a record. A broadcaster sends an integer field in the bits that
 * `minimum .. maximum` needs, a real one rounded to `step` within that range;
 * no float travels.
 */
struct hp_field {
    const char *name; /* "throttle"; effects.ini and tools use it */
    const char *unit; /* "m", "m/s", "rad/s", "1"; never NULL */
    double step;      /* wire step of a real field, in `unit` */
    double minimum;
    double maximum;
    uint32_t type;   /* HP_FIELD_* */
    uint32_t offset; /* bytes from the start of the record */
    uint32_t count;  /* 3 for a vector of three; 1 for a quaternion */
    uint32_t flags;  /* 0 */
};

/* The table that describes a record, head included, in order of offset. */
struct hp_schema {
    uint32_t size;         /* sizeof(struct hp_schema) */
    uint32_t record_bytes; /* one record, a multiple of 8 */
    uint32_t own_bytes;    /* own state, at most HP_OWN_BYTES_MAX */
    uint32_t version;      /* the sim's own; both sides must agree */
    uint32_t field_count;
    uint32_t field_stride;
    const struct hp_field *fields;
    const char *name; /* "flight" */
};

#define HP_OWN_BYTES_MAX    512
#define HP_RECORD_BYTES_MAX 512

/* Who is told of an event. */
enum hp_audience {
    HP_AUDIENCE_OWNER = 0, /* the pilots of `who` and of `whom` */
    HP_AUDIENCE_NEAR = 1,  /* and those within 10 km of either */
    HP_AUDIENCE_ALL = 2
};

/* Event types that every sim uses alike; from 1024 on they are a sim's own. */
enum hp_event_type {
    HP_EVENT_GUN = 1, /* who fired a burst's first round */
    HP_EVENT_HIT = 2, /* who hit whom; direction to the hit, body of whom */
    HP_EVENT_KILL = 3,
    HP_EVENT_CRASH = 4,
    HP_EVENT_TOUCHDOWN = 5, /* strength: sink rate in m/s */
    HP_EVENT_RESPAWN = 6,
    HP_EVENT_GEAR = 7, /* strength: 1 moves down, 0 moves up */
    HP_EVENT_AFTERBURNER = 8,
    HP_EVENT_RELEASE = 9, /* who dropped a store that falls */
    HP_EVENT_LAUNCH = 10, /* who launched a missile, at whom */
    HP_EVENT_THREAT = 11, /* who has a missile under way to whom */
    HP_EVENT_SURGE = 12,  /* who's compressor stalled */
    HP_EVENT_TRAP = 13,   /* who caught a wire; strength: m/s */
    HP_EVENT_SIM = 1024
};

/* Something that happened at a tick; delivered to each client once. */
struct hp_event {
    uint64_t tick;
    uint64_t cause_tick; /* the input's tick, pairs it with a prediction */
    uint32_t id;         /* the host numbers them */
    uint32_t type;       /* HP_EVENT_* */
    uint32_t who;        /* HP_ENTITY_ID, or HP_ENTITY_NONE */
    uint32_t whom;
    uint32_t audience; /* HP_AUDIENCE_* */
    float strength;
    float direction[3]; /* unit vector, or zeros */
    uint32_t reserved;
};

/*
 * What a plugin may read during one call: records of one tick, and events.
 * Both arrays are borrowed until the call returns. Records stand in order of
 * slot.
 */
struct hp_view {
    uint32_t size; /* sizeof(struct hp_view) */
    uint32_t count;
    uint32_t stride; /* bytes from one record to the next */
    uint32_t event_count;
    uint32_t event_stride;
    uint32_t own; /* index of the viewer's own record, or HP_INDEX_NONE */
    uint64_t tick;
    const void *entities; /* records: struct hp_entity, then the tail */
    const struct hp_event *events;
};

/*
 * Where records and events go. The callee writes at most the capacities and
 * sets the counts; it may leave `events` untouched. Borrowed for the call.
 */
struct hp_view_sink {
    uint32_t size;
    uint32_t count;
    uint32_t capacity;
    uint32_t stride;
    uint32_t event_count;
    uint32_t event_capacity;
    void *entities;
    struct hp_event *events;
};

/* Where bytes go: at most `capacity`, the callee sets `count`. */
struct hp_byte_sink {
    uint32_t size;
    uint32_t capacity;
    uint32_t count;
    uint32_t reserved;
    uint8_t *bytes;
    void *unused; /* NULL */
};

#ifdef __cplusplus
}
#endif

#endif
