/*
 * Fuzzes the reader of recordings. Bytes with the magic go in as a file, whose
 * blocks and frames are then found out; other bytes are frames already, as if
 * every checksum were right, so that a fuzzer gets at the entries.
 */
#include "record_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define hold(fact) \
    do { \
        if (!(fact)) { \
            fprintf(stderr, "%s:%d: not: %s\n", __FILE__, __LINE__, #fact); \
            abort(); \
        } \
    } while (0)

static uint64_t sum; /* so that nothing is left out as unused */

static void
read_all_of(const void *bytes, size_t count)
{
    uint32_t crc = record_digest(bytes, count);

    sum += crc;
}

static void
try_tick(struct record_codec *c, const uint8_t *body, size_t bytes)
{
    const struct record_header *h = c->header;
    struct record_tick t;
    uint32_t i;

    if (record_get_tick(c, body, bytes, &t) < 0)
        return;
    hold(t.count <= h->entities_max && t.input_count <= h->clients_max);
    for (i = 0; i < t.input_count; i++)
        hold(t.inputs[i].client < h->clients_max &&
             (i == 0 || t.inputs[i].client > t.inputs[i - 1].client));
    read_all_of(t.inputs, t.input_count * sizeof(*t.inputs));
    read_all_of(t.ids, t.count * sizeof(*t.ids));
    read_all_of(t.rows, t.count * sizeof(*t.rows));
    read_all_of(t.columns, h->field_count * sizeof(*t.columns));
    read_all_of(t.owns, t.input_count * sizeof(*t.owns));
    if (t.view != NULL)
        read_all_of(t.view, (size_t)t.count * h->record_bytes);
    if (t.states != NULL)
        read_all_of(t.states, (size_t)t.input_count * h->own_bytes);
}

static void
try_entry(struct record_codec *c, uint32_t kind, const uint8_t *body,
          size_t bytes)
{
    struct record_join join;
    uint32_t client, why;
    uint64_t lost;

    switch (kind) {
    case RECORD_JOIN:
        if (record_get_join(c, body, bytes, &join) == 0) {
            hold(join.client < c->header->clients_max);
            read_all_of(join.options, strlen(join.options));
        }
        break;
    case RECORD_LEAVE:
        if (record_get_leave(c, body, bytes, &client) == 0)
            hold(client < c->header->clients_max);
        break;
    case RECORD_TICK:
        try_tick(c, body, bytes);
        break;
    case RECORD_END:
        record_get_end(body, bytes, &why, &lost);
        break;
    default:
        break;
    }
}

/* What is decoded is written again as the same bytes. */
static void
hold_header(const struct record_header *h, const uint8_t *body, size_t bytes)
{
    uint8_t *again = malloc(bytes + 1);
    struct bytes_out out;

    hold(again != NULL);
    bytes_out_init(&out, again, bytes);
    record_put_header(&out, h);
    hold(!out.bad && out.count == bytes && memcmp(again, body, bytes) == 0);
    free(again);
}

static int
begin(struct record_codec *c, struct record_header *h, const uint8_t *body,
      size_t bytes)
{
    if (record_get_header(body, bytes, h) < 0)
        return -1;
    hold_header(h, body, bytes);
    return record_codec_init(c, h);
}

static void
try_file(const uint8_t *bytes, size_t count)
{
    struct record_header h = {0};
    struct record_codec c = {0};
    struct record_reader reader;
    struct record_frame f;

    if (record_reader_open_memory(&reader, bytes, count) == 0 &&
        record_reader_next(&reader, &f) > 0 && f.kind == RECORD_HEADER &&
        begin(&c, &h, f.body, f.bytes) == 0)
        while (record_reader_next(&reader, &f) > 0)
            try_entry(&c, f.kind, f.body, f.bytes);
    record_codec_finish(&c);
    record_header_finish(&h);
    record_reader_close(&reader);
}

static void
try_frames(const uint8_t *bytes, size_t count)
{
    struct record_header h = {0};
    struct record_codec c = {0};
    struct bytes_in in;
    const uint8_t *body;
    uint32_t kind;
    size_t length;
    int begun = 0;

    bytes_in_init(&in, bytes, count);
    while (bytes_left(&in) > 0) {
        kind = bytes_get_u8(&in);
        length = (size_t)bytes_get_varint(&in);
        if (in.bad || length > bytes_left(&in))
            break;
        body = bytes_get(&in, length);
        if (!begun) {
            if (begin(&c, &h, body, length) < 0)
                break;
            begun = 1;
        } else {
            try_entry(&c, kind, body, length);
        }
    }
    record_codec_finish(&c);
    record_header_finish(&h);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count >= RECORD_MAGIC_BYTES &&
        memcmp(bytes, RECORD_MAGIC, RECORD_MAGIC_BYTES) == 0)
        try_file(bytes, count);
    else
        try_frames(bytes, count);
    return 0;
}
