/* hardpoint bench-enet: what the socket costs without a host around it. */
#include "bench_enet.h"
#include "clock.h"
#include "cmd.h"
#include "cmd_files.h"
#include "cmd_flags.h"
#include "json.h"
#include "net.h"
#include <errno.h>
#include <ini/ini.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_ENET_SCHEMA 1

struct bench_enet_command {
    struct bench_enet_options options;
    const char *json;
};

static void
usage(FILE *to)
{
    fprintf(to,
            "usage: hardpoint bench-enet [OPTION]...\n\n"
            "A bare ENet server and clients, one thread each, that exchange\n"
            "datagrams of these sizes and do nothing else: what a host's\n"
            "figures are measured against.\n\n"
            "  --clients N            how many (128)\n"
            "  --duration SECONDS     how long to measure (10)\n"
            "  --rate HZ              ticks in a second (60)\n"
            "  --snapshot-bytes N     to each client in each tick (600)\n"
            "  --input-bytes N        from each (48)\n"
            "  --service event|tick   serve the socket when it is readable "
            "(the\n"
            "                         default), or once a tick\n"
            "  --json FILE            write the figures as JSON\n"
            "  -h, --help             this text\n");
}

static int
bad(const char *flag, const char *expected)
{
    fprintf(stderr, "hardpoint bench-enet: %s: found \"%s\", expected %s\n",
            flag, optarg, expected);
    return CMD_USAGE;
}

static int
take_count(const char *flag, long long low, long long high, uint32_t *out)
{
    char expected[64];
    long long value;

    if (ini_parse_int(optarg, NULL, &value, NULL) == 0 && value >= low &&
        value <= high) {
        *out = (uint32_t)value;
        return 0;
    }
    snprintf(expected, sizeof(expected), "a number from %lld to %lld", low,
             high);
    return bad(flag, expected);
}

static int
take_duration(uint64_t *out_ns)
{
    double seconds;

    if (ini_parse_real(optarg, "s", &seconds, NULL) < 0 ||
        !(seconds >= 0.1 && seconds <= 1e6))
        return bad("--duration", "seconds from 0.1 to 1000000");
    *out_ns = (uint64_t)(seconds * 1e9);
    return 0;
}

static int
take_flag(struct bench_enet_command *b, int c)
{
    struct bench_enet_options *o = &b->options;

    switch (c) {
    case 'c':
        return take_count("--clients", 1, BENCH_ENET_CLIENTS_MAX, &o->clients);
    case 'd':
        return take_duration(&o->duration_ns);
    case 'r':
        return tick_rate_parse(optarg, &o->rate) < 0
                   ? bad("--rate", "a rate from 1 to 1000 Hz")
                   : 0;
    case 'o':
        return take_count("--snapshot-bytes", 1, NET_DATAGRAM_MAX,
                          &o->snapshot_bytes);
    case 'i':
        return take_count("--input-bytes", 1, NET_DATAGRAM_MAX,
                          &o->input_bytes);
    case 'S':
        o->service_tick = strcmp(optarg, "tick") == 0;
        return o->service_tick || strcmp(optarg, "event") == 0
                   ? 0
                   : bad("--service", "event or tick");
    case 'j':
        b->json = optarg;
        return 0;
    default:
        return CMD_USAGE;
    }
}

static int
parse(int argc, char **argv, struct bench_enet_command *b)
{
    /* clang-format off */
    static const struct option flags[] = {
        {"clients", required_argument, NULL, 'c'},
        {"duration", required_argument, NULL, 'd'},
        {"rate", required_argument, NULL, 'r'},
        {"snapshot-bytes", required_argument, NULL, 'o'},
        {"input-bytes", required_argument, NULL, 'i'},
        {"service", required_argument, NULL, 'S'},
        {"json", required_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    /* clang-format on */
    int c, status;

    memset(b, 0, sizeof(*b));
    b->options = (struct bench_enet_options){
        .clients = 128,
        .rate = {60, 1},
        .duration_ns = 10000000000ull,
        .snapshot_bytes = 600,
        .input_bytes = 48,
    };
    optind = 1;
    while ((c = cmd_flag("bench-enet", argc, argv, ":h", flags)) != -1) {
        if (c == 'h') {
            usage(stdout);
            return -1;
        }
        status = take_flag(b, c);
        if (status != 0)
            return status;
    }
    return optind < argc ? cmd_too_many("bench-enet", argv[optind]) : 0;
}

static void
print(const struct bench_enet_command *b, const struct bench_enet_result *r)
{
    struct hist_summary tick;

    hist_summarise(&r->tick_ns, 1e-6, &tick);
    printf("bare ENet %s, %u clients, %.3f Hz, service = %s, %u bytes out and "
           "%u in for each client and tick, %.1f s measured\n",
           net_library_version(), r->connected, tick_rate_hz(b->options.rate),
           b->options.service_tick ? "tick" : "event",
           b->options.snapshot_bytes, b->options.input_bytes, r->measured_s);
    printf("server: %.3f cores; tick mean %.2f ms, p99 %.2f ms, max %.2f ms\n",
           r->server_cores, tick.mean, tick.p99, tick.max);
    printf("clients: %.3f cores; %llu of %llu snapshots and %llu inputs "
           "arrived\n",
           r->client_cores, (unsigned long long)r->snapshots_in,
           (unsigned long long)r->snapshots_out,
           (unsigned long long)r->inputs_in);
}

static int
write_json(const struct bench_enet_command *b,
           const struct bench_enet_result *r)
{
    FILE *file = fopen(b->json, "w");
    struct json j;
    int err;

    if (file == NULL)
        return -errno;
    json_init(&j, file);
    json_open_object(&j, NULL);
    json_int(&j, "schema", BENCH_ENET_SCHEMA);
    json_int(&j, "clients", r->connected);
    json_real(&j, "tick_rate_hz", tick_rate_hz(b->options.rate));
    json_text(&j, "service", b->options.service_tick ? "tick" : "event");
    json_int(&j, "snapshot_bytes", b->options.snapshot_bytes);
    json_int(&j, "input_bytes", b->options.input_bytes);
    json_text(&j, "enet_version", net_library_version());
    json_real(&j, "measured_s", r->measured_s);
    json_int(&j, "ticks", (int64_t)r->ticks);
    json_real(&j, "server_cores", r->server_cores);
    json_real(&j, "client_cores", r->client_cores);
    json_hist(&j, "tick_ms", &r->tick_ns, 1e-6);
    json_int(&j, "snapshots_out", (int64_t)r->snapshots_out);
    json_int(&j, "snapshots_in", (int64_t)r->snapshots_in);
    json_int(&j, "inputs_in", (int64_t)r->inputs_in);
    json_close_object(&j);
    err = json_finish(&j);
    if (fclose(file) != 0 && err == 0)
        err = -errno;
    return err;
}

static int
run(const struct bench_enet_options *options, struct bench_enet_result *out)
{
    struct clock_waiter *waiter = NULL;
    struct clock *clock = NULL;
    int err = clock_create_real(&clock);

    if (err < 0)
        return err;
    err = clock_join(clock, &waiter);
    if (err == 0) {
        clock_enter(waiter);
        err = bench_enet_run(clock, waiter, options, out);
        clock_leave(waiter);
    }
    clock_destroy(clock);
    return err;
}

int
cmd_bench_enet(int argc, char **argv)
{
    struct bench_enet_result *r = NULL;
    struct bench_enet_command command;
    int status = parse(argc, argv, &command), err;

    if (status != 0)
        return status < 0 ? CMD_OK : status;
    if (cmd_allow_files("bench-enet", command.options.clients) < 0)
        return CMD_UNAVAILABLE;
    r = bench_enet_result_create();
    err = r == NULL ? -ENOMEM : run(&command.options, r);
    if (err < 0) {
        fprintf(stderr,
                "hardpoint bench-enet: %u of %u clients connected: "
                "%s\n",
                r == NULL ? 0 : r->connected, command.options.clients,
                strerror(-err));
        free(r);
        return CMD_UNAVAILABLE;
    }
    print(&command, r);
    err = command.json == NULL ? 0 : write_json(&command, r);
    if (err < 0)
        fprintf(stderr, "hardpoint bench-enet: cannot write %s: %s\n",
                command.json, strerror(-err));
    free(r);
    return err < 0 ? CMD_UNAVAILABLE : CMD_OK;
}
