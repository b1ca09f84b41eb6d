/*
 * The server side: one thread that owns the socket, the world and what each
 * client is told. The order within a tick is fixed:
 *
 *     drain - freeze inputs - step - view - for each client: encode, queue -
 *     flush
 *
 * ([net] service = tick drains after the flush instead, for comparison.)
 */
#ifndef SERVER_H
#define SERVER_H

#include "instance.h"
#include "proto.h"
#include "side.h"

struct record;
struct server;

/* Parts that server_create borrows; they outlive the server. */
struct server_parts {
    struct instance *sim; /* started, with `limits`, as is the next */
    struct instance *broadcaster;
    const struct hp_limits *limits;
    const struct proto_plugin *plugins; /* that clients must match */
    uint32_t plugin_count;
    const struct proto_shared *shared;
    uint32_t shared_count;
    struct record *record; /* of the world; NULL: none */
};

/* What the phases of a tick cost, and stages that only the server knows. */
struct server_stages {
    struct hist step_ns, view_ns, encode_ns, flush_ns;
    struct hist input_wait_ns; /* arrival of an input to its tick's start */
};

/* [main] Opens the socket. The error is logged. What net_listen returned, or
 * -ENOMEM. */
int server_create(struct server **out, const struct side_config *config,
                  const struct server_parts *parts);
/* [main] Closes the socket; the thread has ended. Accepts NULL. */
void server_destroy(struct server *s);

struct bans;
/* [main] From the next tick on, who is banned is let go and not answered. Takes
 * the bans over; NULL is not one, an empty file is. */
void server_set_bans(struct server *s, struct bans *bans);

/* [main] Starts the thread. What clock_thread_launch returns. */
int server_start(struct server *s);
/* [any] Asks the thread to tell every client and end. */
void server_stop(struct server *s);
/* [main] Waits for it, also when it was never started; `of_caller` is the
 * caller's place on the clock. */
void server_join(struct server *s, struct clock_waiter *of_caller);

uint16_t server_port(const struct server *s);
/* [any] */
const struct side_report *server_report(const struct server *s);
const struct server_stages *server_stages(const struct server *s);

#endif
