#include "bench.h"
#include "cmd.h"
#include "log.h"
#include <errno.h>
#include <hardpoint/predictor.h>
#include <stdlib.h>
#include <string.h>

/* The floor's samples: as many as the run's, or enough for a p99. */
#define FLOOR_SAMPLES 300
#define FLOOR_MIN_HZ  60

enum stage {
    ENET_RTT,
    PING_EVENT,
    PING_TICK,
    TICK_LATE,
    TICK_BUSY,
    SIM_TICK_DELAY,
    INPUT_TO_SNAPSHOT,
    EVENT_TO_HAPTIC,
    COMMAND_TO_HAPTIC,
    ROUND_DT
};

static const struct {
    const char *name;
    double scale;
} stage_names[BENCH_STAGES] = {
    [ENET_RTT] = {"enet_rtt_ms",          1e-3},
    [PING_EVENT] = {"ping_event_us",        1e-3},
    [PING_TICK] = {"ping_tick_us",         1e-3},
    [TICK_LATE] = {"tick_late_us",         1e-3},
    [TICK_BUSY] = {"tick_busy_us",         1e-3},
    [SIM_TICK_DELAY] = {"sim_tick_delay_ms",    1e-6},
    [INPUT_TO_SNAPSHOT] = {"input_to_snapshot_us", 1e-3},
    [EVENT_TO_HAPTIC] = {"event_to_haptic_us",   1e-3},
    [COMMAND_TO_HAPTIC] = {"command_to_haptic_us", 1e-3},
    [ROUND_DT] = {"round_dt_us",          1e-3},
};

static const char *const floor_names[BENCH_FLOORS] = {"timer_late_us",
                                                      "udp_echo_us"};

struct bench_result *
bench_result_create(void)
{
    struct bench_result *r = calloc(1, sizeof(*r));
    int i;

    if (r == NULL)
        return NULL;
    for (i = 0; i < BENCH_STAGES; i++) {
        r->stages[i].name = stage_names[i].name;
        r->stages[i].scale = stage_names[i].scale;
        hist_init(&r->stages[i].hist);
    }
    for (i = 0; i < BENCH_FLOORS; i++) {
        r->floors[i].name = floor_names[i];
        r->floors[i].scale = 1e-3;
        hist_init(&r->floors[i].hist);
    }
    return r;
}

const struct hist *
bench_stage(const struct bench_result *r, const char *name)
{
    int i;

    for (i = 0; i < BENCH_STAGES; i++)
        if (strcmp(r->stages[i].name, name) == 0)
            return &r->stages[i].hist;
    return NULL;
}

/* Where each stage is recorded in a running host; NULL: nowhere. */
static void
find_stages(const struct host *h, const struct hist *out[BENCH_STAGES])
{
    const struct client_stages *c = client_stages(h->client);

    memset(out, 0, BENCH_STAGES * sizeof(*out));
    out[ENET_RTT] = &c->enet_rtt_us;
    out[PING_EVENT] = &c->ping_event_ns;
    out[PING_TICK] = &c->ping_tick_ns;
    out[INPUT_TO_SNAPSHOT] = &c->input_to_snapshot_ns;
    if (h->haptics != NULL)
        out[COMMAND_TO_HAPTIC] = haptics_command_ns(h->haptics);
    /* From the end of the step, so only where its clock can be read. */
    if (h->haptics != NULL && client_shares_clock(h->client))
        out[EVENT_TO_HAPTIC] = haptics_event_ns(h->haptics);
    if (h->server == NULL)
        return;
    out[TICK_LATE] = &server_report(h->server)->late_ns;
    out[TICK_BUSY] = &server_report(h->server)->busy_ns;
    out[ROUND_DT] = &server_report(h->server)->round_ns;
    out[SIM_TICK_DELAY] = &server_stages(h->server)->input_wait_ns;
}

static struct hist *
copy_stages(const struct host *h)
{
    struct hist *copies = calloc(BENCH_STAGES, sizeof(*copies));
    const struct hist *stages[BENCH_STAGES];
    int i;

    if (copies == NULL)
        return NULL;
    find_stages(h, stages);
    for (i = 0; i < BENCH_STAGES; i++) {
        hist_init(&copies[i]);
        if (stages[i] != NULL)
            hist_add(&copies[i], stages[i]);
    }
    return copies;
}

static void
collect(const struct host *h, const struct hist *warm_up,
        struct bench_result *out)
{
    const struct hp_predictor_ops *predictor = h->predictor->ops;
    struct hp_prediction prediction = {.size = sizeof(prediction)};
    const struct client_stages *c = client_stages(h->client);
    const struct hist *stages[BENCH_STAGES];
    int i;

    find_stages(h, stages);
    for (i = 0; i < BENCH_STAGES; i++)
        if (stages[i] != NULL)
            hist_since(&out->stages[i].hist, stages[i], &warm_up[i]);
    /* ENet's estimate settles by an eighth of an error at a time, and over
     * errors of up to 7 ms not at all: where it started is part of what it
     * says. So it counts from its first acknowledgement on, as in the analysis
     * that this repeats. */
    hist_init(&out->stages[ENET_RTT].hist);
    hist_add(&out->stages[ENET_RTT].hist, stages[ENET_RTT]);
    out->rtt_placeholders = c->rtt_placeholders;
    out->inputs_missed = c->inputs_missed;
    out->snapshots = c->snapshots;
    predictor->measure(h->predictor->self, &prediction);
    out->wrong = prediction.wrong;
}

static uint64_t
ticks_ns(struct tick_rate rate, uint32_t ticks)
{
    return tick_period_ns(rate) * ticks;
}

static int
measure(struct host *h, const struct bench_options *options,
        struct bench_result *out)
{
    struct tick_rate rate = client_report(h->client)->rate;
    struct floor_load load;
    struct hist *warm_up;
    int status = host_serve(h, ticks_ns(rate, options->warm_up));

    if (status != 0)
        return status;
    warm_up = copy_stages(h);
    if (warm_up == NULL)
        return CMD_UNAVAILABLE;
    floor_load_begin(&load);
    status = host_serve(h, ticks_ns(rate, options->samples));
    out->foreign_cores = floor_load_foreign_cores(&load);
    host_stop(h);
    collect(h, warm_up, out);
    free(warm_up);
    return status;
}

struct floor_run {
    struct bench_result *out;
    struct tick_rate rate;
    uint32_t samples;
    uint64_t timer_slack_ns;
    int realtime;
    int err;
};

/* As the measured threads wait: their slack, their scheduling class. */
static void
floor_thread(void *argument)
{
    struct floor_run *run = argument;
    struct bench_result *out = run->out;

    clock_set_slack(run->timer_slack_ns);
    out->realtime = run->realtime && clock_set_realtime() == 0;
    run->err = floor_timer(&out->floors[0].hist, run->rate, run->samples);
    if (run->err == 0)
        run->err =
            floor_udp_echo(&out->floors[1].hist, run->rate, run->samples);
}

static void
measure_floor(const struct host *h, uint32_t samples, struct clock *clock,
              struct clock_waiter *waiter, struct bench_result *out)
{
    struct floor_run run = {.out = out,
                            .rate = client_report(h->client)->rate,
                            .samples = samples < FLOOR_SAMPLES ? samples
                                                               : FLOOR_SAMPLES,
                            .timer_slack_ns = h->side.timer_slack_ns,
                            .realtime = h->side.realtime};
    struct clock_thread *thread = NULL;
    int err;

    if (tick_rate_hz(run.rate) < FLOOR_MIN_HZ)
        run.rate = (struct tick_rate){FLOOR_MIN_HZ, 1};
    err = clock_thread_start(clock, &thread, NULL, floor_thread, &run, "floor");
    if (err == 0) {
        clock_thread_join(thread, waiter);
        err = run.err;
    }
    if (err < 0)
        log_warning("bench: the machine's floor is incomplete: %s",
                    strerror(-err));
    floor_machine(&out->machine);
}

int
bench_run(struct setup *setup, struct clock *clock, struct clock_waiter *waiter,
          const struct host_signals *signals,
          const struct bench_options *options, struct bench_result *out)
{
    struct host host;
    int status;

    host_init(&host, setup, clock, waiter, signals);
    host.bench = 1;
    status = host_start(&host);
    if (status == 0)
        status = measure(&host, options, out);
    else
        host_stop(&host);
    if (status == 0) {
        out->rate_hz = tick_rate_hz(client_report(host.client)->rate);
        out->service_tick = host.server != NULL
                                ? host.side.service_tick
                                : client_welcome(host.client)->flags &
                                      PROTO_WELCOME_TICK_SERVICE;
        out->phase_off = host.side.phase_off;
        out->timer_slack_ns = host.side.timer_slack_ns;
        measure_floor(&host, options->samples, clock, waiter, out);
    }
    host_finish(&host);
    return status;
}
