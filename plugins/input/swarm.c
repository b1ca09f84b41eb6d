/*
 * input_swarm - a made-up pilot for load and soak tests. Pattern, seed and tick
 * give the input, and nothing else does: the same swarm flies the same way
 * again, and a client that begins anew goes on where it would have been.
 */
#include <errno.h>
#include <hardpoint/input.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "swarm"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "a made-up pilot: weaves, fights or does anything at all"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

#define AXIS_FULL 32767

/* How long a random or aggressive pilot holds what it does. */
#define HOLD_MS 700

/* clang-format off */
static const struct hp_param params[] = {
    {
        .name = "pattern",
        .unit = "",
        .preset = "weave",
        .sentence = "How it flies: gentle turns to and fro, straight and level "
                    "with a restless hand, hard with gun and afterburner, not "
                    "at all, or at random.",
        .choices = "weave|level|aggressive|idle|random",
        .type = HP_PARAM_CHOICE,
    },
    {
        .name = "seed",
        .unit = "",
        .preset = "1",
        .sentence = "Makes one pilot differ from another of the same pattern.",
        .minimum = 0,
        .maximum = 9007199254740992.0,
        .type = HP_PARAM_INT,
    },
};
/* clang-format on */

typedef void fly(uint64_t seed, uint64_t time_ms, struct hp_input *out);

struct hp_instance {
    uint64_t seed;
    fly *fly;
};

/* ---- hands ---- */

/* The same bits for the same three numbers, and no pattern between them. */
static uint64_t
draw(uint64_t seed, uint64_t moment, uint64_t what)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15ull + moment * 0xbf58476d1ce4e5b9ull +
                 what * 0x94d049bb133111ebull;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* An axis within `limit` thousandths of full either way. */
static int16_t
draw_axis(uint64_t seed, uint64_t moment, uint64_t what, int limit)
{
    int64_t span = 2 * limit + 1;
    int64_t thousandths = (int64_t)(draw(seed, moment, what) % (uint64_t)span);

    return (int16_t)((thousandths - limit) * AXIS_FULL / 1000);
}

static int16_t
axis(int thousandths)
{
    return (int16_t)(thousandths * AXIS_FULL / 1000);
}

/* To and fro: -1000 at the ends of a period, 1000 in its middle. */
static int
wave(uint64_t time_ms, uint64_t period_ms)
{
    int64_t place = (int64_t)(time_ms % period_ms * 4000 / period_ms);

    return (int)(place < 2000 ? place - 1000 : 3000 - place);
}

/* ---- pilots ---- */

static void
fly_idle(uint64_t seed, uint64_t time_ms, struct hp_input *out)
{
    (void)seed;
    (void)time_ms;
    out->axes[HP_AXIS_THROTTLE] = axis(500);
}

static void
fly_level(uint64_t seed, uint64_t time_ms, struct hp_input *out)
{
    uint64_t moment = time_ms / HOLD_MS;

    out->axes[HP_AXIS_ROLL] = draw_axis(seed, moment, 0, 15);
    out->axes[HP_AXIS_PITCH] = draw_axis(seed, moment, 1, 10);
    out->axes[HP_AXIS_THROTTLE] = axis(500 + (int)(draw(seed, 0, 2) % 100));
}

static void
fly_weave(uint64_t seed, uint64_t time_ms, struct hp_input *out)
{
    uint64_t period_ms = 4000 + draw(seed, 0, 0) % 4000;
    uint64_t phase_ms = draw(seed, 0, 1) % period_ms;
    int turn = wave(time_ms + phase_ms, period_ms);

    out->axes[HP_AXIS_ROLL] = axis(turn * 120 / 1000);
    out->axes[HP_AXIS_PITCH] = axis(40 + abs(turn) * 60 / 1000);
    out->axes[HP_AXIS_YAW] = axis(turn * 30 / 1000);
    out->axes[HP_AXIS_THROTTLE] = axis(600 + turn * 100 / 1000);
}

static void
fly_aggressive(uint64_t seed, uint64_t time_ms, struct hp_input *out)
{
    uint64_t moment = (time_ms + draw(seed, 0, 0) % HOLD_MS) / HOLD_MS;

    out->axes[HP_AXIS_ROLL] = draw_axis(seed, moment, 1, 1000);
    out->axes[HP_AXIS_PITCH] = axis(200 + (int)(draw(seed, moment, 2) % 800));
    out->axes[HP_AXIS_YAW] = draw_axis(seed, moment, 3, 200);
    out->axes[HP_AXIS_THROTTLE] = axis(1000);
    if (draw(seed, moment, 4) % 4 == 0)
        out->buttons |= HP_BUTTON_GUN;
    if (draw(seed, moment, 5) % 2 == 0)
        out->buttons |= HP_BUTTON_AFTERBURNER;
}

static void
fly_random(uint64_t seed, uint64_t time_ms, struct hp_input *out)
{
    uint64_t moment = time_ms / (HOLD_MS / 7);
    uint64_t buttons = HP_BUTTON_GUN | HP_BUTTON_GEAR | HP_BUTTON_AFTERBURNER |
                       HP_BUTTON_RELEASE | HP_BUTTON_SELECT | HP_BUTTON_HOOK;
    int i;

    for (i = 0; i < HP_AXIS_COUNT; i++)
        out->axes[i] = draw_axis(seed, moment, (uint64_t)i, 1000);
    for (i = HP_AXIS_THROTTLE; i <= HP_AXIS_BRAKE; i++)
        out->axes[i] = (int16_t)abs(out->axes[i]);
    out->buttons = (uint32_t)(draw(seed, moment, 100) & buttons);
    /* Anything, but not one respawn after the other. */
    if (draw(seed, moment, 101) % 200 == 0)
        out->buttons |= HP_BUTTON_RESPAWN;
}

static const struct {
    const char *name;
    fly *fly;
} pilots[] = {
    {"weave",      fly_weave     },
    {"level",      fly_level     },
    {"aggressive", fly_aggressive},
    {"idle",       fly_idle      },
    {"random",     fly_random    },
};

/* ---- the plugin ---- */

static int
read_params(struct hp_instance *self, const struct hp_host *host)
{
    const char *pattern;
    int64_t seed;
    size_t i;
    int err = host->param_text(host, "pattern", 0, &pattern);

    if (err == 0)
        err = host->param_int(host, "seed", 0, &seed);
    if (err < 0)
        return err;
    self->seed = (uint64_t)seed;
    for (i = 0; i < sizeof(pilots) / sizeof(pilots[0]); i++)
        if (strcmp(pattern, pilots[i].name) == 0)
            self->fly = pilots[i].fly;
    return self->fly == NULL ? -EINVAL : 0;
}

static int
swarm_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    int err;

    if (self == NULL)
        return -ENOMEM;
    err = read_params(self, host);
    if (err < 0) {
        free(self);
        return err;
    }
    *out = self;
    return 0;
}

static int
swarm_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)self;
    (void)limits;
    return 0;
}

static void
swarm_stop(struct hp_instance *self)
{
    (void)self;
}

static void
swarm_destroy(struct hp_instance *self)
{
    free(self);
}

/* [tick] Time comes from the tick's number, whole milliseconds of it, so the
 * patterns last as long at every rate. */
static int
swarm_poll(struct hp_instance *self, const struct hp_tick *tick,
           struct hp_input *out)
{
    uint64_t time_ms =
        tick->index * 1000 / tick->rate_num * tick->rate_den +
        tick->index * 1000 % tick->rate_num * tick->rate_den / tick->rate_num;

    self->fly(self->seed, time_ms, out);
    return 0;
}

static const struct hp_input_ops ops = {
    .size = sizeof(ops),
    .poll = swarm_poll,
};

HP_PLUGIN_NOTE(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_INPUT, HP_PLUGIN_DETERMINISTIC),
    params,
    HP_PARAMS(params),
    swarm_create,
    swarm_start,
    swarm_stop,
    swarm_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
