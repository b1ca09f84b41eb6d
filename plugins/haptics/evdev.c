/*
 * haptics_evdev - pads and force-feedback sticks through the kernel's event
 * nodes, without a library between.
 *
 * An effect lasts 300 ms by the kernel's own timer and is played again while its
 * level is renewed: a host that is stopped falls silent in that time, one that
 * is killed at once, since the kernel ends the effects of a file that is closed.
 * So there is nothing that a guardian would have to do.
 *
 * render (the haptics thread) leaves the newest levels in cells; work (the
 * device thread) alone touches the nodes.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* FNM_CASEFOLD */
#endif
#include "evdev.h"
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <grp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define HP_NAME    "evdev"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "pads and force-feedback sticks, through the kernel alone"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

#define MS        UINT64_C(1000000)
#define LOOK_NS   (250 * MS) /* for devices that came or went */
#define PAUSE_NS  MS         /* between looks at the cells while one moves */
#define LOOKS_MAX 50         /* in one call */
#define PADS_MAX  8
#define NODES_MAX 256
#define FOLDER    "/dev/input"
#define CELLS_MAX 5

/* clang-format off */
static const struct hp_param params[] = {
    {.name = "device", .unit = "", .preset = "*", .type = HP_PARAM_TEXT,
     .sentence = "Which devices: a pattern for the name (*Xbox*), or vendor "
                 "and product as 045e:0b13."},
};
/* clang-format on */

struct pad {
    struct evdev evdev;          /* fd -1: the place is free */
    _Atomic uint32_t generation; /* of what is here now; 0: nothing */
    _Atomic uint32_t is_signed;  /* a bit for each actuator that is */
    struct cell cells[CELLS_MAX];
};

struct hp_instance {
    const struct hp_host *host;
    char wanted[96];
    pthread_mutex_t lock; /* of the pads' descriptions; never in [rt] */
    struct pad pads[PADS_MAX];
    uint32_t generation;        /* the newest given */
    uint64_t looked_ns;         /* 0: never */
    uint64_t passed[NODES_MAX]; /* what a node was when it was no use */
    int full_told;
};

static int
evdev_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    const char *wanted;
    struct pad *p;
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
    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        p->evdev.fd = -1;
    pthread_mutex_init(&self->lock, NULL);
    *out = self;
    return 0;
}

static int
evdev_start(struct hp_instance *self, const struct hp_limits *limits)
{
    DIR *folder = opendir(FOLDER);

    (void)limits;
    if (folder == NULL)
        return self->host->fail(self->host, -ENODEV,
                                FOLDER " cannot be read: there are no input "
                                       "devices here, or this is a container "
                                       "without them");
    closedir(folder);
    self->looked_ns = 0;
    self->full_told = 0;
    memset(self->passed, 0, sizeof(self->passed));
    return 0;
}

/* ---- devices come and go: the device thread ---- */

static int
is_wanted(const struct hp_instance *self, const struct hp_device *d)
{
    char ids[16];

    snprintf(ids, sizeof(ids), "%04x:%04x", d->vendor, d->product);
    return fnmatch(self->wanted, d->name, FNM_CASEFOLD) == 0 ||
           strcasecmp(self->wanted, ids) == 0;
}

static struct pad *
free_place(struct hp_instance *self)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        if (p->evdev.fd < 0)
            return p;
    if (!self->full_told)
        self->host->log(self->host, HP_LOG_WARNING,
                        "more than 8 devices: the others stay still; name one "
                        "by `device`");
    self->full_told = 1;
    return NULL;
}

static struct pad *
pad_at(struct hp_instance *self, const char *node)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        if (p->evdev.fd >= 0 && strcmp(p->evdev.node, node) == 0)
            return p;
    return NULL;
}

static void
pad_clear(struct pad *p)
{
    int i;

    for (i = 0; i < CELLS_MAX; i++)
        cell_clear(&p->cells[i]);
}

static void
pad_close(struct hp_instance *self, struct pad *p)
{
    atomic_store_explicit(&p->generation, 0, memory_order_release);
    pthread_mutex_lock(&self->lock);
    evdev_close(&p->evdev);
    pthread_mutex_unlock(&self->lock);
    pad_clear(p);
}

/* Whether the kernel says that a node moves something, which may be asked even
 * where the node may not be opened. */
static int
claims_motors(const char *node)
{
    char path[100], text[64] = "";
    FILE *f;

    snprintf(path, sizeof(path), "/sys/class/input/%s/device/capabilities/ff",
             strrchr(node, '/') + 1);
    f = fopen(path, "r");
    if (f == NULL)
        return 0;
    if (fgets(text, sizeof(text), f) == NULL)
        text[0] = '\0';
    fclose(f);
    return strpbrk(text, "123456789abcdef") != NULL;
}

static void
tell_forbidden(const struct hp_instance *self, const char *node,
               const struct stat *st)
{
    const struct group *group = getgrgid(st->st_gid);
    char text[300];

    if (group != NULL && st->st_mode & S_IWGRP && st->st_gid != 0)
        snprintf(text, sizeof(text),
                 "%s has motors and may not be opened: join its group, %s "
                 "(usermod -aG %s USER), and log in again",
                 node, group->gr_name, group->gr_name);
    else
        snprintf(text, sizeof(text),
                 "%s has motors and may not be opened: its group may not "
                 "write; a udev rule with MODE=\"0660\", GROUP=\"input\" "
                 "mends that",
                 node);
    self->host->log(self->host, HP_LOG_WARNING, text);
}

static uint32_t
signed_actuators(const struct hp_device *d)
{
    uint32_t i, bits = 0;

    for (i = 0; i < d->actuator_count; i++)
        if (d->actuators[i].flags & HP_ACTUATOR_SIGNED)
            bits |= 1u << i;
    return bits;
}

/* Returns 0 when the node is one of ours now, or may be soon. */
static int
pad_open(struct hp_instance *self, const char *node, const struct stat *st)
{
    struct pad *p = free_place(self);
    struct evdev found;
    int err;

    if (p == NULL)
        return 0;
    err = evdev_open(&found, node);
    if ((err == -EACCES || err == -EPERM) && claims_motors(node))
        tell_forbidden(self, node, st);
    if (err < 0)
        return err;
    if (!is_wanted(self, &found.device)) {
        evdev_close(&found);
        return -ENODEV;
    }
    found.device.id = (uint32_t)(p - self->pads);
    found.device.generation = ++self->generation;
    pad_clear(p);
    atomic_store(&p->is_signed, signed_actuators(&found.device));
    pthread_mutex_lock(&self->lock);
    p->evdev = found;
    pthread_mutex_unlock(&self->lock);
    atomic_store_explicit(&p->generation, found.device.generation,
                          memory_order_release);
    return 0;
}

/* What tells a node from the one that had its name before, and from itself with
 * other permissions. */
static uint64_t
mark_of(const struct stat *st)
{
    return ((uint64_t)st->st_ino * 1000003u ^ (uint64_t)st->st_ctim.tv_sec) *
               1000003u ^
           (uint64_t)st->st_ctim.tv_nsec ^ 1;
}

static void
look_at(struct hp_instance *self, unsigned number)
{
    struct stat st;
    char node[40];

    snprintf(node, sizeof(node), FOLDER "/event%u", number);
    if (pad_at(self, node) != NULL || stat(node, &st) < 0 ||
        self->passed[number] == mark_of(&st))
        return;
    self->passed[number] = pad_open(self, node, &st) < 0 ? mark_of(&st) : 0;
}

static void
look_for_pads(struct hp_instance *self)
{
    DIR *folder = opendir(FOLDER);
    const struct dirent *entry;
    unsigned number;
    char rest;

    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL)
        if (sscanf(entry->d_name, "event%u%c", &number, &rest) == 1 &&
            number < NODES_MAX)
            look_at(self, number);
    closedir(folder);
}

/* ---- levels ---- */

/* [rt] */
static int
evdev_render(struct hp_instance *self, const struct hp_levels *levels)
{
    const char *at = (const char *)levels->levels;
    const struct hp_level *level;
    struct pad *p;
    uint32_t i, is_signed;

    for (i = 0; i < levels->count; i++, at += levels->stride) {
        level = (const struct hp_level *)at;
        if (level->device >= PADS_MAX || level->actuator >= CELLS_MAX ||
            level->generation == 0)
            continue;
        p = &self->pads[level->device];
        if (level->generation !=
            atomic_load_explicit(&p->generation, memory_order_acquire))
            continue;
        is_signed = atomic_load_explicit(&p->is_signed, memory_order_relaxed) &
                    1u << level->actuator;
        cell_put(&p->cells[level->actuator], level->level, is_signed ? -1 : 0,
                 level->frequency_hz, level->deadline_ns);
    }
    return 0;
}

/* [any] The device thread looks at the cells each millisecond while a device
 * moves. */
static int
evdev_silence(struct hp_instance *self)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        pad_clear(p);
    return 0;
}

/* Once for each kind of trouble of a device. */
static void
tell_trouble(const struct hp_instance *self, struct evdev *e, int err)
{
    char text[300];

    if (err == e->told_errno)
        return;
    e->told_errno = err;
    snprintf(text, sizeof(text), "\"%s\" (%s): %s%s", e->device.name, e->node,
             strerror(-err),
             err == -ENOSPC ? ": other programs have all its effect slots; it "
                              "is felt again when one of them lets go"
                            : "");
    self->host->log(self->host, HP_LOG_WARNING, text);
}

static int
is_moving(const struct pad *p)
{
    int i;

    for (i = 0; i < EVDEV_EFFECTS; i++)
        if (p->evdev.effects[i].is_playing)
            return 1;
    return 0;
}

/* Returns whether any device moves. */
static int
serve_pads(struct hp_instance *self, uint64_t now_ns)
{
    struct pad *p;
    int err, moves = 0;

    for (p = self->pads; p < self->pads + PADS_MAX; p++) {
        if (p->evdev.fd < 0)
            continue;
        err = evdev_serve(&p->evdev, p->cells, now_ns);
        if (err == -ENODEV) {
            pad_close(self, p);
            continue;
        }
        if (err < 0)
            tell_trouble(self, &p->evdev, err);
        moves |= is_moving(p);
    }
    return moves;
}

static void
drop_the_gone(struct hp_instance *self)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++)
        if (p->evdev.fd >= 0 && evdev_is_gone(&p->evdev))
            pad_close(self, p);
}

/* [device] While a device moves it stays, since a deadline must be kept; a level
 * that comes meanwhile waits for a millisecond at most. The count ends it on a
 * clock that stands still. */
static int
evdev_work(struct hp_instance *self, uint64_t until_ns)
{
    uint64_t now_ns = self->host->now_ns(self->host);
    int i;

    if (self->looked_ns == 0 || now_ns - self->looked_ns >= LOOK_NS) {
        drop_the_gone(self);
        look_for_pads(self);
        self->looked_ns = now_ns;
    }
    for (i = 0; i < LOOKS_MAX; i++) {
        if (!serve_pads(self, now_ns) || now_ns >= until_ns)
            break;
        usleep(PAUSE_NS / 1000);
        now_ns = self->host->now_ns(self->host);
    }
    return 0;
}

/* ---- for the main thread ---- */

static int
evdev_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    struct hp_device *to = sink->devices;
    struct pad *p;
    int err = 0;

    sink->count = 0;
    pthread_mutex_lock(&self->lock);
    for (p = self->pads; p < self->pads + PADS_MAX; p++) {
        if (p->evdev.fd < 0)
            continue;
        if (sink->count == sink->capacity) {
            err = -ENOSPC;
            break;
        }
        *to = p->evdev.device;
        to = (struct hp_device *)((char *)to + sink->stride);
        sink->count++;
    }
    pthread_mutex_unlock(&self->lock);
    return err;
}

/* The device thread has ended. */
static void
evdev_stop(struct hp_instance *self)
{
    struct pad *p;

    for (p = self->pads; p < self->pads + PADS_MAX; p++) {
        if (p->evdev.fd < 0)
            continue;
        evdev_halt(&p->evdev);
        pad_close(self, p);
    }
}

static void
evdev_destroy(struct hp_instance *self)
{
    if (self == NULL)
        return;
    pthread_mutex_destroy(&self->lock);
    free(self);
}

static const struct hp_haptics_ops ops = {
    .size = sizeof(ops),
    .devices = evdev_devices,
    .render = evdev_render,
    .work = evdev_work,
    .silence = evdev_silence,
};

/* clang-format off */
HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
    params, HP_PARAMS(params),
    evdev_create, evdev_start, evdev_stop, evdev_destroy, &ops, NULL, NULL,
};
/* clang-format on */
