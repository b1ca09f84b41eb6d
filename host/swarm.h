/*
 * Many scripted clients in one process against one server: the real client
 * code, all driven by one thread through one epoll descriptor. It asks what the
 * server gives to each, and whether it was itself the bottleneck.
 *
 *     join, one after the other - settle for a second - measure
 */
#ifndef SWARM_H
#define SWARM_H

#include "due_heap.h"
#include "floor.h"
#include "hist.h"
#include "host.h"

#define SWARM_CLIENTS_MAX 4087

struct swarm_options {
    uint32_t clients;
    uint64_t duration_ns;      /* of the measured part */
    uint64_t ramp_ns;          /* the joins are spread over it */
    int light;                 /* no decoding, no prediction */
    int progress;              /* a line on standard error */
    struct net_simulator link; /* of each client; zero: as the INI says */
    const char *link_text;     /* as it was given, or NULL */
};

/* What the swarm's clients differ in: smallest, mean and largest. */
struct swarm_spread {
    uint32_t n;
    double min, mean, max;
};

struct swarm_result {
    uint32_t asked, connected, refused, unanswered, dropped;
    char refused_why[256]; /* the first of each; "": none */
    char unanswered_why[256];
    char dropped_why[256];
    double rate_hz; /* the server's word; 0: nobody was welcome */
    double measured_s;
    struct swarm_spread tick_hz;         /* as seen in snapshots */
    struct swarm_spread payload_bytes_s; /* messages to a client */
    struct swarm_spread
        wire_bytes_s; /* datagrams with their UDP and IP heads */
    struct swarm_spread upstream_bytes_s; /* messages from it */
    struct swarm_spread gaps;             /* snapshots that did not come */
    uint64_t snapshots, checked, wrong, inputs_missed;
    struct hist join_ns;              /* begun to welcome */
    struct hist rtt_ns;               /* echoed in the server's event path */
    struct hist input_to_snapshot_ns; /* the measured part's, as rtt_ns */
    struct hist loop_ns;              /* the swarm's own work between waits */
    double cpu_cores;                 /* what the swarm itself took */
    double late_share;    /* of its ticks: over a tenth of a period late */
    double foreign_cores; /* busy with other work, the server's among it */
    struct floor_machine machine;
};

/* NULL when there is no memory. */
struct swarm_result *swarm_result_create(void);

/*
 * Runs a swarm of `setup` (a client's). 0, or an exit status of cmd.h after the
 * reason was told: nobody was welcome, or a plugin failed. A signal ends it
 * early, with what was measured so far.
 */
int swarm_run(struct setup *setup, struct clock *clock,
              struct clock_waiter *waiter, const struct host_signals *signals,
              const struct swarm_options *options, struct swarm_result *out);

/* Whether the figures are of the swarm rather than of the server, in a
 * sentence; NULL: they are the server's. */
const char *swarm_bottleneck(const struct swarm_result *r);

/* ---- swarm_report.c ---- */

/* What the command line adds to a result. */
struct swarm_story {
    const char *target; /* "127.0.0.1:4776" */
    const char *pattern;
    int64_t seed;
    const struct swarm_options *options;
    const char *server_metrics; /* the server's JSON, or NULL */
};

void swarm_print(const struct swarm_result *r, const struct swarm_story *story,
                 FILE *to);
/* -errno */
int swarm_write_json(const struct swarm_result *r,
                     const struct swarm_story *story, const char *path);

/* ---- swarm_assert.c: what --assert-* demand; NaN: nothing ---- */

struct swarm_asserts {
    double min_tick_hz;
    double max_payload_bytes_s;
    double max_tick_ms; /* the server's p99, from its metrics */
    double rate_hz;     /* the server must tick at it */
    int no_refused;
};

/* How many do not hold; a sentence for each goes to `to`. */
int swarm_judge(const struct swarm_asserts *asserts,
                const struct swarm_result *r, const char *server_metrics,
                FILE *to);

#endif
