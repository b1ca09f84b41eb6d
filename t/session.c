/* What the server makes of a client's Input messages. */
#include "session.h"
#include "tap.h"
#include <errno.h>

#define WINDOW 64

static struct session client;
static uint64_t acked_ticks[128];
static uint32_t acked_count;

static void
note_ack(void *context, struct session *s, uint64_t tick)
{
    (void)context;
    (void)s;
    acked_ticks[acked_count++] = tick;
}

static void
open_session(uint64_t next)
{
    static const struct proto_hello hello = {.version = PROTO_VERSION};

    ok_int(session_init(&client, WINDOW), 0);
    session_open(&client, 0, 0);
    session_join(&client, 3, &hello, next);
    acked_count = 0;
}

static int
say(uint64_t tick, uint64_t snapshot, uint32_t bits, uint64_t now)
{
    struct proto_input m = {.tick = tick, .snapshot = snapshot};
    uint8_t bytes[1200];
    int count;

    m.input_count = 1;
    m.ack_bits = bits;
    memset(m.acks, 0xff, sizeof(m.acks));
    count = proto_put_input(bytes, sizeof(bytes), &m);
    ok(count > 0);
    return session_take_input(&client, bytes, (size_t)count, 1, now, WINDOW,
                              note_ack, NULL);
}

static void
a_client_that_was_held_up_is_no_fault(void)
{
    open_session(1000);
    ok_int(say(900, 899, 1, 1000), 0);
    ok_int(say(1100, 999, 1, 1000), 0);
    ok_int(acked_count, 0);
    ok_int(say(1001, 999, 1, 1000), 0);
    ok_int(acked_count, 1);
    session_finish(&client);
}

static void
ticks_are_acknowledged_once_and_rising(void)
{
    uint32_t i;

    open_session(1000);
    ok_int(say(1001, 995, 4, 1000), 0);
    ok_int(say(1002, 997, 6, 1001), 0);
    ok_int(acked_count, 6);
    for (i = 0; i < acked_count; i++)
        ok_int(acked_ticks[i], 992 + i);
    session_finish(&client);
}

static void
an_acknowledgement_of_the_future_is_a_fault(void)
{
    open_session(1000);
    ok_int(say(1001, 1001, 1, 1000), -EBADMSG);
    session_finish(&client);
}

static void
the_budget_of_faults_is_sixteen_in_ten_seconds(void)
{
    uint64_t second = 1000000000, i;

    open_session(0);
    for (i = 0; i < 15; i++)
        ok_int(session_fault(&client, 20 * second), 0);
    ok_int(session_fault(&client, 40 * second), 0);
    for (i = 0; i < 14; i++)
        ok_int(session_fault(&client, 41 * second), 0);
    ok_int(session_fault(&client, 42 * second), 1);
    session_finish(&client);
}

TAP_MAIN(FACT(a_client_that_was_held_up_is_no_fault),
         FACT(ticks_are_acknowledged_once_and_rising),
         FACT(an_acknowledgement_of_the_future_is_a_fault),
         FACT(the_budget_of_faults_is_sixteen_in_ten_seconds))
