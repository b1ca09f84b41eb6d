/*
 * hardpoint-guardian - started by the host, speaks guardian.h on descriptor 3.
 * Opens nothing until it must stop something, allocates nothing, and ends with
 * its socket.
 */
#include "guardian.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS 1000000ull
#define FULL_GAIN 0xffff
/* The host's last write may come after its socket's end, and one zero may be
 * lost: so it is told twice. */
#define AGAIN_NS (50 * NS_PER_MS)

struct state {
    struct hp_guard guards[GUARDIAN_GUARDS_MAX];
    uint32_t count;
    int active;
    int stepped_in; /* the host was silent while something moved */
    uint64_t heard_ns;
};

static uint64_t
now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

/* ---- what can be done to a device ---- */

static int
write_report(const struct hp_guard *g)
{
    int fd = open(g->node, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int err = 0;

    if (fd < 0)
        return -errno;
    if (write(fd, g->report, g->report_bytes) < 0)
        err = -errno;
    close(fd);
    return err;
}

static int
write_event(int fd, uint16_t code, int32_t value)
{
    struct input_event event = {.type = EV_FF, .code = code, .value = value};

    return write(fd, &event, sizeof(event)) < 0 ? -errno : 0;
}

/* Effects of several processes add, so a zero effect stops only what no
 * effect of the kernel's drives (a report that a library wrote); the gain stops
 * the others. */
static int
silence_evdev(const struct hp_guard *g)
{
    struct ff_effect zero = {.type = FF_RUMBLE, .id = -1, .replay.length = 100};
    int fd = open(g->node, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int err;

    if (fd < 0)
        return -errno;
    err = write_event(fd, FF_GAIN, 0);
    if (ioctl(fd, EVIOCSFF, &zero) == 0) {
        err = write_event(fd, (uint16_t)zero.id, 1);
        ioctl(fd, EVIOCRMFF, zero.id);
    }
    close(fd);
    return err;
}

static int
restore_evdev(const struct hp_guard *g)
{
    int fd = open(g->node, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int err;

    if (fd < 0)
        return -errno;
    err = write_event(fd, FF_GAIN, FULL_GAIN);
    close(fd);
    return err;
}

/* "127.0.0.1:9000": a name would have to be looked up, and that may wait. */
static int
send_datagram(const struct hp_guard *g)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    char host[sizeof(g->node)];
    char *colon;
    int fd, err = 0;

    snprintf(host, sizeof(host), "%s", g->node);
    colon = strrchr(host, ':');
    if (colon == NULL)
        return -EINVAL;
    *colon = '\0';
    to.sin_port = htons((uint16_t)atoi(colon + 1));
    if (inet_pton(AF_INET, host, &to.sin_addr) != 1)
        return -EINVAL;
    fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (sendto(fd, g->report, g->report_bytes, 0, (struct sockaddr *)&to,
               sizeof(to)) < 0)
        err = -errno;
    close(fd);
    return err;
}

static int
silence_device(const struct hp_guard *g)
{
    if (g->action == HP_GUARD_WRITE)
        return write_report(g);
    if (g->action == HP_GUARD_EVDEV)
        return silence_evdev(g);
    if (g->action == HP_GUARD_DATAGRAM)
        return send_datagram(g);
    return 0;
}

/* ---- all of them ---- */

static void
silence_all(const struct state *s)
{
    uint32_t i;
    int err;

    for (i = 0; i < s->count; i++) {
        err = silence_device(&s->guards[i]);
        if (err < 0)
            fprintf(stderr, "hardpoint-guardian: cannot stop %s: %s\n",
                    s->guards[i].node, strerror(-err));
    }
}

static void
restore_all(const struct state *s)
{
    uint32_t i;

    for (i = 0; i < s->count; i++)
        if (s->guards[i].action == HP_GUARD_EVDEV)
            restore_evdev(&s->guards[i]);
}

static void
step_in(struct state *s, const char *why)
{
    fprintf(stderr,
            "hardpoint-guardian: the host %s while devices moved: they "
            "are stopped\n",
            why);
    silence_all(s);
    s->stepped_in = 1;
}

/* ---- what the host says ---- */

static void
hear(struct state *s, const struct guardian_message *m)
{
    s->heard_ns = now_ns();
    if (s->stepped_in) {
        restore_all(s);
        s->stepped_in = 0;
    }
    if (m->word == GUARDIAN_FORGET)
        s->count = 0;
    else if (m->word == GUARDIAN_GUARD && s->count < GUARDIAN_GUARDS_MAX) {
        s->guards[s->count] = m->guard;
        s->guards[s->count].node[sizeof(m->guard.node) - 1] = '\0';
        if (m->guard.report_bytes > sizeof(m->guard.report))
            s->guards[s->count].report_bytes = sizeof(m->guard.report);
        s->count++;
    } else if (m->word == GUARDIAN_ACTIVE)
        s->active = 1;
    else if (m->word == GUARDIAN_IDLE)
        s->active = 0;
}

/* Until the host's end is closed. */
static void
watch(struct state *s)
{
    struct pollfd socket = {.fd = GUARDIAN_FD, .events = POLLIN};
    struct guardian_message m;
    uint64_t silent_ns;
    int timeout_ms, ready;
    ssize_t got;

    for (;;) {
        timeout_ms = -1;
        if (s->active && !s->stepped_in) {
            silent_ns = now_ns() - s->heard_ns;
            timeout_ms =
                silent_ns >= GUARDIAN_SILENCE_NS
                    ? 0
                    : (int)((GUARDIAN_SILENCE_NS - silent_ns) / NS_PER_MS) + 1;
        }
        ready = poll(&socket, 1, timeout_ms);
        if (ready < 0 && errno != EINTR)
            return;
        if (ready == 0)
            step_in(s, "has said nothing for 200 ms");
        if (ready <= 0)
            continue;
        got = recv(GUARDIAN_FD, &m, sizeof(m), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return;
        if (got == (ssize_t)sizeof(m))
            hear(s, &m);
    }
}

static void
finish(struct state *s)
{
    struct timespec again = {.tv_nsec = (long)AGAIN_NS};

    if (!s->active && !s->stepped_in)
        return;
    if (s->active)
        step_in(s, "died");
    nanosleep(&again, NULL);
    silence_all(s);
    restore_all(s); /* the dead process's effects are gone */
}

int
main(void)
{
    static struct state s; /* too large for a small stack limit */
    struct sched_param before_all = {.sched_priority = 1};
    int type;
    socklen_t bytes = sizeof(type);

    if (getsockopt(GUARDIAN_FD, SOL_SOCKET, SO_TYPE, &type, &bytes) < 0 ||
        type != SOCK_SEQPACKET) {
        fprintf(stderr, "hardpoint-guardian: the host starts it, to stop "
                        "haptic devices should the host die\n");
        return 64;
    }
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sched_setscheduler(0, SCHED_FIFO, &before_all); /* or as we are */
    watch(&s);
    finish(&s);
    return 0;
}
