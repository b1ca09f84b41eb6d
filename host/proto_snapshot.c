/*
 * Snapshot: what one client is told about one tick. One datagram; the header
 * is the host's, the body is the broadcaster's and ends with the datagram.
 *
 *     0x15  tick varint  input_age varint  used_mask u32  margin_us zigzag
 *     dilation_q8 u16  flags u8
 *     with flag 1:  own_check u32
 *     tags u8
 *       a tag: tag u8  bytes u8  value[bytes]
 *         1  peers varint
 *         2  delay_ms varint
 *         3  delay_ticks varint
 *         4  input_age varint  arrived_ns u64  tick_start_ns u64
 *            step_end_ns u64  flush_ns u64               (with flag 2)
 *     events u8
 *       an event: age varint  cause varint  id zigzag  type varint  who u32
 *                 whom u32  audience u8  strength zigzag  direction 3 x i8
 *     body
 *
 * The tick is whole, for a client that has none yet to expand it from; it is
 * no longer than 32 low bits for the first 2^28 ticks. input_tick is the tick
 * less input_age. An event's tick is the snapshot's less its age, its cause
 * that less (cause - 1), or none with 0; its id is the difference to the event
 * before. Strength is in 1/1000, direction in 1/127. A tag that is unknown is
 * skipped.
 */
#include "proto_bytes.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum tag {
    TAG_PEERS = 1,
    TAG_DELAY_MS = 2,
    TAG_DELAY_TICKS = 3,
    TAG_STAGES = 4
};

#define AGE_MAX        65535 /* ticks; any window is shorter */
#define STRENGTH_UNIT  1000
#define DIRECTION_UNIT 127
#define TICKS_AWAY_MAX (UINT64_C(1) << 31)

/* How long before `now`; what is used or happened is never later. */
static uint64_t
age_of(uint64_t now, uint64_t then)
{
    return now > then ? now - then : 0;
}

static uint64_t
event_age_of(uint64_t now, uint64_t then)
{
    uint64_t age = age_of(now, then);

    return age < AGE_MAX ? age : AGE_MAX;
}

static void
put_tag_varint(struct bytes_out *out, enum tag tag, uint64_t value,
               uint8_t *count)
{
    uint8_t bytes[10];
    struct bytes_out inner;

    if (value == 0)
        return;
    bytes_out_init(&inner, bytes, sizeof(bytes));
    bytes_put_varint(&inner, value);
    bytes_put_u8(out, (uint8_t)tag);
    bytes_put_u8(out, (uint8_t)inner.count);
    bytes_put(out, bytes, inner.count);
    ++*count;
}

static void
put_stages(struct bytes_out *out, const struct proto_snapshot *m,
           uint8_t *count)
{
    uint8_t bytes[42];
    struct bytes_out inner;

    if (!(m->flags & PROTO_SNAPSHOT_STAGES))
        return;
    bytes_out_init(&inner, bytes, sizeof(bytes));
    bytes_put_varint(&inner, age_of(m->tick, m->stages.input_tick));
    bytes_put_u64(&inner, m->stages.arrived_ns);
    bytes_put_u64(&inner, m->stages.tick_start_ns);
    bytes_put_u64(&inner, m->stages.step_end_ns);
    bytes_put_u64(&inner, m->stages.flush_ns);
    bytes_put_u8(out, TAG_STAGES);
    bytes_put_u8(out, (uint8_t)inner.count);
    bytes_put(out, bytes, inner.count);
    ++*count;
}

static void
put_tags(struct bytes_out *out, const struct proto_snapshot *m)
{
    size_t count_at = out->count;
    uint8_t count = 0;

    bytes_put_u8(out, 0);
    put_tag_varint(out, TAG_PEERS, m->peers, &count);
    put_tag_varint(out, TAG_DELAY_MS, m->delay_ms, &count);
    put_tag_varint(out, TAG_DELAY_TICKS, m->delay_ticks, &count);
    put_stages(out, m, &count);
    if (!out->bad)
        out->bytes[count_at] = count;
}

/* value / unit rounded to whole steps; NaN, which a sim must not say, is 0. */
static int64_t
to_steps(double value, int64_t unit, int64_t limit)
{
    double steps = rint(value * (double)unit);

    if (isnan(steps))
        return 0;
    if (steps > (double)limit)
        return limit;
    if (steps < (double)-limit)
        return -limit;
    return (int64_t)steps;
}

static void
put_event(struct bytes_out *out, const struct hp_event *event, uint64_t tick,
          uint32_t id_before)
{
    uint64_t age = event_age_of(tick, event->tick), cause = 0;
    int i;

    if (event->cause_tick != 0)
        cause = event_age_of(tick - age, event->cause_tick) + 1;
    bytes_put_varint(out, age);
    bytes_put_varint(out, cause);
    bytes_put_zigzag(out, (int64_t)event->id - id_before);
    bytes_put_varint(out, event->type);
    bytes_put_u32(out, event->who);
    bytes_put_u32(out, event->whom);
    bytes_put_u8(out, (uint8_t)event->audience);
    bytes_put_zigzag(out, to_steps(event->strength, STRENGTH_UNIT, INT32_MAX));
    for (i = 0; i < 3; i++)
        bytes_put_u8(out, (uint8_t)to_steps(event->direction[i], DIRECTION_UNIT,
                                            DIRECTION_UNIT));
}

/* At most a quarter of the datagram: the world must get through too. */
static uint32_t
put_events(struct bytes_out *out, const struct proto_snapshot *m)
{
    uint32_t wanted =
        m->event_count < PROTO_EVENTS_MAX ? m->event_count : PROTO_EVENTS_MAX;
    size_t count_at = out->count, limit = count_at + out->capacity / 4;
    uint32_t i;

    bytes_put_u8(out, 0);
    for (i = 0; i < wanted && !out->bad; i++) {
        struct bytes_out one = *out;

        put_event(&one, &m->events[i], m->tick,
                  i == 0 ? 0 : m->events[i - 1].id);
        if (one.bad || one.count > limit)
            break;
        *out = one;
    }
    if (out->bad)
        return 0;
    out->bytes[count_at] = (uint8_t)i;
    return i;
}

int
proto_put_snapshot(void *bytes, size_t capacity, const struct proto_snapshot *m,
                   uint32_t *events_put)
{
    struct bytes_out out;

    proto_put_head(&out, bytes, capacity, PROTO_SNAPSHOT);
    bytes_put_varint(&out, m->tick);
    bytes_put_varint(&out, age_of(m->tick, m->input_tick));
    bytes_put_u32(&out, m->used_mask);
    bytes_put_zigzag(&out, m->margin_us);
    bytes_put_u16(&out, m->dilation_q8);
    bytes_put_u8(&out, m->flags);
    if (m->flags & PROTO_SNAPSHOT_OWN_CHECK)
        bytes_put_u32(&out, m->own_check);
    put_tags(&out, m);
    *events_put = put_events(&out, m);
    return proto_put_end(&out);
}

/* `now` less an age of at most `limit`, and not from before tick 0. */
static uint64_t
get_age(struct bytes_in *in, uint64_t now, uint64_t limit)
{
    return now -
           proto_within(in, bytes_get_varint(in), 0, now < limit ? now : limit);
}

/* None, or an age plus one. */
static uint64_t
get_cause(struct bytes_in *in, uint64_t now)
{
    uint64_t cause = bytes_get_varint(in);

    if (cause == 0)
        return 0;
    return now - proto_within(in, cause - 1, 0, now < AGE_MAX ? now : AGE_MAX);
}

static void
get_stages(struct bytes_in *in, struct proto_snapshot *out)
{
    out->stages.input_tick = get_age(in, out->tick, out->tick);
    out->stages.arrived_ns = bytes_get_u64(in);
    out->stages.tick_start_ns = bytes_get_u64(in);
    out->stages.step_end_ns = bytes_get_u64(in);
    out->stages.flush_ns = bytes_get_u64(in);
}

/* A tag that we know must be exactly what we know. */
static void
get_tag(struct bytes_in *in, struct proto_snapshot *out, uint32_t *seen)
{
    uint8_t tag = bytes_get_u8(in), count = bytes_get_u8(in);
    const uint8_t *bytes = bytes_get(in, count);
    struct bytes_in value;

    if (bytes == NULL || tag < TAG_PEERS || tag > TAG_STAGES)
        return;
    bytes_in_init(&value, bytes, count);
    switch ((enum tag)tag) {
    case TAG_PEERS:
        out->peers = proto_get_varint(&value, 0, UINT32_MAX);
        break;
    case TAG_DELAY_MS:
        out->delay_ms = proto_get_varint(&value, 0, UINT32_MAX);
        break;
    case TAG_DELAY_TICKS:
        out->delay_ticks = proto_get_varint(&value, 0, UINT32_MAX);
        break;
    case TAG_STAGES:
        get_stages(&value, out);
        break;
    }
    if (value.bad || bytes_left(&value) != 0 || *seen >> tag & 1)
        in->bad = 1;
    *seen |= 1u << tag;
}

static void
get_tags(struct bytes_in *in, struct proto_snapshot *out)
{
    uint32_t i, seen = 0;
    uint32_t count =
        (uint32_t)proto_within(in, bytes_get_u8(in), 0, PROTO_TAGS_MAX);

    for (i = 0; i < count && !in->bad; i++)
        get_tag(in, out, &seen);
    if (!(out->flags & PROTO_SNAPSHOT_STAGES) != !(seen >> TAG_STAGES & 1))
        in->bad = 1;
}

static float
get_direction(struct bytes_in *in)
{
    int8_t value = (int8_t)bytes_get_u8(in);

    if (value < -DIRECTION_UNIT)
        in->bad = 1;
    return (float)value / DIRECTION_UNIT;
}

static void
get_event(struct bytes_in *in, struct hp_event *event, uint64_t tick,
          uint32_t id_before)
{
    int64_t strength, id;
    int i;

    event->tick = get_age(in, tick, AGE_MAX);
    event->cause_tick = get_cause(in, event->tick);
    id = bytes_get_zigzag(in);
    event->id =
        (uint32_t)proto_within(in, (uint64_t)id + id_before, 0, UINT32_MAX);
    event->type = proto_get_varint(in, 0, UINT32_MAX);
    event->who = bytes_get_u32(in);
    event->whom = bytes_get_u32(in);
    event->audience =
        (uint32_t)proto_within(in, bytes_get_u8(in), 0, HP_AUDIENCE_ALL);
    strength = bytes_get_zigzag(in);
    if (strength < -INT32_MAX || strength > INT32_MAX) {
        in->bad = 1;
        strength = 0;
    }
    event->strength = (float)((double)strength / STRENGTH_UNIT);
    for (i = 0; i < 3; i++)
        event->direction[i] = get_direction(in);
}

static void
get_events(struct bytes_in *in, struct proto_snapshot *out)
{
    uint32_t i;

    out->event_count =
        (uint32_t)proto_within(in, bytes_get_u8(in), 0, PROTO_EVENTS_MAX);
    for (i = 0; i < out->event_count && !in->bad; i++)
        get_event(in, &out->events[i], out->tick,
                  i == 0 ? 0 : out->events[i - 1].id);
}

static int
is_near(uint64_t tick, uint64_t now)
{
    return (tick > now ? tick - now : now - tick) < TICKS_AWAY_MAX;
}

static int32_t
get_margin(struct bytes_in *in)
{
    int64_t margin = bytes_get_zigzag(in);

    if (margin < INT32_MIN || margin > INT32_MAX) {
        in->bad = 1;
        return 0;
    }
    return (int32_t)margin;
}

int
proto_get_snapshot(const void *bytes, size_t count, uint64_t now,
                   struct proto_snapshot *out)
{
    struct bytes_in in;

    memset(out, 0, sizeof(*out));
    proto_get_head(&in, bytes, count, PROTO_SNAPSHOT);
    out->tick = bytes_get_varint(&in);
    if (now != 0 && !is_near(out->tick, now))
        in.bad = 1;
    out->input_tick = get_age(&in, out->tick, out->tick);
    out->used_mask = bytes_get_u32(&in);
    out->margin_us = get_margin(&in);
    out->dilation_q8 = bytes_get_u16(&in);
    out->flags = bytes_get_u8(&in);
    if (out->flags & PROTO_SNAPSHOT_OWN_CHECK)
        out->own_check = bytes_get_u32(&in);
    get_tags(&in, out);
    get_events(&in, out);
    out->body_bytes = bytes_left(&in);
    out->body = bytes_get(&in, out->body_bytes);
    return proto_get_end(&in, out, sizeof(*out));
}
