// input_@name@ - flies a slow circle with the stick.
//
// It reads no device and no clock: where the stick is follows from the tick
// alone, so it is the same at every tick rate.
#include <cerrno>
#include <cmath>
#include <hardpoint/input.h>
#include <new>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "a slow circle with the stick"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

struct hp_instance {
    double period_s = 0;
    double size = 0;
};

namespace
{

constexpr double full_scale = 32767;
constexpr double two_pi = 6.283185307179586;

// ---- its INI keys: name, unit, preset, sentence, choices, unused, range ----

const hp_param params[] = {
    {"period_s", "s", "8",    "How long one round takes.",                      nullptr, nullptr, 1,
     600,                                                                                               HP_PARAM_REAL, 0},
    {"size",     "",  "0.25", "How far the stick goes out, 1 for all the way.",
     nullptr,                                                                            nullptr, 0, 1, HP_PARAM_REAL, 0},
};

// ---- its life, all [main]; nothing may be thrown into the host ----

int
create(const hp_host *host, hp_instance **out)
{
    auto self = new (std::nothrow) hp_instance;

    if (self == nullptr)
        return -ENOMEM;
    // The host has checked both against the rows above.
    if (host->param_real(host, "period_s", 0, &self->period_s) < 0 ||
        host->param_real(host, "size", 0, &self->size) < 0) {
        delete self;
        return host->fail(host, -EINVAL, "period_s and size must be given");
    }
    *out = self;
    return 0;
}

int
start(hp_instance *, const hp_limits *)
{
    return 0;
}

void
stop(hp_instance *)
{
}

void
destroy(hp_instance *self)
{
    delete self;
}

// ---- the call of its kind ----

int16_t
axis(double value)
{
    return int16_t(std::lrint(value * full_scale));
}

// [tick] `out` comes zeroed; a device would have been read by `work`.
int
poll_stick(hp_instance *self, const hp_tick *tick, hp_input *out)
{
    double rounds = double(tick->index) * tick->dt_s / self->period_s;
    double angle = two_pi * (rounds - std::floor(rounds));

    out->axes[HP_AXIS_ROLL] = axis(self->size * std::sin(angle));
    out->axes[HP_AXIS_PITCH] = axis(self->size * std::cos(angle));
    out->axes[HP_AXIS_THROTTLE] = axis(0.5);
    return 0;
}

const hp_input_ops ops = {sizeof(ops), 0, poll_stick, nullptr /* work */};

// ---- what the host reads first: a note in the file, then the table ----

HP_PLUGIN_NOTE(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC);

} // namespace

HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC),
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
