/*
 * SipHash-2-4 by Aumasson and Bernstein: a keyed hash of a few bytes that
 * nobody without the key can foretell.
 */
#ifndef SIPHASH_H
#define SIPHASH_H

#include <stddef.h>
#include <stdint.h>

#define SIPHASH_KEY_BYTES 16

uint64_t siphash(const uint8_t key[SIPHASH_KEY_BYTES], const void *bytes,
                 size_t count);

#endif
