/* The far side of haptics_trace: its file, read as it grows. */
#include "conform.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[HP_ACTUATOR_KINDS] = {
    [HP_ACTUATOR_LOW] = "low",
    [HP_ACTUATOR_HIGH] = "high",
    [HP_ACTUATOR_TRIGGER_L] = "trigger_l",
    [HP_ACTUATOR_TRIGGER_R] = "trigger_r",
    [HP_ACTUATOR_AXIS_X] = "axis_x",
    [HP_ACTUATOR_AXIS_Y] = "axis_y",
    [HP_ACTUATOR_AUDIO] = "audio",
    [HP_ACTUATOR_GENERIC] = "generic",
};

static char path[64];
static long read_bytes; /* of the file; it is emptied at each start */
static double levels[HP_ACTUATOR_KINDS];

static int
begin(struct far_setting settings[FAR_SETTINGS_MAX], char *why,
      size_t why_bytes)
{
    int fd;

    snprintf(path, sizeof(path), "/tmp/hardpoint-conform-XXXXXX");
    fd = mkstemp(path);
    if (fd < 0) {
        snprintf(why, why_bytes, "no file in /tmp: %s", strerror(errno));
        return -errno;
    }
    close(fd);
    snprintf(settings[0].text, sizeof(settings[0].text),
             "haptics.trace.file=%s", path);
    return 1;
}

static void
take_line(const char *line)
{
    const char *actuator = strstr(line, "\"actuator\":\"");
    const char *level = strstr(line, "\"level\":");
    size_t kind, bytes;

    if (strstr(line, "\"by\":\"silence\"") != NULL)
        memset(levels, 0, sizeof(levels));
    if (actuator == NULL || level == NULL)
        return;
    actuator += strlen("\"actuator\":\"");
    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++) {
        bytes = strlen(names[kind]);
        if (strncmp(actuator, names[kind], bytes) == 0 &&
            actuator[bytes] == '"')
            levels[kind] = strtod(level + strlen("\"level\":"), NULL);
    }
}

static void
read_on(void)
{
    FILE *f = fopen(path, "r");
    char line[600];

    if (f == NULL)
        return;
    fseek(f, 0, SEEK_END);
    if (ftell(f) < read_bytes) {
        read_bytes = 0;
        memset(levels, 0, sizeof(levels));
    }
    fseek(f, read_bytes, SEEK_SET);
    while (fgets(line, sizeof(line), f) != NULL && strchr(line, '\n') != NULL) {
        take_line(line);
        read_bytes = ftell(f);
    }
    fclose(f);
}

static int
felt(const struct hp_device *device, uint32_t actuator, double *level)
{
    if (actuator >= device->actuator_count)
        return -ENOENT;
    read_on();
    *level = levels[device->actuators[actuator].kind % HP_ACTUATOR_KINDS];
    return 0;
}

static void
end(void)
{
    unlink(path);
}

const struct far_side far_trace = {.begin = begin, .felt = felt, .end = end};
