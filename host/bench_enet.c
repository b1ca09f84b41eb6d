#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "bench_enet.h"
#include "clock.h"
#include <enet/enet.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#define SECOND_NS     1000000000ull
#define CONNECT_NS    (10 * SECOND_NS)
#define SETTLE_NS     (SECOND_NS / 2)
#define RECEIVE_BYTES (4 << 20)
#define CHANNELS      2
#define DATAGRAM_MAX  1150
#define EVENTS_MAX    128

enum phase {
    JOINING = 0,
    SETTLING,
    MEASURING,
    OVER
};

/* One run; the server's thread moves the phase on, both threads read it. */
struct bare {
    const struct bench_enet_options *options;
    struct bench_enet_result *out;
    struct clock *clock;
    uint64_t start_ns; /* the server's first deadline */
    _Atomic int phase;

    struct clock_waiter *server_waiter;
    ENetHost *server;
    ENetAddress address;
    uint32_t connected;
    uint64_t phase_ends_ns;
    uint64_t measure_ns;
    double server_from_s;

    struct clock_waiter *client_waiter;
    int epoll;
    ENetHost **clients; /* one socket each, as real ones have */
    double client_from_s;
};

struct bench_enet_result *
bench_enet_result_create(void)
{
    struct bench_enet_result *r = calloc(1, sizeof(*r));

    if (r != NULL)
        hist_init(&r->tick_ns);
    return r;
}

static int
phase(const struct bare *b)
{
    return atomic_load_explicit(&b->phase, memory_order_acquire);
}

static void
set_phase(struct bare *b, enum phase next)
{
    atomic_store_explicit(&b->phase, next, memory_order_release);
}

/* CPU time of the calling thread. */
static double
thread_cpu_s(void)
{
    struct rusage u;

    getrusage(RUSAGE_THREAD, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* As the host sends: unsequenced, in one datagram, never throttled away. */
static void
send_bytes(ENetPeer *peer, uint32_t count)
{
    static const uint8_t bytes[DATAGRAM_MAX];
    ENetPacket *packet =
        enet_packet_create(bytes, count, ENET_PACKET_FLAG_UNSEQUENCED);

    if (packet != NULL && enet_peer_send(peer, 0, packet) < 0)
        enet_packet_destroy(packet);
}

static void
pin_throttle(ENetPeer *peer)
{
    enet_peer_throttle_configure(peer, ENET_PEER_PACKET_THROTTLE_INTERVAL,
                                 ENET_PEER_PACKET_THROTTLE_SCALE, 0);
}

/* ---- the server's thread ---- */

static void
drain_server(struct bare *b)
{
    ENetEvent event;

    while (enet_host_service(b->server, &event, 0) > 0) {
        switch (event.type) {
        case ENET_EVENT_TYPE_CONNECT:
            pin_throttle(event.peer);
            b->connected++;
            break;
        case ENET_EVENT_TYPE_DISCONNECT:
            b->connected--;
            break;
        case ENET_EVENT_TYPE_RECEIVE:
            if (phase(b) == MEASURING)
                b->out->inputs_in++;
            enet_packet_destroy(event.packet);
            break;
        case ENET_EVENT_TYPE_NONE:
            break;
        }
    }
}

static void
send_snapshots(struct bare *b)
{
    size_t i;

    for (i = 0; i < b->server->peerCount; i++) {
        if (b->server->peers[i].state != ENET_PEER_STATE_CONNECTED)
            continue;
        send_bytes(&b->server->peers[i], b->options->snapshot_bytes);
        if (phase(b) == MEASURING)
            b->out->snapshots_out++;
    }
    enet_host_flush(b->server);
}

static void
begin_measuring(struct bare *b, uint64_t now_ns)
{
    b->out->connected = b->connected;
    b->measure_ns = now_ns;
    b->server_from_s = thread_cpu_s();
    b->phase_ends_ns = now_ns + b->options->duration_ns;
    set_phase(b, MEASURING);
}

static void
end_measuring(struct bare *b, uint64_t now_ns)
{
    b->out->measured_s = (double)(now_ns - b->measure_ns) / 1e9;
    b->out->server_cores =
        (thread_cpu_s() - b->server_from_s) / b->out->measured_s;
    set_phase(b, OVER);
}

static void
move_on(struct bare *b, uint64_t now_ns)
{
    switch (phase(b)) {
    case JOINING:
        if (b->connected == b->options->clients) {
            b->phase_ends_ns = now_ns + SETTLE_NS;
            set_phase(b, SETTLING);
        } else if (now_ns > b->start_ns + CONNECT_NS) {
            b->out->connected = b->connected;
            set_phase(b, OVER);
        }
        break;
    case SETTLING:
        if (now_ns >= b->phase_ends_ns)
            begin_measuring(b, now_ns);
        break;
    case MEASURING:
        if (now_ns >= b->phase_ends_ns)
            end_measuring(b, now_ns);
        break;
    default:
        break;
    }
}

static void
serve(void *argument)
{
    struct bare *b = argument;
    int fd = b->options->service_tick ? -1 : (int)b->server->socket;
    struct tick_schedule schedule;
    uint64_t from_ns;

    clock_set_slack(1);
    tick_schedule_init(&schedule, b->options->rate, 0, b->start_ns, 4);
    while (phase(b) != OVER) {
        if (clock_wait(b->server_waiter, fd, tick_next_ns(&schedule), 0) &
            CLOCK_READABLE)
            drain_server(b);
        from_ns = clock_now_ns(b->clock);
        if (from_ns < tick_next_ns(&schedule))
            continue;
        tick_begin(&schedule, from_ns, 0);
        drain_server(b);
        send_snapshots(b);
        if (phase(b) == MEASURING) {
            hist_record(&b->out->tick_ns, clock_now_ns(b->clock) - from_ns);
            b->out->ticks++;
        }
        move_on(b, clock_now_ns(b->clock));
    }
}

/* ---- the clients' thread ---- */

static void
drain_client(struct bare *b, ENetHost *client)
{
    ENetEvent event;

    while (enet_host_service(client, &event, 0) > 0) {
        if (event.type == ENET_EVENT_TYPE_CONNECT)
            pin_throttle(event.peer);
        if (event.type != ENET_EVENT_TYPE_RECEIVE)
            continue;
        if (phase(b) == MEASURING)
            b->out->snapshots_in++;
        enet_packet_destroy(event.packet);
    }
}

static void
drain_clients(struct bare *b)
{
    struct epoll_event events[EVENTS_MAX];
    int count, i;

    do {
        count = epoll_wait(b->epoll, events, EVENTS_MAX, 0);
        for (i = 0; i < count; i++)
            drain_client(b, b->clients[events[i].data.u32]);
    } while (count == EVENTS_MAX);
}

/* All at once: the inputs of clients that time them wait together for the
 * server's tick. */
static void
send_inputs(struct bare *b)
{
    uint32_t i;

    for (i = 0; i < b->options->clients; i++) {
        if (b->clients[i]->peers[0].state == ENET_PEER_STATE_CONNECTED)
            send_bytes(&b->clients[i]->peers[0], b->options->input_bytes);
        enet_host_flush(b->clients[i]);
    }
}

/* Joins spread over the first ticks: a full receive queue loses some. */
static uint32_t
connect_some(struct bare *b, uint32_t begun)
{
    uint32_t i, some = b->options->clients / 32 + 1;

    for (i = begun; i < b->options->clients && i < begun + some; i++)
        enet_host_connect(b->clients[i], &b->address, CHANNELS, 0);
    return i;
}

static void
fly(void *argument)
{
    struct bare *b = argument;
    struct tick_schedule schedule;
    uint64_t now_ns;
    uint32_t begun = 0;
    int measuring = 0;

    clock_set_slack(1);
    tick_schedule_init(&schedule, b->options->rate, 0,
                       b->start_ns + tick_period_ns(b->options->rate) / 2, 4);
    while (phase(b) != OVER) {
        clock_wait(b->client_waiter, b->epoll, tick_next_ns(&schedule), 0);
        drain_clients(b);
        if (!measuring && phase(b) == MEASURING) {
            measuring = 1;
            b->client_from_s = thread_cpu_s();
        }
        now_ns = clock_now_ns(b->clock);
        if (now_ns < tick_next_ns(&schedule))
            continue;
        tick_begin(&schedule, now_ns, 0);
        begun = connect_some(b, begun);
        send_inputs(b);
    }
    if (measuring)
        b->out->client_cores =
            (thread_cpu_s() - b->client_from_s) / b->out->measured_s;
}

/* ---- life ---- */

static int
open_server(struct bare *b)
{
    ENetAddress any = {.port = 0};

    enet_address_set_host_ip(&any, "127.0.0.1");
    errno = 0;
    b->server = enet_host_create(&any, b->options->clients, CHANNELS, 0, 0);
    if (b->server == NULL)
        return errno != 0 ? -errno : -ENOMEM;
    enet_socket_set_option(b->server->socket, ENET_SOCKOPT_RCVBUF,
                           RECEIVE_BYTES);
    enet_socket_get_address(b->server->socket, &b->address);
    return 0;
}

static int
open_clients(struct bare *b)
{
    struct epoll_event event = {.events = EPOLLIN};
    uint32_t i;

    b->clients = calloc(b->options->clients, sizeof(*b->clients));
    if (b->clients == NULL)
        return -ENOMEM;
    for (i = 0; i < b->options->clients; i++) {
        errno = 0;
        b->clients[i] = enet_host_create(NULL, 1, CHANNELS, 0, 0);
        if (b->clients[i] == NULL)
            return errno != 0 ? -errno : -ENOMEM;
        event.data.u32 = i;
        if (epoll_ctl(b->epoll, EPOLL_CTL_ADD, b->clients[i]->socket, &event) <
            0)
            return -errno;
    }
    return 0;
}

static int
open_all(struct bare *b)
{
    int err;

    b->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (b->epoll < 0)
        return -errno;
    err = open_server(b);
    return err < 0 ? err : open_clients(b);
}

static void
close_all(struct bare *b)
{
    uint32_t i;

    for (i = 0; b->clients != NULL && i < b->options->clients; i++)
        if (b->clients[i] != NULL)
            enet_host_destroy(b->clients[i]);
    free(b->clients);
    if (b->server != NULL)
        enet_host_destroy(b->server);
    if (b->epoll >= 0)
        close(b->epoll);
}

int
bench_enet_run(struct clock *clock, struct clock_waiter *waiter,
               const struct bench_enet_options *options,
               struct bench_enet_result *out)
{
    struct bare b = {
        .options = options, .out = out, .clock = clock, .epoll = -1};
    struct clock_thread *server = NULL, *clients = NULL;
    int err = open_all(&b);

    if (err < 0)
        goto done;
    b.start_ns = clock_now_ns(clock) + tick_period_ns(options->rate);
    err = clock_thread_launch(clock, &server, &b.server_waiter, serve, &b,
                              "bare server");
    if (err < 0)
        goto done;
    err = clock_thread_launch(clock, &clients, &b.client_waiter, fly, &b,
                              "bare clients");
    if (err < 0)
        set_phase(&b, OVER);
    clock_thread_join(clients, waiter);
    clock_thread_join(server, waiter);
    if (err == 0 && out->measured_s == 0)
        err = -ETIMEDOUT;

done:
    close_all(&b);
    return err;
}
