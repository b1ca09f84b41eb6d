/*
 * One force-feedback device behind a kernel event node: what it can do, and
 * the effects that we keep in it. All calls are the device thread's but for the
 * cells, and may block on the device.
 */
#ifndef EVDEV_H
#define EVDEV_H

#include <hardpoint/haptics.h>
#include <linux/input.h>

#include "cell.h"

#define EVDEV_HOLD_MS 300 /* the kernel ends an effect by itself */

enum evdev_effect_kind {
    EVDEV_RUMBLE, /* low and high motor */
    EVDEV_FORCE,  /* a constant force on a stick's two axes */
    EVDEV_WAVE,   /* a periodic one, where there is nothing else */
    EVDEV_EFFECTS
};

/* One effect, uploaded again when it changes and played again to go on; never
 * a second slot of the device. */
struct evdev_effect {
    int is_there;
    uint32_t first; /* its first actuator */
    uint32_t count; /* of its actuators */
    struct ff_effect ff;
    struct sound sent[2];
    uint64_t sent_ns;
    int is_playing;
};

struct evdev {
    int fd; /* -1: not open */
    char node[40];
    struct hp_device device;
    struct evdev_effect effects[EVDEV_EFFECTS];
    uint64_t interval_ns; /* the fastest rate of changes it stands */
    int told_errno;
};

/* Opens a node and finds what it moves. -ENOTTY: it moves nothing; -EACCES; what
 * else open and ioctl say. */
int evdev_open(struct evdev *e, const char *node);
/* Its effects end with it. */
void evdev_close(struct evdev *e);
/* Tells the device what its cells hold: zeros first. `cells` has one for each
 * actuator. 0, or what the device said: -ENODEV when it is gone, -ENOSPC when
 * other programs have all its slots, -EIO. */
int evdev_serve(struct evdev *e, struct cell *cells, uint64_t now_ns);
/* Whether it was unplugged. */
int evdev_is_gone(const struct evdev *e);
/* All of its effects stop. */
void evdev_halt(struct evdev *e);

#endif
