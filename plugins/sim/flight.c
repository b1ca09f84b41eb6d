/*
 * sim_flight - the world of Hardpoint: aircraft from files over a flat or round
 * Earth, their guns and the ground. This file is the plugin's face; world.c is the server's world,
 * aircraft.c the step that server and model share.
 */
#include "options.h"
#include "pilot.h"
#include "schema.h"
#include "units.h"
#include "world.h"
#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "flight"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY \
    "Aircraft over a flat or round Earth, with guns and a ground to meet"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

struct hp_instance {
    const struct hp_host *host;
    struct aircraft_type *types[AIRCRAFT_MODELS_MAX];
    uint32_t type_count;
    struct terrain *land; /* or NULL */
    struct aircraft_world rules;
    struct world *world; /* server side, between start and stop */
    uint64_t seed;
    uint32_t rounds_max;
    uint32_t ai_count;
    uint32_t ai_pattern; /* PILOT_* */
    struct atmosphere_table air;
};

/* clang-format off */
#define REAL(name, unit, preset, sentence, low, high) \
    {name, unit, preset, sentence, NULL, NULL, low, high, HP_PARAM_REAL, \
     HP_PARAM_SHARED}
#define CHOICE(name, words, preset, sentence) \
    {name, "", preset, sentence, words, NULL, 0, 0, HP_PARAM_CHOICE, \
     HP_PARAM_SHARED}
#define COUNT(name, preset, sentence, high, flags) \
    {name, "", preset, sentence, NULL, NULL, 0, high, HP_PARAM_INT, flags}

static const struct hp_param params[] = {
    COUNT("seed", "1", "Number that shapes the hills and scatters the rounds.",
          9007199254740992.0, HP_PARAM_SHARED),
    {"aircraft", "", "f16",
     "A type that may be flown, by name or file; the first is flown unasked.",
     "aircraft|.ini", NULL, 0, 0, HP_PARAM_DATA,
     HP_PARAM_SHARED | HP_PARAM_REPEAT},
    CHOICE("planet", "flat|round|round_still|wgs84", "flat",
           "Flat Earth, a sphere that turns or does not, or the WGS-84 "
           "ellipsoid with J2, turning."),
    CHOICE("atmosphere", "us76|textbook", "us76",
           "US Standard Atmosphere 1976, or that of Stevens & Lewis."),
    CHOICE("turbulence", "none|light|moderate|severe", "none",
           "Dryden turbulence of MIL-F-8785C; each aircraft has its own."),
    REAL("gust_mps", "m/s", "0",
         "Peak of single gusts from any side, one each 20 s.", 0, 30),
    CHOICE("terrain", "flat|hills|grid", "flat",
           "Ground: flat at height zero; hills of up to 400 m or the land of "
           "terrain_file (both over a flat planet)."),
    {"terrain_file", "", "",
     "Heights on a grid, as doc/flight.md tells; clients must have the same "
     "file.",
     NULL, NULL, 0, 0, HP_PARAM_PATH, HP_PARAM_SHARED | HP_PARAM_INPUT},
    REAL("wind_north_mps", "m/s", "0",
         "Steady wind at height zero, towards north.", -100, 100),
    REAL("wind_east_mps", "m/s", "0",
         "Steady wind at height zero, towards east.", -100, 100),
    REAL("shear_north_per_s", "1/s", "0",
         "What each metre of height adds to the wind towards north.", -0.1, 0.1),
    REAL("shear_east_per_s", "1/s", "0",
         "What each metre of height adds to the wind towards east.", -0.1, 0.1),
    REAL("spawn_latitude_deg", "deg", "0",
         "Where aircraft enter, over a round planet.", -90, 90),
    REAL("spawn_longitude_deg", "deg", "0",
         "Where aircraft enter, over a round planet.", -180, 180),
    REAL("spawn_altitude_m", "m", "1500",
         "Height above zero at which an aircraft enters, in level flight.",
         500, 12000),
    REAL("spawn_speed_mps", "m/s", "180",
         "Speed at which an aircraft enters; it must be able to fly level at "
         "it.", 80, 350),
    REAL("respawn_s", "s", "5",
         "Time from death until a new aircraft comes unasked.", 0.5, 3600),
    COUNT("ammunition", "511",
          "Rounds that an aircraft enters with, or fewer if its gun holds fewer.",
          1000000, HP_PARAM_SHARED),
    CHOICE("start", "air|ground", "air",
           "Aircraft enter in level flight, or standing on the ground below "
           "(over a flat planet)."),
    CHOICE("carrier", "no|yes", "no",
           "A deck with wires lies on the ground, 250 m to the north and 30 m "
           "wide (over a flat planet)."),
    REAL("carrier_north_m", "m", "0",
         "Where it begins, north of where the first aircraft enters.", -50000,
         50000),
    COUNT("rounds_max", "4096",
          "Rounds in the air at once; beyond it a gun fires blanks.", 65536, 0),
    COUNT("ai_count", "0",
          "Aircraft that the sim flies itself, besides those of players.", 65534,
          0),
    {"ai_pattern", "", "loiter",
     "What they do: circle, fly in fours, go after whoever is near and shoot, "
     "or fours of each.", "loiter|formation|dogfight|mixed", NULL, 0, 0,
     HP_PARAM_CHOICE, 0},
};
/* clang-format on */

/* The rows as numbers and words; their ranges were checked by the host. */
struct settings {
    int64_t seed, ammunition, rounds_max, ai_count;
    const char *ai_pattern, *start, *carrier;
    double strip_north_m;
    double wind_north, wind_east, shear_north, shear_east;
    double latitude_deg, longitude_deg, altitude_m, speed_mps, respawn_s;
    double gust_mps;
    const char *planet, *atmosphere, *terrain, *turbulence;
    const char *land_file;
};

static int
settings_read(const struct hp_host *host, struct settings *s)
{
    const struct {
        const char *name;
        int64_t *count;
        double *real;
        const char **word;
    } rows[] = {
        {"seed",                &s->seed,       NULL,              NULL          },
        {"ammunition",          &s->ammunition, NULL,              NULL          },
        {"start",               NULL,           NULL,              &s->start     },
        {"carrier",             NULL,           NULL,              &s->carrier   },
        {"carrier_north_m",     NULL,           &s->strip_north_m, NULL          },
        {"rounds_max",          &s->rounds_max, NULL,              NULL          },
        {"ai_count",            &s->ai_count,   NULL,              NULL          },
        {"ai_pattern",          NULL,           NULL,              &s->ai_pattern},
        {"wind_north_mps",      NULL,           &s->wind_north,    NULL          },
        {"wind_east_mps",       NULL,           &s->wind_east,     NULL          },
        {"shear_north_per_s",   NULL,           &s->shear_north,   NULL          },
        {"shear_east_per_s",    NULL,           &s->shear_east,    NULL          },
        {"spawn_latitude_deg",  NULL,           &s->latitude_deg,  NULL          },
        {"spawn_longitude_deg", NULL,           &s->longitude_deg, NULL          },
        {"spawn_altitude_m",    NULL,           &s->altitude_m,    NULL          },
        {"spawn_speed_mps",     NULL,           &s->speed_mps,     NULL          },
        {"respawn_s",           NULL,           &s->respawn_s,     NULL          },
        {"planet",              NULL,           NULL,              &s->planet    },
        {"atmosphere",          NULL,           NULL,              &s->atmosphere},
        {"terrain",             NULL,           NULL,              &s->terrain   },
        {"terrain_file",        NULL,           NULL,              &s->land_file },
        {"turbulence",          NULL,           NULL,              &s->turbulence},
        {"gust_mps",            NULL,           &s->gust_mps,      NULL          },
    };
    size_t i;
    int err = 0;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]) && err >= 0; i++)
        err = rows[i].count != NULL
                  ? host->param_int(host, rows[i].name, 0, rows[i].count)
              : rows[i].real != NULL
                  ? host->param_real(host, rows[i].name, 0, rows[i].real)
                  : host->param_text(host, rows[i].name, 0, rows[i].word);
    return err < 0 ? host->fail(host, err, "the host lacks one of the rows")
                   : 0;
}

/* Fills what the world's bodies move in. */
static void
surroundings_of(struct hp_instance *self, const struct settings *s,
                struct surroundings *out)
{
    struct weather *w = &out->weather;
    int kind = planet_named(s->planet);

    memset(out, 0, sizeof(*out));
    planet_init(&out->planet, kind < 0 ? PLANET_FLAT : kind);
    out->ground.seed = (uint64_t)s->seed;
    out->ground.hills = strcmp(s->terrain, "hills") == 0;
    out->ground.land = self->land;
    w->wind_mps[0] = s->wind_north;
    w->wind_mps[1] = s->wind_east;
    w->shear_per_s[0] = s->shear_north;
    w->shear_per_s[1] = s->shear_east;
    w->gusts.seed = (uint64_t)s->seed;
    w->gusts.turbulence = gusts_named(s->turbulence);
    w->gusts.single_mps = s->gust_mps;
    if (strcmp(s->atmosphere, "us76") == 0) {
        atmosphere_fill(&self->air);
        w->standard = &self->air;
    }
}

static int
load_type(struct hp_instance *self, const char *which)
{
    char why[600], text[700];
    uint32_t i;
    int err;

    if (self->type_count == AIRCRAFT_MODELS_MAX) {
        snprintf(text, sizeof(text), "aircraft: expected at most %d",
                 AIRCRAFT_MODELS_MAX);
        return self->host->fail(self->host, -EINVAL, text);
    }
    if (strchr(which, ',') != NULL) {
        snprintf(text, sizeof(text),
                 "aircraft: found \"%.200s\", expected one name: give each "
                 "type a line of its own, aircraft = NAME",
                 which);
        return self->host->fail(self->host, -EINVAL, text);
    }
    err = aircraft_type_open(&self->types[self->type_count], which, why,
                             sizeof(why));
    if (err < 0) {
        snprintf(text, sizeof(text), "aircraft: %s", why);
        return self->host->fail(self->host, -EINVAL, text);
    }
    for (i = 0; i < self->type_count; i++)
        if (strcmp(self->types[i]->file->name,
                   self->types[self->type_count]->file->name) == 0) {
            snprintf(text, sizeof(text),
                     "aircraft: two are called %s; a pilot could not tell "
                     "them apart: keep one",
                     self->types[i]->file->name);
            self->type_count++;
            return self->host->fail(self->host, -EINVAL, text);
        }
    self->type_count++;
    return 0;
}

/* Each value of the row: a file's path, or the name of one that is built in. */
static int
load_types(struct hp_instance *self)
{
    const char *which;
    uint32_t i;
    int err = 0;

    for (i = 0; err == 0; i++) {
        if (self->host->param_text(self->host, "aircraft", i, &which) < 0)
            break;
        err = load_type(self, which);
    }
    if (err == 0 && self->type_count == 0)
        return self->host->fail(self->host, -EINVAL,
                                "aircraft: found none, expected one at least, "
                                "as in aircraft = f16");
    return err;
}

static void
instance_free(struct hp_instance *self)
{
    uint32_t i;

    for (i = 0; i < self->type_count; i++)
        aircraft_type_destroy(self->types[i]);
    terrain_destroy(self->land);
    free(self);
}

/* Reads the land of terrain grid. */
static int
load_land(struct hp_instance *self, const struct settings *s)
{
    char why[600], text[700];
    int err;

    if (strcmp(s->terrain, "grid") != 0)
        return 0;
    if (s->land_file[0] == '\0')
        return self->host->fail(self->host, -EINVAL,
                                "terrain grid needs terrain_file: name a file "
                                "of heights, or set terrain = hills");
    err = terrain_load(&self->land, s->land_file, why, sizeof(why));
    if (err == 0)
        return 0;
    snprintf(text, sizeof(text), "terrain_file: %s", why);
    return self->host->fail(self->host, err, text);
}

static int
ground_check(struct hp_instance *self, const struct settings *s,
             const struct surroundings *around)
{
    const struct ground *ground = &around->ground;
    char text[200];

    if ((ground->hills || ground->land != NULL) &&
        around->planet.kind != PLANET_FLAT)
        return self->host->fail(self->host, -EINVAL,
                                "terrain hills and grid need planet flat: over "
                                "a round one the ground is the ellipsoid; set "
                                "terrain = flat");
    if ((strcmp(s->start, "ground") == 0 || strcmp(s->carrier, "yes") == 0) &&
        around->planet.kind != PLANET_FLAT)
        return self->host->fail(self->host, -EINVAL,
                                "start ground and carrier need planet flat; "
                                "set start = air and carrier = no");
    if (s->altitude_m > ground_height_max(ground) + 50)
        return 0;
    snprintf(text, sizeof(text),
             "spawn_altitude_m %g: the land rises to %.0f m; expected 50 m "
             "more than that",
             s->altitude_m, ground_height_max(ground));
    return self->host->fail(self->host, -EINVAL, text);
}

/* One that enters slower than asked, because it must. */
static void
tell_slow_types(struct hp_instance *self, double speed_mps)
{
    char text[200];
    uint32_t i;

    for (i = 0; i < self->rules.model_count; i++) {
        double enters = self->rules.models[i].spawn_speed_mps;

        if (enters == speed_mps)
            continue;
        snprintf(text, sizeof(text),
                 "%s enters at %.0f m/s: it cannot fly level at "
                 "spawn_speed_mps %g",
                 self->types[i]->file->name, enters, speed_mps);
        self->host->log(self->host, HP_LOG_INFO, text);
    }
}

/* The rules of the world; 0 or a negative errno, with its sentence told. */
static int
rules_init(struct hp_instance *self, const struct settings *s)
{
    const struct planet_geodetic spawn = {s->latitude_deg * RADIANS_PER_DEG,
                                          s->longitude_deg * RADIANS_PER_DEG,
                                          s->altitude_m};
    const struct aircraft_type *types[AIRCRAFT_MODELS_MAX];
    struct surroundings around;
    char why[200];
    uint32_t i;
    int err;

    surroundings_of(self, s, &around);
    err = ground_check(self, s, &around);
    if (err < 0)
        return err;
    for (i = 0; i < self->type_count; i++)
        types[i] = self->types[i];
    if (aircraft_world_init(&self->rules, types, self->type_count, &around,
                            &spawn, s->speed_mps) < 0) {
        snprintf(why, sizeof(why),
                 "spawn_speed_mps %g at spawn_altitude_m %g: %s cannot fly "
                 "level there; an F-16 can at 180 m/s and 1500 m",
                 s->speed_mps, s->altitude_m,
                 types[self->rules.model_count]->file->name);
        return self->host->fail(self->host, -EINVAL, why);
    }
    tell_slow_types(self, s->speed_mps);
    self->seed = around.ground.seed;
    self->rules.respawn_s = s->respawn_s;
    self->rules.ammunition = (uint32_t)s->ammunition;
    self->rules.on_ground = strcmp(s->start, "ground") == 0;
    self->rules.has_strip = strcmp(s->carrier, "yes") == 0;
    self->rules.strip_north_m = s->strip_north_m;
    self->rounds_max = (uint32_t)s->rounds_max;
    self->ai_count = (uint32_t)s->ai_count;
    self->ai_pattern = (uint32_t)pilot_named(s->ai_pattern);
    return 0;
}

static int
flight_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self;
    struct settings s;
    int err = settings_read(host, &s);

    if (err < 0)
        return err;
    self = calloc(1, sizeof(*self));
    if (self == NULL)
        return host->fail(host, -ENOMEM, "no memory for the instance");
    self->host = host;
    err = load_types(self);
    if (err == 0)
        err = load_land(self, &s);
    if (err == 0)
        err = rules_init(self, &s);
    if (err < 0) {
        instance_free(self);
        return err;
    }
    *out = self;
    return 0;
}

static void
log_warning(void *context, const char *text)
{
    const struct hp_host *host = context;

    host->log(host, HP_LOG_WARNING, text);
}

/* Players and pilots must fit the world together. */
static int
add_pilots(struct hp_instance *self, const struct hp_limits *limits)
{
    char why[200];
    int err = world_add_pilots(self->world, self->ai_count, self->ai_pattern);

    if (err == 0)
        return 0;
    snprintf(why, sizeof(why),
             "ai_count %u: found room for %u things and up to %u players, "
             "expected room for all; set [host] entities_max = %u",
             (unsigned)self->ai_count, (unsigned)limits->entities_max,
             (unsigned)limits->clients_max,
             (unsigned)(self->ai_count + limits->clients_max));
    err = self->host->fail(self->host, err,
                           err == -ENOSPC ? why : "no memory for the pilots");
    world_destroy(self->world);
    self->world = NULL;
    return err;
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
    world_set_host(self->world, self->host);
    return add_pilots(self, limits);
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
    instance_free(self);
}

static const struct hp_schema *
flight_schema(struct hp_instance *self)
{
    return schema_flight(&self->rules.frame.around.planet);
}

static int
flight_join(struct hp_instance *self, uint32_t client, const char *options)
{
    struct join_options join;
    struct join_types types = {.count = self->type_count};
    char text[300];
    uint32_t i;
    int err;

    for (i = 0; i < self->type_count; i++)
        types.names[i] = self->types[i]->file->name;
    err = options_parse(options, &types, &join, text, sizeof(text));
    if (err < 0)
        return self->host->fail(self->host, err, text);
    err = world_join(self->world, client, join.type);
    if (err == -ENOSPC)
        return self->host->fail(self->host, err,
                                "the world is full: every slot has its "
                                "aircraft; wait until one leaves");
    if (err < 0)
        return self->host->fail(self->host, err,
                                "client joined twice or has no number here");
    snprintf(text, sizeof(text), "client %u flies %s in slot %u%s%s",
             (unsigned int)client, types.names[join.type],
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
    aircraft_step(&self->rules, own, input, tick);
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
