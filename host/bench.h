/*
 * One run of the latency bench: a host as `run` makes it, measured stage by
 * stage after a warm-up, with the machine's floor taken right after.
 */
#ifndef BENCH_H
#define BENCH_H

#include "floor.h"
#include "hist.h"
#include "host.h"

#define BENCH_STAGES 10
#define BENCH_FLOORS 2

/* A distribution by its name in reports; the name ends in the unit. */
struct bench_stage {
    const char *name;
    double scale; /* recorded value to unit */
    struct hist hist;
};

struct bench_result {
    struct bench_stage stages[BENCH_STAGES];
    struct bench_stage floors[BENCH_FLOORS];
    struct floor_machine machine;
    double foreign_cores; /* busy by others during the run; NaN: unknown */
    double rate_hz;       /* the server's */
    int service_tick, phase_off;
    int realtime; /* SCHED_FIFO was asked for and granted */
    uint64_t timer_slack_ns;
    /* Of the whole run, warm-up included: */
    uint64_t rtt_placeholders; /* ENet round trips before the first ack */
    uint64_t inputs_missed, snapshots;
    uint64_t wrong; /* predictions that had to be corrected */
};

struct bench_options {
    uint32_t samples; /* client ticks to measure */
    uint32_t warm_up; /* and to leave out before */
};

/*
 * Runs the host of `setup` (solo, or a client of another host) and fills `out`,
 * allocated by bench_result_create. Takes (samples + warm_up) / rate seconds and
 * the floor's. 0 or an exit status of cmd.h after the reason was logged.
 */
int bench_run(struct setup *setup, struct clock *clock,
              struct clock_waiter *waiter, const struct host_signals *signals,
              const struct bench_options *options, struct bench_result *out);

/* NULL when there is no memory. */
struct bench_result *bench_result_create(void);

/* The stage of that name, or NULL. */
const struct hist *bench_stage(const struct bench_result *r, const char *name);

/* bench_report.c: for people, and as JSON (doc/latency.md). */
void bench_print(const struct bench_result *r, FILE *to);
int bench_write_json(const struct bench_result *r, uint32_t runs,
                     const char *path);
/* How ENet's round trip reads: "normal", "investigate", ... */
const char *bench_verdict(const struct bench_result *r);

/* bench_baseline.c: OS figures by other tools, or a line that they are not
 * installed. */
void bench_print_baselines(FILE *to);

#endif
