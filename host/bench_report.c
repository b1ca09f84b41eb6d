/* What a bench run has found: a table for people, JSON for programs. */
#include "bench.h"
#include "json.h"
#include "net.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define BENCH_SCHEMA 1

/* How the original analysis reads ENet's p99 over a server that serves its
 * socket once per 60 Hz tick. */
#define NORMAL_FROM_MS      15
#define INVESTIGATE_FROM_MS 22
#define ANOMALOUS_FROM_MS   33

static double
quantile(const struct bench_stage *s, double share)
{
    return (double)hist_quantile(&s->hist, share) * s->scale;
}

static int
is_quiet(const struct bench_result *r)
{
    return r->foreign_cores <= FLOOR_LOAD_QUIET;
}

const char *
bench_verdict(const struct bench_result *r)
{
    const struct bench_stage *rtt = &r->stages[0];
    double p99 = round(quantile(rtt, 0.99)); /* ENet knows whole ms only */

    if (hist_count(&rtt->hist) == 0)
        return "no round trip was measured";
    if (!r->service_tick)
        return p99 < NORMAL_FROM_MS
                   ? "event-driven: below what a tick-paced server can reach"
                   : "event-driven, yet as slow as a tick-paced server: "
                     "investigate";
    if (fabs(r->rate_hz - 60) > 0.5)
        return "tick-paced at another rate than 60 Hz: no range is known";
    if (p99 > ANOMALOUS_FROM_MS)
        return "anomalous: over 33 ms";
    if (p99 > INVESTIGATE_FROM_MS)
        return "investigate: 22 to 33 ms";
    if (p99 < NORMAL_FROM_MS)
        return "below normal: under 15 ms";
    return "normal: 15 to 22 ms";
}

static void
print_row(FILE *to, const struct bench_stage *s, const char *prefix)
{
    struct hist_summary sum;

    if (hist_count(&s->hist) == 0) {
        fprintf(to, "%s%-*s  not measured\n", prefix,
                (int)(28 - strlen(prefix)), s->name);
        return;
    }
    hist_summarise(&s->hist, s->scale, &sum);
    fprintf(to, "%s%-*s %10.2f %10.2f %10.2f %10.2f %10.2f %8llu\n", prefix,
            (int)(28 - strlen(prefix)), s->name, sum.mean, sum.p50, sum.p95,
            sum.p99, sum.max, (unsigned long long)sum.n);
}

static void
print_quiet(FILE *to, const struct bench_result *r)
{
    if (isnan(r->foreign_cores))
        fprintf(to, "machine: how busy it was with other work is not known\n");
    else if (is_quiet(r))
        fprintf(to, "machine: quiet (%.2f cores busy with other work)\n",
                r->foreign_cores);
    else
        fprintf(to,
                "machine: NOT quiet (%.2f cores busy with other work): the "
                "figures are upper bounds\n",
                r->foreign_cores);
}

void
bench_print(const struct bench_result *r, FILE *to)
{
    int i;

    fprintf(to, "%.3f Hz, service = %s, phase = %s, ENet %s, %s, %s\n\n",
            r->rate_hz, r->service_tick ? "tick" : "event",
            r->phase_off ? "off" : "lock", net_library_version(),
            r->machine.kernel, r->machine.cpu);
    fprintf(to, "%-28s %10s %10s %10s %10s %10s %8s\n", "stage", "mean", "p50",
            "p95", "p99", "max", "n");
    for (i = 0; i < BENCH_FLOORS; i++)
        print_row(to, &r->floors[i], "floor.");
    for (i = 0; i < BENCH_STAGES; i++)
        print_row(to, &r->stages[i], "");
    fprintf(
        to,
        "\nwith warm-up: %llu ENet placeholders of 500 ms left out; %llu of "
        "%llu inputs came too late; %llu predictions were wrong\n",
        (unsigned long long)r->rtt_placeholders,
        (unsigned long long)r->inputs_missed, (unsigned long long)r->snapshots,
        (unsigned long long)r->wrong);
    print_quiet(to, r);
    fprintf(to, "verdict: %s\n", bench_verdict(r));
}

static void
put_setup(struct json *j, const struct bench_result *r, uint32_t runs)
{
    json_open_object(j, "setup");
    json_real(j, "tick_rate_hz", r->rate_hz);
    json_text(j, "service", r->service_tick ? "tick" : "event");
    json_text(j, "phase", r->phase_off ? "off" : "lock");
    json_text(j, "enet_version", net_library_version());
    json_text(j, "kernel", r->machine.kernel);
    json_text(j, "cpu", r->machine.cpu);
    json_int(j, "cores", r->machine.cores);
    json_text(j, "governor", r->machine.governor);
    json_int(j, "timer_slack_ns", (int64_t)r->timer_slack_ns);
    json_text(j, "scheduler", r->realtime ? "fifo" : "other");
    json_real(j, "foreign_cores", r->foreign_cores);
    json_int(j, "runs", runs);
    json_close_object(j);
}

static void
put_stages(struct json *j, const char *key, const struct bench_stage *stages,
           int count)
{
    int i;

    json_open_object(j, key);
    for (i = 0; i < count; i++)
        if (hist_count(&stages[i].hist) > 0)
            json_hist(j, stages[i].name, &stages[i].hist, stages[i].scale);
    json_close_object(j);
}

int
bench_write_json(const struct bench_result *r, uint32_t runs, const char *path)
{
    time_t wall = time(NULL);
    char date[32];
    struct json j;
    FILE *file = fopen(path, "w");
    int err;

    if (file == NULL)
        return -errno;
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&wall));
    json_init(&j, file);
    json_open_object(&j, NULL);
    json_int(&j, "schema", BENCH_SCHEMA);
    json_text(&j, "date", date);
    put_setup(&j, r, runs);
    put_stages(&j, "floor", r->floors, BENCH_FLOORS);
    put_stages(&j, "stages", r->stages, BENCH_STAGES);
    json_int(&j, "rtt_placeholders", (int64_t)r->rtt_placeholders);
    json_int(&j, "inputs_missed", (int64_t)r->inputs_missed);
    json_int(&j, "predictions_wrong", (int64_t)r->wrong);
    json_text(&j, "verdict", bench_verdict(r));
    json_close_object(&j);
    err = json_finish(&j);
    if (fclose(file) != 0 && err == 0)
        err = -errno;
    return err;
}
