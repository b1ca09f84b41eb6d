#include "cmd_files.h"
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

#define SPARE_FILES 64

int
cmd_allow_files(const char *command, uint32_t clients)
{
    struct rlimit limit;
    rlim_t wanted = clients + SPARE_FILES;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
        return 0;
    if (limit.rlim_max >= wanted) {
        limit.rlim_cur = wanted;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
            return 0;
    }
    fprintf(stderr,
            "hardpoint %s: %u clients need %llu open files, and the limit is "
            "%llu: raise it (ulimit -n), or ask for fewer\n",
            command, clients, (unsigned long long)wanted,
            (unsigned long long)limit.rlim_max);
    return -EMFILE;
}
