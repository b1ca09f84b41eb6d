/*
 * sim_flight - the world of Hardpoint: F-16s over a flat Earth, their guns and
 * the ground. This file is the plugin's face; world.c is the server's world,
 * aircraft.c the step that server and model share.
 */
#include "options.h"
#include "schema.h"
#include "world.h"
#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "flight"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "F-16s over a flat Earth, with guns and a ground to meet"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

struct hp_instance {
    const struct hp_host *host;
    struct aircraft_world rules;
    struct world *world; /* server side, between start and stop */
    uint64_t seed;
    uint32_t rounds_max;
};

static const struct hp_param params[] = {
    {"seed",             "",    "1",    "Number that shapes the hills and scatters the rounds.",
     NULL,                                                                                                     NULL, 0,   9007199254740992.0, HP_PARAM_INT,    HP_PARAM_SHARED},
    {"terrain",          "",    "flat",
     "Ground: flat at height zero, or hills of up to 400 m.",                                    "flat|hills",
     NULL,                                                                                                           0,   0,                  HP_PARAM_CHOICE, HP_PARAM_SHARED},
    {"spawn_altitude_m", "m",   "1500",
     "Height above zero at which an aircraft enters, in level flight.",                          NULL,
     NULL,                                                                                                           500, 12000,              HP_PARAM_REAL,   HP_PARAM_SHARED},
    {"spawn_speed_mps",  "m/s", "180",
     "Speed at which an aircraft enters; it must be able to fly level at it.",                   NULL,         NULL, 80,  350,                HP_PARAM_REAL,   HP_PARAM_SHARED},
    {"respawn_s",        "s",   "5",
     "Time from death until a new aircraft comes unasked.",                                      NULL,         NULL, 0.5,
     3600,                                                                                                                                    HP_PARAM_REAL,   HP_PARAM_SHARED},
    {"ammunition",       "",    "511",  "Rounds that an aircraft enters with.",                  NULL,
     NULL,                                                                                                           0,   1000000,            HP_PARAM_INT,    HP_PARAM_SHARED},
    {"rounds_max",       "",    "4096",
     "Rounds in the air at once; beyond it a gun fires blanks.",                                 NULL,         NULL, 0,
     65536,                                                                                                                                   HP_PARAM_INT,    0              },
};

/* The rows as numbers and words; their ranges were checked by the host. */
struct settings {
    int64_t seed, ammunition, rounds_max;
    double altitude_m, speed_mps, respawn_s;
    const char *terrain;
};

static int
settings_read(const struct hp_host *host, struct settings *s)
{
    int err = host->param_int(host, "seed", 0, &s->seed);

    err = err < 0 ? err : host->param_text(host, "terrain", 0, &s->terrain);
    err = err < 0
              ? err
              : host->param_real(host, "spawn_altitude_m", 0, &s->altitude_m);
    err = err < 0 ? err
                  : host->param_real(host, "spawn_speed_mps", 0, &s->speed_mps);
    err = err < 0 ? err : host->param_real(host, "respawn_s", 0, &s->respawn_s);
    err =
        err < 0 ? err : host->param_int(host, "ammunition", 0, &s->ammunition);
    err =
        err < 0 ? err : host->param_int(host, "rounds_max", 0, &s->rounds_max);
    return err < 0 ? host->fail(host, err, "the host lacks one of the rows")
                   : 0;
}

static int
flight_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self;
    struct settings s;
    struct ground ground;
    char why[160];
    int err = settings_read(host, &s);

    if (err < 0)
        return err;
    self = calloc(1, sizeof(*self));
    if (self == NULL)
        return host->fail(host, -ENOMEM, "no memory for the instance");
    ground.seed = (uint64_t)s.seed;
    ground.hills = strcmp(s.terrain, "hills") == 0;
    err = aircraft_world_init(&self->rules, &ground, s.altitude_m, s.speed_mps);
    if (err < 0) {
        snprintf(why, sizeof(why),
                 "spawn_speed_mps %g at spawn_altitude_m %g: an F-16 cannot "
                 "fly level there; try 180 m/s at 1500 m",
                 s.speed_mps, s.altitude_m);
        free(self);
        return host->fail(host, -EINVAL, why);
    }
    self->host = host;
    self->seed = ground.seed;
    self->rules.respawn_s = s.respawn_s;
    self->rules.ammunition = (uint32_t)s.ammunition;
    self->rounds_max = (uint32_t)s.rounds_max;
    *out = self;
    return 0;
}

static void
log_warning(void *context, const char *text)
{
    const struct hp_host *host = context;

    host->log(host, HP_LOG_WARNING, text);
}

static int
flight_start(struct hp_instance *self, const struct hp_limits *limits)
{
    struct world_log log = {log_warning, (void *)self->host};

    /* The model needs the rules alone: it owns no aircraft. */
    if (limits->side != HP_SIDE_SERVER)
        return 0;
    if (world_create(&self->world, &self->rules, self->seed,
                     limits->clients_max, limits->entities_max,
                     self->rounds_max, &log) < 0)
        return self->host->fail(self->host, -ENOMEM, "no memory for the world");
    return 0;
}

static void
flight_stop(struct hp_instance *self)
{
    world_destroy(self->world);
    self->world = NULL;
}

static void
flight_destroy(struct hp_instance *self)
{
    if (self == NULL)
        return;
    world_destroy(self->world);
    free(self);
}

static const struct hp_schema *
flight_schema(struct hp_instance *self)
{
    (void)self;
    return schema_flight();
}

static int
flight_join(struct hp_instance *self, uint32_t client, const char *options)
{
    struct join_options join;
    char text[160];
    int err = options_parse(options, &join, text, sizeof(text));

    if (err < 0)
        return self->host->fail(self->host, err, text);
    err = world_join(self->world, client);
    if (err == -ENOSPC)
        return self->host->fail(self->host, err,
                                "the world is full: every slot has its "
                                "aircraft; wait until one leaves");
    if (err < 0)
        return self->host->fail(self->host, err,
                                "client joined twice or has no number here");
    snprintf(text, sizeof(text), "client %u flies f16 in slot %u%s%s",
             (unsigned int)client,
             (unsigned int)world_aircraft(self->world, client)->slot,
             join.callsign[0] != '\0' ? " as " : "", join.callsign);
    self->host->log(self->host, HP_LOG_INFO, text);
    return 0;
}

static void
flight_leave(struct hp_instance *self, uint32_t client)
{
    world_leave(self->world, client);
}

static void
flight_step(struct hp_instance *self, const struct hp_tick *tick,
            const struct hp_client_input *inputs, uint32_t count)
{
    world_step(self->world, tick, inputs, count);
}

static int
flight_view(struct hp_instance *self, struct hp_view_sink *sink)
{
    return world_view(self->world, sink);
}

static int
flight_own_get(struct hp_instance *self, uint32_t client,
               struct hp_byte_sink *sink)
{
    const struct aircraft *a = world_aircraft(self->world, client);

    sink->count = 0;
    if (a == NULL)
        return -ENOENT;
    if (sink->capacity < sizeof(*a))
        return -ENOSPC;
    memcpy(sink->bytes, a, sizeof(*a));
    sink->count = sizeof(*a);
    return 0;
}

static uint64_t
flight_hash(struct hp_instance *self)
{
    return world_hash(self->world);
}

static void
flight_model_step(const struct hp_instance *self, void *own,
                  const struct hp_input *input, const struct hp_tick *tick)
{
    aircraft_step(&self->rules, own, input, tick->dt_s);
}

static int
flight_own_check(const struct hp_instance *self, const void *own,
                 uint32_t bytes)
{
    struct aircraft a;

    if (bytes != sizeof(a))
        return -EINVAL;
    memcpy(&a, own, sizeof(a));
    return aircraft_check(&self->rules, &a);
}

static void
flight_own_view(const struct hp_instance *self, const void *own, void *record)
{
    schema_record(&self->rules, own, record);
}

static const struct hp_sim_ops ops = {
    .size = sizeof(struct hp_sim_ops),
    .schema = flight_schema,
    .join = flight_join,
    .leave = flight_leave,
    .step = flight_step,
    .view = flight_view,
    .own_get = flight_own_get,
    .hash = flight_hash,
    .model_step = flight_model_step,
    .own_check = flight_own_check,
    .own_view = flight_own_view,
};

/* clang-format off */
HP_PLUGIN_NOTE(HP_KIND_SIM, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_SIM, HP_PLUGIN_DETERMINISTIC),
    params, HP_PARAMS(params),
    flight_create, flight_start, flight_stop, flight_destroy, &ops, NULL, NULL,
};
/* clang-format on */
