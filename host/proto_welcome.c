/*
 * Welcome: everything that a client must take from the server before it can
 * model the same world.
 *
 *     0x12  client u32  rate_num u32  rate_den u32  snapshot_every varint
 *     clients_max varint  entities_max varint  tick varint  flags u8
 *     schema: name text  version u32  record_bytes varint  own_bytes varint
 *             fields varint
 *       a field: name text  unit text  type u8  offset varint  count varint
 *                flags varint  step real  minimum real  maximum real
 *     plugins u8
 *       a plugin: kind u16  name text  version text
 *     shared u8
 *       a parameter: section text  key text  value text  file_hash u64
 *
 * real: mantissa zigzag, exponent zigzag; the number is mantissa * 2^exponent,
 * mantissa odd, or 0 0. Every finite double is exactly that, and neither NaN
 * nor infinity can be said.
 */
#include "proto_bytes.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define MANTISSA_BITS 53
#define EXPONENT_MIN  (-1074) /* of the smallest subnormal */
#define EXPONENT_MAX  1023
#define RATE_MAX_HZ   1000
#define NAME_CAPACITY 256   /* a text's length has one byte */
#define SLOTS_MAX     65536 /* hp_entity.slot has 16 bits */

static void
put_real(struct bytes_out *out, double value)
{
    int64_t mantissa;
    int exponent = 0;

    if (!isfinite(value)) {
        out->bad = 1;
        return;
    }
    mantissa = (int64_t)ldexp(frexp(value, &exponent), MANTISSA_BITS);
    exponent = mantissa == 0 ? 0 : exponent - MANTISSA_BITS;
    while (mantissa != 0 && mantissa % 2 == 0) {
        mantissa /= 2;
        exponent++;
    }
    bytes_put_zigzag(out, mantissa);
    bytes_put_zigzag(out, exponent);
}

static double
get_real(struct bytes_in *in)
{
    int64_t mantissa = bytes_get_zigzag(in);
    int64_t exponent = bytes_get_zigzag(in);
    double value = 0;

    if (mantissa == 0 && exponent == 0)
        return 0;
    if (mantissa % 2 == 0 || mantissa >= INT64_C(1) << MANTISSA_BITS ||
        mantissa <= -(INT64_C(1) << MANTISSA_BITS) || exponent < EXPONENT_MIN ||
        exponent > EXPONENT_MAX)
        in->bad = 1;
    else
        value = ldexp((double)mantissa, (int)exponent);
    if (!isfinite(value)) {
        in->bad = 1;
        value = 0;
    }
    return value;
}

static void
put_field(struct bytes_out *out, const struct hp_field *field)
{
    proto_put_line(out, field->name, NAME_CAPACITY);
    proto_put_line(out, field->unit, NAME_CAPACITY);
    bytes_put_u8(out, (uint8_t)field->type);
    bytes_put_varint(out, field->offset);
    bytes_put_varint(out, field->count);
    bytes_put_varint(out, field->flags);
    put_real(out, field->step);
    put_real(out, field->minimum);
    put_real(out, field->maximum);
}

static void
put_schema(struct bytes_out *out, const struct hp_schema *schema)
{
    const uint8_t *at = (const uint8_t *)schema->fields;
    uint32_t i;

    proto_put_line(out, schema->name, NAME_CAPACITY);
    bytes_put_u32(out, schema->version);
    bytes_put_varint(out, schema->record_bytes);
    bytes_put_varint(out, schema->own_bytes);
    if (schema->field_count > PROTO_FIELDS_MAX) {
        out->bad = 1;
        return;
    }
    bytes_put_varint(out, schema->field_count);
    for (i = 0; i < schema->field_count; i++, at += schema->field_stride)
        put_field(out, (const struct hp_field *)at);
}

static void
put_plugins(struct bytes_out *out, const struct proto_welcome *m)
{
    uint32_t i;

    if (m->plugin_count > PROTO_PLUGINS_MAX) {
        out->bad = 1;
        return;
    }
    bytes_put_u8(out, (uint8_t)m->plugin_count);
    for (i = 0; i < m->plugin_count; i++) {
        bytes_put_u16(out, m->plugins[i].kind);
        proto_put_line(out, m->plugins[i].name, sizeof(m->plugins[i].name));
        proto_put_line(out, m->plugins[i].version,
                       sizeof(m->plugins[i].version));
    }
}

/* A value may hold line breaks, so it travels as it is. */
static void
put_value(struct bytes_out *out, const char *value, size_t capacity)
{
    if (strnlen(value, capacity) == capacity)
        out->bad = 1;
    else
        bytes_put_text(out, value);
}

static void
put_shared(struct bytes_out *out, const struct proto_welcome *m)
{
    const struct proto_shared *shared;
    uint32_t i;

    if (m->shared_count > PROTO_SHARED_MAX) {
        out->bad = 1;
        return;
    }
    bytes_put_u8(out, (uint8_t)m->shared_count);
    for (i = 0; i < m->shared_count; i++) {
        shared = &m->shared[i];
        proto_put_line(out, shared->section, sizeof(shared->section));
        proto_put_line(out, shared->key, sizeof(shared->key));
        put_value(out, shared->value, sizeof(shared->value));
        bytes_put_u64(out, shared->file_hash);
    }
}

int
proto_put_welcome(void *bytes, size_t capacity, const struct proto_welcome *m)
{
    struct bytes_out out;

    proto_put_head(&out, bytes, capacity, PROTO_WELCOME);
    bytes_put_u32(&out, m->client);
    bytes_put_u32(&out, m->rate_num);
    bytes_put_u32(&out, m->rate_den);
    bytes_put_varint(&out, m->snapshot_every);
    bytes_put_varint(&out, m->clients_max);
    bytes_put_varint(&out, m->entities_max);
    bytes_put_varint(&out, m->tick);
    bytes_put_u8(&out, m->flags);
    put_schema(&out, &m->schema);
    put_plugins(&out, m);
    put_shared(&out, m);
    if (out.count > UINT16_MAX)
        out.bad = 1;
    return proto_put_end(&out);
}

/* A text of the schema goes behind the ones before it in `names`. */
static const char *
get_name(struct bytes_in *in, struct proto_welcome *m, size_t *used)
{
    char *text = m->names + *used;
    size_t space = sizeof(m->names) - *used;

    if (space == 0) {
        in->bad = 1;
        return "";
    }
    proto_get_line(in, text, space);
    *used += strlen(text) + 1;
    return text;
}

static uint32_t
type_bytes(uint32_t type)
{
    static const uint8_t bytes[] = {
        [HP_FIELD_U8] = 1,  [HP_FIELD_U16] = 2,         [HP_FIELD_U32] = 4,
        [HP_FIELD_I16] = 2, [HP_FIELD_I32] = 4,         [HP_FIELD_F32] = 4,
        [HP_FIELD_F64] = 8, [HP_FIELD_QUATERNION] = 16,
    };

    return type < sizeof(bytes) ? bytes[type] : 0;
}

/* What a broadcaster may count on: the field lies within the record, and the
 * division by its step is one. */
static int
field_is_sound(const struct hp_field *field, uint32_t record_bytes)
{
    uint32_t size = type_bytes(field->type);
    uint32_t align = size == 16 ? 4 : size;
    int real = field->type == HP_FIELD_F32 || field->type == HP_FIELD_F64;

    return size != 0 && field->offset % align == 0 &&
           field->offset + size * field->count <= record_bytes &&
           field->minimum <= field->maximum && field->step >= 0 &&
           (!real || field->step > 0);
}

static void
get_field(struct bytes_in *in, struct proto_welcome *m, struct hp_field *field,
          size_t *used)
{
    field->name = get_name(in, m, used);
    field->unit = get_name(in, m, used);
    field->type = bytes_get_u8(in);
    field->offset = proto_get_varint(in, 0, HP_RECORD_BYTES_MAX);
    field->count = proto_get_varint(in, 1, HP_RECORD_BYTES_MAX);
    field->flags = proto_get_varint(in, 0, UINT32_MAX);
    field->step = get_real(in);
    field->minimum = get_real(in);
    field->maximum = get_real(in);
    if (!in->bad && !field_is_sound(field, m->schema.record_bytes))
        in->bad = 1;
}

static void
get_schema(struct bytes_in *in, struct proto_welcome *m)
{
    struct hp_schema *schema = &m->schema;
    size_t used = 0;
    uint32_t i;

    schema->size = sizeof(*schema);
    schema->name = get_name(in, m, &used);
    schema->version = bytes_get_u32(in);
    schema->record_bytes =
        proto_get_varint(in, sizeof(struct hp_entity), HP_RECORD_BYTES_MAX);
    if (schema->record_bytes % 8 != 0)
        in->bad = 1;
    schema->own_bytes = proto_get_varint(in, 0, HP_OWN_BYTES_MAX);
    schema->field_count = proto_get_varint(in, 0, PROTO_FIELDS_MAX);
    schema->field_stride = sizeof(struct hp_field);
    schema->fields = m->fields;
    for (i = 0; i < schema->field_count; i++)
        get_field(in, m, &m->fields[i], &used);
}

static void
get_plugins(struct bytes_in *in, struct proto_welcome *m)
{
    uint32_t i;

    m->plugin_count =
        (uint32_t)proto_within(in, bytes_get_u8(in), 0, PROTO_PLUGINS_MAX);
    for (i = 0; i < m->plugin_count; i++) {
        m->plugins[i].kind = bytes_get_u16(in);
        proto_get_line(in, m->plugins[i].name, sizeof(m->plugins[i].name));
        proto_get_line(in, m->plugins[i].version,
                       sizeof(m->plugins[i].version));
    }
}

static void
get_shared(struct bytes_in *in, struct proto_welcome *m)
{
    struct proto_shared *shared;
    uint32_t i;

    m->shared_count =
        (uint32_t)proto_within(in, bytes_get_u8(in), 0, PROTO_SHARED_MAX);
    for (i = 0; i < m->shared_count; i++) {
        shared = &m->shared[i];
        proto_get_line(in, shared->section, sizeof(shared->section));
        proto_get_line(in, shared->key, sizeof(shared->key));
        bytes_get_text(in, shared->value, sizeof(shared->value));
        shared->file_hash = bytes_get_u64(in);
    }
}

static int
rate_is_sound(uint32_t num, uint32_t den)
{
    return den != 0 && num >= den && num <= (uint64_t)RATE_MAX_HZ * den;
}

int
proto_get_welcome(const void *bytes, size_t count, struct proto_welcome *out)
{
    struct bytes_in in;

    memset(out, 0, sizeof(*out));
    proto_get_head(&in, bytes, count, PROTO_WELCOME);
    out->client = bytes_get_u32(&in);
    out->rate_num = bytes_get_u32(&in);
    out->rate_den = bytes_get_u32(&in);
    out->snapshot_every = proto_get_varint(&in, 1, RATE_MAX_HZ);
    out->clients_max = proto_get_varint(&in, 1, SLOTS_MAX);
    out->entities_max = proto_get_varint(&in, 1, SLOTS_MAX);
    out->tick = bytes_get_varint(&in);
    out->flags = bytes_get_u8(&in);
    if (out->client >= out->clients_max ||
        !rate_is_sound(out->rate_num, out->rate_den))
        in.bad = 1;
    get_schema(&in, out);
    get_plugins(&in, out);
    get_shared(&in, out);
    return proto_get_end(&in, out, sizeof(*out));
}
