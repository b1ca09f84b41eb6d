/*
 * Fuzzing the decoders of all that travels reliably, by the type that the
 * bytes claim. What holds for any bytes: texts end and hold no control bytes,
 * and a message that is taken goes out and comes in as the same again.
 */
#include "proto.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint8_t out[65536], again[65536];

static void
hold(int truth)
{
    if (!truth)
        abort();
}

static void
hold_line(const char *text, size_t capacity)
{
    hold(memchr(text, '\0', capacity) != NULL);
    for (; *text != '\0'; text++)
        hold((unsigned char)*text >= ' ' && *text != 0x7f);
}

/* Two messages went out of one that came in: they must not differ. */
static void
hold_same(int first, int second)
{
    hold(first > 0 && first == second);
    hold(memcmp(out, again, (size_t)first) == 0);
}

static int
try_hello(const uint8_t *bytes, size_t count)
{
    struct proto_hello m;
    int err = proto_get_hello(bytes, count, &m), put;

    hold_line(m.name, sizeof(m.name));
    hold_line(m.options, sizeof(m.options));
    if (err != 0)
        return err;
    put = proto_put_hello(out, sizeof(out), &m);
    hold(put > 0 && proto_get_hello(out, (size_t)put, &m) == 0);
    hold_same(put, proto_put_hello(again, sizeof(again), &m));
    return 0;
}

static int
try_welcome(const uint8_t *bytes, size_t count)
{
    static struct proto_welcome m;
    int err = proto_get_welcome(bytes, count, &m), put;
    uint32_t i;

    hold(m.schema.field_count <= PROTO_FIELDS_MAX);
    for (i = 0; i < m.schema.field_count; i++) {
        hold_line(m.fields[i].name, 256);
        hold(m.fields[i].offset < m.schema.record_bytes);
        hold(m.fields[i].minimum <= m.fields[i].maximum);
    }
    if (err != 0)
        return err;
    hold(m.rate_den != 0 && m.client < m.clients_max);
    put = proto_put_welcome(out, sizeof(out), &m);
    hold(put > 0 && proto_get_welcome(out, (size_t)put, &m) == 0);
    hold_same(put, proto_put_welcome(again, sizeof(again), &m));
    return 0;
}

static int
try_refusal(const uint8_t *bytes, size_t count)
{
    struct proto_refusal m;
    int err = proto_get_refusal(bytes, count, &m), put;

    hold_line(m.sentence, sizeof(m.sentence));
    if (err != 0)
        return err;
    put = proto_put_refusal(out, sizeof(out), &m);
    hold(put > 0 && proto_get_refusal(out, (size_t)put, &m) == 0);
    hold_same(put, proto_put_refusal(again, sizeof(again), &m));
    return 0;
}

static int
try_own(const uint8_t *bytes, size_t count)
{
    struct proto_own m;
    int err = proto_get_own(bytes, count, &m), put;

    if (err != 0)
        return err;
    hold(m.own_bytes >= 1 && m.own_bytes <= HP_OWN_BYTES_MAX);
    hold(m.own + m.own_bytes == bytes + count);
    put = proto_put_own(out, sizeof(out), &m);
    hold(put > 0 && proto_get_own(out, (size_t)put, &m) == 0);
    hold_same(put, proto_put_own(again, sizeof(again), &m));
    return 0;
}

static int
try_notice(const uint8_t *bytes, size_t count)
{
    struct proto_notice m;
    int err = proto_get_notice(bytes, count, &m), put;

    hold_line(m.sentence, sizeof(m.sentence));
    if (err != 0)
        return err;
    put = proto_put_notice(out, sizeof(out), &m);
    hold(put > 0 && proto_get_notice(out, (size_t)put, &m) == 0);
    hold_same(put, proto_put_notice(again, sizeof(again), &m));
    return 0;
}

static int
try_ping(const uint8_t *bytes, size_t count, enum proto_type type)
{
    struct proto_ping m;
    int err = proto_get_ping(bytes, count, &m), put;

    if (err != 0)
        return err;
    hold(m.path <= PROTO_PATH_TICK);
    put = proto_put_ping(out, sizeof(out), type, &m);
    hold(put == (int)count && memcmp(out, bytes, count) == 0);
    return 0;
}

static int
try_type(int type, const uint8_t *bytes, size_t count)
{
    switch (type) {
    case PROTO_HELLO:
        return try_hello(bytes, count);
    case PROTO_WELCOME:
        return try_welcome(bytes, count);
    case PROTO_REFUSAL:
        return try_refusal(bytes, count);
    case PROTO_OWN:
        return try_own(bytes, count);
    case PROTO_NOTICE:
        return try_notice(bytes, count);
    case PROTO_PING:
    case PROTO_PONG:
        return try_ping(bytes, count, (enum proto_type)type);
    default:
        return -EBADMSG;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    int err = try_type(proto_peek(bytes, count), bytes, count);

    hold(err == 0 || err == -EBADMSG);
    return 0;
}
