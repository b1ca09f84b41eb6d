/*
 * Fuzzing the decoder of snapshots, twice: for a client that has no snapshot
 * yet and for one that has. What holds for any bytes: a message that is taken
 * lies within its limits, its body is the end of the bytes, and its header
 * goes out and comes in as the same again.
 */
#include "proto.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR UINT64_C(70000)

static void
hold(int truth)
{
    if (!truth)
        abort();
}

static void
hold_event(const struct hp_event *event, uint64_t tick)
{
    int i;

    hold(event->tick <= tick && event->cause_tick <= event->tick);
    hold(event->audience <= HP_AUDIENCE_ALL);
    hold(isfinite(event->strength));
    for (i = 0; i < 3; i++)
        hold(event->direction[i] >= -1 && event->direction[i] <= 1);
}

/* The body is not put, and events only as far as a quarter of the datagram. */
static void
hold_round_trip(const struct proto_snapshot *first)
{
    struct proto_snapshot second;
    uint8_t out[8192]; /* a quarter of it holds any events */
    uint32_t put_events;
    int put = proto_put_snapshot(out, sizeof(out), first, &put_events);

    hold(put > 0 && put_events == first->event_count);
    hold(proto_get_snapshot(out, (size_t)put, 0, &second) == 0);
    hold(second.body_bytes == 0);
    second.body = first->body;
    second.body_bytes = first->body_bytes;
    hold(memcmp(first, &second, sizeof(second)) == 0);
}

static void
try_at(const uint8_t *bytes, size_t count, uint64_t now)
{
    struct proto_snapshot m;
    int err = proto_get_snapshot(bytes, count, now, &m);
    uint32_t i;

    hold(err == 0 || err == -EBADMSG);
    if (err != 0) {
        hold(m.event_count == 0 && m.body == NULL);
        return;
    }
    hold(m.input_tick <= m.tick);
    hold(m.body + m.body_bytes == bytes + count);
    hold(m.event_count <= PROTO_EVENTS_MAX);
    for (i = 0; i < m.event_count; i++)
        hold_event(&m.events[i], m.tick);
    hold_round_trip(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    try_at(bytes, count, 0);
    try_at(bytes, count, NEAR);
    return 0;
}
