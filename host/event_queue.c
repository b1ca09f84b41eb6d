#include "event_queue.h"
#include <string.h>

void
event_queue_reset(struct event_queue *q)
{
    q->first = 0;
    q->count = 0;
    q->next_id = 1;
    q->lost = 0;
    memset(q->cargo, 0, sizeof(q->cargo));
}

static uint32_t
place(const struct event_queue *q, uint32_t i)
{
    return (q->first + i) % EVENT_QUEUE_MAX;
}

void
event_queue_push(struct event_queue *q, const struct hp_event *event)
{
    uint32_t at;

    if (q->count == EVENT_QUEUE_MAX) {
        q->first = place(q, 1);
        q->count--;
        q->lost++;
    }
    at = place(q, q->count++);
    q->events[at] = *event;
    q->events[at].id = q->next_id++;
}

uint32_t
event_queue_peek(const struct event_queue *q, struct hp_event *out,
                 uint32_t capacity)
{
    uint32_t i;

    for (i = 0; i < q->count && i < capacity; i++)
        out[i] = q->events[place(q, i)];
    return i;
}

void
event_queue_sent(struct event_queue *q, uint32_t count, uint64_t tick)
{
    struct event_cargo *cargo = &q->cargo[tick % EVENT_QUEUE_SNAPSHOTS];

    if (count > q->count)
        count = q->count;
    cargo->tick = tick;
    cargo->last_id = count > 0 ? q->events[place(q, count - 1)].id : 0;
}

void
event_queue_acked(struct event_queue *q, uint64_t tick)
{
    const struct event_cargo *cargo = &q->cargo[tick % EVENT_QUEUE_SNAPSHOTS];

    if (cargo->tick != tick || cargo->last_id == 0)
        return;
    while (q->count > 0 &&
           (int32_t)(q->events[q->first].id - cargo->last_id) <= 0) {
        q->first = place(q, 1);
        q->count--;
    }
}
