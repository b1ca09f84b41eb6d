/*
 * input_idle - nobody at the controls: a centred stick and a set throttle.
 */
#include <errno.h>
#include <hardpoint/input.h>
#include <stdlib.h>

#define HP_NAME    "idle"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "a centred stick and a set throttle"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

#define AXIS_FULL 32767

static const struct hp_param params[] = {
    {
     .name = "throttle",
     .unit = "",
     .preset = "0.5",
     .sentence = "How far the throttle is open, from 0 (idle) to 1 (full).",
     .minimum = 0,
     .maximum = 1,
     .type = HP_PARAM_REAL,
     },
};

struct hp_instance {
    int16_t throttle; /* as an axis */
};

static int
idle_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    double throttle;
    int err;

    if (self == NULL)
        return -ENOMEM;
    err = host->param_real(host, "throttle", 0, &throttle);
    if (err < 0) {
        free(self);
        return err;
    }
    self->throttle = (int16_t)(throttle * AXIS_FULL + 0.5);
    *out = self;
    return 0;
}

static int
idle_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)self;
    (void)limits;
    return 0;
}

static void
idle_stop(struct hp_instance *self)
{
    (void)self;
}

static void
idle_destroy(struct hp_instance *self)
{
    free(self);
}

/* [tick] `out` comes zeroed, so the other axes are centred. */
static int
idle_poll(struct hp_instance *self, const struct hp_tick *tick,
          struct hp_input *out)
{
    (void)tick;
    out->axes[HP_AXIS_THROTTLE] = self->throttle;
    return 0;
}

static const struct hp_input_ops ops = {
    .size = sizeof(ops),
    .poll = idle_poll,
};

HP_PLUGIN_NOTE(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC),
    params,
    HP_PARAMS(params),
    idle_create,
    idle_start,
    idle_stop,
    idle_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
