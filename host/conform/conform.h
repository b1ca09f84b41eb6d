/* hardpoint-conform: what conform.c (a backend on a bench of its own) gives the
 * rules (rules.c). */
#ifndef CONFORM_H
#define CONFORM_H

#include "far_side.h"
#include "setup.h"
#include <clock.h>
#include <crew.h>
#include <pthread.h>
#include <stdatomic.h>

#define BENCH_MS           UINT64_C(1000000)
#define BENCH_PATIENCE_MS  2000 /* for what must happen */
#define BENCH_DEVICES_MAX  32
#define BENCH_SETTINGS_MAX 32

struct bench {
    const char *name;           /* of the backend */
    const struct far_side *far; /* NULL: the contract alone is judged */
    const char *only;           /* the one rule to try; NULL: all */
    const char *settings[BENCH_SETTINGS_MAX + 1];
    int setting_count;

    struct setup setup;
    struct clock *clock;
    struct crew crew;
    struct instance *instance; /* NULL: not up */
    const struct hp_haptics_ops *ops;
    struct hp_instance *self;

    /* The device thread, as the host has one. */
    pthread_t thread;
    int has_thread;
    _Atomic int stop;
    _Atomic uint32_t renders;
    _Atomic uint64_t due_ns; /* when work is to be back; 0: it is */

    struct hp_device devices[BENCH_DEVICES_MAX]; /* as bench_list found them */
    uint32_t device_count;
};

/* Starts the backend anew, with its device thread, and lists its devices once
 * one has shown. 0, or a negative errno that was told. */
int bench_up(struct bench *b);
/* As a host stops one. Accepts one that is not up. */
void bench_down(struct bench *b);
/* The same without a word of silence before. */
void bench_drop(struct bench *b);
/* Asks for the devices; what `devices` returned. */
int bench_list(struct bench *b);
/* One level for an actuator of the first device, good for `good_ms`. */
void bench_render(struct bench *b, uint32_t actuator, float level,
                  unsigned good_ms);
void bench_pause(unsigned ms);
uint64_t bench_now_ns(const struct bench *b);

/* What the far side does with an actuator now; 0 where it cannot tell. */
double bench_felt(const struct bench *b, uint32_t actuator);
/* Whether it can tell of it. */
int bench_feels(const struct bench *b, uint32_t actuator);
/* Waits for it to move, or to be still; 1 when it is so in time. The level is
 * renewed meanwhile when `level` is not 0. */
int bench_await(struct bench *b, uint32_t actuator, int moving, float level);

/* One rule. It returns 0 when it is kept; else `found` says what was found. */
struct bench_rule {
    const char *name;
    const char *sentence;
    int needs_far;
    int (*judge)(struct bench *b, char *found, size_t bytes);
};
/* Ends with a NULL name. */
extern const struct bench_rule bench_rules[];

/* Those that need no library. */
extern const struct far_side far_trace, far_osc, far_audio;

#endif
