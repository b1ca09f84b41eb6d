/* hardpoint run [FILE]: the host in the foreground. */
#include "cmd.h"
#include "cmd_flags.h"
#include "config.h"
#include "floor.h"
#include "host.h"
#include "log.h"
#include "summary.h"
#include <errno.h>
#include <ini/ini.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OVERRIDES_MAX 64

/* The floor is taken at a rate that gives its samples in a fifth of a second.
 */
#define FLOOR_HZ      250
#define FLOOR_SAMPLES 50

struct run_options {
    const char *file;
    const char *overrides[OVERRIDES_MAX];
    int override_count;
    char record[PATH_MAX + 16]; /* what --record overrides */
    uint64_t for_ns;
    int is_virtual;
    int quiet;
};

/* What the signal handlers reach: a handler takes no argument. */
static struct host_signals signals;
static struct clock_waiter *_Atomic main_waiter;
static struct haptics *_Atomic main_haptics;

#define SILENCE_S 1 /* at most, before the second signal ends the process */

/* The second time means now; but no motor is left on. */
static void
end_now(int number)
{
    struct haptics *haptics = main_haptics;

    if (signals.stop > 2 || number == SIGALRM || haptics == NULL ||
        !haptics_end_process(haptics, 128 + number))
        _exit(128 + number);
    alarm(SILENCE_S);
}

static void
on_signal(int number)
{
    struct clock_waiter *waiter = main_waiter;

    if (number == SIGHUP)
        signals.reload++;
    else if (number == SIGALRM || ++signals.stop > 1)
        end_now(number);
    if (waiter != NULL)
        clock_wake(waiter);
}

static void
catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error as any */
}

static void
usage(FILE *to)
{
    fprintf(to,
            "usage: hardpoint run [FILE] [--for SECONDS] [-s "
            "SECTION.KEY=VALUE]...\n\n"
            "Runs the host that FILE describes, until it is interrupted.\n\n"
            "  --for SECONDS        end by itself after so long\n"
            "  -s SECTION.KEY=VALUE set one key, whatever the file says\n"
            "  --record FILE        records the world for `hardpoint replay`\n"
            "  --record-views       ... with the whole view of each tick\n"
            "  --virtual            on a virtual clock: as fast as it can, "
            "and exact\n"
            "  --quiet              no summary at the end\n"
            "  -h, --help           this text\n\n"
            "Without FILE: $HARDPOINT_CONFIG, then the user's, then the "
            "system's\nhardpoint.ini, then a built-in solo demo.\n");
}

static int
add_override(struct run_options *out, const char *setting)
{
    if (out->override_count == OVERRIDES_MAX) {
        fprintf(stderr, "hardpoint run: more than %d -s\n", OVERRIDES_MAX);
        return CMD_USAGE;
    }
    out->overrides[out->override_count++] = setting;
    return CMD_OK;
}

static int
parse(int argc, char **argv, struct run_options *out)
{
    static const struct option flags[] = {
        {"for",          required_argument, NULL, 'f'},
        {"set",          required_argument, NULL, 's'},
        {"record",       required_argument, NULL, 'r'},
        {"record-views", no_argument,       NULL, 'w'},
        {"virtual",      no_argument,       NULL, 'v'},
        {"quiet",        no_argument,       NULL, 'q'},
        {"help",         no_argument,       NULL, 'h'},
        {NULL,           0,                 NULL, 0  },
    };
    double seconds;
    int c, status;

    memset(out, 0, sizeof(*out));
    out->for_ns = CLOCK_NEVER;
    while ((c = cmd_flag("run", argc, argv, ":s:h", flags)) != -1) {
        switch (c) {
        case 'f':
            if (ini_parse_real(optarg, "s", &seconds, NULL) < 0 ||
                !(seconds > 0 && seconds < 1e9)) {
                fprintf(stderr,
                        "hardpoint run: --for: found \"%s\", expected "
                        "seconds above 0, as in --for 10\n",
                        optarg);
                return CMD_USAGE;
            }
            out->for_ns = (uint64_t)(seconds * 1e9);
            break;
        case 's':
            status = add_override(out, optarg);
            if (status != 0)
                return status;
            break;
        case 'r':
            snprintf(out->record, sizeof(out->record), "host.record=%s",
                     optarg);
            status = add_override(out, out->record);
            if (status != 0)
                return status;
            break;
        case 'w':
            status = add_override(out, "host.record_views=yes");
            if (status != 0)
                return status;
            break;
        case 'v':
            out->is_virtual = 1;
            break;
        case 'q':
            out->quiet = 1;
            break;
        case 'h':
            usage(stdout);
            return -1;
        default:
            return CMD_USAGE;
        }
    }
    if (argc - optind > 1)
        return cmd_too_many("run", argv[optind + 1]);
    out->file = optind < argc ? argv[optind] : NULL;
    return 0;
}

static void
apply_process_options(struct setup *setup)
{
    const char *level_name = "info", *format = "text";
    uint32_t level;
    int lock = 0;

    config_text(setup->config, "log", "level", 0, &level_name);
    if (log_parse_level(level_name, &level) == 0)
        log_set_level(level);
    config_text(setup->config, "log", "format", 0, &format);
    log_set_format(strcmp(format, "json") == 0 ? LOG_JSON : LOG_TEXT);
    config_flag(setup->config, "host", "lock_memory", &lock);
    if (lock && mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        log_warning("host: memory is not locked (%s): raise the memlock limit, "
                    "or set [host] lock_memory = no",
                    strerror(errno));
}

/* Between clock and configuration, both of which outlive it. */
static int
run_host(struct setup *setup, struct clock *clock,
         const struct run_options *options)
{
    struct clock_waiter *waiter = NULL;
    struct hist *timer_floor = NULL;
    struct host host;
    int status = clock_join(clock, &waiter), started;

    if (status < 0) {
        log_error("host: cannot start: %s", strerror(-status));
        return CMD_UNAVAILABLE;
    }
    clock_enter(waiter);
    main_waiter = waiter;
    host_init(&host, setup, clock, waiter, &signals);
    status = host_start(&host);
    started = status == 0;
    main_haptics = host.haptics;
    if (started)
        status = host_serve(&host, options->for_ns);
    else if (status == CMD_NO)
        status = CMD_OK; /* interrupted while it waited for a server */
    host_stop(&host);
    if (started && status == CMD_OK)
        status = host.status; /* its recording may be broken */
    if (started && status <= CMD_NO && !options->quiet) {
        timer_floor = calloc(1, sizeof(*timer_floor));
        if (timer_floor != NULL)
            hist_init(timer_floor);
        if (timer_floor != NULL && !options->is_virtual)
            floor_timer(timer_floor, (struct tick_rate){FLOOR_HZ, 1},
                        FLOOR_SAMPLES);
        summary_print(&host, options->is_virtual ? NULL : timer_floor, stdout);
        free(timer_floor);
    }
    main_waiter = NULL;
    main_haptics = NULL;
    host_finish(&host);
    clock_leave(waiter);
    return status;
}

int
cmd_run(int argc, char **argv)
{
    struct run_options options;
    struct clock *clock = NULL;
    struct setup setup;
    int status = parse(argc, argv, &options);

    if (status != 0)
        return status < 0 ? CMD_OK : status;
    status = setup_load(&setup, options.file, options.overrides,
                        options.override_count, stderr);
    if (status != 0) {
        setup_finish(&setup);
        return status;
    }
    catch_signals();
    instance_install_fault_handler();
    if ((options.is_virtual ? clock_create_virtual(&clock, 1000000000ull)
                            : clock_create_real(&clock)) < 0) {
        setup_finish(&setup);
        return CMD_UNAVAILABLE;
    }
    log_start(clock);
    instance_thread_init();
    apply_process_options(&setup);
    status = run_host(&setup, clock, &options);
    log_stop();
    instance_thread_finish();
    clock_destroy(clock);
    setup_finish(&setup);
    return status;
}
