/*
 * agent_tick_log - a line a second about the loop, and the example to copy
 * for an agent: something that watches and takes no part in a tick.
 */
#include <errno.h>
#include <hardpoint/agent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define HP_NAME    "tick_log"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "a line a second: tick, rate, peers, bytes"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

#define SECOND_NS 1000000000ull

struct hp_instance {
    const struct hp_host *host;
    struct hp_status before; /* as it was at the last line */
    uint64_t due_ns;         /* of the next line; 0 before the first call */
};

static int
tick_log_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    *out = self;
    return 0;
}

static int
tick_log_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)limits;
    self->due_ns = 0;
    return 0;
}

static void
tick_log_stop(struct hp_instance *self)
{
    (void)self;
}

static void
tick_log_destroy(struct hp_instance *self)
{
    free(self);
}

/* What a counter gained in a second, over the time since the last line. */
static double
per_second(uint64_t before, uint64_t now, uint64_t elapsed_ns)
{
    return (double)(now - before) * (double)SECOND_NS / (double)elapsed_ns;
}

static void
write_line(const struct hp_instance *self, const struct hp_status *now)
{
    const struct hp_status *before = &self->before;
    uint64_t elapsed_ns = now->time_ns - before->time_ns;
    char line[200];

    snprintf(line, sizeof(line),
             "tick %" PRIu64 ": %.2f Hz, %" PRIu64 " late, %" PRIu64
             " dropped, %u peers, %u entities, %.0f B/s in, %.0f B/s out",
             now->tick, now->tick_hz, now->ticks_late - before->ticks_late,
             now->ticks_dropped - before->ticks_dropped, now->peers,
             now->entities,
             per_second(before->bytes_in, now->bytes_in, elapsed_ns),
             per_second(before->bytes_out, now->bytes_out, elapsed_ns));
    self->host->log(self->host, HP_LOG_INFO, line);
}

/* [main] About ten times a second; nine of them are too early for a line. */
static void
tick_log_idle(struct hp_instance *self, const struct hp_status *status,
              uint64_t budget_ns)
{
    (void)budget_ns; /* one line costs far less */
    if (self->due_ns == 0) {
        self->due_ns = status->time_ns + SECOND_NS;
        self->before = *status;
    }
    if (status->time_ns < self->due_ns)
        return;
    write_line(self, status);
    self->before = *status;
    /* From line to line, not from call to call: so calls that come a little
     * late do not add up. After a long stall it begins anew. */
    self->due_ns += SECOND_NS;
    if (self->due_ns <= status->time_ns)
        self->due_ns = status->time_ns + SECOND_NS;
}

static const struct hp_agent_ops ops = {
    .size = sizeof(ops),
    .idle = tick_log_idle,
};

HP_PLUGIN_NOTE(HP_KIND_AGENT, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_AGENT, 0),
    HP_NO_PARAMS,
    tick_log_create,
    tick_log_start,
    tick_log_stop,
    tick_log_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
