/*
 * What must hold on any link, tried over many seeds: events once and in order,
 * no input twice, exact prediction, a clock that comes back.
 */
#include "links_host.h"

#define SEEDS 2

/* Half a tick at 60 Hz. */
#define HALF_TICK_NS 8333333

static const char *const weathers[] = {
    "delay=50,loss=2",
    "delay=50,jitter=10,loss=5",
    "delay=100,loss=30",
    "delay=100,jitter=200,duplicate=10,reorder=10",
    "delay=100,jitter=200,duplicate=10,reorder=10,loss=30",
};

#define WEATHERS (sizeof(weathers) / sizeof(weathers[0]))

typedef void links_property(struct links_host *b);

/* Each weather with each seed, for `seconds`; then the property is judged. */
static void
in_all_weathers(double seconds, links_property *judge)
{
    static struct links_host b;
    char link[128];
    unsigned seed;
    size_t i;

    for (i = 0; i < WEATHERS; i++)
        for (seed = 1; seed <= SEEDS; seed++) {
            snprintf(link, sizeof(link), "%s,seed=%u", weathers[i], seed);
            links_open(&b, link);
            links_run(&b, seconds);
            judge(&b);
            links_close(&b);
        }
}

static void
each_event_came_once_in_order(struct links_host *b)
{
    struct links_cues *c;
    uint32_t i, wrong = 0;

    links_sim(b)->quiet = 1;
    links_run(b, 8); /* those on their way arrive, whatever the link */
    c = links_cues(b);
    for (i = 0; i < c->event_count; i++)
        wrong += c->events[i] != i;
    ok_int(wrong, 0);
    ok_int(c->event_count, links_sim(b)->serial[0]);
    ok(c->event_count > 150);
    ok_int(c->early, 0);
    ok_int(b->host.server->clients[0]->events.lost, 0);
}

static void
every_event_arrives_once_and_in_order(void)
{
    in_all_weathers(6, each_event_came_once_in_order);
}

/* Also the press of a missed tick: it is in the next tick that has its own. */
static void
inputs_were_used_as_promised(struct links_host *b)
{
    const struct links_sim *w = links_sim(b);
    const struct links_used *u, *before = NULL;
    uint32_t wrong = 0, fresh = 0, presses_lost = 0, missed = 0;
    int waits = 0;
    uint64_t t;

    for (t = 1; t <= w->tick; t++) {
        u = &w->used[t % LINKS_TICKS];
        if (u->tick != t)
            continue;
        if (u->repeated) {
            wrong += before != NULL && u->sample != before->sample;
            waits |= t > b->host.client->first_input && t % 7 == 0;
            missed++;
        } else {
            wrong += u->sample != t;
            if (waits && missed <= 32)
                presses_lost += !(u->buttons & HP_BUTTON_GUN);
            waits = 0;
            missed = 0;
            fresh++;
        }
        before = u;
    }
    ok_int(wrong, 0);
    ok_int(presses_lost, 0);
    ok(fresh > 100);
}

static void
no_input_is_used_twice_and_no_press_is_lost(void)
{
    in_all_weathers(8, inputs_were_used_as_promised);
}

static void
the_view_went_forward(struct links_host *b)
{
    const struct links_cues *c = links_cues(b);

    ok_int(c->backwards, 0);
    ok_int(c->not_one, 0);
    ok(c->snapshots > 60);
    ok_int(b->host.client->stages.undecoded, 0);
    ok_int(b->host.client->stages.bad_messages, 0);
    ok_int(b->host.server->joined, 1);
}

static void
no_time_was_shown(struct links_host *b)
{
    const struct links_input *pilot =
        (const void *)b->host.client->parts.input->self;

    ok_int(links_cues(b)->timed, 0);
    ok_int(pilot->timed, 0);
    ok(links_cues(b)->snapshots > 0);
}

static void
a_deterministic_plugin_is_shown_no_time(void)
{
    in_all_weathers(1, no_time_was_shown);
}

static void
snapshots_only_go_forward_and_hold_one_own_aircraft(void)
{
    in_all_weathers(5, the_view_went_forward);
}

/*
 * Loss makes no prediction wrong as long as the client is told, within the 32
 * ticks that a snapshot speaks of, which inputs were missed.
 */
static void
nothing_was_predicted_wrong(struct links_host *b)
{
    struct hp_prediction p = links_prediction(b);

    ok_int(p.wrong, 0);
    ok(p.checked > 100);
}

static void
missed_inputs_make_no_prediction_wrong(void)
{
    in_all_weathers(10, nothing_was_predicted_wrong);
}

/* An outage longer than any message reaches back. */
static void
after_an_outage_prediction_is_exact_again(void)
{
    static struct links_host b;
    struct hp_prediction before, p;
    unsigned seed;
    char link[64];

    for (seed = 1; seed <= 4; seed++) {
        snprintf(link, sizeof(link), "delay=%u,loss=2,seed=%u", 20 * seed,
                 seed);
        links_open(&b, link);
        links_run(&b, 4);
        links_change(&b, "loss=100");
        links_run(&b, 0.4 * seed * seed); /* up to 6.4 s */
        links_change(&b, link);
        links_run(&b, 2);
        before = links_prediction(&b);
        links_run(&b, 10);
        p = links_prediction(&b);
        ok(p.checked > before.checked + 500);
        ok_int(p.wrong, before.wrong);
        ok(before.wrong <= 2);
        ok_int(b.host.server->joined, 1);
        links_close(&b);
    }
}

/* The same link before and after: what comes between leaves no lag behind. */
static void
disturb(struct links_host *b, const char *link, const char *bad)
{
    int64_t lead_ns, target_ns;

    links_open(b, link);
    links_run(b, 8);
    lead_ns = links_lead_ns(b);
    target_ns = b->host.client->steer.target_ns;
    links_change(b, bad);
    links_run(b, 8);
    links_change(b, link);
    links_run(b, 5);
    ok(llabs(links_lead_ns(b) - lead_ns) < HALF_TICK_NS);
    links_run(b, 15);
    ok(llabs(links_lead_ns(b) - lead_ns) < HALF_TICK_NS / 2);
    ok(llabs(b->host.client->steer.target_ns - target_ns) < HALF_TICK_NS / 2);
    links_close(b);
}

static void
the_lead_is_back_five_seconds_after_a_disturbance(void)
{
    static struct links_host b;
    char link[64];
    unsigned seed;
    size_t i;

    for (i = 0; i < WEATHERS; i++)
        for (seed = 1; seed <= SEEDS; seed++) {
            snprintf(link, sizeof(link), "delay=50,seed=%u", seed);
            disturb(&b, link, weathers[i]);
        }
    disturb(&b, "delay=10,seed=1", "delay=90");
    disturb(&b, "delay=10,seed=1", "delay=200");
    disturb(&b, "delay=120,seed=1", "delay=5");
    disturb(&b, "delay=10,seed=1", "loss=100");
}

static void
one_late_datagram_is_no_reason_to_jump(void)
{
    static struct links_host b;
    uint64_t resyncs;

    links_open(&b, "delay=20");
    links_run(&b, 5);
    resyncs = b.host.client->steer.resyncs;
    links_change(&b, "delay=400");
    links_run(&b, 0.017);
    links_change(&b, "delay=20");
    links_run(&b, 5);
    ok_int(b.host.client->steer.resyncs, resyncs);
    links_close(&b);
}

/* All rates; the window is a second of ticks, so the link may be as long. */
static void
every_tick_rate_survives_a_bad_link(void)
{
    static const char *const rates[] = {"20", "128", "60000/1001", "500"};
    static struct links_host b;
    struct hp_prediction p;
    size_t i;

    for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        links_open_at(&b, "delay=40,jitter=5,loss=5,seed=5", rates[i]);
        links_run(&b, 6);
        p = links_prediction(&b);
        ok(p.checked > 60);
        ok_int(p.wrong, 0);
        the_view_went_forward(&b);
        links_close(&b);
    }
}

static uint64_t
digest_of(const char *link)
{
    static struct links_host b;
    uint64_t digest;

    links_open(&b, link);
    links_run(&b, 5);
    ok(b.messages > 300);
    digest = b.digest;
    links_close(&b);
    return digest;
}

static void
the_same_seed_gives_the_same_messages_to_the_last_bit(void)
{
    char link[128], other[160];
    size_t i;

    for (i = 0; i < WEATHERS; i++) {
        snprintf(link, sizeof(link), "%s,seed=11", weathers[i]);
        snprintf(other, sizeof(other), "%s,seed=12", weathers[i]);
        ok(digest_of(link) == digest_of(link));
        ok(digest_of(link) != digest_of(other));
    }
}

TAP_MAIN(FACT(every_event_arrives_once_and_in_order),
         FACT(no_input_is_used_twice_and_no_press_is_lost),
         FACT(a_deterministic_plugin_is_shown_no_time),
         FACT(snapshots_only_go_forward_and_hold_one_own_aircraft),
         FACT(missed_inputs_make_no_prediction_wrong),
         FACT(after_an_outage_prediction_is_exact_again),
         FACT(the_lead_is_back_five_seconds_after_a_disturbance),
         FACT(one_late_datagram_is_no_reason_to_jump),
         FACT(every_tick_rate_survives_a_bad_link),
         FACT(the_same_seed_gives_the_same_messages_to_the_last_bit))
