#include "session.h"
#include <errno.h>
#include <string.h>

#define SECOND_NS        1000000000ull
#define FAULTS_MAX       16
#define FAULTS_WINDOW_NS 10000000000ull

/* The own state goes out every so many ticks unasked. */
#define OWN_EVERY_TICKS 64
/* An asked-for one is not sent again while it may still be on its way. */
#define OWN_AGAIN_TICKS 4

int
session_init(struct session *s, uint32_t window)
{
    return input_queue_create(&s->inputs, window);
}

void
session_finish(struct session *s)
{
    input_queue_destroy(s->inputs);
    s->inputs = NULL;
}

void
session_open(struct session *s, uint32_t peer, uint64_t now_ns)
{
    struct input_queue *inputs = s->inputs;

    memset(s, 0, sizeof(*s));
    s->inputs = inputs;
    s->state = SESSION_CONNECTED;
    s->peer = peer;
    s->opened_ns = now_ns;
    s->second_ns = now_ns;
}

int
session_count_message(struct session *s, uint32_t a_second, uint64_t now_ns)
{
    if (now_ns - s->second_ns >= SECOND_NS) {
        s->seconds_over =
            s->messages > a_second && now_ns - s->second_ns < 2 * SECOND_NS
                ? s->seconds_over + 1
                : 0;
        s->second_ns = now_ns;
        s->messages = 0;
    }
    if (++s->messages <= a_second)
        return 1;
    return s->seconds_over >= SESSION_RATE_SECONDS ? -EBUSY : 0;
}

void
session_join(struct session *s, uint32_t client,
             const struct proto_hello *hello, uint64_t next)
{
    s->state = SESSION_JOINED;
    s->client = client;
    s->stages = hello->flags & PROTO_HELLO_STAGES;
    memcpy(s->name, hello->name, sizeof(s->name));
    input_queue_reset(s->inputs, next);
    ack_window_reset(&s->acks);
    event_queue_reset(&s->events);
    s->own_wanted = 1;
}

static int
message_has(const struct proto_input *m, uint32_t back)
{
    return m->acks[back / 64] >> back % 64 & 1;
}

/* Oldest first, so that whoever is told sees ticks rise. */
static void
take_acks(struct session *s, const struct proto_input *m, session_acked *acked,
          void *context)
{
    uint32_t back = m->ack_bits;
    uint64_t tick;

    while (back-- > 0) {
        tick = m->snapshot - back;
        if (back > m->snapshot || !message_has(m, back) ||
            !ack_window_mark(&s->acks, tick))
            continue;
        event_queue_acked(&s->events, tick);
        acked(context, s, tick);
    }
}

int
session_take_input(struct session *s, const uint8_t *bytes, size_t count,
                   uint64_t arrived_ns, uint64_t now, uint32_t window,
                   session_acked *acked, void *context)
{
    struct proto_input m;
    uint32_t i;
    int err = proto_get_input(bytes, count, now, window, &m);

    if (err == -ERANGE)
        return 0; /* no fault of its: it comes from too far behind to use */
    if (err < 0)
        return err;
    if (m.ack_bits > 0 && m.snapshot > now)
        return -EBADMSG;
    for (i = 0; i < m.input_count && i <= m.tick; i++)
        input_queue_push(s->inputs, m.tick - i, &m.inputs[i], arrived_ns,
                         m.snapshot);
    take_acks(s, &m, acked, context);
    /* Datagrams may overtake each other: only the newest one's wish counts. */
    if (m.tick >= s->last_input || m.tick + window < s->last_input) {
        s->last_input = m.tick;
        s->own_wanted = m.flags & PROTO_INPUT_WANT_OWN;
    }
    return 0;
}

int
session_fault(struct session *s, uint64_t now_ns)
{
    if (now_ns - s->faults_since_ns > FAULTS_WINDOW_NS) {
        s->faults_since_ns = now_ns;
        s->faults = 0;
    }
    return ++s->faults >= FAULTS_MAX;
}

int
session_wants_own(const struct session *s, uint64_t tick)
{
    if (s->own_wanted &&
        (s->own_sent == 0 || tick - s->own_sent >= OWN_AGAIN_TICKS))
        return 1;
    return (tick + s->client) % OWN_EVERY_TICKS == 0;
}
