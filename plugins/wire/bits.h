/*
 * Bits in and out of a datagram, lowest bit first, in bytes of rising address.
 *
 * Both ends are sticky, as those of bytes.h: the first put that does not fit,
 * or get past the end, sets `bad`; what follows writes nothing and reads zeros.
 */
#ifndef WIRE_BITS_H
#define WIRE_BITS_H

#include <stddef.h>
#include <stdint.h>

struct bits_out {
    uint8_t *bytes;
    size_t capacity; /* in bits */
    size_t count;    /* in bits */
    int bad;
};

struct bits_in {
    const uint8_t *bytes;
    size_t count; /* in bits */
    size_t at;    /* in bits */
    int bad;
};

void bits_out_init(struct bits_out *out, void *bytes, size_t capacity_bytes);
/* The low `bits` of a value, 0 to 64 of them. */
void bits_put(struct bits_out *out, uint64_t value, unsigned bits);
/* The bytes that hold what was put; the rest of the last one is zeros. */
size_t bits_out_bytes(const struct bits_out *out);

void bits_in_init(struct bits_in *in, const void *bytes, size_t count_bytes);
uint64_t bits_get(struct bits_in *in, unsigned bits);
/* Whether all was got and nothing is left but the zeros of the last byte: what
 * a decoder demands of its last get. */
int bits_at_end(const struct bits_in *in);

/* How many bits the numbers 0 .. maximum need: 0 for 0, 64 for UINT64_MAX. */
unsigned bits_needed(uint64_t maximum);

#endif
