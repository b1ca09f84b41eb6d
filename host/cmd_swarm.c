/* hardpoint swarm HOST:PORT: many scripted clients against a running server. */
#include "cmd.h"
#include "cmd_files.h"
#include "cmd_flags.h"
#include "config.h"
#include "json_scan.h"
#include "log.h"
#include "swarm.h"
#include <errno.h>
#include <ini/ini.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OVERRIDES_MAX 64
#define METRICS_MAX   (1 << 20)

struct swarm_command {
    const char *overrides[OVERRIDES_MAX];
    char made[12][192]; /* overrides that flags stand for */
    int override_count, made_count;
    const char *target, *file, *json, *metrics;
    struct swarm_options options;
    struct swarm_asserts asserts;
};

enum flag {
    FLAG_CLIENTS = 256,
    FLAG_DURATION,
    FLAG_RATE,
    FLAG_PATTERN,
    FLAG_SEED,
    FLAG_RAMP,
    FLAG_LIGHT,
    FLAG_LINK,
    FLAG_JSON,
    FLAG_METRICS,
    FLAG_MIN_TICK_HZ,
    FLAG_MAX_PAYLOAD,
    FLAG_MAX_TICK_MS,
    FLAG_NO_REFUSED,
    FLAG_CONFIG
};

/* What the signal handlers reach: a handler takes no argument. */
static struct host_signals signals;
static struct clock_waiter *_Atomic main_waiter;

static void
on_signal(int number)
{
    struct clock_waiter *waiter = main_waiter;

    if (++signals.stop > 1)
        _exit(128 + number); /* the second time means now */
    if (waiter != NULL)
        clock_wake(waiter);
}

static void
catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void
usage(FILE *to)
{
    fprintf(
        to,
        "usage: hardpoint swarm HOST:PORT [OPTION]...\n\n"
        "Flies many scripted clients, all in this process and each with the\n"
        "real client code, and tells what the server gave to each.\n\n"
        "  --clients N            how many (32)\n"
        "  --duration SECONDS     how long to measure once all have joined "
        "(10)\n"
        "  --ramp SECONDS         spread the joins over so long (1)\n"
        "  --pattern NAME         weave (the default), level, aggressive, idle "
        "or\n"
        "                         random\n"
        "  --seed N               of the first client; each has one of its own "
        "(1)\n"
        "  --light                acknowledge snapshots without decoding or\n"
        "                         predicting: for large counts\n"
        "  --link WORDS           a bad link both ways, as in\n"
        "                         delay=50,jitter=5,loss=2 (and duplicate,\n"
        "                         reorder, seed)\n"
        "  --rate HZ              fail unless the server ticks at this rate, "
        "which\n"
        "                         the clients take from it\n"
        "  --json FILE            write the report as JSON\n"
        "  --server-metrics FILE  put the server's [metrics] json into it\n"
        "  --assert-min-tick-hz X            fail if a client saw fewer ticks\n"
        "  --assert-max-payload-bytes-per-s X   ... if one was sent more\n"
        "  --assert-max-tick-ms X            ... if the server's p99 is above\n"
        "                                    (from --server-metrics)\n"
        "  --assert-no-refused               ... unless all joined and stayed\n"
        "  --config FILE          a client's INI instead of the built-in one\n"
        "  -s SECTION.KEY=VALUE   set one key\n"
        "  -h, --help             this text\n");
}

static int
bad(const char *flag, const char *found, const char *expected)
{
    fprintf(stderr, "hardpoint swarm: %s: found \"%s\", expected %s\n", flag,
            found, expected);
    return CMD_USAGE;
}

static int
whole(const char *flag, const char *unit, double low, double high, double *out)
{
    char expected[96];

    if (ini_parse_real(optarg, unit, out, NULL) == 0 && *out >= low &&
        *out <= high)
        return 0;
    snprintf(expected, sizeof(expected), "a number from %g to %.16g", low,
             high);
    return bad(flag, optarg, expected);
}

static int
seconds(const char *flag, double low, uint64_t *out_ns)
{
    double value;
    int status = whole(flag, "s", low, 1e6, &value);

    if (status == 0)
        *out_ns = (uint64_t)(value * 1e9);
    return status;
}

static int
count(const char *flag, uint32_t *out)
{
    char expected[64];
    long long value;

    if (ini_parse_int(optarg, NULL, &value, NULL) == 0 && value >= 1 &&
        value <= SWARM_CLIENTS_MAX) {
        *out = (uint32_t)value;
        return 0;
    }
    snprintf(expected, sizeof(expected), "a number from 1 to %d",
             SWARM_CLIENTS_MAX);
    return bad(flag, optarg, expected);
}

static void
override(struct swarm_command *s, const char *key, const char *value)
{
    char *made = s->made[s->made_count++ % 12];

    snprintf(made, sizeof(s->made[0]), "%s=%s", key, value);
    s->overrides[s->override_count++] = made;
}

static int
rate(struct swarm_command *s)
{
    struct tick_rate parsed;

    if (tick_rate_parse(optarg, &parsed) < 0)
        return bad("--rate", optarg,
                   "a rate from 1 to 1000 Hz, as 60 or 60000/1001");
    s->asserts.rate_hz = tick_rate_hz(parsed);
    return 0;
}

static int
take_setting(struct swarm_command *s, const char *key, const char *value)
{
    if (s->override_count >= OVERRIDES_MAX - 12 || s->made_count >= 8)
        return bad(key, value, "fewer settings");
    if (key[0] == '-')
        s->overrides[s->override_count++] = value;
    else
        override(s, key, value);
    return 0;
}

static int
take_flag(struct swarm_command *s, int c)
{
    switch (c) {
    case FLAG_CLIENTS:
        return count("--clients", &s->options.clients);
    case FLAG_DURATION:
        return seconds("--duration", 0.1, &s->options.duration_ns);
    case FLAG_RAMP:
        return seconds("--ramp", 0, &s->options.ramp_ns);
    case FLAG_RATE:
        return rate(s);
    case FLAG_PATTERN:
        return take_setting(s, "input.swarm.pattern", optarg);
    case FLAG_SEED:
        return take_setting(s, "input.swarm.seed", optarg);
    case FLAG_LIGHT:
        s->options.light = 1;
        return 0;
    case FLAG_LINK:
        s->options.link_text = optarg;
        if (net_simulator_parse(optarg, &s->options.link) == 0)
            return 0;
        return bad("--link", optarg,
                   "as in delay=50,jitter=5,loss=2 (and duplicate, reorder, "
                   "seed): milliseconds up to 10000, percents up to 100");
    case FLAG_JSON:
        s->json = optarg;
        return 0;
    case FLAG_METRICS:
        s->metrics = optarg;
        return 0;
    case FLAG_CONFIG:
        s->file = optarg;
        return 0;
    case FLAG_NO_REFUSED:
        s->asserts.no_refused = 1;
        return 0;
    case FLAG_MIN_TICK_HZ:
        return whole("--assert-min-tick-hz", "Hz", 0, 1e6,
                     &s->asserts.min_tick_hz);
    case FLAG_MAX_PAYLOAD:
        return whole("--assert-max-payload-bytes-per-s", NULL, 0, 1e12,
                     &s->asserts.max_payload_bytes_s);
    case FLAG_MAX_TICK_MS:
        return whole("--assert-max-tick-ms", "ms", 0, 1e6,
                     &s->asserts.max_tick_ms);
    case 's':
        return take_setting(s, "-s", optarg);
    default:
        return CMD_USAGE;
    }
}

/* HOST:PORT is the server that every client joins. */
static int
take_target(struct swarm_command *s, const char *text)
{
    const char *colon = strrchr(text, ':');
    char host[160];

    if (colon == NULL || colon == text || colon[1] == '\0' ||
        (size_t)(colon - text) >= sizeof(host))
        return bad("target", text, "HOST:PORT, as in 127.0.0.1:4776");
    snprintf(host, sizeof(host), "%.*s", (int)(colon - text), text);
    s->target = text;
    override(s, "host.role", "client");
    override(s, "net.address", host);
    override(s, "net.port", colon + 1);
    return 0;
}

static int
judge(const struct swarm_command *s, int argc)
{
    if (optind == argc) {
        usage(stderr);
        return CMD_USAGE;
    }
    if (!isnan(s->asserts.max_tick_ms) && s->metrics == NULL)
        return bad("--assert-max-tick-ms", "no --server-metrics",
                   "the file that the server's [metrics] json names");
    return 0;
}

static void
defaults(struct swarm_command *s)
{
    memset(s, 0, sizeof(*s));
    s->options.clients = 32;
    s->options.duration_ns = 10000000000ull;
    s->options.ramp_ns = 1000000000ull;
    s->options.progress = isatty(STDERR_FILENO);
    s->asserts = (struct swarm_asserts){NAN, NAN, NAN, NAN, 0};
    /* Made-up pilots who feel nothing: the user's own settings win. */
    override(s, "plugins.input", "swarm");
    override(s, "plugins.cues", "none");
    override(s, "plugins.haptics", "none");
    override(s, "plugins.agent", "none");
}

static int
parse(int argc, char **argv, struct swarm_command *s)
{
    /* clang-format off */
    static const struct option flags[] = {
        {"clients", required_argument, NULL, FLAG_CLIENTS},
        {"duration", required_argument, NULL, FLAG_DURATION},
        {"rate", required_argument, NULL, FLAG_RATE},
        {"pattern", required_argument, NULL, FLAG_PATTERN},
        {"seed", required_argument, NULL, FLAG_SEED},
        {"ramp", required_argument, NULL, FLAG_RAMP},
        {"light", no_argument, NULL, FLAG_LIGHT},
        {"link", required_argument, NULL, FLAG_LINK},
        {"json", required_argument, NULL, FLAG_JSON},
        {"server-metrics", required_argument, NULL, FLAG_METRICS},
        {"assert-min-tick-hz", required_argument, NULL, FLAG_MIN_TICK_HZ},
        {"assert-max-payload-bytes-per-s", required_argument, NULL, FLAG_MAX_PAYLOAD},
        {"assert-max-tick-ms", required_argument, NULL, FLAG_MAX_TICK_MS},
        {"assert-no-refused", no_argument, NULL, FLAG_NO_REFUSED},
        {"config", required_argument, NULL, FLAG_CONFIG},
        {"set", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    /* clang-format on */
    int c, status;

    defaults(s);
    optind = 1;
    while ((c = cmd_flag("swarm", argc, argv, ":s:h", flags)) != -1) {
        if (c == 'h') {
            usage(stdout);
            return -1;
        }
        status = take_flag(s, c);
        if (status != 0)
            return status;
    }
    status = judge(s, argc);
    if (status != 0)
        return status;
    if (argc - optind > 1)
        return cmd_too_many("swarm", argv[optind + 1]);
    return take_target(s, argv[optind]);
}

/* The server's metrics whole, or NULL after the reason was told. The caller
 * frees them. */
static char *
read_metrics(const char *path)
{
    char *text = malloc(METRICS_MAX);
    FILE *file = fopen(path, "r");
    const char *why = "it is no JSON";
    size_t bytes;

    if (text == NULL || file == NULL) {
        why = strerror(errno);
    } else {
        bytes = fread(text, 1, METRICS_MAX - 1, file);
        while (bytes > 0 && text[bytes - 1] == '\n')
            bytes--;
        text[bytes] = '\0';
        why = json_scan(text, NULL, NULL) == 0 ? NULL : why;
    }
    if (file != NULL)
        fclose(file);
    if (why == NULL)
        return text;
    fprintf(stderr,
            "hardpoint swarm: --server-metrics: %s cannot be used: %s; give "
            "the file that the server's [metrics] json names\n",
            path, why);
    free(text);
    return NULL;
}

static int
report(const struct swarm_command *s, const struct swarm_result *r,
       const struct setup *setup, const char *metrics)
{
    struct swarm_story story = {
        .target = s->target,
        .pattern = "of another input plugin",
        .options = &s->options,
        .server_metrics = metrics,
    };
    int err = 0;

    config_text(setup->config, "input.swarm", "pattern", 0, &story.pattern);
    config_int(setup->config, "input.swarm", "seed", 0, &story.seed);
    swarm_print(r, &story, stdout);
    if (s->json != NULL)
        err = swarm_write_json(r, &story, s->json);
    if (err < 0) {
        fprintf(stderr, "hardpoint swarm: cannot write %s: %s\n", s->json,
                strerror(-err));
        return CMD_UNAVAILABLE;
    }
    return swarm_judge(&s->asserts, r, metrics, stderr) > 0 ? CMD_NO : CMD_OK;
}

static int
measure(const struct swarm_command *s, struct setup *setup,
        struct swarm_result *r)
{
    struct clock_waiter *waiter = NULL;
    struct clock *clock = NULL;
    int status;

    if (clock_create_real(&clock) < 0)
        return CMD_UNAVAILABLE;
    if (clock_join(clock, &waiter) < 0) {
        clock_destroy(clock);
        return CMD_UNAVAILABLE;
    }
    clock_enter(waiter);
    main_waiter = waiter;
    log_start(clock);
    status = swarm_run(setup, clock, waiter, &signals, &s->options, r);
    log_stop();
    main_waiter = NULL;
    clock_leave(waiter);
    clock_destroy(clock);
    return status;
}

static int
run(const struct swarm_command *s, struct setup *setup)
{
    struct swarm_result *r = swarm_result_create();
    char *metrics = NULL;
    int status = r == NULL || cmd_allow_files("swarm", s->options.clients) < 0
                     ? CMD_UNAVAILABLE
                     : 0;

    if (status == 0)
        status = measure(s, setup, r);
    if (status == 0 && s->metrics != NULL) {
        metrics = read_metrics(s->metrics);
        status = metrics == NULL ? CMD_NO_INPUT : 0;
    }
    if (status == 0)
        status = report(s, r, setup, metrics);
    free(metrics);
    free(r);
    return status;
}

int
cmd_swarm(int argc, char **argv)
{
    struct swarm_command command;
    struct setup setup;
    int status = parse(argc, argv, &command);

    if (status != 0)
        return status < 0 ? CMD_OK : status;
    status = setup_load(&setup, command.file, command.overrides,
                        command.override_count, stderr);
    if (status == 0) {
        catch_signals();
        instance_install_fault_handler();
        instance_thread_init();
        log_set_level(HP_LOG_WARNING);
        status = run(&command, &setup);
        instance_thread_finish();
    }
    setup_finish(&setup);
    return status;
}
