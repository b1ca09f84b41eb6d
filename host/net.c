#define _GNU_SOURCE /* SO_RCVBUFFORCE */
#include "net.h"
#include "bans.h"
#include "clock.h"
#include "crc32.h"
#include "log.h"
#include "net_address.h"
#include "net_cookie.h"
#include <assert.h>
#include <enet/enet.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#define MTU              1200
#define RECEIVE_BYTES    (4 << 20) /* of the kernel's queue */
#define QUEUE_BYTES_MAX  (4 * NET_MESSAGE_MAX)
#define DRAIN_DATAGRAMS  512
#define DRAIN_NS         200000
#define CONNECT_MS       7200
#define CONNECT_AGAIN_MS 240 /* so at 0, 0.24, 0.72, then each half second */
#define GOODBYE_MS       3000
#define CHALLENGES_MAX   8 /* of one net_connect; a server sends one */
#define PING_INTERVAL_MS 100
#define REPEAT_MS_MAX    500
#define TIME_START_MS    UINT32_C(0x40000000)

/* Datagrams that a simulated link holds: a second of each way's traffic at the
 * highest tick rate, and of sixty ticks a second for each peer. */
#define LINK_DATAGRAMS          2048
#define LINK_DATAGRAMS_PER_PEER 256
#define LINK_DATAGRAMS_MAX      32768

/* Challenges to one address in a second. */
#define ASKED_MAX    1024
#define ASKED_COUNTS 1024
#define SECOND_NS    UINT64_C(1000000000)

/* What ENet's peer of the same index is to us. */
struct peer {
    struct net *net;
    ENetPeer *enet;
    uint32_t queued_bytes; /* taken by net_send, not yet let go by ENet */
    int announced;         /* NET_CONNECTED was given, NET_DISCONNECTED not */
    int gone;              /* NET_DISCONNECTED is to be given */
};

struct net {
    ENetHost *host;
    const struct clock *clock;
    int is_server;
    struct peer *peers;
    uint32_t peers_count;
    uint32_t gone_count;
    struct cookie_jar jar; /* server */
    const struct bans *bans;
    uint64_t asked_second; /* unproven connects in it, by hashed address */
    uint16_t asked[ASKED_COUNTS];
    ENetAddress server; /* client: where it connects to ... */
    uint32_t cookie;    /* ... and what it was challenged with, or 0 */
    uint32_t challenges;
    int draining;
    uint64_t drain_began_ns;
    uint32_t drained; /* datagrams in this drain */
    ENetPacket *lent; /* its bytes were given by the last net_receive */
    ENetEvent held;   /* came together with a NET_DISCONNECTED */
    int is_held;
    struct net_link *out;         /* the simulator; NULL: none */
    struct net_link *in;          /* NULL: none, or the other end's business */
    struct net_datagram datagram; /* on its way into or out of one */
    struct net_stats stats;
};

/* ---- ENet's clock ----
 *
 * ENet calls enet_time_get through its procedure table, so this definition in
 * the executable replaces its gettimeofday. ENet has no word for "whose time",
 * hence the one variable of the program that is not const: the clock of the
 * nets that are open, which all share one. It must be set before enet_host_create
 * and may be read on any thread. Between nets ENet's own calls (the bench's
 * bare ENet) get the machine's monotonic time. */

static _Atomic(const struct clock *) enet_clock;
static atomic_uint enet_clock_users;

__attribute__((visibility("default"))) enet_uint32
enet_time_get(void)
{
    const struct clock *clock = atomic_load(&enet_clock);
    uint64_t ns = clock != NULL ? clock_now_ns(clock) : clock_monotonic_ns();

    /* Far from 0, which means "never" in several of ENet's fields; wraps. */
    return TIME_START_MS + (enet_uint32)(ns / 1000000);
}

static void
clock_share(const struct clock *clock)
{
    atomic_fetch_add(&enet_clock_users, 1);
    atomic_store(&enet_clock, clock);
}

static void
clock_unshare(void)
{
    if (atomic_fetch_sub(&enet_clock_users, 1) == 1)
        atomic_store(&enet_clock, NULL);
}

#define TEXT(x)    TEXT_OF(x)
#define TEXT_OF(x) #x

const char *
net_library_version(void)
{
    return TEXT(ENET_VERSION_MAJOR) "." TEXT(ENET_VERSION_MINOR) "." TEXT(
        ENET_VERSION_PATCH);
}

/* ---- ENet's socket calls ----
 *
 * As with its clock, ENet calls these through its procedure table, and the
 * definitions here replace its own. They do the same, but that a simulated link
 * may lie between, and that an empty datagram or one that is too long is
 * counted and skipped, where ENet would stop reading as if there were no more
 * or as if the socket were broken. ENet names only the socket, so the net that
 * calls is noted for the thread; without one (the bench's bare ENet) they are
 * ENet's, to the letter. */

static _Thread_local struct net *calling;

static int
send_datagram(ENetSocket socket, const ENetAddress *to,
              const ENetBuffer *buffers, size_t count)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct msghdr message = {.msg_iov = (struct iovec *)buffers,
                             .msg_iovlen = count};
    ssize_t sent;

    if (to != NULL) {
        address.sin_addr.s_addr = to->host;
        address.sin_port = htons(to->port);
        message.msg_name = &address;
        message.msg_namelen = sizeof(address);
    }
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0)
        return errno == EWOULDBLOCK ? 0 : -1;
    return (int)sent;
}

/* The kernel drops what is over `bytes`; `is_cut` says that it has. */
static ssize_t
receive_datagram(ENetSocket socket, ENetAddress *from, void *to, size_t bytes,
                 int *is_cut)
{
    struct sockaddr_in address;
    struct iovec room = {to, bytes};
    struct msghdr message = {.msg_name = &address,
                             .msg_namelen = sizeof(address),
                             .msg_iov = &room,
                             .msg_iovlen = 1};
    ssize_t got = recvmsg(socket, &message, MSG_NOSIGNAL);

    *is_cut = got >= 0 && (message.msg_flags & MSG_TRUNC) != 0;
    if (got >= 0 && from != NULL) {
        from->host = address.sin_addr.s_addr;
        from->port = ntohs(address.sin_port);
    }
    return got;
}

/* The next that ENet could make sense of; 0: the socket is empty, or has given
 * as much rubbish as one drain may cost; -1: it is broken. */
static int
receive_sensible(struct net *net, ENetAddress *from, void *to, size_t bytes)
{
    ssize_t got;
    int is_cut;

    while (net->drained < DRAIN_DATAGRAMS) {
        got = receive_datagram(net->host->socket, from, to, bytes, &is_cut);
        if (got < 0)
            return errno == EWOULDBLOCK ? 0 : -1;
        if (got > 0 && got <= MTU && !is_cut)
            return (int)got;
        net->drained++;
        net->stats.forged++;
        net->stats.datagrams_in++;
        net->stats.wire_bytes_in += (uint64_t)got;
    }
    return 0;
}

static int
send_by_link(struct net *net, const ENetAddress *to, const ENetBuffer *buffers,
             size_t count)
{
    struct net_datagram *d = &net->datagram;
    size_t i, used = 0;

    for (i = 0; i < count; i++) {
        if (used + buffers[i].dataLength > sizeof(d->bytes))
            return -1;
        memcpy(d->bytes + used, buffers[i].data, buffers[i].dataLength);
        used += buffers[i].dataLength;
    }
    d->host = to->host;
    d->port = to->port;
    d->count = (uint16_t)used;
    net_link_put(net->out, d, clock_now_ns(net->clock));
    return (int)used;
}

/* All that the socket has goes on its way at once, so that its delay counts
 * from when it came. */
static int
receive_by_link(struct net *net, ENetAddress *from, void *to, size_t bytes)
{
    struct net_datagram *d = &net->datagram;
    const struct net_datagram *arrived;
    uint64_t now_ns = clock_now_ns(net->clock);
    ENetAddress sender;
    int got;

    while ((got = receive_sensible(net, &sender, d->bytes, sizeof(d->bytes))) >
           0) {
        net->drained++;
        d->host = sender.host;
        d->port = sender.port;
        d->count = (uint16_t)got;
        net_link_put(net->in, d, now_ns);
    }
    if (got < 0)
        return got;
    arrived = net_link_take(net->in, now_ns);
    if (arrived == NULL || arrived->count > bytes)
        return 0;
    from->host = arrived->host;
    from->port = arrived->port;
    memcpy(to, arrived->bytes, arrived->count);
    return arrived->count;
}

__attribute__((visibility("default"))) int
enet_socket_send(ENetSocket socket, const ENetAddress *to,
                 const ENetBuffer *buffers, size_t count)
{
    if (calling != NULL && calling->out != NULL && to != NULL)
        return send_by_link(calling, to, buffers, count);
    return send_datagram(socket, to, buffers, count);
}

__attribute__((visibility("default"))) int
enet_socket_receive(ENetSocket socket, ENetAddress *from, ENetBuffer *buffers,
                    size_t count)
{
    ssize_t got;
    int is_cut;

    if (calling != NULL && count == 1)
        return calling->in != NULL
                   ? receive_by_link(calling, from, buffers->data,
                                     buffers->dataLength)
                   : receive_sensible(calling, from, buffers->data,
                                      buffers->dataLength);
    if (count != 1)
        return -1; /* ENet never asks for more */
    got = receive_datagram(socket, from, buffers->data, buffers->dataLength,
                           &is_cut);
    if (got < 0)
        return errno == EWOULDBLOCK ? 0 : -1;
    return is_cut ? -1 : (int)got;
}

/* What the simulated link has held back long enough. */
static void
release_sends(struct net *net)
{
    const struct net_datagram *d;
    uint64_t now_ns;

    if (net->out == NULL)
        return;
    now_ns = clock_now_ns(net->clock);
    while ((d = net_link_take(net->out, now_ns)) != NULL) {
        ENetAddress to = {d->host, d->port};
        ENetBuffer buffer = {(void *)d->bytes, d->count};

        send_datagram(net->host->socket, &to, &buffer, 1);
    }
}

void
net_release(struct net *net)
{
    release_sends(net);
}

void
net_simulate(struct net *net, const struct net_simulator *simulator)
{
    if (net->out != NULL)
        net_link_change(net->out, simulator);
    if (net->in != NULL)
        net_link_change(net->in, simulator);
}

void
net_mangle(struct net *net, net_mangler *mangle, void *context)
{
    if (net->out != NULL)
        net_link_mangle(net->out, mangle, context);
}

uint64_t
net_due_ns(const struct net *net)
{
    uint64_t out_ns = UINT64_MAX, in_ns = UINT64_MAX;

    if (net->out != NULL)
        out_ns = net_link_due_ns(net->out);
    if (net->in != NULL)
        in_ns = net_link_due_ns(net->in);
    return out_ns < in_ns ? out_ns : in_ns;
}

uint64_t
net_release_due_ns(const struct net *net)
{
    return net->out != NULL ? net_link_due_ns(net->out) : UINT64_MAX;
}

static uint32_t
link_capacity(size_t peers)
{
    size_t wanted = LINK_DATAGRAMS + peers * LINK_DATAGRAMS_PER_PEER;

    return (uint32_t)(wanted < LINK_DATAGRAMS_MAX ? wanted
                                                  : LINK_DATAGRAMS_MAX);
}

/* Each end and each direction has luck of its own. */
static int
open_links(struct net *net, const struct net_simulator *simulator, size_t peers)
{
    uint32_t capacity = link_capacity(peers);
    uint64_t stream = net->is_server ? 0 : 2;
    int err;

    if (!net_simulator_is_on(simulator))
        return 0;
    err = net_link_create(&net->out, simulator, stream, capacity);
    if (err == 0 && !simulator->sends_only)
        err = net_link_create(&net->in, simulator, stream + 1, capacity);
    return err;
}

/* ---- before ENet sees a datagram ---- */

/* ENet's host has no pointer for its owner, its peers have. */
static struct net *
net_of(const ENetHost *host)
{
    return ((struct peer *)host->peers[0].data)->net;
}

static struct cookie_address
address_of(const ENetAddress *address)
{
    return (struct cookie_address){address->host, address->port};
}

static int
same_address(const ENetAddress *a, const ENetAddress *b)
{
    return a->host == b->host && a->port == b->port;
}

/*
 * Whether an address may be challenged once more in this second. What is counted
 * is a hash of the address, so that no flood costs memory; a flood from many
 * addresses fills all the counts alike, and far below the limit of one. A swarm
 * of 1000 clients on one machine still joins at once.
 */
static int
may_be_challenged(struct net *net, uint32_t host)
{
    uint8_t bytes[sizeof(host)];
    uint64_t second = clock_now_ns(net->clock) / SECOND_NS;
    uint16_t *count;

    if (second != net->asked_second) {
        net->asked_second = second;
        memset(net->asked, 0, sizeof(net->asked));
    }
    memcpy(bytes, &host, sizeof(host));
    count =
        &net->asked[siphash(net->jar.key, bytes, sizeof(bytes)) % ASKED_COUNTS];
    if (*count >= ASKED_MAX)
        return 0;
    ++*count;
    return 1;
}

static void
send_challenge(struct net *net, uint32_t connect_id)
{
    uint8_t bytes[COOKIE_CHALLENGE_BYTES];
    ENetBuffer buffer = {bytes, sizeof(bytes)};

    if (!may_be_challenged(net, net->host->receivedAddress.host)) {
        net->stats.unanswered++;
        return;
    }
    cookie_challenge(&net->jar, address_of(&net->host->receivedAddress),
                     clock_now_ns(net->clock), connect_id, bytes);
    net->stats.unproven++;
    if (enet_socket_send(net->host->socket, &net->host->receivedAddress,
                         &buffer, 1) <= 0)
        return;
    net->stats.datagrams_out++;
    net->stats.wire_bytes_out += sizeof(bytes);
}

static void
mark_gone(struct peer *peer)
{
    if (peer->gone)
        return;
    peer->gone = 1;
    peer->net->gone_count++;
}

/* An address that proves itself again is a client that was restarted: its old
 * connection can only be a corpse, and would hold a place until it times out. */
static void
bury_older(struct net *net, const ENetAddress *from, uint32_t connect_id)
{
    uint32_t i;

    for (i = 0; i < net->peers_count; i++) {
        ENetPeer *enet = net->peers[i].enet;

        if (enet->state == ENET_PEER_STATE_DISCONNECTED ||
            !same_address(&enet->address, from) ||
            enet->connectID == connect_id)
            continue;
        enet_peer_reset(enet);
        if (net->peers[i].announced)
            mark_gone(&net->peers[i]);
    }
}

/* Returns 1 to keep the datagram from ENet. */
static int
judge_at_server(struct net *net)
{
    const ENetHost *host = net->host;
    uint32_t connect_id = 0;
    enum cookie_verdict verdict;

    verdict = cookie_judge(&net->jar, address_of(&host->receivedAddress),
                           clock_now_ns(net->clock), host->receivedData,
                           host->receivedDataLength, &connect_id);
    if (verdict != COOKIE_SESSION && verdict != COOKIE_BAD &&
        bans_have(net->bans, host->receivedAddress.host)) {
        net->stats.banned++;
        return 1;
    }
    switch (verdict) {
    case COOKIE_SESSION:
        return 0;
    case COOKIE_PROVEN:
        bury_older(net, &host->receivedAddress, connect_id);
        return 0;
    case COOKIE_UNPROVEN:
        send_challenge(net, connect_id);
        return 1;
    case COOKIE_BAD:
        break;
    }
    net->stats.forged++;
    return 1;
}

static int
judge_at_client(struct net *net)
{
    const ENetHost *host = net->host;
    const ENetPeer *enet = &host->peers[0];
    uint32_t cookie;

    if (!same_address(&host->receivedAddress, &net->server)) {
        net->stats.forged++;
        return 1;
    }
    if (cookie_is_session(host->receivedData, host->receivedDataLength))
        return 0;
    cookie = cookie_read_challenge(host->receivedData, host->receivedDataLength,
                                   enet->connectID);
    if (cookie != 0 && enet->state == ENET_PEER_STATE_CONNECTING &&
        net->challenges < CHALLENGES_MAX)
        net->cookie = cookie; /* net_receive connects again with it */
    else
        net->stats.forged++;
    return 1;
}

static int
intercept(ENetHost *host, ENetEvent *event)
{
    struct net *net = net_of(host);

    (void)event;
    net->drained++;
    if (host->receivedDataLength > MTU) {
        net->stats.forged++;
        return 1;
    }
    return net->is_server ? judge_at_server(net) : judge_at_client(net);
}

/* ---- opening and closing ---- */

/* A burst of every client's inputs must wait in the kernel while a tick runs
 * long. More than the system's limit needs a privilege. */
static void
widen_receive_queue(const ENetHost *host)
{
    int asked = RECEIVE_BYTES, got = 0;
    socklen_t size = sizeof(got);

    if (setsockopt(host->socket, SOL_SOCKET, SO_RCVBUFFORCE, &asked,
                   sizeof(asked)) < 0)
        setsockopt(host->socket, SOL_SOCKET, SO_RCVBUF, &asked, sizeof(asked));
    getsockopt(host->socket, SOL_SOCKET, SO_RCVBUF, &got, &size);
    log_debug("net: receive queue of %d bytes, %d asked for", got / 2, asked);
}

static int
give_peers(struct net *net)
{
    uint32_t i;

    net->peers_count = (uint32_t)net->host->peerCount;
    net->peers = calloc(net->peers_count, sizeof(*net->peers));
    if (net->peers == NULL)
        return -ENOMEM;
    for (i = 0; i < net->peers_count; i++) {
        net->peers[i].net = net;
        net->peers[i].enet = &net->host->peers[i];
        net->host->peers[i].data = &net->peers[i];
    }
    return 0;
}

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/* Not even a sum: what a fuzzer changes is not dropped for that alone. */
#    define crc32_add(crc, bytes, count) (crc)
#endif

/* ENet's own sum, only faster: at 60 Hz it was a tenth of a server's time. */
static enet_uint32
checksum(const ENetBuffer *buffers, size_t count)
{
    uint32_t crc = 0;
    size_t i;

    for (i = 0; i < count; i++)
        crc = crc32_add(crc, buffers[i].data, buffers[i].dataLength);
    return ENET_HOST_TO_NET_32(crc);
}

static int
set_limits(struct net *net)
{
    ENetHost *host = net->host;
    uint32_t seed;

    if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed) ||
        cookie_jar_init(&net->jar) < 0)
        return -EIO;
    host->randomSeed = seed;
    host->mtu = MTU;
    host->checksum = checksum;
    host->intercept = intercept;
    host->maximumPacketSize = NET_MESSAGE_MAX;
    host->maximumWaitingData = NET_MESSAGE_MAX;
    widen_receive_queue(host);
    return 0;
}

/* ENet leaves errno as its last system call set it. */
static int
open_host(struct net *net, const ENetAddress *address, size_t peers,
          const struct net_config *config, char *why, size_t why_bytes)
{
    int err;

    errno = 0;
    net->host = enet_host_create(address, peers, NET_CHANNELS, 0, 0);
    if (net->host != NULL)
        return 0;
    err = errno != 0 ? -errno : -ENOMEM;
    if (err == -EADDRINUSE)
        snprintf(why, why_bytes,
                 "net: cannot listen on port %u: %s (errno %d); another "
                 "program holds the port: end it or choose another port",
                 config->port, strerror(-err), -err);
    else if (address != NULL)
        snprintf(why, why_bytes,
                 "net: cannot listen on \"%s\" port %u: %s (errno %d)",
                 config->address != NULL ? config->address : "", config->port,
                 strerror(-err), -err);
    else
        snprintf(why, why_bytes, "net: cannot open a socket: %s (errno %d)",
                 strerror(-err), -err);
    return err;
}

static int
net_create(struct net **out, const struct net_config *config,
           const ENetAddress *address, size_t peers, char *why,
           size_t why_bytes)
{
    struct net *net = calloc(1, sizeof(*net));
    int err;

    if (net == NULL) {
        snprintf(why, why_bytes, "net: out of memory");
        return -ENOMEM;
    }
    net->clock = config->clock;
    net->is_server = address != NULL;
    clock_share(net->clock);
    err = open_host(net, address, peers, config, why, why_bytes);
    if (err < 0)
        goto fail;
    err = give_peers(net);
    if (err == 0)
        err = open_links(net, &config->simulator, peers);
    if (err < 0) {
        snprintf(why, why_bytes, "net: out of memory for %zu peers", peers);
        goto fail;
    }
    err = set_limits(net);
    if (err < 0) {
        snprintf(why, why_bytes, "net: the kernel gave no random bytes");
        goto fail;
    }
    *out = net;
    return 0;

fail:
    net_close(net);
    return err;
}

int
net_listen(struct net **out, const struct net_config *config, char *why,
           size_t why_bytes)
{
    ENetAddress address;
    int err;

    assert(config->peers_max > 0 &&
           config->peers_max <= ENET_PROTOCOL_MAXIMUM_PEER_ID);
    address.port = config->port;
    err = net_resolve(config->address, &address.host, why, why_bytes);
    if (err < 0)
        return err;
    return net_create(out, config, &address, config->peers_max, why, why_bytes);
}

/* Begins to connect, with a cookie or, the first time, 0. */
static int
begin_connect(struct net *net, uint32_t cookie)
{
    ENetPeer *enet =
        enet_host_connect(net->host, &net->server, NET_CHANNELS, cookie);

    if (enet == NULL)
        return -ENOMEM;
    enet_peer_timeout(enet, 64, CONNECT_MS, CONNECT_MS);
    /* What is sent now is repeated by the round trip that ENet supposes: 500 ms
     * until it knows better, too few tries for a link that loses much. */
    enet->roundTripTime = CONNECT_AGAIN_MS;
    calling = net;
    enet_host_flush(net->host);
    calling = NULL;
    enet->roundTripTime = ENET_PEER_DEFAULT_ROUND_TRIP_TIME;
    return 0;
}

int
net_connect(struct net **out, const struct net_config *config, char *why,
            size_t why_bytes)
{
    ENetAddress server;
    struct net *net;
    int err;

    server.port = config->port;
    err = net_resolve(config->address, &server.host, why, why_bytes);
    if (err < 0)
        return err;
    err = net_create(&net, config, NULL, 1, why, why_bytes);
    if (err < 0)
        return err;
    net->server = server;
    err = begin_connect(net, 0);
    if (err < 0) {
        snprintf(why, why_bytes, "net: out of memory for a connection");
        net_close(net);
        return err;
    }
    *out = net;
    return 0;
}

static void
release_lent(struct net *net)
{
    if (net->lent != NULL)
        enet_packet_destroy(net->lent);
    net->lent = NULL;
}

static void
close_host(struct net *net)
{
    uint32_t i;

    release_lent(net);
    if (net->is_held && net->held.packet != NULL)
        enet_packet_destroy(net->held.packet);
    for (i = 0; net->peers != NULL && i < net->peers_count; i++)
        if (net->peers[i].enet->state != ENET_PEER_STATE_DISCONNECTED)
            enet_peer_disconnect_now(net->peers[i].enet, 0);
    enet_host_destroy(net->host);
}

void
net_close(struct net *net)
{
    if (net == NULL)
        return;
    if (net->host != NULL)
        close_host(net);
    clock_unshare();
    net_link_destroy(net->out);
    net_link_destroy(net->in);
    free(net->peers);
    free(net);
}

int
net_server_is_here(const struct net *net)
{
    return net_is_own_address(net->server.host);
}

int
net_fd(const struct net *net)
{
    return net->host->socket;
}

uint16_t
net_port(const struct net *net)
{
    ENetAddress address;

    if (enet_socket_get_address(net->host->socket, &address) < 0)
        return 0;
    return address.port;
}

void
net_set_bans(struct net *net, const struct bans *bans)
{
    net->bans = bans;
}

int
net_is_banned(const struct net *net, uint32_t peer)
{
    return peer < net->peers_count &&
           bans_have(net->bans, net->peers[peer].enet->address.host);
}

/* ---- receiving ---- */

/* ENet's totals have 32 bits; ours are kept in 64. */
static void
fold_totals(struct net_stats *stats, ENetHost *host)
{
    stats->datagrams_in += host->totalReceivedPackets;
    stats->datagrams_out += host->totalSentPackets;
    stats->wire_bytes_in += host->totalReceivedData;
    stats->wire_bytes_out += host->totalSentData;
    host->totalReceivedPackets = 0;
    host->totalSentPackets = 0;
    host->totalReceivedData = 0;
    host->totalSentData = 0;
}

/* The same at both ends. An MTU of less would cut datagrams into fragments,
 * and one of more could lose them on the way, whatever the other end asked. */
static void
pin_peer(ENetPeer *enet)
{
    enet->mtu = MTU;
    enet_peer_throttle_configure(enet, 1000, ENET_PEER_PACKET_THROTTLE_SCALE,
                                 0);
    enet_peer_ping_interval(enet, PING_INTERVAL_MS);
    enet_peer_timeout(enet, 64, 30000, 60000);
}

static int
on_connect(struct net *net, struct peer *peer, struct net_event *event)
{
    /* Nothing of ours asks for fewer channels; what does cannot play. */
    if (peer->enet->channelCount < NET_CHANNELS) {
        net->stats.forged++;
        enet_peer_disconnect_now(peer->enet, 0);
        return 0;
    }
    pin_peer(peer->enet);
    peer->announced = 1;
    event->type = NET_CONNECTED;
    return 1;
}

/* A client is told also when it never was connected. */
static int
on_disconnect(struct net *net, struct peer *peer, uint32_t reason,
              struct net_event *event)
{
    if (!peer->announced && net->is_server)
        return 0;
    peer->announced = 0;
    event->type = NET_DISCONNECTED;
    event->reason = reason;
    return 1;
}

static int
on_message(struct net *net, struct peer *peer, const ENetEvent *from,
           struct net_event *event)
{
    size_t limit =
        from->channelID == NET_SNAPSHOTS || from->channelID == NET_INPUTS
            ? NET_DATAGRAM_MAX
            : NET_MESSAGE_MAX;

    if (!peer->announced || from->channelID >= NET_CHANNELS ||
        from->packet->dataLength > limit) {
        net->stats.forged++;
        enet_packet_destroy(from->packet);
        return 0;
    }
    net->lent = from->packet;
    net->stats.channel_bytes_in[from->channelID] += from->packet->dataLength;
    event->type = NET_MESSAGE;
    event->channel = (enum net_channel)from->channelID;
    event->bytes = from->packet->data;
    event->count = from->packet->dataLength;
    return 1;
}

/* 1, or 0: an event that is nobody's business. */
static int
translate(struct net *net, const ENetEvent *from, struct net_event *event)
{
    struct peer *peer = from->peer->data;

    memset(event, 0, sizeof(*event));
    event->peer = (uint32_t)(peer - net->peers);
    event->arrived_ns = net->drain_began_ns;
    switch (from->type) {
    case ENET_EVENT_TYPE_CONNECT:
        return on_connect(net, peer, event);
    case ENET_EVENT_TYPE_DISCONNECT:
        return on_disconnect(net, peer, from->data, event);
    case ENET_EVENT_TYPE_RECEIVE:
        return on_message(net, peer, from, event);
    case ENET_EVENT_TYPE_NONE:
        break;
    }
    return 0;
}

/* Connections that ended without an event of ENet's. */
static int
take_gone(struct net *net, struct net_event *event)
{
    uint32_t i;

    for (i = 0; net->gone_count > 0 && i < net->peers_count; i++) {
        if (!net->peers[i].gone)
            continue;
        net->peers[i].gone = 0;
        net->peers[i].announced = 0;
        net->gone_count--;
        *event = (struct net_event){.type = NET_DISCONNECTED,
                                    .peer = i,
                                    .arrived_ns = net->drain_began_ns};
        return 1;
    }
    return 0;
}

static void
answer_challenge(struct net *net)
{
    uint32_t cookie = net->cookie;

    if (cookie == 0)
        return;
    net->cookie = 0;
    net->challenges++;
    enet_peer_reset(&net->host->peers[0]);
    if (begin_connect(net, cookie) < 0)
        mark_gone(&net->peers[0]);
}

static int
is_readable(const struct net *net)
{
    struct pollfd fd = {.fd = net->host->socket, .events = POLLIN};

    return poll(&fd, 1, 0) > 0;
}

/*
 * Lets ENet send, receive and run its timers; 1 with an event. A
 * pass of ENet's is bounded and may end with an error, so only the socket can
 * say that it is empty.
 */
static int
service(struct net *net, ENetEvent *from, int *more)
{
    uint32_t before = net->drained;
    int found = enet_host_check_events(net->host, from);

    if (found > 0)
        return 1;
    calling = net;
    found = enet_host_service(net->host, from, 0);
    calling = NULL;
    fold_totals(&net->stats, net->host);
    if (found < 0)
        net->stats.errors++;
    if (net->drained == before)
        net->drained++; /* a pass without a datagram counts as one */
    answer_challenge(net);
    if (found > 0)
        return 1;
    *more = is_readable(net) ||
            (net->in != NULL &&
             net_link_due_ns(net->in) <= clock_now_ns(net->clock));
    return 0;
}

static int
drain_is_spent(const struct net *net)
{
    return net->drained >= DRAIN_DATAGRAMS ||
           clock_now_ns(net->clock) - net->drain_began_ns >= DRAIN_NS;
}

/*
 * ENet doubles the time to each repetition, and on a link that loses a third a
 * Welcome or an own state that was lost four times comes after seven seconds.
 * Here that time stops growing at half a second, or what the round trip asks.
 */
static void
hasten_repeats(struct peer *peer)
{
    ENetPeer *enet = peer->enet;
    enet_uint32 most = enet->roundTripTime + 4 * enet->roundTripTimeVariance;
    ENetListIterator i;

    if (most < REPEAT_MS_MAX)
        most = REPEAT_MS_MAX;
    for (i = enet_list_begin(&enet->sentReliableCommands);
         i != enet_list_end(&enet->sentReliableCommands);
         i = enet_list_next(i)) {
        ENetOutgoingCommand *command = (ENetOutgoingCommand *)i;

        if (command->roundTripTimeout <= most)
            continue;
        command->roundTripTimeout = most;
        if ((int32_t)(command->sentTime + most - enet->nextTimeout) < 0)
            enet->nextTimeout = command->sentTime + most;
    }
}

static void
hasten_all_repeats(struct net *net)
{
    uint32_t i;

    for (i = 0; i < net->peers_count; i++)
        if (net->peers[i].enet->state != ENET_PEER_STATE_DISCONNECTED)
            hasten_repeats(&net->peers[i]);
}

static void
drain_begin(struct net *net)
{
    if (net->draining)
        return;
    net->draining = 1;
    net->drained = 0;
    net->drain_began_ns = clock_now_ns(net->clock);
    hasten_all_repeats(net);
}

int
net_receive(struct net *net, struct net_event *event)
{
    ENetEvent from;
    int more = 1;

    release_lent(net);
    release_sends(net);
    drain_begin(net);
    while (more) {
        if (take_gone(net, event))
            return 1;
        if (net->is_held) {
            net->is_held = 0;
            if (translate(net, &net->held, event))
                return 1;
        }
        if (drain_is_spent(net))
            break;
        if (!service(net, &from, &more))
            continue;
        /* The end of an older connection comes before what is new. */
        net->held = from;
        net->is_held = 1;
    }
    net->draining = 0;
    return take_gone(net, event);
}

/* ---- sending ---- */

static struct peer *
connected_peer(const struct net *net, uint32_t index)
{
    if (index >= net->peers_count || !net->peers[index].announced ||
        net->peers[index].enet->state != ENET_PEER_STATE_CONNECTED)
        return NULL;
    return &net->peers[index];
}

static void
on_packet_free(ENetPacket *packet)
{
    struct peer *peer = packet->userData;

    if (peer != NULL)
        peer->queued_bytes -= (uint32_t)packet->dataLength;
}

static int
queue_packet(struct peer *peer, enum net_channel channel, const void *bytes,
             size_t count)
{
    int reliable = channel == NET_CONTROL || channel == NET_BULK;
    ENetPacket *packet;

    if (peer->queued_bytes + count > QUEUE_BYTES_MAX)
        return -ENOBUFS;
    packet = enet_packet_create(bytes, count,
                                reliable ? ENET_PACKET_FLAG_RELIABLE
                                         : ENET_PACKET_FLAG_UNSEQUENCED);
    if (packet == NULL)
        return -ENOBUFS;
    packet->userData = peer;
    packet->freeCallback = on_packet_free;
    peer->queued_bytes += (uint32_t)count;
    if (enet_peer_send(peer->enet, (enet_uint8)channel, packet) == 0)
        return 0;
    enet_packet_destroy(packet);
    return -ENOBUFS;
}

int
net_send(struct net *net, uint32_t peer_index, enum net_channel channel,
         const void *bytes, size_t count)
{
    size_t limit = channel == NET_CONTROL || channel == NET_BULK
                       ? NET_MESSAGE_MAX
                       : NET_DATAGRAM_MAX;
    struct peer *peer = connected_peer(net, peer_index);
    int err;

    assert(channel < NET_CHANNELS);
    if (peer == NULL)
        err = -ENOTCONN;
    else if (count > limit)
        err = -EMSGSIZE;
    else
        err = queue_packet(peer, channel, bytes, count);
    if (err < 0)
        net->stats.send_drops++;
    else
        net->stats.channel_bytes_out[channel] += count;
    return err;
}

void
net_flush(struct net *net)
{
    calling = net;
    enet_host_flush(net->host);
    enet_host_flush(net->host);
    calling = NULL;
    release_sends(net);
    fold_totals(&net->stats, net->host);
}

void
net_disconnect(struct net *net, uint32_t peer_index, uint32_t reason)
{
    struct peer *peer;

    if (peer_index >= net->peers_count)
        return;
    peer = &net->peers[peer_index];
    if (peer->enet->state == ENET_PEER_STATE_DISCONNECTED || peer->gone)
        return;
    /* One that does not answer any more must not keep its place for long. */
    enet_peer_timeout(peer->enet, 8, GOODBYE_MS, GOODBYE_MS);
    enet_peer_disconnect_later(peer->enet, reason);
    if (peer->enet->state == ENET_PEER_STATE_DISCONNECTED &&
        (peer->announced || !net->is_server))
        mark_gone(peer);
}

void
net_set_ping_interval(struct net *net, uint32_t peer_index, uint32_t ms)
{
    struct peer *peer = connected_peer(net, peer_index);

    if (peer != NULL)
        enet_peer_ping_interval(peer->enet, ms);
}

/* ---- figures ---- */

int
net_peer_rtt_ms(const struct net *net, uint32_t peer_index)
{
    const struct peer *peer = connected_peer(net, peer_index);

    if (peer == NULL)
        return -ENOTCONN;
    /* ENet sets this at an acknowledgement and nowhere else. */
    return peer->enet->lastReceiveTime != 0 ? (int)peer->enet->roundTripTime
                                            : 0;
}

int
net_peer_stats(const struct net *net, uint32_t peer_index,
               struct net_peer_stats *out)
{
    const struct peer *peer = connected_peer(net, peer_index);
    const ENetPeer *enet;

    if (peer == NULL)
        return -ENOTCONN;
    enet = peer->enet;
    out->rtt_ms = enet->roundTripTime;
    /* ENet sets this at an acknowledgement and nowhere else. */
    out->rtt_valid = enet->lastReceiveTime != 0;
    out->last_rtt_ms = enet->lastRoundTripTime;
    out->loss_ppm = (uint32_t)((uint64_t)enet->packetLoss * 1000000 /
                               ENET_PEER_PACKET_LOSS_SCALE);
    net_print_address(enet->address.host, enet->address.port, out->address,
                      sizeof(out->address));
    return 0;
}

void
net_stats(const struct net *net, struct net_stats *out)
{
    *out = net->stats;
    out->simulated_losses = (net->out != NULL ? net_link_lost(net->out) : 0) +
                            (net->in != NULL ? net_link_lost(net->in) : 0);
}
