/* What a swarm has found: a table for people, JSON for programs. */
#include "json.h"
#include "net.h"
#include "swarm.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define SWARM_SCHEMA 1

static void
print_spread(FILE *to, const char *name, const struct swarm_spread *s)
{
    if (s->n == 0)
        fprintf(to, "%-34s  not measured\n", name);
    else
        fprintf(to, "%-34s %10.2f %10.2f %10.2f %8u\n", name, s->min, s->mean,
                s->max, s->n);
}

static void
print_hist(FILE *to, const char *name, const struct hist *h, double scale)
{
    struct hist_summary sum;

    if (hist_count(h) == 0) {
        fprintf(to, "%-34s  not measured\n", name);
        return;
    }
    hist_summarise(h, scale, &sum);
    fprintf(to, "%-34s %10.2f %10.2f %10.2f %10.2f %8llu\n", name, sum.mean,
            sum.p50, sum.p99, sum.max, (unsigned long long)sum.n);
}

static void
print_clients(FILE *to, const struct swarm_result *r)
{
    fprintf(to,
            "%u clients asked for: %u connected, %u refused, %u unanswered; "
            "%u dropped\n",
            r->asked, r->connected, r->refused, r->unanswered, r->dropped);
    if (r->refused > 0)
        fprintf(to, "refused: %s\n", r->refused_why);
    if (r->unanswered > 0 && r->unanswered_why[0] != '\0')
        fprintf(to, "unanswered: %s\n", r->unanswered_why);
    if (r->dropped > 0)
        fprintf(to, "dropped: %s\n", r->dropped_why);
}

static void
print_harness(FILE *to, const struct swarm_result *r)
{
    const char *bottleneck = swarm_bottleneck(r);

    fprintf(to,
            "the swarm itself: %.2f cores, %.1f %% of its ticks late; %.2f "
            "cores busy with other work, the server's if it is here\n",
            r->cpu_cores, r->late_share * 100, r->foreign_cores);
    if (bottleneck != NULL)
        fprintf(to, "NOTE: %s\n", bottleneck);
}

void
swarm_print(const struct swarm_result *r, const struct swarm_story *story,
            FILE *to)
{
    const char *link = story->options->link_text;

    fprintf(to, "%s, %.3f Hz, pattern %s, seed %lld%s%s%s, %.1f s measured\n",
            story->target, r->rate_hz, story->pattern, (long long)story->seed,
            story->options->light ? ", light" : "",
            link != NULL ? ", link " : "", link != NULL ? link : "",
            r->measured_s);
    print_clients(to, r);
    fprintf(to, "\n%-34s %10s %10s %10s %8s\n", "of each client", "min", "mean",
            "max", "clients");
    print_spread(to, "observed_tick_hz", &r->tick_hz);
    print_spread(to, "downstream_payload_bytes_per_s", &r->payload_bytes_s);
    print_spread(to, "downstream_wire_bytes_per_s", &r->wire_bytes_s);
    print_spread(to, "upstream_payload_bytes_per_s", &r->upstream_bytes_s);
    print_spread(to, "snapshot_gaps", &r->gaps);
    fprintf(to, "\n%-34s %10s %10s %10s %10s %8s\n", "of all", "mean", "p50",
            "p99", "max", "n");
    print_hist(to, "join_ms", &r->join_ns, 1e-6);
    print_hist(to, "rtt_us", &r->rtt_ns, 1e-3);
    print_hist(to, "input_to_snapshot_us", &r->input_to_snapshot_ns, 1e-3);
    print_hist(to, "harness.loop_ms", &r->loop_ns, 1e-6);
    fprintf(to,
            "\n%llu snapshots; %llu inputs came too late; %llu of %llu "
            "predictions had to be corrected\n",
            (unsigned long long)r->snapshots,
            (unsigned long long)r->inputs_missed, (unsigned long long)r->wrong,
            (unsigned long long)r->checked);
    print_harness(to, r);
}

/* ---- JSON ---- */

static void
put_clients(struct json *j, const struct swarm_result *r)
{
    json_open_object(j, "clients");
    json_int(j, "asked", r->asked);
    json_int(j, "connected", r->connected);
    json_int(j, "refused", r->refused);
    json_int(j, "unanswered", r->unanswered);
    json_int(j, "dropped", r->dropped);
    json_close_object(j);
}

static void
put_spread(struct json *j, const char *key, const struct swarm_spread *s)
{
    json_open_object(j, key);
    json_real(j, "min", s->n == 0 ? NAN : s->min);
    json_real(j, "mean", s->n == 0 ? NAN : s->mean);
    json_real(j, "max", s->n == 0 ? NAN : s->max);
    json_close_object(j);
}

static void
put_setup(struct json *j, const struct swarm_result *r,
          const struct swarm_story *story)
{
    json_open_object(j, "setup");
    json_text(j, "target", story->target);
    json_text(j, "pattern", story->pattern);
    json_int(j, "seed", story->seed);
    if (story->options->link_text != NULL)
        json_text(j, "link", story->options->link_text);
    json_flag(j, "light", story->options->light);
    json_real(j, "ramp_s", (double)story->options->ramp_ns / 1e9);
    json_real(j, "measured_s", r->measured_s);
    json_real(j, "tick_rate_hz", r->rate_hz);
    json_text(j, "enet_version", net_library_version());
    json_text(j, "kernel", r->machine.kernel);
    json_text(j, "cpu", r->machine.cpu);
    json_int(j, "cores", r->machine.cores);
    json_text(j, "governor", r->machine.governor);
    json_real(j, "foreign_cores", r->foreign_cores);
    json_close_object(j);
}

static void
put_harness(struct json *j, const struct swarm_result *r)
{
    json_open_object(j, "harness");
    json_hist(j, "loop_ms", &r->loop_ns, 1e-6);
    json_real(j, "cpu_cores", r->cpu_cores);
    json_real(j, "late_share", r->late_share);
    json_flag(j, "bottleneck", swarm_bottleneck(r) != NULL);
    json_close_object(j);
}

static void
put_result(struct json *j, const struct swarm_result *r,
           const struct swarm_story *story, const char *date)
{
    json_open_object(j, NULL);
    json_int(j, "schema", SWARM_SCHEMA);
    json_text(j, "date", date);
    put_setup(j, r, story);
    put_clients(j, r);
    put_spread(j, "observed_tick_hz", &r->tick_hz);
    put_spread(j, "downstream_payload_bytes_per_s", &r->payload_bytes_s);
    put_spread(j, "downstream_wire_bytes_per_s", &r->wire_bytes_s);
    put_spread(j, "upstream_payload_bytes_per_s", &r->upstream_bytes_s);
    put_spread(j, "snapshot_gaps", &r->gaps);
    json_hist(j, "join_ms", &r->join_ns, 1e-6);
    json_hist(j, "rtt_us", &r->rtt_ns, 1e-3);
    json_hist(j, "input_to_snapshot_us", &r->input_to_snapshot_ns, 1e-3);
    json_int(j, "snapshots", (int64_t)r->snapshots);
    json_int(j, "inputs_missed", (int64_t)r->inputs_missed);
    json_int(j, "predictions_checked", (int64_t)r->checked);
    json_int(j, "corrections", (int64_t)r->wrong);
    put_harness(j, r);
    if (story->server_metrics != NULL)
        json_raw(j, "server", story->server_metrics);
    json_close_object(j);
}

int
swarm_write_json(const struct swarm_result *r, const struct swarm_story *story,
                 const char *path)
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
    put_result(&j, r, story, date);
    err = json_finish(&j);
    if (fclose(file) != 0 && err == 0)
        err = -errno;
    return err;
}
