/*
 * The client side: one thread that owns the socket to the server, polls the
 * pilot's input once a tick, predicts, decides cues, sends; and takes each
 * snapshot as soon as it comes. The order within a tick is fixed:
 *
 *     poll - keep - predict - cues - send - flush
 *
 * and for a snapshot:
 *
 *     decode, whole or not at all - compare and replay - cues
 */
#ifndef CLIENT_H
#define CLIENT_H

#include "haptics.h"
#include "instance.h"
#include "proto.h"
#include "side.h"

struct client;

#define CLIENT_CUES_MAX 4

/* Sees every message of a client: `sent` by it, or received. [client tick] */
typedef void client_tap(void *context, int sent, enum net_channel channel,
                        const uint8_t *bytes, size_t count);

struct client_config {
    struct side_config side; /* address and port: the server's */
    const char *name;        /* player */
    const char *options;     /* join options for the sim */
    int stages; /* ask for stage stamps, if the server is on this machine */
    uint64_t connect_ns; /* give up connecting after this */
    client_tap *tap;     /* NULL: nobody looks */
    void *tap_context;
};

/* Plugins and the haptics thread; borrowed from client_begin on. */
struct client_parts {
    struct instance *broadcaster, *predictor, *input;
    struct instance *cues[CLIENT_CUES_MAX];
    uint32_t cues_count;
    struct haptics *haptics; /* NULL: none */
    /* The model's judgement of an Own message, with its instance. */
    int (*own_check)(const struct hp_instance *model, const void *own,
                     uint32_t bytes);
    const struct hp_instance *model;
};

/* Latencies that only the client can see. */
struct client_stages {
    struct hist input_to_snapshot_ns; /* sampled to: snapshot that used it
                                       * is decoded */
    struct hist send_ns;              /* sampled to sent */
    struct hist enet_rtt_us; /* ENet's estimate each tick, once acked */
    struct hist ping_event_ns, ping_tick_ns;
    struct hist decode_ns; /* arrival to decoded, predicted, cued */
    struct hist margin_ns; /* how early inputs came, late ones as 0 */
    _Atomic uint64_t rtt_placeholders; /* samples before the first ack */
    _Atomic uint64_t snapshots, undecoded, stale, events, bad_messages;
    _Atomic uint64_t snapshot_gaps; /* ticks that should have had one */
    _Atomic uint64_t inputs_missed; /* the server had to repeat */
    _Atomic uint64_t newest_tick, newest_ns; /* newest snapshot: its tick, and
                                              * when it came */
};

/*
 * [main] Opens the socket, connects, says Hello and waits for the Welcome: the
 * caller holds `waiter`. Logs a failure. What net_connect returned;
 * -ETIMEDOUT: nobody answers; -ECONNREFUSED: the server refused and said why;
 * -ECONNRESET: it did so without a word; -EPROTO: its answer makes no sense;
 * -ENOMEM; -EINTR: `interrupted` turned 1.
 */
int client_connect(struct client **out, const struct client_config *config,
                   struct clock_waiter *waiter, const _Atomic int *interrupted);

/*
 * [main] The same in steps, for one that connects many at once: opens the
 * socket and begins. What net_connect returned, logged; or -ENOMEM.
 */
int client_begin(struct client **out, const struct client_config *config);
/*
 * [main] The next step, whenever client_fd is readable or client_due_ns has
 * passed. 1: welcome; 0: not yet; or an error of client_connect, which is not
 * logged: client_is_lost says why.
 */
int client_await(struct client *c);

/* [main] Closes the socket; the thread has ended. Accepts NULL. */
void client_destroy(struct client *c);

/* The server's word; lives as long as the client. */
const struct proto_welcome *client_welcome(const struct client *c);

/*
 * [main] Takes started plugins; `limits` are the ones that they were started
 * with. From here on the client may be driven. -ENOMEM.
 */
int client_prepare(struct client *c, const struct client_parts *parts,
                   const struct hp_limits *limits);

/* [main] Drives it on a thread of its own. What clock_thread_launch returns. */
int client_start(struct client *c);
/* [any] Asks the thread to say goodbye and end. */
void client_stop(struct client *c);
/* [main] Waits for it, as server_join does. */
void client_join(struct client *c, struct clock_waiter *of_caller);

/*
 * Or without a thread, for one that drives many: greet once, then serve
 * whenever client_fd is readable or client_due_ns has passed, leave at the end.
 */
void client_greet(struct client *c);
uint64_t client_due_ns(const struct client *c);
void client_serve(struct client *c);
int client_fd(const struct client *c);
void client_leave(struct client *c);

/* [any] 1 when the server's clock is ours, so that what comes of an event is
 * timed from the end of its step; else from the snapshot's arrival. */
int client_shares_clock(const struct client *c);

/* [any] 1 once the server has let go or is lost; `why` (256 bytes) says it. */
int client_is_lost(const struct client *c, char *why);

/* [any] */
const struct side_report *client_report(const struct client *c);
const struct client_stages *client_stages(const struct client *c);

#endif
