/*
 * What a recording is made of: its header, and the entries that follow. Both
 * ends are here, in words of the host; record_file.h puts their bytes into
 * blocks. doc/replay.md draws every byte.
 *
 * Decoding takes nothing for granted: every count is held against the header's
 * limits, and those against the host's own.
 */
#ifndef RECORD_CODE_H
#define RECORD_CODE_H

#include "build_id.h"
#include <hardpoint/sim.h>
#include <stddef.h>
#include <stdint.h>
#include <wire/bytes.h>

#define RECORD_FIELDS_MAX   256
#define RECORD_PARAMS_MAX   4096
#define RECORD_TEXT_MAX     65536 /* a parameter's value, with its NUL */
#define RECORD_CLIENTS_MAX  4096
#define RECORD_ENTITIES_MAX 65535
#define RECORD_OPTIONS_MAX  512
#define RECORD_EVENTS_MAX   65535

enum record_kind {
    RECORD_HEADER = 1,
    RECORD_JOIN = 2,
    RECORD_LEAVE = 3,
    RECORD_TICK = 4,
    RECORD_RELOAD = 5, /* the sim's live parameters were read again */
    RECORD_END = 6
};

enum record_end {
    RECORD_END_STOP = 0,    /* the host ended in order */
    RECORD_END_OVERFLOW = 1 /* the writer could not keep up */
};

struct record_field {
    char name[64];
    char unit[32];
    uint32_t type; /* HP_FIELD_* */
    uint32_t offset;
    uint32_t count;
};

struct record_param {
    char key[64];
    char *value;
    uint64_t file_digest; /* of what a path names; 0: no file */
};

struct record_header {
    uint32_t side;  /* HP_SIDE_SERVER: the only one that has a world */
    uint32_t views; /* every tick has its whole view */
    char host_version[64];
    char host_build[BUILD_ID_BYTES];
    char sim_name[32];
    char sim_version[64];
    char sim_build[BUILD_ID_BYTES];
    uint32_t rate_num, rate_den;
    uint32_t clients_max, entities_max, snapshot_bytes_max, window_ticks;
    uint64_t first_tick;
    int64_t wall_s; /* since 1970; 0: a virtual clock */
    char schema_name[64];
    uint32_t schema_version, record_bytes, own_bytes;
    uint32_t field_count, param_count;
    struct record_field *fields;
    struct record_param *params;
};

/* Frees what decoding allocated; of a zeroed header nothing. */
void record_header_finish(struct record_header *h);
/* Fills schema and fields. -E2BIG: more fields than a recording holds, or
 * longer names; -ENOMEM. */
int record_header_schema(struct record_header *h,
                         const struct hp_schema *schema);
/* Appends a parameter. -E2BIG, -ENOMEM. */
int record_header_param(struct record_header *h, const char *key,
                        const char *value, uint64_t file_digest);

/* What one tick was and came to. */
struct record_tick {
    uint64_t tick;
    uint64_t hash; /* the sim's own */
    uint32_t input_count;
    uint32_t count; /* records of the view */
    uint32_t event_count;
    uint32_t event_digest;
    const struct hp_client_input *inputs; /* in order of client */
    const uint32_t *ids;                  /* HP_ENTITY_ID, by record */
    const uint16_t *rows;                 /* a digest of each record, */
    const uint16_t *columns;              /* of each field of all records, */
    const uint16_t *owns; /* and of what each input's client owns; 0: nothing */
    const uint8_t *view;  /* the records themselves, or NULL */
    const uint8_t *states; /* the own states themselves, by input, or NULL */
};

/* What both ends remember from one entry to the next. */
struct record_codec {
    const struct record_header *header; /* borrowed */
    uint64_t next_tick;
    uint8_t *joined;            /* by client */
    struct hp_client_input *in; /* by client: of the tick before */
    struct hp_client_input *inputs;
    uint32_t count;
    uint32_t *ids; /* of the tick before */
    uint16_t *rows, *columns, *owns;
};

/* -ENOMEM. finish accepts a zeroed one. */
int record_codec_init(struct record_codec *c, const struct record_header *h);
void record_codec_finish(struct record_codec *c);
/* No entry's body is longer. */
size_t record_entry_bytes_max(const struct record_header *h);

/* ---- digests ---- */

/* Digests of one record or own state; never 0. */
uint16_t record_digest(const void *bytes, size_t count);
/* Of each record, and of each field down all records. `rows` and `columns`
 * hold entities_max and field_count. */
void record_digest_view(const struct record_header *h, const void *records,
                        uint32_t stride, uint32_t count, uint16_t *rows,
                        uint16_t *columns);
/* Of what happened; the numbers that a host gives events are not in it. */
uint32_t record_digest_events(const struct hp_event *events, uint32_t count);
/* Bytes of one element of a field's type, 0: no such type. */
uint32_t record_field_bytes(uint32_t type);

/* ---- entries: what is between the frames that record_file.h makes ---- */

void record_put_header(struct bytes_out *out, const struct record_header *h);
/* -EBADMSG: malformed, or beyond the limits above; -EPROTONOSUPPORT: not this
 * release's version; -ENOMEM. `h` needs record_header_finish either way. */
int record_get_header(const uint8_t *bytes, size_t count,
                      struct record_header *h);

struct record_join {
    uint32_t client;
    int32_t result; /* what the sim returned */
    char options[RECORD_OPTIONS_MAX];
};

/* The codec keeps who is joined. All gets: 0 or -EBADMSG. */
void record_put_join(struct record_codec *c, struct bytes_out *out,
                     const struct record_join *join);
int record_get_join(struct record_codec *c, const uint8_t *bytes, size_t count,
                    struct record_join *out);
void record_put_leave(struct record_codec *c, struct bytes_out *out,
                      uint32_t client);
int record_get_leave(struct record_codec *c, const uint8_t *bytes, size_t count,
                     uint32_t *client);
/* `view` and `states` of `t` are written when they are not NULL. */
void record_put_tick(struct record_codec *c, struct bytes_out *out,
                     const struct record_tick *t);
/* What `out` points to lives until the next get. */
int record_get_tick(struct record_codec *c, const uint8_t *bytes, size_t count,
                    struct record_tick *out);
void record_put_end(struct bytes_out *out, enum record_end why, uint64_t lost);
int record_get_end(const uint8_t *bytes, size_t count, uint32_t *why,
                   uint64_t *lost);

#endif
