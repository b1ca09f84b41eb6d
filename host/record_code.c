#include "record_code.h"
#include "crc32.h"
#include "plugin.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 1

enum tick_flag {
    SAME_IDS = 1 << 0, /* the view has the entities of the tick before */
    HAS_VIEW = 1 << 1,
    HAS_STATES = 1 << 2
};

/* Of an input that differs from the one before: which members do. */
enum input_mask {
    BUTTONS = 1 << 0,
    FLAGS = 1 << 1,
    FIRST_AXIS = 1 << 2 /* and the next ones */
};

/* ---- the header's life ---- */

void
record_header_finish(struct record_header *h)
{
    uint32_t i;

    for (i = 0; h->params != NULL && i < h->param_count; i++)
        free(h->params[i].value);
    free(h->params);
    free(h->fields);
    memset(h, 0, sizeof(*h));
}

int
record_header_schema(struct record_header *h, const struct hp_schema *schema)
{
    const struct hp_field *from;
    struct record_field *to;
    uint32_t i;

    if (schema->field_count > RECORD_FIELDS_MAX)
        return -E2BIG;
    snprintf(h->schema_name, sizeof(h->schema_name), "%s", schema->name);
    h->schema_version = schema->version;
    h->record_bytes = schema->record_bytes;
    h->own_bytes = schema->own_bytes;
    h->fields = calloc(schema->field_count + 1, sizeof(*h->fields));
    if (h->fields == NULL)
        return -ENOMEM;
    for (i = 0; i < schema->field_count; i++) {
        from = (const void *)((const char *)schema->fields +
                              (size_t)i * schema->field_stride);
        to = &h->fields[i];
        if (snprintf(to->name, sizeof(to->name), "%s", from->name) >=
                (int)sizeof(to->name) ||
            snprintf(to->unit, sizeof(to->unit), "%s", from->unit) >=
                (int)sizeof(to->unit))
            return -E2BIG;
        to->type = from->type;
        to->offset = from->offset;
        to->count = from->count;
        h->field_count++;
    }
    return 0;
}

int
record_header_param(struct record_header *h, const char *key, const char *value,
                    uint64_t file_digest)
{
    struct record_param *params;

    if (h->param_count == RECORD_PARAMS_MAX ||
        strlen(key) >= sizeof(params->key) || strlen(value) >= RECORD_TEXT_MAX)
        return -E2BIG;
    params = realloc(h->params, (h->param_count + 1) * sizeof(*params));
    if (params == NULL)
        return -ENOMEM;
    h->params = params;
    params += h->param_count;
    snprintf(params->key, sizeof(params->key), "%s", key);
    params->file_digest = file_digest;
    params->value = strdup(value);
    if (params->value == NULL)
        return -ENOMEM;
    h->param_count++;
    return 0;
}

/* ---- the header's bytes ---- */

static void
put_long_text(struct bytes_out *out, const char *text)
{
    size_t bytes = strlen(text);

    bytes_put_u16(out, (uint16_t)bytes);
    bytes_put(out, text, bytes);
}

void
record_put_header(struct bytes_out *out, const struct record_header *h)
{
    uint32_t i;

    bytes_put_u16(out, VERSION);
    bytes_put_u8(out, (uint8_t)h->side);
    bytes_put_u8(out, (uint8_t)h->views);
    bytes_put_text(out, h->host_version);
    bytes_put_text(out, h->host_build);
    bytes_put_text(out, h->sim_name);
    bytes_put_text(out, h->sim_version);
    bytes_put_text(out, h->sim_build);
    bytes_put_u32(out, h->rate_num);
    bytes_put_u32(out, h->rate_den);
    bytes_put_u32(out, h->clients_max);
    bytes_put_u32(out, h->entities_max);
    bytes_put_u32(out, h->snapshot_bytes_max);
    bytes_put_u32(out, h->window_ticks);
    bytes_put_u64(out, h->first_tick);
    bytes_put_u64(out, (uint64_t)h->wall_s);
    bytes_put_text(out, h->schema_name);
    bytes_put_u32(out, h->schema_version);
    bytes_put_u16(out, (uint16_t)h->record_bytes);
    bytes_put_u16(out, (uint16_t)h->own_bytes);
    bytes_put_u16(out, (uint16_t)h->field_count);
    for (i = 0; i < h->field_count; i++) {
        bytes_put_text(out, h->fields[i].name);
        bytes_put_text(out, h->fields[i].unit);
        bytes_put_u8(out, (uint8_t)h->fields[i].type);
        bytes_put_u16(out, (uint16_t)h->fields[i].offset);
        bytes_put_u16(out, (uint16_t)h->fields[i].count);
    }
    bytes_put_u16(out, (uint16_t)h->param_count);
    for (i = 0; i < h->param_count; i++) {
        bytes_put_text(out, h->params[i].key);
        bytes_put_u64(out, h->params[i].file_digest);
        put_long_text(out, h->params[i].value);
    }
}

uint32_t
record_field_bytes(uint32_t type)
{
    static const uint8_t bytes[] = {
        [HP_FIELD_U8] = 1,  [HP_FIELD_U16] = 2,        [HP_FIELD_U32] = 4,
        [HP_FIELD_I16] = 2, [HP_FIELD_I32] = 4,        [HP_FIELD_F32] = 4,
        [HP_FIELD_F64] = 8, [HP_FIELD_QUATERNION] = 16};

    return type < sizeof(bytes) ? bytes[type] : 0;
}

static int
get_fields(struct bytes_in *in, struct record_header *h)
{
    uint32_t count = bytes_get_u16(in), end;
    struct record_field *f;

    if (in->bad || count > RECORD_FIELDS_MAX)
        return -EBADMSG;
    h->fields = calloc(count + 1, sizeof(*h->fields));
    if (h->fields == NULL)
        return -ENOMEM;
    while (h->field_count < count) {
        f = &h->fields[h->field_count++];
        bytes_get_text(in, f->name, sizeof(f->name));
        bytes_get_text(in, f->unit, sizeof(f->unit));
        f->type = bytes_get_u8(in);
        f->offset = bytes_get_u16(in);
        f->count = bytes_get_u16(in);
        end = f->offset + f->count * record_field_bytes(f->type);
        if (in->bad || record_field_bytes(f->type) == 0 || f->count == 0 ||
            end > h->record_bytes)
            return -EBADMSG;
    }
    return 0;
}

static int
get_params(struct bytes_in *in, struct record_header *h)
{
    uint32_t count = bytes_get_u16(in), bytes;
    char key[sizeof(h->params->key)], value[RECORD_TEXT_MAX];
    const uint8_t *text;
    uint64_t digest;
    int err;

    if (in->bad || count > RECORD_PARAMS_MAX)
        return -EBADMSG;
    while (h->param_count < count) {
        bytes_get_text(in, key, sizeof(key));
        digest = bytes_get_u64(in);
        bytes = bytes_get_u16(in);
        text = bytes_get(in, bytes);
        if (text == NULL || in->bad || memchr(text, 0, bytes) != NULL)
            return -EBADMSG;
        memcpy(value, text, bytes);
        value[bytes] = '\0';
        err = record_header_param(h, key, value, digest);
        if (err < 0)
            return err;
    }
    return 0;
}

/* The sim's name becomes part of a file's. */
static int
is_name(const char *name)
{
    return *name != '\0' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static int
limits_make_sense(const struct record_header *h)
{
    return h->rate_num > 0 && h->rate_den > 0 &&
           h->rate_num / h->rate_den <= 1000 && h->rate_den <= h->rate_num &&
           h->clients_max > 0 && h->clients_max <= RECORD_CLIENTS_MAX &&
           h->entities_max > 0 && h->entities_max <= RECORD_ENTITIES_MAX &&
           h->record_bytes >= sizeof(struct hp_entity) &&
           h->record_bytes <= HP_RECORD_BYTES_MAX && h->record_bytes % 8 == 0 &&
           h->own_bytes <= HP_OWN_BYTES_MAX && h->snapshot_bytes_max <= 65535 &&
           h->window_ticks > 0 && h->window_ticks <= 65535;
}

int
record_get_header(const uint8_t *bytes, size_t count, struct record_header *h)
{
    struct bytes_in in;
    int err;

    memset(h, 0, sizeof(*h));
    bytes_in_init(&in, bytes, count);
    if (bytes_get_u16(&in) != VERSION)
        return in.bad ? -EBADMSG : -EPROTONOSUPPORT;
    h->side = bytes_get_u8(&in);
    h->views = bytes_get_u8(&in);
    bytes_get_text(&in, h->host_version, sizeof(h->host_version));
    bytes_get_text(&in, h->host_build, sizeof(h->host_build));
    bytes_get_text(&in, h->sim_name, sizeof(h->sim_name));
    bytes_get_text(&in, h->sim_version, sizeof(h->sim_version));
    bytes_get_text(&in, h->sim_build, sizeof(h->sim_build));
    h->rate_num = bytes_get_u32(&in);
    h->rate_den = bytes_get_u32(&in);
    h->clients_max = bytes_get_u32(&in);
    h->entities_max = bytes_get_u32(&in);
    h->snapshot_bytes_max = bytes_get_u32(&in);
    h->window_ticks = bytes_get_u32(&in);
    h->first_tick = bytes_get_u64(&in);
    h->wall_s = (int64_t)bytes_get_u64(&in);
    bytes_get_text(&in, h->schema_name, sizeof(h->schema_name));
    h->schema_version = bytes_get_u32(&in);
    h->record_bytes = bytes_get_u16(&in);
    h->own_bytes = bytes_get_u16(&in);
    if (in.bad || (h->side != HP_SIDE_SERVER && h->side != HP_SIDE_CLIENT) ||
        h->views > 1 || !is_name(h->sim_name) || !limits_make_sense(h))
        return -EBADMSG;
    err = get_fields(&in, h);
    if (err == 0)
        err = get_params(&in, h);
    if (err == -E2BIG || (err == 0 && (in.bad || bytes_left(&in) > 0)))
        err = -EBADMSG;
    return err;
}

/* ---- digests ---- */

static uint16_t
fold(uint32_t crc)
{
    uint16_t word = (uint16_t)(crc >> 16 ^ crc);

    return word == 0 ? 1 : word;
}

uint16_t
record_digest(const void *bytes, size_t count)
{
    return fold(crc32_add(0, bytes, count));
}

void
record_digest_view(const struct record_header *h, const void *records,
                   uint32_t stride, uint32_t count, uint16_t *rows,
                   uint16_t *columns)
{
    const char *at = records;
    const struct record_field *f;
    uint32_t i, k, crc;

    for (i = 0; i < count; i++)
        rows[i] = record_digest(at + (size_t)i * stride, h->record_bytes);
    for (k = 0; k < h->field_count; k++) {
        f = &h->fields[k];
        crc = 0;
        for (i = 0; i < count; i++)
            crc = crc32_add(crc, at + (size_t)i * stride + f->offset,
                            (size_t)f->count * record_field_bytes(f->type));
        columns[k] = fold(crc);
    }
}

uint32_t
record_digest_events(const struct hp_event *events, uint32_t count)
{
    struct hp_event e;
    uint32_t crc = 0, i;

    for (i = 0; i < count; i++) {
        e = events[i];
        e.id = 0;
        crc = crc32_add(crc, &e, sizeof(e));
    }
    return crc;
}

/* ---- the codec's life ---- */

int
record_codec_init(struct record_codec *c, const struct record_header *h)
{
    memset(c, 0, sizeof(*c));
    c->header = h;
    c->next_tick = h->first_tick;
    c->joined = calloc(h->clients_max, sizeof(*c->joined));
    c->in = calloc(h->clients_max, sizeof(*c->in));
    c->inputs = calloc(h->clients_max, sizeof(*c->inputs));
    c->owns = calloc(h->clients_max, sizeof(*c->owns));
    c->ids = calloc(h->entities_max, sizeof(*c->ids));
    c->rows = calloc(h->entities_max, sizeof(*c->rows));
    c->columns = calloc(h->field_count + 1, sizeof(*c->columns));
    if (c->joined == NULL || c->in == NULL || c->inputs == NULL ||
        c->owns == NULL || c->ids == NULL || c->rows == NULL ||
        c->columns == NULL) {
        record_codec_finish(c);
        return -ENOMEM;
    }
    return 0;
}

void
record_codec_finish(struct record_codec *c)
{
    free(c->joined);
    free(c->in);
    free(c->inputs);
    free(c->owns);
    free(c->ids);
    free(c->rows);
    free(c->columns);
    memset(c, 0, sizeof(*c));
}

size_t
record_entry_bytes_max(const struct record_header *h)
{
    size_t input = 2 + 5 + 3 + 3 * HP_AXIS_COUNT; /* mask, then varints */
    size_t entity = 10 + 2 + h->record_bytes;
    size_t tick = 64 + h->clients_max * (input + 2 + h->own_bytes) +
                  h->entities_max * entity + 2 * (size_t)h->field_count;
    size_t join = 32 + RECORD_OPTIONS_MAX;

    return tick > join ? tick : join;
}

/* ---- joins and leaves ---- */

static void
set_joined(struct record_codec *c, uint32_t client, int joined)
{
    c->joined[client] = (uint8_t)joined;
    memset(&c->in[client], 0, sizeof(c->in[client]));
    c->in[client].client = client;
}

void
record_put_join(struct record_codec *c, struct bytes_out *out,
                const struct record_join *join)
{
    bytes_put_varint(out, join->client);
    bytes_put_zigzag(out, join->result);
    put_long_text(out, join->options);
    if (join->result >= 0)
        set_joined(c, join->client, 1);
}

int
record_get_join(struct record_codec *c, const uint8_t *bytes, size_t count,
                struct record_join *out)
{
    struct bytes_in in;
    uint64_t client;
    int64_t result;
    size_t length;
    const uint8_t *text;

    bytes_in_init(&in, bytes, count);
    client = bytes_get_varint(&in);
    result = bytes_get_zigzag(&in);
    length = bytes_get_u16(&in);
    text = bytes_get(&in, length);
    if (in.bad || text == NULL || client >= c->header->clients_max ||
        c->joined[client] || result < -4096 || result > 4096 ||
        length >= sizeof(out->options) || memchr(text, 0, length) != NULL ||
        bytes_left(&in) > 0)
        return -EBADMSG;
    out->client = (uint32_t)client;
    out->result = (int32_t)result;
    memcpy(out->options, text, length);
    out->options[length] = '\0';
    if (result >= 0)
        set_joined(c, out->client, 1);
    return 0;
}

void
record_put_leave(struct record_codec *c, struct bytes_out *out, uint32_t client)
{
    bytes_put_varint(out, client);
    set_joined(c, client, 0);
}

int
record_get_leave(struct record_codec *c, const uint8_t *bytes, size_t count,
                 uint32_t *client)
{
    struct bytes_in in;
    uint64_t number;

    bytes_in_init(&in, bytes, count);
    number = bytes_get_varint(&in);
    if (in.bad || number >= c->header->clients_max || !c->joined[number] ||
        bytes_left(&in) > 0)
        return -EBADMSG;
    *client = (uint32_t)number;
    set_joined(c, *client, 0);
    return 0;
}

/* ---- ticks ---- */

static void
put_input(struct record_codec *c, struct bytes_out *out,
          const struct hp_client_input *now)
{
    struct hp_input *was = &c->in[now->client].input;
    const struct hp_input *is = &now->input;
    uint32_t mask = 0;
    int a;

    if (is->buttons != was->buttons)
        mask |= BUTTONS;
    if (is->flags != was->flags)
        mask |= FLAGS;
    for (a = 0; a < HP_AXIS_COUNT; a++)
        if (is->axes[a] != was->axes[a])
            mask |= (uint32_t)FIRST_AXIS << a;
    bytes_put_varint(out, mask);
    if (mask & BUTTONS)
        bytes_put_varint(out, is->buttons);
    if (mask & FLAGS)
        bytes_put_varint(out, is->flags);
    for (a = 0; a < HP_AXIS_COUNT; a++)
        if (mask & (uint32_t)FIRST_AXIS << a)
            bytes_put_zigzag(out, (int64_t)is->axes[a] - was->axes[a]);
    *was = *is;
}

static void
get_input(struct bytes_in *in, struct hp_input *was)
{
    uint64_t mask = bytes_get_varint(in), word;
    int64_t axis;
    int a;

    if (mask >= (uint64_t)FIRST_AXIS << HP_AXIS_COUNT)
        in->bad = 1;
    if (mask & BUTTONS) {
        word = bytes_get_varint(in);
        in->bad |= word > UINT32_MAX;
        was->buttons = (uint32_t)word;
    }
    if (mask & FLAGS) {
        word = bytes_get_varint(in);
        in->bad |= word > UINT16_MAX;
        was->flags = (uint16_t)word;
    }
    for (a = 0; a < HP_AXIS_COUNT && !in->bad; a++) {
        if (!(mask & (uint64_t)FIRST_AXIS << a))
            continue;
        axis = bytes_get_zigzag(in);
        if (axis < -65535 || axis > 65535 || axis + was->axes[a] < -INT16_MAX ||
            axis + was->axes[a] > INT16_MAX)
            in->bad = 1;
        else
            was->axes[a] = (int16_t)(axis + was->axes[a]);
    }
}

/* Slots as the distance from the one before, which is 1 in a full world. */
static void
put_ids(struct record_codec *c, struct bytes_out *out,
        const struct record_tick *t)
{
    uint32_t i, slot, next = 0;

    bytes_put_varint(out, t->count);
    for (i = 0; i < t->count; i++) {
        slot = t->ids[i] & 0xffff;
        bytes_put_zigzag(out, (int64_t)slot - next);
        bytes_put_varint(out, t->ids[i] >> 16);
        next = slot + 1;
    }
    if (t->count > 0 && t->ids != c->ids)
        memcpy(c->ids, t->ids, t->count * sizeof(*c->ids));
    c->count = t->count;
}

static void
get_ids(struct record_codec *c, struct bytes_in *in)
{
    uint64_t count = bytes_get_varint(in), generation;
    int64_t slot, next = 0;
    uint32_t i;

    if (count > c->header->entities_max || count > bytes_left(in))
        in->bad = 1;
    for (i = 0; i < count && !in->bad; i++) {
        slot = bytes_get_zigzag(in);
        generation = bytes_get_varint(in);
        if (slot < -65536 || slot > 65535 || slot + next < 0 ||
            slot + next > 65535 || generation > 65535)
            in->bad = 1;
        slot += next;
        next = slot + 1;
        c->ids[i] = HP_ENTITY_ID((uint16_t)slot, (uint16_t)generation);
    }
    c->count = in->bad ? 0 : (uint32_t)count;
}

static void
put_words(struct bytes_out *out, const uint16_t *words, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        bytes_put_u16(out, words[i]);
}

static void
get_words(struct bytes_in *in, uint16_t *words, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count && !in->bad; i++)
        words[i] = bytes_get_u16(in);
}

void
record_put_tick(struct record_codec *c, struct bytes_out *out,
                const struct record_tick *t)
{
    const struct record_header *h = c->header;
    int same = t->count == c->count &&
               (t->count == 0 ||
                memcmp(t->ids, c->ids, t->count * sizeof(*t->ids)) == 0);
    uint32_t i;

    bytes_put_u8(out, (uint8_t)((same ? SAME_IDS : 0) |
                                (t->view != NULL ? HAS_VIEW : 0) |
                                (t->states != NULL ? HAS_STATES : 0)));
    bytes_put_u64(out, t->hash);
    for (i = 0; i < t->input_count; i++)
        put_input(c, out, &t->inputs[i]);
    if (!same)
        put_ids(c, out, t);
    bytes_put_varint(out, t->event_count);
    if (t->event_count > 0)
        bytes_put_u32(out, t->event_digest);
    put_words(out, t->rows, t->count);
    put_words(out, t->columns, h->field_count);
    put_words(out, t->owns, t->input_count);
    if (t->view != NULL)
        bytes_put(out, t->view, (size_t)t->count * h->record_bytes);
    if (t->states != NULL)
        bytes_put(out, t->states, (size_t)t->input_count * h->own_bytes);
    c->next_tick = t->tick + 1;
}

/* The joined clients' inputs, in order of client. */
static uint32_t
get_inputs(struct record_codec *c, struct bytes_in *in)
{
    uint32_t i, count = 0;

    for (i = 0; i < c->header->clients_max && !in->bad; i++) {
        if (!c->joined[i])
            continue;
        get_input(in, &c->in[i].input);
        c->inputs[count++] = c->in[i];
    }
    return count;
}

int
record_get_tick(struct record_codec *c, const uint8_t *bytes, size_t count,
                struct record_tick *out)
{
    const struct record_header *h = c->header;
    struct bytes_in in;
    uint64_t events;
    uint32_t flags;

    memset(out, 0, sizeof(*out));
    bytes_in_init(&in, bytes, count);
    flags = bytes_get_u8(&in);
    if (flags > (SAME_IDS | HAS_VIEW | HAS_STATES))
        return -EBADMSG;
    out->tick = c->next_tick;
    out->hash = bytes_get_u64(&in);
    out->input_count = get_inputs(c, &in);
    if (!(flags & SAME_IDS))
        get_ids(c, &in);
    events = bytes_get_varint(&in);
    if (in.bad || events > RECORD_EVENTS_MAX || c->next_tick == UINT64_MAX)
        return -EBADMSG;
    out->event_count = (uint32_t)events;
    if (events > 0)
        out->event_digest = bytes_get_u32(&in);
    get_words(&in, c->rows, c->count);
    get_words(&in, c->columns, h->field_count);
    get_words(&in, c->owns, out->input_count);
    if (flags & HAS_VIEW)
        out->view = bytes_get(&in, (size_t)c->count * h->record_bytes);
    if (flags & HAS_STATES)
        out->states = bytes_get(&in, (size_t)out->input_count * h->own_bytes);
    if (in.bad || bytes_left(&in) > 0)
        return -EBADMSG;
    out->count = c->count;
    out->ids = c->ids;
    out->inputs = c->inputs;
    out->rows = c->rows;
    out->columns = c->columns;
    out->owns = c->owns;
    c->next_tick++;
    return 0;
}

/* ---- the end ---- */

void
record_put_end(struct bytes_out *out, enum record_end why, uint64_t lost)
{
    bytes_put_u8(out, (uint8_t)why);
    bytes_put_varint(out, lost);
}

int
record_get_end(const uint8_t *bytes, size_t count, uint32_t *why,
               uint64_t *lost)
{
    struct bytes_in in;

    bytes_in_init(&in, bytes, count);
    *why = bytes_get_u8(&in);
    *lost = bytes_get_varint(&in);
    return in.bad || bytes_left(&in) > 0 || *why > RECORD_END_OVERFLOW
               ? -EBADMSG
               : 0;
}
