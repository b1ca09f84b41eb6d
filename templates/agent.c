/*
 * agent_@name@ - a line every few seconds: how many play, how fast it ticks.
 *
 * An agent watches one side and takes no part in a tick.
 */
#include <errno.h>
#include <hardpoint/agent.h>
#include <stdio.h>
#include <stdlib.h>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "a line every few seconds: peers and tick rate"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

#define SECOND_NS 1000000000ull

struct hp_instance {
    const struct hp_host *host;
    int64_t every_s;
    uint64_t told_ns; /* when the last line was; 0: none yet */
};

/* ---- its INI key ---- */

static const struct hp_param params[] = {
    {
     .name = "every_s",
     .unit = "s",
     .preset = "5",
     .sentence = "How long from one line to the next.",
     .minimum = 1,
     .maximum = 3600,
     .type = HP_PARAM_INT,
     .flags = HP_PARAM_LIVE,
     },
};

/* ---- its life, all [main] ---- */

/* Also after a reload: the row is live. On an error all stays as it was. */
static int
read_params(struct hp_instance *self)
{
    return self->host->param_int(self->host, "every_s", 0, &self->every_s);
}

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    int err;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    err = read_params(self);
    if (err < 0) {
        free(self);
        return host->fail(host, err, "every_s must be given");
    }
    *out = self;
    return 0;
}

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)limits;
    self->told_ns = 0;
    return 0;
}

static void
stop(struct hp_instance *self)
{
    (void)self;
}

static void
destroy(struct hp_instance *self)
{
    free(self);
}

/* ---- the call of its kind ---- */

/* [main] About ten times a second. */
static void
idle(struct hp_instance *self, const struct hp_status *status,
     uint64_t budget_ns)
{
    char line[120];

    (void)budget_ns; /* a line costs far less */
    if (self->told_ns != 0 &&
        status->time_ns < self->told_ns + (uint64_t)self->every_s * SECOND_NS)
        return;
    self->told_ns = status->time_ns;
    snprintf(line, sizeof(line), "%u peers at %.1f Hz",
             (unsigned int)status->peers, status->tick_hz);
    self->host->log(self->host, HP_LOG_INFO, line);
}

static const struct hp_agent_ops ops = {
    .size = sizeof(ops),
    .idle = idle,
};

/* ---- what the host reads first: a note in the file, then the table ---- */

HP_PLUGIN_NOTE(HP_KIND_AGENT, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_AGENT, 0),
    params,
    HP_PARAMS(params),
    create,
    start,
    stop,
    destroy,
    &ops,
    NULL, /* no extension */
    read_params,
};
