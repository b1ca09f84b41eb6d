/* The host's own rows, section by section, and what no type can judge. */
#include "options.h"
#include "config.h"
#include "jobs.h"
#include "net_simulator.h"
#include "proto.h"
#include "tick.h"
#include <errno.h>
#include <string.h>

#define LIVE HP_PARAM_LIVE

/* clang-format off */
#define FLAG(name, preset, flags, sentence) \
    {name, "", preset, sentence, NULL, NULL, 0, 0, HP_PARAM_FLAG, flags}
#define INT(name, unit, preset, minimum, maximum, flags, sentence) \
    {name, unit, preset, sentence, NULL, NULL, minimum, maximum, \
     HP_PARAM_INT, flags}
#define REAL(name, unit, preset, minimum, maximum, flags, sentence) \
    {name, unit, preset, sentence, NULL, NULL, minimum, maximum, \
     HP_PARAM_REAL, flags}
#define TEXT(name, preset, flags, sentence) \
    {name, "", preset, sentence, NULL, NULL, 0, 0, HP_PARAM_TEXT, flags}
#define CHOICE(name, choices, preset, flags, sentence) \
    {name, "", preset, sentence, choices, NULL, 0, 0, HP_PARAM_CHOICE, flags}
#define FILE_PATH(name, preset, flags, sentence) \
    {name, "", preset, sentence, NULL, NULL, 0, 0, HP_PARAM_PATH, flags}

static const struct hp_param host_rows[] = {
    CHOICE("role", "solo|server|client", "solo", 0,
           "Which sides run: both in one process, the world alone, or one "
           "player of a server elsewhere."),
    TEXT("tick_rate_hz", "60", 0,
         "Steps of the world in a second, 1 to 1000; fractions such as "
         "60000/1001 are exact. A client takes the server's."),
    INT("snapshot_every", "ticks", "1", 1, 1000, 0,
        "Clients are told of every so many ticks."),
    TEXT("plugin_path", "", 0,
         "Folders to look for plugins in, before all others, separated by "
         "colons."),
    INT("catch_up_ticks_max", "ticks", "4", 0, 64, 0,
        "How many late ticks are run at once; time beyond that is dropped."),
    INT("spin_us", "us", "0", 0, 5000, 0,
        "Spins for the last of each wait instead of sleeping: less jitter "
        "for more CPU."),
    INT("timer_slack_ns", "ns", "1", 1, 1000000, 0,
        "How late the kernel may wake a plugin that sleeps in a tick, to save "
        "power; the host's own timers are exact whatever it is."),
    FLAG("realtime", "no", 0,
         "Asks for real-time scheduling (SCHED_FIFO); goes on without it "
         "when refused, and says so."),
    FLAG("lock_memory", "no", 0,
         "Keeps the host's memory from being swapped out; goes on without "
         "it when refused, and says so."),
    INT("entities_max", "", "256", 1, 65535, 0,
        "How many things the world may hold."),
    FILE_PATH("record", "", 0,
              "A file that the world is recorded in, for `hardpoint replay`: "
              "joins, leaves, inputs and what each tick came to. One that is "
              "there is kept as FILE.old."),
    FLAG("record_views", "no", 0,
         "Records the whole view of each tick, so that a replay can name both "
         "values of a difference at once; many times the bytes."),
    INT("workers", "", "1", 0, JOBS_THREADS_MAX, 0,
        "Threads that share a server's tick, its own among them: 2 on two "
        "cores for a world of hundreds. 0 is 1. The world is the same with "
        "any number."),
    INT("budget_percent", "%", "50", 1, 100, 0,
        "A plugin whose call takes more than this part of a tick is named "
        "in the log."),
};

static const struct hp_param client_rows[] = {
    TEXT("name", "pilot", 0, "What others see you as, up to 31 bytes."),
    TEXT("join", "", 0,
         "What the simulation is asked for at joining, as it defines it: "
         "aircraft=f16."),
};

static const struct hp_param net_rows[] = {
    TEXT("address", "127.0.0.1", 0,
         "IPv4 address or name: a server listens there (0.0.0.0: "
         "everywhere), a client connects there. Solo stays on 127.0.0.1."),
    INT("port", "", "4776", 1, 65535, 0, "UDP port of the server."),
    INT("clients_max", "", "16", 1, 4087, 0,
        "How many players a server takes."),
    CHOICE("service", "event|tick", "event", 0,
           "When a server reads its socket: whenever something arrives, or "
           "once a tick after its sends."),
    FILE_PATH("bans", "", LIVE | HP_PARAM_INPUT,
              "A file of IPv4 addresses and networks, one a line, that a "
              "server does not talk to. A reload reads it anew."),
    CHOICE("phase", "lock|off", "lock", 0,
           "Whether a client times its ticks so that its input arrives just "
           "before the server needs it."),
};

static const struct hp_param simulator_rows[] = {
    REAL("delay_ms", "ms", "0", 0, NET_SIMULATOR_MS_MAX, 0,
         "How long each datagram takes, one way."),
    REAL("jitter_ms", "ms", "0", 0, NET_SIMULATOR_MS_MAX, 0,
         "By how much that differs from one datagram to the next, either "
         "way; so they also overtake each other."),
    REAL("loss_percent", "%", "0", 0, 100, 0,
         "How many datagrams are lost, each way."),
    REAL("duplicate_percent", "%", "0", 0, 100, 0,
         "How many arrive twice."),
    REAL("reorder_percent", "%", "0", 0, 100, 0,
         "How many are held back by 10 to 50 ms more."),
    INT("seed", "", "1", 0, 1000000000, 0,
        "The same seed gives the same luck."),
};

static const struct hp_param plugin_rows[] = {
    TEXT("sim", "flight", 0, "The world."),
    TEXT("broadcaster", "full", 0, "How snapshots are written and read."),
    TEXT("predictor", "replay", 0,
         "What a client shows before the server has answered."),
    TEXT("cues", "flight", 0, "What should be felt, and when. Or none."),
    TEXT("haptics", "null", LIVE, "What it is felt on. Or none."),
    TEXT("input", "idle", 0, "Where the pilot's commands come from."),
    TEXT("agent", "none", 0, "Everything else. Or none."),
};

static const struct hp_param haptics_rows[] = {
    FILE_PATH("effects", "", HP_PARAM_INPUT,
              "The file that says how each effect feels; without one nothing "
              "is felt."),
    FLAG("unsafe", "no", 0,
         "Serve also devices that would go on if the host died and that no "
         "guardian can stop."),
};

static const struct hp_param metrics_rows[] = {
    FILE_PATH("json", "", 0,
              "A file that a server rewrites with its figures each second."),
};

static const struct hp_param log_rows[] = {
    CHOICE("level", "error|warning|info|debug", "info", LIVE,
           "How much is logged."),
    CHOICE("format", "text|json", "text", 0,
           "Lines to read, or one JSON object a line: t_s (seconds), level, text. "
           "What is wrong in a file stays text."),
};

#define ROWS(rows) rows, (uint32_t)(sizeof(rows) / sizeof((rows)[0]))

static const struct options_section sections[] = {
    {"host", "The process and its clock.", ROWS(host_rows)},
    {"client", "The player of this host.", ROWS(client_rows)},
    {"net", "The wire between server and clients.", ROWS(net_rows)},
    {"net.simulator",
     "A bad link, for trying one out: set it on one host, and it is bad both "
     "ways.",
     ROWS(simulator_rows)},
    {"plugins",
     "Which plugins are in use. A comma means all of these, a bar the first "
     "that starts: sdl2 | evdev, audio.",
     ROWS(plugin_rows)},
    {"haptics", "What all haptics backends share.", ROWS(haptics_rows)},
    {"metrics", "Figures for monitoring.", ROWS(metrics_rows)},
    {"log", "Messages on standard error.", ROWS(log_rows)},
};
/* clang-format on */

const struct options_section *
options_sections(uint32_t *count)
{
    *count = (uint32_t)(sizeof(sections) / sizeof(sections[0]));
    return sections;
}

static int
judge_tick_rate(const char *value, char *expected, size_t bytes)
{
    struct tick_rate rate;
    int err = tick_rate_parse(value, &rate);

    snprintf(expected, bytes,
             "a rate from %d to %d Hz, as 60, 59.94 or 60000/1001",
             TICK_RATE_MIN_HZ, TICK_RATE_MAX_HZ);
    return err;
}

static int
judge_length(const char *value, size_t room, char *expected, size_t bytes)
{
    snprintf(expected, bytes, "at most %zu bytes", room - 1);
    return strlen(value) < room ? 0 : -ERANGE;
}

static int
judge_name(const char *value, char *expected, size_t bytes)
{
    if (*value != '\0')
        return judge_length(value, PROTO_NAME_MAX, expected, bytes);
    snprintf(expected, bytes, "a name");
    return -EINVAL;
}

static int
judge_join(const char *value, char *expected, size_t bytes)
{
    return judge_length(value, PROTO_OPTIONS_MAX, expected, bytes);
}

/* ENet is IPv4 only: what can be no IPv4 address is refused at once. */
static int
judge_address(const char *value, char *expected, size_t bytes)
{
    snprintf(expected, bytes,
             "an IPv4 address or a name (the port is a key of its own)");
    return strpbrk(value, ": \t/") == NULL && strlen(value) < 254 ? 0 : -EINVAL;
}

static const struct config_check checks[] = {
    {"host",   "tick_rate_hz", judge_tick_rate},
    {"client", "name",         judge_name     },
    {"client", "join",         judge_join     },
    {"net",    "address",      judge_address  },
};

int
options_bind(struct config *c)
{
    size_t i;
    int problems = 0;

    config_set_checks(c, checks, sizeof(checks) / sizeof(checks[0]));
    for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        problems += config_bind(c, sections[i].name, sections[i].rows,
                                sections[i].row_count, sizeof(struct hp_param));
    return problems;
}
