/* CRC-32 eight bytes at a time: what each of the eight does to the sum is
 * looked up by itself, so the look-ups do not wait for each other. */
#include "crc32.h"
#include <string.h>

/*
 * The tables are linear in the bits of their index, so eight constants make
 * each of them: entry i is the exclusive or of those whose bit is set in i.
 */
/* clang-format off */
#define BASIS_0 \
    0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, \
    0x1db71064, 0x3b6e20c8, 0x76dc4190, 0xedb88320
#define BASIS_1 \
    0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, \
    0x4ac21251, 0x958424a2, 0xf0794f05, 0x3b83984b
#define BASIS_2 \
    0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, \
    0x1c26a370, 0x384d46e0, 0x709a8dc0, 0xe1351b80
#define BASIS_3 \
    0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, \
    0x5019579f, 0xa032af3e, 0x9b14583d, 0xed59b63b
#define BASIS_4 \
    0x3d6029b0, 0x7ac05360, 0xf580a6c0, 0x30704bc1, \
    0x60e09782, 0xc1c12f04, 0x58f35849, 0xb1e6b092
#define BASIS_5 \
    0xcb5cd3a5, 0x4dc8a10b, 0x9b914216, 0xec53826d, \
    0x03d6029b, 0x07ac0536, 0x0f580a6c, 0x1eb014d8
#define BASIS_6 \
    0xa6770bb4, 0x979f1129, 0xf44f2413, 0x33ef4e67, \
    0x67de9cce, 0xcfbd399c, 0x440b7579, 0x8816eaf2
#define BASIS_7 \
    0xccaa009e, 0x4225077d, 0x844a0efa, 0xd3e51bb5, \
    0x7cbb312b, 0xf9766256, 0x299dc2ed, 0x533b85da

#define ENTRY_OF(i, b0, b1, b2, b3, b4, b5, b6, b7) \
    (((i) & 1 ? b0 : 0) ^ ((i) & 2 ? b1 : 0) ^ ((i) & 4 ? b2 : 0) ^ \
     ((i) & 8 ? b3 : 0) ^ ((i) & 16 ? b4 : 0) ^ ((i) & 32 ? b5 : 0) ^ \
     ((i) & 64 ? b6 : 0) ^ ((i) & 128 ? b7 : 0))
#define ENTRY(i, ...) ENTRY_OF(i, __VA_ARGS__)
#define FOUR(i, ...) \
    ENTRY(i, __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__), \
    ENTRY((i) + 2, __VA_ARGS__), ENTRY((i) + 3, __VA_ARGS__)
#define SIXTEEN(i, ...) \
    FOUR(i, __VA_ARGS__), FOUR((i) + 4, __VA_ARGS__), \
    FOUR((i) + 8, __VA_ARGS__), FOUR((i) + 12, __VA_ARGS__)
#define SIXTY_FOUR(i, ...) \
    SIXTEEN(i, __VA_ARGS__), SIXTEEN((i) + 16, __VA_ARGS__), \
    SIXTEEN((i) + 32, __VA_ARGS__), SIXTEEN((i) + 48, __VA_ARGS__)
#define TABLE(...) \
    {SIXTY_FOUR(0, __VA_ARGS__), SIXTY_FOUR(64, __VA_ARGS__), \
     SIXTY_FOUR(128, __VA_ARGS__), SIXTY_FOUR(192, __VA_ARGS__)}

/* tables[k][i]: what byte i does when k more bytes follow it. */
static const uint32_t tables[8][256] = {
    TABLE(BASIS_0), TABLE(BASIS_1), TABLE(BASIS_2), TABLE(BASIS_3),
    TABLE(BASIS_4), TABLE(BASIS_5), TABLE(BASIS_6), TABLE(BASIS_7),
};
/* clang-format on */

static uint32_t
add_eight(uint32_t sum, const uint8_t *bytes)
{
    uint32_t low, high;

    memcpy(&low, bytes, 4); /* hosts are little-endian */
    memcpy(&high, bytes + 4, 4);
    low ^= sum;
    return tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^
           tables[5][low >> 16 & 255] ^ tables[4][low >> 24] ^
           tables[3][high & 255] ^ tables[2][high >> 8 & 255] ^
           tables[1][high >> 16 & 255] ^ tables[0][high >> 24];
}

uint32_t
crc32_add(uint32_t crc, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    uint32_t sum = ~crc;

    for (; count >= 8; count -= 8, at += 8)
        sum = add_eight(sum, at);
    for (; count > 0; count--, at++)
        sum = sum >> 8 ^ tables[0][(sum ^ *at) & 255];
    return ~sum;
}
