// haptics_@name@ - a pad whose motors are printed: a line a change.
//
// It behaves as a device must: levels are copied at once, the slow part is left
// to a thread of its own, and a motor stops by itself at its deadline.
#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <hardpoint/haptics.h>
#include <new>
#include <string>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "a pad whose motors are printed"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

namespace
{

enum {
    motor_low,
    motor_high,
    motors
};

// Printed in hundredths: what is less is no change.
constexpr float steps_of_full = 100;

} // namespace

struct hp_instance {
    const hp_host *host;
    std::string path;
    std::ofstream file = {};

    // Written by [rt] and [any], read by [device]: atomics, no lock.
    std::array<std::atomic<float>, motors> level{};
    std::array<std::atomic<uint64_t>, motors> deadline_ns{};

    std::array<int, motors> shown{}; // [device] what was printed last
};

namespace
{

// ---- its INI key: name, unit, preset, sentence, choices, unused, range ----

const hp_param params[] = {
    {"file", "", "/dev/stderr", "Where the levels are printed.", nullptr,
     nullptr, 0, 0, HP_PARAM_PATH, 0},
};

// Every call that may throw goes through here: the host knows errnos only.
template <class F>
int
guarded(F &&call) noexcept
{
    try {
        return call();
    } catch (const std::bad_alloc &) {
        return -ENOMEM;
    } catch (...) {
        return -EFAULT;
    }
}

// ---- its life, all [main] ----

int
create(const hp_host *host, hp_instance **out)
{
    return guarded([&] {
        const char *path = nullptr;

        if (host->param_text(host, "file", 0, &path) < 0)
            return host->fail(host, -EINVAL, "file must be given");
        *out = new hp_instance{host, path, {}};
        return 0;
    });
}

int
start(hp_instance *self, const hp_limits *)
{
    return guarded([&] {
        self->file.open(self->path, std::ios::app);
        if (self->file)
            return 0;
        return self->host->fail(
            self->host, -EACCES,
            ("cannot open " + self->path + " for writing").c_str());
    });
}

// [any] Every motor to zero, at once; idempotent.
int
silence(hp_instance *self)
{
    for (auto &level : self->level)
        level = 0;
    return 0;
}

// [device] Prints what changed and returns; it is called again after the next
// render, or at its deadline. A real device would be written here.
int
work(hp_instance *self, uint64_t)
{
    return guarded([&] {
        uint64_t now_ns = self->host->now_ns(self->host);
        std::array<int, motors> steps{};

        for (int i = 0; i < motors; i++)
            if (now_ns < self->deadline_ns[i])
                steps[i] = int(self->level[i] * steps_of_full + 0.5f);
        if (steps == self->shown)
            return 0;
        self->shown = steps;
        self->file << "low " << steps[motor_low] << " high "
                   << steps[motor_high] << std::endl;
        return self->file ? 0 : -EIO;
    });
}

// Silent and closed after this.
void
stop(hp_instance *self)
{
    silence(self);
    work(self, 0);
    guarded([&] {
        self->file.close();
        return 0;
    });
}

void
destroy(hp_instance *self)
{
    delete self;
}

// ---- the calls of its kind ----

// [main] The devices there are now.
int
devices(hp_instance *, hp_device_sink *sink)
{
    hp_device pad = {};

    sink->count = 0;
    if (sink->capacity < 1)
        return -ENOSPC;
    pad.generation = 1;
    pad.flags = HP_DEVICE_HOLDS_DEADLINE; // so it needs no guardian
    pad.actuator_count = motors;
    pad.battery_percent = -1;
    std::char_traits<char>::copy(pad.stable_id, "@name@:0", sizeof("@name@:0"));
    std::char_traits<char>::copy(pad.name, "@name@", sizeof("@name@"));
    pad.actuators[motor_low].kind = HP_ACTUATOR_LOW;
    pad.actuators[motor_high].kind = HP_ACTUATOR_HIGH;
    sink->devices[0] = pad;
    sink->count = 1;
    return 0;
}

// [rt] Copies and returns: no allocation, no lock, no I/O. Arrays are stepped
// by their stride; what speaks of another device is not for us.
int
render(hp_instance *self, const hp_levels *levels)
{
    auto at = reinterpret_cast<const char *>(levels->levels);

    for (uint32_t i = 0; i < levels->count; i++, at += levels->stride) {
        auto l = reinterpret_cast<const hp_level *>(at);
        if (l->device != 0 || l->generation != 1 || l->actuator >= motors ||
            !(l->level >= 0 && l->level <= 1))
            continue;
        self->deadline_ns[l->actuator] = l->deadline_ns;
        self->level[l->actuator] = l->level;
    }
    return 0;
}

const hp_haptics_ops ops = {
    sizeof(ops), 0, devices, render, work, silence, nullptr /* guard */,
};

// ---- what the host reads first: a note in the file, then the table ----

HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);

} // namespace

HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
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
