#include "summary.h"
#include "config.h"
#include <hardpoint/predictor.h>

static uint64_t
get(const _Atomic uint64_t *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static void
print_line(FILE *to, const char *name, const struct hist *h, double scale)
{
    struct hist_summary s;

    if (hist_count(h) == 0)
        return;
    hist_summarise(h, scale, &s);
    fprintf(to, "  %-44s %9.3f %9.3f %9.3f %9.3f %8llu\n", name, s.mean, s.p50,
            s.p99, s.max, (unsigned long long)s.n);
}

static void
print_heading(FILE *to, const char *what)
{
    fprintf(to, "\n  %-44s %9s %9s %9s %9s %8s\n", what, "mean", "p50", "p99",
            "max", "n");
}

/* Ticks run + dropped = elapsed x rate, within one: shown so that anyone can
 * check it. */
static void
print_side(FILE *to, const char *name, const struct side_report *r)
{
    uint64_t run = get(&r->run), dropped = get(&r->dropped);
    double elapsed =
        (double)(get(&r->now_ns) - get(&r->start_ns) - get(&r->slept_ns)) / 1e9;
    double hz = tick_rate_hz(r->rate);

    if (run == 0) {
        fprintf(to, "%s: no tick has run\n", name);
        return;
    }
    fprintf(to,
            "%s: %llu ticks in %.3f s = %.3f Hz of %.3f asked; %llu late, %llu "
            "dropped (run + dropped = %llu, elapsed x rate = %.1f)\n",
            name, (unsigned long long)run, elapsed,
            elapsed > 0 ? (double)(run - 1) / elapsed : 0, hz,
            (unsigned long long)get(&r->late), (unsigned long long)dropped,
            (unsigned long long)(run + dropped), elapsed * hz + 1);
}

static void
print_stages(FILE *to, const struct host *h, const struct hist *timer_floor)
{
    const struct client_stages *c =
        h->client != NULL ? client_stages(h->client) : NULL;

    print_heading(to, "latency, ms");
    if (timer_floor != NULL)
        print_line(to, "floor: a bare timer is late by", timer_floor, 1e-6);
    if (h->server != NULL) {
        print_line(to, "server tick starts after its deadline by",
                   &server_report(h->server)->late_ns, 1e-6);
        print_line(to, "server tick is busy for",
                   &server_report(h->server)->busy_ns, 1e-6);
        print_line(to, "input waits for its tick",
                   &server_stages(h->server)->input_wait_ns, 1e-6);
    }
    if (c == NULL)
        return;
    print_line(to, "input sampled to sent", &c->send_ns, 1e-6);
    print_line(to, "input sampled to snapshot decoded",
               &c->input_to_snapshot_ns, 1e-6);
    print_line(to, "snapshot arrived to predicted and cued", &c->decode_ns,
               1e-6);
    print_line(to, "ping, answered at once", &c->ping_event_ns, 1e-6);
    print_line(to, "ping, answered after the next step", &c->ping_tick_ns,
               1e-6);
    print_line(to, "ENet's own round trip estimate", &c->enet_rtt_us, 1e-3);
    if (h->haptics == NULL)
        return;
    print_line(to, "command sampled to haptics render",
               haptics_command_ns(h->haptics), 1e-6);
    print_line(to,
               client_shares_clock(h->client)
                   ? "event's step done to haptics render"
                   : "event's snapshot arrived to haptics render",
               haptics_event_ns(h->haptics), 1e-6);
}

static void
print_plugins(FILE *to, const struct host *h)
{
    const struct instance *i;
    uint32_t k;

    print_heading(to, "plugin calls, us");
    for (k = 0; k < h->crew.count; k++)
        print_line(to, h->crew.all[k]->label, &h->crew.all[k]->call_ns, 1e-3);
    for (k = 0; k < h->crew.count; k++) {
        i = h->crew.all[k];
        if (i->over_budget > 0)
            fprintf(to, "  %s was over its budget of %.3f ms %llu times\n",
                    i->label, (double)i->budget_ns / 1e6,
                    (unsigned long long)i->over_budget);
    }
}

static void
print_prediction(FILE *to, const struct host *h)
{
    const struct client_stages *c = client_stages(h->client);
    const struct hp_predictor_ops *ops = h->predictor->ops;
    struct hp_prediction p = {.size = sizeof(p)};

    ops->measure(h->predictor->self, &p);
    fprintf(to,
            "\nclient: %llu snapshots, %llu missing, %llu undecoded; %llu "
            "inputs came too late; %llu events\n",
            (unsigned long long)get(&c->snapshots),
            (unsigned long long)get(&c->snapshot_gaps),
            (unsigned long long)get(&c->undecoded),
            (unsigned long long)get(&c->inputs_missed),
            (unsigned long long)get(&c->events));
    fprintf(to,
            "prediction: %llu compared, %llu wrong, largest correction %.3f "
            "m, %llu ticks replayed\n",
            (unsigned long long)p.checked, (unsigned long long)p.wrong,
            p.worst_error_m, (unsigned long long)p.replayed);
}

static void
print_haptics(FILE *to, const struct host *h)
{
    struct haptics_report r;

    haptics_report(h->haptics, &r);
    fprintf(to,
            "haptics: %llu effects started, %llu ignored, %llu too late, "
            "%llu renders to %llu devices\n",
            (unsigned long long)r.mixer.started,
            (unsigned long long)r.mixer.ignored,
            (unsigned long long)r.mixer.stale, (unsigned long long)r.renders,
            (unsigned long long)r.devices);
}

static void
print_record(FILE *to, const struct host *h)
{
    struct record_report r;

    record_report(h->record, &r);
    fprintf(to,
            "record: %llu ticks in %llu bytes of %s; %llu ticks lost; at most "
            "%llu bytes waited\n",
            (unsigned long long)r.ticks, (unsigned long long)r.bytes,
            record_path(h->record), (unsigned long long)r.lost,
            (unsigned long long)r.ring_bytes);
}

void
summary_print(const struct host *h, const struct hist *timer_floor, FILE *to)
{
    if (h->server != NULL)
        print_side(to, "server", server_report(h->server));
    if (h->client != NULL)
        print_side(to, "client", client_report(h->client));
    if (h->record != NULL)
        print_record(to, h);
    print_stages(to, h, timer_floor);
    print_plugins(to, h);
    if (h->client != NULL && h->predictor != NULL)
        print_prediction(to, h);
    if (h->haptics != NULL)
        print_haptics(to, h);
}
