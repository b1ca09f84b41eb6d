#include "siphash.h"
#include "tap.h"

/* Key 00 01 .. 0f, message 00 01 .. (length - 1): the authors' table, and for
 * fifteen bytes the worked example of their paper. */
static void
the_reference_vectors_come_out(void)
{
    static const struct {
        size_t length;
        uint64_t hash;
    } rows[] = {
        {0,  0x726fdb47dd0e0e31},
        {1,  0x74f839c593dc67fd},
        {2,  0x0d6c8009d9a94f5a},
        {3,  0x85676696d7fb7e2d},
        {4,  0xcf2794e0277187b7},
        {5,  0x18765564cd99a68d},
        {6,  0xcbc9466e58fee3ce},
        {7,  0xab0200f58b01d137},
        {8,  0x93f5f5799a932462},
        {15, 0xa129ca6149be45e5},
    };
    uint8_t key[SIPHASH_KEY_BYTES], message[15];
    size_t i;

    for (i = 0; i < sizeof(key); i++)
        key[i] = (uint8_t)i;
    for (i = 0; i < sizeof(message); i++)
        message[i] = (uint8_t)i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        ok(siphash(key, message, rows[i].length) == rows[i].hash);
}

TAP_MAIN(FACT(the_reference_vectors_come_out))
