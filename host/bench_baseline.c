/* OS baselines by well-known tools, when they are installed. */
#include "bench.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct baseline {
    const char *tool;
    const char *package;
    const char *command; /* its figures' line has `mark` in it */
    const char *mark;
    const char *what;
};

/* Each bounds its own time; sockperf's server ends with the shell's child. */
static const struct baseline baselines[] = {
    {"ping",     "iputils-ping", "ping -q -c 100 -i 0.01 127.0.0.1 2>/dev/null",
     "min/avg/max",                                                                          "ICMP round trip on loopback"},
    {"sockperf", "sockperf",
     "timeout 6 sockperf server -i 127.0.0.1 -p 47761 >/dev/null 2>&1 & "
     "server=$!; sleep 0.5; "
     "timeout 5 sockperf ping-pong -i 127.0.0.1 -p 47761 -t 2 --full-rtt 2>&1; "
     "kill $server 2>/dev/null",                                                 "Summary:", "UDP round trip on loopback" },
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

static void
run(const struct baseline *b, FILE *to)
{
    char line[512], found[512] = "it said nothing";
    FILE *pipe = popen(b->command, "r");

    if (pipe == NULL)
        return;
    while (fgets(line, sizeof(line), pipe) != NULL)
        if (strstr(line, b->mark) != NULL)
            snprintf(found, sizeof(found), "%s", line);
    pclose(pipe);
    found[strcspn(found, "\n")] = '\0';
    fprintf(to, "baseline: %s, %s: %s\n", b->tool, b->what, found);
}

void
bench_print_baselines(FILE *to)
{
    size_t i;

    for (i = 0; i < sizeof(baselines) / sizeof(baselines[0]); i++) {
        if (is_installed(baselines[i].tool))
            run(&baselines[i], to);
        else
            fprintf(to,
                    "baseline: %s is not installed (Debian package %s): left "
                    "out\n",
                    baselines[i].tool, baselines[i].package);
    }
}
