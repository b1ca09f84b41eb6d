/* SPDX-License-Identifier: 0BSD */
/*
 * hardpoint/plugin.h - the one symbol that a plugin exports, what the host
 * gives it, and the life of an instance.
 *
 *     dlopen, judge hp_plugin_v1 -> create -> start -> calls of the kind
 *                                                   -> stop -> destroy
 *
 * create may be followed by destroy at once. start and stop come in pairs,
 * once each. The host makes one instance for each INI section and side, so a
 * plugin keeps no mutable statics.
 *
 * Threads. Each call carries a tag:
 *   [main]    the control thread; may allocate, open files and block briefly
 *   [tick]    the side's scheduler thread: no allocation, no lock, no I/O
 *   [rt]      the haptics thread: as [tick], and returns within microseconds
 *   [device]  a thread of the instance's own, which may block
 *   [any]     any thread, at any time between start and stop
 * Calls of one instance that carry the same tag never overlap. [main] calls
 * overlap [tick] and [rt] ones only where their comment says so.
 *
 * Errors are 0 or a negative errno (-ENODEV). Who allocates frees; no pointer
 * changes owner. Nothing may unwind (C++ exception, Rust panic) into the host.
 *
 * Evolution. Tables that start with `size` may grow at their end in a minor
 * version; read a member only when HP_HAS says it is there.
 */
#ifndef HARDPOINT_PLUGIN_H
#define HARDPOINT_PLUGIN_H

#include <hardpoint/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contract of this header. The major is in the symbol's name. */
#define HP_ABI_MAJOR 1
#define HP_ABI_MINOR 0

/* Whether `table` was compiled with `member`, and so may be asked for it. */
#define HP_HAS(table, member) \
    ((table)->size >= \
     offsetof(__typeof__(*(table)), member) + sizeof((table)->member))

enum hp_kind {
    HP_KIND_SIM = 1,
    HP_KIND_BROADCASTER = 2,
    HP_KIND_PREDICTOR = 3,
    HP_KIND_CUES = 4,
    HP_KIND_HAPTICS = 5,
    HP_KIND_INPUT = 6,
    HP_KIND_AGENT = 7
};

/* The upper half holds "must" bits: a host that does not know one refuses. */
enum hp_plugin_flag {
    /* Same inputs, same bits: gets no clock, no deadline, no sample times. */
    HP_PLUGIN_DETERMINISTIC = 1 << 0
};
#define HP_PLUGIN_FLAGS_MUST 0xffff0000u

enum hp_side {
    HP_SIDE_SERVER = 1,
    HP_SIDE_CLIENT = 2
};

enum hp_log_level {
    HP_LOG_ERROR = 1,
    HP_LOG_WARNING = 2,
    HP_LOG_INFO = 3,
    HP_LOG_DEBUG = 4
};

enum hp_param_type {
    HP_PARAM_FLAG = 1, /* yes, no */
    HP_PARAM_INT = 2,
    HP_PARAM_REAL = 3,
    HP_PARAM_TEXT = 4,
    HP_PARAM_CHOICE = 5, /* one word of `choices` */
    HP_PARAM_PATH = 6,   /* a file; relative to the INI that names it */
    HP_PARAM_DATA = 7    /* a data file by name or path, see hp_param */
};

enum hp_param_flag {
    HP_PARAM_LIVE = 1 << 0,     /* a reload may change it: `reload` is called */
    HP_PARAM_REPEAT = 1 << 1,   /* may be given again; the values append */
    HP_PARAM_SHARED = 1 << 2,   /* the server's value goes to every client */
    HP_PARAM_REQUIRED = 1 << 3, /* has no default */
    HP_PARAM_INPUT = 1 << 4     /* a path that must be readable at start */
};

/*
 * One INI key of the plugin's section: everything the host says about it.
 *
 * HP_PARAM_DATA is for files that both sides must have alike, as an aircraft. Its
 * `choices` are "FOLDER|ENDING", as "aircraft|.ini". A value with a "/" or with
 * that ending is a path, relative to the INI that names it; another is a name,
 * looked for as FOLDER/NAME.ENDING in $HARDPOINT_DATA_PATH and where the host's
 * data are installed. param_text gives the file's path, or the name itself when
 * no file has it, for what the plugin may know without one. When the row is
 * HP_PARAM_SHARED the server tells each client the name and a digest of the
 * bytes, and a client whose file differs is told which, and does not join.
 */
struct hp_param {
    const char *name;     /* "seed" */
    const char *unit;     /* "ms"; "" where there is none */
    const char *preset;   /* the default as it would stand in the INI */
    const char *sentence; /* what it does, for the manual */
    const char *choices;  /* "flat|round", "FOLDER|ENDING", else NULL */
    const void *unused;   /* NULL */
    double minimum;       /* for numbers */
    double maximum;
    uint32_t type;  /* HP_PARAM_* type */
    uint32_t flags; /* HP_PARAM_* flags */
};

/*
 * What the host offers one instance; valid from create to destroy. Every call
 * takes the table itself first.
 */
struct hp_host {
    uint32_t size;
    uint16_t abi_major;
    uint16_t abi_minor;
    uint32_t side;     /* HP_SIDE_* */
    uint32_t reserved; /* 0 */

    /* [any] One line to the log, under the instance's name. `text` is copied;
     * a line break ends it. Cheap enough for [tick]. */
    void (*log)(const struct hp_host *host, uint32_t level, const char *text);

    /* [main], and in a sim's join: keeps one sentence that says why a call is
     * about to fail, and returns `code` (a negative errno) so that one line
     * serves both. */
    int (*fail)(const struct hp_host *host, int code, const char *sentence);

    /* [any] Monotonic nanoseconds. NULL for a deterministic plugin. */
    uint64_t (*now_ns)(const struct hp_host *host);

    /* [main] The value of one of the instance's own rows, checked already
     * against its type and range. `index` counts the values of a repeated
     * row, else it is 0. -ENOENT: no such row or no such value. -EINVAL: the
     * row has another type. A text lives until the next reload. */
    int (*param_flag)(const struct hp_host *host, const char *name, int *out);
    int (*param_int)(const struct hp_host *host, const char *name,
                     uint32_t index, int64_t *out);
    int (*param_real)(const struct hp_host *host, const char *name,
                      uint32_t index, double *out);
    int (*param_text)(const struct hp_host *host, const char *name,
                      uint32_t index, const char **out);

    /* [main] A table known by id, or NULL. None are defined yet. */
    const void *(*extension)(const struct hp_host *host, const char *id);

    void *context; /* the host's own */

    /*
     * [tick] Calls run(context, first, end) for ranges that together hold each
     * of 0 .. count-1 once, on several threads at a time where the host has
     * any to spare ([host] workers), and returns when all are done. What the
     * calls leave behind must not depend on how the ranges were cut, on their
     * order or on their thread: let each index write what is its own alone.
     * The calls are [tick] code; of the host they may use `log`, and `jobs`,
     * which then gets no help. `grain` is how many indices are worth a range
     * of their own, some 20 us of work: a thread wakes up in no less.
     */
    void (*jobs)(const struct hp_host *host,
                 void (*run)(void *context, uint32_t first, uint32_t end),
                 void *context, uint32_t count, uint32_t grain);
};

struct hp_model; /* hardpoint/predictor.h */

/* What an instance needs to size its memory; valid until stop. */
struct hp_limits {
    uint32_t size;
    uint32_t side; /* HP_SIDE_* */
    uint32_t rate_num;
    uint32_t rate_den;
    uint32_t clients_max;
    uint32_t entities_max;
    uint32_t snapshot_bytes_max;    /* a broadcaster's share of a datagram */
    uint32_t window_ticks;          /* how far back inputs and acks reach */
    const struct hp_schema *schema; /* NULL for sim, haptics, input, agent */
    const struct hp_model *model;   /* predictor and cues only, else NULL */
};

/* The exported table. */
struct hp_plugin {
    uint32_t size;          /* sizeof(struct hp_plugin) when compiled */
    uint16_t abi_minor;     /* of the header it was built with */
    uint16_t abi_min_minor; /* oldest host minor it can live with */
    uint32_t kind;          /* HP_KIND_* */
    uint32_t flags;         /* HP_PLUGIN_* */
    const char *name;       /* "sdl2"; with the kind, its identity for ever */
    const char *version;    /* "1.2.0" */
    const char *summary;    /* one line */
    const char *license;    /* SPDX: "MIT" */
    const char *author;
    const struct hp_param *params; /* NULL when param_count is 0 */
    uint32_t param_count;
    uint32_t param_stride; /* sizeof(struct hp_param) when compiled */

    /* [main] Makes an instance from its parameters; opens no device yet.
     * -EINVAL: parameters that do not fit together; -ENOMEM. */
    int (*create)(const struct hp_host *host, struct hp_instance **out);

    /* [main] Allocates all that the calls of the kind will use, opens the
     * device. `limits` lives until stop. -ENODEV, -EACCES, -ENOMEM, ... */
    int (*start)(struct hp_instance *self, const struct hp_limits *limits);

    /* [main] Ends what start began; the device is silent and closed. */
    void (*stop)(struct hp_instance *self);

    /* [main] Frees the instance. Accepts NULL. */
    void (*destroy)(struct hp_instance *self);

    const void *ops; /* struct hp_sim_ops, ...: what `kind` says */

    /* [main] A table known by id, or NULL. The member itself may be NULL. */
    const void *(*extension)(struct hp_instance *self, const char *id);

    /* [main] Parameters flagged live have changed: read them again. On an
     * error the instance goes on as before. May be NULL when none is live.
     * Overlaps [tick] and [rt] calls. */
    int (*reload)(struct hp_instance *self);
};

/*
 * The ELF note in section .note.hardpoint: the same facts, readable without
 * running anything. Owner "Hardpoint", type HP_NOTE_TYPE, this as descriptor.
 */
#define HP_NOTE_OWNER "Hardpoint"
#define HP_NOTE_TYPE  1

struct hp_note {
    uint32_t size; /* sizeof(struct hp_note) */
    uint16_t abi_major;
    uint16_t abi_minor;
    uint16_t abi_min_minor;
    uint16_t kind;
    uint32_t flags;
    char name[32];
    char version[16];
    char summary[96];
    char license[32];
    char author[64];
};

/* Owner, padded to a multiple of four, and descriptor as the ELF form wants. */
struct hp_note_section {
    uint32_t owner_bytes;
    uint32_t note_bytes;
    uint32_t type;
    char owner[12];
    struct hp_note note;
};

#define HP_EXPORT __attribute__((visibility("default")))

/* Marks the table in a plugin's source: HP_PLUGIN = { HP_PLUGIN_HEAD, ... }; */
#ifdef __cplusplus
#    define HP_PLUGIN extern "C" HP_EXPORT const struct hp_plugin hp_plugin_v1
#else
#    define HP_PLUGIN HP_EXPORT const struct hp_plugin hp_plugin_v1
#endif

/* The table itself, so that both C and C++ see one declaration. */
extern HP_EXPORT const struct hp_plugin hp_plugin_v1;

/*
 * Writes the note. A plugin defines HP_NAME, HP_VERSION, HP_SUMMARY,
 * HP_LICENSE and HP_AUTHOR as strings, then
 *
 *     HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
 *     HP_PLUGIN = {
 *         HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
 *         params, HP_PARAMS(params),
 *         create, start, stop, destroy, &ops, NULL, NULL,
 *     };
 *
 * and so cannot say one thing in the note and another in the table.
 */
/* clang-format off */
#define HP_PLUGIN_NOTE(kind_, flags_) \
    __attribute__((section(".note.hardpoint"), used, aligned(4))) \
    static const struct hp_note_section hp_note_ = { \
        sizeof(HP_NOTE_OWNER), sizeof(struct hp_note), HP_NOTE_TYPE, \
        HP_NOTE_OWNER, \
        {sizeof(struct hp_note), HP_ABI_MAJOR, HP_ABI_MINOR, 0, kind_, \
         flags_, HP_NAME, HP_VERSION, HP_SUMMARY, HP_LICENSE, HP_AUTHOR}}
/* clang-format on */

#define HP_PLUGIN_HEAD(kind_, flags_) \
    sizeof(struct hp_plugin), HP_ABI_MINOR, 0, kind_, flags_, HP_NAME, \
        HP_VERSION, HP_SUMMARY, HP_LICENSE, HP_AUTHOR

/* The count and stride of a table of rows. */
#define HP_PARAMS(rows_) \
    (uint32_t)(sizeof(rows_) / sizeof((rows_)[0])), (uint32_t)sizeof((rows_)[0])
#define HP_NO_PARAMS NULL, 0, 0

#ifdef __cplusplus
}
#endif

#endif
