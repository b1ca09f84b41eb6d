#define _GNU_SOURCE /* POSIX_SPAWN_SETSID */
#include "guardian.h"
#include "libexec.h"
#include "log.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEND_PATIENCE_MS 100 /* for a list; a beat never waits */

struct guardian {
    pid_t pid;
    int fd;
};

extern char **environ;

/* A session of its own: what ends a terminal's jobs does not end it. */
static int
set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID |
                                                    POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF);
}

static int
spawn(struct guardian *g, char *path, int its_end)
{
    char *argv[] = {path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int err;

    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    err = posix_spawn_file_actions_adddup2(&actions, its_end, GUARDIAN_FD);
    if (err == 0)
        err = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR,
                                               0);
    if (err == 0)
        err = posix_spawn_file_actions_adddup2(&actions, 0, 1);
    if (err == 0)
        err = set_attributes(&attributes);
    if (err == 0)
        err = posix_spawn(&g->pid, path, &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -err;
}

int
guardian_start(struct guardian **out)
{
    struct guardian *g = calloc(1, sizeof(*g));
    int ends[2] = {-1, -1};
    char path[PATH_MAX];
    int err = -ENOMEM;

    if (g == NULL)
        goto fail;
    err = libexec_find("guardian", path, sizeof(path));
    if (err < 0)
        goto fail;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) {
        err = -errno;
        goto fail;
    }
    err = spawn(g, path, ends[1]);
    if (err < 0)
        goto fail;
    close(ends[1]);
    g->fd = ends[0];
    *out = g;
    return 0;

fail:
    log_warning("haptics: cannot start hardpoint-guardian: %s; it stops what "
                "moves should this process die (HARDPOINT_LIBEXEC names its "
                "folder)",
                strerror(-err));
    if (ends[0] >= 0) {
        close(ends[0]);
        close(ends[1]);
    }
    free(g);
    return err;
}

void
guardian_stop(struct guardian *g)
{
    if (g == NULL)
        return;
    guardian_beat(g, 0);
    close(g->fd);
    if (g->pid > 0)
        waitpid(g->pid, NULL, 0);
    free(g);
}

int
guardian_is_alive(struct guardian *g)
{
    if (g->pid > 0 && waitpid(g->pid, NULL, WNOHANG) == g->pid)
        g->pid = 0;
    return g->pid > 0;
}

static int
send_waiting(struct guardian *g, const struct guardian_message *m)
{
    struct pollfd room = {.fd = g->fd, .events = POLLOUT};

    if (poll(&room, 1, SEND_PATIENCE_MS) == 0)
        return -EAGAIN;
    return send(g->fd, m, sizeof(*m), MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno
                                                                       : 0;
}

int
guardian_tell(struct guardian *g, const struct hp_guard *guards, uint32_t count)
{
    struct guardian_message m = {.word = GUARDIAN_FORGET};
    int err = send_waiting(g, &m);
    uint32_t i;

    m.word = GUARDIAN_GUARD;
    for (i = 0; err == 0 && i < count; i++) {
        m.guard = guards[i];
        err = send_waiting(g, &m);
    }
    return err;
}

void
guardian_beat(struct guardian *g, int active)
{
    struct guardian_message m = {.word =
                                     active ? GUARDIAN_ACTIVE : GUARDIAN_IDLE};

    send(g->fd, &m, sizeof(m), MSG_DONTWAIT | MSG_NOSIGNAL);
}
