/* The sim's own pilots, and a world that is stepped in pieces. */
#include "fake_host.h"
#include "tap.h"
#include <malloc.h>
#include <math.h>
#include <sim/schema.h>

#define CLIENTS  8
#define RATE     60
#define RECORDS  600
#define SHUFFLES 7

struct game {
    struct fake_host fake;
    struct hp_instance *self;
    const struct hp_sim_ops *ops;
    uint64_t tick;
    uint32_t count, event_count;
    struct flight_record records[RECORDS];
    struct hp_event events[4096];
};

/* Many ranges, the last one first, of a length that differs from call to call.
 */
static void
jobs_backwards(const struct hp_host *host,
               void (*run)(void *context, uint32_t first, uint32_t end),
               void *context, uint32_t count, uint32_t grain)
{
    struct fake_host *fake = host->context;
    uint32_t length = 1 + (uint32_t)fake->now_ns++ % SHUFFLES, end, first;

    (void)grain;
    for (end = count; end > 0; end = first) {
        first = end > length ? end - length : 0;
        run(context, first, end);
    }
}

/* One type: the fake host knows no rows that repeat. */
static int
param_text(const struct hp_host *host, const char *name, uint32_t index,
           const char **out)
{
    if (strcmp(name, "aircraft") != 0)
        return fake_param_text(host, name, index, out);
    *out = "f16";
    return index == 0 ? 0 : -ENOENT;
}

static int
game_begin(struct game *g, const char *count, const char *pattern,
           uint32_t entities_max)
{
    static struct hp_limits limits;

    memset(g, 0, sizeof(*g));
    fake_host_init(&g->fake, HP_SIDE_SERVER);
    g->fake.host.param_text = param_text;
    fake_host_set(&g->fake, "ai_count", count);
    fake_host_set(&g->fake, "ai_pattern", pattern);
    limits = fake_limits(HP_SIDE_SERVER);
    limits.clients_max = CLIENTS;
    limits.entities_max = entities_max;
    g->ops = hp_plugin_v1.ops;
    if (hp_plugin_v1.create(&g->fake.host, &g->self) < 0)
        return -1;
    return hp_plugin_v1.start(g->self, &limits);
}

static void
game_end(struct game *g)
{
    hp_plugin_v1.stop(g->self);
    hp_plugin_v1.destroy(g->self);
}

static void
look(struct game *g)
{
    struct hp_view_sink sink = {
        .size = sizeof(sink),
        .capacity = RECORDS,
        .stride = sizeof(g->records[0]),
        .event_capacity = 4096,
        .entities = g->records,
        .events = g->events,
    };

    ok_int(g->ops->view(g->self, &sink), 0);
    g->count = sink.count;
    g->event_count = sink.event_count;
}

/* Flies for some seconds; how many events of a type there were. */
static uint32_t
fly(struct game *g, int seconds, uint32_t type)
{
    uint32_t found = 0, e;
    struct hp_tick tick;
    int i;

    for (i = 0; i < seconds * RATE; i++) {
        tick = fake_tick(g->tick++);
        g->ops->step(g->self, &tick, NULL, 0);
        look(g);
        for (e = 0; e < g->event_count; e++)
            found += g->events[e].type == type;
    }
    return found;
}

static void
pilots_stand_behind_the_slots_of_clients(void)
{
    static struct game g;
    uint32_t i, at = 0;

    ok_int(game_begin(&g, "20", "loiter", CLIENTS + 20), 0);
    for (i = 0; i < CLIENTS; i++)
        ok_int(g.ops->join(g.self, i, ""), 0);
    look(&g);
    ok_int(g.count, CLIENTS + 20);
    for (i = 0; i < g.count; i++)
        at += g.records[i].head.slot == i &&
              g.records[i].head.owner == (i < CLIENTS ? i : HP_CLIENT_NONE);
    ok_int(at, CLIENTS + 20);
    g.ops->leave(g.self, 3);
    ok_int(g.ops->join(g.self, 3, ""), 0);
    look(&g);
    ok_int(g.records[3].head.owner, 3);
    game_end(&g);
}

static void
more_pilots_than_room_are_refused_with_the_number_to_set(void)
{
    static struct game g;

    ok_int(game_begin(&g, "21", "loiter", CLIENTS + 20), -ENOSPC);
    ok(strstr(g.fake.failure, "entities_max = 29") != NULL);
    hp_plugin_v1.destroy(g.self);
}

static void
who_loiters_stays_up_and_near_its_height(void)
{
    static struct game g;
    uint32_t i, good = 0;
    double height;

    ok_int(game_begin(&g, "32", "loiter", 64), 0);
    ok_int(fly(&g, 90, HP_EVENT_CRASH), 0);
    for (i = 0; i < g.count; i++) {
        height = -g.records[i].head.position_m[2];
        good +=
            fabs(height - (1500 + 40.0 * (g.records[i].head.slot % 16))) < 60;
    }
    ok_int(good, 32);
    game_end(&g);
}

static void
a_formation_closes_up_behind_its_leader(void)
{
    static struct game g;
    uint32_t i, k, near = 0;
    double sum, d;

    ok_int(game_begin(&g, "16", "formation", 64), 0);
    ok_int(fly(&g, 90, HP_EVENT_CRASH), 0);
    for (i = 0; i < 16; i++) {
        for (sum = 0, k = 0; k < 3; k++) {
            d = g.records[i].head.position_m[k] -
                g.records[i / 4 * 4].head.position_m[k];
            sum += d * d;
        }
        if (sum > 200.0 * 200)
            printf("# place %u is %.0f m off\n", (unsigned)i, sqrt(sum));
        near += sum < 600.0 * 600;
    }
    ok_int(near, 16);
    game_end(&g);
}

static void
a_dogfight_has_hits_and_goes_on(void)
{
    static struct game g;
    uint32_t hits;

    ok_int(game_begin(&g, "32", "dogfight", 64), 0);
    hits = fly(&g, 30, HP_EVENT_HIT);
    printf("# %u hits\n", (unsigned)hits);
    ok(hits > 3);
    ok_int(g.count, 32);
    game_end(&g);
}

static void
in_a_dogfight_missiles_are_launched_at_somebody(void)
{
    static struct game g;
    uint32_t launches;

    ok_int(game_begin(&g, "32", "dogfight", 64), 0);
    launches = fly(&g, 20, HP_EVENT_THREAT);
    printf("# %u launches\n", (unsigned)launches);
    ok(launches > 3);
    game_end(&g);
}

static void
the_world_is_the_same_however_its_steps_are_cut(void)
{
    static struct game whole, cut;

    ok_int(game_begin(&whole, "48", "mixed", 64), 0);
    ok_int(game_begin(&cut, "48", "mixed", 64), 0);
    cut.fake.host.jobs = jobs_backwards;
    ok_int(whole.ops->join(whole.self, 2, ""), 0);
    ok_int(cut.ops->join(cut.self, 2, ""), 0);
    fly(&whole, 20, 0);
    fly(&cut, 20, 0);
    ok(whole.ops->hash(whole.self) == cut.ops->hash(cut.self));
    ok(memcmp(whole.records, cut.records, sizeof(whole.records)) == 0);
    ok(cut.fake.now_ns > whole.fake.now_ns + 2000);
    game_end(&whole);
    game_end(&cut);
}

static void
an_aircraft_takes_less_than_two_kibibytes(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip("malloc is the sanitizer's");
#else
    static struct game g;
    size_t few, many;
    struct mallinfo2 before = mallinfo2(), after;

    ok_int(game_begin(&g, "100", "dogfight", 108), 0);
    after = mallinfo2();
    few = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
    game_end(&g);
    before = mallinfo2();
    ok_int(game_begin(&g, "5100", "dogfight", 5108), 0);
    after = mallinfo2();
    many = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
    game_end(&g);
    printf("# %zu bytes an aircraft\n", (many - few) / 5000);
    ok((many - few) / 5000 < 2048);
#endif
}

TAP_MAIN(FACT(pilots_stand_behind_the_slots_of_clients),
         FACT(more_pilots_than_room_are_refused_with_the_number_to_set),
         FACT(who_loiters_stays_up_and_near_its_height),
         FACT(a_formation_closes_up_behind_its_leader),
         FACT(a_dogfight_has_hits_and_goes_on),
         FACT(in_a_dogfight_missiles_are_launched_at_somebody),
         FACT(the_world_is_the_same_however_its_steps_are_cut),
         FACT(an_aircraft_takes_less_than_two_kibibytes))
