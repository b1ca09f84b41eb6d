#include "rig.h"
#include "clock.h"
#include "cmd.h"
#include <errno.h>
#include <ini/ini.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define NS_PER_MS       1000000ull
#define BEAT_NS         (20 * NS_PER_MS)
#define SETTLE_NS       (250 * NS_PER_MS)  /* capabilities may come that late */
#define PATIENCE_NS     (1000 * NS_PER_MS) /* and the first device this late */
#define PLATEAU_MS      1000               /* how long a hold is held */
#define PULSE_MS        500
#define NO_SNAPSHOTS_NS (16 * NS_PER_MS)

/* ---- the effects ---- */

/* On every kind of actuator, so that each can be felt. A stick is pushed less:
 * nobody may be holding it. */
static int
make_pulse(struct rig *r)
{
    struct effects *set = calloc(1, sizeof(*set));
    struct effect *e;
    int kind;

    if (set == NULL)
        return CMD_PLUGIN;
    set->count = 1;
    set->keepalive_ms = 250;
    e = &set->list[0];
    snprintf(e->name, sizeof(e->name), "pulse");
    snprintf(e->class_name, sizeof(e->class_name), "system");
    e->mode = EFFECT_ONESHOT;
    e->priority = 50;
    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++)
        e->levels[kind] = 1;
    e->levels[HP_ACTUATOR_AXIS_X] = 0.3f;
    e->levels[HP_ACTUATOR_AXIS_Y] = 0.3f;
    e->gain = 1;
    e->frequency_hz = 40;
    e->hold_ms = PULSE_MS;
    r->effects = set;
    r->effect = e;
    return CMD_OK;
}

static int
unknown_effect(const struct rig *r, const char *path, const char *name)
{
    const char *names[EFFECTS_MAX], *near;
    uint32_t i;

    for (i = 0; i < r->effects->count; i++)
        names[i] = r->effects->list[i].name;
    near = ini_nearest(name, names, r->effects->count, sizeof(names[0]));
    fprintf(stderr, "hardpoint haptics: found no effect \"%s\" in %s, expected",
            name, path);
    for (i = 0; i < r->effects->count; i++)
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    if (near != NULL)
        fprintf(stderr, "; did you mean %s?", near);
    fputc('\n', stderr);
    return CMD_USAGE;
}

static int
load_effect(struct rig *r, const char *name)
{
    const char *path = "";
    int err;

    config_text(r->setup.config, "haptics", "effects", 0, &path);
    if (*path == '\0') {
        fprintf(stderr,
                "hardpoint haptics: [haptics] effects names no file, expected "
                "one; add -s haptics.effects=FILE\n");
        return CMD_CONFIG;
    }
    err = effects_load(&r->effects, path, stderr);
    if (err == -EINVAL)
        return CMD_CONFIG; /* told */
    if (err < 0) {
        fprintf(stderr, "%s: error: cannot be read: %s\n", path,
                strerror(-err));
        return CMD_NO_INPUT;
    }
    if (name == NULL)
        return CMD_OK;
    r->effect = effects_find(r->effects, name);
    return r->effect == NULL ? unknown_effect(r, path, name) : CMD_OK;
}

/* ---- the backends ---- */

static int
start_backends(struct rig *r)
{
    struct hp_limits limits = {0};
    int err;

    limits.size = sizeof(limits);
    limits.side = HP_SIDE_CLIENT;
    limits.rate_num = 60;
    limits.rate_den = 1;
    limits.clients_max = 1;
    crew_init(&r->crew, &r->setup, r->clock, 0);
    err = crew_start_all(&r->crew, HP_KIND_HAPTICS, HP_SIDE_CLIENT, &limits,
                         r->backends, HAPTICS_BACKENDS_MAX, &r->backend_count);
    if (err < 0)
        return CMD_PLUGIN; /* told */
    if (r->backend_count > 0)
        return CMD_OK;
    fprintf(stderr,
            "hardpoint haptics: %s puts no haptics plugin to use, "
            "expected one; add --plugin NAME\n",
            r->setup.file);
    return CMD_CONFIG;
}

/* Until no more devices are likely to come. */
static void
await_devices(struct rig *r)
{
    uint64_t start_ns = clock_now_ns(r->clock), now_ns = start_ns;

    while (now_ns < start_ns + SETTLE_NS ||
           (haptics_device_count(r->haptics) == 0 &&
            now_ns < start_ns + PATIENCE_NS)) {
        if (clock_wait(r->waiter, r->signals, now_ns + BEAT_NS, 0) &
            CLOCK_READABLE)
            return;
        haptics_poll_devices(r->haptics);
        now_ns = clock_now_ns(r->clock);
    }
}

static int
start_haptics(struct rig *r, const char *device)
{
    struct haptics_config config = {0};
    int err;

    config.clock = r->clock;
    config.backends = r->backends;
    config.backend_count = r->backend_count;
    config.effects = r->effects;
    config.snapshot_interval_ns = NO_SNAPSHOTS_NS;
    config.only_device = device;
    config_flag(r->setup.config, "host", "realtime", &config.realtime);
    config_flag(r->setup.config, "haptics", "unsafe", &config.unsafe);
    roles_read(&config.roles, r->setup.config);
    err = haptics_create(&r->haptics, &config);
    if (err == 0)
        err = haptics_start(r->haptics);
    if (err < 0)
        return CMD_PLUGIN;
    await_devices(r);
    return CMD_OK;
}

/* A signal ends the pulse, not the process: a motor must not be left on. */
static int
watch_signals(struct rig *r)
{
    sigset_t ends;

    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    r->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    return r->signals < 0 ? -errno : 0;
}

static int
start_clock(struct rig *r)
{
    int err = watch_signals(r);

    if (err == 0)
        err = clock_create_real(&r->clock);
    if (err == 0)
        err = clock_join(r->clock, &r->waiter);
    if (err == 0)
        return CMD_OK;
    fprintf(stderr, "hardpoint haptics: cannot start: %s\n", strerror(-err));
    return CMD_PLUGIN;
}

int
rig_open(struct rig *r, const struct rig_request *request)
{
    int status;

    memset(r, 0, sizeof(*r));
    r->signals = -1;
    status = setup_load(&r->setup, request->file, request->overrides,
                        request->override_count, stderr);
    if (status == CMD_OK)
        status = request->effect != NULL || request->all_effects
                     ? load_effect(r, request->effect)
                     : make_pulse(r);
    if (status == CMD_OK)
        status = start_clock(r);
    if (status == CMD_OK)
        status = start_backends(r);
    if (status == CMD_OK)
        status = start_haptics(r, request->device);
    return status;
}

void
rig_close(struct rig *r)
{
    haptics_stop(r->haptics, r->waiter);
    haptics_destroy(r->haptics);
    crew_finish(&r->crew);
    clock_leave(r->waiter);
    clock_destroy(r->clock);
    effects_destroy(r->effects);
    setup_finish(&r->setup);
    if (r->signals >= 0)
        close(r->signals);
}

/* ---- playing ---- */

/* How long it is asked for; a hold also has its release after that. */
static uint64_t
length_ns(const struct effect *e)
{
    uint64_t ms = e->attack_ms + e->hold_ms + e->decay_ms;
    uint32_t i;

    for (i = 0; i < e->pulse_count; i++)
        ms += e->pulses[i].on_ms + e->pulses[i].off_ms;
    if (e->mode == EFFECT_HOLD)
        ms += PLATEAU_MS;
    return ms * NS_PER_MS;
}

/* Lets time pass as a client does. 1: a signal came. */
static int
pass(struct rig *r, struct hp_effect_command *again, uint64_t end_ns)
{
    uint64_t now_ns;

    while ((now_ns = clock_now_ns(r->clock)) < end_ns) {
        haptics_heartbeat(r->haptics, now_ns);
        if (again != NULL)
            haptics_post(r->haptics, again, 1, now_ns);
        if (clock_wait(r->waiter, r->signals,
                       end_ns - now_ns < BEAT_NS ? end_ns : now_ns + BEAT_NS,
                       0) &
            CLOCK_READABLE)
            return 1;
    }
    return 0;
}

int
rig_play(struct rig *r, float level)
{
    const struct effect *e = r->effect;
    struct hp_effect_command command = {0};
    uint64_t now_ns = clock_now_ns(r->clock);
    int is_hold = e->mode == EFFECT_HOLD;
    int ended;

    command.effect = e->name;
    command.action = is_hold ? HP_EFFECT_HOLD : HP_EFFECT_PLAY;
    command.flags = HP_EFFECT_PREDICTED;
    command.level = level;
    haptics_heartbeat(r->haptics, now_ns);
    if (!is_hold)
        haptics_post(r->haptics, &command, 1, now_ns);
    ended = pass(r, is_hold ? &command : NULL, now_ns + length_ns(e));
    if (!ended && is_hold) {
        command.action = HP_EFFECT_RELEASE;
        now_ns = clock_now_ns(r->clock);
        haptics_post(r->haptics, &command, 1, now_ns);
        ended = pass(r, NULL, now_ns + e->release_ms * NS_PER_MS);
    }
    haptics_stop(r->haptics, r->waiter);
    return ended;
}
