#include "replay_compare.h"
#include <string.h>

static uint32_t
id_of(const struct replay_moment *is, uint32_t i)
{
    struct hp_entity e;

    memcpy(&e, is->view + (size_t)i * is->header->record_bytes, sizeof(e));
    return HP_ENTITY_ID(e.slot, e.generation);
}

static uint32_t
owner_of(const struct replay_moment *is, uint32_t i)
{
    struct hp_entity e;

    memcpy(&e, is->view + (size_t)i * is->header->record_bytes, sizeof(e));
    return e.owner;
}

static int
same_ids(const struct record_tick *was, const struct replay_moment *is)
{
    uint32_t i;

    if (was->count != is->count)
        return 0;
    for (i = 0; i < was->count; i++)
        if (was->ids[i] != id_of(is, i))
            return 0;
    return 1;
}

static int
same_words(const uint16_t *a, const uint16_t *b, uint32_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof(*a)) == 0;
}

int
replay_same(const struct record_tick *was, const struct replay_moment *is)
{
    return was->hash == is->hash && was->event_count == is->event_count &&
           was->event_digest == is->event_digest && same_ids(was, is) &&
           same_words(was->rows, is->rows, was->count) &&
           same_words(was->columns, is->columns, is->header->field_count) &&
           same_words(was->owns, is->owns, was->input_count);
}

/* ---- values ---- */

static uint32_t
elements(const struct record_field *f)
{
    return f->type == HP_FIELD_QUATERNION ? 4 * f->count : f->count;
}

static uint32_t
element_bytes(const struct record_field *f)
{
    return f->type == HP_FIELD_QUATERNION ? 4 : record_field_bytes(f->type);
}

void
replay_value(const struct record_field *f, uint32_t element,
             const uint8_t *record, char *out, size_t bytes)
{
    const uint8_t *at = record + f->offset + (size_t)element * element_bytes(f);
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        int16_t i16;
        int32_t i32;
        float f32;
        double f64;
    } v;

    memcpy(&v, at, element_bytes(f));
    switch (f->type) {
    case HP_FIELD_U8:
        snprintf(out, bytes, "%u", v.u8);
        break;
    case HP_FIELD_U16:
        snprintf(out, bytes, "%u", v.u16);
        break;
    case HP_FIELD_U32:
        snprintf(out, bytes, "%u", v.u32);
        break;
    case HP_FIELD_I16:
        snprintf(out, bytes, "%d", v.i16);
        break;
    case HP_FIELD_I32:
        snprintf(out, bytes, "%d", v.i32);
        break;
    case HP_FIELD_F64:
        snprintf(out, bytes, "%.17g", v.f64);
        break;
    default:
        snprintf(out, bytes, "%.9g", (double)v.f32);
        break;
    }
}

/* The first element of a field that differs, or the number of them. */
static uint32_t
first_element(const struct record_field *f, const uint8_t *a, const uint8_t *b)
{
    uint32_t e, count = elements(f), bytes = element_bytes(f);

    for (e = 0; e < count; e++)
        if (memcmp(a + f->offset + (size_t)e * bytes,
                   b + f->offset + (size_t)e * bytes, bytes) != 0)
            break;
    return e;
}

static void
set_values(const struct record_field *f, uint32_t element, const uint8_t *was,
           const uint8_t *is, uint64_t tick, struct replay_difference *out)
{
    out->element = element;
    out->value_tick = tick;
    replay_value(f, element, was, out->recorded, sizeof(out->recorded));
    replay_value(f, element, is, out->replayed, sizeof(out->replayed));
}

/* ---- naming ---- */

/* The first entity that only one of them has. */
static void
name_entity(const struct record_tick *was, const struct replay_moment *is,
            struct replay_difference *out)
{
    uint32_t i = 0;

    while (i < was->count && i < is->count && was->ids[i] == id_of(is, i))
        i++;
    out->what = REPLAY_ENTITY;
    out->is_missing =
        i == is->count ||
        (i < was->count && (was->ids[i] & 0xffff) < (id_of(is, i) & 0xffff));
    out->entity = out->is_missing ? was->ids[i] : id_of(is, i);
    if (!out->is_missing)
        out->client = owner_of(is, i);
}

/* Of the entity's record, where the file has it. */
static void
name_fields_exactly(const struct record_tick *was,
                    const struct replay_moment *is, uint32_t i,
                    struct replay_difference *out)
{
    const struct record_header *h = is->header;
    const uint8_t *a = was->view + (size_t)i * h->record_bytes;
    const uint8_t *b = is->view + (size_t)i * h->record_bytes;
    uint32_t k, e;

    for (k = 0; k < h->field_count; k++) {
        e = first_element(&h->fields[k], a, b);
        if (e == elements(&h->fields[k]))
            continue;
        if (out->field_count == 0)
            set_values(&h->fields[k], e, a, b, was->tick, out);
        if (out->field_count < REPLAY_FIELDS_MAX)
            out->fields[out->field_count++] = &h->fields[k];
    }
}

/* Those that differ in any entity: all that digests know. */
static void
name_fields_by_digest(const struct record_tick *was,
                      const struct replay_moment *is,
                      struct replay_difference *out)
{
    const struct record_header *h = is->header;
    uint32_t k;

    for (k = 0; k < h->field_count; k++)
        if (was->columns[k] != is->columns[k] &&
            out->field_count < REPLAY_FIELDS_MAX)
            out->fields[out->field_count++] = &h->fields[k];
}

static void
name_record(const struct record_tick *was, const struct replay_moment *is,
            uint32_t first, struct replay_difference *out)
{
    uint32_t i;

    for (i = first; i < was->count; i++)
        out->entities += was->rows[i] != is->rows[i];
    out->entity = was->ids[first];
    out->client = owner_of(is, first);
    if (was->view != NULL)
        name_fields_exactly(was, is, first, out);
    else
        name_fields_by_digest(was, is, out);
    out->what = out->field_count > 0 ? REPLAY_FIELD : REPLAY_RECORD;
}

static void
find_offset(const struct record_tick *was, const struct replay_moment *is,
            uint32_t input, struct replay_difference *out)
{
    uint32_t bytes = is->header->own_bytes, k;
    const uint8_t *a = was->states + (size_t)input * bytes;
    const uint8_t *b = is->states + (size_t)input * bytes;

    for (k = 0; k < bytes && a[k] == b[k]; k++)
        ;
    if (k == bytes)
        return;
    out->offset = k;
    out->value_tick = was->tick;
    k &= ~7u;
    for (bytes = bytes - k < 8 ? bytes - k : 8; bytes > 0; bytes--, k++) {
        snprintf(out->recorded + strlen(out->recorded), 3, "%02x", a[k]);
        snprintf(out->replayed + strlen(out->replayed), 3, "%02x", b[k]);
    }
}

static void
name_own(const struct record_tick *was, const struct replay_moment *is,
         uint32_t first, struct replay_difference *out)
{
    uint32_t i;

    out->what = REPLAY_OWN;
    out->client = was->inputs[first].client;
    for (i = first; i < was->input_count; i++)
        out->entities += was->owns[i] != is->owns[i];
    for (i = 0; i < is->count; i++)
        if (owner_of(is, i) == out->client)
            out->entity = id_of(is, i);
    if (was->states != NULL)
        find_offset(was, is, first, out);
}

void
replay_name(const struct record_tick *was, const struct replay_moment *is,
            struct replay_difference *out)
{
    uint32_t i;

    memset(out, 0, sizeof(*out));
    out->tick = was->tick;
    out->hash_tick = was->tick;
    out->entity = HP_ENTITY_NONE;
    out->client = HP_CLIENT_NONE;
    if (!same_ids(was, is)) {
        name_entity(was, is, out);
        return;
    }
    for (i = 0; i < was->count; i++)
        if (was->rows[i] != is->rows[i]) {
            name_record(was, is, i, out);
            return;
        }
    for (i = 0; i < was->input_count; i++)
        if (was->owns[i] != is->owns[i]) {
            name_own(was, is, i, out);
            return;
        }
    out->what = was->event_count != is->event_count ||
                        was->event_digest != is->event_digest
                    ? REPLAY_EVENTS
                    : REPLAY_HASH;
}

static int
find_field_values(const struct record_tick *was, const struct replay_moment *is,
                  struct replay_difference *out)
{
    const struct record_field *f;
    const uint8_t *a, *b;
    uint32_t i, k, e;

    if (was->view == NULL || !same_ids(was, is))
        return was->view != NULL;
    for (i = 0; i < was->count && was->ids[i] != out->entity; i++)
        ;
    if (i == was->count)
        return 1;
    a = was->view + (size_t)i * is->header->record_bytes;
    b = is->view + (size_t)i * is->header->record_bytes;
    for (k = 0; k < out->field_count; k++) {
        f = out->fields[k];
        e = first_element(f, a, b);
        if (e == elements(f))
            continue;
        out->fields[k] = out->fields[0];
        out->fields[0] = f;
        set_values(f, e, a, b, was->tick, out);
        break;
    }
    return 1;
}

int
replay_find_values(const struct record_tick *was,
                   const struct replay_moment *is,
                   struct replay_difference *out)
{
    uint32_t i;

    if (out->recorded[0] != '\0')
        return 1;
    if (out->what == REPLAY_FIELD)
        return find_field_values(was, is, out);
    if (out->what != REPLAY_OWN)
        return 1;
    for (i = 0; i < was->input_count; i++)
        if (was->inputs[i].client == out->client) {
            if (was->states != NULL)
                find_offset(was, is, i, out);
            return was->states != NULL;
        }
    return 1;
}
