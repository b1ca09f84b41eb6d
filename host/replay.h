/*
 * Makes a recorded world again and compares it, tick by tick, with what the
 * recording says came of it.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "record_file.h"
#include <stdio.h>

#define REPLAY_WARNINGS_MAX 16
#define REPLAY_FIELDS_MAX   8 /* that are named of one difference */

struct replay_options {
    const char *file;
    const char *plugin_path;      /* folders before all others, or NULL */
    const char *const *overrides; /* "sim.flight.seed=2" */
    int override_count;
    uint64_t from, until; /* ticks that are compared, both included */
};

enum replay_what {
    REPLAY_EQUAL = 0,
    REPLAY_JOIN,   /* the sim answered a join otherwise */
    REPLAY_ENTITY, /* there is one more or one less */
    REPLAY_FIELD,  /* of a record */
    REPLAY_RECORD, /* bytes of a record that no field describes */
    REPLAY_OWN,    /* of an own state, and not of its record */
    REPLAY_EVENTS,
    REPLAY_HASH /* state that neither records nor own states show */
};

/* The first difference. */
struct replay_difference {
    enum replay_what what;
    uint64_t tick;
    uint32_t entity;   /* HP_ENTITY_ID, HP_ENTITY_NONE: of none */
    uint32_t client;   /* that owns it, or HP_CLIENT_NONE */
    /* The tick from which on the hash alone differed; else `tick`. */
    uint64_t hash_tick;
    int is_missing;    /* REPLAY_ENTITY: from the replay; else from the file */
    uint32_t entities; /* how many differ at that tick */
    uint32_t field_count;
    const struct record_field *fields[REPLAY_FIELDS_MAX]; /* the first ones */
    /* The values of the first field in the entity, at the first tick from
     * `tick` on at which the file has them; "" when it has none. */
    uint64_t value_tick;
    uint32_t element;
    char recorded[64], replayed[64];
    /* REPLAY_OWN: the first byte that differs, at value_tick. */
    uint32_t offset;
    char sentence[320]; /* of a sim that refused */
};

struct replay_result {
    struct record_header header;
    uint64_t ticks, joins, leaves;
    uint64_t took_ns;
    enum record_state state;
    uint64_t broken_at; /* byte of the file, where it is torn or damaged */
    int has_end;        /* the host ended in order */
    uint64_t lost;      /* ticks that the writer could not keep up with */
    struct replay_difference difference;
    char warnings[REPLAY_WARNINGS_MAX][320];
    uint32_t warning_count;
};

/*
 * Runs it. 0 and `out`, or an exit status of cmd.h after the reason went to
 * `errors`. Either way replay_result_finish ends it.
 */
int replay_run(const struct replay_options *options, struct replay_result *out,
               FILE *errors);
void replay_result_finish(struct replay_result *r);

/* Opens a recording and reads its header: 0, or an exit status, told. */
int replay_open(struct record_reader *reader, const char *file,
                struct record_header *header, FILE *errors);
/* What came at the end of the file, in words; "" when all is well. */
void replay_say_end(const struct replay_result *r, char *out, size_t bytes);

/* The recording as text: replay_dump.c. An exit status. */
int replay_dump(const char *file, FILE *to, FILE *errors);

#endif
