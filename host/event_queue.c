#include "event_queue.h"

void
event_queue_reset(struct event_queue *q)
{
    q->first = 0;
    q->count = 0;
    q->next_id = 1;
    q->lost = 0;
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
    q->sent[at] = UINT64_MAX;
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
    uint32_t i;

    for (i = 0; i < count && i < q->count; i++)
        if (q->sent[place(q, i)] == UINT64_MAX)
            q->sent[place(q, i)] = tick;
}

void
event_queue_acked(struct event_queue *q, uint64_t tick)
{
    while (q->count > 0 && q->sent[q->first] <= tick) {
        q->first = place(q, 1);
        q->count--;
    }
}
