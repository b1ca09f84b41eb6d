/*
 * The haptics thread: takes effect commands from the client's tick thread,
 * mixes, and gives every backend its levels. Woken by each command; else each
 * 4 ms while a level moves, each 100 ms while one stands; else asleep. A client
 * loop that shows no heartbeat for 250 ms releases everything.
 *
 * A backend with `work` gets a device thread. Devices are asked for on the main
 * thread; the mixer knows each by a slot that stands for (backend, id).
 */
#ifndef HAPTICS_H
#define HAPTICS_H

#include "effects.h"
#include "hist.h"
#include "instance.h"
#include "mixer.h"
#include "roles.h"

struct haptics;

#define HAPTICS_BACKENDS_MAX 8

struct haptics_config {
    struct clock *clock;
    struct instance *const *backends; /* started; borrowed */
    uint32_t backend_count;
    const struct effects *effects;
    uint64_t snapshot_interval_ns;
    int realtime; /* ask for SCHED_FIFO; a refusal is logged */
    int unsafe;   /* serve devices that would go on without this process */
    const char *only_device; /* its stable id or name; NULL: all. Borrowed */
    struct roles roles;      /* of [rig.NAME] */
};

/* -ENOMEM; -E2BIG: too many backends. */
int haptics_create(struct haptics **out, const struct haptics_config *config);
/* [main] Asks for devices, starts the thread, and one device thread for each
 * backend with `work`. -ENOMEM, -EAGAIN, -EMFILE, logged; haptics_stop is due
 * then too. */
int haptics_start(struct haptics *h);
/* [main] Silences every backend and ends the threads; the client's tick thread
 * has ended before. `of_caller` is the calling thread's place on the clock.
 * Accepts NULL. */
struct clock_waiter;
void haptics_stop(struct haptics *h, struct clock_waiter *of_caller);
void haptics_destroy(struct haptics *h);
/* [any] Async-signal-safe. The haptics thread silences every backend and ends
 * the process with `status`; for a second TERM. 1, or 0 when that thread has
 * not begun or is over, and so has nothing left to silence. */
int haptics_end_process(struct haptics *h, int status);

/* [main] Each second: asks every backend for its devices and hands a changed
 * list to the haptics thread. */
void haptics_poll_devices(struct haptics *h);
/* [main] The devices as of the last poll, until the next; `backend` is the
 * index of its owner in the configuration. */
uint32_t haptics_device_count(const struct haptics *h);
const struct hp_device *haptics_device(const struct haptics *h, uint32_t index,
                                       uint32_t *backend);

/* What an actuator of such a device has been told since the start. */
struct haptics_told {
    uint64_t levels;
    float peak; /* the strongest of them, with its sign */
};
/* [main] After haptics_stop. */
struct haptics_told haptics_told(const struct haptics *h, uint32_t index,
                                 uint32_t actuator);

/* [client tick] Lock-free: a ring write and one eventfd write. `cause_ns` is
 * the sample's time, or the event's as client_shares_clock has it. */
void haptics_post(struct haptics *h, const struct hp_effect_command *commands,
                  uint32_t count, uint64_t cause_ns);
/* [client tick] At least every 50 ms. */
void haptics_heartbeat(struct haptics *h, uint64_t now_ns);
/* [client tick] Pause, focus, menu, death. */
void haptics_scope(struct haptics *h, unsigned scope);
/* [main] A new set of effects; the old one may be freed on return. */
void haptics_set_effects(struct haptics *h, const struct effects *effects,
                         struct clock_waiter *of_caller);

/* [main] Other backends, started, in place of those there are; one that is in
 * both lists goes on. Everything is silent meanwhile, and what is held sounds
 * again with the next tick that holds it. Those that are in no list any more
 * have had their last call on return. -ENOMEM, -EAGAIN: what could not be
 * served is left out, logged. -E2BIG: nothing was changed. */
int haptics_swap(struct haptics *h, struct instance *const *backends,
                 uint32_t count, struct clock_waiter *of_caller);
/* [main] Other roles; in force on return. */
void haptics_set_roles(struct haptics *h, const struct roles *roles);

struct haptics_report {
    struct mixer_counters mixer;
    uint64_t commands, dropped, renders, heartbeats_lost;
    uint64_t devices;            /* there now */
    uint64_t swaps, swap_ns_max; /* of backends, and the longest silence */
};
/* [any] */
void haptics_report(const struct haptics *h, struct haptics_report *out);

/* Time from cause to the entry of the first backend's render, in ns, of each
 * start that led to one: predicted commands (from an input) and reactive ones
 * (from a snapshot). */
const struct hist *haptics_command_ns(const struct haptics *h);
const struct hist *haptics_event_ns(const struct haptics *h);

#endif
