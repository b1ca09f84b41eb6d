/*
 * A command that is a program of its own: whatever needs a library the host
 * should not link, or knows what the host should not (aircraft, say), or comes
 * from a modder.
 */
#include "cmd.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Only a bare name: a path would let any file be run by way of this one. */
static int
is_command_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

    return name[0] != '\0' && name[0] != '-' &&
           strspn(name, allowed) == strlen(name);
}

/* The folder of the running program; "" when the kernel does not tell. */
static void
own_folder(char *out, size_t out_bytes)
{
    ssize_t length = readlink("/proc/self/exe", out, out_bytes - 1);
    char *slash;

    out[length > 0 ? length : 0] = '\0';
    slash = strrchr(out, '/');
    if (slash != NULL)
        *slash = '\0';
}

/* Returns only if the program cannot be run from there. */
static void
run_from(const char *folder, char **argv)
{
    char path[PATH_MAX];
    int length;

    length = snprintf(path, sizeof(path), "%s/hardpoint-%s", folder, argv[0]);
    if (length < (int)sizeof(path) && access(path, X_OK) == 0) {
        execv(path, argv);
        perror(path);
    }
}

int
cmd_external(int argc, char **argv)
{
    const char *named = getenv("HARDPOINT_LIBEXEC");
    char folder[PATH_MAX];

    (void)argc;
    if (is_command_name(argv[0])) {
        if (named != NULL && *named != '\0')
            run_from(named, argv);
        /* Then here, so that a build tree never runs what is installed. */
        own_folder(folder, sizeof(folder));
        run_from(folder, argv);
        run_from(HP_LIBEXECDIR, argv);
    }
    fprintf(stderr,
            "hardpoint: there is no command \"%s\", and no program "
            "hardpoint-%s in %s; `hardpoint` alone lists the commands\n",
            argv[0], argv[0], HP_LIBEXECDIR);
    return CMD_USAGE;
}
