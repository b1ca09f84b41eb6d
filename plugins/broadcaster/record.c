#include "record.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this a double no longer counts in ones. */
#define CODES_MAX (1ull << 52)

/* For a quaternion whose field names no step: 0.03 degrees. */
#define QUATERNION_STEP (1.0 / 4096)
/* Coarser, and what is rounded may be longer than any rotation. */
#define QUATERNION_STEP_MAX (1.0 / 8)

/* One value of a record: a field, or one element of it. */
struct column {
    uint32_t type;   /* HP_FIELD_* */
    uint32_t offset; /* of the value in the record */
    unsigned bits;
    uint64_t codes; /* the largest code; a quaternion's part: half of it */
    double step;    /* of a real value */
    double minimum;
    double maximum;
};

struct record_coder {
    uint32_t record_bytes;
    uint32_t bits;
    uint32_t column_count;
    struct column columns[];
};

/* What each HP_FIELD_* type can hold. */
static const struct {
    uint32_t bytes;
    int real;
    double minimum;
    double maximum;
} types[] = {
    [HP_FIELD_U8] = {1,  0, 0,         UINT8_MAX },
    [HP_FIELD_U16] = {2,  0, 0,         UINT16_MAX},
    [HP_FIELD_U32] = {4,  0, 0,         UINT32_MAX},
    [HP_FIELD_I16] = {2,  0, INT16_MIN, INT16_MAX },
    [HP_FIELD_I32] = {4,  0, INT32_MIN, INT32_MAX },
    [HP_FIELD_F32] = {4,  1, -3.4e38,   3.4e38    },
    [HP_FIELD_F64] = {8,  1, -1.7e308,  1.7e308   },
    [HP_FIELD_QUATERNION] = {16, 1, -1,        1         },
};

#define TYPES (sizeof(types) / sizeof(types[0]))

/* ---- from the schema to columns ---- */

static const struct hp_field *
field_at(const struct hp_schema *schema, uint32_t i)
{
    const char *fields = (const char *)schema->fields;

    return (const struct hp_field *)(fields + (size_t)i * schema->field_stride);
}

/* What its codes must span. A quaternion's own range says nothing: the three
 * parts that are sent lie within the root of a half. */
static double
span_of_field(const struct hp_field *f)
{
    return f->type == HP_FIELD_QUATERNION ? 2 * sqrt(0.5)
                                          : f->maximum - f->minimum;
}

/* What is wrong with a field, or NULL. */
static const char *
fault_of_field(const struct hp_field *f, uint32_t record_bytes)
{
    if (f->type == 0 || f->type >= TYPES)
        return "has an unknown type";
    if (f->count == 0 || f->count > record_bytes || f->offset > record_bytes ||
        (uint64_t)f->count * types[f->type].bytes > record_bytes - f->offset)
        return "lies outside of the record";
    if (!(f->minimum >= types[f->type].minimum &&
          f->maximum <= types[f->type].maximum && f->minimum <= f->maximum))
        return "has a range that its type cannot hold";
    if (!types[f->type].real)
        return floor(f->minimum) < f->minimum || floor(f->maximum) < f->maximum
                   ? "is an integer with a broken range"
                   : NULL;
    if (f->type == HP_FIELD_QUATERNION && !(f->step < 0 || f->step > 0))
        return NULL;
    if (!(f->step > 0 && span_of_field(f) / f->step < CODES_MAX))
        return "has a step that is not positive or too fine for its range";
    if (f->type == HP_FIELD_QUATERNION && f->step > QUATERNION_STEP_MAX)
        return "has a step over 1/8, too coarse for a rotation";
    return NULL;
}

static double
step_of(const struct column *c)
{
    return types[c->type].real ? c->step : 1;
}

static void
column_of_field(struct column *c, const struct hp_field *f, uint32_t element)
{
    c->type = f->type;
    c->offset = f->offset + element * types[f->type].bytes;
    c->step = f->step;
    c->minimum = f->minimum;
    c->maximum = f->maximum;
    if (f->type == HP_FIELD_QUATERNION) {
        /* The three smaller parts lie within the root of a half. */
        if (!(c->step > 0))
            c->step = QUATERNION_STEP;
        c->codes = (uint64_t)ceil(sqrt(0.5) / c->step);
        c->bits = 2 + 3 * bits_needed(2 * c->codes);
        return;
    }
    c->codes = (uint64_t)((f->maximum - f->minimum) / step_of(c) + 0.5);
    c->bits = bits_needed(c->codes);
}

static int
check_schema(const struct hp_schema *schema, uint32_t *columns, char *why,
             size_t why_bytes)
{
    const struct hp_field *f;
    const char *fault;
    uint32_t i;

    *columns = 0;
    for (i = 0; i < schema->field_count; i++) {
        f = field_at(schema, i);
        fault = fault_of_field(f, schema->record_bytes);
        if (fault != NULL) {
            snprintf(why, why_bytes,
                     "schema %s: field %s %s (type %u, %g .. %g, step %g)",
                     schema->name, f->name, fault, f->type, f->minimum,
                     f->maximum, f->step);
            return -EINVAL;
        }
        *columns += f->count;
    }
    return 0;
}

int
record_coder_create(struct record_coder **out, const struct hp_schema *schema,
                    char *why, size_t why_bytes)
{
    struct record_coder *coder;
    uint32_t i, element, columns;
    int err = check_schema(schema, &columns, why, why_bytes);

    if (err < 0)
        return err;
    coder = calloc(1, sizeof(*coder) + columns * sizeof(coder->columns[0]));
    if (coder == NULL)
        return -ENOMEM;
    coder->record_bytes = schema->record_bytes;
    for (i = 0; i < schema->field_count; i++) {
        const struct hp_field *f = field_at(schema, i);

        for (element = 0; element < f->count; element++) {
            struct column *c = &coder->columns[coder->column_count++];

            column_of_field(c, f, element);
            coder->bits += c->bits;
        }
    }
    *out = coder;
    return 0;
}

void
record_coder_destroy(struct record_coder *coder)
{
    free(coder);
}

uint32_t
record_coder_bits(const struct record_coder *coder)
{
    return coder->bits;
}

/* ---- one number ---- */

/* memcpy, since a record from the host need not be aligned for its fields. */
static double
number_read(const struct column *c, const uint8_t *record)
{
    const uint8_t *at = record + c->offset;
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        int16_t i16;
        int32_t i32;
        float f32;
        double f64;
    } v;

    memcpy(&v, at, types[c->type].bytes);
    switch (c->type) {
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
    case HP_FIELD_F32:
        return (double)v.f32;
    default:
        return v.f64;
    }
}

static void
number_write(const struct column *c, uint8_t *record, double number)
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

    switch (c->type) {
    case HP_FIELD_U8:
        v.u8 = (uint8_t)number;
        break;
    case HP_FIELD_U16:
        v.u16 = (uint16_t)number;
        break;
    case HP_FIELD_U32:
        v.u32 = (uint32_t)number;
        break;
    case HP_FIELD_I16:
        v.i16 = (int16_t)number;
        break;
    case HP_FIELD_I32:
        v.i32 = (int32_t)number;
        break;
    case HP_FIELD_F32:
        v.f32 = (float)number;
        break;
    default:
        v.f64 = number;
    }
    memcpy(record + c->offset, &v, types[c->type].bytes);
}

/* The nearest code; the comparison also sends NaN to the lower end. */
static uint64_t
code_of_number(const struct column *c, double number)
{
    double code = (number - c->minimum) / step_of(c) + 0.5;

    if (!(code > 0))
        return 0;
    return code < (double)c->codes ? (uint64_t)code : c->codes;
}

/* The nearest code to the end of the range may lie past it. */
static double
number_of_code(const struct column *c, uint64_t code)
{
    double number = c->minimum + (double)code * step_of(c);

    return number < c->maximum ? number : c->maximum;
}

/* ---- one quaternion: 2 bits say which part is largest, the rest follow ---- */

/* Of unit length, whatever came in: a sim's fault must not become a rotation
 * that no reader accepts. */
static void
quaternion_read(const struct column *c, const uint8_t *record, double *q)
{
    float parts[4];
    double length = 0;
    int i;

    memcpy(parts, record + c->offset, sizeof(parts));
    for (i = 0; i < 4; i++) {
        q[i] = (double)parts[i];
        length += q[i] * q[i];
    }
    length = sqrt(length);
    if (!(length > 1e-6 && length < 1e6)) {
        q[0] = 1;
        q[1] = q[2] = q[3] = 0;
        return;
    }
    for (i = 0; i < 4; i++)
        q[i] /= length;
}

static int
largest_of(const double *q)
{
    int i, largest = 0;

    for (i = 1; i < 4; i++)
        if (fabs(q[i]) > fabs(q[largest]))
            largest = i;
    return largest;
}

static void
quaternion_put(const struct column *c, struct bits_out *out,
               const uint8_t *record)
{
    unsigned bits = bits_needed(2 * c->codes);
    double q[4], sign, code;
    int i, largest;

    quaternion_read(c, record, q);
    largest = largest_of(q);
    /* q and -q turn alike: take the one whose largest part is positive. */
    sign = q[largest] < 0 ? -1 : 1;
    bits_put(out, (uint64_t)largest, 2);
    for (i = 0; i < 4; i++) {
        if (i == largest)
            continue;
        code = floor(sign * q[i] / c->step + 0.5) + (double)c->codes;
        bits_put(out, (uint64_t)code, bits);
    }
}

static int
quaternion_get(const struct column *c, struct bits_in *in, uint8_t *record)
{
    unsigned bits = bits_needed(2 * c->codes);
    int i, largest = (int)bits_get(in, 2);
    double rest = 1, part, most = 0;
    float parts[4];
    uint64_t code;

    for (i = 0; i < 4; i++) {
        if (i == largest)
            continue;
        code = bits_get(in, bits);
        if (code > 2 * c->codes)
            return -EBADMSG;
        part = ((double)code - (double)c->codes) * c->step;
        parts[i] = (float)part;
        rest -= part * part;
        most = fmax(most, fabs(part));
    }
    /* Rounding may make the largest part seem the smaller one: at four equal
     * parts by two steps, and a little more as the root is curved. */
    if (!(rest > 0 && sqrt(rest) > most - 3 * c->step))
        return -EBADMSG;
    parts[largest] = (float)sqrt(rest);
    memcpy(record + c->offset, parts, sizeof(parts));
    return 0;
}

/* ---- one record ---- */

void
record_put(const struct record_coder *coder, struct bits_out *out,
           const void *record)
{
    const struct column *c;
    uint32_t i;

    for (i = 0; i < coder->column_count; i++) {
        c = &coder->columns[i];
        if (c->type == HP_FIELD_QUATERNION)
            quaternion_put(c, out, record);
        else
            bits_put(out, code_of_number(c, number_read(c, record)), c->bits);
    }
}

static int
number_get(const struct column *c, struct bits_in *in, uint8_t *record)
{
    uint64_t code = bits_get(in, c->bits);

    if (code > c->codes)
        return -EBADMSG;
    number_write(c, record, number_of_code(c, code));
    return 0;
}

int
record_get(const struct record_coder *coder, struct bits_in *in, void *record)
{
    const struct column *c;
    uint32_t i;
    int err;

    memset(record, 0, coder->record_bytes);
    for (i = 0; i < coder->column_count; i++) {
        c = &coder->columns[i];
        err = c->type == HP_FIELD_QUATERNION ? quaternion_get(c, in, record)
                                             : number_get(c, in, record);
        if (err < 0)
            return err;
    }
    return in->bad ? -EBADMSG : 0;
}
