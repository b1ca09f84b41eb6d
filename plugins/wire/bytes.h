/*
 * Bytes in and out of a datagram, little-endian.
 *
 * Both ends are sticky: the first put that does not fit, or get past the end,
 * sets `bad`; what follows writes nothing and reads zeros. So a coder is a
 * straight list of fields with one check at its end.
 */
#ifndef WIRE_BYTES_H
#define WIRE_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes_out {
    uint8_t *bytes;
    size_t capacity;
    size_t count;
    int bad;
};

struct bytes_in {
    const uint8_t *bytes;
    size_t count;
    size_t at;
    int bad;
};

void bytes_out_init(struct bytes_out *out, void *bytes, size_t capacity);
void bytes_put_u8(struct bytes_out *out, uint8_t value);
void bytes_put_u16(struct bytes_out *out, uint16_t value);
void bytes_put_u32(struct bytes_out *out, uint32_t value);
void bytes_put_u64(struct bytes_out *out, uint64_t value);
/* LEB128: 7 bits a byte, lowest first; 1 to 10 bytes. */
void bytes_put_varint(struct bytes_out *out, uint64_t value);
/* Signed, as zigzag varint. */
void bytes_put_zigzag(struct bytes_out *out, int64_t value);
void bytes_put(struct bytes_out *out, const void *bytes, size_t count);
/* A length of one byte, then at most 255 bytes without the NUL. */
void bytes_put_text(struct bytes_out *out, const char *text);

void bytes_in_init(struct bytes_in *in, const void *bytes, size_t count);
uint8_t bytes_get_u8(struct bytes_in *in);
uint16_t bytes_get_u16(struct bytes_in *in);
uint32_t bytes_get_u32(struct bytes_in *in);
uint64_t bytes_get_u64(struct bytes_in *in);
/* Over 64 bits or over ten bytes is bad. */
uint64_t bytes_get_varint(struct bytes_in *in);
int64_t bytes_get_zigzag(struct bytes_in *in);
/* Borrowed from the datagram; NULL when bad. */
const uint8_t *bytes_get(struct bytes_in *in, size_t count);
/* Into `text` with its NUL; an embedded NUL or a length of `capacity` or more
 * is bad, and text is "" then. */
void bytes_get_text(struct bytes_in *in, char *text, size_t capacity);
size_t bytes_left(const struct bytes_in *in);

#endif
