/* hardpoint bench [HOST:PORT]: the latency table, beside the machine's floor. */
#include "bench.h"
#include "cmd.h"
#include "cmd_flags.h"
#include "log.h"
#include <errno.h>
#include <ini/ini.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OVERRIDES_MAX 64
#define RUNS_MAX      25

struct bench_command {
    const char *overrides[OVERRIDES_MAX];
    char made[OVERRIDES_MAX][192]; /* overrides that flags stand for */
    int override_count, made_count;
    const char *file;
    const char *json;
    struct bench_options options;
    uint32_t runs;
    int baselines;
};

static void
usage(FILE *to)
{
    fprintf(
        to,
        "usage: hardpoint bench [HOST:PORT] [OPTION]...\n\n"
        "Measures every stage from the stick to the motor, in a solo host of\n"
        "its own or as a client of HOST:PORT, beside the machine's floor.\n\n"
        "  --service tick|event   serve the socket once a tick, or when it is\n"
        "                         readable (the default)\n"
        "  --phase lock|off       hold inputs just before the server's\n"
        "                         deadline (the default), or let them drift\n"
        "  --rate HZ              tick rate (60)\n"
        "  --samples N            ticks to measure (600)\n"
        "  --warm-up N            ticks to leave out before (120)\n"
        "  --runs N               give the median of N runs (1)\n"
        "  --json FILE            write the report for `hardpoint compare`\n"
        "  --baselines            also ask ping and sockperf, if installed\n"
        "  --config FILE          a host's INI instead of the built-in one\n"
        "  -s SECTION.KEY=VALUE   set one key\n"
        "  -h, --help             this text\n");
}

static int
bad(const char *flag, const char *found, const char *expected)
{
    fprintf(stderr, "hardpoint bench: %s: found \"%s\", expected %s\n", flag,
            found, expected);
    return CMD_USAGE;
}

static int
count_of(const char *flag, const char *text, long long low, long long high,
         uint32_t *out)
{
    char expected[64];
    long long value;

    if (ini_parse_int(text, NULL, &value, NULL) == 0 && value >= low &&
        value <= high) {
        *out = (uint32_t)value;
        return 0;
    }
    snprintf(expected, sizeof(expected), "a number from %lld to %lld", low,
             high);
    return bad(flag, text, expected);
}

static int
override(struct bench_command *b, const char *flag, const char *assignment)
{
    if (b->override_count == OVERRIDES_MAX)
        return bad(flag, assignment, "fewer settings");
    b->overrides[b->override_count++] = assignment;
    return 0;
}

/* A flag that stands for a key. */
static int
override_key(struct bench_command *b, const char *flag, const char *key,
             const char *value)
{
    char *made = b->made[b->made_count];
    int length = snprintf(made, sizeof(b->made[0]), "%s=%s", key, value);

    if (length < 0 || (size_t)length >= sizeof(b->made[0]))
        return bad(flag, value, "something shorter");
    b->made_count += b->override_count < OVERRIDES_MAX;
    return override(b, flag, made);
}

/* One of two words, for a key of the same meaning. */
static int
choose(struct bench_command *b, const char *flag, const char *key,
       const char *first, const char *second)
{
    char expected[32];

    if (strcmp(optarg, first) == 0 || strcmp(optarg, second) == 0)
        return override_key(b, flag, key, optarg);
    snprintf(expected, sizeof(expected), "%s or %s", first, second);
    return bad(flag, optarg, expected);
}

/* HOST:PORT makes this host a client of it. */
static int
target(struct bench_command *b, const char *text)
{
    const char *colon = strrchr(text, ':');
    char host[160];

    if (colon == NULL || colon == text || colon[1] == '\0' ||
        (size_t)(colon - text) >= sizeof(host))
        return bad("target", text, "HOST:PORT, as in 127.0.0.1:4776");
    snprintf(host, sizeof(host), "%.*s", (int)(colon - text), text);
    if (override_key(b, "target", "host.role", "client") != 0 ||
        override_key(b, "target", "net.address", host) != 0)
        return CMD_USAGE;
    return override_key(b, "target", "net.port", colon + 1);
}

static int
take_flag(struct bench_command *b, int c)
{
    switch (c) {
    case 'S':
        return choose(b, "--service", "net.service", "tick", "event");
    case 'P':
        return choose(b, "--phase", "net.phase", "lock", "off");
    case 'r':
        return override_key(b, "--rate", "host.tick_rate_hz", optarg);
    case 'n':
        return count_of("--samples", optarg, 10, 10000000, &b->options.samples);
    case 'w':
        return count_of("--warm-up", optarg, 0, 10000000, &b->options.warm_up);
    case 'R':
        return count_of("--runs", optarg, 1, RUNS_MAX, &b->runs);
    case 'j':
        b->json = optarg;
        return 0;
    case 'b':
        b->baselines = 1;
        return 0;
    case 'c':
        b->file = optarg;
        return 0;
    case 's':
        return override(b, "-s", optarg);
    default:
        return CMD_USAGE;
    }
}

static int
parse(int argc, char **argv, struct bench_command *b)
{
    static const struct option flags[] = {
        {"service",   required_argument, NULL, 'S'},
        {"phase",     required_argument, NULL, 'P'},
        {"rate",      required_argument, NULL, 'r'},
        {"samples",   required_argument, NULL, 'n'},
        {"warm-up",   required_argument, NULL, 'w'},
        {"runs",      required_argument, NULL, 'R'},
        {"json",      required_argument, NULL, 'j'},
        {"baselines", no_argument,       NULL, 'b'},
        {"config",    required_argument, NULL, 'c'},
        {"set",       required_argument, NULL, 's'},
        {"help",      no_argument,       NULL, 'h'},
        {NULL,        0,                 NULL, 0  },
    };
    int c, status;

    memset(b, 0, sizeof(*b));
    b->options.samples = 600;
    b->options.warm_up = 120;
    b->runs = 1;
    /* Enough of both haptics paths, and nobody at the stick: the user's own
     * settings come after and win. */
    override(b, "", "plugins.cues=probe");
    override(b, "", "plugins.input=idle");
    while ((c = cmd_flag("bench", argc, argv, ":s:h", flags)) != -1) {
        if (c == 'h') {
            usage(stdout);
            return -1;
        }
        status = take_flag(b, c);
        if (status != 0)
            return status;
    }
    if (argc - optind > 1)
        return cmd_too_many("bench", argv[optind + 1]);
    return optind < argc ? target(b, argv[optind]) : 0;
}

/* What the middle one of several runs is found by: over a server that serves
 * its socket once a tick ENet's round trip, as in the analysis; else what a
 * pilot notices. */
static double
key_figure(const struct bench_result *r)
{
    const struct hist *waited = bench_stage(r, "input_to_snapshot_us");
    const struct hist *rtt = bench_stage(r, "enet_rtt_ms");

    return r->service_tick ? (double)hist_quantile(rtt, 0.99)
                           : (double)hist_quantile(waited, 0.5) / 1e3;
}

static int
by_key_figure(const void *a, const void *b)
{
    double x = key_figure(*(struct bench_result *const *)a);
    double y = key_figure(*(struct bench_result *const *)b);

    return (x > y) - (x < y);
}

/* The runs, one after the other; `results` is in order of the key figure. */
static int
run_all(const struct bench_command *b, struct setup *setup,
        struct bench_result **results)
{
    static const struct host_signals no_signals;
    struct clock_waiter *waiter = NULL;
    struct clock *clock = NULL;
    uint32_t i;
    int status = 0;

    if (clock_create_real(&clock) < 0)
        return CMD_UNAVAILABLE;
    if (clock_join(clock, &waiter) < 0) {
        clock_destroy(clock);
        return CMD_UNAVAILABLE;
    }
    clock_enter(waiter);
    log_start(clock);
    for (i = 0; i < b->runs && status == 0; i++) {
        results[i] = bench_result_create();
        status = results[i] == NULL
                     ? CMD_UNAVAILABLE
                     : bench_run(setup, clock, waiter, &no_signals, &b->options,
                                 results[i]);
        log_flush();
        if (status == 0 && b->runs > 1)
            printf("run %u: %s %.0f us\n", i + 1,
                   results[i]->service_tick ? "ENet's round trip p99"
                                            : "input to snapshot p50",
                   key_figure(results[i]));
    }
    log_stop();
    if (status == 0)
        qsort(results, b->runs, sizeof(results[0]), by_key_figure);
    clock_leave(waiter);
    clock_destroy(clock);
    return status;
}

/* 0, or why the report cannot be written: known before the run, not after. */
static int
try_json(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    struct stat file;

    if (stat(path, &file) == 0) {
        if (S_ISDIR(file.st_mode))
            return -EISDIR;
        return access(path, W_OK) < 0 ? -errno : 0;
    }
    if (errno != ENOENT)
        return -errno;
    snprintf(folder, sizeof(folder), "%.*s",
             slash == NULL ? 1 : (int)(slash - path) + 1,
             slash == NULL ? "." : path);
    return access(folder, W_OK | X_OK) < 0 ? -errno : 0;
}

static int
cannot_write(const char *path, int err)
{
    fprintf(stderr,
            "hardpoint bench: --json: cannot write %s: %s; name a file in a "
            "folder that is there and yours\n",
            path, strerror(-err));
    return CMD_UNAVAILABLE;
}

static int
report(const struct bench_command *b, const struct bench_result *median)
{
    int err;

    if (b->runs > 1)
        printf("\nthe median run of %u:\n", b->runs);
    bench_print(median, stdout);
    if (b->baselines)
        bench_print_baselines(stdout);
    if (b->json == NULL)
        return CMD_OK;
    err = bench_write_json(median, b->runs, b->json);
    return err == 0 ? CMD_OK : cannot_write(b->json, err);
}

int
cmd_bench(int argc, char **argv)
{
    struct bench_result *results[RUNS_MAX] = {NULL};
    struct bench_command command;
    struct setup setup;
    uint32_t i;
    int status = parse(argc, argv, &command);

    if (status != 0)
        return status < 0 ? CMD_OK : status;
    status = command.json != NULL ? try_json(command.json) : 0;
    if (status < 0)
        return cannot_write(command.json, status);
    status = setup_load(&setup, command.file, command.overrides,
                        command.override_count, stderr);
    if (status != 0) {
        setup_finish(&setup);
        return status;
    }
    instance_install_fault_handler();
    instance_thread_init();
    log_set_level(HP_LOG_WARNING);
    status = run_all(&command, &setup, results);
    if (status == 0)
        status = report(&command, results[command.runs / 2]);
    for (i = 0; i < RUNS_MAX; i++)
        free(results[i]);
    instance_thread_finish();
    setup_finish(&setup);
    return status;
}
