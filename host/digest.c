#include "digest.h"

uint64_t
digest64(uint64_t seed, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    size_t i;

    for (i = 0; i < count; i++)
        seed = (seed ^ at[i]) * 0x100000001b3ull;
    return seed;
}

uint32_t
digest_own(const void *own, uint32_t bytes)
{
    uint64_t all = digest64(DIGEST_SEED, own, bytes);

    return (uint32_t)(all >> 32 ^ all);
}
