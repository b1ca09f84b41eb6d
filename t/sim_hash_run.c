/*
 * A crowded world for twenty seconds, then a windy one over the ellipsoid, and
 * their hashes: t/sim_hash.t builds this and the sim by several compilers and
 * compares what they print. Clients come
 * and go, chase, shoot, crash, lower their gear and ask for new aircraft.
 */
#include "sim_host.h"
#include "sim_pilot.h"
#include <stdio.h>

enum {
    CLIENTS = 24,
    TICKS = 1200,
    ROUND_TICKS = 450
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
    if (client % 6 == 5) {
        in->axes[HP_AXIS_ROLL] = 0;
        in->axes[HP_AXIS_PITCH] = -30000;
    }
    if (client == 7 && tick % 400 == 399)
        in->buttons |= HP_BUTTON_RESPAWN;
}

/* Who is in the world changes while it runs. Returns the number of inputs. */
static uint32_t
come_and_go(struct hp_instance *self, uint32_t tick)
{
    uint32_t client = tick / 40 % CLIENTS, i, count = 0;

    if (tick == 0)
        for (i = 0; i < CLIENTS; i++)
            sim_ops()->join(self, i, "aircraft=f16");
    if (tick % 40 == 20 && client % 6 == 3)
        sim_ops()->leave(self, client);
    if (tick % 40 == 35 && client % 6 == 3)
        sim_ops()->join(self, client, "");
    for (i = 0; i < CLIENTS; i++)
        inputs[count++].client = i;
    return count;
}

/* Steps a world and prints its hash at times; counts its events by type. */
static int
fly_world(struct sim_host *host, int rate, uint32_t ticks, uint32_t told[16])
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
    for (tick = 0; tick < ticks; tick++) {
        struct hp_tick t = {tick, 0, 1.0 / rate, (uint32_t)rate, 1};

        count = come_and_go(self, tick);
        for (i = 0; i < CLIENTS; i++)
            pilot(i, tick, sink.count);
        sim_ops()->step(self, &t, inputs, count);
        sim_ops()->view(self, &sink);
        for (i = 0; i < sink.event_count; i++)
            told[events[i].type & 15]++;
        if (tick % 150 == 149)
            printf("%u %016llx\n", (unsigned int)tick,
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

int
main(int argc, char **argv)
{
    struct sim_host host;
    uint32_t told[16] = {0}, there[16] = {0};
    int rate = argc > 1 ? atoi(argv[1]) : 60;

    sim_host_init(&host, HP_SIDE_SERVER);
    set(&host, 0, "terrain", "hills");
    set(&host, 1, "spawn_altitude_m", "900");
    set(&host, 2, "atmosphere", "textbook");
    if (fly_world(&host, rate, TICKS, told))
        return 1;
    printf("gun %u hit %u kill %u crash %u respawn %u gear %u afterburner %u\n",
           told[HP_EVENT_GUN], told[HP_EVENT_HIT], told[HP_EVENT_KILL],
           told[HP_EVENT_CRASH], told[HP_EVENT_RESPAWN], told[HP_EVENT_GEAR],
           told[HP_EVENT_AFTERBURNER]);
    sim_host_init(&host, HP_SIDE_SERVER);
    set(&host, 0, "planet", "wgs84");
    set(&host, 1, "spawn_altitude_m", "500");
    set(&host, 2, "spawn_latitude_deg", "89.999");
    set(&host, 3, "wind_north_mps", "12");
    set(&host, 4, "shear_east_per_s", "0.01");
    return fly_world(&host, rate, ROUND_TICKS, there);
}
