#define _GNU_SOURCE /* sched_getaffinity */
#include "floor.h"
#include "clock.h"
#include "hist.h"
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Until the first deadline, so that it is not late from the start. */
#define LEAD_NS 1000000

/* ---- pacing: a real clock, and ticks on it ---- */

struct pace {
    struct clock *clock;
    struct clock_waiter *waiter;
    struct tick_schedule schedule;
};

static void
pace_close(struct pace *p)
{
    clock_leave(p->waiter);
    clock_destroy(p->clock);
}

static int
pace_open(struct pace *p, struct tick_rate rate)
{
    int err;

    memset(p, 0, sizeof(*p));
    err = clock_create_real(&p->clock);
    if (err < 0)
        return err;
    err = clock_join(p->clock, &p->waiter);
    if (err < 0) {
        pace_close(p);
        return err;
    }
    clock_enter(p->waiter);
    tick_schedule_init(&p->schedule, rate, 0, clock_now_ns(p->clock) + LEAD_NS,
                       0);
    return 0;
}

/* Sleeps until tick `index`; returns how late it woke. */
static uint64_t
pace_wait(struct pace *p, uint64_t index)
{
    uint64_t due_ns = tick_deadline_ns(&p->schedule, index);

    while (!(clock_wait(p->waiter, -1, due_ns, 0) & CLOCK_DEADLINE))
        ;
    return clock_now_ns(p->clock) - due_ns;
}

int
floor_timer(struct hist *late_ns, struct tick_rate rate, uint32_t samples)
{
    struct pace pace;
    uint32_t i;
    int err = pace_open(&pace, rate);

    if (err < 0)
        return err;
    for (i = 0; i < samples; i++)
        hist_record(late_ns, pace_wait(&pace, i));
    pace_close(&pace);
    return 0;
}

/* ---- a bare UDP echo ---- */

struct echo {
    int near_fd, far_fd; /* connected to each other */
    struct clock_thread *thread;
};

/* A datagram socket on a port that the kernel chose. */
static int
open_loopback(struct sockaddr_in *address)
{
    static const struct timeval patience = {1, 0};
    socklen_t length = sizeof(*address);
    int err, fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -errno;
    memset(address, 0, sizeof(*address));
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(fd, (struct sockaddr *)address, sizeof(*address)) == 0 &&
        getsockname(fd, (struct sockaddr *)address, &length) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ==
            0)
        return fd;
    err = -errno;
    close(fd);
    return err;
}

static int
connect_both(struct echo *e)
{
    struct sockaddr_in near_address, far_address;

    e->near_fd = open_loopback(&near_address);
    if (e->near_fd < 0)
        return e->near_fd;
    e->far_fd = open_loopback(&far_address);
    if (e->far_fd < 0)
        return e->far_fd;
    if (connect(e->near_fd, (struct sockaddr *)&far_address,
                sizeof(far_address)) < 0 ||
        connect(e->far_fd, (struct sockaddr *)&near_address,
                sizeof(near_address)) < 0)
        return -errno;
    return 0;
}

/* Answers until an empty datagram comes. */
static void
answer(void *argument)
{
    const struct echo *e = argument;
    ssize_t count;
    char byte;

    for (;;) {
        count = recv(e->far_fd, &byte, 1, 0);
        if (count == 0)
            return;
        /* Nothing for a second, at a slow rate: go on. */
        if (count == 1 && send(e->far_fd, &byte, 1, 0) < 0)
            return;
    }
}

static void
echo_close(struct echo *e)
{
    if (e->thread != NULL) {
        /* The receiver gets it for certain: nothing else is queued. */
        send(e->near_fd, "", 0, 0);
        clock_thread_join(e->thread, NULL);
    }
    if (e->near_fd >= 0)
        close(e->near_fd);
    if (e->far_fd >= 0)
        close(e->far_fd);
}

static int
echo_open(struct echo *e, struct clock *clock)
{
    int err;

    e->near_fd = e->far_fd = -1;
    e->thread = NULL;
    err = connect_both(e);
    if (err == 0)
        err = clock_thread_start(clock, &e->thread, NULL, answer, e, "echo");
    if (err < 0)
        echo_close(e);
    return err;
}

static int
round_trip(const struct echo *e)
{
    char byte = 1;

    if (send(e->near_fd, &byte, 1, 0) < 0 || recv(e->near_fd, &byte, 1, 0) < 0)
        return errno == EAGAIN ? -ETIMEDOUT : -errno;
    return 0;
}

int
floor_udp_echo(struct hist *rtt_ns, struct tick_rate rate, uint32_t samples)
{
    struct pace pace;
    struct echo echo;
    uint64_t begin_ns;
    uint32_t i;
    int err = pace_open(&pace, rate);

    if (err < 0)
        return err;
    err = echo_open(&echo, pace.clock);
    if (err < 0)
        goto close_pace;
    for (i = 0; i < samples && err == 0; i++) {
        pace_wait(&pace, i);
        begin_ns = clock_now_ns(pace.clock);
        err = round_trip(&echo);
        if (err == 0)
            hist_record(rtt_ns, clock_now_ns(pace.clock) - begin_ns);
    }
    echo_close(&echo);
close_pace:
    pace_close(&pace);
    return err;
}

/* ---- the load that others make ---- */

/* user nice system idle iowait irq softirq steal; guest is within user. */
static void
read_cpu_ticks(uint64_t *busy, uint64_t *total)
{
    uint64_t column[8] = {0};
    FILE *file = fopen("/proc/stat", "re");
    int i, count = 0;

    *busy = *total = 0;
    if (file == NULL)
        return;
    if (fscanf(file, "cpu") == 0)
        while (count < 8 && fscanf(file, "%" SCNu64, &column[count]) == 1)
            count++;
    fclose(file);
    for (i = 0; i < count; i++) {
        *total += column[i];
        if (i != 3 && i != 4)
            *busy += column[i];
    }
}

static double
cpu_seconds(int who)
{
    struct rusage usage;

    if (getrusage(who, &usage) < 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void
floor_load_begin(struct floor_load *load)
{
    read_cpu_ticks(&load->busy, &load->total);
    load->own_s = cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
}

double
floor_load_foreign_cores(const struct floor_load *begin)
{
    /* Fewer ticks than this tell nothing: each is a hundredth of a second. */
    static const uint64_t ticks_min = 10;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    long ticks_per_s = sysconf(_SC_CLK_TCK);
    struct floor_load end;
    double elapsed_s, busy_s;

    floor_load_begin(&end);
    if (cores < 1 || ticks_per_s < 1 || end.total < begin->total + ticks_min ||
        end.busy < begin->busy)
        return NAN;
    elapsed_s = (double)(end.total - begin->total) / (double)ticks_per_s /
                (double)cores;
    busy_s = (double)(end.busy - begin->busy) / (double)ticks_per_s;
    return fmax(0, (busy_s - (end.own_s - begin->own_s)) / elapsed_s);
}

/* ---- what the machine is ---- */

static void
set_text(char *out, size_t size, const char *text)
{
    size_t length = strcspn(text, "\n");

    if (length > 0)
        snprintf(out, size, "%.*s", (int)length, text);
    else
        snprintf(out, size, "unknown");
}

static void
read_first_line(const char *path, char *out, size_t size)
{
    FILE *file = fopen(path, "re");
    char line[128] = "";

    if (file != NULL) {
        if (fgets(line, sizeof(line), file) == NULL)
            line[0] = '\0';
        fclose(file);
    }
    set_text(out, size, line);
}

/* x86 has "model name"; most others only "Hardware", or nothing. */
static void
read_cpu_model(char *out, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[1024];
    const char *colon;

    set_text(out, size, "");
    if (file == NULL)
        return;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "model name", 10) != 0 &&
            strncmp(line, "Hardware", 8) != 0)
            continue;
        colon = strchr(line, ':');
        if (colon != NULL)
            set_text(out, size, colon + 1 + strspn(colon + 1, " \t"));
        break;
    }
    fclose(file);
}

void
floor_machine(struct floor_machine *out)
{
    struct utsname system;
    cpu_set_t may_run;

    set_text(out->kernel, sizeof(out->kernel), "");
    if (uname(&system) == 0)
        snprintf(out->kernel, sizeof(out->kernel), "%.20s %.48s %.20s",
                 system.sysname, system.release, system.machine);
    read_cpu_model(out->cpu, sizeof(out->cpu));
    read_first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                    out->governor, sizeof(out->governor));
    out->cores = 1;
    if (sched_getaffinity(0, sizeof(may_run), &may_run) == 0)
        out->cores = (unsigned)CPU_COUNT(&may_run);
}
