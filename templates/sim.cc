// sim_@name@ - a world of cubes: each client has one, and its stick moves it.
//
// `cube::step` is the whole of it: the server's step and the client's model are
// one function, so a prediction comes true to the last bit. It uses only
// arithmetic that is exact everywhere: no clock, no libm, no fused operations
// (see the Makefile).
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <hardpoint/sim.h>
#include <new>
#include <vector>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "a cube for each client, moved by the stick"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

namespace
{

constexpr double full_scale = 32767;
constexpr double edge_m = 1000; // of the floor, from its middle

struct record {
    hp_entity head;
    float speed_mps;
    uint32_t reserved;
};

// What a client owns: sent as these bytes, so it has no padding.
struct cube {
    double position_m[2];
    double velocity_mps[2];
    uint32_t client;
    uint32_t reserved;

    void step(const hp_input &input, double speed_mps, double dt_s)
    {
        const int axes[2] = {HP_AXIS_PITCH, HP_AXIS_ROLL};

        for (int i = 0; i < 2; i++) {
            double stick = input.axes[axes[i]] / full_scale;
            velocity_mps[i] = std::clamp(stick, -1.0, 1.0) * speed_mps;
            position_m[i] = std::clamp(position_m[i] + velocity_mps[i] * dt_s,
                                       -edge_m, edge_m);
        }
    }

    record view() const
    {
        record out = {};

        out.head.slot = uint16_t(client);
        out.head.type = 1;
        out.head.owner = client;
        out.head.attitude[0] = 1;
        for (int i = 0; i < 2; i++) {
            out.head.position_m[i] = position_m[i];
            out.head.velocity_mps[i] = float(velocity_mps[i]);
            out.speed_mps += float(std::max(velocity_mps[i], -velocity_mps[i]));
        }
        return out;
    }
};

} // namespace

struct hp_instance {
    const hp_host *host;
    double speed_mps = 0;
    uint32_t clients_max = 0;
    std::vector<cube> cubes = {};  // server; by client
    std::vector<char> joined = {}; // server; by client

    bool has(uint32_t client) const
    {
        return client < joined.size() && joined[client];
    }
};

namespace
{

// ---- its INI key; shared, as the client's model needs the same ----

const hp_param params[] = {
    {"speed_mps", "m/s", "20", "How fast a cube goes at full stick.", nullptr,
     nullptr, 0, 100, HP_PARAM_REAL, HP_PARAM_SHARED},
};

// ---- the record, as broadcasters and cues see it ----

#define HEAD(member, type, count, unit, step, low, high) \
    { \
#        member, unit, step, low, high, type, \
            uint32_t(offsetof(hp_entity, member)), count, 0 \
    }

const hp_field fields[] = {
    HEAD(slot, HP_FIELD_U16, 1, "1", 1, 0, 65535),
    HEAD(generation, HP_FIELD_U16, 1, "1", 1, 0, 65535),
    HEAD(type, HP_FIELD_U16, 1, "1", 1, 0, 15),
    HEAD(flags, HP_FIELD_U16, 1, "1", 1, 0, 7),
    HEAD(owner, HP_FIELD_U32, 1, "1", 1, 0, 4294967295.0),
    HEAD(position_m, HP_FIELD_F64, 3, "m", 1.0 / 64, -edge_m, edge_m),
    HEAD(attitude, HP_FIELD_QUATERNION, 1, "1", 1.0 / 1024, -1, 1),
    HEAD(velocity_mps, HP_FIELD_F32, 3, "m/s", 1.0 / 64, -200, 200),
    HEAD(rates_rps, HP_FIELD_F32, 3, "rad/s", 1.0 / 64, -8, 8),
    {"speed_mps", "m/s", 1.0 / 64, 0, 200, HP_FIELD_F32,
                                                            uint32_t(offsetof(record, speed_mps)), 1, 0},
};

const hp_schema the_schema = {
    sizeof(hp_schema),
    sizeof(record),
    sizeof(cube),
    1, // version
    sizeof(fields) / sizeof(fields[0]),
    sizeof(fields[0]),
    fields,
    HP_NAME,
};

// ---- its life, all [main]; nothing may be thrown into the host ----

int
create(const hp_host *host, hp_instance **out)
{
    auto self = new (std::nothrow) hp_instance{host};

    if (self == nullptr)
        return -ENOMEM;
    if (host->param_real(host, "speed_mps", 0, &self->speed_mps) < 0) {
        delete self;
        return host->fail(host, -EINVAL, "speed_mps must be given");
    }
    *out = self;
    return 0;
}

int
start(hp_instance *self, const hp_limits *limits)
{
    self->clients_max = limits->clients_max;
    if (limits->side != HP_SIDE_SERVER)
        return 0; // the model owns no world
    try {
        self->cubes.assign(self->clients_max, cube{});
        self->joined.assign(self->clients_max, 0);
    } catch (const std::bad_alloc &) {
        return -ENOMEM;
    }
    return 0;
}

void
stop(hp_instance *self)
{
    self->cubes = {};
    self->joined = {};
}

void
destroy(hp_instance *self)
{
    delete self;
}

const hp_schema *
schema(hp_instance *)
{
    return &the_schema;
}

// ---- server ----

// [tick] Side by side, so that all can be seen. The options are a stranger's
// text; a cube has none.
int
join(hp_instance *self, uint32_t client, const char *options)
{
    if (options[0] != '\0')
        return self->host->fail(self->host, -EINVAL, "a cube has no options");
    if (client >= self->joined.size() || self->joined[client])
        return -EINVAL;
    self->cubes[client] = {};
    self->cubes[client].client = client;
    self->cubes[client].position_m[1] = std::min(3.0 * client, edge_m);
    self->joined[client] = 1;
    return 0;
}

void
leave(hp_instance *self, uint32_t client)
{
    if (self->has(client))
        self->joined[client] = 0;
}

void
step(hp_instance *self, const hp_tick *tick, const hp_client_input *inputs,
     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (self->has(inputs[i].client))
            self->cubes[inputs[i].client].step(inputs[i].input, self->speed_mps,
                                               tick->dt_s);
}

int
view(hp_instance *self, hp_view_sink *sink)
{
    sink->count = 0;
    sink->event_count = 0;
    for (uint32_t client = 0; client < self->joined.size(); client++) {
        if (!self->joined[client])
            continue;
        if (sink->count == sink->capacity)
            return -ENOSPC;
        record r = self->cubes[client].view();
        std::memcpy(static_cast<char *>(sink->entities) +
                        size_t(sink->count++) * sink->stride,
                    &r, sizeof(r));
    }
    return 0;
}

int
own_get(hp_instance *self, uint32_t client, hp_byte_sink *sink)
{
    sink->count = 0;
    if (!self->has(client))
        return -ENOENT;
    if (sink->capacity < sizeof(cube))
        return -ENOSPC;
    std::memcpy(sink->bytes, &self->cubes[client], sizeof(cube));
    sink->count = sizeof(cube);
    return 0;
}

// FNV-1a over the cubes that are there.
uint64_t
hash(hp_instance *self)
{
    uint64_t sum = 0xcbf29ce484222325u;

    for (uint32_t client = 0; client < self->joined.size(); client++) {
        if (!self->joined[client])
            continue;
        auto bytes = reinterpret_cast<const uint8_t *>(&self->cubes[client]);
        for (size_t i = 0; i < sizeof(cube); i++)
            sum = (sum ^ bytes[i]) * 0x100000001b3u;
    }
    return sum;
}

// ---- model ----

void
model_step(const hp_instance *self, void *own, const hp_input *input,
           const hp_tick *tick)
{
    static_cast<cube *>(own)->step(*input, self->speed_mps, tick->dt_s);
}

// Also false for a NaN, which fails every comparison.
bool
is_within(double value, double limit)
{
    return value >= -limit && value <= limit;
}

// [any] Bytes from the wire.
int
own_check(const hp_instance *self, const void *own, uint32_t bytes)
{
    cube c;

    if (bytes != sizeof(c))
        return -EINVAL;
    std::memcpy(&c, own, sizeof(c));
    if (c.reserved != 0 || c.client >= self->clients_max)
        return -EINVAL;
    for (int i = 0; i < 2; i++)
        if (!is_within(c.position_m[i], edge_m) ||
            !is_within(c.velocity_mps[i], self->speed_mps))
            return -EINVAL;
    return 0;
}

void
own_view(const hp_instance *, const void *own, void *out)
{
    record r = static_cast<const cube *>(own)->view();

    std::memcpy(out, &r, sizeof(r));
}

const hp_sim_ops ops = {
    sizeof(ops), 0,       schema, join,       leave,     step,
    view,        own_get, hash,   model_step, own_check, own_view,
};

// ---- what the host reads first: a note in the file, then the table ----

HP_PLUGIN_NOTE(HP_KIND_SIM, HP_PLUGIN_DETERMINISTIC);

} // namespace

HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_SIM, HP_PLUGIN_DETERMINISTIC),
    params,
    HP_PARAMS(params),
    create,
    start,
    stop,
    destroy,
    &ops,
    nullptr /* extension */,
    nullptr /* reload */,
};
