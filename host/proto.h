/*
 * The host's messages: structs on this side, bytes on the other. Each put
 * returns the size or -EMSGSIZE; each get returns 0 or -EBADMSG, reads
 * untrusted bytes, checks every field and leaves nothing half set in `out`
 * that a caller might use.
 *
 * The bytes are drawn at the head of proto.c; doc/protocol.md is normative.
 */
#ifndef PROTO_H
#define PROTO_H

#include <hardpoint/hardpoint.h>
#include <stddef.h>
#include <stdint.h>

#define PROTO_VERSION 1

#define PROTO_NAME_MAX     32  /* with the NUL */
#define PROTO_OPTIONS_MAX  200 /* with the NUL */
#define PROTO_SENTENCE_MAX 250 /* with the NUL */
#define PROTO_INPUTS_MAX   32  /* in one message */
#define PROTO_EVENTS_MAX   32  /* in one snapshot */
#define PROTO_RANGES_MAX   32  /* runs in one input message */
#define PROTO_TAGS_MAX     8
#define PROTO_FIELDS_MAX   128
#define PROTO_SHARED_MAX   64
#define PROTO_PLUGINS_MAX  8

enum proto_type {
    PROTO_HELLO = 1,
    PROTO_WELCOME = 2,
    PROTO_REFUSAL = 3,
    PROTO_INPUT = 4,
    PROTO_SNAPSHOT = 5,
    PROTO_OWN = 6,
    PROTO_NOTICE = 7,
    PROTO_PING = 8,
    PROTO_PONG = 9
};

/* The type of a message, or -EBADMSG: empty, unknown, or another version. */
int proto_peek(const uint8_t *bytes, size_t count);

struct proto_hello {
    uint16_t version; /* PROTO_VERSION of the sender; any value decodes */
    uint8_t flags;    /* PROTO_HELLO_* */
    char name[PROTO_NAME_MAX];
    char options[PROTO_OPTIONS_MAX];
};
#define PROTO_HELLO_STAGES 1 /* wants the stage stamps in its snapshots */

enum proto_refusal_code {
    PROTO_REFUSED_VERSION = 1,
    PROTO_REFUSED_FULL = 2,
    PROTO_REFUSED_OPTIONS = 3,
    PROTO_REFUSED_SHUTDOWN = 4,
    PROTO_REFUSED_ABUSE = 5, /* error budget spent */
    PROTO_REFUSED_RATE = 6,
    PROTO_REFUSED_TWIN = 7, /* silent, and its player has joined again */
    PROTO_REFUSED_BANNED = 8
};

struct proto_refusal {
    uint16_t code;
    char sentence[PROTO_SENTENCE_MAX];
};

/* A plugin that must be the same on both sides. */
struct proto_plugin {
    uint16_t kind;
    char name[32];
    char version[16];
};

/* A parameter that the server decides for both sides; borrowed when read. */
struct proto_shared {
    char section[48]; /* "sim.flight" */
    char key[48];
    char value[200];    /* as text; a file: its name */
    uint64_t file_hash; /* 0: not a file */
};

struct proto_welcome {
    uint32_t client;
    uint32_t rate_num, rate_den;
    uint32_t snapshot_every;
    uint32_t clients_max;
    uint32_t entities_max;
    uint64_t tick;           /* newest that the server has run */
    uint8_t flags;           /* PROTO_WELCOME_* */
    struct hp_schema schema; /* read: points into the fields below */
    struct hp_field fields[PROTO_FIELDS_MAX];
    char names[4096]; /* texts of the schema, when read */
    uint32_t plugin_count;
    struct proto_plugin plugins[PROTO_PLUGINS_MAX];
    uint32_t shared_count;
    struct proto_shared shared[PROTO_SHARED_MAX];
};
/* The server reads its socket once a tick: margins are coarse. */
#define PROTO_WELCOME_TICK_SERVICE 1

struct proto_input {
    uint64_t tick;     /* of inputs[0]; the others are tick-1, tick-2, ... */
    uint64_t snapshot; /* newest that was decoded; acks count back from it */
    uint8_t flags;     /* PROTO_INPUT_* */
    /* Bit i: the snapshot of tick `snapshot - i` was decoded. On the wire as
     * run lengths. */
    uint64_t acks[16]; /* 1024 ticks: the widest window */
    uint32_t ack_bits; /* how many of them are told, 0: no snapshot yet */
    uint32_t input_count;
    struct hp_input inputs[PROTO_INPUTS_MAX]; /* newest first; no sample time */
};
#define PROTO_INPUT_WANT_OWN 1

/* Same-machine stage stamps, monotonic ns; a snapshot extension. */
struct proto_stages {
    uint64_t input_tick;    /* the newest input that is here */
    uint64_t arrived_ns;    /* when it came */
    uint64_t tick_start_ns; /* of this snapshot's tick */
    uint64_t step_end_ns;
    uint64_t flush_ns;
};

struct proto_snapshot {
    uint64_t tick;
    uint64_t input_tick;  /* newest input of this client that was used */
    uint32_t used_mask;   /* hp_truth.used_mask */
    int32_t margin_us;    /* how early that input was: deadline - arrival */
    uint16_t dilation_q8; /* tick_schedule.dilation_q8 */
    uint8_t flags;        /* PROTO_SNAPSHOT_* */
    uint32_t own_check;   /* with PROTO_SNAPSHOT_OWN_CHECK */
    uint32_t peers;       /* extension; 0: not told */
    uint32_t delay_ms;    /* extension: the peer's delay */
    uint32_t delay_ticks; /* extension: SnapshotPeerDelayTicks */
    struct proto_stages stages; /* extension, with PROTO_SNAPSHOT_STAGES */
    uint32_t event_count;
    struct hp_event events[PROTO_EVENTS_MAX];
    const uint8_t *body; /* the broadcaster's bytes; borrowed when read */
    size_t body_bytes;
};
#define PROTO_SNAPSHOT_OWN_CHECK 1
#define PROTO_SNAPSHOT_STAGES    2

struct proto_own {
    uint64_t tick;
    const uint8_t *own; /* borrowed when read */
    uint32_t own_bytes;
};

struct proto_notice {
    uint8_t level; /* HP_LOG_* */
    char sentence[PROTO_SENTENCE_MAX];
};

struct proto_ping {
    uint32_t id;
    uint8_t path; /* PROTO_PATH_* : where the server echoes it */
    uint64_t sent_ns;
};
#define PROTO_PATH_EVENT 0 /* as soon as it is read */
#define PROTO_PATH_TICK  1 /* after the next step */

int proto_put_hello(void *bytes, size_t capacity, const struct proto_hello *m);
int proto_get_hello(const void *bytes, size_t count, struct proto_hello *out);
int proto_put_welcome(void *bytes, size_t capacity,
                      const struct proto_welcome *m);
int proto_get_welcome(const void *bytes, size_t count,
                      struct proto_welcome *out);
int proto_put_refusal(void *bytes, size_t capacity,
                      const struct proto_refusal *m);
int proto_get_refusal(const void *bytes, size_t count,
                      struct proto_refusal *out);
/* Puts as many inputs as fit. */
int proto_put_input(void *bytes, size_t capacity, const struct proto_input *m);
/* `now` is the server's tick: the low bits on the wire are expanded to the
 * nearest tick. -EBADMSG also for acks of a snapshot after `now`; acks that
 * count from before the window are left out (ack_bits 0). -ERANGE: well-formed,
 * but of a tick further away than `window`: the client was held up. */
int proto_get_input(const void *bytes, size_t count, uint64_t now,
                    uint32_t window, struct proto_input *out);
/* Everything but the body: returns the size so far; the broadcaster's bytes
 * follow it directly. Events beyond a quarter of the datagram are left out and
 * `events_put` says how many went in. An event's tick is at most the
 * snapshot's and its cause at most its own: later ones go as that. */
int proto_put_snapshot(void *bytes, size_t capacity,
                       const struct proto_snapshot *m, uint32_t *events_put);
/* `now` is the client's newest snapshot tick (0: none yet, take any); a tick
 * 2^31 or more away from it is -EBADMSG. */
int proto_get_snapshot(const void *bytes, size_t count, uint64_t now,
                       struct proto_snapshot *out);
int proto_put_own(void *bytes, size_t capacity, const struct proto_own *m);
int proto_get_own(const void *bytes, size_t count, struct proto_own *out);
int proto_put_notice(void *bytes, size_t capacity,
                     const struct proto_notice *m);
int proto_get_notice(const void *bytes, size_t count, struct proto_notice *out);
/* Ping and pong are the same but for the type. */
int proto_put_ping(void *bytes, size_t capacity, enum proto_type type,
                   const struct proto_ping *m);
int proto_get_ping(const void *bytes, size_t count, struct proto_ping *out);

#endif
