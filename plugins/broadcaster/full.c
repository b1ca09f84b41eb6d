/*
 * broadcaster_full - every visible record, whole, in one datagram: the plain
 * reference that cleverer coders are measured against. It keeps no memory of
 * what a client knows, so a lost snapshot costs nothing but itself.
 *
 * When not all records fit, the nearest to the viewer's own go in, its own
 * first. The bytes, lowest bit first:
 *
 *     16 bits       count of records
 *     count times   a record as record.h codes it, in rising order of slot
 *     0 to 7 bits   zeros
 */
#include "record.h"
#include <errno.h>
#include <hardpoint/broadcaster.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "full"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "every record whole, the nearest first, no deltas"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

#define COUNT_BITS 16

/* A record of the view and how far it is from the viewer's own. */
struct candidate {
    double distance_m2; /* squared: only the order matters */
    uint32_t index;
};

struct hp_instance {
    const struct hp_host *host;
    struct record_coder *coder;
    uint32_t record_bytes;
    uint32_t entities_max;
    uint32_t coded_bytes;      /* of one record */
    uint8_t *originals;        /* by index in the view: the record ... */
    uint8_t *coded;            /* ... that these bytes, from bit 0 on, are of */
    uint8_t *is_coded;         /* whether there is one */
    struct candidate *nearest; /* a heap, farthest on top; entities_max */
    uint8_t *chosen;           /* by index in the view; entities_max */
    uint8_t *decoded;          /* records; entities_max */
};

static int
full_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    *out = self;
    return 0;
}

static void
full_stop(struct hp_instance *self)
{
    record_coder_destroy(self->coder);
    free(self->nearest);
    free(self->chosen);
    free(self->decoded);
    free(self->originals);
    free(self->coded);
    free(self->is_coded);
    self->originals = NULL;
    self->coded = NULL;
    self->is_coded = NULL;
    self->coder = NULL;
    self->nearest = NULL;
    self->chosen = NULL;
    self->decoded = NULL;
}

static int
allocate(struct hp_instance *self)
{
    self->coded_bytes = (record_coder_bits(self->coder) + 7) / 8;
    self->nearest = calloc(self->entities_max, sizeof(*self->nearest));
    self->chosen = calloc(self->entities_max, 1);
    self->decoded = calloc(self->entities_max, self->record_bytes);
    self->originals = calloc(self->entities_max, self->record_bytes);
    self->coded = calloc(self->entities_max, self->coded_bytes + 1);
    self->is_coded = calloc(self->entities_max, 1);
    return self->nearest != NULL && self->chosen != NULL &&
                   self->decoded != NULL && self->originals != NULL &&
                   self->coded != NULL && self->is_coded != NULL
               ? 0
               : -ENOMEM;
}

static int
full_start(struct hp_instance *self, const struct hp_limits *limits)
{
    char why[300];
    int err;

    self->record_bytes = limits->schema->record_bytes;
    self->entities_max = limits->entities_max;
    if (self->entities_max > UINT16_MAX)
        self->entities_max = UINT16_MAX; /* what COUNT_BITS can say */
    if (self->record_bytes < sizeof(struct hp_entity))
        return self->host->fail(self->host, -EINVAL,
                                "the schema's records are shorter than the "
                                "head that all records share");
    err = record_coder_create(&self->coder, limits->schema, why, sizeof(why));
    if (err == -EINVAL)
        return self->host->fail(self->host, err, why);
    if (err < 0)
        return err;
    err = allocate(self);
    if (err < 0)
        full_stop(self);
    return err;
}

static void
full_destroy(struct hp_instance *self)
{
    free(self);
}

/* ---- server ---- */

/* [tick] Nothing is remembered of a client, so there is nothing to forget. */
static int
full_join(struct hp_instance *self, uint32_t client)
{
    (void)self;
    (void)client;
    return 0;
}

static void
full_leave(struct hp_instance *self, uint32_t client)
{
    (void)self;
    (void)client;
}

static void
full_acked(struct hp_instance *self, uint32_t client, uint64_t tick)
{
    (void)self;
    (void)client;
    (void)tick;
}

static const struct hp_entity *
entity_at(const struct hp_view *view, uint32_t index)
{
    const char *records = view->entities;

    return (const struct hp_entity *)(records + (size_t)index * view->stride);
}

static double
distance_m2(const struct hp_view *view, uint32_t index)
{
    const double *a, *b;
    double sum = 0;
    int i;

    if (view->own == HP_INDEX_NONE)
        return 0; /* nobody to be near to: the first slots go in */
    if (view->own == index)
        return -1; /* before any other */
    a = entity_at(view, view->own)->position_m;
    b = entity_at(view, index)->position_m;
    for (i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Equal distances go by index, so that a choice never depends on luck. */
static int
is_farther(const struct candidate *a, const struct candidate *b)
{
    if (a->distance_m2 > b->distance_m2)
        return 1;
    return !(a->distance_m2 < b->distance_m2) && a->index > b->index;
}

static void
heap_swap(struct candidate *heap, uint32_t i, uint32_t j)
{
    struct candidate kept = heap[i];

    heap[i] = heap[j];
    heap[j] = kept;
}

static void
heap_rise(struct candidate *heap, uint32_t i)
{
    for (; i > 0 && is_farther(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap_swap(heap, i, (i - 1) / 2);
}

static void
heap_sink(struct candidate *heap, uint32_t count, uint32_t i)
{
    uint32_t child;

    for (; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_farther(&heap[child + 1], &heap[child]))
            child++;
        if (!is_farther(&heap[child], &heap[i]))
            return;
        heap_swap(heap, i, child);
    }
}

/* Marks the `room` nearest of `count` records in `chosen`. */
static void
choose_nearest(struct hp_instance *self, const struct hp_view *view,
               uint32_t count, uint32_t room)
{
    struct candidate next;
    uint32_t i;

    for (i = 0; i < count; i++) {
        next.distance_m2 = distance_m2(view, i);
        next.index = i;
        if (i < room) {
            self->nearest[i] = next;
            heap_rise(self->nearest, i);
        } else if (is_farther(&self->nearest[0], &next)) {
            self->nearest[0] = next;
            heap_sink(self->nearest, room, 0);
        }
    }
    memset(self->chosen, 0, count);
    for (i = 0; i < room; i++)
        self->chosen[self->nearest[i].index] = 1;
}

/* All records have the same size, so the room is known before the first. */
static uint32_t
records_that_fit(const struct hp_instance *self, uint32_t capacity_bytes)
{
    uint64_t bits = 8 * (uint64_t)capacity_bytes;
    uint32_t record_bits = record_coder_bits(self->coder);

    if (bits < COUNT_BITS)
        return 0;
    if (record_bits == 0)
        return UINT16_MAX;
    bits = (bits - COUNT_BITS) / record_bits;
    return bits < UINT16_MAX ? (uint32_t)bits : UINT16_MAX;
}

/*
 * The bytes of record `i`. Every client is told the same of a record, so it is
 * coded when it has changed and not for each of them.
 */
static const uint8_t *
coded_record(struct hp_instance *self, const struct hp_view *view, uint32_t i)
{
    const struct hp_entity *record = entity_at(view, i);
    uint8_t *original = self->originals + (size_t)i * self->record_bytes;
    uint8_t *coded = self->coded + (size_t)i * self->coded_bytes;
    struct bits_out out;

    if (self->is_coded[i] && memcmp(original, record, self->record_bytes) == 0)
        return coded;
    memcpy(original, record, self->record_bytes);
    bits_out_init(&out, coded, self->coded_bytes);
    record_put(self->coder, &out, record);
    self->is_coded[i] = 1;
    return coded;
}

static void
put_record(struct hp_instance *self, struct bits_out *out,
           const struct hp_view *view, uint32_t i)
{
    const uint8_t *coded = coded_record(self, view, i);
    uint32_t left = record_coder_bits(self->coder);
    struct bits_in in;
    unsigned share;

    bits_in_init(&in, coded, self->coded_bytes);
    for (; left > 0; left -= share) {
        share = left < 56 ? left : 56;
        bits_put(out, bits_get(&in, share), share);
    }
}

/* [tick] */
static int
full_encode(struct hp_instance *self, uint32_t client,
            const struct hp_view *view, struct hp_byte_sink *sink)
{
    uint32_t room = records_that_fit(self, sink->capacity);
    uint32_t i, count = view->count;
    struct bits_out out;

    (void)client;
    sink->count = 0;
    if (count > self->entities_max)
        count = self->entities_max;
    if (room > count)
        room = count;
    if (room == 0 && count > 0)
        return -ENOSPC; /* not even the own record: nothing worth sending */
    choose_nearest(self, view, count, room);

    bits_out_init(&out, sink->bytes, sink->capacity);
    bits_put(&out, room, COUNT_BITS);
    for (i = 0; i < count; i++)
        if (self->chosen[i])
            put_record(self, &out, view, i);
    if (out.bad)
        return -ENOSPC;
    sink->count = (uint32_t)bits_out_bytes(&out);
    return 0;
}

/* ---- client ---- */

static uint8_t *
decoded_at(const struct hp_instance *self, uint32_t i)
{
    return self->decoded + (size_t)i * self->record_bytes;
}

/* Whether the slots rise, and so none is there twice. */
static int
slots_rise(const struct hp_instance *self, uint32_t count)
{
    struct hp_entity before, next;
    uint32_t i;

    for (i = 1; i < count; i++) {
        memcpy(&before, decoded_at(self, i - 1), sizeof(before));
        memcpy(&next, decoded_at(self, i), sizeof(next));
        if (before.slot >= next.slot)
            return 0;
    }
    return 1;
}

/* All records into memory of our own. Returns their count, or -EBADMSG. */
static int64_t
decode_records(struct hp_instance *self, const uint8_t *bytes, uint32_t count)
{
    struct bits_in in;
    uint32_t i, records;

    bits_in_init(&in, bytes, count);
    records = (uint32_t)bits_get(&in, COUNT_BITS);
    if (in.bad || records > self->entities_max)
        return -EBADMSG;
    for (i = 0; i < records; i++)
        if (record_get(self->coder, &in, decoded_at(self, i)) < 0)
            return -EBADMSG;
    if (!bits_at_end(&in) || !slots_rise(self, records))
        return -EBADMSG;
    return records;
}

/* [tick] Untrusted bytes: the sink is touched only when all of them are good. */
static int
full_decode(struct hp_instance *self, uint64_t tick, const uint8_t *bytes,
            uint32_t count, struct hp_view_sink *sink)
{
    int64_t records = decode_records(self, bytes, count);
    char *to = sink->entities;
    uint32_t i;

    (void)tick;
    if (records < 0 || records > sink->capacity ||
        sink->stride < self->record_bytes)
        return -EBADMSG;
    for (i = 0; i < records; i++)
        memcpy(to + (size_t)i * sink->stride, decoded_at(self, i),
               self->record_bytes);
    sink->count = (uint32_t)records;
    return 0;
}

static const struct hp_broadcaster_ops ops = {
    .size = sizeof(ops),
    .join = full_join,
    .leave = full_leave,
    .acked = full_acked,
    .encode = full_encode,
    .decode = full_decode,
};

HP_PLUGIN_NOTE(HP_KIND_BROADCASTER, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_BROADCASTER, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    full_create,
    full_start,
    full_stop,
    full_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
