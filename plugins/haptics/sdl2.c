/*
 * haptics_sdl2 - the rumble motors of every pad that SDL knows, and its trigger
 * motors where a driver has them.
 *
 * render (the haptics thread) leaves the newest level of each motor in a cell;
 * work (one device thread) alone touches SDL and gives it what the cells hold.
 * So a slow pad delays nobody, the newest level wins, and zero is never behind
 * anything. SDL is told no longer than a level's deadline, at most 300 ms, and
 * never 0, which is for ever to SDL 2.26; it ends a rumble only while it is
 * called, so work calls it each millisecond while a motor runs.
 *
 * SDL's HIDAPI drivers are switched off: they leave a pad running when the
 * process is killed. Through the kernel's event nodes the kernel stops it, and
 * the guardian can when the process is only stopped.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* FNM_CASEFOLD */
#endif
#include <SDL.h>
#include <errno.h>
#include <fnmatch.h>
#include <hardpoint/haptics.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "sdl2"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "rumble and trigger motors of game pads, through SDL 2"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

#define PADS_MAX   8
#define MOTORS_MAX 4
#define MS         UINT64_C(1000000)
#define LOOKS_MAX  50         /* in one call, a millisecond each */
#define LOOK_NS    (250 * MS) /* for pads that came or went */
#define RESEND_NS  (100 * MS) /* the same level, so that it goes on */
#define HOLD_MS    300u

/* clang-format off */
static const struct hp_param params[] = {
    {.name = "device", .unit = "", .preset = "*", .type = HP_PARAM_TEXT,
     .sentence = "Which pads: a pattern for the name (*Xbox*), or vendor and "
                 "product as 045e:0b13."},
};
/* clang-format on */

/* What the haptics thread wants of one motor. */
struct cell {
    _Atomic uint32_t level; /* 0 .. 65535, as SDL counts */
    _Atomic uint64_t deadline_ns;
};

/* What the device thread told SDL of a pair of motors last. */
struct pair {
    uint16_t first, second;
    uint64_t sent_ns;
};

struct pad {
    /* Of the device thread, and under the lock for who lists devices. */
    SDL_Joystick *joystick; /* NULL: the place is free */
    struct hp_device device;
    char node[120]; /* "/dev/input/event7", or "" */
    /* Shared by the haptics and the device thread. */
    _Atomic uint32_t generation; /* of what is here now; 0: nothing */
    struct cell cells[MOTORS_MAX];
    /* The device thread's. */
    struct pair rumble, triggers;
};

struct hp_instance {
    const struct hp_host *host;
    char wanted[96];
    pthread_mutex_t lock; /* of the pads' descriptions; never in [rt] */
    struct pad pads[PADS_MAX];
    uint32_t generation; /* the newest given */
    uint64_t looked_ns;  /* 0: never */
    int full_told;
};

static int
sdl2_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    const char *wanted;
    int err;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    err = host->param_text(host, "device", 0, &wanted);
    if (err < 0) {
        free(self);
        return err;
    }
    snprintf(self->wanted, sizeof(self->wanted), "%s", wanted);
    pthread_mutex_init(&self->lock, NULL);
    *out = self;
    return 0;
}

static int
sdl2_start(struct hp_instance *self, const struct hp_limits *limits)
{
    char why[300];

    (void)limits;
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    SDL_SetHint(SDL_HINT_JOYSTICK_HIDAPI, "0");
    if (SDL_InitSubSystem(SDL_INIT_JOYSTICK) < 0) {
        snprintf(why, sizeof(why),
                 "SDL cannot look for pads: %s; is /dev/input there, and may "
                 "it be read?",
                 SDL_GetError());
        return self->host->fail(self->host, -ENODEV, why);
    }
    self->looked_ns = 0;
    self->full_told = 0;
    return 0;
}

/* ---- pads come and go: the device thread ---- */

static int
is_wanted(const struct hp_instance *self, const char *name, uint16_t vendor,
          uint16_t product)
{
    char ids[16];

    snprintf(ids, sizeof(ids), "%04x:%04x", vendor, product);
    return fnmatch(self->wanted, name, FNM_CASEFOLD) == 0 ||
           SDL_strcasecmp(self->wanted, ids) == 0;
}

static void
add_motor(struct hp_device *d, uint32_t kind)
{
    /* A rumble motor's figures, as accelerometers on common pads show them. */
    d->actuators[d->actuator_count++] = (struct hp_actuator){
        .kind = kind,
        .minimum = 0.3f,
        .rise_ms = 60,
        .fall_ms = 60,
        .pulse_min_ms = 60,
        .gap_min_ms = 60,
        .interval_min_ms = 10,
    };
}

/* A line of what the kernel says of a node; 0 when it says nothing. */
static int
ask_kernel(const char *node, const char *what, char *out, int bytes)
{
    const char *slash = strrchr(node, '/');
    char path[120];
    FILE *f;

    if (slash == NULL)
        return 0;
    snprintf(path, sizeof(path), "/sys/class/input/%.40s/device/%s", slash + 1,
             what);
    f = fopen(path, "r");
    out[0] = '\0';
    if (f == NULL)
        return 0;
    if (fgets(out, bytes, f) == NULL)
        out[0] = '\0';
    fclose(f);
    out[strcspn(out, "\n")] = '\0';
    return out[0] != '\0';
}

/* The serial number, else the port, as haptics_evdev has them: so the host sees
 * that a pad which both offer is one. */
static void
place_of(const char *node, char *out, int bytes)
{
    if (!ask_kernel(node, "uniq", out, bytes) &&
        !ask_kernel(node, "phys", out, bytes))
        snprintf(out, (size_t)bytes, "%.60s", node[0] ? node : "virtual");
}

static void
describe(struct hp_instance *self, struct pad *p, SDL_Joystick *joystick)
{
    const char *name = SDL_JoystickName(joystick);
    const char *node = SDL_JoystickPath(joystick);
    struct hp_device *d = &p->device;
    char place[64];

    memset(d, 0, sizeof(*d));
    d->id = (uint32_t)(p - self->pads);
    d->generation = ++self->generation;
    d->vendor = SDL_JoystickGetVendor(joystick);
    d->product = SDL_JoystickGetProduct(joystick);
    d->battery_percent = -1;
    snprintf(p->node, sizeof(p->node), "%s", node != NULL ? node : "");
    /* One without a node is a virtual one of this process, and ends with it. */
    if (p->node[0] == '\0')
        d->flags = HP_DEVICE_HOLDS_DEADLINE;
    snprintf(d->name, sizeof(d->name), "%s", name != NULL ? name : "pad");
    place_of(p->node, place, sizeof(place));
    snprintf(d->stable_id, sizeof(d->stable_id), "sdl2:%04x:%04x:%s", d->vendor,
             d->product, place);
    if (SDL_JoystickHasRumble(joystick)) {
        add_motor(d, HP_ACTUATOR_LOW);
        add_motor(d, HP_ACTUATOR_HIGH);
    }
    if (SDL_JoystickHasRumbleTriggers(joystick)) {
        add_motor(d, HP_ACTUATOR_TRIGGER_L);
        add_motor(d, HP_ACTUATOR_TRIGGER_R);
    }
}

static struct pad *
pad_of(struct hp_instance *self, SDL_JoystickID id)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        if (p->joystick != NULL && SDL_JoystickInstanceID(p->joystick) == id)
            return p;
    return NULL;
}

static struct pad *
free_place(struct hp_instance *self)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        if (p->joystick == NULL)
            return p;
    if (!self->full_told)
        self->host->log(self->host, HP_LOG_WARNING,
                        "more than 8 pads: the others stay still; name one by "
                        "`device`");
    self->full_told = 1;
    return NULL;
}

static void
cells_clear(struct pad *p)
{
    int i;

    for (i = 0; i < MOTORS_MAX; i++)
        atomic_store_explicit(&p->cells[i].level, 0, memory_order_relaxed);
}

static void
pad_open(struct hp_instance *self, int index)
{
    struct pad *p = free_place(self);
    SDL_Joystick *joystick = p != NULL ? SDL_JoystickOpen(index) : NULL;

    if (joystick == NULL)
        return;
    memset(&p->rumble, 0, sizeof(p->rumble));
    memset(&p->triggers, 0, sizeof(p->triggers));
    cells_clear(p);
    pthread_mutex_lock(&self->lock);
    p->joystick = joystick;
    describe(self, p, joystick);
    pthread_mutex_unlock(&self->lock);
    atomic_store_explicit(&p->generation, p->device.generation,
                          memory_order_release);
}

/* SDL stops the motors of what it closes. */
static void
pad_close(struct hp_instance *self, struct pad *p)
{
    atomic_store_explicit(&p->generation, 0, memory_order_release);
    pthread_mutex_lock(&self->lock);
    SDL_JoystickClose(p->joystick);
    p->joystick = NULL;
    pthread_mutex_unlock(&self->lock);
}

/* A pad may tell of its motors later than of itself: it is asked again until it
 * has some. */
static void
ask_again(struct hp_instance *self, struct pad *p)
{
    if (p->device.actuator_count > 0 || !SDL_JoystickHasRumble(p->joystick))
        return;
    pthread_mutex_lock(&self->lock);
    describe(self, p, p->joystick);
    pthread_mutex_unlock(&self->lock);
    atomic_store_explicit(&p->generation, p->device.generation,
                          memory_order_release);
}

static void
look_for_pads(struct hp_instance *self)
{
    struct pad *p;
    const char *name;
    int i, count;

    for (p = self->pads; p < self->pads + PADS_MAX; p++) {
        if (p->joystick == NULL)
            continue;
        if (!SDL_JoystickGetAttached(p->joystick))
            pad_close(self, p);
        else
            ask_again(self, p);
    }
    count = SDL_NumJoysticks();
    for (i = 0; i < count; i++) {
        name = SDL_JoystickNameForIndex(i);
        if (pad_of(self, SDL_JoystickGetDeviceInstanceID(i)) == NULL &&
            is_wanted(self, name != NULL ? name : "",
                      SDL_JoystickGetDeviceVendor(i),
                      SDL_JoystickGetDeviceProduct(i)))
            pad_open(self, i);
    }
}

/* ---- levels ---- */

/* [rt] */
static int
sdl2_render(struct hp_instance *self, const struct hp_levels *levels)
{
    const char *at = (const char *)levels->levels;
    const struct hp_level *level;
    struct cell *cell;
    uint32_t i;

    for (i = 0; i < levels->count; i++, at += levels->stride) {
        level = (const struct hp_level *)at;
        if (level->device >= PADS_MAX || level->actuator >= MOTORS_MAX ||
            level->generation == 0 ||
            level->generation !=
                atomic_load_explicit(&self->pads[level->device].generation,
                                     memory_order_acquire))
            continue;
        cell = &self->pads[level->device].cells[level->actuator];
        atomic_store_explicit(&cell->deadline_ns, level->deadline_ns,
                              memory_order_relaxed);
        atomic_store_explicit(
            &cell->level,
            (uint32_t)lrintf(fminf(fmaxf(level->level, 0), 1) * 65535),
            memory_order_release);
    }
    return 0;
}

/* [any] The cells at once; the device thread looks at them each millisecond
 * while a motor runs. */
static int
sdl2_silence(struct hp_instance *self)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        cells_clear(p);
    return 0;
}

/* What a motor should do now; `end_ns` comes nearer when it has to stop. */
static uint16_t
level_now(struct cell *cell, uint64_t now_ns, uint64_t *end_ns)
{
    uint32_t level = atomic_load_explicit(&cell->level, memory_order_acquire);
    uint64_t deadline_ns =
        atomic_load_explicit(&cell->deadline_ns, memory_order_relaxed);

    if (level == 0 || now_ns >= deadline_ns)
        return 0;
    if (deadline_ns < *end_ns)
        *end_ns = deadline_ns;
    return (uint16_t)level;
}

typedef int rumble(SDL_Joystick *joystick, uint16_t first, uint16_t second,
                   uint32_t duration_ms);

/* Returns whether a motor of the pair runs. */
static int
serve_pair(struct pad *p, struct pair *pair, struct cell *cells, rumble *tell,
           uint64_t now_ns)
{
    uint64_t end_ns = now_ns + HOLD_MS * MS;
    uint16_t first = level_now(&cells[0], now_ns, &end_ns);
    uint16_t second = level_now(&cells[1], now_ns, &end_ns);
    uint32_t hold_ms = (uint32_t)((end_ns - now_ns + MS - 1) / MS);
    int moves = first != 0 || second != 0;
    int changed = first != pair->first || second != pair->second;

    if (!changed && (!moves || now_ns - pair->sent_ns < RESEND_NS))
        return moves;
    pair->first = first;
    pair->second = second;
    pair->sent_ns = now_ns;
    tell(p->joystick, first, second, moves ? hold_ms : 1);
    return moves;
}

/* Cells in the order of the actuators; a pad with triggers has both pairs. */
static int
serve_pad(struct pad *p, uint64_t now_ns)
{
    int busy = 0;

    if (p->device.actuator_count >= 2)
        busy |= serve_pair(p, &p->rumble, p->cells, SDL_JoystickRumble, now_ns);
    if (p->device.actuator_count >= 4)
        busy |= serve_pair(p, &p->triggers, p->cells + 2,
                           SDL_JoystickRumbleTriggers, now_ns);
    return busy;
}

static int
serve_pads(struct hp_instance *self, uint64_t now_ns)
{
    struct pad *p;
    int busy = 0;

    SDL_JoystickUpdate();
    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        if (p->joystick != NULL)
            busy |= serve_pad(p, now_ns);
    return busy;
}

/* [device] While a motor runs it stays, since SDL must be called and a deadline
 * kept; a level that comes meanwhile waits for a millisecond at most. The count
 * ends it on a clock that stands still. */
static int
sdl2_work(struct hp_instance *self, uint64_t until_ns)
{
    uint64_t now_ns = self->host->now_ns(self->host);
    int i;

    if (self->looked_ns == 0 || now_ns - self->looked_ns >= LOOK_NS) {
        SDL_JoystickUpdate();
        look_for_pads(self);
        self->looked_ns = now_ns;
    }
    for (i = 0; i < LOOKS_MAX; i++) {
        if (!serve_pads(self, now_ns) || now_ns >= until_ns)
            break;
        SDL_Delay(1);
        now_ns = self->host->now_ns(self->host);
    }
    return 0;
}

/* ---- for the main thread ---- */

static int
sdl2_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    struct hp_device *to = sink->devices;
    struct pad *p;
    int err = 0;

    sink->count = 0;
    pthread_mutex_lock(&self->lock);
    for (p = self->pads; p < self->pads + PADS_MAX; p++) {
        if (p->joystick == NULL || p->device.actuator_count == 0)
            continue;
        if (sink->count == sink->capacity) {
            err = -ENOSPC;
            break;
        }
        *to = p->device;
        to = (struct hp_device *)((char *)to + sink->stride);
        sink->count++;
    }
    pthread_mutex_unlock(&self->lock);
    return err;
}

static int
sdl2_guard(struct hp_instance *self, struct hp_guard_sink *sink)
{
    struct hp_guard *to = sink->guards;
    struct pad *p;
    int err = 0;

    sink->count = 0;
    pthread_mutex_lock(&self->lock);
    for (p = self->pads; p < self->pads + PADS_MAX; p++) {
        if (p->joystick == NULL || p->node[0] == '\0')
            continue;
        if (sink->count == sink->capacity) {
            err = -ENOSPC;
            break;
        }
        memset(to, 0, sizeof(*to));
        to->device = p->device.id;
        to->action = HP_GUARD_EVDEV;
        snprintf(to->node, sizeof(to->node), "%s", p->node);
        to = (struct hp_guard *)((char *)to + sink->stride);
        sink->count++;
    }
    pthread_mutex_unlock(&self->lock);
    return err;
}

/* The device thread has ended. */
static void
sdl2_stop(struct hp_instance *self)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++) {
        if (p->joystick == NULL)
            continue;
        SDL_JoystickRumble(p->joystick, 0, 0, 1);
        SDL_JoystickRumbleTriggers(p->joystick, 0, 0, 1);
        pad_close(self, p);
    }
    SDL_QuitSubSystem(SDL_INIT_JOYSTICK);
}

static void
sdl2_destroy(struct hp_instance *self)
{
    if (self == NULL)
        return;
    pthread_mutex_destroy(&self->lock);
    free(self);
}

static const struct hp_haptics_ops ops = {
    .size = sizeof(ops),
    .devices = sdl2_devices,
    .render = sdl2_render,
    .work = sdl2_work,
    .silence = sdl2_silence,
    .guard = sdl2_guard,
};

/* clang-format off */
HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
    params, HP_PARAMS(params),
    sdl2_create, sdl2_start, sdl2_stop, sdl2_destroy, &ops, NULL, NULL,
};
/* clang-format on */
