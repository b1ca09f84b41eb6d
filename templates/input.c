/*
 * input_@name@ - flies a slow circle with the stick.
 *
 * It reads no device and no clock: where the stick is follows from the tick
 * alone, so it is the same at every tick rate.
 */
#include <errno.h>
#include <hardpoint/input.h>
#include <math.h>
#include <stdlib.h>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "a slow circle with the stick"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

#define FULL_SCALE 32767
#define TWO_PI     6.283185307179586

struct hp_instance {
    double period_s;
    double size;
};

/* ---- its INI keys ---- */

static const struct hp_param params[] = {
    {
     .name = "period_s",
     .unit = "s",
     .preset = "8",
     .sentence = "How long one round takes.",
     .minimum = 1,
     .maximum = 600,
     .type = HP_PARAM_REAL,
     },
    {
     .name = "size",
     .unit = "",
     .preset = "0.25",
     .sentence = "How far the stick goes out, 1 for all the way.",
     .minimum = 0,
     .maximum = 1,
     .type = HP_PARAM_REAL,
     },
};

/* ---- its life, all [main] ---- */

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    /* The host has checked both against the rows above. */
    if (host->param_real(host, "period_s", 0, &self->period_s) < 0 ||
        host->param_real(host, "size", 0, &self->size) < 0) {
        free(self);
        return host->fail(host, -EINVAL, "period_s and size must be given");
    }
    *out = self;
    return 0;
}

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)self;
    (void)limits;
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

static int16_t
axis(double value)
{
    return (int16_t)lrint(value * FULL_SCALE);
}

/* [tick] `out` comes zeroed; a device would have been read by `work`. */
static int
poll_stick(struct hp_instance *self, const struct hp_tick *tick,
           struct hp_input *out)
{
    double rounds = (double)tick->index * tick->dt_s / self->period_s;
    double angle = TWO_PI * (rounds - floor(rounds));

    out->axes[HP_AXIS_ROLL] = axis(self->size * sin(angle));
    out->axes[HP_AXIS_PITCH] = axis(self->size * cos(angle));
    out->axes[HP_AXIS_THROTTLE] = axis(0.5);
    return 0;
}

static const struct hp_input_ops ops = {
    .size = sizeof(ops),
    .poll = poll_stick,
    .work = NULL, /* there is no device to wait for */
};

/* ---- what the host reads first: a note in the file, then the table ---- */

HP_PLUGIN_NOTE(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC),
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
