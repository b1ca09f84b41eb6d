/*
 * hardpoint bench-sim: what a tick of the world costs, by number of aircraft,
 * planet, pattern and threads. Client aircraft manoeuvre by inputs that follow
 * from their number; the others are the sim's own.
 */
#include "bench_sim.h"
#include "schema.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WARM_UP   60
#define TICKS_MAX 100000

struct bench_case {
    uint32_t aircraft;
    const char *planet;
    const char *pattern; /* NULL: players who manoeuvre */
    uint32_t threads;
};

struct bench_result {
    uint32_t ticks;
    double p50_ns, p99_ns, mean_ns; /* of a tick: step and view */
};

static void
usage(FILE *to)
{
    fprintf(to, "usage: hardpoint bench-sim [--ticks N] [--json]\n"
                "       [--aircraft N] [--planet flat|wgs84]\n"
                "       [--pattern manoeuvre|loiter|formation|dogfight|mixed] "
                "[--threads N]\n");
}

static uint64_t
now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int
in_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Weaves: rolls and pulls, each aircraft at its own time. */
static void
manoeuvre(struct hp_client_input *inputs, uint32_t count, uint64_t tick)
{
    static const int16_t rolls[] = {0, 12000, 0, -12000, 6000, 0, -6000, 0};
    static const int16_t pulls[] = {2000, 9000,  14000, 8000,
                                    3000, -1500, 0,     5000};
    uint32_t i, phase;

    for (i = 0; i < count; i++) {
        phase = (uint32_t)(tick / 30 + i * 5) % 8;
        memset(&inputs[i], 0, sizeof(inputs[i]));
        inputs[i].client = i;
        inputs[i].input.axes[HP_AXIS_ROLL] = rolls[phase];
        inputs[i].input.axes[HP_AXIS_PITCH] = pulls[phase];
        inputs[i].input.axes[HP_AXIS_THROTTLE] = 30000;
    }
}

struct bench_world {
    struct hp_instance *self;
    const struct hp_sim_ops *ops;
    struct hp_client_input *inputs;
    uint32_t players;
    struct hp_view_sink sink;
};

static int
world_open(struct bench_world *w, struct bench_host *host,
           const struct bench_case *c, char *count)
{
    struct hp_limits limits = {
        .size = sizeof(limits),
        .side = HP_SIDE_SERVER,
        .rate_num = 60,
        .rate_den = 1,
        .clients_max = c->pattern == NULL ? c->aircraft : 1,
        .entities_max = c->aircraft + 1,
    };
    uint32_t i;
    int err;

    bench_host_set(host, "planet", c->planet);
    bench_host_set(host, "spawn_altitude_m", "3000");
    if (c->pattern != NULL) {
        bench_host_set(host, "ai_count", count);
        bench_host_set(host, "ai_pattern", c->pattern);
    }
    w->ops = hp_plugin_v1.ops;
    w->sink = (struct hp_view_sink){
        .size = sizeof(w->sink),
        .capacity = limits.entities_max,
        .stride = sizeof(struct flight_record),
        .event_capacity = 256,
        .entities = calloc(limits.entities_max, sizeof(struct flight_record)),
        .events = calloc(256, sizeof(struct hp_event)),
    };
    w->inputs = calloc(c->aircraft, sizeof(*w->inputs));
    if (w->sink.entities == NULL || w->sink.events == NULL || w->inputs == NULL)
        return -ENOMEM;
    err = hp_plugin_v1.create(&host->host, &w->self);
    if (err == 0)
        err = hp_plugin_v1.start(w->self, &limits);
    w->players = c->pattern == NULL ? c->aircraft : 0;
    for (i = 0; i < w->players && err == 0; i++)
        err = w->ops->join(w->self, i, "");
    return err;
}

static void
world_close(struct bench_world *w)
{
    if (w->self != NULL) {
        hp_plugin_v1.stop(w->self);
        hp_plugin_v1.destroy(w->self);
    }
    free(w->sink.entities);
    free(w->sink.events);
    free(w->inputs);
}

static double
tick_once(struct bench_world *w, uint64_t index)
{
    struct hp_tick tick = {
        .index = index, .dt_s = 1.0 / 60, .rate_num = 60, .rate_den = 1};
    uint64_t from_ns;

    manoeuvre(w->inputs, w->players, index);
    from_ns = now_ns();
    w->ops->step(w->self, &tick, w->inputs, w->players);
    w->ops->view(w->self, &w->sink);
    return (double)(now_ns() - from_ns);
}

static int
measure(const struct bench_case *c, uint32_t ticks, struct bench_result *out)
{
    struct bench_world world = {.self = NULL};
    double *took = calloc(ticks, sizeof(*took));
    struct bench_host host;
    char count[16];
    uint32_t i;
    int err;

    if (took == NULL)
        return -ENOMEM;
    snprintf(count, sizeof(count), "%u", (unsigned)c->aircraft);
    err = bench_host_init(&host, c->threads);
    if (err < 0) {
        free(took);
        return err;
    }
    err = world_open(&world, &host, c, count);
    for (i = 0; i < WARM_UP && err == 0; i++)
        tick_once(&world, i);
    out->mean_ns = 0;
    for (i = 0; i < ticks && err == 0; i++) {
        took[i] = tick_once(&world, WARM_UP + i);
        out->mean_ns += took[i] / ticks;
    }
    bench_host_finish(&host);
    world_close(&world);
    qsort(took, ticks, sizeof(*took), in_order);
    out->ticks = ticks;
    out->p50_ns = took[ticks / 2];
    out->p99_ns = took[ticks - 1 - ticks / 100];
    free(took);
    return err;
}

static void
print_result(const struct bench_case *c, const struct bench_result *r, int json)
{
    const char *pattern = c->pattern != NULL ? c->pattern : "manoeuvre";
    double each = 1.0 / c->aircraft;

    if (json)
        printf("{\"aircraft\": %u, \"planet\": \"%s\", \"pattern\": \"%s\", "
               "\"threads\": %u, \"ticks\": %u, \"tick_p50_us\": %.1f, "
               "\"tick_p99_us\": %.1f, \"step_mean_ns\": %.0f, "
               "\"step_p50_ns\": %.0f, \"step_p99_ns\": %.0f}\n",
               c->aircraft, c->planet, pattern, c->threads, r->ticks,
               r->p50_ns / 1e3, r->p99_ns / 1e3, r->mean_ns * each,
               r->p50_ns * each, r->p99_ns * each);
    else
        printf("| %u | %s | %s | %u | %u | %.0f | %.0f | %.0f | %.0f |\n",
               c->aircraft, pattern, c->planet, c->threads, r->ticks,
               r->p50_ns * each, r->p99_ns * each, r->p50_ns / 1e3,
               r->p99_ns / 1e3);
    fflush(stdout);
}

static int
run_case(const struct bench_case *c, uint32_t ticks, int json)
{
    struct bench_result result;
    int err = measure(c, ticks, &result);

    if (err < 0) {
        fprintf(stderr, "hardpoint bench-sim: %u aircraft: %s\n", c->aircraft,
                strerror(-err));
        return 1;
    }
    print_result(c, &result, json);
    return 0;
}

/* All that the given case leaves open (0, NULL): the table of the document. */
static int
run_all(const struct bench_case *given, uint32_t ticks, int json)
{
    static const uint32_t counts[] = {1, 64, 1000, 5000};
    static const char *const planets[] = {"flat", "wgs84"};
    static const char *const patterns[] = {"manoeuvre", "mixed"};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int i, p, k, t, status = 0;

    if (!json)
        printf("| aircraft | pattern | planet | threads | ticks | ns each p50 "
               "| p99 | us a tick p50 | p99 |\n|---|---|---|---|---|---|---|---"
               "|---|\n");
    for (k = 0; k < 2; k++)
        for (p = 0; p < 2; p++)
            for (i = 0; i < 4; i++)
                for (t = 0; t < 2; t++) {
                    struct bench_case c = {
                        given->aircraft ? given->aircraft : counts[i],
                        given->planet ? given->planet : planets[p],
                        given->pattern ? given->pattern : patterns[k],
                        given->threads ? given->threads
                        : t == 0       ? 1
                                       : (uint32_t)(cores < 2 ? 2 : cores),
                    };

                    if ((given->aircraft && i > 0) ||
                        (given->planet && p > 0) || (given->pattern && k > 0) ||
                        (given->threads && t > 0))
                        continue;
                    if (strcmp(c.pattern, "manoeuvre") == 0)
                        c.pattern = NULL;
                    status |= run_case(&c, ticks, json);
                }
    return status;
}

static int
number(const char *text, long low, long high, uint32_t *out)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (*end != '\0' || end == text || value < low || value > high) {
        fprintf(stderr,
                "hardpoint bench-sim: found \"%s\", expected a number from %ld "
                "to %ld\n",
                text, low, high);
        return -1;
    }
    *out = (uint32_t)value;
    return 0;
}

int
main(int argc, char **argv)
{
    static const struct option options[] = {
        {"ticks",    required_argument, NULL, 't'},
        {"aircraft", required_argument, NULL, 'a'},
        {"planet",   required_argument, NULL, 'p'},
        {"pattern",  required_argument, NULL, 'k'},
        {"threads",  required_argument, NULL, 'n'},
        {"json",     no_argument,       NULL, 'j'},
        {"help",     no_argument,       NULL, 'h'},
        {NULL,       0,                 NULL, 0  }
    };
    struct bench_case given = {0, NULL, NULL, 0};
    uint32_t ticks = 300;
    int c, bad = 0, json = 0;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (c) {
        case 't':
            bad |= number(optarg, 10, TICKS_MAX, &ticks);
            break;
        case 'a':
            bad |= number(optarg, 1, 65000, &given.aircraft);
            break;
        case 'n':
            bad |= number(optarg, 1, BENCH_THREADS_MAX, &given.threads);
            break;
        case 'p':
            given.planet = optarg;
            break;
        case 'k':
            given.pattern = optarg;
            break;
        case 'j':
            json = 1;
            break;
        case 'h':
            usage(stdout);
            return 0;
        default:
            bad = 1;
        }
    if (bad || optind < argc) {
        usage(stderr);
        return 64;
    }
    return run_all(&given, ticks, json);
}
