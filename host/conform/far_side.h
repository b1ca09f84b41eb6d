/*
 * The far side of a haptics backend: what its device does, seen from the
 * device. `hardpoint haptics conform NAME` plugs one behind a backend, drives the backend,
 * and judges by what the far side felt.
 *
 * A backend of your own gets one as a shared object that defines `hp_far_side`:
 * `hardpoint haptics conform NAME --far-side FILE.so`. It runs in the process
 * that drives the backend; all calls come from one thread.
 */
#ifndef FAR_SIDE_H
#define FAR_SIDE_H

#include <hardpoint/haptics.h>
#include <stddef.h>

#define FAR_SETTINGS_MAX 8

struct far_setting {
    char text[200]; /* "haptics.osc.target=127.0.0.1:9001" */
};

struct far_side {
    /* A library that must stand before libc, or NULL. */
    const char *preload;
    /* Before the plugin is opened: makes the surroundings it needs and says
     * which settings make it find them. The number of settings, or a negative
     * errno: it cannot be tried here, and `why` says why not. */
    int (*begin)(struct far_setting settings[FAR_SETTINGS_MAX], char *why,
                 size_t why_bytes);
    /* After start: the device appears. NULL: it was there. 0 or negative. */
    int (*plug)(void);
    /* What the device does now with one of the actuators that the backend has
     * told of: -1..1, 0 is silence. -ENOENT: it cannot tell of that one. */
    int (*felt)(const struct hp_device *device, uint32_t actuator,
                double *level);
    /* After all. May be NULL. */
    void (*end)(void);
    /* After each stop: the device that `plug` made goes. May be NULL. */
    void (*unplug)(void);
};

extern const struct far_side hp_far_side;

#endif
