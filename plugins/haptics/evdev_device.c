#include "evdev.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MS             UINT64_C(1000000)
#define AGAIN_NS       (50 * MS) /* a level that lasts is played again no sooner */
#define WIRED_NS       (10 * MS)
#define BLUETOOTH_NS   (20 * MS) /* faster ones crash some pads' firmware */
#define FULL_GAIN      0xffff
#define TURN           65536.0
#define TWO_PI         6.283185307179586
#define WAVE_HZ        40.0f /* where an effect names no frequency */
#define LONG_BITS      (8 * sizeof(unsigned long))
#define WORDS_FOR(max) ((max) / LONG_BITS + 1)

/* ---- what a device can do ---- */

static int
has_bit(const unsigned long *bits, unsigned bit)
{
    return (bits[bit / LONG_BITS] >> (bit % LONG_BITS)) & 1;
}

static void
add_actuator(struct evdev *e, uint32_t kind)
{
    struct hp_actuator a = {.kind = kind,
                            .interval_min_ms = (uint16_t)(e->interval_ns / MS)};

    if (kind == HP_ACTUATOR_LOW || kind == HP_ACTUATOR_HIGH) {
        /* A rumble motor's figures, as accelerometers on common pads show. */
        a.minimum = 0.3f;
        a.rise_ms = a.fall_ms = a.pulse_min_ms = a.gap_min_ms = 60;
    } else if (kind == HP_ACTUATOR_GENERIC) {
        a.flags = HP_ACTUATOR_FREQUENCY;
        a.frequency_min_hz = 5;
        a.frequency_max_hz = 200;
    } else
        a.flags = HP_ACTUATOR_SIGNED;
    e->device.actuators[e->device.actuator_count++] = a;
}

static void
add_effect(struct evdev *e, enum evdev_effect_kind kind, uint16_t type,
           uint32_t first, uint32_t second)
{
    struct evdev_effect *f = &e->effects[kind];

    f->is_there = 1;
    f->first = e->device.actuator_count;
    f->ff.type = type;
    f->ff.id = -1;
    f->ff.replay.length = EVDEV_HOLD_MS;
    add_actuator(e, first);
    if (second != 0)
        add_actuator(e, second);
    f->count = e->device.actuator_count - f->first;
}

/* Slots alone say nothing: a device may have some and no motor. */
static int
find_effects(struct evdev *e)
{
    unsigned long ff[WORDS_FOR(FF_MAX)] = {0};
    int slots = 0;

    if (ioctl(e->fd, EVIOCGBIT(EV_FF, sizeof(ff)), ff) < 0 ||
        ioctl(e->fd, EVIOCGEFFECTS, &slots) < 0)
        return -errno;
    if (has_bit(ff, FF_RUMBLE) && slots > 0) {
        add_effect(e, EVDEV_RUMBLE, FF_RUMBLE, HP_ACTUATOR_LOW,
                   HP_ACTUATOR_HIGH);
        slots--;
    }
    if (has_bit(ff, FF_CONSTANT) && slots > 0)
        add_effect(e, EVDEV_FORCE, FF_CONSTANT, HP_ACTUATOR_AXIS_X,
                   HP_ACTUATOR_AXIS_Y);
    else if (has_bit(ff, FF_PERIODIC) && has_bit(ff, FF_SINE) &&
             !has_bit(ff, FF_RUMBLE) && slots > 0)
        add_effect(e, EVDEV_WAVE, FF_PERIODIC, HP_ACTUATOR_GENERIC, 0);
    return e->device.actuator_count > 0 ? 0 : -ENOTTY;
}

/* A serial number where the device has one, else the port it is plugged into. */
static void
name_device(struct evdev *e, const struct input_id *id)
{
    struct hp_device *d = &e->device;
    char place[64] = "";

    if (ioctl(e->fd, EVIOCGNAME(sizeof(d->name) - 1), d->name) < 0)
        snprintf(d->name, sizeof(d->name), "%s", e->node);
    if (ioctl(e->fd, EVIOCGUNIQ(sizeof(place) - 1), place) < 0 ||
        place[0] == '\0') {
        place[0] = '\0';
        if (ioctl(e->fd, EVIOCGPHYS(sizeof(place) - 1), place) < 0 ||
            place[0] == '\0')
            snprintf(place, sizeof(place), "%s", e->node);
    }
    d->vendor = id->vendor;
    d->product = id->product;
    snprintf(d->stable_id, sizeof(d->stable_id), "evdev:%04x:%04x:%s",
             id->vendor, id->product, place);
}

static int
write_event(const struct evdev *e, uint16_t code, int32_t value)
{
    struct input_event event = {.type = EV_FF, .code = code, .value = value};

    return write(e->fd, &event, sizeof(event)) < 0 ? -errno : 0;
}

int
evdev_open(struct evdev *e, const char *node)
{
    struct input_id id = {0};
    int err;

    memset(e, 0, sizeof(*e));
    snprintf(e->node, sizeof(e->node), "%s", node);
    e->fd = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (e->fd < 0)
        return -errno;
    if (ioctl(e->fd, EVIOCGID, &id) < 0) {
        err = -errno;
        evdev_close(e);
        return err;
    }
    e->interval_ns = id.bustype == BUS_BLUETOOTH ? BLUETOOTH_NS : WIRED_NS;
    err = find_effects(e);
    if (err < 0) {
        evdev_close(e);
        return err;
    }
    /* The kernel ends an effect in time, and all when we are gone. */
    e->device.flags = HP_DEVICE_HOLDS_DEADLINE;
    e->device.battery_percent = -1;
    name_device(e, &id);
    /* Somebody may have left it turned down; a device without one ignores it. */
    write_event(e, FF_GAIN, FULL_GAIN);
    return 0;
}

void
evdev_close(struct evdev *e)
{
    close(e->fd);
    e->fd = -1;
}

int
evdev_is_gone(const struct evdev *e)
{
    struct input_id id;

    return ioctl(e->fd, EVIOCGID, &id) < 0 && errno == ENODEV;
}

/* ---- what it does ---- */

static uint16_t
motor(const struct sound *sound)
{
    return (uint16_t)lrintf(sound->level * 0xffff);
}

/* The kernel's directions: 0 pulls to the user, a quarter turn to the left. */
static void
set_force(struct ff_effect *ff, const struct sound *x, const struct sound *y)
{
    double strength = hypot((double)x->level, (double)y->level);
    double turns = atan2(-(double)x->level, (double)y->level) / TWO_PI;

    ff->u.constant.level = (int16_t)lrint(fmin(strength, 1) * 0x7fff);
    ff->direction = (uint16_t)lrint((turns - floor(turns)) * TURN);
}

static void
set_wave(struct ff_effect *ff, const struct sound *sound)
{
    float hz = sound->hz > 0 ? fminf(fmaxf(sound->hz, 5), 200) : WAVE_HZ;

    ff->u.periodic.waveform = FF_SINE;
    ff->u.periodic.period = (uint16_t)lrintf(1000 / hz);
    ff->u.periodic.magnitude = (int16_t)lrintf(sound->level * 0x7fff);
}

static void
set_effect(struct evdev_effect *f, const struct sound *wanted)
{
    if (f->ff.type == FF_RUMBLE) {
        f->ff.u.rumble.strong_magnitude = motor(&wanted[0]);
        f->ff.u.rumble.weak_magnitude = motor(&wanted[1]);
    } else if (f->ff.type == FF_CONSTANT)
        set_force(&f->ff, &wanted[0], &wanted[1]);
    else
        set_wave(&f->ff, &wanted[0]);
}

static int
is_sounding(const struct evdev_effect *f, const struct sound *sounds)
{
    return sounds[0].level != 0 || (f->count == 2 && sounds[1].level != 0);
}

static int
is_changed(const struct evdev_effect *f, const struct sound *wanted)
{
    uint32_t i;

    for (i = 0; i < f->count; i++)
        if (wanted[i].level != f->sent[i].level ||
            wanted[i].hz != f->sent[i].hz)
            return 1;
    return 0;
}

static int
is_renewed(const struct evdev_effect *f, const struct sound *wanted)
{
    uint32_t i;

    for (i = 0; i < f->count; i++)
        if (wanted[i].level != 0 &&
            wanted[i].deadline_ns != f->sent[i].deadline_ns)
            return 1;
    return 0;
}

static void
remember(struct evdev_effect *f, const struct sound *wanted, uint64_t now_ns)
{
    memcpy(f->sent, wanted, sizeof(f->sent));
    f->sent_ns = now_ns;
}

/* A device that forgot the effect (it was reset) gets it as a new one. */
static int
upload(const struct evdev *e, struct evdev_effect *f)
{
    if (ioctl(e->fd, EVIOCSFF, &f->ff) == 0)
        return 0;
    if (errno != EINVAL || f->ff.id < 0)
        return -errno;
    f->ff.id = -1;
    return ioctl(e->fd, EVIOCSFF, &f->ff) < 0 ? -errno : 0;
}

static int
play(struct evdev *e, struct evdev_effect *f)
{
    int err = write_event(e, (uint16_t)f->ff.id, 1);

    if (err == 0)
        f->is_playing = 1;
    return err;
}

/* Uploads only what changed, since that may take long; playing again lets the
 * kernel's time begin anew. */
static int
serve_effect(struct evdev *e, struct evdev_effect *f,
             const struct sound *wanted, uint64_t now_ns)
{
    int changed = is_changed(f, wanted), err;

    if (changed && now_ns - f->sent_ns < e->interval_ns && f->is_playing)
        return 0; /* the newest of then is served then */
    if (!changed && (!is_renewed(f, wanted) || now_ns - f->sent_ns < AGAIN_NS))
        return 0;
    if (changed) {
        set_effect(f, wanted);
        err = upload(e, f);
        if (err < 0)
            return err;
    }
    remember(f, wanted, now_ns);
    return play(e, f);
}

static void
take(const struct evdev_effect *f, struct cell *cells, uint64_t now_ns,
     struct sound wanted[2])
{
    uint32_t i;

    memset(wanted, 0, 2 * sizeof(wanted[0]));
    for (i = 0; i < f->count; i++)
        wanted[i] = cell_take(&cells[f->first + i], now_ns);
}

static int
stop_effect(struct evdev *e, struct evdev_effect *f)
{
    static const struct sound nothing[2];

    f->is_playing = 0;
    remember(f, nothing, 0);
    return write_event(e, (uint16_t)f->ff.id, 0);
}

int
evdev_serve(struct evdev *e, struct cell *cells, uint64_t now_ns)
{
    struct evdev_effect *f;
    struct sound wanted[2];
    int err, worst = 0;

    for (f = e->effects; f < e->effects + EVDEV_EFFECTS; f++) {
        take(f, cells, now_ns, wanted);
        if (f->is_playing && !is_sounding(f, wanted)) {
            err = stop_effect(e, f);
            worst = err < 0 ? err : worst;
        }
    }
    for (f = e->effects; f < e->effects + EVDEV_EFFECTS; f++) {
        take(f, cells, now_ns, wanted);
        err = f->is_there && is_sounding(f, wanted)
                  ? serve_effect(e, f, wanted, now_ns)
                  : 0;
        worst = err < 0 ? err : worst;
    }
    return worst;
}

void
evdev_halt(struct evdev *e)
{
    struct evdev_effect *f;

    for (f = e->effects; f < e->effects + EVDEV_EFFECTS; f++)
        if (f->is_playing)
            stop_effect(e, f);
}
