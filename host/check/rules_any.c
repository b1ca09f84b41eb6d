/* The rules that every kind must keep. */
#include <config.h>

#include "../config.h"
#include "memory.h"
#include "run.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <object.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STEPS 100

static void
steps(struct run *r, int count)
{
    while (count-- > 0)
        run_step(r);
}

/* ---- loads, exports, starts ---- */

static void
rule_loads(const struct check *c)
{
    run_plugin(c);
}

static void
rule_exports(const struct check *c)
{
    char why[PLUGIN_WHY_MAX] = "";
    const char *name;
    struct object o;
    size_t i;

    if (object_read(&o, c->file, why) < 0)
        check_fail("%s", why);
    for (i = 0; (name = object_defines(&o, i)) != NULL; i++)
        if (strcmp(name, "hp_plugin_v1") != 0 && strncmp(name, "__", 2) != 0)
            check_fail("it exports %s too, expected hp_plugin_v1 alone", name);
    object_free(&o);
}

static void
rule_starts(const struct check *c)
{
    struct run r;

    run_open(&r, c, c->seed, 60, 1);
    run_close(&r);
}

/* ---- parameters ---- */

/* One row at one value: whatever it answers, it lives, and cleans up. */
static void
try_value(const struct check *c, const struct hp_param *row, const char *value)
{
    const struct hp_plugin *t = plugin_table(run_plugin(c));
    uint32_t side = t->kind == HP_KIND_SIM ? HP_SIDE_SERVER : HP_SIDE_CLIENT;
    struct hp_limits limits = world_limits(t->kind, side, 60, 1);
    char line[192], why[256];
    struct config *config;
    struct instance *i;
    int err;

    snprintf(line, sizeof(line), "%.40s = %.120s", row->name, value);
    config = run_config(c, line, why, sizeof(why));
    if (config == NULL)
        return; /* the host refuses it before create */
    fprintf(stderr, "with %s:\n", line);
    i = run_create(c, config, side);
    if (i == NULL)
        return;
    err = instance_start(i, &limits);
    if (err == -EINVAL && i->failure[0] == '\0')
        check_fail("start refuses %s without a sentence; say why by fail",
                   line);
    instance_destroy(i);
}

static void
try_row(const struct check *c, const struct hp_param *row)
{
    static const char *const texts[] = {"", "/nowhere/at/all", ".", "\xc3\xa9",
                                        "%s%n%d"};
    const char *at;
    char value[128];
    size_t i;

    if (row->type == HP_PARAM_INT || row->type == HP_PARAM_REAL) {
        snprintf(value, sizeof(value), "%.17g", row->minimum);
        try_value(c, row, value);
        snprintf(value, sizeof(value), "%.17g", row->maximum);
        try_value(c, row, value);
    } else if (row->type == HP_PARAM_FLAG) {
        try_value(c, row, "yes");
        try_value(c, row, "no");
    } else if (row->type == HP_PARAM_CHOICE) {
        for (at = row->choices; *at != '\0'; at += i + (at[i] == '|')) {
            i = strcspn(at, "|");
            snprintf(value, sizeof(value), "%.*s", (int)i, at);
            try_value(c, row, value);
        }
    } else {
        for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
            try_value(c, row, texts[i]);
    }
}

static void
rule_parameters(const struct check *c)
{
    const struct hp_plugin *t = plugin_table(run_plugin(c));
    uint32_t i;

    if (t->param_count == 0)
        check_skip("it has none");
    for (i = 0; i < t->param_count; i++)
        try_row(c, (const void *)((const char *)t->params +
                                  (size_t)i * t->param_stride));
}

/* ---- life, order, instances, rates ---- */

static void
rule_life(const struct check *c)
{
    const struct hp_plugin *t = plugin_table(run_plugin(c));
    struct config *config;
    struct instance *i;
    struct run r;
    char why[256];
    int turn;

    for (turn = 0; turn < 3; turn++) {
        config = run_config(c, NULL, why, sizeof(why));
        i = config == NULL ? NULL : run_create(c, config, HP_SIDE_CLIENT);
        if (i == NULL)
            check_fail("it cannot be created with its presets");
        instance_destroy(i); /* never started */
        config_destroy(config);
        run_open(&r, c, c->seed, 60, 1);
        run_close(&r); /* never called */
    }
    t->destroy(NULL);
}

static void
rule_order(const struct check *c)
{
    struct chance chance;
    struct run r;
    int walk, calls;

    chance_init(&chance, c->seed);
    for (walk = 0; walk < 30; walk++) {
        run_open(&r, c, chance_next(&chance), 60, 1);
        for (calls = (int)chance_below(&chance, 80); calls > 0; calls--)
            run_any(&r);
        run_close(&r);
    }
}

/* What the first of `count` instances gives; the second one's calls come
 * between its own, none, one or more at a time. */
static uint64_t
output_among(const struct check *c, int count)
{
    static struct run runs[2];
    struct chance chance;
    int i, step;

    chance_init(&chance, c->seed);
    for (i = 0; i < count; i++)
        run_open(&runs[i], c, c->seed + (uint64_t)i, 60, 1);
    for (step = 0; step < STEPS; step++) {
        if (count > 1)
            steps(&runs[1], (int)chance_below(&chance, 4));
        run_step(&runs[0]);
    }
    for (i = 0; i < count; i++)
        run_close(&runs[i]);
    return runs[0].output;
}

static void
rule_instances(const struct check *c)
{
    uint64_t alone = check_apart(c, output_among, 1);

    if (check_apart(c, output_among, 1) != alone)
        check_skip("it never gives the same twice");
    if (check_apart(c, output_among, 2) != alone)
        check_fail("an instance gives another output while a second one runs: "
                   "they share something that changes (static, global)");
}

static void
rule_rates(const struct check *c)
{
    static const uint32_t rates[][2] = {
        {1,     1   },
        {20,    1   },
        {60,    1   },
        {60000, 1001},
        {128,   1   },
        {250,   1   },
        {1000,  1   }
    };
    struct run r;
    size_t i;

    for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        fprintf(stderr, "at %u/%u Hz:\n", rates[i][0], rates[i][1]);
        run_open(&r, c, c->seed, rates[i][0], rates[i][1]);
        steps(&r, STEPS);
        run_close(&r);
    }
}

/* ---- threads ---- */

static void *
tick_thread(void *context)
{
    struct run *r = context;
    int i;

    for (i = 0; i < 4 * STEPS; i++)
        run_tick(r);
    return NULL;
}

static void
rule_threads(const struct check *c)
{
    pthread_t thread;
    struct run r;
    int i;

    run_open(&r, c, c->seed, 60, 1);
    if (pthread_create(&thread, NULL, tick_thread, &r) != 0)
        check_skip("no thread");
    for (i = 0; i < 4 * STEPS; i++)
        run_aside(&r);
    pthread_join(thread, NULL);
    run_close(&r);
}

/* ---- allocation ---- */

static void
rule_allocation(const struct check *c)
{
    struct run r;

    if (!memory_is_watched())
        check_skip("a sanitizer owns the heap");
    run_open(&r, c, c->seed, 60, 1);
    steps(&r, 2); /* what the dynamic linker binds at a first call */
    run_watch_memory(1);
    steps(&r, STEPS);
    run_watch_memory(0);
    run_close(&r);
}

/* ---- tidy ---- */

struct process {
    char locale[256];
    char folder[PATH_MAX];
    mode_t umask;
    struct sigaction actions[NSIG];
    sigset_t mask;
};

static void
look(struct process *p)
{
    int s;

    memset(p, 0, sizeof(*p));
    snprintf(p->locale, sizeof(p->locale), "%s", setlocale(LC_ALL, NULL));
    if (getcwd(p->folder, sizeof(p->folder)) == NULL)
        p->folder[0] = '\0';
    p->umask = umask(0);
    umask(p->umask);
    for (s = 1; s < NSIG; s++)
        sigaction(s, NULL, &p->actions[s]);
    pthread_sigmask(SIG_SETMASK, NULL, &p->mask);
}

static void
compare(const struct check *c, const struct process *a, const struct process *b)
{
    struct stat output;
    int s;

    if (strcmp(a->locale, b->locale) != 0)
        check_fail("the locale is \"%s\" now, it was \"%s\"", b->locale,
                   a->locale);
    if (strcmp(a->folder, b->folder) != 0)
        check_fail("the working folder is %s now, it was %s", b->folder,
                   a->folder);
    if (a->umask != b->umask)
        check_fail("the umask is %03o now, it was %03o", (unsigned)b->umask,
                   (unsigned)a->umask);
    for (s = 1; s < NSIG; s++) {
        if (a->actions[s].sa_handler != b->actions[s].sa_handler)
            check_fail("%s has another handler now", strsignal(s));
        if (sigismember(&a->mask, s) != sigismember(&b->mask, s))
            check_fail("%s is blocked or no more so", strsignal(s));
    }
    if (run_changed_floats() != NULL)
        check_fail("%s changed the floating-point control state; build without "
                   "-ffast-math",
                   run_changed_floats());
    fflush(stdout);
    if (fstat(c->output, &output) == 0 && output.st_size > 0)
        check_fail("it wrote %lld bytes to standard output, which is not its "
                   "own; use host->log",
                   (long long)output.st_size);
}

static void
rule_tidy(const struct check *c)
{
    static struct process before, after;
    struct run r;

    look(&before);
    run_open(&r, c, c->seed, 60, 1);
    steps(&r, STEPS);
    run_close(&r);
    look(&after);
    compare(c, &before, &after);
}

/* ---- leaves ---- */

static int
entries(const char *folder)
{
    DIR *d = opendir(folder);
    int count = 0;

    while (d != NULL && readdir(d) != NULL)
        count++;
    if (d != NULL)
        closedir(d);
    return count;
}

static void
live_once(const struct check *c)
{
    struct run r;

    run_open(&r, c, c->seed, 60, 1);
    steps(&r, 20);
    run_close(&r);
}

/* A thread that was joined may be counted for a moment more. */
static int
threads_above(int before)
{
    static const struct timespec moment = {0, 10000000};
    int turn, now = entries("/proc/self/task");

    for (turn = 0; turn < 50 && now > before; turn++) {
        pselect(0, NULL, NULL, NULL, &moment, NULL);
        now = entries("/proc/self/task");
    }
    return now - before;
}

static void
rule_leaves(const struct check *c)
{
    int i, fds, threads;
    long blocks;

    threads = entries("/proc/self/task");
    live_once(c); /* what is loaded once stays */
    live_once(c);
    fds = entries("/proc/self/fd");
    blocks = memory_blocks();
    for (i = 0; i < 8; i++)
        live_once(c);
    if (entries("/proc/self/fd") > fds)
        check_fail("%d file descriptors stay open after eight lives",
                   entries("/proc/self/fd") - fds);
    if (threads_above(threads) > 0)
        check_fail("%d threads go on after destroy", threads_above(threads));
    if (memory_blocks() - blocks >= 8)
        check_fail("%ld blocks of memory stay after eight lives",
                   memory_blocks() - blocks);
}

/* clang-format off */
const struct rule rules_any[] = {
    {"loads", "note, table and file agree",
     "the host judges a file before it runs any of it; its sentence says what to mend",
     rule_loads, RULE_ALL_KINDS, RULE_FIRST},
    {"exports", "one symbol is exported",
     "other symbols meet those of other plugins; link with the version script of pkg-config",
     rule_exports, RULE_ALL_KINDS, 0},
    {"starts", "it starts with its presets",
     "who only names the plugin in the INI gets the presets; a device that is not there is no fault: the rules that need it are skipped",
     rule_starts, RULE_ALL_KINDS, RULE_FIRST},
    {"parameters", "minimum, maximum and every choice are survived",
     "the host lets through what a row allows, so create and start must take it, or refuse with a sentence by fail",
     rule_parameters, RULE_ALL_KINDS, RULE_NEEDS_START},
    {"life", "create, start, stop, destroy in every pairing",
     "destroy comes without start when another part fails, and accepts NULL; free only what is there",
     rule_life, RULE_ALL_KINDS, RULE_NEEDS_START},
    {"order", "any legal order of calls",
     "a snapshot may come before the first input, silence before render; set in start what the calls rely on",
     rule_order, RULE_ALL_KINDS, RULE_NEEDS_START},
    {"instances", "two instances do not disturb each other",
     "solo play and two INI sections make two of them; keep all that changes in struct hp_instance",
     rule_instances, RULE_ALL_KINDS, RULE_NEEDS_START},
    {"rates", "seven tick rates from 1 to 1000 Hz",
     "the server's INI sets the rate, 60000/1001 among them; compute with tick->dt_s or the limits' fraction, never with 60",
     rule_rates, RULE_ALL_KINDS, RULE_NEEDS_START},
    {"threads", "calls come on the threads that their tags allow",
     "start runs on one thread, the ticks on another, [any] calls on all: no thread-local state, atomics for what two of them touch",
     rule_threads, RULE_ALL_KINDS, RULE_NEEDS_START},
    {"allocation", "no memory is allocated or freed in [tick] and [rt]",
     "the heap takes locks and asks the kernel, so a tick would be late now and then; allocate in start",
     rule_allocation, RULE_ALL_KINDS, RULE_NEEDS_START},
    {"tidy", "the process is as it was: locale, signals, floats, umask, folder, output",
     "they belong to the host and to every other plugin; put back what you must change, within the call",
     rule_tidy, RULE_ALL_KINDS, RULE_NEEDS_START},
    {"leaves", "no thread, descriptor or memory is left behind",
     "a host lives through many reloads; join threads and close files in stop, free in destroy",
     rule_leaves, RULE_ALL_KINDS, RULE_NEEDS_START},
    {NULL, NULL, NULL, NULL, 0, 0},
};
/* clang-format on */
