/*
 * The whole host on a virtual clock: both sides, ENet on loopback, the plugins
 * that ship. Ports are the kernel's choice.
 */
#include "host.h"
#include "digest.h"
#include "log.h"
#include "setup.h"
#include "tap.h"
#include <hardpoint/predictor.h>
#include <stdlib.h>

#define SECOND_NS 1000000000ull
#define TAPPED    4000

static const struct host_signals quiet;

/* One message that a client sent or received. */
struct message {
    int sent;
    enum net_channel channel;
    size_t count;
    uint64_t digest;
};

struct tape {
    uint32_t count;
    struct message messages[TAPPED];
};

static void
record(void *context, int sent, enum net_channel channel, const uint8_t *bytes,
       size_t count)
{
    struct tape *tape = context;
    struct message *m;

    if (tape->count == TAPPED)
        return;
    m = &tape->messages[tape->count++];
    m->sent = sent;
    m->channel = channel;
    m->count = count;
    m->digest = digest64(DIGEST_SEED, bytes, count);
}

/* A host on a clock of its own or another's. */
struct bench_host {
    struct setup setup;
    struct clock *clock;
    struct clock_waiter *waiter;
    struct host host;
};

static void
open_host(struct bench_host *b, struct clock *clock,
          const char *const *settings, int count)
{
    static char input[2][4200], effects[4200];
    static const char *lists[2][32];
    static int which;
    const char **all = lists[which ^= 1];
    int i, n = 0;

    /* The setup borrows its settings, and two hosts are open at most. */
    snprintf(input[which], sizeof(input[which]),
             "input.script.file=%s/conf/traces/gun_run.csv", getenv("HP_SRC"));
    snprintf(effects, sizeof(effects), "haptics.effects=%s/conf/effects.ini",
             getenv("HP_SRC"));
    all[n++] = "plugins.input=script";
    all[n++] = input[which];
    all[n++] = effects;
    for (i = 0; i < count; i++)
        all[n++] = settings[i];
    snprintf(b->setup.file, sizeof(b->setup.file), "?");
    ok_int(setup_load(&b->setup, NULL, all, n, stdout), 0);
    b->clock = clock;
    ok_int(clock_join(clock, &b->waiter), 0);
    host_init(&b->host, &b->setup, clock, b->waiter, &quiet);
    b->host.side.port = 0;
    b->host.bench = 1;
}

static void
close_host(struct bench_host *b)
{
    host_stop(&b->host);
    host_finish(&b->host);
    clock_leave(b->waiter);
    setup_finish(&b->setup);
}

static struct clock *
virtual_clock(void)
{
    struct clock *clock = NULL;

    ok_int(clock_create_virtual(&clock, SECOND_NS), 0);
    log_set_level(HP_LOG_ERROR);
    return clock;
}

static uint64_t
get(const _Atomic uint64_t *value)
{
    return atomic_load(value);
}

static void
solo_flies_a_minute_without_one_wrong_prediction(void)
{
    struct clock *clock = virtual_clock();
    struct bench_host b;
    struct hp_prediction p = {.size = sizeof(p)};
    const struct hp_predictor_ops *ops;
    const struct client_stages *c;

    open_host(&b, clock, NULL, 0);
    clock_enter(b.waiter);
    ok_int(host_start(&b.host), 0);
    ok_int(host_serve(&b.host, 60 * SECOND_NS), 0);
    host_stop(&b.host);
    ops = b.host.predictor->ops;
    ops->measure(b.host.predictor->self, &p);
    c = client_stages(b.host.client);
    ok(p.checked > 3590);
    ok_int(p.wrong, 0);
    ok(get(&c->snapshots) > 3590);
    ok_int(get(&c->snapshot_gaps), 0);
    ok_int(get(&c->undecoded), 0);
    ok_int(get(&c->bad_messages), 0);
    ok(get(&c->inputs_missed) <= 1);
    ok(hist_count(haptics_command_ns(b.host.haptics)) > 10);
    close_host(&b);
    clock_destroy(clock);
}

static void
the_plain_predictor_shows_what_the_server_says(void)
{
    static const char *const settings[] = {"plugins.predictor=none",
                                           "plugins.agent=tick_log"};
    struct clock *clock = virtual_clock();
    const struct hp_predictor_ops *ops;
    union {
        struct hp_entity head;
        uint8_t bytes[HP_RECORD_BYTES_MAX];
    } record;
    struct bench_host b;

    open_host(&b, clock, settings, 2);
    clock_enter(b.waiter);
    ok_int(host_start(&b.host), 0);
    ok_int(host_serve(&b.host, 2 * SECOND_NS), 0);
    host_stop(&b.host);
    ops = b.host.predictor->ops;
    ok_int(ops->present(b.host.predictor->self, 3 * SECOND_NS, &record), 0);
    ok_int(record.head.owner, 0);
    close_host(&b);
    clock_destroy(clock);
}

static void
at_every_rate_ticks_run_and_dropped_are_elapsed_time(void)
{
    static const char *const rates[] = {"1",   "20",  "60",   "64",
                                        "128", "250", "1000", "60000/1001"};
    char setting[64];
    const char *settings[1] = {setting};
    const struct side_report *r;
    struct bench_host b;
    struct clock *clock;
    double elapsed_s;
    size_t i;

    for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        clock = virtual_clock();
        snprintf(setting, sizeof(setting), "host.tick_rate_hz=%s", rates[i]);
        open_host(&b, clock, settings, 1);
        clock_enter(b.waiter);
        ok_int(host_start(&b.host), 0);
        ok_int(host_serve(&b.host, 3 * SECOND_NS), 0);
        host_stop(&b.host);
        r = server_report(b.host.server);
        elapsed_s = (double)(get(&r->now_ns) - get(&r->start_ns)) / 1e9;
        ok_real((double)(get(&r->run) + get(&r->dropped)),
                elapsed_s * tick_rate_hz(r->rate) + 1, 1);
        ok_int(get(&r->dropped), 0);
        ok(get(&client_report(b.host.client)->run) + 3 >= get(&r->run));
        close_host(&b);
        clock_destroy(clock);
    }
}

static void
record_solo(struct tape *tape)
{
    struct clock *clock = virtual_clock();
    struct bench_host b;

    open_host(&b, clock, NULL, 0);
    b.host.tap = record;
    b.host.tap_context = tape;
    clock_enter(b.waiter);
    ok_int(host_start(&b.host), 0);
    host_serve(&b.host, 5 * SECOND_NS);
    close_host(&b);
    clock_destroy(clock);
}

struct server_job {
    struct bench_host *b;
    uint16_t port;
};

static void
serve(void *argument)
{
    struct server_job *job = argument;

    ok_int(host_start(&job->b->host), 0);
    job->port = server_port(job->b->host.server);
    host_serve(&job->b->host, 6 * SECOND_NS);
    host_stop(&job->b->host);
}

/* Land of one height for terrain grid, in the build's folder. */
static void
write_land(char *setting, size_t bytes, const char *name, int height)
{
    char path[600];
    FILE *file;
    int i;

    snprintf(path, sizeof(path), "%s/host_%s.tmp",
             getenv("HP_BUILD") != NULL ? getenv("HP_BUILD") : ".", name);
    file = fopen(path, "wb");
    ok(file != NULL);
    fprintf(file, "hardpoint-terrain 1\nsize 2 2\nspacing_m 100\nscale_m "
                  "1\ndata\n");
    for (i = 0; i < 8; i++)
        fputc(i % 2 == 0 ? height : 0, file);
    fclose(file);
    snprintf(setting, bytes, "sim.flight.terrain_file=%s", path);
}

/* What a client's start comes to, whose land has `height` where the server's
 * has 7; 0: it names none. */
static int
start_over_land(int height)
{
    static char lands[2][700];
    const char *as_server[] = {"host.role=server", "sim.flight.terrain=grid",
                               lands[0]};
    const char *as_client[] = {"host.role=client", lands[1]};
    struct clock *clock = virtual_clock();
    struct bench_host client, server;
    struct server_job job = {.b = &server};
    struct clock_thread *thread = NULL;
    int status;

    write_land(lands[0], sizeof(lands[0]), "server", 7);
    write_land(lands[1], sizeof(lands[1]), "client", height);
    open_host(&client, clock, as_client, height != 0 ? 2 : 1);
    open_host(&server, clock, as_server, 3);
    clock_enter(client.waiter);
    ok_int(
        clock_thread_start(clock, &thread, server.waiter, serve, &job, "serve"),
        0);
    clock_wait(client.waiter, -1, clock_now_ns(clock), 0);
    while (job.port == 0)
        clock_wait(client.waiter, -1, clock_now_ns(clock) + 1, 0);
    client.host.side.port = job.port;
    status = host_start(&client.host);
    if (status == 0)
        host_serve(&client.host, SECOND_NS);
    host_stop(&client.host);
    clock_thread_join(thread, client.waiter);
    close_host(&client);
    host_finish(&server.host);
    setup_finish(&server.setup);
    clock_destroy(clock);
    remove(strchr(lands[0], '/'));
    remove(strchr(lands[1], '/'));
    return status;
}

static void
a_client_flies_over_the_servers_land_or_not_at_all(void)
{
    ok_int(start_over_land(7), 0);
    log_set_level(HP_LOG_ERROR);
    ok(start_over_land(8) != 0);
    ok(start_over_land(0) != 0);
}

/* Two hosts, each with a main loop of its own, on one clock. */
static void
record_server_and_client(struct tape *tape)
{
    static const char *const as_server[] = {"host.role=server"};
    static const char *const as_client[] = {"host.role=client"};
    struct clock *clock = virtual_clock();
    struct bench_host client, server;
    struct server_job job = {.b = &server};
    struct clock_thread *thread = NULL;

    open_host(&client, clock, as_client, 1);
    open_host(&server, clock, as_server, 1);
    client.host.tap = record;
    client.host.tap_context = tape;
    clock_enter(client.waiter);
    ok_int(
        clock_thread_start(clock, &thread, server.waiter, serve, &job, "serve"),
        0);
    clock_wait(client.waiter, -1, clock_now_ns(clock), 0);
    while (job.port == 0)
        clock_wait(client.waiter, -1, clock_now_ns(clock) + 1, 0);
    client.host.side.port = job.port;
    ok_int(host_start(&client.host), 0);
    host_serve(&client.host, 5 * SECOND_NS);
    host_stop(&client.host);
    clock_thread_join(thread, client.waiter);
    close_host(&client);
    host_finish(&server.host);
    setup_finish(&server.setup);
    clock_destroy(clock);
}

static void
solo_and_server_with_client_exchange_the_same_messages(void)
{
    static struct tape solo, two;
    uint32_t i, same = 0;

    record_solo(&solo);
    record_server_and_client(&two);
    ok(solo.count > 600);
    ok_int(two.count, solo.count);
    for (i = 0; i < solo.count && i < two.count; i++)
        same += solo.messages[i].sent == two.messages[i].sent &&
                solo.messages[i].channel == two.messages[i].channel &&
                solo.messages[i].count == two.messages[i].count;
    ok_int(same, solo.count);
}

TAP_MAIN(FACT(solo_flies_a_minute_without_one_wrong_prediction),
         FACT(the_plain_predictor_shows_what_the_server_says),
         FACT(at_every_rate_ticks_run_and_dropped_are_elapsed_time),
         FACT(a_client_flies_over_the_servers_land_or_not_at_all),
         FACT(solo_and_server_with_client_exchange_the_same_messages))
