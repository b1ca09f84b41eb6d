/*
 * A server whose sim is too slow for its rate, on the virtual clock: nobody is
 * lost, clients slow down with it, and all is well again within a second.
 */
#include "links_host.h"

static struct links_host b;

/* What each step of the sim takes; other threads run meanwhile. */
struct spending {
    uint64_t ms;
    uint32_t ticks;
};

static void
spend(void *context, uint64_t tick)
{
    struct spending *s = context;
    uint64_t until_ns = clock_now_ns(b.clock) + s->ms * MS_NS;

    (void)tick;
    if (s->ms == 0)
        return;
    s->ticks++;
    while (clock_now_ns(b.clock) < until_ns)
        clock_wait(b.host.server->waiter, -1, until_ns, 0);
}

struct mark {
    uint64_t server, client, datagrams;
    struct hp_prediction prediction;
};

static struct mark
mark(void)
{
    struct net_stats stats;

    net_stats(b.host.server->net, &stats);
    return (struct mark){b.host.server->schedule.run,
                         b.host.client->schedule.run, stats.datagrams_in,
                         links_prediction(&b)};
}

static void
a_sim_takes(uint64_t ms)
{
    struct spending spending = {0};
    struct mark before, after;
    uint64_t server, client;
    int64_t lead_ns;

    links_open(&b, "delay=20");
    links_sim(&b)->hook = spend;
    links_sim(&b)->hook_context = &spending;
    links_run(&b, 5);
    lead_ns = links_lead_ns(&b);

    spending.ms = ms;
    links_run(&b, 16); /* until it has been announced and followed */
    ok(b.host.server->schedule.dilation_q8 < 250);
    ok_real(b.host.client->steer.dilation_q8,
            b.host.server->schedule.dilation_q8, 8);
    before = mark();
    links_run(&b, 6);
    after = mark();
    server = after.server - before.server;
    client = after.client - before.client;
    ok_real((double)server, 6000.0 / (double)ms, 2);
    ok(client <= server * 5 / 4 + 3);
    ok(client + 3 >= server * 3 / 4);
    /* As many as the client sent have been read: the socket was served. */
    ok(after.datagrams - before.datagrams >= client);
    ok_int(b.host.client->stages.snapshot_gaps, 0);

    spending.ms = 0;
    links_run(&b, 1);
    ok_int(b.host.server->schedule.dilation_q8, 256);
    ok(llabs(links_lead_ns(&b) - lead_ns) < 8333333);
    before = mark();
    links_run(&b, 1);
    after = mark();
    ok_real((double)(after.server - before.server), 60, 1);
    ok_real((double)(after.client - before.client), 60, 2);

    ok_int(after.prediction.wrong, 0);
    ok_int(b.host.server->joined, 1);
    ok_int(links_cues(&b)->not_one, 0);
    links_close(&b);
}

static void
a_sim_of_25_ms_slows_everyone_and_loses_nobody(void)
{
    a_sim_takes(25);
}

static void
a_sim_of_100_ms_slows_everyone_and_loses_nobody(void)
{
    a_sim_takes(100);
}

/* One tick that takes as long as a level might load. */
static void
a_stall_of_twenty_seconds_loses_nobody(void)
{
    struct spending spending = {0};
    struct mark before, after;

    links_open(&b, "delay=20");
    links_sim(&b)->hook = spend;
    links_sim(&b)->hook_context = &spending;
    links_run(&b, 3);
    spending.ms = 20000;
    links_run(&b, 0.05);
    spending.ms = 0;
    links_run(&b, 22);
    ok_int(spending.ticks, 1);
    ok(b.host.server->schedule.dropped > 1100);
    ok_int(b.host.server->joined, 1);
    before = mark();
    links_run(&b, 2);
    after = mark();
    ok_real((double)(after.server - before.server), 120, 2);
    ok_int(after.prediction.wrong, before.prediction.wrong);
    ok(after.prediction.checked > before.prediction.checked + 100);
    links_close(&b);
}

TAP_MAIN(FACT(a_sim_of_25_ms_slows_everyone_and_loses_nobody),
         FACT(a_sim_of_100_ms_slows_everyone_and_loses_nobody),
         FACT(a_stall_of_twenty_seconds_loses_nobody))
