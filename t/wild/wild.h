/*
 * What the plugins beside this have in common: their life, the parameter `does`
 * that says which harm to do, and the harms that any call can do. Define
 * HP_NAME, WILD_KIND and a const `ops`, then end with WILD_PLUGIN.
 */
#ifndef WILD_H
#define WILD_H

#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HP_VERSION "1.0.0"
#define HP_SUMMARY "does the harm that a test asks for"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

/* Harm is done from this tick on, so that all is well before. */
#define WILD_TICK 30

struct hp_instance {
    const struct hp_host *host;
    const char *does;
    uint32_t joined; /* the newest client + 1, 0: none */
    uint32_t record_bytes;
    unsigned long seen, bad; /* cues_watch */
};

/* volatile, so that no compiler sees through the fault. */
static int *volatile wild_nowhere;

static int
wild_does(const struct hp_instance *self, const char *what)
{
    return strcmp(self->does, what) == 0;
}

/* Too deep for any stack; the volatile keeps it from becoming a loop. */
__attribute__((unused)) static int
wild_dig(volatile int depth)
{
    volatile char room[4096];

    memset((char *)room, depth, sizeof(room));
    if (depth == -1)
        return 0;
    return wild_dig(depth + 1) + room[17];
}

/* Of the thread's own time: a machine that is busy makes it no longer. */
static void
wild_spin(double seconds)
{
    struct timespec start, now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((double)(now.tv_sec - start.tv_sec) +
               (double)(now.tv_nsec - start.tv_nsec) / 1e9 <
           seconds);
}

static void
wild_harm(const struct hp_instance *self, uint64_t tick)
{
    if (tick < WILD_TICK)
        return;
    if (wild_does(self, "write"))
        *wild_nowhere = 1;
    if (wild_does(self, "abort"))
        abort();
    if (wild_does(self, "trap"))
        __builtin_trap();
    if (wild_does(self, "overflow"))
        wild_dig(0);
    if (wild_does(self, "spin once") && tick == WILD_TICK)
        wild_spin(0.03);
    if (wild_does(self, "spin"))
        wild_spin(0.012);
}

/* Into what a call is shown, which is const to it. */
__attribute__((unused)) static void
wild_scribble(const struct hp_instance *self, const struct hp_view *view)
{
    if (view->tick < WILD_TICK)
        return;
    if (wild_does(self, "write view"))
        *(volatile char *)view->entities = 1;
    if (wild_does(self, "write events"))
        *(volatile char *)view->events = 1;
}

static int
wild_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    host->param_text(host, "does", 0, &self->does);
    *out = self;
    return 0;
}

static int
wild_start(struct hp_instance *self, const struct hp_limits *limits)
{
    if (limits->schema != NULL)
        self->record_bytes = limits->schema->record_bytes;
    return 0;
}

#ifndef WILD_STOP
static void
wild_stop(struct hp_instance *self)
{
    (void)self;
}
#    define WILD_STOP wild_stop
#endif

static void
wild_destroy(struct hp_instance *self)
{
    free(self);
}

static const struct hp_param wild_params[] = {
    {.name = "does",
     .unit = "",
     .preset = "nothing",
     .sentence = "which harm",
     .type = HP_PARAM_TEXT},
};

/* clang-format off */
#define WILD_PLUGIN \
    HP_PLUGIN_NOTE(WILD_KIND, 0); \
    HP_PLUGIN = {HP_PLUGIN_HEAD(WILD_KIND, 0), wild_params, \
                 HP_PARAMS(wild_params), wild_create, wild_start, WILD_STOP, \
                 wild_destroy, &ops, NULL, NULL}
/* clang-format on */

#endif
