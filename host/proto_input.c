/*
 * Input: what a pilot commanded for the newest ticks, and which snapshots the
 * client has decoded. Sent each tick, one datagram.
 *
 *     0x14  flags u8  tick u16  runs u8
 *     with runs:  snapshot u16, then each run's length varint
 *     inputs u8
 *       an input: changed varint
 *                 then what `changed` names, in this order:
 *                 bit 0  buttons varint   xor with the input before
 *                 bit 1  flags varint     xor with the input before
 *                 bit 2..9  axis 0..7     i16 in the first input, then the
 *                                         zigzag difference to the one before
 *
 * Ticks are the low 16 bits, expanded to the nearest the server's own: a
 * window is at most 1024 ticks. Inputs stand newest first and each differs
 * from the one before, the first from all zeros; its tick is one less. What is
 * named as changed must be changed, so there is one way to say a thing.
 *
 * Runs count ticks back from `snapshot`: so many decoded, so many not, so many
 * decoded, ... 1 to 1024 ticks in all. A run of 64 without loss is one byte.
 */
#include "proto_bytes.h"
#include <errno.h>
#include <string.h>

#define ACKS_MAX        1024
#define CHANGED_BUTTONS 1u
#define CHANGED_FLAGS   2u
#define CHANGED_AXIS(i) (4u << (i))
#define CHANGED_MAX     (CHANGED_AXIS(HP_AXIS_COUNT) - 1)

/* Within one input, REPEATED is the server's word and never travels. */
static uint16_t
wire_flags(const struct hp_input *input)
{
    return input->flags & (uint16_t)~HP_INPUT_REPEATED;
}

/* How many of `bits` acks from the one at `from` on are as that one is. */
static uint32_t
run_length(const struct proto_input *m, uint32_t from, uint32_t bits)
{
    uint64_t invert = m->acks[from / 64] >> from % 64 & 1 ? UINT64_MAX : 0;
    uint32_t at = from, left, same;
    uint64_t different;

    while (at < bits) {
        different = (m->acks[at / 64] ^ invert) >> at % 64;
        left = 64 - at % 64;
        same = different != 0 ? (uint32_t)__builtin_ctzll(different) : left;
        at += same;
        if (same < left)
            break;
    }
    return (at < bits ? at : bits) - from;
}

/* Run lengths of the acks, the first of decoded ticks; as many as may be told. */
static uint32_t
acks_to_runs(const struct proto_input *m, uint32_t *runs)
{
    uint32_t bits = m->ack_bits < ACKS_MAX ? m->ack_bits : ACKS_MAX;
    uint32_t at = 0, count = 0;

    if (bits == 0 || !(m->acks[0] & 1))
        return 0;
    while (at < bits && count < PROTO_RANGES_MAX) {
        runs[count] = run_length(m, at, bits);
        at += runs[count++];
    }
    return count;
}

static void
put_acks(struct bytes_out *out, const struct proto_input *m)
{
    uint32_t runs[PROTO_RANGES_MAX], i, count = acks_to_runs(m, runs);

    bytes_put_u8(out, (uint8_t)count);
    if (count == 0)
        return;
    bytes_put_u16(out, (uint16_t)m->snapshot);
    for (i = 0; i < count; i++)
        bytes_put_varint(out, runs[i]);
}

static unsigned
changes(const struct hp_input *input, const struct hp_input *before)
{
    unsigned i, changed = 0;

    if (input->buttons != before->buttons)
        changed |= CHANGED_BUTTONS;
    if (wire_flags(input) != wire_flags(before))
        changed |= CHANGED_FLAGS;
    for (i = 0; i < HP_AXIS_COUNT; i++)
        if (input->axes[i] != before->axes[i])
            changed |= CHANGED_AXIS(i);
    return changed;
}

static void
put_one(struct bytes_out *out, const struct hp_input *input,
        const struct hp_input *before, int first)
{
    unsigned i, changed = changes(input, before);

    bytes_put_varint(out, changed);
    if (changed & CHANGED_BUTTONS)
        bytes_put_varint(out, input->buttons ^ before->buttons);
    if (changed & CHANGED_FLAGS)
        bytes_put_varint(out,
                         (unsigned)(wire_flags(input) ^ wire_flags(before)));
    for (i = 0; i < HP_AXIS_COUNT; i++) {
        if (!(changed & CHANGED_AXIS(i)))
            continue;
        if (first)
            bytes_put_u16(out, (uint16_t)input->axes[i]);
        else
            bytes_put_zigzag(out, input->axes[i] - before->axes[i]);
    }
}

/* The count goes in front once it is known how many fitted. */
static void
put_inputs(struct bytes_out *out, const struct proto_input *m)
{
    static const struct hp_input zeros;
    uint32_t wanted =
        m->input_count < PROTO_INPUTS_MAX ? m->input_count : PROTO_INPUTS_MAX;
    size_t count_at = out->count;
    uint32_t i;

    bytes_put_u8(out, 0);
    for (i = 0; i < wanted && !out->bad; i++) {
        struct bytes_out one = *out;

        put_one(&one, &m->inputs[i], i == 0 ? &zeros : &m->inputs[i - 1],
                i == 0);
        if (one.bad)
            break;
        *out = one;
    }
    if (!out->bad)
        out->bytes[count_at] = (uint8_t)i;
}

int
proto_put_input(void *bytes, size_t capacity, const struct proto_input *m)
{
    struct bytes_out out;

    proto_put_head(&out, bytes, capacity, PROTO_INPUT);
    bytes_put_u8(&out, m->flags);
    bytes_put_u16(&out, (uint16_t)m->tick);
    put_acks(&out, m);
    put_inputs(&out, m);
    return proto_put_end(&out);
}

/* The tick nearest to `now` with these low bits; before tick 0 is bad. */
static uint64_t
expand(struct bytes_in *in, uint16_t low, uint64_t now)
{
    int16_t ahead = (int16_t)(uint16_t)(low - now);

    if (ahead < 0 && (uint64_t)-ahead > now)
        in->bad = 1;
    return now + (uint64_t)(int64_t)ahead;
}

/* Bits of a whole run at once: at most 17 words are touched. */
static void
set_acks(uint64_t *acks, uint32_t from, uint32_t count)
{
    while (count > 0) {
        uint32_t bit = from % 64;
        uint32_t here = count < 64 - bit ? count : 64 - bit;

        acks[from / 64] |= (UINT64_MAX >> (64 - here)) << bit;
        from += here;
        count -= here;
    }
}

static void
get_runs(struct bytes_in *in, uint32_t runs, struct proto_input *out)
{
    uint32_t i, length, at = 0;

    for (i = 0; i < runs && !in->bad; i++) {
        length = proto_get_varint(in, 1, ACKS_MAX - at);
        if (i % 2 == 0)
            set_acks(out->acks, at, length);
        at += length;
    }
    out->ack_bits = at;
}

/*
 * A snapshot that the server has not made is a lie. One from before the window
 * is an honest client behind an outage: its acks are of no more use, and are
 * left out.
 */
static void
get_acks(struct bytes_in *in, uint64_t now, uint32_t window,
         struct proto_input *out)
{
    uint32_t runs =
        (uint32_t)proto_within(in, bytes_get_u8(in), 0, PROTO_RANGES_MAX);

    if (runs == 0)
        return;
    out->snapshot = expand(in, bytes_get_u16(in), now);
    get_runs(in, runs, out);
    if (out->snapshot > now)
        in->bad = 1;
    else if (now - out->snapshot > window) {
        out->snapshot = 0;
        out->ack_bits = 0;
        memset(out->acks, 0, sizeof(out->acks));
    }
}

/* -32768 has no mirror image, so it is no axis value. */
static int16_t
get_axis(struct bytes_in *in, int16_t before, int first)
{
    int64_t value = first ? (int16_t)bytes_get_u16(in) : bytes_get_zigzag(in);

    if (value < -2 * INT16_MAX || value > 2 * INT16_MAX || value == 0)
        in->bad = 1;
    else
        value += before;
    if (value < -INT16_MAX || value > INT16_MAX)
        in->bad = 1;
    return (int16_t)value;
}

static void
get_one(struct bytes_in *in, struct hp_input *input,
        const struct hp_input *before, int first)
{
    uint32_t i, changed = proto_get_varint(in, 0, CHANGED_MAX);

    *input = *before;
    if (changed & CHANGED_BUTTONS)
        input->buttons ^= proto_get_varint(in, 1, UINT32_MAX);
    if (changed & CHANGED_FLAGS)
        input->flags ^= (uint16_t)proto_get_varint(in, 1, UINT16_MAX);
    input->flags = wire_flags(input);
    for (i = 0; i < HP_AXIS_COUNT; i++)
        if (changed & CHANGED_AXIS(i))
            input->axes[i] = get_axis(in, before->axes[i], first);
}

static void
get_inputs(struct bytes_in *in, struct proto_input *out)
{
    static const struct hp_input zeros;
    uint32_t i;

    out->input_count =
        (uint32_t)proto_within(in, bytes_get_u8(in), 0, PROTO_INPUTS_MAX);
    for (i = 0; i < out->input_count && !in->bad; i++)
        get_one(in, &out->inputs[i], i == 0 ? &zeros : &out->inputs[i - 1],
                i == 0);
    /* The oldest must not be from before tick 0. */
    if (out->input_count > 0 && out->input_count - 1 > out->tick)
        in->bad = 1;
}

int
proto_get_input(const void *bytes, size_t count, uint64_t now, uint32_t window,
                struct proto_input *out)
{
    struct bytes_in in;
    uint64_t away;
    int err;

    memset(out, 0, sizeof(*out));
    proto_get_head(&in, bytes, count, PROTO_INPUT);
    out->flags = bytes_get_u8(&in);
    out->tick = expand(&in, bytes_get_u16(&in), now);
    away = out->tick > now ? out->tick - now : now - out->tick;
    get_acks(&in, now, window, out);
    get_inputs(&in, out);
    err = proto_get_end(&in, out, sizeof(*out));
    if (err < 0 || away <= window)
        return err;
    memset(out, 0, sizeof(*out));
    return -ERANGE;
}
