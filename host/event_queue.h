/*
 * Events on their way to one client: each goes into every snapshot, oldest
 * first, until one that carried it is known to be decoded.
 */
#ifndef EVENT_QUEUE_H
#define EVENT_QUEUE_H

#include <hardpoint/types.h>
#include <stdint.h>

#define EVENT_QUEUE_MAX 128

struct event_queue {
    uint32_t first; /* index of the oldest */
    uint32_t count;
    uint32_t next_id;
    uint64_t lost; /* pushed while full: the oldest made room */
    struct hp_event events[EVENT_QUEUE_MAX];
    uint64_t sent[EVENT_QUEUE_MAX]; /* tick of the first snapshot with it;
                                     * UINT64_MAX: none yet */
};

void event_queue_reset(struct event_queue *q);
/* Numbers the event and keeps it. */
void event_queue_push(struct event_queue *q, const struct hp_event *event);
/* Copies up to `capacity` of the oldest; returns how many. */
uint32_t event_queue_peek(const struct event_queue *q, struct hp_event *out,
                          uint32_t capacity);
/* The `count` oldest went into the snapshot of `tick`. As what is sent once is
 * in every later snapshot, the first tick is all that need be known. */
void event_queue_sent(struct event_queue *q, uint32_t count, uint64_t tick);
/* The snapshot of `tick` was decoded: what it carried is done. */
void event_queue_acked(struct event_queue *q, uint64_t tick);

#endif
