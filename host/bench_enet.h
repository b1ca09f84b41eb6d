/*
 * The socket's own cost: a bare ENet server and clients that exchange as many
 * datagrams of the same sizes as a host and its clients would, and do nothing
 * else. No checksum, no decoding, no world.
 */
#ifndef BENCH_ENET_H
#define BENCH_ENET_H

#include "hist.h"
#include "tick.h"
#include <stdint.h>

struct clock;

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
    uint64_t ticks, snapshots; /* sent in the measured part */
    uint64_t inputs, snapshots_in; /* received in it */
    double measured_s;
    double server_cores, client_cores;
    struct hist tick_ns; /* one tick's work: what the socket had, the sends */
};

/* NULL when there is no memory. */
struct bench_enet_result *bench_enet_result_create(void);

/*
 * [main] Server and clients on a thread each, over 127.0.0.1; takes the
 * duration and about two seconds more. 0, -ETIMEDOUT: not all clients could
 * connect; -ENOMEM, -EAGAIN.
 */
int bench_enet_run(struct clock *clock,
                   const struct bench_enet_options *options,
                   struct bench_enet_result *out);

#endif
