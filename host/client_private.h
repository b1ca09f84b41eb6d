/* The client's own state, shared by its three files: client.c (ticks and
 * life), client_connect.c (until the Welcome), client_receive.c (what the
 * server says). */
#ifndef CLIENT_PRIVATE_H
#define CLIENT_PRIVATE_H

#include "ack_window.h"
#include "client.h"
#include "pages.h"
#include "steer.h"

#define CLIENT_EFFECTS_MAX  64
#define CLIENT_EVENTS_BYTES (PROTO_EVENTS_MAX * sizeof(struct hp_event))

struct kept_input {
    uint64_t tick;    /* UINT64_MAX: none */
    uint64_t late_ns; /* how late its tick began here */
    struct hp_input input;
};

struct client {
    struct client_config config;
    struct client_parts parts;
    const struct hp_limits *limits;
    struct tick_rate rate; /* the server's */
    struct clock_waiter *waiter;
    struct clock_thread *thread;
    _Atomic int stopping;
    _Atomic int lost; /* release: lost_why stands */
    char lost_why[256];
    struct net *net;
    int connected;            /* the server has answered */
    _Atomic int shares_clock; /* its stage stamps are asked for, and ours */
    struct proto_welcome *welcome;
    uint64_t begun_ns; /* to connect */

    int ticking; /* the first snapshot has come */
    struct tick_schedule schedule;
    struct steer steer;
    struct side_report report;
    struct client_stages stages;

    uint32_t kept_mask;
    struct kept_input *kept; /* ring by tick */
    struct hp_input last_input;
    uint64_t first_input;     /* first tick since begin_ticks */
    uint64_t confirmed_input; /* the server has all up to here */
    uint64_t measured_input;  /* input_to_snapshot: newest recorded */
    struct proto_input input_message;

    struct ack_window decoded;
    struct hp_view view; /* of the newest snapshot */
    void *records;       /* pages, as events are */
    size_t records_bytes;
    struct hp_event *events;
    uint32_t last_event; /* newest id that was handed on */
    struct proto_snapshot snapshot;
    struct hp_truth truth; /* of the newest snapshot */
    int want_own;

    void *own_record;
    struct hp_effect_command *effects;
    unsigned scope;
    uint32_t ping_id;
    uint64_t pinged_ns;
};

/* Shows a received message to the tap. */
void client_tap_received(struct client *c, const struct net_event *event);
/* The connection is over, and why; the first reason stands. */
void client_lose(struct client *c, const char *why);
/* Queues `count` bytes, which may be an error of the put: then nothing. */
void client_send(struct client *c, enum net_channel channel,
                 const uint8_t *bytes, int count);
/* Takes all that the socket has. */
void client_drain(struct client *c);
/* An empty sink over the client's room for effect commands. */
struct hp_effect_sink client_effect_sink(struct client *c);
/* To the haptics thread; `cause_ns` is the sample's or the step's time. */
void client_post_effects(struct client *c, const struct hp_effect_sink *sink,
                         uint64_t cause_ns);
void client_begin_ticks(struct client *c, uint64_t snapshot, uint64_t now_ns);

#endif
