/*
 * A crowded world for a minute, then a windy one over the ellipsoid, and their
 * hashes: t/sim_hash.t builds this and the sim by several compilers and
 * compares what they print. Clients come and go, chase, shoot, crash, lower
 * their gear and ask for new aircraft.
 *
 *     run [rate=60] [ticks=3600] [first=0] [order=0] [workers=1]
 *
 * Each of several workers does pieces of a tick, each piece on a thread.
 * `first` is the number of the first tick; `order` another order of joins in
 * which each gets the same id.
 */
#include "sim_host.h"
#include "sim_pilot.h"
#include <pthread.h>
#include <stdio.h>

enum {
    CLIENTS = 64,
    TICKS = 3600,
    ROUND_TICKS = 450,
    AGAIN = 4 /* clients that leave and join in one tick */
};

struct course {
    const char *name;
    uint32_t rate, ticks;
    uint64_t first;
    uint32_t order;
};

static struct hp_client_input inputs[CLIENTS];
static struct flight_record records[CLIENTS];
static struct hp_event events[1024];

/* The record of a client's aircraft, or NULL while it has none. */
static const struct flight_record *
record_of(uint32_t client, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (records[i].head.owner == client)
            return &records[i];
    return NULL;
}

/* Thirds of the clients chase, tumble, or dive with gear and afterburner. */
static void
pilot(uint32_t client, uint32_t tick, uint32_t count)
{
    struct hp_input *in = &inputs[client].input;
    const struct flight_record *me = record_of(client, count);
    const struct flight_record *it = record_of(client ^ 1, count);
    uint32_t seed = (client * 977 + tick / 30) * 2654435761u;

    memset(in, 0, sizeof(*in));
    if (me != NULL && it != NULL && client % 6 < 2) {
        sim_pilot_chase(me, it, in);
        return;
    }
    in->axes[HP_AXIS_THROTTLE] = 20000;
    in->axes[HP_AXIS_ROLL] = (int16_t)(seed >> 16);
    in->axes[HP_AXIS_PITCH] = (int16_t)(seed >> 9);
    in->axes[HP_AXIS_YAW] = (int16_t)(seed >> 5);
    in->buttons = seed >> 11 & 7;
    in->buttons |= seed & HP_BUTTON_RELEASE;
    in->buttons |= seed >> 3 & HP_BUTTON_SELECT;
    if (client % 6 == 5) {
        in->axes[HP_AXIS_ROLL] = 0;
        in->axes[HP_AXIS_PITCH] = -30000;
    }
    if (client == 7 && tick % 400 == 399)
        in->buttons |= HP_BUTTON_RESPAWN;
}

/* Who leaves has its slot taken at once, in whichever order. */
static void
leave_and_join(struct hp_instance *self, uint32_t first, uint32_t order)
{
    uint32_t i, client;

    for (i = 0; i < AGAIN; i++) {
        client = (first + (i ^ (order & (AGAIN - 1)))) % CLIENTS;
        sim_ops()->leave(self, client);
        sim_ops()->join(self, client, client % 2 ? "" : "aircraft=f16");
    }
}

/* Who is in the world changes while it runs. Returns the number of inputs. */
static uint32_t
come_and_go(struct hp_instance *self, uint32_t tick, uint32_t order)
{
    uint32_t client = tick / 40 % CLIENTS, i, count = 0;

    if (tick == 0)
        for (i = 0; i < CLIENTS; i++)
            sim_ops()->join(self, i, "aircraft=f16");
    if (tick % 40 == 20 && client % 6 == 3)
        sim_ops()->leave(self, client);
    if (tick % 40 == 35 && client % 6 == 3)
        sim_ops()->join(self, client, "");
    if (tick % 400 == 10)
        leave_and_join(self, tick / 400 * AGAIN, order);
    for (i = 0; i < CLIENTS; i++)
        inputs[count++].client = i;
    return count;
}

/* Steps a world and prints its hash at times; counts its events by type. */
static int
fly_world(struct sim_host *host, const struct course *c, uint32_t told[16])
{
    struct hp_instance *self = sim_host_start(host, CLIENTS, CLIENTS);
    struct hp_view_sink sink = {0};
    uint32_t tick, i, count;

    if (self == NULL) {
        printf("refused: %s\n", host->failed);
        return 1;
    }
    sink.capacity = CLIENTS;
    sink.stride = sizeof(records[0]);
    sink.entities = records;
    sink.event_capacity = 1024;
    sink.events = events;
    for (tick = 0; tick < c->ticks; tick++) {
        struct hp_tick t = {c->first + tick, 0, 1.0 / c->rate, c->rate, 1};

        count = come_and_go(self, tick, c->order);
        for (i = 0; i < CLIENTS; i++)
            pilot(i, tick, sink.count);
        sim_ops()->step(self, &t, inputs, count);
        sim_ops()->view(self, &sink);
        for (i = 0; i < sink.event_count; i++)
            told[events[i].type & 15]++;
        if (tick % 150 == 149)
            printf("%s %u %016llx\n", c->name, (unsigned int)tick,
                   (unsigned long long)sim_ops()->hash(self));
    }
    sim_host_stop(self);
    return 0;
}

static void
set(struct sim_host *host, int row, const char *name, const char *value)
{
    host->settings[row][0] = name;
    host->settings[row][1] = value;
}

/* ---- workers: the last piece is begun first ---- */

struct piece {
    void (*run)(void *context, uint32_t first, uint32_t end);
    void *context;
    uint32_t first, end;
};

static uint32_t workers;

static void *
run_piece(void *argument)
{
    const struct piece *p = argument;

    p->run(p->context, p->first, p->end);
    return NULL;
}

static void
run_jobs(const struct hp_host *host,
         void (*run)(void *context, uint32_t first, uint32_t end),
         void *context, uint32_t count, uint32_t grain)
{
    struct piece pieces[16];
    pthread_t threads[16];
    uint32_t i;

    (void)host;
    (void)grain;
    for (i = workers; i-- > 0;) {
        pieces[i] = (struct piece){run, context, count * i / workers,
                                   count * (i + 1) / workers};
        if (pthread_create(&threads[i], NULL, run_piece, &pieces[i]) != 0)
            abort();
    }
    for (i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
}

static uint64_t
option(int argc, char **argv, const char *name, uint64_t otherwise)
{
    size_t length = strlen(name);
    int i;

    for (i = 1; i < argc; i++)
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
            return strtoull(argv[i] + length + 1, NULL, 10);
    return otherwise;
}

static void
begin(struct sim_host *host)
{
    sim_host_init(host, HP_SIDE_SERVER);
    if (workers > 1)
        host->host.jobs = run_jobs;
}

int
main(int argc, char **argv)
{
    struct sim_host host;
    uint32_t told[16] = {0}, there[16] = {0};
    struct course c = {"flat", (uint32_t)option(argc, argv, "rate", 60),
                       (uint32_t)option(argc, argv, "ticks", TICKS),
                       option(argc, argv, "first", 0),
                       (uint32_t)option(argc, argv, "order", 0)};

    workers = (uint32_t)option(argc, argv, "workers", 1) % 16;
    begin(&host);
    set(&host, 0, "terrain", "hills");
    set(&host, 1, "spawn_altitude_m", "900");
    set(&host, 2, "atmosphere", "textbook");
    set(&host, 3, "rounds_max", "256"); /* each costs as much as an aircraft */
    if (fly_world(&host, &c, told))
        return 1;
    begin(&host);
    set(&host, 0, "planet", "wgs84");
    set(&host, 1, "spawn_altitude_m", "500");
    set(&host, 2, "spawn_latitude_deg", "89.999");
    set(&host, 3, "wind_north_mps", "12");
    set(&host, 4, "shear_east_per_s", "0.01");
    set(&host, 5, "rounds_max", "256");
    c.name = "round";
    c.ticks = c.ticks < ROUND_TICKS ? c.ticks : ROUND_TICKS;
    if (fly_world(&host, &c, there))
        return 1;
    printf("gun %u hit %u kill %u crash %u respawn %u gear %u afterburner %u"
           " launch %u release %u threat %u\n",
           told[HP_EVENT_GUN], told[HP_EVENT_HIT], told[HP_EVENT_KILL],
           told[HP_EVENT_CRASH], told[HP_EVENT_RESPAWN], told[HP_EVENT_GEAR],
           told[HP_EVENT_AFTERBURNER], told[HP_EVENT_LAUNCH],
           told[HP_EVENT_RELEASE], told[HP_EVENT_THREAT]);
    return 0;
}
