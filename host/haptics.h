/*
 * The haptics thread: takes effect commands from the client's tick thread,
 * mixes, and gives every backend its levels. Woken by each command; else each
 * 4 ms while anything sounds; else asleep. A client loop that shows no
 * heartbeat for 250 ms releases everything.
 */
#ifndef HAPTICS_H
#define HAPTICS_H

#include "effects.h"
#include "hist.h"
#include "instance.h"
#include "mixer.h"

struct haptics;

#define HAPTICS_BACKENDS_MAX 8

struct haptics_config {
    struct clock *clock;
    struct instance *const *backends; /* started; borrowed */
    uint32_t backend_count;
    const struct effects *effects;
    uint64_t snapshot_interval_ns;
    int realtime; /* ask for SCHED_FIFO; a refusal is logged */
};

int haptics_create(struct haptics **out, const struct haptics_config *config);
/* Starts the thread, and one device thread for each backend with `work`. */
int haptics_start(struct haptics *h);
/* Silences every backend and ends the threads; `of_caller` is the calling
 * thread's place on the clock. Accepts NULL. */
struct clock_waiter;
void haptics_stop(struct haptics *h, struct clock_waiter *of_caller);
void haptics_destroy(struct haptics *h);

/* [client tick] Lock-free: a ring write and one eventfd write. `cause_ns` is
 * the sample's time or the snapshot's arrival. */
void haptics_post(struct haptics *h, const struct hp_effect_command *commands,
                  uint32_t count, uint64_t cause_ns);
/* [client tick] At least every 50 ms. */
void haptics_heartbeat(struct haptics *h, uint64_t now_ns);
/* [client tick] Pause, focus, menu, death. */
void haptics_scope(struct haptics *h, unsigned scope);
/* [main] A new set of effects; the old one may be freed on return. */
void haptics_set_effects(struct haptics *h, const struct effects *effects,
                         struct clock_waiter *of_caller);

struct haptics_report {
    struct mixer_counters mixer;
    uint64_t commands, dropped, renders, heartbeats_lost;
    uint64_t devices;
};
void haptics_report(const struct haptics *h, struct haptics_report *out);

/* Time from cause to the entry of a backend's render, in ns: predicted
 * commands (from an input) and reactive ones (from a snapshot). */
const struct hist *haptics_command_ns(const struct haptics *h);
const struct hist *haptics_event_ns(const struct haptics *h);

#endif
