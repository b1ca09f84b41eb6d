/* What the system itself takes, by well-known tools, when they are installed.
 */
#include "bench.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a tool has said so far. */
struct baseline_figures {
    struct hist times_ns; /* a tool that tells each time */
    double mean_us, p50_us, p99_us, max_us;
    unsigned found;      /* how many of the four */
    char last_line[160]; /* in place of figures */
};

struct baseline {
    const char *tool;
    const char *package;
    const char *what;
    const char *command; /* each bounds its own time; $port is free */
    void (*take)(struct baseline_figures *f, const char *line);
};

/* "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.038 ms" */
static void
take_ping(struct baseline_figures *f, const char *line)
{
    const char *at = strstr(line, "time=");
    double ms;

    if (at != NULL && sscanf(at, "time=%lf ms", &ms) == 1 && ms >= 0)
        hist_record(&f->times_ns, (uint64_t)(ms * 1e6));
}

/* "sockperf: ---> percentile 99.000 =  340.943" and its like. */
static void
take_sockperf(struct baseline_figures *f, const char *line)
{
    const struct {
        const char *mark;
        double *to;
    } marks[] = {
        {"Round trip is",       &f->mean_us},
        {"percentile 50.000 =", &f->p50_us },
        {"percentile 99.000 =", &f->p99_us },
        {"<MAX> observation =", &f->max_us },
    };
    const char *at;
    size_t i;

    for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        at = strstr(line, marks[i].mark);
        if (at != NULL &&
            sscanf(at + strlen(marks[i].mark), "%lf", marks[i].to) == 1)
            f->found++;
    }
}

/* sockperf tells half a round trip unless it is asked. */
static const struct baseline baselines[] = {
    {"ping",     "iputils-ping", "ICMP echo on loopback",
     "ping -c 100 -i 0.01 127.0.0.1 2>&1", take_ping    },
    {"sockperf", "sockperf",     "UDP echo on loopback, back to back",
     "timeout 8 sockperf server -i 127.0.0.1 -p $port >/dev/null 2>&1 & "
     "server=$!; sleep 0.5; "
     "timeout 6 sockperf ping-pong -i 127.0.0.1 -p $port -t 2 --full-rtt "
     "2>&1; kill $server 2>/dev/null",     take_sockperf},
};

static int
is_installed(const char *tool)
{
    const char *path = getenv("PATH");
    char file[4096];
    size_t length;

    while (path != NULL && *path != '\0') {
        length = strcspn(path, ":");
        snprintf(file, sizeof(file), "%.*s/%s", (int)length, path, tool);
        if (access(file, X_OK) == 0)
            return 1;
        path += length + (path[length] == ':');
    }
    return 0;
}

/* A UDP port that nobody had a moment ago; 0: none. */
static unsigned
free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return 0;
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) < 0)
        address.sin_port = 0;
    close(fd);
    return ntohs(address.sin_port);
}

static int
listen_to(const struct baseline *b, struct baseline_figures *f)
{
    char command[512], line[512];
    FILE *pipe;

    snprintf(command, sizeof(command), "port=%u; %s", free_port(), b->command);
    pipe = popen(command, "r");
    if (pipe == NULL)
        return errno != 0 ? -errno : -ENOMEM;
    while (fgets(line, sizeof(line), pipe) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            snprintf(f->last_line, sizeof(f->last_line), "%.150s", line);
        b->take(f, line);
    }
    pclose(pipe);
    return 0;
}

static void
sum_up(struct baseline_figures *f)
{
    struct hist_summary sum;

    if (hist_count(&f->times_ns) == 0)
        return;
    hist_summarise(&f->times_ns, 1e-3, &sum);
    f->mean_us = sum.mean;
    f->p50_us = sum.p50;
    f->p99_us = sum.p99;
    f->max_us = sum.max;
    f->found = 4;
}

static void
print_baseline(const struct baseline *b, FILE *to)
{
    struct baseline_figures *f = calloc(1, sizeof(*f));
    int err;

    if (f == NULL)
        return;
    hist_init(&f->times_ns);
    snprintf(f->last_line, sizeof(f->last_line), "nothing");
    err = listen_to(b, f);
    sum_up(f);
    if (err < 0)
        fprintf(to, "baseline: %s: cannot be run: %s\n", b->tool,
                strerror(-err));
    else if (f->found < 4)
        fprintf(to, "baseline: %s: gave no figures; it said: %s\n", b->tool,
                f->last_line);
    else
        fprintf(
            to,
            "baseline: %s, %s: mean %.1f, p50 %.1f, p99 %.1f, max %.1f us\n",
            b->tool, b->what, f->mean_us, f->p50_us, f->p99_us, f->max_us);
    free(f);
}

void
bench_print_baselines(FILE *to)
{
    size_t i;

    fflush(to); /* the tools write to the same terminal */
    for (i = 0; i < sizeof(baselines) / sizeof(baselines[0]); i++) {
        if (is_installed(baselines[i].tool))
            print_baseline(&baselines[i], to);
        else
            fprintf(to,
                    "baseline: %s is not installed (Debian package %s): left "
                    "out\n",
                    baselines[i].tool, baselines[i].package);
    }
}
