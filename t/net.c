/*
 * Servers, clients and hand-made datagrams on loopback, all in one thread on
 * the virtual clock: what is sent has arrived when sendto returns, and a second
 * passes when the test says so.
 */
#include "net.h"
#include "clock.h"
#include "log.h"
#include "tap.h"
#include <arpa/inet.h>
#include <enet/enet.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLIENTS    3
#define MS         UINT64_C(1000000)
#define CONNECT_ID UINT32_C(0x11223344)

/* What one end was told. */
struct told {
    unsigned connected, disconnected, messages;
    unsigned on_channel[NET_CHANNELS];
    uint32_t peer, reason;
    uint64_t arrived_ns;
    size_t count;
    uint8_t bytes[NET_MESSAGE_MAX];
};

static struct clock *vclock;
static struct clock_waiter *waiter;
static struct net *server, *clients[CLIENTS];
static struct told at_server, at_client[CLIENTS];
static char why[256];

static struct net_config
config_for(const char *address, uint16_t port, uint32_t peers_max)
{
    return (struct net_config){.address = address,
                               .port = port,
                               .peers_max = peers_max,
                               .clock = vclock};
}

static void
begin_at(uint64_t start_ns, uint32_t peers_max)
{
    struct net_config config;

    clock_create_virtual(&vclock, start_ns);
    clock_join(vclock, &waiter);
    clock_enter(waiter);
    config = config_for("127.0.0.1", 0, peers_max);
    ok_int(net_listen(&server, &config, why, sizeof(why)), 0);
    memset(&at_server, 0, sizeof(at_server));
    memset(at_client, 0, sizeof(at_client));
}

static void
begin(uint32_t peers_max)
{
    begin_at(5 * MS, peers_max);
}

static void
end(void)
{
    int i;

    for (i = 0; i < CLIENTS; i++) {
        net_close(clients[i]);
        clients[i] = NULL;
    }
    net_close(server);
    server = NULL;
    clock_leave(waiter);
    clock_destroy(vclock);
}

static void
tell(struct told *told, const struct net_event *event)
{
    told->peer = event->peer;
    told->arrived_ns = event->arrived_ns;
    if (event->type == NET_CONNECTED)
        told->connected++;
    if (event->type == NET_DISCONNECTED) {
        told->disconnected++;
        told->reason = event->reason;
    }
    if (event->type == NET_MESSAGE) {
        told->messages++;
        told->on_channel[event->channel]++;
        told->count = event->count;
        memcpy(told->bytes, event->bytes, event->count);
    }
}

static void
receive(struct net *net, struct told *told)
{
    struct net_event event;

    while (net != NULL && net_receive(net, &event))
        tell(told, &event);
}

static void
pass(uint64_t ms)
{
    clock_wait(waiter, -1, clock_now_ns(vclock) + ms * MS, 0);
}

/* Everyone is served each millisecond. */
static void
run(unsigned ms)
{
    int i;

    while (ms-- > 0) {
        receive(server, &at_server);
        net_flush(server);
        for (i = 0; i < CLIENTS; i++) {
            receive(clients[i], &at_client[i]);
            if (clients[i] != NULL)
                net_flush(clients[i]);
        }
        pass(1);
    }
}

static void
join(int i)
{
    struct net_config config = config_for("127.0.0.1", net_port(server), 0);

    ok_int(net_connect(&clients[i], &config, why, sizeof(why)), 0);
    run(10);
    ok_int(at_client[i].connected, 1);
}

/* ---- hand-made datagrams ---- */

static int
raw_open(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(net_port(server)),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);

    ok(fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0);
    return fd;
}

static void
raw_send(int fd, const void *bytes, size_t count)
{
    ok_int(send(fd, bytes, count, 0), (long long)count);
}

/* With its checksum at `at`, which counts as `seed` while it is made. */
static void
raw_send_checked(int fd, uint8_t *bytes, size_t count, size_t at, uint32_t seed)
{
    ENetBuffer buffer = {bytes, count};
    enet_uint32 sum;

    memcpy(bytes + at, &seed, 4);
    sum = enet_crc32(&buffer, 1);
    memcpy(bytes + at, &sum, 4);
    raw_send(fd, bytes, count);
}

#define RAW_CONNECT_BYTES 56

static void
raw_connect_with(int fd, uint32_t connect_id, uint32_t cookie,
                 uint32_t channels)
{
    struct {
        ENetProtocolHeader header;
        enet_uint32 checksum;
        ENetProtocolConnect connect;
    } __attribute__((packed)) m = {0};

    m.header.peerID = htons(0x8fff);
    m.connect.header.command =
        ENET_PROTOCOL_COMMAND_CONNECT | ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE;
    m.connect.header.channelID = 0xff;
    m.connect.header.reliableSequenceNumber = htons(1);
    m.connect.mtu = htonl(1200);
    m.connect.windowSize = htonl(65536);
    m.connect.channelCount = htonl(channels);
    m.connect.connectID = connect_id;
    m.connect.data = htonl(cookie);
    ok_int(sizeof(m), RAW_CONNECT_BYTES);
    raw_send_checked(fd, (uint8_t *)&m, sizeof(m), sizeof(m.header), 0);
}

static void
raw_connect(int fd, uint32_t connect_id, uint32_t cookie)
{
    raw_connect_with(fd, connect_id, cookie, NET_CHANNELS);
}

/* Acknowledges the VERIFY_CONNECT in `bytes`: the connection stands then. */
static void
raw_acknowledge(int fd, const uint8_t *bytes, uint32_t connect_id)
{
    struct {
        ENetProtocolHeader header;
        enet_uint32 checksum;
        ENetProtocolAcknowledge acknowledge;
    } __attribute__((packed)) m = {0};
    ENetProtocolHeader header;
    ENetProtocolVerifyConnect verify;

    memcpy(&header, bytes, sizeof(header));
    memcpy(&verify, bytes + 8, sizeof(verify));
    m.header.peerID = htons((uint16_t)(0x8000 | verify.outgoingSessionID << 12 |
                                       ntohs(verify.outgoingPeerID)));
    m.acknowledge.header.command = ENET_PROTOCOL_COMMAND_ACKNOWLEDGE;
    m.acknowledge.header.channelID = 0xff;
    m.acknowledge.receivedReliableSequenceNumber =
        verify.header.reliableSequenceNumber;
    m.acknowledge.receivedSentTime = header.sentTime;
    raw_send_checked(fd, (uint8_t *)&m, sizeof(m), sizeof(m.header),
                     connect_id);
}

/* The cookie in the one reply that waits, or 0. */
static uint32_t
raw_challenge(int fd)
{
    uint8_t reply[2048];
    uint32_t cookie;

    if (recv(fd, reply, sizeof(reply), 0) != 16 ||
        memcmp(reply, "\xff\xffHPCOOK", 8) != 0)
        return 0;
    memcpy(&cookie, reply + 12, 4);
    return ntohl(cookie);
}

static struct net_stats
stats(const struct net *net)
{
    struct net_stats s;

    net_stats(net, &s);
    return s;
}

/* ---- facts ---- */

static void
enets_clock_is_ours(void)
{
    uint32_t before;

    begin(1);
    before = enet_time_get();
    pass(86400000);
    ok_int(enet_time_get() - before, 86400000);
    ok(before > 1000000);
    end();
}

/* A machine that has been up for five weeks comes to it. */
static void
a_connection_outlives_the_wrap_of_enets_clock(void)
{
    uint32_t before;
    int i;

    begin_at((UINT64_C(0x100000000) - 0x40000000 - 2000) * MS, 1);
    before = enet_time_get();
    join(0);
    for (i = 0; i < 50; i++) {
        net_send(clients[0], 0, NET_CONTROL, &i, sizeof(i));
        net_send(clients[0], 0, NET_INPUTS, &i, sizeof(i));
        run(100);
    }
    ok(enet_time_get() < before);
    ok_int(at_server.messages, 100);
    ok_int(at_server.disconnected, 0);
    ok_int(at_client[0].disconnected, 0);
    end();
}

/* Seconds by ENet's own timers, none by the wall. */
static void
a_connect_that_nobody_answers_ends(void)
{
    struct net_config config;
    int deaf;

    begin(1);
    deaf = raw_open(); /* bound, and reads nothing */
    {
        struct sockaddr_in own;
        socklen_t size = sizeof(own);

        getsockname(deaf, (struct sockaddr *)&own, &size);
        config = config_for("127.0.0.1", ntohs(own.sin_port), 0);
    }
    ok_int(net_connect(&clients[0], &config, why, sizeof(why)), 0);
    run(7000);
    ok_int(at_client[0].disconnected, 0);
    run(1000);
    ok_int(at_client[0].disconnected, 1);
    ok_int(at_client[0].connected, 0);
    close(deaf);
    end();
}

static void
a_client_connects_and_both_ends_are_told(void)
{
    begin(4);
    join(0);
    ok_int(at_server.connected, 1);
    ok_int(at_server.disconnected, 0);
    ok_int(stats(server).unproven, 1);
    ok_int(stats(server).forged, 0);
    ok_int(stats(clients[0]).forged, 0);
    end();
}

static void
messages_go_both_ways_on_every_channel(void)
{
    static uint8_t bytes[NET_MESSAGE_MAX];
    int channel;
    size_t i, count;

    begin(1);
    join(0);
    for (i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    for (channel = 0; channel < NET_CHANNELS; channel++) {
        count = channel < 2 ? NET_MESSAGE_MAX : NET_DATAGRAM_MAX;
        ok_int(net_send(clients[0], 0, channel, bytes, count), 0);
        run(40);
        ok_int(at_server.on_channel[channel], 1);
        ok_int(at_server.count, count);
        ok(memcmp(at_server.bytes, bytes, count) == 0);
        ok_int(net_send(server, at_server.peer, channel, bytes, count), 0);
        run(40);
        ok_int(at_client[0].on_channel[channel], 1);
        ok_int(at_client[0].count, count);
        ok(memcmp(at_client[0].bytes, bytes, count) == 0);
        ok_int(stats(server).channel_bytes_in[channel], count);
        ok_int(stats(server).channel_bytes_out[channel], count);
    }
    ok(stats(server).wire_bytes_in > 2 * NET_MESSAGE_MAX);
    ok(stats(server).datagrams_out > 100);
    end();
}

static void
what_is_too_large_or_goes_nowhere_is_refused(void)
{
    static uint8_t bytes[NET_MESSAGE_MAX + 1];

    begin(1);
    ok_int(net_send(server, 0, NET_CONTROL, bytes, 1), -ENOTCONN);
    ok_int(net_send(server, 99, NET_CONTROL, bytes, 1), -ENOTCONN);
    join(0);
    ok_int(net_send(server, 0, NET_CONTROL, bytes, sizeof(bytes)), -EMSGSIZE);
    ok_int(net_send(server, 0, NET_SNAPSHOTS, bytes, NET_DATAGRAM_MAX + 1),
           -EMSGSIZE);
    ok_int(stats(server).send_drops, 4);
    end();
}

static void
a_peer_that_takes_nothing_fills_its_queue_and_no_more(void)
{
    static uint8_t bytes[NET_MESSAGE_MAX];
    int i, err = 0;

    begin(1);
    join(0);
    for (i = 0; i < 10 && err == 0; i++) {
        err = net_send(server, 0, NET_BULK, bytes, sizeof(bytes));
        net_flush(server);
    }
    ok_int(err, -ENOBUFS);
    ok_int(i, 5);
    run(300);
    ok_int(at_client[0].on_channel[NET_BULK], 4);
    ok_int(net_send(server, 0, NET_BULK, bytes, sizeof(bytes)), 0);
    end();
}

static void
no_datagram_is_larger_than_the_mtu(void)
{
    static uint8_t bytes[NET_DATAGRAM_MAX];
    struct net_stats before, after;

    begin(1);
    join(0);
    run(500);
    before = stats(server);
    net_send(server, 0, NET_SNAPSHOTS, bytes, sizeof(bytes));
    net_flush(server);
    after = stats(server);
    ok_int(after.datagrams_out - before.datagrams_out, 1);
    ok(after.wire_bytes_out - before.wire_bytes_out <= 1200);
    end();
}

static void
a_connect_without_a_cookie_gets_one_short_answer_and_no_place(void)
{
    uint8_t reply[2048];
    int fds[50], i;
    ssize_t count;

    begin(1);
    for (i = 0; i < 50; i++) {
        fds[i] = raw_open();
        raw_connect(fds[i], CONNECT_ID, 0);
    }
    run(1);
    for (i = 0; i < 50; i++) {
        count = recv(fds[i], reply, sizeof(reply), 0);
        ok(count > 0 && count <= RAW_CONNECT_BYTES);
    }
    run(2000);
    for (i = 0; i < 50; i++) {
        ok_int(recv(fds[i], reply, sizeof(reply), 0), -1);
        close(fds[i]);
    }
    ok_int(stats(server).unproven, 50);
    ok(stats(server).wire_bytes_out <= stats(server).wire_bytes_in);
    join(0); /* the one place is free */
    end();
}

static void
a_cookie_is_good_for_its_own_address_only(void)
{
    int mine, other;
    uint32_t cookie;

    begin(1);
    mine = raw_open();
    other = raw_open();
    raw_connect(mine, CONNECT_ID, 0);
    run(1);
    cookie = raw_challenge(mine);
    ok(cookie != 0);
    raw_connect(other, CONNECT_ID, cookie);
    raw_connect(mine, CONNECT_ID, cookie ^ 1);
    run(1);
    ok_int(stats(server).unproven, 3);
    ok(raw_challenge(other) != 0);
    ok(raw_challenge(mine) == cookie);
    raw_connect(mine, CONNECT_ID, cookie);
    run(1);
    ok_int(stats(server).unproven, 3);
    ok_int(recv(mine, &cookie, sizeof(cookie), MSG_TRUNC), 52); /* VERIFY */
    close(mine);
    close(other);
    end();
}

static void
a_cookie_outlives_one_turn_of_the_epoch_and_not_two(void)
{
    uint32_t cookie;
    int fd;

    begin(1);
    fd = raw_open();
    raw_connect(fd, CONNECT_ID, 0);
    run(1);
    cookie = raw_challenge(fd);
    pass(61000);
    raw_connect(fd, CONNECT_ID, cookie);
    run(1);
    ok_int(stats(server).unproven, 2);
    cookie = raw_challenge(fd);
    pass(30000);
    raw_connect(fd, CONNECT_ID, cookie);
    run(1);
    ok_int(stats(server).unproven, 2);
    close(fd);
    end();
}

/* Makes a connection by hand. */
static void
raw_join(int fd, uint32_t connect_id, uint32_t channels)
{
    uint8_t verify[2048];
    uint32_t cookie;

    raw_connect(fd, connect_id, 0);
    run(1);
    cookie = raw_challenge(fd);
    raw_connect_with(fd, connect_id, cookie, channels);
    run(1);
    ok_int(recv(fd, verify, sizeof(verify), 0), 52);
    raw_acknowledge(fd, verify, connect_id);
    run(1);
    while (recv(fd, verify, sizeof(verify), 0) > 0)
        ;
}

static void
a_client_that_starts_again_takes_the_place_of_its_corpse(void)
{
    int fd;

    begin(1);
    fd = raw_open();
    raw_join(fd, CONNECT_ID, NET_CHANNELS);
    ok_int(at_server.connected, 1);
    raw_join(fd, CONNECT_ID + 1, NET_CHANNELS);
    ok_int(at_server.disconnected, 1);
    ok_int(at_server.connected, 2);
    ok_int(at_server.peer, 0);
    close(fd);
    end();
}

static void
a_client_with_too_few_channels_is_let_go(void)
{
    int fd;

    begin(1);
    fd = raw_open();
    raw_join(fd, CONNECT_ID, 1);
    ok_int(at_server.connected, 0);
    ok_int(stats(server).forged, 1);
    close(fd);
    join(0); /* its place is free */
    end();
}

static void
a_challenge_from_elsewhere_is_not_taken(void)
{
    static const uint8_t forged[16] = "\xff\xffHPCOOK";
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct net_config config;
    int fd;

    begin(1);
    config = config_for("127.0.0.1", net_port(server), 0);
    ok_int(net_connect(&clients[0], &config, why, sizeof(why)), 0);
    to.sin_port = htons(net_port(clients[0]));
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    ok_int(sendto(fd, forged, 16, 0, (struct sockaddr *)&to, sizeof(to)), 16);
    run(10);
    ok_int(stats(clients[0]).forged, 1);
    ok_int(at_client[0].connected, 1);
    ok_int(stats(server).unproven, 1);
    close(fd);
    end();
}

static void
empty_and_oversize_datagrams_lose_nothing(void)
{
    static const uint8_t large[5000];
    uint32_t i;
    int fd;

    begin(2);
    join(0);
    fd = raw_open();
    for (i = 0; i < 100; i++) {
        raw_send(fd, "", 0);
        raw_send(fd, large, sizeof(large));
        net_send(clients[0], 0, NET_INPUTS, &i, sizeof(i));
        net_flush(clients[0]);
        raw_send(fd, "", 0);
        net_send(clients[0], 0, NET_CONTROL, &i, sizeof(i));
        net_flush(clients[0]);
        receive(server, &at_server); /* one drain finds both */
        ok_int(at_server.on_channel[NET_INPUTS], i + 1);
        ok_int(at_server.on_channel[NET_CONTROL], i + 1);
        run(1);
    }
    ok_int(stats(server).errors, 0);
    ok_int(stats(server).forged, 300);
    ok_int(at_server.disconnected, 0);
    close(fd);
    end();
}

static uint64_t
random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void
random_datagrams_do_no_harm(void)
{
    uint64_t seed = 0x2545f4914f6cdd1d;
    uint8_t bytes[128];
    size_t i, j, count;
    int fd;

    begin(2);
    join(0);
    fd = raw_open();
    for (i = 0; i < 3000; i++) {
        count = random_next(&seed) % sizeof(bytes);
        for (j = 0; j < count; j++)
            bytes[j] = (uint8_t)random_next(&seed);
        if (i % 3 == 0 && count >= 2) { /* as if it were our client */
            bytes[0] = 0x80;
            bytes[1] = 0;
        }
        raw_send(fd, bytes, count);
        if (i % 100 == 0) {
            net_send(clients[0], 0, NET_CONTROL, &i, sizeof(i));
            run(1);
        }
    }
    run(10);
    ok_int(at_server.messages, 30);
    ok_int(at_server.connected, 1);
    ok_int(at_server.disconnected, 0);
    close(fd);
    end();
}

static void
a_drain_is_bounded_and_the_next_one_goes_on(void)
{
    struct net_event event;
    uint64_t first;
    int fd, i;

    begin(1);
    fd = raw_open();
    for (i = 0; i < 700; i++)
        raw_send(fd, "garbage", 7);
    ok_int(net_receive(server, &event), 0);
    first = stats(server).forged;
    ok(first > 400 && first <= 512);
    ok_int(net_receive(server, &event), 0);
    ok_int(stats(server).forged, 700);
    close(fd);
    end();
}

static void
an_event_tells_when_its_drain_began(void)
{
    uint64_t now;

    begin(1);
    join(0);
    net_send(clients[0], 0, NET_INPUTS, "i", 1);
    net_flush(clients[0]);
    pass(7);
    now = clock_now_ns(vclock);
    receive(server, &at_server);
    ok_int(at_server.messages, 1);
    ok(at_server.arrived_ns == now);
    end();
}

static void
many_clients_join_from_one_address(void)
{
    int i;

    begin(CLIENTS);
    for (i = 0; i < CLIENTS; i++)
        join(i);
    ok_int(at_server.connected, CLIENTS);
    for (i = 0; i < CLIENTS; i++)
        ok_int(net_send(server, (uint32_t)i, NET_CONTROL, "hi", 2), 0);
    run(5);
    for (i = 0; i < CLIENTS; i++)
        ok_int(at_client[i].messages, 1);
    end();
}

static void
a_disconnect_says_why_after_what_was_queued(void)
{
    begin(1);
    join(0);
    net_send(server, 0, NET_CONTROL, "bye", 3);
    net_disconnect(server, 0, 42);
    ok_int(net_send(server, 0, NET_CONTROL, "no", 2), -ENOTCONN);
    run(20);
    ok_int(at_client[0].messages, 1);
    ok_int(at_client[0].disconnected, 1);
    ok_int(at_client[0].reason, 42);
    ok_int(at_server.disconnected, 1);
    ok_int(at_server.reason, 0);
    end();
}

static void
a_disconnect_while_connecting_is_told(void)
{
    struct net_config config;

    begin(1);
    config = config_for("127.0.0.1", net_port(server), 0);
    ok_int(net_connect(&clients[0], &config, why, sizeof(why)), 0);
    net_disconnect(clients[0], 0, 1);
    run(20);
    ok_int(at_client[0].disconnected, 1);
    ok_int(at_client[0].connected, 0);
    ok_int(at_server.connected, 0);
    end();
}

static void
closing_tells_the_other_end(void)
{
    begin(1);
    join(0);
    net_close(clients[0]);
    clients[0] = NULL;
    run(5);
    ok_int(at_server.disconnected, 1);
    end();
}

static void
a_silent_peer_is_given_up_within_a_minute(void)
{
    int i;

    begin(1);
    join(0);
    for (i = 0; i < 25; i++) { /* a stall that must be survived */
        pass(1000);
        receive(server, &at_server);
    }
    ok_int(at_server.disconnected, 0);
    for (i = 0; i < 45; i++) {
        pass(1000);
        receive(server, &at_server);
    }
    ok_int(at_server.disconnected, 1);
    end();
}

static void
the_round_trip_is_valid_from_the_first_acknowledgement_on(void)
{
    struct net_peer_stats s;
    struct net_config config;
    int i;

    begin(1);
    ok_int(net_peer_stats(server, 0, &s), -ENOTCONN);
    ok_int(net_peer_rtt_ms(server, 0), -ENOTCONN);
    config = config_for("127.0.0.1", net_port(server), 0);
    net_connect(&clients[0], &config, why, sizeof(why));
    for (i = 0; i < 20 && !at_client[0].connected; i++) {
        receive(server, &at_server);
        receive(clients[0], &at_client[0]);
        pass(1);
    }
    ok_int(net_peer_stats(clients[0], 0, &s), 0);
    ok_int(s.rtt_valid, 0);
    ok_int(s.rtt_ms, 500);
    ok_int(net_peer_rtt_ms(clients[0], 0), 0);
    run(20);
    ok_int(net_peer_stats(clients[0], 0, &s), 0);
    ok_int(s.rtt_valid, 1);
    ok(s.rtt_ms < 20);
    ok_int(net_peer_rtt_ms(clients[0], 0), s.rtt_ms);
    ok_int(s.loss_ppm, 0);
    ok(strncmp(s.address, "127.0.0.1:", 10) == 0);
    ok_int(atoi(s.address + 10), net_port(server));
    end();
}

static void
a_port_in_use_is_told_with_port_and_errno(void)
{
    struct net *second = NULL;
    struct net_config config;
    char port[16], number[16];

    begin(1);
    config = config_for("", net_port(server), 1);
    ok_int(net_listen(&second, &config, why, sizeof(why)), -EADDRINUSE);
    ok(second == NULL);
    snprintf(port, sizeof(port), "port %u:", net_port(server));
    snprintf(number, sizeof(number), "errno %d", EADDRINUSE);
    ok(strstr(why, port) != NULL);
    ok(strstr(why, number) != NULL);
    config.port = net_port(server);
    net_close(server);
    server = NULL;
    ok_int(net_listen(&server, &config, why, sizeof(why)), 0);
    end();
}

static void
an_address_that_is_not_here_is_told(void)
{
    struct net *second = NULL;
    struct net_config config;

    begin(1);
    config = config_for("192.0.2.1", 0, 1);
    ok_int(net_listen(&second, &config, why, sizeof(why)), -EADDRNOTAVAIL);
    ok(strstr(why, "192.0.2.1") != NULL);
    end();
}

static void
ipv6_is_refused_and_localhost_is_ipv4(void)
{
    static const char *const six[] = {"::1", "[::1]", "fe80::1"};
    struct net_config config;
    int i;

    begin(1);
    for (i = 0; i < 3; i++) {
        config = config_for(six[i], 4776, 0);
        ok_int(net_connect(&clients[0], &config, why, sizeof(why)),
               -EHOSTUNREACH);
        ok(strstr(why, "IPv4") != NULL && strstr(why, six[i]) != NULL);
    }
    config = config_for("localhost", net_port(server), 0);
    ok_int(net_connect(&clients[0], &config, why, sizeof(why)), 0);
    run(10);
    ok_int(at_client[0].connected, 1);
    end();
}

static void
the_library_names_its_version(void)
{
    ENetVersion linked = enet_linked_version();
    char text[32];

    snprintf(text, sizeof(text), "%u.%u.%u", ENET_VERSION_GET_MAJOR(linked),
             ENET_VERSION_GET_MINOR(linked), ENET_VERSION_GET_PATCH(linked));
    ok_text(net_library_version(), text);
}

TAP_MAIN(FACT(enets_clock_is_ours),
         FACT(a_connection_outlives_the_wrap_of_enets_clock),
         FACT(a_connect_that_nobody_answers_ends),
         FACT(a_client_connects_and_both_ends_are_told),
         FACT(messages_go_both_ways_on_every_channel),
         FACT(what_is_too_large_or_goes_nowhere_is_refused),
         FACT(a_peer_that_takes_nothing_fills_its_queue_and_no_more),
         FACT(no_datagram_is_larger_than_the_mtu),
         FACT(a_connect_without_a_cookie_gets_one_short_answer_and_no_place),
         FACT(a_cookie_is_good_for_its_own_address_only),
         FACT(a_cookie_outlives_one_turn_of_the_epoch_and_not_two),
         FACT(a_client_that_starts_again_takes_the_place_of_its_corpse),
         FACT(a_client_with_too_few_channels_is_let_go),
         FACT(a_challenge_from_elsewhere_is_not_taken),
         FACT(empty_and_oversize_datagrams_lose_nothing),
         FACT(random_datagrams_do_no_harm),
         FACT(a_drain_is_bounded_and_the_next_one_goes_on),
         FACT(an_event_tells_when_its_drain_began),
         FACT(many_clients_join_from_one_address),
         FACT(a_disconnect_says_why_after_what_was_queued),
         FACT(a_disconnect_while_connecting_is_told),
         FACT(closing_tells_the_other_end),
         FACT(a_silent_peer_is_given_up_within_a_minute),
         FACT(the_round_trip_is_valid_from_the_first_acknowledgement_on),
         FACT(a_port_in_use_is_told_with_port_and_errno),
         FACT(an_address_that_is_not_here_is_told),
         FACT(ipv6_is_refused_and_localhost_is_ipv4),
         FACT(the_library_names_its_version))
