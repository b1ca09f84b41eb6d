/* The server's own state, shared by its three files: server.c (loop and life),
 * server_peers.c (who comes, goes and says what), server_tick.c (one tick). */
#ifndef SERVER_PRIVATE_H
#define SERVER_PRIVATE_H

#include "bans.h"
#include "pages.h"
#include "record.h"
#include "server.h"
#include "session.h"

#define SERVER_EVENTS_MAX   256
#define SERVER_EVENTS_BYTES (SERVER_EVENTS_MAX * sizeof(struct hp_event))

#define SERVER_SHUTS_DOWN "the server shuts down"

struct server {
    struct side_config config;
    struct clock_waiter *waiter;
    struct clock_thread *thread;
    _Atomic int stopping;
    struct net *net;
    struct instance *sim, *broadcaster;
    const struct hp_sim_ops *sim_ops;
    const struct hp_broadcaster_ops *broadcaster_ops;
    const struct hp_limits *limits;
    struct record *record; /* NULL: none is made */
    struct tick_schedule schedule;
    struct side_report report;
    struct server_stages stages;

    uint32_t session_count;         /* one for each peer */
    struct session *sessions;       /* by peer */
    struct session **clients;       /* by client; NULL: free */
    struct hp_client_input *inputs; /* of joined clients, in order */
    uint32_t *own_index;            /* by client, into the view */
    uint32_t joined;
    uint32_t messages_a_second; /* that one client may send */
    struct bans *bans;
    _Atomic(struct bans *) bans_next; /* set by [main] */
    _Atomic(struct bans *) bans_old;  /* freed by [main] */
    uint32_t twins;                   /* sessions whose twin_ns is set */

    void *records; /* the view of the newest tick; pages, as events are */
    size_t records_bytes;
    struct hp_event *events;
    struct hp_view view;

    struct proto_welcome *welcome; /* but for client and tick */
    uint8_t *message;              /* NET_MESSAGE_MAX bytes to write in */
};

static inline uint64_t
server_now(const struct server *s)
{
    return clock_now_ns(s->config.clock);
}

/* Sends the first `count` bytes of s->message; none when that is an error. */
void server_send(struct server *s, const struct session *c,
                 enum net_channel channel, int count);
/* Tells the peer why in words, then lets it go. */
void server_refuse(struct server *s, struct session *c, uint16_t code,
                   const char *sentence);
/* Lets those go whose players have joined again and who are silent since. */
void server_drop_twins(struct server *s);
/* Lets those go who are connected and do not say who they are. */
void server_drop_mute(struct server *s);
/* Puts into force what server_set_bans has left. */
void server_take_bans(struct server *s);
/* Takes all that the socket has. */
void server_drain(struct server *s);
/* Runs the tick that is due. */
void server_tick(struct server *s);

#endif
