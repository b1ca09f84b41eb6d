#include "bench_sim.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECES_A_THREAD 4

static void
host_log(const struct hp_host *host, uint32_t level, const char *text)
{
    (void)host;
    if (level <= HP_LOG_ERROR)
        fprintf(stderr, "hardpoint bench-sim: %s\n", text);
}

static int
host_fail(const struct hp_host *host, int code, const char *sentence)
{
    (void)host;
    fprintf(stderr, "hardpoint bench-sim: %s\n", sentence);
    return code;
}

/* What was set, or the row's own default. */
static const char *
value_of(const struct hp_host *host, const char *name)
{
    const struct bench_host *h = host->context;
    uint32_t i;

    for (i = 0; i < h->row_count; i++)
        if (strcmp(h->rows[i].name, name) == 0)
            return h->rows[i].value;
    for (i = 0; i < hp_plugin_v1.param_count; i++)
        if (strcmp(hp_plugin_v1.params[i].name, name) == 0)
            return hp_plugin_v1.params[i].preset;
    return NULL;
}

static int
host_int(const struct hp_host *host, const char *name, uint32_t index,
         int64_t *out)
{
    const char *value = value_of(host, name);

    if (value == NULL || index > 0)
        return -ENOENT;
    *out = strtoll(value, NULL, 10);
    return 0;
}

static int
host_real(const struct hp_host *host, const char *name, uint32_t index,
          double *out)
{
    const char *value = value_of(host, name);

    if (value == NULL || index > 0)
        return -ENOENT;
    *out = strtod(value, NULL);
    return 0;
}

static int
host_flag(const struct hp_host *host, const char *name, int *out)
{
    const char *value = value_of(host, name);

    if (value == NULL)
        return -ENOENT;
    *out = strcmp(value, "yes") == 0;
    return 0;
}

static int
host_text(const struct hp_host *host, const char *name, uint32_t index,
          const char **out)
{
    const char *value = value_of(host, name);

    if (value == NULL || index > 0)
        return -ENOENT;
    *out = value;
    return 0;
}

/* Takes pieces until there are none. */
static void
run_pieces(struct bench_host *h)
{
    uint64_t ticket = atomic_load(&h->ticket);
    uint32_t piece, done = 0;

    while ((uint32_t)ticket != 0) {
        if (!atomic_compare_exchange_weak(&h->ticket, &ticket, ticket - 1))
            continue;
        piece = h->pieces - (uint32_t)ticket;
        h->run(h->context, (uint32_t)((uint64_t)h->count * piece / h->pieces),
               (uint32_t)((uint64_t)h->count * (piece + 1) / h->pieces));
        done++;
        ticket = atomic_load(&h->ticket);
    }
    if (done > 0)
        atomic_fetch_sub(&h->undone, done);
}

static void *
helper_main(void *argument)
{
    struct bench_host *h = argument;
    int idle = 0;

    while (!atomic_load(&h->stopping)) {
        if ((uint32_t)atomic_load(&h->ticket) != 0) {
            run_pieces(h);
            idle = 0;
        } else if (++idle > 20000) {
            sched_yield();
        }
    }
    return NULL;
}

static void
host_jobs(const struct hp_host *host,
          void (*run)(void *context, uint32_t first, uint32_t end),
          void *context, uint32_t count, uint32_t grain)
{
    struct bench_host *h = host->context;
    uint32_t pieces = count / (grain == 0 ? 1 : grain);
    uint64_t call = (atomic_load(&h->ticket) >> 32) + 1;

    if (pieces > h->threads * PIECES_A_THREAD)
        pieces = h->threads * PIECES_A_THREAD;
    if (h->threads < 2 || pieces < 2) {
        if (count > 0)
            run(context, 0, count);
        return;
    }
    h->run = run;
    h->context = context;
    h->count = count;
    h->pieces = pieces;
    atomic_store(&h->undone, pieces);
    atomic_store(&h->ticket, call << 32 | pieces);
    run_pieces(h);
    while (atomic_load(&h->undone) != 0)
        ;
}

int
bench_host_init(struct bench_host *h, uint32_t threads)
{
    int err;

    memset(h, 0, sizeof(*h));
    h->host = (struct hp_host){
        .size = sizeof(h->host),
        .abi_major = HP_ABI_MAJOR,
        .abi_minor = HP_ABI_MINOR,
        .side = HP_SIDE_SERVER,
        .log = host_log,
        .fail = host_fail,
        .param_flag = host_flag,
        .param_int = host_int,
        .param_real = host_real,
        .param_text = host_text,
        .context = h,
        .jobs = host_jobs,
    };
    for (h->threads = 1; h->threads < threads; h->threads++) {
        err = pthread_create(&h->helpers[h->threads], NULL, helper_main, h);
        if (err != 0) {
            bench_host_finish(h);
            return -err;
        }
    }
    return 0;
}

void
bench_host_set(struct bench_host *h, const char *name, const char *value)
{
    h->rows[h->row_count].name = name;
    h->rows[h->row_count++].value = value;
}

void
bench_host_finish(struct bench_host *h)
{
    uint32_t i;

    atomic_store(&h->stopping, 1);
    for (i = 1; i < h->threads; i++)
        pthread_join(h->helpers[i], NULL);
}
