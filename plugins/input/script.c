/*
 * input_script - a recorded stick, played to any tick rate. The same trace on
 * the same ticks gives the same inputs, bit for bit.
 */
#include "trace.h"
#include <errno.h>
#include <hardpoint/input.h>
#include <stdlib.h>

#define HP_NAME    "script"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "a recorded stick, from a CSV trace"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

static const struct hp_param params[] = {
    {
     .name = "file",
     .unit = "",
     .sentence = "The trace: CSV with the columns time_s, roll, pitch, "
                    "yaw, throttle, buttons.", .type = HP_PARAM_PATH,
     .flags = HP_PARAM_REQUIRED | HP_PARAM_INPUT,
     },
    {
     .name = "repeat",
     .unit = "",
     .preset = "yes",
     .sentence = "Begin again at the trace's end; else its last row holds.",
     .type = HP_PARAM_FLAG,
     },
};

struct hp_instance {
    const struct hp_host *host;
    const char *path;
    int repeat;
    struct trace trace;
    uint64_t first; /* tick of the trace's time 0 */
    int begun;      /* whether there was one */
};

static int
script_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    int err;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    err = host->param_text(host, "file", 0, &self->path);
    if (err == 0)
        err = host->param_flag(host, "repeat", &self->repeat);
    if (err < 0) {
        free(self);
        return err;
    }
    *out = self;
    return 0;
}

static int
script_start(struct hp_instance *self, const struct hp_limits *limits)
{
    char why[512] = "";
    int err = trace_load(&self->trace, self->path, why, sizeof(why));

    (void)limits;
    self->begun = 0;
    return err < 0 && why[0] != '\0' ? self->host->fail(self->host, err, why)
                                     : err;
}

static void
script_stop(struct hp_instance *self)
{
    trace_free(&self->trace);
}

static void
script_destroy(struct hp_instance *self)
{
    free(self);
}

/* [tick] The trace begins with the first tick asked for, so that a client who
 * joins a long game flies the whole of it. */
static int
script_poll(struct hp_instance *self, const struct hp_tick *tick,
            struct hp_input *out)
{
    double ticks;

    if (!self->begun || tick->index < self->first)
        self->first = tick->index;
    self->begun = 1;
    ticks = (double)(tick->index - self->first);
    trace_sample(&self->trace, ticks * tick->rate_den / tick->rate_num,
                 tick->dt_s, self->repeat, out);
    return 0;
}

static const struct hp_input_ops ops = {
    .size = sizeof(ops),
    .poll = script_poll,
};

HP_PLUGIN_NOTE(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC),
    params,
    HP_PARAMS(params),
    script_create,
    script_start,
    script_stop,
    script_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
