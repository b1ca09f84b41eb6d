/* What haptics.c (who may say what) and haptics_thread.c share. */
#ifndef HAPTICS_PRIVATE_H
#define HAPTICS_PRIVATE_H

#include "clock.h"
#include "haptics.h"
#include "haptics_devices.h"
#include "haptics_guard.h"
#include "haptics_ring.h"

#define HAPTICS_NS_PER_MS   1000000ull
#define HAPTICS_PENDING_MAX 64

/* One started plugin, and its device thread when it has slow work to do. */
struct backend {
    struct haptics *haptics;
    struct instance *instance;
    const struct hp_haptics_ops *ops;
    struct clock_waiter *waiter;
    struct clock_thread *thread;
    _Atomic uint32_t renders; /* so that work done meanwhile is not missed */
    _Atomic int idle;         /* the device thread waits for a render */
    _Atomic int stop;         /* the device thread */
    int render_err;           /* what was told last */
    int work_err;
    char thread_name[16];
};

/* A start whose way to the first render is being measured. */
struct pending {
    uint64_t cause_ns;
    int predicted;
};

struct haptics {
    struct haptics_config config;
    struct backend *backends[HAPTICS_BACKENDS_MAX];
    struct clock_waiter *waiter;
    struct clock_thread *thread;

    /* What other threads say. */
    struct haptics_ring ring;
    struct haptics_devices devices;
    struct haptics_guard guard;
    _Atomic(const struct effects *) offered; /* NULL once it is in use */
    _Atomic uint64_t heartbeat_ns;
    _Atomic unsigned scope;
    _Atomic int stop;    /* the haptics thread */
    _Atomic int park;    /* it: silence, and leave the backends alone */
    _Atomic int parked;  /* it does */
    _Atomic int running; /* the haptics thread's waiter is good */
    _Atomic int hurry;   /* exit status: silence and end the process */
    _Atomic uint64_t dropped;

    /* The haptics thread's own. */
    struct mixer *mixer;
    unsigned scope_taken;
    int heartbeat_lost;
    uint64_t tick; /* newest cause, to name in a fault */
    struct pending pending[HAPTICS_PENDING_MAX];
    uint32_t pending_count;
    struct haptics_slot slots[MIXER_DEVICES_MAX];
    struct {
        uint32_t generation, actuator_count;
    } served[MIXER_DEVICES_MAX];              /* by slot, as `slots` */
    struct hp_level levels[MIXER_LEVELS_MAX]; /* of one backend */
    struct haptics_told told[MIXER_DEVICES_MAX][HP_DEVICE_ACTUATORS_MAX];

    /* What others may read. */
    struct hist command_ns;
    struct hist event_ns;
    _Atomic uint64_t commands, renders, heartbeats_lost, device_count;
    _Atomic uint64_t swaps, swap_ns_max;
    /* In the order of the struct. */
    _Atomic uint64_t
        mixer_counts[sizeof(struct mixer_counters) / sizeof(uint64_t)];
};

/* The haptics thread; `argument` is the struct haptics. */
void haptics_main(void *argument);

/* [any] */
void haptics_silence_backends(struct haptics *h);
void backend_silence(struct backend *b);

/* [rt] and [device] An error is told when it begins or changes, not at each
 * call; `told` remembers it. */
void backend_tell_error(const struct backend *b, const char *call, int err,
                        int *told);

#endif
