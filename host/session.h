/*
 * One client as the server knows it: from its Hello to its last datagram. Owned
 * by the server's thread.
 */
#ifndef SESSION_H
#define SESSION_H

#include "ack_window.h"
#include "event_queue.h"
#include "input_queue.h"
#include "proto.h"

enum session_state {
    SESSION_FREE = 0,
    SESSION_CONNECTED = 1, /* proven, no Hello yet */
    SESSION_JOINED = 2
};

#define SESSION_PINGS_MAX 8

/* A client that plays sends an input each tick, fifty pings a second, and a few
 * words more. Four times that is taken from it; who goes over it five seconds
 * in a row is let go. A burst after a stall stays within one second. */
#define SESSION_RATE_FACTOR  4
#define SESSION_RATE_SECONDS 5

struct session {
    enum session_state state;
    int refused; /* it has been let go: what is still on its way is ignored */
    uint32_t peer;
    uint32_t client; /* valid once joined */
    char name[PROTO_NAME_MAX];
    int stages; /* wants stage stamps */
    struct input_queue *inputs;
    struct ack_window acks;
    struct event_queue events;
    int own_wanted;      /* the newest input asked for it */
    uint64_t own_sent;   /* tick of the newest Own, 0: none */
    uint64_t last_input; /* newest tick that a message carried */
    uint64_t heard_ns;   /* arrival of its newest message */
    uint64_t twin_ns;    /* when its like joined again, 0: never */
    uint32_t ping_count; /* tick-path pings that wait for the step */
    struct proto_ping pings[SESSION_PINGS_MAX];
    uint32_t faults; /* within the present ten seconds */
    uint64_t faults_since_ns;
    uint64_t opened_ns; /* when it came, or left the world */
    uint64_t second_ns; /* messages are counted from here */
    uint32_t messages;
    uint32_t seconds_over; /* whole ones in a row with too many */
};

/* Makes room for inputs; 0 or -ENOMEM. finish accepts a zeroed session. */
int session_init(struct session *s, uint32_t window);
void session_finish(struct session *s);

/* A proven peer: everything of the one before it is forgotten. */
void session_open(struct session *s, uint32_t peer, uint64_t now_ns);
/* It is in the world as `client`; `next` is the tick that runs next. */
void session_join(struct session *s, uint32_t client,
                  const struct proto_hello *hello, uint64_t next);

/* Counts a message against the rate: 1 to take it, 0 to drop it, -EBUSY: its
 * sender has gone over `a_second` messages a second for too long. */
int session_count_message(struct session *s, uint32_t a_second,
                          uint64_t now_ns);

/* Where the acknowledged ticks go, newest last. */
typedef void session_acked(void *context, struct session *s, uint64_t tick);

/*
 * Takes an Input message. `now` is the newest tick that has run. 0, or
 * -EBADMSG: malformed, or it acknowledges what was never sent.
 */
int session_take_input(struct session *s, const uint8_t *bytes, size_t count,
                       uint64_t arrived_ns, uint64_t now, uint32_t window,
                       session_acked *acked, void *context);

/* Counts a fault of the peer's; 1 when its budget (16 in ten seconds) is
 * spent. */
int session_fault(struct session *s, uint64_t now_ns);

/* Whether the exact own state goes out with the snapshot of `tick`. */
int session_wants_own(const struct session *s, uint64_t tick);

#endif
