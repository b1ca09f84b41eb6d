#include "libexec.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int
is_in(const char *folder, const char *name, char *out, size_t out_bytes)
{
    int length = snprintf(out, out_bytes, "%s/hardpoint-%s", folder, name);

    return length >= 0 && (size_t)length < out_bytes && access(out, X_OK) == 0;
}

int
libexec_find(const char *name, char *out, size_t out_bytes)
{
    const char *named = getenv("HARDPOINT_LIBEXEC");
    char folder[PATH_MAX], beside[PATH_MAX + 16];

    if (named != NULL && *named != '\0' && is_in(named, name, out, out_bytes))
        return 0;
    own_folder(folder, sizeof(folder));
    if (is_in(folder, name, out, out_bytes))
        return 0;
    /* An installation that was moved has it where it was beside bin. */
    snprintf(beside, sizeof(beside), "%s/../libexec", folder);
    if (is_in(beside, name, out, out_bytes) ||
        is_in(HP_LIBEXECDIR, name, out, out_bytes))
        return 0;
    return -ENOENT;
}
