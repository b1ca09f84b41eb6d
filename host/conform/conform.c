/*
 * hardpoint-conform - a haptics backend on a bench: every rule of its contract,
 * judged from the far side where there is one. TAP on standard output; exit
 * status 0 when all is kept, 1 when not, 64 usage, 69 when it cannot be tried
 * here.
 */
#include "conform.h"
#include "cmd.h"
#include "cmd_flags.h"
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND "hardpoint haptics conform"
#define WORK_NS (50 * BENCH_MS)

/* Linked into a program that has one of its own. */
extern const struct far_side hp_far_side __attribute__((weak));

/* ---- the bench ---- */

uint64_t
bench_now_ns(const struct bench *b)
{
    return clock_now_ns(b->clock);
}

void
bench_pause(unsigned ms)
{
    usleep(ms * 1000);
}

static void *
device_thread(void *argument)
{
    struct bench *b = argument;
    uint64_t until_ns;
    uint32_t seen;

    while (!atomic_load(&b->stop)) {
        seen = atomic_load(&b->renders);
        until_ns = bench_now_ns(b) + WORK_NS;
        atomic_store(&b->due_ns, until_ns);
        b->ops->work(b->self, until_ns);
        atomic_store(&b->due_ns, 0);
        while (!atomic_load(&b->stop) && atomic_load(&b->renders) == seen &&
               bench_now_ns(b) < until_ns)
            usleep(200);
    }
    return NULL;
}

int
bench_list(struct bench *b)
{
    struct hp_device_sink sink = {.size = sizeof(sink),
                                  .capacity = BENCH_DEVICES_MAX,
                                  .stride = sizeof(b->devices[0]),
                                  .devices = b->devices};
    int err;

    memset(b->devices, 0, sizeof(b->devices));
    err = b->ops->devices(b->self, &sink);
    b->device_count = err == 0 ? sink.count : 0;
    return err;
}

static int
await_device(struct bench *b)
{
    uint64_t end_ns = bench_now_ns(b) + BENCH_PATIENCE_MS * BENCH_MS;

    do {
        if (bench_list(b) == 0 && b->device_count > 0)
            return 0;
        bench_pause(5);
    } while (bench_now_ns(b) < end_ns);
    return -ENODEV;
}

int
bench_up(struct bench *b)
{
    struct hp_limits limits = {.size = sizeof(limits),
                               .side = HP_SIDE_CLIENT,
                               .rate_num = 60,
                               .rate_den = 1,
                               .clients_max = 1};
    uint32_t count;
    int err;

    crew_init(&b->crew, &b->setup, b->clock, 0);
    err = crew_start_all(&b->crew, HP_KIND_HAPTICS, HP_SIDE_CLIENT, &limits,
                         &b->instance, 1, &count);
    if (err < 0)
        return err; /* told */
    b->ops = b->instance->ops;
    b->self = b->instance->self;
    atomic_store(&b->stop, 0);
    if (b->ops->work != NULL) {
        b->has_thread = pthread_create(&b->thread, NULL, device_thread, b) == 0;
        if (!b->has_thread)
            return -EAGAIN;
    }
    if (b->far != NULL && b->far->plug != NULL)
        b->far->plug();
    return await_device(b);
}

void
bench_down(struct bench *b)
{
    if (b->instance == NULL)
        return;
    b->ops->silence(b->self);
    bench_drop(b);
}

void
bench_drop(struct bench *b)
{
    atomic_store(&b->stop, 1);
    if (b->has_thread)
        pthread_join(b->thread, NULL);
    b->has_thread = 0;
    crew_finish(&b->crew);
    b->instance = NULL;
    if (b->far != NULL && b->far->unplug != NULL)
        b->far->unplug();
}

void
bench_render(struct bench *b, uint32_t actuator, float level, unsigned good_ms)
{
    struct hp_level one = {.deadline_ns = bench_now_ns(b) + good_ms * BENCH_MS,
                           .device = b->devices[0].id,
                           .generation = b->devices[0].generation,
                           .actuator = actuator,
                           .frequency_hz = 40,
                           .level = level};
    struct hp_levels levels = {.size = sizeof(levels),
                               .count = 1,
                               .stride = sizeof(one),
                               .time_ns = bench_now_ns(b),
                               .levels = &one,
                               .effects = "conform"};

    b->ops->render(b->self, &levels);
    atomic_fetch_add(&b->renders, 1);
}

int
bench_feels(const struct bench *b, uint32_t actuator)
{
    double level;

    return b->far != NULL &&
           b->far->felt(&b->devices[0], actuator, &level) == 0;
}

double
bench_felt(const struct bench *b, uint32_t actuator)
{
    double level = 0;

    if (b->far == NULL || b->far->felt(&b->devices[0], actuator, &level) < 0)
        return 0;
    return level;
}

int
bench_await(struct bench *b, uint32_t actuator, int moving, float level)
{
    uint64_t now_ns = bench_now_ns(b), renewed_ns = now_ns;
    uint64_t end_ns = now_ns + BENCH_PATIENCE_MS * BENCH_MS;

    while (now_ns < end_ns) {
        if ((bench_felt(b, actuator) != 0) == moving)
            return 1;
        if (level != 0 && now_ns - renewed_ns >= 100 * BENCH_MS) {
            bench_render(b, actuator, level, 300);
            renewed_ns = now_ns;
        }
        bench_pause(1);
        now_ns = bench_now_ns(b);
    }
    return 0;
}

/* ---- the run ---- */

static int
is_asked_for(const struct bench *b, const struct bench_rule *r)
{
    return b->only == NULL || strcmp(b->only, r->name) == 0;
}

static int
run_rules(struct bench *b)
{
    const struct bench_rule *r;
    char found[400];
    int number = 0, broken = 0, err;

    for (r = bench_rules; r->name != NULL; r++)
        number += is_asked_for(b, r);
    printf("1..%d\n", number);
    number = 0;
    for (r = bench_rules; r->name != NULL; r++) {
        if (!is_asked_for(b, r))
            continue;
        number++;
        if (r->needs_far && b->far == NULL) {
            printf("ok %d - %s: %s # SKIP no far side: --far-side FILE.so\n",
                   number, r->name, r->sentence);
            continue;
        }
        found[0] = '\0';
        err = bench_up(b);
        if (err == 0)
            err = r->judge(b, found, sizeof(found));
        else
            snprintf(found, sizeof(found), "found no device: %s",
                     strerror(-err));
        bench_down(b);
        printf("%sok %d - %s: %s\n", err == 0 ? "" : "not ", number, r->name,
               r->sentence);
        if (found[0] != '\0')
            printf("# %s\n", found);
        fflush(stdout);
        broken += err != 0;
    }
    return broken == 0 ? CMD_OK : CMD_NO;
}

static int
add_setting(struct bench *b, const char *text)
{
    if (b->setting_count == BENCH_SETTINGS_MAX) {
        fprintf(stderr, COMMAND ": found too many -s, expected %d at most\n",
                BENCH_SETTINGS_MAX);
        return -EINVAL;
    }
    b->settings[b->setting_count++] = text;
    return 0;
}

/* Those of the far side first: what the user says is stronger. */
static int
begin_far_side(struct bench *b, struct far_setting *settings)
{
    const char *given[BENCH_SETTINGS_MAX];
    int count = b->setting_count, i, far_count;
    char why[300] = "";

    if (b->far == NULL)
        return 0;
    memcpy(given, b->settings, sizeof(given));
    far_count = b->far->begin(settings, why, sizeof(why));
    if (far_count < 0) {
        printf("1..0 # SKIP the far side cannot be made here: %s\n",
               why[0] ? why : strerror(-far_count));
        return far_count;
    }
    b->setting_count = 0;
    for (i = 0; i < far_count; i++)
        add_setting(b, settings[i].text);
    for (i = 0; i < count; i++)
        if (add_setting(b, given[i]) < 0)
            return -EINVAL;
    return 0;
}

static int
run(struct bench *b)
{
    struct far_setting settings[FAR_SETTINGS_MAX];
    char use[80];
    int status;

    if (begin_far_side(b, settings) < 0)
        return CMD_UNAVAILABLE;
    snprintf(use, sizeof(use), "plugins.haptics=%.31s", b->name);
    if (add_setting(b, use) < 0)
        return CMD_USAGE;
    status = setup_load(&b->setup, "/dev/null", b->settings, b->setting_count,
                        stderr);
    if (status == CMD_OK && clock_create_real(&b->clock) < 0)
        status = CMD_PLUGIN;
    if (status == CMD_OK)
        status = run_rules(b);
    clock_destroy(b->clock);
    setup_finish(&b->setup);
    if (b->far != NULL && b->far->end != NULL)
        b->far->end();
    return status;
}

/* ---- the command line ---- */

static void
usage(FILE *to)
{
    fputs(
        "usage: " COMMAND " NAME [--far-side FILE.so] [--only RULE]\n"
        "                                 [-s SECTION.KEY=VALUE]\n"
        "\n"
        "Drives the haptics plugin NAME as a host would, and judges it from the far\n"
        "side of its device where there is one: null has none, trace, sdl2, evdev,\n"
        "audio and osc have theirs here, and --far-side brings one for yours\n"
        "(doc/haptics.md). Prints TAP. Exit status: 0, 1 a rule is broken, 64 usage,\n"
        "69 it cannot be tried here, 70 the plugin does not start, 78 a setting is\n"
        "wrong.\n",
        to);
}

static const struct far_side *
far_side_of(const char *name)
{
    static const struct {
        const char *name;
        const struct far_side *far;
    } own[] = {
        {"trace", &far_trace},
        {"osc",   &far_osc  },
        {"audio", &far_audio}
    };
    size_t i;

    if (&hp_far_side != NULL)
        return &hp_far_side;
    for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(own[i].name, name) == 0)
            return own[i].far;
    return NULL;
}

static const struct far_side *
open_far_side(const char *file)
{
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const struct far_side *far =
        object != NULL ? dlsym(object, "hp_far_side") : NULL;

    if (far == NULL)
        fprintf(stderr,
                COMMAND ": found --far-side %s, expected a shared object that "
                        "defines hp_far_side: %s\n",
                file, dlerror());
    return far;
}

/* What must stand before libc is there from the start of a program only. */
static void
start_again_with(const char *preload, char **argv)
{
    if (preload == NULL || getenv("HARDPOINT_CONFORM_AGAIN") != NULL)
        return;
    setenv("HARDPOINT_CONFORM_AGAIN", "1", 1);
    setenv("LD_PRELOAD", preload, 1);
    execv("/proc/self/exe", argv);
}

int
main(int argc, char **argv)
{
    static const struct option longs[] = {
        {"far-side", required_argument, NULL, 'f'},
        {"only",     required_argument, NULL, 'o'},
        {"help",     no_argument,       NULL, 'h'},
        {NULL,       0,                 NULL, 0  },
    };
    static struct bench b;
    const char *file = NULL;
    int flag;

    while ((flag = cmd_flag(COMMAND, argc, argv, ":hs:", longs)) != -1) {
        if (flag == 'h') {
            usage(stdout);
            return CMD_OK;
        }
        if (flag == 'f')
            file = optarg;
        else if (flag == 'o')
            b.only = optarg;
        else if (flag != 's' || add_setting(&b, optarg) < 0)
            return CMD_USAGE;
    }
    if (optind + 1 != argc) {
        usage(stderr);
        return CMD_USAGE;
    }
    b.name = argv[optind];
    b.far = file != NULL ? open_far_side(file) : far_side_of(b.name);
    if (file != NULL && b.far == NULL)
        return CMD_USAGE;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (b.far != NULL)
        start_again_with(b.far->preload, argv);
    return run(&b);
}
