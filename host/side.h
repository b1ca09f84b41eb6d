/*
 * What both sides share: how a side is told to run, and what it lets others
 * see of itself while it runs. The side's thread writes the report, any thread
 * reads it: each member by itself is exact, and they are of about one moment.
 */
#ifndef SIDE_H
#define SIDE_H

#include "clock.h"
#include "hist.h"
#include "net.h"
#include "tick.h"
#include <stdatomic.h>

/* [host] and [net] keys that a side needs. */
struct side_config {
    struct clock *clock;
    struct tick_rate rate;
    uint32_t snapshot_every;
    uint32_t catch_up_max;
    uint64_t spin_ns;
    uint64_t timer_slack_ns;
    int realtime;
    int service_tick; /* [net] service = tick: the socket once a tick */
    int phase_off;    /* [net] phase = off: the client's clock is not steered */
    uint32_t clients_max;
    uint32_t entities_max;
    uint32_t workers; /* threads that share a server's tick, its own included */
    const char *address;
    uint16_t port;
    struct net_simulator simulator; /* [net.simulator] */
};

struct side_report {
    struct tick_rate rate;
    _Atomic uint64_t start_ns; /* deadline of the first tick */
    _Atomic uint64_t now_ns;   /* of the newest tick */
    _Atomic uint64_t tick;     /* newest that has run */
    _Atomic uint64_t run, late, dropped, resyncs;
    _Atomic uint64_t slept_ns; /* skipped over: the machine was suspended */
    _Atomic uint64_t hz_milli; /* achieved over the last second */
    _Atomic uint32_t peers, entities;
    _Atomic uint64_t datagrams_in, datagrams_out;
    _Atomic uint64_t wire_bytes_in, wire_bytes_out;
    _Atomic uint64_t channel_in[NET_CHANNELS], channel_out[NET_CHANNELS];
    struct hist late_ns;    /* tick start - deadline, dropped ticks included */
    struct hist busy_ns;    /* the tick's own work */
    struct hist round_ns;   /* from one tick's start to the next */
    uint64_t last_start_ns; /* the side's own */
    uint64_t second_start_ns; /* hz: the second that is counted */
    uint64_t second_run;
};

void side_report_init(struct side_report *r, struct tick_rate rate);

/* [side's tick] One tick has begun at `start_ns`, `late_ns` after its
 * deadline, after `dropped` periods without one. */
void side_report_begin(struct side_report *r, uint64_t start_ns,
                       uint64_t late_ns, uint64_t dropped);
/* [side's tick] It is done; copies the schedule's and the net's counters. */
void side_report_end(struct side_report *r, const struct tick_schedule *s,
                     const struct net *net, uint64_t start_ns, uint64_t end_ns);

/* [the side's thread] Slack and priority as configured; refusals are logged
 * plainly, under `name`. */
void side_thread_init(const struct side_config *config, const char *name);

#endif
