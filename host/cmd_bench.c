/* hardpoint bench [HOST:PORT]: the latency table, beside the machine's floor. */
#include "bench.h"
#include "cmd.h"
#include "log.h"
#include <errno.h>
#include <getopt.h>
#include <ini/ini.h>
#include <stdlib.h>
#include <string.h>

#define OVERRIDES_MAX 64
#define RUNS_MAX      25

struct bench_command {
    const char *overrides[OVERRIDES_MAX];
    char made[8][192]; /* overrides that flags stand for */
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

static void
override(struct bench_command *b, const char *key, const char *value)
{
    char *made = b->made[b->made_count++];

    snprintf(made, sizeof(b->made[0]), "%s=%s", key, value);
    b->overrides[b->override_count++] = made;
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
    override(b, "host.role", "client");
    override(b, "net.address", host);
    override(b, "net.port", colon + 1);
    return 0;
}

static int
take_flag(struct bench_command *b, int c)
{
    switch (c) {
    case 'S':
        if (strcmp(optarg, "tick") != 0 && strcmp(optarg, "event") != 0)
            return bad("--service", optarg, "tick or event");
        override(b, "net.service", optarg);
        return 0;
    case 'P':
        if (strcmp(optarg, "lock") != 0 && strcmp(optarg, "off") != 0)
            return bad("--phase", optarg, "lock or off");
        override(b, "net.phase", optarg);
        return 0;
    case 'r':
        override(b, "host.tick_rate_hz", optarg);
        return 0;
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
        if (b->override_count >= OVERRIDES_MAX - 8)
            return bad("-s", optarg, "fewer of them");
        b->overrides[b->override_count++] = optarg;
        return 0;
    default:
        usage(stderr);
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
    override(b, "plugins.cues", "probe");
    override(b, "plugins.input", "idle");
    while ((c = getopt_long(argc, argv, "s:h", flags, NULL)) != -1) {
        if (c == 'h') {
            usage(stdout);
            return -1;
        }
        status = take_flag(b, c);
        if (status != 0)
            return status;
    }
    if (argc - optind > 1)
        return bad("target", argv[optind + 1], "one target at most");
    return optind < argc ? target(b, argv[optind]) : 0;
}

static double
key_figure(const struct bench_result *r)
{
    return (double)hist_quantile(bench_stage(r, "input_to_snapshot_us"), 0.5);
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
            printf("run %u: input to snapshot p50 %.1f us\n", i + 1,
                   key_figure(results[i]) / 1e3);
    }
    log_stop();
    if (status == 0)
        qsort(results, b->runs, sizeof(results[0]), by_key_figure);
    clock_leave(waiter);
    clock_destroy(clock);
    return status;
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
    if (err == 0)
        return CMD_OK;
    fprintf(stderr, "hardpoint bench: cannot write %s: %s\n", b->json,
            strerror(-err));
    return CMD_UNAVAILABLE;
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
    status = setup_load(&setup, command.file, command.overrides,
                        command.override_count, stderr);
    if (status != 0)
        return status;
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
