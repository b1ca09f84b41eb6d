/*
 * Fuzzing the decoder of inputs. What holds for any bytes: a message that is
 * taken lies within its limits, and goes out and comes in as the same again.
 */
#include "proto.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOW    UINT64_C(70000) /* its low bits have wrapped once */
#define WINDOW 1000

static void
hold(int truth)
{
    if (!truth)
        abort();
}

static void
hold_one(const struct hp_input *input)
{
    int i;

    hold(input->sampled_ns == 0 && input->reserved == 0);
    hold(!(input->flags & HP_INPUT_REPEATED));
    for (i = 0; i < HP_AXIS_COUNT; i++)
        hold(input->axes[i] >= -INT16_MAX);
}

static void
hold_limits(const struct proto_input *m)
{
    uint32_t i;

    hold(m->tick <= NOW + WINDOW && m->tick + WINDOW >= NOW);
    hold(m->snapshot <= NOW && m->ack_bits <= 1024);
    hold(m->ack_bits == 0 || m->acks[0] & 1);
    for (i = m->ack_bits; i < 1024; i++)
        hold(!(m->acks[i / 64] >> i % 64 & 1));
    hold(m->input_count <= PROTO_INPUTS_MAX);
    for (i = 0; i < m->input_count; i++)
        hold_one(&m->inputs[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct proto_input first, second;
    uint8_t out[2048];
    int err = proto_get_input(bytes, count, NOW, WINDOW, &first), put;

    hold(err == 0 || err == -EBADMSG || err == -ERANGE);
    if (err != 0) {
        hold(first.input_count == 0 && first.ack_bits == 0);
        return 0;
    }
    hold_limits(&first);
    put = proto_put_input(out, sizeof(out), &first);
    hold(put > 0 && (size_t)put <= count);
    hold(proto_get_input(out, (size_t)put, NOW, WINDOW, &second) == 0);
    hold(memcmp(&first, &second, sizeof(first)) == 0);
    return 0;
}
