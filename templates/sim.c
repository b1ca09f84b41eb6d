/*
 * sim_@name@ - a world of cubes: each client has one, and its stick moves it.
 *
 * `cube_step` is the whole of it: the server's step and the client's model are
 * one function, so a prediction comes true to the last bit. It uses only
 * arithmetic that is exact everywhere: no clock, no libm, no fused operations
 * (see the Makefile).
 */
#include <errno.h>
#include <hardpoint/sim.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "a cube for each client, moved by the stick"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

#define FULL_SCALE 32767.0
#define EDGE_M     1000.0 /* of the floor, from its middle */

/* What a client owns: sent as these bytes, so it has no padding. */
struct cube {
    double position_m[2];
    double velocity_mps[2];
    uint32_t client;
    uint32_t reserved;
};

struct record {
    struct hp_entity head;
    float speed_mps;
    uint32_t reserved;
};

struct hp_instance {
    const struct hp_host *host;
    double speed_mps;
    uint32_t clients_max;
    struct cube *cubes; /* server; by client */
    uint8_t *joined;    /* server; by client */
};

/* ---- its INI key; shared, as the client's model needs the same ---- */

static const struct hp_param params[] = {
    {
     .name = "speed_mps",
     .unit = "m/s",
     .preset = "20",
     .sentence = "How fast a cube goes at full stick.",
     .minimum = 0,
     .maximum = 100,
     .type = HP_PARAM_REAL,
     .flags = HP_PARAM_SHARED,
     },
};

/* ---- the record, as broadcasters and cues see it ---- */

/* clang-format off */
#define HEAD(member, type, count, unit, step, low, high) \
    {#member, unit, step, low, high, type, \
     offsetof(struct hp_entity, member), count, 0}

static const struct hp_field fields[] = {
    HEAD(slot, HP_FIELD_U16, 1, "1", 1, 0, 65535),
    HEAD(generation, HP_FIELD_U16, 1, "1", 1, 0, 65535),
    HEAD(type, HP_FIELD_U16, 1, "1", 1, 0, 15),
    HEAD(flags, HP_FIELD_U16, 1, "1", 1, 0, 7),
    HEAD(owner, HP_FIELD_U32, 1, "1", 1, 0, 4294967295.0),
    HEAD(position_m, HP_FIELD_F64, 3, "m", 1.0 / 64, -EDGE_M, EDGE_M),
    HEAD(attitude, HP_FIELD_QUATERNION, 1, "1", 1.0 / 1024, -1, 1),
    HEAD(velocity_mps, HP_FIELD_F32, 3, "m/s", 1.0 / 64, -200, 200),
    HEAD(rates_rps, HP_FIELD_F32, 3, "rad/s", 1.0 / 64, -8, 8),
    {"speed_mps", "m/s", 1.0 / 64, 0, 200, HP_FIELD_F32,
     offsetof(struct record, speed_mps), 1, 0},
};
/* clang-format on */

static const struct hp_schema the_schema = {
    .size = sizeof(struct hp_schema),
    .record_bytes = sizeof(struct record),
    .own_bytes = sizeof(struct cube),
    .version = 1,
    .field_count = sizeof(fields) / sizeof(fields[0]),
    .field_stride = sizeof(fields[0]),
    .fields = fields,
    .name = HP_NAME,
};

/* ---- the cube ---- */

static double
clamp(double value, double limit)
{
    if (value > limit)
        return limit;
    return value < -limit ? -limit : value;
}

static void
cube_step(const struct hp_instance *self, struct cube *cube,
          const struct hp_input *input, double dt_s)
{
    static const int axes[2] = {HP_AXIS_PITCH, HP_AXIS_ROLL};
    int i;

    for (i = 0; i < 2; i++) {
        cube->velocity_mps[i] =
            clamp(input->axes[axes[i]] / FULL_SCALE, 1) * self->speed_mps;
        cube->position_m[i] =
            clamp(cube->position_m[i] + cube->velocity_mps[i] * dt_s, EDGE_M);
    }
}

static void
cube_record(const struct cube *cube, struct record *out)
{
    double along, across = cube->velocity_mps[1];
    int i;

    memset(out, 0, sizeof(*out));
    out->head.slot = (uint16_t)cube->client;
    out->head.type = 1;
    out->head.owner = cube->client;
    out->head.attitude[0] = 1;
    for (i = 0; i < 2; i++) {
        out->head.position_m[i] = cube->position_m[i];
        out->head.velocity_mps[i] = (float)cube->velocity_mps[i];
    }
    along = cube->velocity_mps[0];
    out->speed_mps =
        (float)((along < 0 ? -along : along) + (across < 0 ? -across : across));
}

/* ---- its life, all [main] ---- */

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    if (host->param_real(host, "speed_mps", 0, &self->speed_mps) < 0) {
        free(self);
        return host->fail(host, -EINVAL, "speed_mps must be given");
    }
    *out = self;
    return 0;
}

static void
stop(struct hp_instance *self)
{
    free(self->cubes);
    free(self->joined);
    self->cubes = NULL;
    self->joined = NULL;
}

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    self->clients_max = limits->clients_max;
    if (limits->side != HP_SIDE_SERVER)
        return 0; /* the model owns no world */
    self->cubes = calloc(self->clients_max, sizeof(*self->cubes));
    self->joined = calloc(self->clients_max, 1);
    if (self->cubes != NULL && self->joined != NULL)
        return 0;
    stop(self);
    return -ENOMEM;
}

static void
destroy(struct hp_instance *self)
{
    free(self);
}

static const struct hp_schema *
schema(struct hp_instance *self)
{
    (void)self;
    return &the_schema;
}

/* ---- server ---- */

static int
is_in(const struct hp_instance *self, uint32_t client)
{
    return client < self->clients_max && self->joined[client];
}

/* [tick] Side by side, so that all can be seen. The options are a stranger's
 * text; a cube has none. */
static int
join(struct hp_instance *self, uint32_t client, const char *options)
{
    struct cube *cube;

    if (options[0] != '\0')
        return self->host->fail(self->host, -EINVAL, "a cube has no options");
    if (client >= self->clients_max || self->joined[client])
        return -EINVAL;
    cube = &self->cubes[client];
    memset(cube, 0, sizeof(*cube));
    cube->client = client;
    cube->position_m[1] = clamp(3.0 * client, EDGE_M);
    self->joined[client] = 1;
    return 0;
}

static void
leave(struct hp_instance *self, uint32_t client)
{
    if (is_in(self, client))
        self->joined[client] = 0;
}

static void
step(struct hp_instance *self, const struct hp_tick *tick,
     const struct hp_client_input *inputs, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (is_in(self, inputs[i].client))
            cube_step(self, &self->cubes[inputs[i].client], &inputs[i].input,
                      tick->dt_s);
}

static int
view(struct hp_instance *self, struct hp_view_sink *sink)
{
    struct record record;
    uint32_t client;

    sink->count = 0;
    sink->event_count = 0;
    for (client = 0; client < self->clients_max; client++) {
        if (!self->joined[client])
            continue;
        if (sink->count == sink->capacity)
            return -ENOSPC;
        cube_record(&self->cubes[client], &record);
        memcpy((char *)sink->entities + (size_t)sink->count++ * sink->stride,
               &record, sizeof(record));
    }
    return 0;
}

static int
own_get(struct hp_instance *self, uint32_t client, struct hp_byte_sink *sink)
{
    sink->count = 0;
    if (!is_in(self, client))
        return -ENOENT;
    if (sink->capacity < sizeof(struct cube))
        return -ENOSPC;
    memcpy(sink->bytes, &self->cubes[client], sizeof(struct cube));
    sink->count = sizeof(struct cube);
    return 0;
}

/* FNV-1a over the cubes that are there. */
static uint64_t
hash(struct hp_instance *self)
{
    uint64_t sum = 0xcbf29ce484222325u;
    const uint8_t *bytes;
    uint32_t client;
    size_t i;

    for (client = 0; client < self->clients_max; client++) {
        bytes = (const uint8_t *)&self->cubes[client];
        for (i = 0; self->joined[client] && i < sizeof(struct cube); i++)
            sum = (sum ^ bytes[i]) * 0x100000001b3u;
    }
    return sum;
}

/* ---- model ---- */

static void
model_step(const struct hp_instance *self, void *own,
           const struct hp_input *input, const struct hp_tick *tick)
{
    cube_step(self, own, input, tick->dt_s);
}

/* [any] Bytes from the wire: a NaN fails every comparison. */
static int
own_check(const struct hp_instance *self, const void *own, uint32_t bytes)
{
    struct cube cube;
    int i;

    if (bytes != sizeof(cube))
        return -EINVAL;
    memcpy(&cube, own, sizeof(cube));
    if (cube.reserved != 0 || cube.client >= self->clients_max)
        return -EINVAL;
    for (i = 0; i < 2; i++)
        if (!(cube.position_m[i] >= -EDGE_M && cube.position_m[i] <= EDGE_M) ||
            !(cube.velocity_mps[i] >= -self->speed_mps &&
              cube.velocity_mps[i] <= self->speed_mps))
            return -EINVAL;
    return 0;
}

static void
own_view(const struct hp_instance *self, const void *own, void *record)
{
    (void)self;
    cube_record(own, record);
}

static const struct hp_sim_ops ops = {
    .size = sizeof(ops),
    .schema = schema,
    .join = join,
    .leave = leave,
    .step = step,
    .view = view,
    .own_get = own_get,
    .hash = hash,
    .model_step = model_step,
    .own_check = own_check,
    .own_view = own_view,
};

/* ---- what the host reads first: a note in the file, then the table ---- */

HP_PLUGIN_NOTE(HP_KIND_SIM, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_SIM, HP_PLUGIN_DETERMINISTIC),
    params,
    HP_PARAMS(params),
    create,
    start,
    stop,
    destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
