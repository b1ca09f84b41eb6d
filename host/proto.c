/*
 * The small messages, and what all messages share. Integers are little-endian;
 * "varint" is LEB128; "text" is a length of one byte and that many bytes.
 *
 *      0        1
 *     +--------+---------------------------------------------------+
 *     | ver.typ| fields of the type                                |
 *     +--------+---------------------------------------------------+
 *
 * The high half of the first byte is PROTO_VERSION, the low half the type.
 * Hello and Refusal keep their layout and the version 1 in that byte for ever,
 * so that two programs can always tell each other why they part.
 *
 *     Hello    0x11  "HARD"[4]  version u16  flags u8  name text  options text
 *     Refusal  0x13  code u16  sentence text
 *     Own      0x16  tick varint  bytes u16  own[bytes]
 *     Notice   0x17  level u8  sentence text
 *     Ping     0x18  id u32  path u8  sent_ns u64
 *     Pong     0x19  as Ping
 *
 * Welcome is drawn in proto_welcome.c, Input in proto_input.c, Snapshot in
 * proto_snapshot.c; doc/protocol.md is the normative text for all of them.
 */
#include "proto_bytes.h"
#include <errno.h>
#include <hardpoint/plugin.h>
#include <string.h>

#define FIRST_VERSION 1 /* in the first byte of Hello and Refusal */

static const char magic[4] = {'H', 'A', 'R', 'D'};

/* Lengths that a message of each type can have; judged before it is read. */
static const struct {
    uint16_t minimum;
    uint16_t maximum;
} lengths[] = {
    [PROTO_HELLO] = {10, 8 + PROTO_NAME_MAX + PROTO_OPTIONS_MAX},
    [PROTO_WELCOME] = {28, UINT16_MAX                            },
    [PROTO_REFUSAL] = {4,  3 + PROTO_SENTENCE_MAX                },
    [PROTO_INPUT] = {6,  1200                                  },
    [PROTO_SNAPSHOT] = {13, 1200                                  },
    [PROTO_OWN] = {5,  13 + HP_OWN_BYTES_MAX                 },
    [PROTO_NOTICE] = {3,  2 + PROTO_SENTENCE_MAX                },
    [PROTO_PING] = {14, 14                                    },
    [PROTO_PONG] = {14, 14                                    },
};
#define TYPES (sizeof(lengths) / sizeof(lengths[0]))

static uint8_t
first_byte(enum proto_type type)
{
    int version = type == PROTO_HELLO || type == PROTO_REFUSAL ? FIRST_VERSION
                                                               : PROTO_VERSION;

    return (uint8_t)(version << 4 | type);
}

int
proto_peek(const uint8_t *bytes, size_t count)
{
    unsigned type;

    if (count == 0)
        return -EBADMSG;
    type = bytes[0] & 0x0f;
    if (type < PROTO_HELLO || type >= TYPES || bytes[0] != first_byte(type))
        return -EBADMSG;
    return (int)type;
}

void
proto_put_head(struct bytes_out *out, void *bytes, size_t capacity,
               enum proto_type type)
{
    bytes_out_init(out, bytes, capacity);
    bytes_put_u8(out, first_byte(type));
}

int
proto_put_end(const struct bytes_out *out)
{
    return out->bad ? -EMSGSIZE : (int)out->count;
}

void
proto_get_head(struct bytes_in *in, const void *bytes, size_t count,
               enum proto_type type)
{
    bytes_in_init(in, bytes, count);
    if (count < lengths[type].minimum || count > lengths[type].maximum ||
        bytes_get_u8(in) != first_byte(type))
        in->bad = 1;
}

int
proto_get_end(const struct bytes_in *in, void *out, size_t out_bytes)
{
    if (!in->bad && bytes_left(in) == 0)
        return 0;
    memset(out, 0, out_bytes);
    return -EBADMSG;
}

static int
is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

void
proto_put_line(struct bytes_out *out, const char *text, size_t capacity)
{
    size_t i, count = strnlen(text, capacity);

    if (count == capacity || count > UINT8_MAX) {
        out->bad = 1;
        return;
    }
    bytes_put_u8(out, (uint8_t)count);
    for (i = 0; i < count; i++)
        bytes_put_u8(out, is_control(text[i]) ? '?' : (uint8_t)text[i]);
}

void
proto_get_line(struct bytes_in *in, char *text, size_t capacity)
{
    size_t i;

    bytes_get_text(in, text, capacity);
    for (i = 0; text[i] != '\0'; i++)
        if (is_control(text[i]))
            in->bad = 1;
}

uint64_t
proto_within(struct bytes_in *in, uint64_t value, uint64_t low, uint64_t high)
{
    if (!in->bad && value >= low && value <= high)
        return value;
    in->bad = 1;
    return 0;
}

uint32_t
proto_get_varint(struct bytes_in *in, uint64_t low, uint64_t high)
{
    return (uint32_t)proto_within(in, bytes_get_varint(in), low, high);
}

int
proto_put_hello(void *bytes, size_t capacity, const struct proto_hello *m)
{
    struct bytes_out out;

    proto_put_head(&out, bytes, capacity, PROTO_HELLO);
    bytes_put(&out, magic, sizeof(magic));
    bytes_put_u16(&out, m->version);
    bytes_put_u8(&out, m->flags);
    proto_put_line(&out, m->name, sizeof(m->name));
    proto_put_line(&out, m->options, sizeof(m->options));
    return proto_put_end(&out);
}

int
proto_get_hello(const void *bytes, size_t count, struct proto_hello *out)
{
    struct bytes_in in;
    const uint8_t *found;

    memset(out, 0, sizeof(*out));
    proto_get_head(&in, bytes, count, PROTO_HELLO);
    found = bytes_get(&in, sizeof(magic));
    if (found == NULL || memcmp(found, magic, sizeof(magic)) != 0)
        in.bad = 1;
    out->version = bytes_get_u16(&in);
    out->flags = bytes_get_u8(&in);
    proto_get_line(&in, out->name, sizeof(out->name));
    proto_get_line(&in, out->options, sizeof(out->options));
    return proto_get_end(&in, out, sizeof(*out));
}

int
proto_put_refusal(void *bytes, size_t capacity, const struct proto_refusal *m)
{
    struct bytes_out out;

    proto_put_head(&out, bytes, capacity, PROTO_REFUSAL);
    bytes_put_u16(&out, m->code);
    proto_put_line(&out, m->sentence, sizeof(m->sentence));
    return proto_put_end(&out);
}

int
proto_get_refusal(const void *bytes, size_t count, struct proto_refusal *out)
{
    struct bytes_in in;

    memset(out, 0, sizeof(*out));
    proto_get_head(&in, bytes, count, PROTO_REFUSAL);
    out->code = bytes_get_u16(&in);
    proto_get_line(&in, out->sentence, sizeof(out->sentence));
    return proto_get_end(&in, out, sizeof(*out));
}

int
proto_put_own(void *bytes, size_t capacity, const struct proto_own *m)
{
    struct bytes_out out;

    proto_put_head(&out, bytes, capacity, PROTO_OWN);
    bytes_put_varint(&out, m->tick);
    if (m->own_bytes > HP_OWN_BYTES_MAX)
        out.bad = 1;
    bytes_put_u16(&out, (uint16_t)m->own_bytes);
    bytes_put(&out, m->own, m->own_bytes);
    return proto_put_end(&out);
}

int
proto_get_own(const void *bytes, size_t count, struct proto_own *out)
{
    struct bytes_in in;

    memset(out, 0, sizeof(*out));
    proto_get_head(&in, bytes, count, PROTO_OWN);
    out->tick = bytes_get_varint(&in);
    out->own_bytes =
        (uint32_t)proto_within(&in, bytes_get_u16(&in), 1, HP_OWN_BYTES_MAX);
    out->own = bytes_get(&in, out->own_bytes);
    return proto_get_end(&in, out, sizeof(*out));
}

int
proto_put_notice(void *bytes, size_t capacity, const struct proto_notice *m)
{
    struct bytes_out out;

    proto_put_head(&out, bytes, capacity, PROTO_NOTICE);
    bytes_put_u8(&out, m->level);
    proto_put_line(&out, m->sentence, sizeof(m->sentence));
    return proto_put_end(&out);
}

int
proto_get_notice(const void *bytes, size_t count, struct proto_notice *out)
{
    struct bytes_in in;

    memset(out, 0, sizeof(*out));
    proto_get_head(&in, bytes, count, PROTO_NOTICE);
    out->level = (uint8_t)proto_within(&in, bytes_get_u8(&in), HP_LOG_ERROR,
                                       HP_LOG_DEBUG);
    proto_get_line(&in, out->sentence, sizeof(out->sentence));
    return proto_get_end(&in, out, sizeof(*out));
}

int
proto_put_ping(void *bytes, size_t capacity, enum proto_type type,
               const struct proto_ping *m)
{
    struct bytes_out out;

    proto_put_head(&out, bytes, capacity, type);
    bytes_put_u32(&out, m->id);
    bytes_put_u8(&out, m->path);
    bytes_put_u64(&out, m->sent_ns);
    return proto_put_end(&out);
}

int
proto_get_ping(const void *bytes, size_t count, struct proto_ping *out)
{
    struct bytes_in in;
    int pong = proto_peek(bytes, count) == PROTO_PONG;

    memset(out, 0, sizeof(*out));
    proto_get_head(&in, bytes, count, pong ? PROTO_PONG : PROTO_PING);
    out->id = bytes_get_u32(&in);
    out->path = (uint8_t)proto_within(&in, bytes_get_u8(&in), PROTO_PATH_EVENT,
                                      PROTO_PATH_TICK);
    out->sent_ns = bytes_get_u64(&in);
    return proto_get_end(&in, out, sizeof(*out));
}
