/*
 * broadcaster_@name@ - sends the nearest records whole, as plain numbers.
 *
 * A plain beginning: no baselines, no packing of bits. The bytes, all
 * little-endian:
 *
 *     2             count of records
 *     count times   each number of the record, in order of the schema, as a
 *                   4-byte count of steps from the field's minimum on
 */
#include <errno.h>
#include <hardpoint/broadcaster.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "the nearest records whole, as plain numbers"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

#define HEAD_BYTES   2
#define NUMBER_BYTES 4

/* One number of a record: a field has several of them in a vector. */
struct number {
    uint32_t type; /* HP_FIELD_* */
    uint32_t offset;
    double step;
    double minimum;
    uint32_t most; /* in steps */
};

struct hp_instance {
    const struct hp_host *host;
    struct number *numbers;
    uint32_t number_count;
    uint32_t record_bytes;
    uint32_t entities_max;
    uint8_t *chosen; /* by index in the view; entities_max */
    char *decoded;   /* records; entities_max */
};

/* ---- its life, all [main] ---- */

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    *out = self;
    return 0;
}

static uint32_t
bytes_of(uint32_t type)
{
    if (type == HP_FIELD_U8)
        return 1;
    if (type == HP_FIELD_U16 || type == HP_FIELD_I16)
        return 2;
    return type == HP_FIELD_F64 ? 8 : 4;
}

/* The numbers of one field, in rising order of offset. */
static int
add_field(struct hp_instance *self, const struct hp_field *field)
{
    int is_real = field->type == HP_FIELD_F32 || field->type == HP_FIELD_F64 ||
                  field->type == HP_FIELD_QUATERNION;
    uint32_t i, count = field->type == HP_FIELD_QUATERNION ? 4 : field->count;
    double step = is_real ? field->step : 1;
    double most = floor((field->maximum - field->minimum) / step + 0.5);
    struct number *n;

    if (!(step > 0) || !(most >= 0 && most <= UINT32_MAX))
        return -EINVAL;
    n = realloc(self->numbers,
                (self->number_count + count) * sizeof(*self->numbers));
    if (n == NULL)
        return -ENOMEM;
    self->numbers = n;
    for (i = 0; i < count; i++) {
        n = &self->numbers[self->number_count++];
        n->type = field->type;
        n->offset = field->offset + i * bytes_of(field->type);
        n->step = step;
        n->minimum = field->minimum;
        n->most = (uint32_t)most;
    }
    return 0;
}

static void
stop(struct hp_instance *self)
{
    free(self->numbers);
    free(self->chosen);
    free(self->decoded);
    self->numbers = NULL;
    self->number_count = 0;
    self->chosen = NULL;
    self->decoded = NULL;
}

/* All memory that the later calls use is allocated here. */
static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    const struct hp_schema *schema = limits->schema;
    const char *at = (const char *)schema->fields;
    uint32_t i;
    int err = 0;

    self->record_bytes = schema->record_bytes;
    self->entities_max = limits->entities_max;
    for (i = 0; err == 0 && i < schema->field_count; i++)
        err = add_field(self,
                        (const void *)(at + (size_t)i * schema->field_stride));
    self->chosen = calloc(self->entities_max, 1);
    self->decoded = calloc(self->entities_max, self->record_bytes);
    if (err == 0 && (self->chosen == NULL || self->decoded == NULL))
        err = -ENOMEM;
    if (err == 0)
        return 0;
    stop(self);
    return self->host->fail(self->host, err,
                            err == -EINVAL
                                ? "a field of the schema has too many steps"
                                : "no memory");
}

static void
destroy(struct hp_instance *self)
{
    free(self);
}

/* ---- numbers in records ---- */

static double
number_read(const struct number *n, const char *record)
{
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        int16_t i16;
        int32_t i32;
        float f32;
        double f64;
    } v;

    memcpy(&v, record + n->offset, bytes_of(n->type));
    switch (n->type) {
    case HP_FIELD_U8:
        return v.u8;
    case HP_FIELD_U16:
        return v.u16;
    case HP_FIELD_U32:
        return v.u32;
    case HP_FIELD_I16:
        return v.i16;
    case HP_FIELD_I32:
        return v.i32;
    case HP_FIELD_F64:
        return v.f64;
    default:
        return (double)v.f32;
    }
}

static void
number_write(const struct number *n, char *record, double value)
{
    uint32_t u32 = (uint32_t)(int64_t)value; /* little-endian: cut as needed */
    float f32 = (float)value;

    if (n->type == HP_FIELD_F64)
        memcpy(record + n->offset, &value, sizeof(value));
    else if (n->type == HP_FIELD_F32 || n->type == HP_FIELD_QUATERNION)
        memcpy(record + n->offset, &f32, sizeof(f32));
    else
        memcpy(record + n->offset, &u32, bytes_of(n->type));
}

/* In whole steps, kept within the range; a NaN is the minimum. */
static uint32_t
steps_of(const struct number *n, double value)
{
    double steps = floor((value - n->minimum) / n->step + 0.5);

    if (!(steps > 0))
        return 0;
    return steps < n->most ? (uint32_t)steps : n->most;
}

/* ---- server ---- */

/* [tick] Nothing is remembered of a client. */
static int
join(struct hp_instance *self, uint32_t client)
{
    (void)self;
    (void)client;
    return 0;
}

static void
leave(struct hp_instance *self, uint32_t client)
{
    (void)self;
    (void)client;
}

static void
acked(struct hp_instance *self, uint32_t client, uint64_t tick)
{
    (void)self;
    (void)client;
    (void)tick;
}

static const char *
record_at(const struct hp_view *view, uint32_t index)
{
    return (const char *)view->entities + (size_t)index * view->stride;
}

/* Squared, as only the order matters; the own record is before any other. */
static double
distance_m2(const struct hp_view *view, uint32_t index)
{
    struct hp_entity a, b;
    double sum = 0;
    int i;

    if (view->own == HP_INDEX_NONE || view->own == index)
        return view->own == index ? -1 : 0;
    memcpy(&a, record_at(view, view->own), sizeof(a));
    memcpy(&b, record_at(view, index), sizeof(b));
    for (i = 0; i < 3; i++)
        sum += (a.position_m[i] - b.position_m[i]) *
               (a.position_m[i] - b.position_m[i]);
    return sum;
}

/* Marks up to `room` of the first `count` records. Returns how many: one that
 * is nowhere (NaN) is not near. */
static uint32_t
choose(struct hp_instance *self, const struct hp_view *view, uint32_t count,
       uint32_t room)
{
    uint32_t i, chosen, nearest;
    double least, distance;

    memset(self->chosen, 0, count);
    for (chosen = 0; chosen < room; chosen++) {
        nearest = count;
        least = INFINITY;
        for (i = 0; i < count; i++) {
            distance = self->chosen[i] ? INFINITY : distance_m2(view, i);
            if (distance < least) {
                least = distance;
                nearest = i;
            }
        }
        if (nearest == count)
            break;
        self->chosen[nearest] = 1;
    }
    return chosen;
}

static uint8_t *
put(uint8_t *at, uint32_t value, uint32_t bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        *at++ = (uint8_t)value;
    return at;
}

/* [tick] */
static int
encode(struct hp_instance *self, uint32_t client, const struct hp_view *view,
       struct hp_byte_sink *sink)
{
    uint32_t room, i, j, count = view->count;
    uint8_t *at = sink->bytes;

    (void)client;
    sink->count = 0;
    if (count > self->entities_max)
        count = self->entities_max;
    if (sink->capacity < HEAD_BYTES)
        return -ENOSPC;
    room = (sink->capacity - HEAD_BYTES) / (NUMBER_BYTES * self->number_count);
    if (room == 0 && count > 0)
        return -ENOSPC;
    at = put(at, choose(self, view, count, room < count ? room : count), 2);
    for (i = 0; i < count; i++)
        for (j = 0; self->chosen[i] && j < self->number_count; j++)
            at = put(
                at,
                steps_of(&self->numbers[j],
                         number_read(&self->numbers[j], record_at(view, i))),
                NUMBER_BYTES);
    sink->count = (uint32_t)(at - sink->bytes);
    return 0;
}

/* ---- client ---- */

static uint32_t
get(const uint8_t *at, uint32_t bytes)
{
    uint32_t i, value = 0;

    for (i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << (8 * i);
    return value;
}

/* One record into `record`. -EBADMSG: a number out of its range. */
static int
get_record(const struct hp_instance *self, const uint8_t *at, char *record)
{
    const struct number *n;
    uint32_t i, steps;

    memset(record, 0, self->record_bytes);
    for (i = 0; i < self->number_count; i++, at += NUMBER_BYTES) {
        n = &self->numbers[i];
        steps = get(at, NUMBER_BYTES);
        if (steps > n->most)
            return -EBADMSG;
        number_write(n, record, n->minimum + steps * n->step);
    }
    return 0;
}

/* [tick] Untrusted bytes: the sink is touched only when all of them are good. */
static int
decode(struct hp_instance *self, uint64_t tick, const uint8_t *bytes,
       uint32_t count, struct hp_view_sink *sink)
{
    uint32_t i, records, record_wire = NUMBER_BYTES * self->number_count;
    struct hp_entity head;
    int32_t slot = -1;
    char *record;

    (void)tick;
    if (count < HEAD_BYTES)
        return -EBADMSG;
    records = get(bytes, HEAD_BYTES);
    if (records > self->entities_max || records > sink->capacity ||
        count - HEAD_BYTES != records * record_wire)
        return -EBADMSG;
    for (i = 0; i < records; i++) {
        record = self->decoded + (size_t)i * self->record_bytes;
        if (get_record(self, bytes + HEAD_BYTES + (size_t)i * record_wire,
                       record) < 0)
            return -EBADMSG;
        /* In order of slot, so that none is there twice. */
        memcpy(&head, record, sizeof(head));
        if (head.slot <= slot)
            return -EBADMSG;
        slot = head.slot;
    }
    for (i = 0; i < records; i++)
        memcpy((char *)sink->entities + (size_t)i * sink->stride,
               self->decoded + (size_t)i * self->record_bytes,
               self->record_bytes);
    sink->count = records;
    return 0;
}

static const struct hp_broadcaster_ops ops = {
    .size = sizeof(ops),
    .join = join,
    .leave = leave,
    .acked = acked,
    .encode = encode,
    .decode = decode,
};

/* ---- what the host reads first: a note in the file, then the table ---- */

HP_PLUGIN_NOTE(HP_KIND_BROADCASTER, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_BROADCASTER, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    create,
    start,
    stop,
    destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
