#include "bytes.h"
#include <string.h>

void
bytes_out_init(struct bytes_out *out, void *bytes, size_t capacity)
{
    out->bytes = bytes;
    out->capacity = capacity;
    out->count = 0;
    out->bad = 0;
}

void
bytes_put(struct bytes_out *out, const void *bytes, size_t count)
{
    if (out->bad || count > out->capacity - out->count) {
        out->bad = 1;
        return;
    }
    if (count > 0)
        memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
}

static void
put_little_endian(struct bytes_out *out, uint64_t value, size_t count)
{
    uint8_t bytes[8];
    size_t i;

    for (i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    bytes_put(out, bytes, count);
}

void
bytes_put_u8(struct bytes_out *out, uint8_t value)
{
    put_little_endian(out, value, 1);
}

void
bytes_put_u16(struct bytes_out *out, uint16_t value)
{
    put_little_endian(out, value, 2);
}

void
bytes_put_u32(struct bytes_out *out, uint32_t value)
{
    put_little_endian(out, value, 4);
}

void
bytes_put_u64(struct bytes_out *out, uint64_t value)
{
    put_little_endian(out, value, 8);
}

void
bytes_put_varint(struct bytes_out *out, uint64_t value)
{
    while (value >= 0x80) {
        bytes_put_u8(out, (uint8_t)(value | 0x80));
        value >>= 7;
    }
    bytes_put_u8(out, (uint8_t)value);
}

void
bytes_put_zigzag(struct bytes_out *out, int64_t value)
{
    bytes_put_varint(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

void
bytes_put_text(struct bytes_out *out, const char *text)
{
    size_t count = strlen(text);

    if (count > 255)
        out->bad = 1;
    bytes_put_u8(out, (uint8_t)count);
    bytes_put(out, text, count);
}

void
bytes_in_init(struct bytes_in *in, const void *bytes, size_t count)
{
    in->bytes = bytes;
    in->count = count;
    in->at = 0;
    in->bad = 0;
}

size_t
bytes_left(const struct bytes_in *in)
{
    return in->bad ? 0 : in->count - in->at;
}

const uint8_t *
bytes_get(struct bytes_in *in, size_t count)
{
    const uint8_t *here;

    if (count > bytes_left(in)) {
        in->bad = 1;
        return NULL;
    }
    here = in->bytes + in->at;
    in->at += count;
    return here;
}

static uint64_t
get_little_endian(struct bytes_in *in, size_t count)
{
    const uint8_t *bytes = bytes_get(in, count);
    uint64_t value = 0;
    size_t i;

    if (bytes == NULL)
        return 0;
    for (i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

uint8_t
bytes_get_u8(struct bytes_in *in)
{
    return (uint8_t)get_little_endian(in, 1);
}

uint16_t
bytes_get_u16(struct bytes_in *in)
{
    return (uint16_t)get_little_endian(in, 2);
}

uint32_t
bytes_get_u32(struct bytes_in *in)
{
    return (uint32_t)get_little_endian(in, 4);
}

uint64_t
bytes_get_u64(struct bytes_in *in)
{
    return get_little_endian(in, 8);
}

uint64_t
bytes_get_varint(struct bytes_in *in)
{
    uint64_t value = 0;
    int shift;
    uint8_t byte;

    for (shift = 0; shift < 64; shift += 7) {
        byte = bytes_get_u8(in);
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return in->bad ? 0 : value;
    }
    in->bad = 1;
    return 0;
}

int64_t
bytes_get_zigzag(struct bytes_in *in)
{
    uint64_t value = bytes_get_varint(in);

    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

void
bytes_get_text(struct bytes_in *in, char *text, size_t capacity)
{
    size_t count = bytes_get_u8(in);
    const uint8_t *bytes = bytes_get(in, count);

    text[0] = '\0';
    if (bytes == NULL)
        return;
    if (count >= capacity || memchr(bytes, '\0', count) != NULL) {
        in->bad = 1;
        return;
    }
    memcpy(text, bytes, count);
    text[count] = '\0';
}
