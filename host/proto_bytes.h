/*
 * What the files of the protocol share: how a message begins and ends, and
 * texts whose bytes may be shown to people. For proto*.c only.
 */
#ifndef PROTO_BYTES_H
#define PROTO_BYTES_H

#include "proto.h"
#include <wire/bytes.h>

/* The first byte: version and type. */
void proto_put_head(struct bytes_out *out, void *bytes, size_t capacity,
                    enum proto_type type);
/* The size of the message, or -EMSGSIZE when something did not fit. */
int proto_put_end(const struct bytes_out *out);

/* Judges length and first byte before anything else is read; what is wrong
 * makes `in` bad. */
void proto_get_head(struct bytes_in *in, const void *bytes, size_t count,
                    enum proto_type type);
/* Ends the message: 0, or -EBADMSG when anything in it was bad or bytes are
 * left over; `out` is all zeros then. */
int proto_get_end(const struct bytes_in *in, void *out, size_t out_bytes);

/* A text field of `capacity` bytes, its NUL included; without a NUL, or over
 * 255 bytes, it does not fit. Control characters go out as '?'. */
void proto_put_line(struct bytes_out *out, const char *text, size_t capacity);
/* A control character is bad: what is logged or shown must not steer a
 * terminal. */
void proto_get_line(struct bytes_in *in, char *text, size_t capacity);

/* An unsigned field that must lie in low .. high, else `in` is bad and the
 * value is 0. */
uint32_t proto_get_varint(struct bytes_in *in, uint64_t low, uint64_t high);
/* The same for a value that was read already. */
uint64_t proto_within(struct bytes_in *in, uint64_t value, uint64_t low,
                      uint64_t high);

#endif
