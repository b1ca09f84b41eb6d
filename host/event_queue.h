/*
 * Events on their way to one client: each goes into every snapshot, oldest
 * first, until one that carried it is known to be decoded.
 */
#ifndef EVENT_QUEUE_H
#define EVENT_QUEUE_H

#include <hardpoint/types.h>
#include <stdint.h>

#define EVENT_QUEUE_MAX 128

/* Snapshots of which it is known what they carried. What an acknowledgement of
 * an older one says is lost, and a newer one says it again. */
#define EVENT_QUEUE_SNAPSHOTS 256

struct event_cargo {
    uint64_t tick;
    uint32_t last_id; /* of the events in it; 0: none */
};

struct event_queue {
    uint32_t first; /* index of the oldest */
    uint32_t count;
    uint32_t next_id;
    uint64_t lost; /* pushed while full: the oldest made room */
    struct hp_event events[EVENT_QUEUE_MAX];
    struct event_cargo cargo[EVENT_QUEUE_SNAPSHOTS]; /* ring by tick */
};

void event_queue_reset(struct event_queue *q);
/* Numbers the event and keeps it; when full, the oldest makes room. */
void event_queue_push(struct event_queue *q, const struct hp_event *event);
/* Copies up to `capacity` of the oldest; returns how many. */
uint32_t event_queue_peek(const struct event_queue *q, struct hp_event *out,
                          uint32_t capacity);
/* The `count` oldest went into the snapshot of `tick`. A later snapshot may hold
 * fewer, as events take more room the older they are: so each is noted. */
void event_queue_sent(struct event_queue *q, uint32_t count, uint64_t tick);
/* The snapshot of `tick` was decoded: what it carried is done. */
void event_queue_acked(struct event_queue *q, uint64_t tick);

#endif
