/* The sim through its table, as the host uses it. */
#include "sim_host.h"
#include "sim_pilot.h"
#include "tap.h"
#include <math.h>
#include <sim/aircraft.h>
#include <sim/ballistics.h>
#include <sim/gun.h>
#include <sim/schema.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CLIENTS = 16
};

static struct sim_host host;
static struct hp_client_input inputs[CLIENTS];
static struct flight_record records[CLIENTS];
static struct hp_event events[512];
static struct hp_view_sink sink;

static struct hp_instance *
server(uint32_t entities_max)
{
    uint32_t i;

    memset(inputs, 0, sizeof(inputs));
    for (i = 0; i < CLIENTS; i++) {
        inputs[i].client = i;
        inputs[i].input.axes[HP_AXIS_THROTTLE] = 10000;
    }
    return sim_host_start(&host, CLIENTS, entities_max);
}

/* One tick with `count` clients, and the view after it. */
static int
tick(struct hp_instance *self, uint64_t index, uint32_t count)
{
    struct hp_tick t = {index, 0, 1.0 / 60, 60, 1};

    sim_ops()->step(self, &t, inputs, count);
    memset(&sink, 0, sizeof(sink));
    sink.size = sizeof(sink);
    sink.capacity = CLIENTS;
    sink.stride = sizeof(records[0]);
    sink.entities = records;
    sink.event_capacity = 512;
    sink.events = events;
    return sim_ops()->view(self, &sink);
}

static const struct hp_event *
event_of(uint32_t type)
{
    uint32_t i;

    for (i = 0; i < sink.event_count; i++)
        if (events[i].type == type)
            return &events[i];
    return NULL;
}

static void
own_of(struct hp_instance *self, uint32_t client, struct aircraft *out)
{
    struct hp_byte_sink bytes = {sizeof(bytes),  sizeof(*out), 0, 0,
                                 (uint8_t *)out, NULL};

    ok_int(sim_ops()->own_get(self, client, &bytes), 0);
    ok_int(bytes.count, sizeof(*out));
}

static void
every_row_says_what_it_does(void)
{
    const struct hp_param *p = hp_plugin_v1.params;
    uint32_t i;

    ok(hp_plugin_v1.param_count >= 5);
    for (i = 0; i < hp_plugin_v1.param_count; i++) {
        ok(strlen(p[i].sentence) > 10 &&
           (p[i].preset[0] != '\0' || p[i].type == HP_PARAM_PATH));
        ok(p[i].type == HP_PARAM_CHOICE || p[i].type == HP_PARAM_DATA ||
           p[i].type == HP_PARAM_PATH || p[i].minimum < p[i].maximum);
    }
    ok_int(hp_plugin_v1.flags, HP_PLUGIN_DETERMINISTIC);
}

/* Fields in order, within the record, each value within its wire range. */
static void
the_schema_describes_the_record(void)
{
    static const uint8_t bytes[] = {0, 1, 2, 4, 2, 4, 4, 8, 16};
    struct hp_instance *self;
    const struct hp_schema *s;
    const struct hp_field *f;
    uint32_t i, end = 0;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(1);
    s = sim_ops()->schema(self);
    f = s->fields;

    ok_int(s->record_bytes, sizeof(struct flight_record));
    ok_int(s->record_bytes % 8, 0);
    ok_int(s->own_bytes, sizeof(struct aircraft));
    ok(s->own_bytes <= HP_OWN_BYTES_MAX &&
       s->record_bytes <= HP_RECORD_BYTES_MAX);
    ok_int(s->field_stride, sizeof(*f));
    for (i = 0; i < s->field_count; i++) {
        ok(f[i].offset >= end && f[i].minimum < f[i].maximum);
        ok(f[i].step > 0 && f[i].unit != NULL && f[i].flags == 0);
        end = f[i].offset + bytes[f[i].type] * f[i].count;
    }
    ok(end <= s->record_bytes);
    sim_host_stop(self);
}

/* Of the one field whose range is the planet's. */
static double
position_range(const char *planet)
{
    const struct hp_schema *s;
    struct hp_instance *self;
    double range = 0;
    uint32_t i;

    sim_host_init(&host, HP_SIDE_SERVER);
    host.settings[0][0] = "planet";
    host.settings[0][1] = planet;
    self = server(1);
    s = sim_ops()->schema(self);
    for (i = 0; i < s->field_count; i++)
        if (strcmp(s->fields[i].name, "position_m") == 0)
            range = s->fields[i].maximum;
    sim_host_stop(self);
    return range;
}

static void
over_a_round_planet_positions_are_from_its_centre(void)
{
    ok_real(position_range("flat"), 1e6, 0);
    ok_real(position_range("round"), 7e6, 0);
    ok_real(position_range("wgs84"), 7e6, 0);
}

static void
hills_need_a_flat_planet(void)
{
    struct hp_instance *self = NULL;

    sim_host_init(&host, HP_SIDE_SERVER);
    host.settings[0][0] = "planet";
    host.settings[0][1] = "wgs84";
    host.settings[1][0] = "terrain";
    host.settings[1][1] = "hills";
    ok_int(hp_plugin_v1.create(&host.host, &self), -EINVAL);
    ok(strstr(host.failed, "terrain = flat") != NULL);
}

/* A ramp that rises by 1000 m over 10 km to the north. */
static void
write_land(char *path, size_t bytes)
{
    FILE *file;
    int i;

    snprintf(path, bytes, "%s/sim_flight_land.tmp",
             getenv("HP_BUILD") != NULL ? getenv("HP_BUILD") : ".");
    file = fopen(path, "wb");
    ok(file != NULL);
    fprintf(file, "hardpoint-terrain 1\nsize 101 2\nspacing_m 100\nscale_m "
                  "0.1\ndata\n");
    for (i = 0; i < 202; i++) {
        fputc(i / 2 * 100 & 255, file);
        fputc(i / 2 * 100 >> 8, file);
    }
    fclose(file);
}

static void
land_from_a_file_is_flown_over(void)
{
    struct hp_instance *self = NULL;
    char path[600];
    double at[3];
    uint64_t i;

    write_land(path, sizeof(path));
    sim_host_init(&host, HP_SIDE_SERVER);
    host.settings[0][0] = "terrain";
    host.settings[0][1] = "grid";
    ok_int(hp_plugin_v1.create(&host.host, &self), -EINVAL);
    ok(strstr(host.failed, "terrain grid needs terrain_file") != NULL);
    host.settings[1][0] = "terrain_file";
    host.settings[1][1] = path;
    host.settings[2][0] = "spawn_altitude_m";
    host.settings[2][1] = "1000";
    ok_int(hp_plugin_v1.create(&host.host, &self), -EINVAL);
    ok(strstr(host.failed, "the land rises to 1000 m") != NULL);
    host.settings[2][1] = "1100";
    self = server(4);
    sim_ops()->join(self, 0, "");
    for (i = 0; i < 60; i++)
        tick(self, i, 1);
    /* It flies north, level, towards a slope of one in ten. */
    ok_real(records[0].head.position_m[0], 180, 3);
    ok_real(records[0].agl_m, 1100 - 18, 2);
    ok_real(records[0].time_to_ground_s, 60, 0);
    inputs[0].input.axes[HP_AXIS_PITCH] = -12000;
    for (; i < 180; i++)
        tick(self, i, 1);
    ok(records[0].time_to_ground_s < 60);
    for (i = 0; i < 3; i++)
        at[i] = records[0].head.position_m[i] +
                records[0].head.velocity_mps[i] * records[0].time_to_ground_s;
    ok_real(-at[2], at[0] / 10, 0.1);
    sim_host_stop(self);
    remove(path);
    ok_int(hp_plugin_v1.create(&host.host, &self), -ENOENT);
    ok(strstr(host.failed, "cannot be read") != NULL);
}

static void
join_options_that_make_no_sense_are_told(void)
{
    static const char *const bad[][2] = {
        {"aircraft=f22",              "f22"      },
        {"plane=f16",                 "plane"    },
        {"f16",                       "key=value"},
        {"callsign=",                 "1 to 15"  },
        {"callsign=0123456789abcdef", "1 to 15"  },
        {"callsign=a callsign=b",     "once"     },
        {"callsign=\x07x",            "printable"},
    };
    struct hp_instance *self;
    unsigned int i;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(CLIENTS);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        host.failed[0] = '\0';
        ok_int(sim_ops()->join(self, 0, bad[i][0]), -EINVAL);
        ok(strstr(host.failed, bad[i][1]) != NULL);
    }
    ok_int(sim_ops()->join(self, 0, " aircraft=f16  callsign=Viper "), 0);
    ok(strstr(host.logged, "Viper") != NULL);
    ok_int(sim_ops()->join(self, 1, ""), 0);
    tick(self, 0, 2);
    ok_int(sink.count, 2);
    sim_host_stop(self);
}

static void
a_speed_that_cannot_fly_stops_the_start(void)
{
    sim_host_init(&host, HP_SIDE_SERVER);
    host.settings[0][0] = "spawn_altitude_m";
    host.settings[0][1] = "12000";
    host.settings[1][0] = "spawn_speed_mps";
    host.settings[1][1] = "80";
    ok(server(4) == NULL);
    ok(strstr(host.failed, "spawn_speed_mps 80") != NULL);
}

static void
a_full_world_refuses_and_a_left_slot_is_used_again(void)
{
    struct hp_instance *self;
    struct aircraft own;
    struct hp_byte_sink none = {sizeof(none),    sizeof(own), 0, 0,
                                (uint8_t *)&own, NULL};

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(2);
    ok_int(sim_ops()->join(self, 0, ""), 0);
    ok_int(sim_ops()->join(self, 1, ""), 0);
    ok_int(sim_ops()->join(self, 2, ""), -ENOSPC);
    ok(strstr(host.failed, "full") != NULL);
    own_of(self, 0, &own);
    ok_int(own.generation, 0);
    sim_ops()->leave(self, 0);
    sim_ops()->leave(self, 0);
    ok_int(sim_ops()->own_get(self, 0, &none), -ENOENT);
    ok_int(sim_ops()->join(self, 2, ""), 0);
    own_of(self, 2, &own);
    ok_int(own.slot, 0);
    ok_int(own.generation, 1);
    ok_int(own.owner, 2);
    sim_host_stop(self);
}

static void
joiners_start_far_from_each_other(void)
{
    struct hp_instance *self;
    double nearest = 1e9, gap;
    uint32_t i, k;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(CLIENTS);
    for (i = 0; i < CLIENTS; i++)
        ok_int(sim_ops()->join(self, i, ""), 0);
    ok_int(tick(self, 0, CLIENTS), 0);
    ok_int(sink.count, CLIENTS);
    for (i = 0; i < CLIENTS; i++)
        for (k = 0; k < i; k++) {
            gap = hypot(
                records[i].head.position_m[0] - records[k].head.position_m[0],
                records[i].head.position_m[1] - records[k].head.position_m[1]);
            nearest = gap < nearest ? gap : nearest;
        }
    ok(nearest > 300);
    sim_host_stop(self);
}

static void
a_view_that_is_too_small_is_filled_and_told(void)
{
    struct hp_instance *self;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(4);
    sim_ops()->join(self, 0, "");
    sim_ops()->join(self, 1, "");
    tick(self, 0, 2);
    sink.capacity = 1;
    ok_int(sim_ops()->view(self, &sink), -ENOSPC);
    ok_int(sink.count, 1);
    sim_host_stop(self);
}

/* Every field of every record within what the wire can carry. */
static void
records_stay_within_the_schemas_ranges(void)
{
    const struct hp_schema *s;
    struct hp_instance *self;
    uint64_t i;
    uint32_t k;
    float value;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(4);
    s = sim_ops()->schema(self);
    sim_ops()->join(self, 0, "");
    for (i = 0; i < 60 * 30; i++) {
        inputs[0].input.axes[HP_AXIS_ROLL] = (int16_t)(i % 200 * 160 - 16000);
        inputs[0].input.axes[HP_AXIS_PITCH] = (int16_t)(i % 300 * 100 - 9000);
        inputs[0].input.axes[HP_AXIS_YAW] = (int16_t)(i % 170 * 300 - 26000);
        inputs[0].input.buttons = i % 256 > 128 ? HP_BUTTON_AFTERBURNER : 0;
        tick(self, i, 1);
        for (k = 0; k < s->field_count; k++) {
            if (s->fields[k].type != HP_FIELD_F32)
                continue;
            memcpy(&value, (uint8_t *)&records[0] + s->fields[k].offset, 4);
            ok(value >= s->fields[k].minimum && value <= s->fields[k].maximum);
        }
    }
    sim_host_stop(self);
}

/* Sixty seconds of everything: the model has the server's bits at each tick. */
static void
the_model_steps_as_the_server_does_bit_for_bit(void)
{
    struct sim_host client_host;
    struct hp_instance *self, *model;
    struct aircraft own, predicted;
    uint32_t seed = 7;
    uint64_t i;
    int same = 0, crashes = 0;

    sim_host_init(&host, HP_SIDE_SERVER);
    host.settings[0][0] = "terrain";
    host.settings[0][1] = "hills";
    self = server(4);
    sim_host_init(&client_host, HP_SIDE_CLIENT);
    client_host.settings[0][0] = "terrain";
    client_host.settings[0][1] = "hills";
    model = sim_host_start(&client_host, CLIENTS, 4);
    sim_ops()->join(self, 0, "");
    own_of(self, 0, &predicted);
    for (i = 0; i < 60 * 60; i++) {
        struct hp_tick t = {i, 0, 1.0 / 60, 60, 1};

        if (i % 20 == 0) {
            seed = seed * 1664525 + 1013904223;
            inputs[0].input.axes[HP_AXIS_ROLL] = (int16_t)(seed >> 16);
            inputs[0].input.axes[HP_AXIS_PITCH] = (int16_t)(seed >> 8 & 8191);
            inputs[0].input.buttons =
                seed >> 9 & (7 | HP_BUTTON_RELEASE | HP_BUTTON_SELECT);
        }
        if (i > 1200)
            inputs[0].input.axes[HP_AXIS_PITCH] = -20000;
        tick(self, i, 1);
        sim_ops()->model_step(model, &predicted, &inputs[0].input, &t);
        own_of(self, 0, &own);
        same += memcmp(&own, &predicted, sizeof(own)) == 0;
        crashes += event_of(HP_EVENT_CRASH) != NULL;
        ok_int(sim_ops()->own_check(model, &own, sizeof(own)), 0);
    }
    ok_int(same, 60 * 60);
    ok(crashes > 0);
    ok_int(sim_ops()->own_check(model, &own, sizeof(own) - 1), -EINVAL);
    sim_host_stop(model);
    sim_host_stop(self);
}

/* A minute of rough air: what the client predicts needs no correction. */
static void
the_model_predicts_the_very_same_turbulence(void)
{
    struct sim_host client_host;
    struct hp_instance *self, *model, *calm;
    struct aircraft own, predicted, quiet;
    double most = 0, g;
    uint64_t i;
    int same = 0;

    sim_host_init(&host, HP_SIDE_SERVER);
    host.settings[0][0] = "turbulence";
    host.settings[0][1] = "severe";
    host.settings[1][0] = "gust_mps";
    host.settings[1][1] = "12";
    self = server(4);
    sim_host_init(&client_host, HP_SIDE_CLIENT);
    calm = sim_host_start(&client_host, CLIENTS, 4);
    memcpy(client_host.settings, host.settings, sizeof(host.settings));
    model = sim_host_start(&client_host, CLIENTS, 4);
    sim_ops()->join(self, 0, "");
    sim_ops()->join(self, 1, "");
    own_of(self, 1, &predicted);
    quiet = predicted;
    for (i = 1 << 20; i < (1 << 20) + 60 * 60; i++) {
        struct hp_tick t = {i, 0, 1.0 / 60, 60, 1};

        inputs[1].input.axes[HP_AXIS_PITCH] = (int16_t)(i % 300 * 20 - 3000);
        tick(self, i, 2);
        sim_ops()->model_step(model, &predicted, &inputs[1].input, &t);
        sim_ops()->model_step(calm, &quiet, &inputs[1].input, &t);
        own_of(self, 1, &own);
        same += memcmp(&own, &predicted, sizeof(own)) == 0;
        g = fabs(own.normal_g - quiet.normal_g);
        most = g > most ? g : most;
    }
    ok_int(same, 60 * 60);
    ok(most > 0.5); /* it was felt */
    own_of(self, 0, &predicted);
    /* Each has air of its own. */
    ok(fabs(own.normal_g - predicted.normal_g) > 1e-6);
    sim_host_stop(calm);
    sim_host_stop(model);
    sim_host_stop(self);
}

static void
the_own_record_is_the_one_in_the_view(void)
{
    struct hp_instance *self;
    struct aircraft own;
    struct flight_record record;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(4);
    sim_ops()->join(self, 5, "");
    tick(self, 0, 0);
    own_of(self, 5, &own);
    sim_ops()->own_view(self, &own, &record);
    ok(memcmp(&record, &records[0], sizeof(record)) == 0);
    ok_int(record.head.owner, 5);
    ok_real(record.airspeed_mps, 180, 1);
    ok_real(record.agl_m, 1500, 1);
    ok_real(record.time_to_ground_s, 60, 0);
    sim_host_stop(self);
}

static void
commands_are_told_with_the_tick_that_caused_them(void)
{
    struct hp_instance *self;
    const struct hp_event *e;
    uint64_t i;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(4);
    sim_ops()->join(self, 0, "");
    for (i = 0; i < 10; i++)
        tick(self, i, 1);
    inputs[0].input.buttons =
        HP_BUTTON_GUN | HP_BUTTON_GEAR | HP_BUTTON_AFTERBURNER;
    tick(self, 10, 1);
    ok_int(sink.event_count, 3);
    e = event_of(HP_EVENT_GUN);
    ok(e != NULL && e->cause_tick == 10 && e->tick == 10 && e->who == 0);
    e = event_of(HP_EVENT_GEAR);
    ok(e != NULL && e->cause_tick == 10 && e->strength == 1);
    e = event_of(HP_EVENT_AFTERBURNER);
    ok(e != NULL && e->cause_tick == 10);
    tick(self, 11, 1);
    ok_int(sink.event_count, 0);
    inputs[0].input.buttons = 0;
    tick(self, 12, 1);
    inputs[0].input.buttons = HP_BUTTON_GEAR;
    tick(self, 13, 1);
    e = event_of(HP_EVENT_GEAR);
    ok(e != NULL && e->strength == 0);
    sim_host_stop(self);
}

/* Slot 0 starts ahead of slot 1 and to its side. */
static void
a_gun_run_hits_and_kills_and_the_dead_come_back(void)
{
    struct hp_instance *self;
    const struct hp_event *e;
    uint64_t i;
    int hits = 0, kills = 0, respawns = 0, dead = 0;
    double length;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(4);
    sim_ops()->join(self, 0, "");
    sim_ops()->join(self, 1, "");
    tick(self, 0, 2);
    for (i = 1; i < 60 * 90 && respawns == 0; i++) {
        if (kills == 0)
            sim_pilot_chase(&records[1], &records[0], &inputs[1].input);
        else
            inputs[1].input.buttons = 0;
        tick(self, i, 2);
        e = event_of(HP_EVENT_HIT);
        if (e != NULL) {
            hits++;
            ok_int(e->who, 1);
            ok_int(e->whom, 0);
            ok(e->strength > 0 && e->strength <= 1);
            length = sqrt(e->direction[0] * e->direction[0] +
                          e->direction[1] * e->direction[1] +
                          e->direction[2] * e->direction[2]);
            ok_real(length, 1, 1e-5);
            ok(records[0].health < 1);
        }
        kills += event_of(HP_EVENT_KILL) != NULL;
        dead += (records[0].head.flags & HP_ENTITY_DEAD) != 0;
        e = event_of(HP_EVENT_RESPAWN);
        if (e != NULL) {
            respawns++;
            ok_int(e->who, HP_ENTITY_ID(0, 1));
            ok_int(records[0].head.generation, 1);
            ok_real(records[0].health, 1, 0);
        }
    }
    printf("# %d ticks with hits, %llu ticks in all\n", hits,
           (unsigned long long)i);
    ok(hits > 3);
    ok_int(kills, 1);
    ok_int(respawns, 1);
    ok(dead > 290 && dead < 305);
    sim_host_stop(self);
}

/* An aircraft and a round that is about to pass it, both exactly placed. */
static int
shoot_past(double aside_m, struct gun_hit *hit)
{
    struct aircraft before, after;
    struct round r = {
        {600 - 500, aside_m, 0},
        {1000,      0,       0},
        0, 3, 2, 0, 0
    };
    double from[3] = {600 - 1500, aside_m, 0};

    memset(&before, 0, sizeof(before));
    before.state.attitude[0] = 1;
    before.slot = 9;
    after = before;
    before.state.position_m[0] = -100;
    /* Seen from the aircraft the round goes from -800 to 100 in one second. */
    return gun_meets(&r, from, 0, &before, &after, 1, hit);
}

static void
a_fast_round_meets_what_lies_between_two_ticks(void)
{
    struct gun_hit hit;

    ok_int(shoot_past(3, &hit), 1);
    /* It enters the sphere of 5 m 4 m before the centre. */
    ok_real(hit.time_s, (800 - 4) / 900.0, 1e-12);
    ok_real(hit.direction[0], -0.8, 1e-12);
    ok_real(hit.direction[1], 0.6, 1e-12);
    ok_int(hit.shooter, 2);
    ok_int(hit.number, 3);
    ok_int(hit.target, 9);
    ok_int(shoot_past(5.01, &hit), 0);
}

/* Where a round is after a second, flown in steps of `dt_s`. */
static void
shoot_for_a_second(struct round *r, double dt_s)
{
    struct surroundings around = {0};
    int i, steps = (int)(1 / dt_s + 0.5);

    planet_init(&around.planet, PLANET_FLAT);
    memset(r, 0, sizeof(*r));
    r->position_m[2] = -1500;
    r->velocity_mps[0] = 1030;
    r->coefficient = 0.287 * BALLISTIC_KG_M2_PER_LB_IN2;
    for (i = 0; i < steps; i++)
        ok_int(gun_move(r, &around, dt_s), 1);
}

static void
a_round_flies_alike_at_any_tick_rate_and_slows_and_falls(void)
{
    struct round fine, coarse;

    shoot_for_a_second(&fine, 1.0 / 4000);
    shoot_for_a_second(&coarse, 1.0 / 60);
    ok_real(coarse.position_m[0], fine.position_m[0], 0.05);
    ok_real(coarse.position_m[2], fine.position_m[2], 0.05);
    /* G7 at 0.287 lb/in2 in the air of 1500 m. */
    ok_real(fine.position_m[0], 819.9, 0.3);
    ok_real(fine.position_m[2] + 1500, 4.3, 0.4);
}

static void
hits_are_ordered_by_time_then_shooter_then_round(void)
{
    struct gun_hit a = {.time_s = 0.1, .shooter = 2, .number = 5}, b = a;

    ok_int(gun_hit_order(&a, &b), 0);
    b.number = 6;
    ok_int(gun_hit_order(&a, &b), -1);
    b.shooter = 1;
    ok_int(gun_hit_order(&a, &b), 1);
    b.time_s = 0.2;
    ok_int(gun_hit_order(&a, &b), -1);
}

static void
the_hash_tells_worlds_apart(void)
{
    struct hp_instance *self;
    uint64_t first, second;

    sim_host_init(&host, HP_SIDE_SERVER);
    self = server(4);
    first = sim_ops()->hash(self);
    sim_ops()->join(self, 0, "");
    second = sim_ops()->hash(self);
    ok(first != second);
    ok(second == sim_ops()->hash(self));
    tick(self, 0, 1);
    ok(second != sim_ops()->hash(self));
    sim_ops()->leave(self, 0);
    ok(first != sim_ops()->hash(self)); /* the slot's use was counted */
    sim_host_stop(self);
}

TAP_MAIN(FACT(every_row_says_what_it_does),
         FACT(the_schema_describes_the_record),
         FACT(over_a_round_planet_positions_are_from_its_centre),
         FACT(hills_need_a_flat_planet), FACT(land_from_a_file_is_flown_over),
         FACT(join_options_that_make_no_sense_are_told),
         FACT(a_speed_that_cannot_fly_stops_the_start),
         FACT(a_full_world_refuses_and_a_left_slot_is_used_again),
         FACT(joiners_start_far_from_each_other),
         FACT(a_view_that_is_too_small_is_filled_and_told),
         FACT(records_stay_within_the_schemas_ranges),
         FACT(the_model_steps_as_the_server_does_bit_for_bit),
         FACT(the_model_predicts_the_very_same_turbulence),
         FACT(the_own_record_is_the_one_in_the_view),
         FACT(commands_are_told_with_the_tick_that_caused_them),
         FACT(a_gun_run_hits_and_kills_and_the_dead_come_back),
         FACT(a_fast_round_meets_what_lies_between_two_ticks),
         FACT(a_round_flies_alike_at_any_tick_rate_and_slows_and_falls),
         FACT(hits_are_ordered_by_time_then_shooter_then_round),
         FACT(the_hash_tells_worlds_apart))
