// agent_@name@ - a line every few seconds: how many play, how fast it ticks.
//
// An agent watches one side and takes no part in a tick.
#include <cerrno>
#include <cstdio>
#include <hardpoint/agent.h>
#include <new>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "a line every few seconds: peers and tick rate"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

struct hp_instance {
    const hp_host *host;
    int64_t every_s = 0;
    uint64_t told_ns = 0; // when the last line was; 0: none yet
};

namespace
{

constexpr uint64_t second_ns = 1000000000;

// ---- its INI key: name, unit, preset, sentence, choices, unused, range ----

const hp_param params[] = {
    {"every_s", "s", "5", "How long from one line to the next.", nullptr,
     nullptr, 1, 3600, HP_PARAM_INT, HP_PARAM_LIVE},
};

// ---- its life, all [main]; nothing may be thrown into the host ----

// Also after a reload: the row is live. On an error all stays as it was.
int
read_params(hp_instance *self)
{
    return self->host->param_int(self->host, "every_s", 0, &self->every_s);
}

int
create(const hp_host *host, hp_instance **out)
{
    auto self = new (std::nothrow) hp_instance{host};

    if (self == nullptr)
        return -ENOMEM;
    if (int err = read_params(self); err < 0) {
        delete self;
        return host->fail(host, err, "every_s must be given");
    }
    *out = self;
    return 0;
}

int
start(hp_instance *self, const hp_limits *)
{
    self->told_ns = 0;
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

// [main] About ten times a second; one line costs far less than its budget.
void
idle(hp_instance *self, const hp_status *status, uint64_t)
{
    char line[120];

    if (self->told_ns != 0 &&
        status->time_ns < self->told_ns + uint64_t(self->every_s) * second_ns)
        return;
    self->told_ns = status->time_ns;
    std::snprintf(line, sizeof(line), "%u peers at %.1f Hz", status->peers,
                  status->tick_hz);
    self->host->log(self->host, HP_LOG_INFO, line);
}

const hp_agent_ops ops = {sizeof(ops), 0, idle};

// ---- what the host reads first: a note in the file, then the table ----

HP_PLUGIN_NOTE(HP_KIND_AGENT, 0);

} // namespace

HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_AGENT, 0),
    params,
    HP_PARAMS(params),
    create,
    start,
    stop,
    destroy,
    &ops,
    nullptr /* extension */,
    read_params,
};
