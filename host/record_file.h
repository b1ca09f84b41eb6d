/*
 * The file of a recording: a magic, then blocks with checksums, in which frames
 * (kind, length, body) follow each other without regard for the blocks' ends.
 * So a file that was cut anywhere is good up to its last whole block. Reading
 * takes nothing for granted; doc/replay.md draws every byte.
 */
#ifndef RECORD_FILE_H
#define RECORD_FILE_H

#include "record_code.h"
#include <stdio.h>

#define RECORD_MAGIC       "\x89HPR\r\n\x1a\n"
#define RECORD_MAGIC_BYTES 8
#define RECORD_HEAD_BYTES  12
#define RECORD_BLOCK_MAX   65536 /* bytes of payload */

/* ---- writing ---- */

struct record_writer {
    int fd;
    uint32_t sequence;
    uint64_t bytes; /* that the file holds */
    size_t count;   /* payload gathered */
    uint8_t *block; /* head and payload */
    int err;        /* what the file answered, once: nothing follows it */
    /* Set once the host ends: a pipe that takes nothing is then given up. */
    const _Atomic int *hurry; /* NULL: never */
};

/*
 * Opens a file for a recording: what is there under that name stays as
 * NAME.old. A pipe must have a reader. A negative errno.
 */
int record_writer_open(struct record_writer *w, const char *path);
/* Accepts a writer that was not opened, zeroed. What the last write returned. */
int record_writer_close(struct record_writer *w);

/* Appends a frame; writes blocks as they fill. Errors stay in w->err. */
void record_writer_put(struct record_writer *w, enum record_kind kind,
                       const uint8_t *body, size_t bytes);
/* Writes what was gathered as a block. */
void record_writer_flush(struct record_writer *w);

/* ---- reading ---- */

enum record_state {
    RECORD_WHOLE = 0,  /* so far */
    RECORD_TORN = 1,   /* the file ends within a block or a frame */
    RECORD_DAMAGED = 2 /* a block is not what was written */
};

struct record_reader {
    const uint8_t *memory; /* instead of a file */
    size_t memory_bytes, memory_at;
    FILE *file;
    uint32_t sequence;
    uint64_t offset; /* of the block that comes next */
    uint8_t *bytes;  /* payload that no frame was made of yet */
    size_t count, at, capacity;
    size_t frame_max;
    enum record_state state;
};

struct record_frame {
    uint32_t kind; /* enum record_kind, or one of a later release */
    const uint8_t *body;
    size_t bytes;
};

/* -errno: no such file; -ENOMSG: not a recording. */
int record_reader_open(struct record_reader *r, const char *path);
/* The same of bytes, borrowed. */
int record_reader_open_memory(struct record_reader *r, const void *bytes,
                              size_t count);
/* Accepts a zeroed one. */
void record_reader_close(struct record_reader *r);

/*
 * The next frame, whose body lives until the next call. 1, 0 at the end
 * (`state` says which end it was), or -ENOMEM.
 */
int record_reader_next(struct record_reader *r, struct record_frame *out);

#endif
