/* The simulated link by itself, and under two nets on the virtual clock. */
#include "net_simulator.h"
#include "clock.h"
#include "net.h"
#include "tap.h"
#include <errno.h>

#define MS   UINT64_C(1000000)
#define SENT 4000

static struct net_link *
open_link(const char *text, uint64_t stream, uint32_t capacity)
{
    struct net_simulator simulator = {0};
    struct net_link *link = NULL;

    ok_int(net_simulator_parse(text, &simulator), 0);
    ok_int(net_link_create(&link, &simulator, stream, capacity), 0);
    return link;
}

/* What came of SENT datagrams, one a millisecond. */
struct outcome {
    uint32_t arrived, twice, overtaken, never;
    uint64_t least_ns, most_ns, sum_ns;
    uint64_t digest;
};

static void
arrive(struct outcome *out, uint32_t *times, uint32_t *newest, uint32_t number,
       uint64_t now_ns)
{
    uint64_t took_ns = now_ns - number * MS;

    out->arrived++;
    out->twice += times[number]++ == 1;
    out->overtaken += number < *newest;
    if (number > *newest)
        *newest = number;
    out->sum_ns += took_ns;
    if (took_ns < out->least_ns)
        out->least_ns = took_ns;
    if (took_ns > out->most_ns)
        out->most_ns = took_ns;
    out->digest = out->digest * 31 + number * 7919u + took_ns;
}

static struct outcome
travel(const char *text, uint64_t stream)
{
    static uint32_t times[SENT];
    struct outcome out = {.least_ns = UINT64_MAX};
    struct net_link *link = open_link(text, stream, SENT);
    const struct net_datagram *d;
    struct net_datagram datagram = {.host = 1, .port = 2, .count = 4};
    uint32_t i, number, newest = 0;
    uint64_t due_ns;

    memset(times, 0, sizeof(times));
    for (i = 0; i < SENT; i++) {
        while ((due_ns = net_link_due_ns(link)) < i * MS)
            while ((d = net_link_take(link, due_ns)) != NULL) {
                memcpy(&number, d->bytes, 4);
                arrive(&out, times, &newest, number, due_ns);
            }
        memcpy(datagram.bytes, &i, 4);
        net_link_put(link, &datagram, i * MS);
    }
    while ((due_ns = net_link_due_ns(link)) != UINT64_MAX) {
        d = net_link_take(link, due_ns);
        memcpy(&number, d->bytes, 4);
        arrive(&out, times, &newest, number, due_ns);
    }
    for (i = 0; i < SENT; i++)
        out.never += times[i] == 0;
    ok_int(net_link_lost(link), out.never);
    net_link_destroy(link);
    return out;
}

static void
a_delay_is_exact_and_keeps_the_order(void)
{
    struct outcome o = travel("delay=50", 0);

    ok_int(o.arrived, SENT);
    ok_int(o.least_ns, 50 * MS);
    ok_int(o.most_ns, 50 * MS);
    ok_int(o.overtaken, 0);
    ok_int(o.twice, 0);
}

static void
jitter_goes_either_way_and_never_below_zero(void)
{
    struct outcome o = travel("delay=50,jitter=5", 0);

    ok(o.least_ns >= 45 * MS && o.least_ns < 46 * MS);
    ok(o.most_ns <= 55 * MS && o.most_ns > 54 * MS);
    ok_real((double)o.sum_ns / SENT, 50e6, 0.2e6);
    o = travel("delay=10,jitter=200", 0);
    ok_int(o.least_ns, 0);
    ok(o.most_ns <= 210 * MS);
    ok_int(o.arrived, SENT);
}

static void
loss_duplicates_and_reordering_are_as_many_as_asked(void)
{
    struct outcome o = travel("loss=30,duplicate=10,reorder=20,seed=7", 0);

    ok_real(o.never, 0.30 * SENT, 0.03 * SENT);
    ok_real(o.twice, 0.07 * SENT, 0.02 * SENT);
    ok(o.overtaken > SENT / 10);
    ok_int(travel("loss=100", 0).arrived, 0);
    ok_int(travel("duplicate=100", 0).arrived, 2 * SENT);
}

static void
a_seed_decides_everything_and_each_stream_has_its_own_luck(void)
{
    static const char bad[] = "delay=20,jitter=9,loss=9,duplicate=5,seed=3";
    uint64_t digest = travel(bad, 0).digest;

    ok(travel(bad, 0).digest == digest);
    ok(travel(bad, 1).digest != digest);
    ok(travel("delay=20,jitter=9,loss=9,duplicate=5,seed=4", 0).digest !=
       digest);
}

static void
a_full_link_loses_what_comes_and_keeps_what_it_has(void)
{
    struct net_link *link = open_link("delay=10", 0, 8);
    struct net_datagram datagram = {.count = 1};
    int i;

    for (i = 0; i < 20; i++) {
        datagram.bytes[0] = (uint8_t)i;
        net_link_put(link, &datagram, 0);
    }
    ok_int(net_link_lost(link), 12);
    for (i = 0; i < 8; i++)
        ok_int(net_link_take(link, 10 * MS)->bytes[0], i);
    ok(net_link_take(link, UINT64_MAX) == NULL);
    ok(net_link_due_ns(link) == UINT64_MAX);
    net_link_destroy(link);
}

static void
settings_are_read_whole_or_not_at_all(void)
{
    static const char *const bad[] = {
        "",         "delay",     "delay=",   "delay=x", "delay=-1",
        "loss=101", "loss=nan",  "lag=5",    "seed=-1", "delay=5,",
        ",delay=5", "delay=1e9", "delay=5ms"};
    struct net_simulator s = {.loss_percent = 42};
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ok_int(net_simulator_parse(bad[i], &s), -EINVAL);
    ok_real(s.loss_percent, 42, 0);
    ok_int(net_simulator_parse("loss=2,delay=50.5,seed=9", &s), 0);
    ok_real(s.loss_percent, 2, 0);
    ok_real(s.delay_ms, 50.5, 0);
    ok_real(s.jitter_ms, 0, 0);
    ok_int(s.seed, 9);
    ok_int(net_simulator_is_on(&s), 1);
    ok_int(net_simulator_parse("seed=9,loss=0", &s), 0);
    ok_int(net_simulator_is_on(&s), 0);
}

/* ---- under two nets ---- */

struct pair {
    struct clock *clock;
    struct clock_waiter *waiter;
    struct net *server, *client;
    uint64_t at_server_ns, at_client_ns; /* newest message's arrival */
    unsigned messages;
};

static void
open_pair(struct pair *p, const char *of_client)
{
    struct net_config config = {.address = "127.0.0.1", .peers_max = 1};
    char why[256];

    memset(p, 0, sizeof(*p));
    clock_create_virtual(&p->clock, 5 * MS);
    clock_join(p->clock, &p->waiter);
    clock_enter(p->waiter);
    config.clock = p->clock;
    ok_int(net_listen(&p->server, &config, why, sizeof(why)), 0);
    config.port = net_port(p->server);
    ok_int(net_simulator_parse(of_client, &config.simulator), 0);
    ok_int(net_connect(&p->client, &config, why, sizeof(why)), 0);
}

static void
close_pair(struct pair *p)
{
    net_close(p->client);
    net_close(p->server);
    clock_leave(p->waiter);
    clock_destroy(p->clock);
}

static int
take(struct net *net, uint64_t *at_ns, unsigned *messages)
{
    struct net_event event;
    int connected = 0;

    while (net_receive(net, &event)) {
        connected |= event.type == NET_CONNECTED;
        if (event.type != NET_MESSAGE)
            continue;
        *at_ns = event.arrived_ns;
        ++*messages;
    }
    net_flush(net);
    return connected;
}

/* Both are served whenever something is due, as their threads would. */
static int
serve(struct pair *p, uint64_t for_ns)
{
    uint64_t end_ns = clock_now_ns(p->clock) + for_ns, due_ns;
    int connected = 0;

    while (clock_now_ns(p->clock) < end_ns) {
        take(p->server, &p->at_server_ns, &p->messages);
        connected |= take(p->client, &p->at_client_ns, &p->messages);
        take(p->server, &p->at_server_ns, &p->messages);
        due_ns = clock_now_ns(p->clock) + 5 * MS;
        if (net_due_ns(p->client) < due_ns)
            due_ns = net_due_ns(p->client);
        clock_wait(p->waiter, -1, due_ns, 0);
    }
    return connected;
}

static void
one_end_delays_both_ways_to_the_nanosecond(void)
{
    struct pair p;
    uint64_t sent_ns;
    uint8_t byte = 1;

    open_pair(&p, "delay=50.25");
    ok_int(serve(&p, 500 * MS), 1);
    sent_ns = clock_now_ns(p.clock);
    ok_int(net_send(p.client, 0, NET_INPUTS, &byte, 1), 0);
    ok_int(net_send(p.server, 0, NET_SNAPSHOTS, &byte, 1), 0);
    net_flush(p.client);
    net_flush(p.server);
    serve(&p, 120 * MS);
    ok_int(p.at_server_ns - sent_ns, 50250000);
    ok_int(p.at_client_ns - sent_ns, 50250000);
    close_pair(&p);
}

static void
a_connection_survives_a_third_of_loss(void)
{
    unsigned seed, i, connected = 0;
    struct pair p;
    char text[64];
    uint8_t byte = 1;

    for (seed = 0; seed < 10; seed++) {
        snprintf(text, sizeof(text), "delay=20,loss=30,seed=%u", seed);
        open_pair(&p, text);
        if (!serve(&p, 7000 * MS)) {
            close_pair(&p);
            continue;
        }
        connected++;
        for (i = 0; i < 50; i++)
            ok_int(net_send(p.client, 0, NET_CONTROL, &byte, 1), 0);
        serve(&p, 6000 * MS);
        ok_int(p.messages, 50); /* reliable is reliable */
        close_pair(&p);
    }
    ok(connected >= 8);
}

TAP_MAIN(FACT(a_delay_is_exact_and_keeps_the_order),
         FACT(jitter_goes_either_way_and_never_below_zero),
         FACT(loss_duplicates_and_reordering_are_as_many_as_asked),
         FACT(a_seed_decides_everything_and_each_stream_has_its_own_luck),
         FACT(a_full_link_loses_what_comes_and_keeps_what_it_has),
         FACT(settings_are_read_whole_or_not_at_all),
         FACT(one_end_delays_both_ways_to_the_nanosecond),
         FACT(a_connection_survives_a_third_of_loss))
