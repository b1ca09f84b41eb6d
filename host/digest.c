#include "digest.h"

#include <errno.h>
#include <stdio.h>

uint64_t
digest64(uint64_t seed, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    size_t i;

    for (i = 0; i < count; i++)
        seed = (seed ^ at[i]) * 0x100000001b3ull;
    return seed;
}

int
digest_file(const char *path, uint64_t *out)
{
    FILE *file = fopen(path, "rb");
    unsigned char bytes[16384];
    uint64_t all = DIGEST_SEED;
    size_t count;
    int err = 0;

    if (file == NULL)
        return -errno;
    while ((count = fread(bytes, 1, sizeof(bytes), file)) > 0)
        all = digest64(all, bytes, count);
    if (ferror(file))
        err = errno != 0 ? -errno : -EIO;
    fclose(file);
    *out = all != 0 ? all : 1;
    return err;
}

uint32_t
digest_own(const void *own, uint32_t bytes)
{
    uint64_t all = digest64(DIGEST_SEED, own, bytes);

    return (uint32_t)(all >> 32 ^ all);
}
