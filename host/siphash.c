#include "siphash.h"

struct state {
    uint64_t v0, v1, v2, v3;
};

static uint64_t
rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

/* `count` bytes, at most eight, little-endian. */
static uint64_t
load(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    size_t i;

    for (i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static void
rounds(struct state *s, int count)
{
    while (count-- > 0) {
        s->v0 += s->v1;
        s->v2 += s->v3;
        s->v1 = rotate(s->v1, 13) ^ s->v0;
        s->v3 = rotate(s->v3, 16) ^ s->v2;
        s->v0 = rotate(s->v0, 32);
        s->v2 += s->v1;
        s->v0 += s->v3;
        s->v1 = rotate(s->v1, 17) ^ s->v2;
        s->v3 = rotate(s->v3, 21) ^ s->v0;
        s->v2 = rotate(s->v2, 32);
    }
}

static void
absorb(struct state *s, uint64_t word)
{
    s->v3 ^= word;
    rounds(s, 2);
    s->v0 ^= word;
}

uint64_t
siphash(const uint8_t key[SIPHASH_KEY_BYTES], const void *bytes, size_t count)
{
    uint64_t k0 = load(key, 8), k1 = load(key + 8, 8);
    /* "somepseudorandomlygeneratedbytes" */
    struct state s = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
                      k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
    const uint8_t *at = bytes;
    size_t left;

    for (left = count; left >= 8; left -= 8, at += 8)
        absorb(&s, load(at, 8));
    /* The last word holds the length in its top byte. */
    absorb(&s, load(at, left) | (uint64_t)count << 56);
    s.v2 ^= 0xff;
    rounds(&s, 4);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
