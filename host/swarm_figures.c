/* What a swarm measures: each client's counters at both ends of the measured
 * part, and the swarm's own. */
#include "swarm_private.h"
#include <hardpoint/predictor.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define HEAD_BYTES 28 /* of UDP and IPv4, before each datagram's payload */

static uint64_t
get(const _Atomic uint64_t *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static void
mark_prediction(const struct swarm_client *c, struct swarm_mark *out)
{
    struct hp_prediction p = {.size = sizeof(p)};
    const struct hp_predictor_ops *ops;

    if (c->predictor == NULL)
        return;
    ops = c->predictor->ops;
    ops->measure(c->predictor->self, &p);
    out->checked = p.checked;
    out->wrong = p.wrong;
}

static void
mark(const struct swarm_client *c, struct swarm_mark *out)
{
    const struct client_stages *s = client_stages(c->client);
    const struct side_report *r = client_report(c->client);
    int i;

    *out = (struct swarm_mark){
        .tick = get(&s->newest_tick),
        .tick_ns = get(&s->newest_ns),
        .bytes_ns = get(&r->now_ns),
        .wire_bytes = get(&r->wire_bytes_in),
        .datagrams = get(&r->datagrams_in),
        .snapshots = get(&s->snapshots),
        .gaps = get(&s->snapshot_gaps),
        .missed = get(&s->inputs_missed),
        .run = get(&r->run),
        .late = get(&r->late),
    };
    for (i = 0; i < NET_CHANNELS; i++) {
        out->payload_bytes += get(&r->channel_in[i]);
        out->sent_bytes += get(&r->channel_out[i]);
    }
    mark_prediction(c, out);
}

static double
cpu_s(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void
sum_up(struct swarm *s, struct swarm_sums *out)
{
    const struct client_stages *stages;
    uint32_t i;

    hist_init(&out->rtt_ns);
    hist_init(&out->input_to_snapshot_ns);
    for (i = 0; i < s->options->clients; i++) {
        if (s->clients[i].join_ns == 0)
            continue; /* those that were dropped count on */
        stages = client_stages(s->clients[i].client);
        hist_add(&out->rtt_ns, &stages->ping_event_ns);
        hist_add(&out->input_to_snapshot_ns, &stages->input_to_snapshot_ns);
    }
}

void
swarm_measure_begin(struct swarm *s)
{
    uint32_t i;

    for (i = 0; i < s->options->clients; i++)
        if (s->clients[i].state == SWARM_FLYING)
            mark(&s->clients[i], &s->clients[i].begin);
    sum_up(s, s->before);
    hist_init(s->loop_ns);
    floor_load_begin(&s->load);
    s->before->cpu_s = cpu_s();
    s->measure_ns = clock_now_ns(s->host.clock);
}

void
swarm_measure_end(struct swarm *s)
{
    uint32_t i;

    s->after->cpu_s = cpu_s();
    s->measured_ns = clock_now_ns(s->host.clock) - s->measure_ns;
    for (i = 0; i < s->options->clients; i++)
        if (s->clients[i].state == SWARM_FLYING)
            mark(&s->clients[i], &s->clients[i].end);
    sum_up(s, s->after);
}

/* ---- the result ---- */

static void
spread(struct swarm_spread *s, double value)
{
    if (s->n == 0 || value < s->min)
        s->min = value;
    if (s->n == 0 || value > s->max)
        s->max = value;
    s->mean += (value - s->mean) / (double)++s->n;
}

/* Per second, 0 when no time has passed. */
static double
rate(uint64_t from, uint64_t to, uint64_t from_ns, uint64_t to_ns)
{
    if (to_ns <= from_ns)
        return 0;
    return (double)(to - from) * 1e9 / (double)(to_ns - from_ns);
}

static void
collect_client(const struct swarm_client *c, struct swarm_result *out,
               uint64_t *run, uint64_t *late)
{
    const struct swarm_mark *a = &c->begin, *b = &c->end;

    spread(&out->tick_hz, rate(a->tick, b->tick, a->tick_ns, b->tick_ns));
    spread(&out->payload_bytes_s,
           rate(a->payload_bytes, b->payload_bytes, a->bytes_ns, b->bytes_ns));
    spread(&out->upstream_bytes_s,
           rate(a->sent_bytes, b->sent_bytes, a->bytes_ns, b->bytes_ns));
    spread(&out->wire_bytes_s, rate(a->wire_bytes + HEAD_BYTES * a->datagrams,
                                    b->wire_bytes + HEAD_BYTES * b->datagrams,
                                    a->bytes_ns, b->bytes_ns));
    spread(&out->gaps, (double)(b->gaps - a->gaps));
    out->snapshots += b->snapshots - a->snapshots;
    out->inputs_missed += b->missed - a->missed;
    out->checked += b->checked - a->checked;
    out->wrong += b->wrong - a->wrong;
    *run += b->run - a->run;
    *late += b->late - a->late;
}

static void
count_states(const struct swarm *s, struct swarm_result *out)
{
    uint32_t i, n[SWARM_DROPPED + 1] = {0};

    for (i = 0; i < s->options->clients; i++) {
        n[s->clients[i].state]++;
        if (s->clients[i].join_ns > 0)
            hist_record(&out->join_ns, s->clients[i].join_ns);
    }
    out->asked = s->options->clients;
    out->connected = n[SWARM_FLYING] + n[SWARM_DROPPED];
    out->dropped = n[SWARM_DROPPED];
    out->refused = n[SWARM_REFUSED];
    /* Those that a signal cut off among them. */
    out->unanswered = out->asked - out->connected - out->refused;
    memcpy(out->refused_why, s->refused_why, sizeof(s->refused_why));
    memcpy(out->unanswered_why, s->unanswered_why, sizeof(s->unanswered_why));
    memcpy(out->dropped_why, s->dropped_why, sizeof(s->dropped_why));
}

void
swarm_collect(const struct swarm *s, struct swarm_result *out)
{
    uint64_t run = 0, late = 0;
    uint32_t i;

    count_states(s, out);
    if (s->has_model)
        out->rate_hz = tick_rate_hz((struct tick_rate){
            s->host.client_limits.rate_num, s->host.client_limits.rate_den});
    floor_machine(&out->machine);
    if (s->measured_ns == 0)
        return;
    out->measured_s = (double)s->measured_ns / 1e9;
    for (i = 0; i < s->options->clients; i++)
        if (s->clients[i].state == SWARM_FLYING && s->clients[i].begin.run > 0)
            collect_client(&s->clients[i], out, &run, &late);
    hist_since(&out->rtt_ns, &s->after->rtt_ns, &s->before->rtt_ns);
    hist_since(&out->input_to_snapshot_ns, &s->after->input_to_snapshot_ns,
               &s->before->input_to_snapshot_ns);
    hist_add(&out->loop_ns, s->loop_ns);
    out->cpu_cores = (s->after->cpu_s - s->before->cpu_s) / out->measured_s;
    out->late_share = run == 0 ? 0 : (double)late / (double)run;
    out->foreign_cores = floor_load_foreign_cores(&s->load);
}
