#include "bits.h"
#include <string.h>

/* What fits eight bytes wherever in a byte it begins. */
#define WORD_BITS 56

/* How many of `bits` the byte at bit `at` can still give or take. */
static unsigned
share_of_byte(size_t at, unsigned bits)
{
    unsigned left = 8 - (unsigned)(at & 7);

    return bits < left ? bits : left;
}

static uint64_t
low_bits(uint64_t value, unsigned bits)
{
    return value & ((1u << bits) - 1);
}

void
bits_out_init(struct bits_out *out, void *bytes, size_t capacity_bytes)
{
    out->bytes = bytes;
    out->capacity = 8 * capacity_bytes;
    out->count = 0;
    out->bad = 0;
}

/* All at once, where eight bytes may be written: what is beyond the last bit
 * becomes zeros, as the next put expects. */
static void
put_word(struct bits_out *out, uint64_t value, unsigned bits)
{
    uint8_t *at = &out->bytes[out->count >> 3];
    unsigned shift = (unsigned)(out->count & 7);
    uint64_t word;

    word = shift == 0 ? 0 : *at; /* zeros above the last bit */
    word |= (value & ((UINT64_C(1) << bits) - 1)) << shift;
    memcpy(at, &word, sizeof(word)); /* hosts are little-endian */
    out->count += bits;
}

void
bits_put(struct bits_out *out, uint64_t value, unsigned bits)
{
    unsigned share, shift;
    uint8_t *byte;

    if (out->bad || bits > out->capacity - out->count) {
        out->bad = 1;
        return;
    }
    if (bits <= WORD_BITS && out->capacity - out->count >= 64 + 8) {
        put_word(out, value, bits);
        return;
    }
    for (; bits > 0; bits -= share) {
        share = share_of_byte(out->count, bits);
        shift = (unsigned)(out->count & 7);
        byte = &out->bytes[out->count >> 3];
        if (shift == 0)
            *byte = 0;
        *byte = (uint8_t)(*byte | low_bits(value, share) << shift);
        value >>= share;
        out->count += share;
    }
}

size_t
bits_out_bytes(const struct bits_out *out)
{
    return (out->count + 7) / 8;
}

void
bits_in_init(struct bits_in *in, const void *bytes, size_t count_bytes)
{
    in->bytes = bytes;
    in->count = 8 * count_bytes;
    in->at = 0;
    in->bad = 0;
}

uint64_t
bits_get(struct bits_in *in, unsigned bits)
{
    uint64_t value = 0;
    unsigned share, got;

    if (in->bad || bits > in->count - in->at) {
        in->bad = 1;
        return 0;
    }
    if (bits <= WORD_BITS && in->count - in->at >= 64 + 8) {
        memcpy(&value, &in->bytes[in->at >> 3], sizeof(value));
        value = value >> (in->at & 7) & ((UINT64_C(1) << bits) - 1);
        in->at += bits;
        return value;
    }
    for (got = 0; got < bits; got += share) {
        share = share_of_byte(in->at, bits - got);
        value |= low_bits(in->bytes[in->at >> 3] >> (in->at & 7), share) << got;
        in->at += share;
    }
    return value;
}

int
bits_at_end(const struct bits_in *in)
{
    size_t left = in->count - in->at;

    if (in->bad || left >= 8)
        return 0;
    return left == 0 || in->bytes[in->at >> 3] >> (in->at & 7) == 0;
}

unsigned
bits_needed(uint64_t maximum)
{
    return maximum == 0 ? 0 : 64 - (unsigned)__builtin_clzll(maximum);
}
