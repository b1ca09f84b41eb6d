/*
 * One record in bits, whatever the sim: the schema's table is walked, field by
 * field, by the writer and the reader alike. An integer takes the bits that
 * its range needs, a real number is rounded to its step, a quaternion becomes
 * the number of its largest part and the three others. So all records of a
 * schema take the same number of bits.
 */
#ifndef BROADCASTER_RECORD_H
#define BROADCASTER_RECORD_H

#include <hardpoint/types.h>
#include <wire/bits.h>

struct record_coder;

/*
 * Makes a coder for a schema, which is borrowed for the call. -EINVAL: the
 * schema makes no sense, and `why` says so; -ENOMEM.
 */
int record_coder_create(struct record_coder **out,
                        const struct hp_schema *schema, char *why,
                        size_t why_bytes);
void record_coder_destroy(struct record_coder *coder);

uint32_t record_coder_bits(const struct record_coder *coder);

/* Numbers out of range are brought to its nearer end, NaN to the lower one. */
void record_put(const struct record_coder *coder, struct bits_out *out,
                const void *record);
/* Untrusted. -EBADMSG: a number that record_put never makes. Bytes that no
 * field covers become zero. */
int record_get(const struct record_coder *coder, struct bits_in *in,
               void *record);

#endif
