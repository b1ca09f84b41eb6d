/*
 * The transport: ENet, and nothing else names it. A net is a server's socket
 * with its peers, or a client's with one. It belongs to one thread.
 *
 * What ENet 1.3.17 leaves open is closed here: ENet's clock is ours (no
 * gettimeofday), an address proves itself by a cookie before ENet allocates
 * anything, service's -1 and empty datagrams end nothing, and MTU, throttle,
 * queue and packet sizes are pinned. doc/protocol.md has the bytes.
 */
#ifndef NET_H
#define NET_H

#include "net_simulator.h"
#include <stddef.h>
#include <stdint.h>

struct bans;
struct clock;
struct net;

#define NET_PORT_DEFAULT 4776

/* Largest payload of one unsequenced message: with ENet's and our own framing
 * it stays within the MTU of 1200 bytes. */
#define NET_DATAGRAM_MAX 1150

/* Largest reliable message. */
#define NET_MESSAGE_MAX 65536

enum net_channel {
    NET_CONTROL = 0,   /* reliable */
    NET_BULK = 1,      /* reliable, large */
    NET_SNAPSHOTS = 2, /* unsequenced, one datagram */
    NET_INPUTS = 3,    /* unsequenced, one datagram */
    NET_CHANNELS = 4
};

struct net_config {
    const char *address; /* IPv4 or a name; "" listens on every interface */
    uint16_t port;       /* 0: any free one, see net_port */
    uint32_t peers_max;  /* server only: 1 .. 4095. One more is not answered,
                          * so leave a place to refuse in */
    const struct clock *clock;      /* all nets that are open share one */
    struct net_simulator simulator; /* all zero: none */
};

/*
 * Opens a server's socket. The failure is told in one sentence in `why`.
 * -EADDRINUSE, -EADDRNOTAVAIL, -EACCES; -EHOSTUNREACH: a name without an IPv4
 * address; -ENOMEM.
 */
int net_listen(struct net **out, const struct net_config *config, char *why,
               size_t why_bytes);

/*
 * Opens a client's socket and begins to connect: NET_CONNECTED follows, or
 * NET_DISCONNECTED when nobody answers for about 7.5 s. Resolves the name (may block:
 * not in a tick). Errors as above.
 */
int net_connect(struct net **out, const struct net_config *config, char *why,
                size_t why_bytes);

/* Closes at once; peers that are connected are told once. Accepts NULL. */
void net_close(struct net *net);

/*
 * When a simulated link next lets a datagram through, UINT64_MAX: none waits.
 * Whoever waits for the net's descriptor waits no longer than this, and then
 * calls net_receive.
 */
uint64_t net_due_ns(const struct net *net);

/* For a net that is read at other times than when something comes: the same
 * for what is held back of our own sends, and to send it. */
uint64_t net_release_due_ns(const struct net *net);
void net_release(struct net *net);

/* On a client: 1 when the server's address is one of this machine. */
int net_server_is_here(const struct net *net);

/* [the net's thread] Gives the simulated link other values, all but its seed;
 * no effect on a net that was opened without one. */
void net_simulate(struct net *net, const struct net_simulator *simulator);

/* For fuzzing, likewise: what this net sends is changed by `mangle`. */
void net_mangle(struct net *net, net_mangler *mangle, void *context);

int net_fd(const struct net *net);
uint16_t net_port(const struct net *net);

enum net_event_type {
    NET_CONNECTED = 1,
    NET_DISCONNECTED = 2, /* by the other end, by timeout, or by us */
    NET_MESSAGE = 3
};

struct net_event {
    enum net_event_type type;
    uint32_t peer;   /* index, below peers_max; 0 on a client */
    uint32_t reason; /* NET_DISCONNECTED: what the other end gave, else 0 */
    enum net_channel channel;
    const uint8_t *bytes; /* until the next net_receive */
    size_t count;
    uint64_t arrived_ns; /* when the drain that read it began */
};

/*
 * [the net's thread] From now on no connect from these addresses is answered;
 * connections that stand are net_is_banned's. Borrowed until the next call or
 * net_close; NULL: nobody.
 */
void net_set_bans(struct net *net, const struct bans *bans);
/* 1 when the peer's address is one of them. */
int net_is_banned(const struct net *net, uint32_t peer);

/*
 * Takes one event; 1, or 0 when the socket and ENet's queues are empty. Also
 * runs ENet's timers and sends acknowledgements. Bounded: after 512 datagrams
 * or 200 us it returns 0 although more may wait (clock_wait then returns at
 * once).
 */
int net_receive(struct net *net, struct net_event *event);

/*
 * Queues a message; sent by net_flush or the next net_receive. Reliable on
 * control and bulk, else unsequenced. -EMSGSIZE; -ENOTCONN; -ENOBUFS: the peer
 * has too much waiting.
 */
int net_send(struct net *net, uint32_t peer, enum net_channel channel,
             const void *bytes, size_t count);

/* Sends what is queued; twice inside, as an error on one peer makes ENet
 * abandon the rest of a pass. */
void net_flush(struct net *net);

/* Tells the peer why and lets go once what is queued has been delivered, or
 * after about 3 s. NET_DISCONNECTED follows. */
void net_disconnect(struct net *net, uint32_t peer, uint32_t reason);

/* How long after its last acknowledgement a peer is asked for the next one, by
 * which ENet measures; 100 ms until told, 0: ENet's own default of 500 ms. On
 * no peer: nothing. */
void net_set_ping_interval(struct net *net, uint32_t peer, uint32_t ms);

struct net_peer_stats {
    uint32_t rtt_ms;    /* ENet's own estimate, raw */
    uint32_t rtt_valid; /* 0 until the first acknowledgement: rtt_ms is then
                         * ENet's placeholder of 500 */
    uint32_t last_rtt_ms;
    uint32_t loss_ppm;
    char address[24]; /* "127.0.0.1:40312" */
};
/* ENet's estimate of the round trip to a peer, for each tick: 0 before the
 * first acknowledgement, -ENOTCONN. */
int net_peer_rtt_ms(const struct net *net, uint32_t peer);
/* -ENOTCONN. */
int net_peer_stats(const struct net *net, uint32_t peer,
                   struct net_peer_stats *out);

struct net_stats {
    uint64_t datagrams_in, datagrams_out;
    uint64_t wire_bytes_in, wire_bytes_out; /* UDP payload */
    uint64_t channel_bytes_in[NET_CHANNELS], channel_bytes_out[NET_CHANNELS];
    uint64_t unproven;   /* connects answered with a cookie */
    uint64_t unanswered; /* connects of addresses that asked too often */
    uint64_t banned;     /* connects of addresses that are banned */
    uint64_t forged;     /* datagrams dropped before ENet took them: empty, too
                          * long, or nothing that a peer of ours sends */
    uint64_t errors;     /* times that ENet's service said -1: the socket is
                          * broken, or a send of ours was refused */
    uint64_t send_drops; /* messages that net_send refused */
    uint64_t simulated_losses; /* by the simulated link, both directions */
};
void net_stats(const struct net *net, struct net_stats *out);

/* "1.3.17". */
const char *net_library_version(void);

#endif
