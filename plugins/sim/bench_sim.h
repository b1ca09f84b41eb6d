/* The host that bench-sim gives the sim: rows by name, and threads for its
 * jobs. */
#ifndef SIM_BENCH_SIM_H
#define SIM_BENCH_SIM_H

#include <hardpoint/hardpoint.h>
#include <pthread.h>
#include <stdatomic.h>

#define BENCH_THREADS_MAX 64
#define BENCH_ROWS_MAX    8

struct bench_host {
    struct hp_host host;
    struct {
        const char *name;
        const char *value;
    } rows[BENCH_ROWS_MAX];
    uint32_t row_count;

    /* A call of `jobs`; helpers spin for the next one, as a benchmark may. */
    uint32_t threads;
    pthread_t helpers[BENCH_THREADS_MAX];
    void (*run)(void *context, uint32_t first, uint32_t end);
    void *context;
    uint32_t count, pieces;
    _Atomic uint64_t ticket; /* call above, pieces left below */
    _Atomic uint32_t undone;
    _Atomic int stopping;
};

/* Starts `threads` - 1 helpers. -errno. */
int bench_host_init(struct bench_host *h, uint32_t threads);
void bench_host_set(struct bench_host *h, const char *name, const char *value);
void bench_host_finish(struct bench_host *h);

#endif
