/*
 * Records a dogfight: aircraft in pairs that chase, launch at and shoot each other, with
 * the world's own plugin and the server's recorder, and no net between.
 *
 *     dogfight FILE AIRCRAFT SECONDS
 *
 * t/dogfight.t replays what it writes.
 */
#include "clock.h"
#include "instance.h"
#include "log.h"
#include "plugin.h"
#include "record.h"
#include "setup.h"
#include "sim_pilot.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AIRCRAFT_MAX 64
#define EVENTS_MAX   256

struct fight {
    struct clock *clock;
    struct clock_waiter *waiter;
    struct plugin_path path;
    struct plugin *plugin;
    struct config *config;
    struct instance *sim;
    const struct hp_sim_ops *ops;
    struct hp_limits limits;
    struct record *record;
    struct hp_client_input inputs[AIRCRAFT_MAX];
    struct flight_record records[AIRCRAFT_MAX];
    struct hp_event events[EVENTS_MAX];
    struct hp_view_sink sink;
    uint32_t count;
    uint64_t hits;
};

static void
expect(int truth, const char *what)
{
    if (truth)
        return;
    fprintf(stderr, "dogfight: %s\n", what);
    exit(1);
}

static int
add_param(void *context, const char *section, const struct hp_param *row,
          uint32_t index, const char *value)
{
    (void)section;
    (void)index;
    return record_header_param(context, row->name, value, 0);
}

static void
open_sim(struct fight *f)
{
    const struct hp_plugin *table;
    char file[4096], why[PLUGIN_WHY_MAX];

    expect(clock_create_virtual(&f->clock, 1) == 0, "no clock");
    expect(clock_join(f->clock, &f->waiter) == 0, "no place on the clock");
    clock_enter(f->waiter);
    expect(plugin_path_init(&f->path, "") >= 0, "no path");
    expect(plugin_find(&f->path, HP_KIND_SIM, "flight", file, sizeof(file),
                       why) == 0,
           why);
    expect(plugin_open(&f->plugin, file, HP_KIND_SIM, "flight", why) == 0, why);
    table = plugin_table(f->plugin);
    expect(config_create(&f->config) == 0, "no configuration");
    config_override(f->config, "sim.flight.spawn_altitude_m=3000");
    config_bind(f->config, "sim.flight", table->params, table->param_count,
                table->param_stride);
    expect(config_finish(f->config) == 0, "a wrong parameter");
    expect(instance_create(&f->sim, f->plugin, f->config, f->clock,
                           HP_SIDE_SERVER) == 0,
           "no instance");
    f->ops = f->sim->ops;
    f->limits = (struct hp_limits){
        .size = sizeof(f->limits),
        .side = HP_SIDE_SERVER,
        .rate_num = 60,
        .rate_den = 1,
        .clients_max = AIRCRAFT_MAX,
        .entities_max = AIRCRAFT_MAX,
        .snapshot_bytes_max = 1200,
        .window_ticks = 64,
        .schema = f->ops->schema(f->sim->self),
    };
    expect(instance_start(f->sim, &f->limits) == 0, f->sim->failure);
}

static void
open_record(struct fight *f, const char *file)
{
    const struct hp_plugin *table = plugin_table(f->plugin);
    struct record_header h = {.side = HP_SIDE_SERVER,
                              .rate_num = f->limits.rate_num,
                              .rate_den = f->limits.rate_den,
                              .clients_max = f->limits.clients_max,
                              .entities_max = f->limits.entities_max,
                              .snapshot_bytes_max =
                                  f->limits.snapshot_bytes_max,
                              .window_ticks = f->limits.window_ticks};

    snprintf(h.host_version, sizeof(h.host_version), "dogfight");
    snprintf(h.sim_name, sizeof(h.sim_name), "%s", table->name);
    snprintf(h.sim_version, sizeof(h.sim_version), "%s", table->version);
    build_id_of(plugin_file(f->plugin), h.sim_build);
    expect(record_header_schema(&h, f->limits.schema) == 0, "no schema");
    expect(config_each(f->config, add_param, &h) == 0, "no parameters");
    expect(record_create(&f->record, f->clock, file, &h) == 0, "no file");
    expect(record_start(f->record) == 0, "no writer");
}

static void
join(struct fight *f, uint32_t client)
{
    int err = f->ops->join(f->sim->self, client, "aircraft=f16");

    record_join(f->record, client, err, "aircraft=f16");
    expect(err == 0, f->sim->failure);
}

static const struct flight_record *
record_of(const struct fight *f, uint32_t client)
{
    uint32_t i;

    for (i = 0; i < f->sink.count; i++)
        if (f->records[i].head.owner == client)
            return &f->records[i];
    return NULL;
}

/* Each chases the other of its pair; now and then one breaks away. */
static void
steer(struct fight *f, uint64_t tick)
{
    const struct flight_record *me, *it;
    struct hp_input *in;
    uint32_t i;

    for (i = 0; i < f->count; i++) {
        in = &f->inputs[i].input;
        memset(in, 0, sizeof(*in));
        f->inputs[i].client = i;
        me = record_of(f, i);
        it = record_of(f, i ^ 1);
        if (me != NULL && it != NULL && (tick / 120 + i) % 5 != 0)
            sim_pilot_chase(me, it, in);
        in->axes[HP_AXIS_THROTTLE] = 30000;
        if ((tick / 120 + i) % 5 == 0)
            in->axes[HP_AXIS_ROLL] = i % 2 ? 12000 : -12000;
        /* One missile after the other, none of the bombs. */
        if (me != NULL && me->missiles > 0 && (tick + 7 * i) % 150 == 100)
            in->buttons |= HP_BUTTON_RELEASE;
    }
}

static void
keep(struct fight *f, uint64_t tick)
{
    struct hp_view view = {.size = sizeof(view),
                           .count = f->sink.count,
                           .stride = f->sink.stride,
                           .event_count = f->sink.event_count,
                           .event_stride = sizeof(f->events[0]),
                           .tick = tick,
                           .entities = f->records,
                           .events = f->events};
    struct record_moment m = {.tick = tick,
                              .hash = f->ops->hash(f->sim->self),
                              .inputs = f->inputs,
                              .input_count = f->count,
                              .view = &view};
    struct hp_byte_sink own = {.size = sizeof(own),
                               .capacity = f->limits.schema->own_bytes};
    uint8_t *states = record_tick(f->record, &m);
    uint32_t i;

    expect(states != NULL, "the recording is broken");
    for (i = 0; i < f->count; i++) {
        own.bytes = states + (size_t)i * own.capacity;
        f->ops->own_get(f->sim->self, i, &own);
    }
    record_commit(f->record);
}

static void
fly(struct fight *f, uint64_t ticks)
{
    struct hp_tick t = {0, 0, 1.0 / 60, 60, 1};
    uint32_t i;

    f->sink = (struct hp_view_sink){.size = sizeof(f->sink),
                                    .capacity = AIRCRAFT_MAX,
                                    .stride = sizeof(f->records[0]),
                                    .event_capacity = EVENTS_MAX,
                                    .entities = f->records,
                                    .events = f->events};
    for (i = 0; i < f->count; i++)
        join(f, i);
    for (t.index = 0; t.index < ticks; t.index++) {
        steer(f, t.index);
        f->ops->step(f->sim->self, &t, f->inputs, f->count);
        f->ops->view(f->sim->self, &f->sink);
        keep(f, t.index);
        for (i = 0; i < f->sink.event_count; i++)
            f->hits += f->events[i].type == HP_EVENT_HIT;
        clock_wait(f->waiter, -1, clock_now_ns(f->clock) + 16666667, 0);
    }
}

int
main(int argc, char **argv)
{
    static struct fight f;
    struct record_report report;

    expect(argc == 4, "usage: dogfight FILE AIRCRAFT SECONDS");
    f.count = (uint32_t)atoi(argv[2]);
    expect(f.count > 1 && f.count <= AIRCRAFT_MAX, "2 to 64 aircraft");
    log_set_level(HP_LOG_ERROR);
    open_sim(&f);
    open_record(&f, argv[1]);
    fly(&f, (uint64_t)(60 * atof(argv[3])));
    record_stop(f.record, f.waiter);
    record_report(f.record, &report);
    printf("%llu ticks %llu bytes %llu hits\n",
           (unsigned long long)report.ticks, (unsigned long long)report.bytes,
           (unsigned long long)f.hits);
    record_destroy(f.record);
    instance_destroy(f.sim);
    config_destroy(f.config);
    plugin_close(f.plugin);
    plugin_path_finish(&f.path);
    clock_leave(f.waiter);
    clock_destroy(f.clock);
    return report.lost > 0 || report.err < 0;
}
