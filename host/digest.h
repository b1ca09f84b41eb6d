/* Digests for comparing states; not for secrets. */
#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a over 64 bits, continued from `seed` (DIGEST_SEED to begin). */
#define DIGEST_SEED 0xcbf29ce484222325ull
uint64_t digest64(uint64_t seed, const void *bytes, size_t count);

/* Of a file's bytes; never 0. 0 or a negative errno. */
int digest_file(const char *path, uint64_t *out);

/* The check word of an own state, as snapshots carry it and struct hp_model
 * offers it. */
uint32_t digest_own(const void *own, uint32_t bytes);

#endif
