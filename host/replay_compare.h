/* Where two worlds differ: the inside of replay.c. */
#ifndef REPLAY_COMPARE_H
#define REPLAY_COMPARE_H

#include "replay.h"

/* What the replay made of one tick, in the recording's terms. */
struct replay_moment {
    const struct record_header *header;
    uint64_t hash;
    uint32_t count, event_count, event_digest;
    const uint8_t *view; /* records of header->record_bytes */
    const uint16_t *rows, *columns;
    const uint8_t *states; /* by input, own_bytes each */
    const uint16_t *owns;
};

/* Whether a tick came out as recorded. */
int replay_same(const struct record_tick *was, const struct replay_moment *is);
/* Names what differs; the values too if the file has them for this tick. */
void replay_name(const struct record_tick *was, const struct replay_moment *is,
                 struct replay_difference *out);
/* Of a difference that was named before: looks for values in a later tick. 1
 * once there is nothing more to look for. */
int replay_find_values(const struct record_tick *was,
                       const struct replay_moment *is,
                       struct replay_difference *out);
/* One element of a field as text. */
void replay_value(const struct record_field *f, uint32_t element,
                  const uint8_t *record, char *out, size_t bytes);

#endif
