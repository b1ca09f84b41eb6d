/*
 * A command that is a program of its own: whatever needs a library the host
 * should not link, or knows what the host should not (aircraft, say), or comes
 * from a modder.
 */
#include "cmd.h"
#include "libexec.h"
#include <limits.h>
#include <stdio.h>
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

int
cmd_external(int argc, char **argv)
{
    char path[PATH_MAX];

    (void)argc;
    if (is_command_name(argv[0]) &&
        libexec_find(argv[0], path, sizeof(path)) == 0) {
        execv(path, argv);
        perror(path);
    }
    fprintf(stderr,
            "hardpoint: there is no command \"%s\", and no program "
            "hardpoint-%s in %s; `hardpoint` alone lists the commands\n",
            argv[0], argv[0], HP_LIBEXECDIR);
    return CMD_USAGE;
}
