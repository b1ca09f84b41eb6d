/*
 * The traces that are shipped, flown by the sim that is shipped: a trace that
 * crashes its pilot is no demonstration.
 */
#include "fake_host.h"
#include "tap.h"
#include <input/trace.h>
#include <sim/schema.h>

#define EVENTS 64

/* What came of a flight. */
struct flight {
    double flown_s; /* until death or the end */
    double lowest_m;
    double highest_m;
    double stall_most;
    uint32_t bursts, gears, burners, respawns;
};

static int
load(struct trace *trace, const char *name)
{
    const char *source = getenv("HP_SRC");
    char path[512], why[512];

    snprintf(path, sizeof(path), "%s/conf/traces/%s.csv",
             source == NULL ? "." : source, name);
    if (ok_int(trace_load(trace, path, why, sizeof(why)), 0))
        return 1;
    printf("# %s\n", why);
    return 0;
}

static void
count_events(struct flight *flight, const struct hp_view_sink *sink)
{
    uint32_t i;

    for (i = 0; i < sink->event_count; i++) {
        flight->bursts += sink->events[i].type == HP_EVENT_GUN;
        flight->gears += sink->events[i].type == HP_EVENT_GEAR;
        flight->burners += sink->events[i].type == HP_EVENT_AFTERBURNER;
        flight->respawns += sink->events[i].type == HP_EVENT_RESPAWN;
    }
}

/* One tick; 0 once the pilot is dead. */
static int
fly_tick(struct hp_instance *sim, const struct trace *trace, uint64_t index,
         uint32_t rate, struct flight *flight)
{
    static struct flight_record records[256];
    static struct hp_event events[EVENTS];
    const struct hp_sim_ops *ops = hp_plugin_v1.ops;
    struct hp_client_input input = {0};
    struct hp_tick tick = {
        .index = index, .dt_s = 1.0 / rate, .rate_num = rate, .rate_den = 1};
    struct hp_view_sink sink = {.size = sizeof(sink),
                                .capacity = 256,
                                .stride = sizeof(records[0]),
                                .event_capacity = EVENTS,
                                .entities = records,
                                .events = events};

    trace_sample(trace, (double)index / rate, tick.dt_s, 1, &input.input);
    ops->step(sim, &tick, &input, 1);
    ok_int(ops->view(sim, &sink), 0);
    count_events(flight, &sink);
    flight->flown_s = (double)index / rate;
    flight->lowest_m = fmin(flight->lowest_m, (double)records[0].agl_m);
    flight->highest_m = fmax(flight->highest_m, (double)records[0].agl_m);
    flight->stall_most = fmax(flight->stall_most, (double)records[0].stall);
    return (records[0].head.flags & HP_ENTITY_DEAD) == 0;
}

static struct flight
fly(const char *name, uint32_t rate, double seconds, const char *terrain)
{
    struct flight flight = {.lowest_m = 1e9};
    struct hp_limits limits = fake_limits(HP_SIDE_SERVER);
    const struct hp_sim_ops *ops = hp_plugin_v1.ops;
    struct fake_host fake;
    struct hp_instance *sim;
    struct trace trace;
    uint64_t i;

    limits.rate_num = rate;
    fake_host_init(&fake, HP_SIDE_SERVER);
    fake_host_set(&fake, "terrain", terrain);
    if (!load(&trace, name))
        return flight;
    ok_int(hp_plugin_v1.create(&fake.host, &sim), 0);
    ok_int(hp_plugin_v1.start(sim, &limits), 0);
    ok_int(ops->join(sim, 0, ""), 0);
    for (i = 0; (double)i <= seconds * rate; i++)
        if (!fly_tick(sim, &trace, i, rate, &flight))
            break;
    hp_plugin_v1.stop(sim);
    hp_plugin_v1.destroy(sim);
    trace_free(&trace);
    return flight;
}

static void
the_aerobatic_minute_is_survived_at_any_rate(void)
{
    static const uint32_t rates[] = {20, 60, 128};
    struct flight flight;
    size_t i;

    for (i = 0; i < 3; i++) {
        flight = fly("aerobatic", rates[i], 60, "flat");
        ok_real(flight.flown_s, 60, 0.1);
        ok(flight.lowest_m > 700);
        ok(flight.highest_m > 2800);  /* the loop's top */
        ok(flight.stall_most > 0.05); /* and its buffet */
        ok_int(flight.burners, 2);
    }
}

static void
it_repeats_for_ever(void)
{
    struct flight flight = fly("aerobatic", 60, 190, "hills");

    ok_real(flight.flown_s, 190, 0.1);
    ok(flight.lowest_m > 300);
    ok_int(flight.respawns, 3);
}

static void
the_gun_run_fires_burns_and_moves_the_gear(void)
{
    struct flight flight = fly("gun_run", 60, 125, "hills");

    ok_real(flight.flown_s, 125, 0.1);
    ok(flight.lowest_m > 300);
    ok(flight.bursts >= 8);
    ok_int(flight.gears, 4);
    ok_int(flight.burners, 4);
}

static void
the_straight_flight_lasts_ten_minutes(void)
{
    struct flight flight = fly("straight", 30, 610, "hills");

    ok_real(flight.flown_s, 610, 0.1);
    ok(flight.lowest_m > 1000);
    ok(flight.highest_m < 2500);
    ok_int(flight.bursts + flight.gears + flight.burners, 0);
}

TAP_MAIN(FACT(the_aerobatic_minute_is_survived_at_any_rate),
         FACT(it_repeats_for_ever),
         FACT(the_gun_run_fires_burns_and_moves_the_gear),
         FACT(the_straight_flight_lasts_ten_minutes))
