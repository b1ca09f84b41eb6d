/*
 * The host around a plugin, for tests: a log that is kept, a clock that is set.
 * Defined here, they stand in for log.c and clock.c, which the linker then
 * leaves out.
 */
#ifndef PLUGIN_WORLD_H
#define PLUGIN_WORLD_H

#include <clock.h>
#include <log.h>
#include <plugin.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char world_log[4096]; /* every line, each ended by a line feed */
static uint32_t world_level; /* of the newest */

void
log_line(uint32_t level, const char *format, ...)
{
    size_t at = strlen(world_log);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(world_log + at, sizeof(world_log) - at, format, arguments);
    va_end(arguments);
    at = strlen(world_log);
    snprintf(world_log + at, sizeof(world_log) - at, "\n");
    world_level = level;
}

/* A file below the build folder. */
static inline const char *
world_file(const char *name)
{
    static char path[2][1024];
    static int turn;
    const char *build = getenv("HP_BUILD");

    turn = !turn;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s",
             build != NULL ? build : ".", name);
    return path[turn];
}

/* Whether a file of that name is mapped into this process. */
static inline int
world_is_mapped(const char *name)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[2048];
    int found = 0;

    while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
        found |= strstr(line, name) != NULL;
    if (maps != NULL)
        fclose(maps);
    return found;
}

#endif
