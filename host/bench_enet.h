/*
 * The socket's own cost: a bare ENet server and clients that exchange as many
 * datagrams of the same sizes as a host and its clients would, and do nothing
 * else: no checksum, no decoding, no world. Beside it stands what a host costs.
 */
#ifndef BENCH_ENET_H
#define BENCH_ENET_H

#include "hist.h"
#include "tick.h"
#include <stdint.h>

struct clock;
struct clock_waiter;

#define BENCH_ENET_CLIENTS_MAX 4087

struct bench_enet_options {
    uint32_t clients;
    struct tick_rate rate;
    uint64_t duration_ns;
    uint32_t snapshot_bytes, input_bytes;
    int service_tick; /* the socket once a tick, not when it is readable */
};

struct bench_enet_result {
    uint32_t connected;
    double measured_s;
    uint64_t ticks, snapshots_out, inputs_in; /* of the server */
    uint64_t snapshots_in;                    /* of the clients */
    double server_cores, client_cores;
    struct hist
        tick_ns; /* a tick's own work: the socket once more, the sends */
};

/* NULL when there is no memory. */
struct bench_enet_result *bench_enet_result_create(void);

/*
 * [main] Server and clients on a thread each, over 127.0.0.1; takes the
 * duration and about two seconds more. `waiter` is the caller's. 0;
 * -ETIMEDOUT: not all clients could connect; -ENOMEM, -EMFILE, -EAGAIN.
 */
int bench_enet_run(struct clock *clock, struct clock_waiter *waiter,
                   const struct bench_enet_options *options,
                   struct bench_enet_result *out);

#endif
