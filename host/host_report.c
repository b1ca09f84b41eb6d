/* What a running host says of itself to others: agents and the metrics file. */
#include "host.h"
#include "json.h"
#include <errno.h>
#include <hardpoint/agent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define METRICS_SCHEMA 1

static uint64_t
get(const _Atomic uint64_t *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

void
host_status(const struct side_report *r, uint32_t side, uint64_t now_ns,
            struct hp_status *out)
{
    *out = (struct hp_status){
        .size = sizeof(*out),
        .side = side,
        .time_ns = now_ns,
        .tick = get(&r->tick),
        .ticks_run = get(&r->run),
        .ticks_late = get(&r->late),
        .ticks_dropped = get(&r->dropped),
        .bytes_in = get(&r->wire_bytes_in),
        .bytes_out = get(&r->wire_bytes_out),
        .tick_hz = (double)get(&r->hz_milli) / 1000,
        .tick_mean_ms = hist_mean(&r->busy_ns) / 1e6,
        .tick_max_ms = (double)hist_quantile(&r->busy_ns, 1) / 1e6,
        .peers = r->peers,
        .entities = r->entities,
    };
}

static void
put_ticks(struct json *j, const struct side_report *r)
{
    json_real(j, "tick_hz", (double)get(&r->hz_milli) / 1000);
    json_open_object(j, "ticks");
    json_int(j, "total", (int64_t)get(&r->run));
    json_int(j, "late", (int64_t)get(&r->late));
    json_int(j, "dropped", (int64_t)get(&r->dropped));
    json_close_object(j);
    json_hist(j, "tick_ms", &r->busy_ns, 1e-6);
}

static void
put_phases(struct json *j, const struct host *h)
{
    const struct server_stages *s;

    json_open_object(j, "phase_ms");
    if (h->server != NULL) {
        s = server_stages(h->server);
        json_hist(j, "step", &s->step_ns, 1e-6);
        json_hist(j, "view", &s->view_ns, 1e-6);
        json_hist(j, "encode", &s->encode_ns, 1e-6);
        json_hist(j, "flush", &s->flush_ns, 1e-6);
    }
    json_close_object(j);
}

static void
put_plugins(struct json *j, const struct host *h)
{
    uint32_t i;

    json_open_object(j, "plugin_us");
    for (i = 0; i < h->crew.count; i++)
        json_hist(j, h->crew.all[i]->label, &h->crew.all[i]->call_ns, 1e-3);
    json_close_object(j);
}

static void
put_bytes(struct json *j, const struct side_report *r)
{
    static const char *const names[NET_CHANNELS] = {"control", "bulk",
                                                    "snapshots", "inputs"};
    int i;

    json_open_object(j, "bytes");
    for (i = 0; i < NET_CHANNELS; i++) {
        json_open_object(j, names[i]);
        json_int(j, "in", (int64_t)get(&r->channel_in[i]));
        json_int(j, "out", (int64_t)get(&r->channel_out[i]));
        json_close_object(j);
    }
    json_open_object(j, "wire");
    json_int(j, "in", (int64_t)get(&r->wire_bytes_in));
    json_int(j, "out", (int64_t)get(&r->wire_bytes_out));
    json_close_object(j);
    json_close_object(j);
}

static void
put_haptics(struct json *j, const struct host *h)
{
    struct haptics_report r;

    if (h->haptics == NULL)
        return;
    haptics_report(h->haptics, &r);
    json_open_object(j, "haptics");
    json_int(j, "commands", (int64_t)r.commands);
    json_int(j, "started", (int64_t)r.mixer.started);
    json_int(j, "ignored", (int64_t)r.mixer.ignored);
    json_int(j, "stolen", (int64_t)r.mixer.stolen);
    json_int(j, "stale", (int64_t)r.mixer.stale);
    json_int(j, "dropped", (int64_t)r.dropped);
    json_int(j, "renders", (int64_t)r.renders);
    json_int(j, "heartbeats_lost", (int64_t)r.heartbeats_lost);
    json_int(j, "devices", (int64_t)r.devices);
    json_int(j, "swaps", (int64_t)r.swaps);
    json_int(j, "swap_us_max", (int64_t)(r.swap_ns_max / 1000));
    json_close_object(j);
}

static int
put_metrics(const struct host *h, FILE *file)
{
    const struct side_report *r =
        h->server != NULL ? server_report(h->server) : client_report(h->client);
    struct json j;

    json_init(&j, file);
    json_open_object(&j, NULL);
    json_int(&j, "schema", METRICS_SCHEMA);
    put_ticks(&j, r);
    put_phases(&j, h);
    put_plugins(&j, h);
    json_int(&j, "peers", r->peers);
    json_int(&j, "entities", r->entities);
    put_bytes(&j, r);
    put_haptics(&j, h);
    json_close_object(&j);
    return json_finish(&j);
}

/* Written beside its place and moved there, so a reader sees all or the old. */
int
host_write_metrics(const struct host *h, const char *path)
{
    char beside[4096];
    FILE *file;
    int err;

    if (snprintf(beside, sizeof(beside), "%s.new", path) >= (int)sizeof(beside))
        return -ENAMETOOLONG;
    file = fopen(beside, "w");
    if (file == NULL)
        return -errno;
    err = put_metrics(h, file);
    if (fclose(file) != 0 && err == 0)
        err = -errno;
    if (err == 0 && rename(beside, path) != 0)
        err = -errno;
    if (err < 0)
        unlink(beside);
    return err;
}
