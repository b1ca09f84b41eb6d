/*
 * Which devices would go on without this process, and whether the guardian
 * stops them then. Main thread; haptics_guard_beat is the haptics thread's.
 */
#ifndef HAPTICS_GUARD_H
#define HAPTICS_GUARD_H

#include "guardian.h"
#include "instance.h"
#include <stdatomic.h>

struct haptics_guard {
    int off;    /* a virtual clock: nothing real moves */
    int unsafe; /* [haptics] unsafe: serve them all */
    int failed; /* the guardian could not be started: told */
    uint32_t count;
    struct hp_guard guards[GUARDIAN_GUARDS_MAX];
    uint32_t backends[GUARDIAN_GUARDS_MAX]; /* whose each guard is */
    uint32_t refused_count;
    uint32_t refused[GUARDIAN_GUARDS_MAX]; /* backend << 16 | device: told */
    struct guardian *process;              /* main thread's name for it */
    _Atomic(struct guardian *) beating;    /* the haptics thread's */
    uint64_t beaten_ns;                    /* haptics thread: last word sent */
    uint64_t sounded_ns;                   /* and when something last moved */
    int active;
};

/* Asks every backend what the guardian must know and tells it, starting it
 * when there is something to tell. */
void haptics_guard_poll(struct haptics_guard *g,
                        struct instance *const *backends, uint32_t count);
/* The backends are others from now on. */
void haptics_guard_forget(struct haptics_guard *g);
/* Whether a device may be served. Says once why not. */
int haptics_guard_allows(struct haptics_guard *g, uint32_t backend,
                         const struct instance *i,
                         const struct hp_device *device);
/* [rt] Before anything moves, and while it does. Returns when to call again. */
uint64_t haptics_guard_beat(struct haptics_guard *g, int sounding,
                            uint64_t now_ns);
/* After both haptics and device threads have ended. */
void haptics_guard_finish(struct haptics_guard *g);

#endif
