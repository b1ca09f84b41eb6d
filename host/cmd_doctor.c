/*
 * hardpoint doctor: whether this machine and this user let a host run as it
 * should, as TAP: each line a fact, and below each that does not hold what to
 * do.
 */
#include "cmd.h"
#include "cmd_flags.h"
#include "floor.h"
#include "hist.h"
#include "libexec.h"
#include "setup.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define RTPRIO_WANTED  10
#define MEMLOCK_WANTED (64ull << 20)
#define FLOOR_HZ       120
#define FLOOR_SAMPLES  60
#define FLOOR_NS       1000000ull /* a timer later than this is felt */

struct doctor {
    int facts;
    int failed;
};

static void fact(struct doctor *d, int holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void
fact(struct doctor *d, int holds, const char *format, ...)
{
    va_list args;

    printf("%sok %d - ", holds ? "" : "not ", ++d->facts);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    d->failed += !holds;
}

static void
advise(int holds, const char *what)
{
    if (!holds)
        printf("# %s\n", what);
}

/* ---- the process ---- */

static void
check_realtime(struct doctor *d)
{
    struct rlimit limit = {0};
    int holds;

    getrlimit(RLIMIT_RTPRIO, &limit);
    holds = geteuid() == 0 || limit.rlim_cur >= RTPRIO_WANTED;
    fact(d, holds, "real-time scheduling may be asked for (rtprio %llu)",
         geteuid() == 0 ? 99ull : (unsigned long long)limit.rlim_cur);
    advise(holds, "add \"USER - rtprio 10\" to /etc/security/limits.conf and "
                  "log in again; without it effects come some milliseconds "
                  "late on a busy machine");
}

static void
check_memory(struct doctor *d)
{
    struct rlimit limit = {0};
    int holds;

    getrlimit(RLIMIT_MEMLOCK, &limit);
    holds = geteuid() == 0 || limit.rlim_cur >= MEMLOCK_WANTED;
    fact(d, holds, "memory may be locked (64 MB)");
    advise(holds, "add \"USER - memlock 65536\" to /etc/security/limits.conf, "
                  "or leave [host] lock_memory = no");
}

static void
check_timer(struct doctor *d)
{
    struct hist *late_ns = calloc(1, sizeof(*late_ns));
    uint64_t p99_ns;

    if (late_ns == NULL)
        return;
    hist_init(late_ns);
    floor_timer(late_ns, (struct tick_rate){FLOOR_HZ, 1}, FLOOR_SAMPLES);
    p99_ns = hist_quantile(late_ns, 0.99);
    fact(d, p99_ns < FLOOR_NS, "timers are on time (late by %.3f ms at p99)",
         (double)p99_ns / 1e6);
    advise(p99_ns < FLOOR_NS, "other programs keep the processor busy, or it "
                              "sleeps too deep; see doc/latency.md");
    free(late_ns);
}

static void
check_guardian(struct doctor *d)
{
    char path[PATH_MAX];
    int holds = libexec_find("guardian", path, sizeof(path)) == 0;

    fact(d, holds, "hardpoint-guardian is there");
    advise(holds, "reinstall; devices that would go on without the host stay "
                  "silent until then");
}

/* ---- the configuration ---- */

static void
check_port(struct doctor *d, const struct config *c)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int64_t port = 0;
    int fd, err = 0;

    if (config_int(c, "net", "port", 0, &port) < 0)
        return;
    address.sin_port = htons((uint16_t)port);
    fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
        err = errno;
    if (fd >= 0)
        close(fd);
    fact(d, err == 0, "UDP port %lld is free", (long long)port);
    if (err != 0)
        printf("# %s; set [net] port, or end who has it\n", strerror(err));
}

static void
check_setup(struct doctor *d, const char *file)
{
    struct setup s;
    int status = setup_load(&s, file, NULL, 0, stderr);

    fact(d, status == CMD_OK, "%s is in order, and its plugins load",
         status == CMD_OK ? s.file
         : file != NULL   ? file
                          : "the configuration");
    advise(status == CMD_OK, "what is wrong is told above; `hardpoint check` "
                             "tells it again");
    if (status == CMD_OK)
        check_port(d, s.config);
    setup_finish(&s);
}

/* ---- devices ---- */

static const char *
group_of(const char *path)
{
    struct stat status;
    struct group *group;

    if (stat(path, &status) < 0)
        return "?";
    group = getgrgid(status.st_gid);
    return group != NULL ? group->gr_name : "?";
}

/* Whether those there are can be opened; none there is no fault. */
static void
check_nodes(struct doctor *d, const char *pattern, const char *what)
{
    const char *refused = NULL;
    size_t i, open_count = 0;
    glob_t found = {0};

    if (glob(pattern, 0, NULL, &found) != 0) {
        printf("ok %d - %s: none here # SKIP no %s\n", ++d->facts, what,
               pattern);
        return;
    }
    for (i = 0; i < found.gl_pathc; i++) {
        if (access(found.gl_pathv[i], R_OK | W_OK) == 0)
            open_count++;
        else
            refused = found.gl_pathv[i];
    }
    fact(d, open_count > 0, "%s: %zu of %zu may be opened", what, open_count,
         found.gl_pathc);
    if (refused != NULL)
        printf("# %s is closed to you: join group %s (usermod -aG %s USER) and "
               "log in again, or install a udev rule with TAG+=\"uaccess\"\n",
               refused, group_of(refused), group_of(refused));
    globfree(&found);
}

static void
usage(FILE *to)
{
    fprintf(to,
            "usage: hardpoint doctor [FILE]\n\n"
            "Tells whether this machine and this user let the host that FILE "
            "describes run as\nit should, as TAP, with what to do. Exit "
            "status: 0, 1 something does not hold.\n\n"
            "      --help    this text\n");
}

int
cmd_doctor(int argc, char **argv)
{
    static const struct option longs[] = {
        {"help", no_argument, NULL, 'h'},
        {NULL,   0,           NULL, 0  },
    };
    struct doctor d = {0, 0};
    int flag;

    while ((flag = cmd_flag("doctor", argc, argv, ":h", longs)) != -1) {
        usage(flag == 'h' ? stdout : stderr);
        return flag == 'h' ? CMD_OK : CMD_USAGE;
    }
    if (optind + 1 < argc)
        return cmd_too_many("doctor", argv[optind + 1]);
    check_setup(&d, argv[optind]);
    check_realtime(&d);
    check_memory(&d);
    check_timer(&d);
    check_guardian(&d);
    check_nodes(&d, "/dev/input/event*", "sticks and pads");
    check_nodes(&d, "/dev/hidraw*", "devices by HID reports");
    check_nodes(&d, "/dev/snd/pcm*p", "sound cards");
    printf("1..%d\n", d.facts);
    return d.failed > 0 ? CMD_NO : CMD_OK;
}
