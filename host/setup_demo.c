#include "setup_demo.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* t/options.t holds this equal in effect to conf/solo.ini. */
static const char demo[] = "[host]\n"
                           "role = solo\n"
                           "[client]\n"
                           "name = pilot\n"
                           "join = aircraft=f16\n"
                           "[plugins]\n"
                           "sim = flight\n"
                           "broadcaster = full\n"
                           "predictor = replay\n"
                           "cues = flight\n"
                           "haptics = null\n"
                           "input = script\n"
                           "[haptics]\n"
                           "effects = effects.ini\n"
                           "[haptics.trace]\n"
                           "file = haptics.jsonl\n"
                           "[input.script]\n"
                           "file = traces/aerobatic.csv\n";

/* Without any data beside it: nobody at the stick, and nothing to feel. */
static const char bare_demo[] = "[host]\n"
                                "role = solo\n"
                                "[plugins]\n"
                                "input = idle\n";

static int
has_data(const char *folder)
{
    char file[PATH_MAX + 16];

    snprintf(file, sizeof(file), "%s/effects.ini", folder);
    return access(file, R_OK) == 0;
}

/* conf/ of the source tree that a build folder lies in: what is built there
 * never uses what is installed. Without dots, as the name is shown. */
static int
tree_data(char out[PATH_MAX])
{
    char program[PATH_MAX - 16], beside[PATH_MAX], *slash;
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

    program[length > 0 ? length : 0] = '\0';
    slash = strrchr(program, '/');
    if (slash == NULL)
        return -ENOENT;
    *slash = '\0';
    snprintf(beside, sizeof(beside), "%s/../conf", program);
    return realpath(beside, out) != NULL && has_data(out) ? 0 : -ENOENT;
}

int
setup_default_file(char *out, size_t bytes)
{
    const char *named = getenv("HARDPOINT_CONFIG");
    char beside[PATH_MAX];
    const char *home = getenv("HOME"), *user = getenv("XDG_CONFIG_HOME");

    /* Named but missing is an error that the reader will tell. */
    if (named != NULL && *named != '\0') {
        snprintf(out, bytes, "%s", named);
        return 0;
    }
    if (user != NULL && *user == '/')
        snprintf(out, bytes, "%s/hardpoint/hardpoint.ini", user);
    else
        snprintf(out, bytes, "%s/.config/hardpoint/hardpoint.ini",
                 home != NULL ? home : "");
    if (access(out, F_OK) == 0)
        return 0;
    if (tree_data(beside) == 0)
        return -ENOENT;
    snprintf(out, bytes, "%s/hardpoint.ini", HP_CONFDIR);
    return access(out, F_OK) == 0 ? 0 : -ENOENT;
}

static int
find_data(char out[PATH_MAX])
{
    if (tree_data(out) == 0)
        return 0;
    snprintf(out, PATH_MAX, "%s", HP_CONFDIR);
    return has_data(out) ? 0 : -ENOENT;
}

const char *
setup_demo(char *name, size_t name_bytes)
{
    char folder[PATH_MAX];

    if (find_data(folder) == 0) {
        snprintf(name, name_bytes, "%s/built-in demo", folder);
        return demo;
    }
    snprintf(name, name_bytes, "built-in demo");
    return bare_demo;
}
