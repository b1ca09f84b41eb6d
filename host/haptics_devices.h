/*
 * Which devices there are: asked of every backend on the main thread, handed to
 * the haptics thread without a lock.
 *
 * Three lists go round: the main thread fills one, the haptics thread reads
 * one, and the third lies between them. Each side swaps its own for the one
 * between, so a list has one owner at any time.
 */
#ifndef HAPTICS_DEVICES_H
#define HAPTICS_DEVICES_H

#include "haptics_guard.h"
#include "instance.h"
#include "mixer.h"
#include "roles.h"
#include <stdatomic.h>

/* Whose the mixer's device of one number is. */
struct haptics_slot {
    uint32_t used;
    uint32_t backend;
    uint32_t id; /* the backend's own number */
    float gain;  /* of its role */
};

#define HAPTICS_CANDIDATES_MAX (4 * MIXER_DEVICES_MAX)

struct haptics_device_list {
    uint32_t count;
    struct hp_device devices[MIXER_DEVICES_MAX]; /* id: the slot */
    struct haptics_slot slots[MIXER_DEVICES_MAX];
};

struct haptics_devices {
    struct haptics_device_list lists[3];
    struct haptics_device_list now; /* main: what was handed over last */
    /* Main: what all backends have, and who is to move it. */
    struct hp_device answers[HAPTICS_CANDIDATES_MAX];
    struct roles_candidate candidates[HAPTICS_CANDIDATES_MAX];
    uint32_t candidate_count;
    int roles_told[ROLES_MAX]; /* whose role has found: the candidate, or -1 */
    const struct roles *roles;
    uint32_t filled;          /* main: its list */
    uint32_t read;            /* haptics thread: its list */
    _Atomic uint32_t between; /* a list, and whether it is new */
    const char *only; /* stable id or name of the one to serve; NULL: all */
    int full_told;
    int weak_told; /* a battery: once is enough */
};

/* `roles` is borrowed. */
void haptics_devices_init(struct haptics_devices *d, const char *only,
                          const struct roles *roles);
/* [main] The backends are others from now on: the next poll hands over its list
 * whatever it is. Their numbers must not be read before. */
void haptics_devices_forget(struct haptics_devices *d);
/* [main] The roles are: they are told anew. */
void haptics_devices_forget_roles(struct haptics_devices *d);
/* [main] Asks every backend; what `guard` does not allow is left out. 1 when
 * the list changed and was handed over. */
int haptics_devices_poll(struct haptics_devices *d, struct haptics_guard *guard,
                         struct instance *const *backends, uint32_t count);
/* [rt] The list when there is a new one, else NULL; stays until the next. */
const struct haptics_device_list *haptics_devices_take(
    struct haptics_devices *d);

#endif
