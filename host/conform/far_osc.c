/* The far side of haptics_osc: a receiver that does what the messages say, and
 * stops by itself when they say until when. */
#include "conform.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define WORDS "low high trigger_l trigger_r axis_x axis_y audio generic"

static const char *const names[HP_ACTUATOR_KINDS] = {
    [HP_ACTUATOR_LOW] = "/far/low",
    [HP_ACTUATOR_HIGH] = "/far/high",
    [HP_ACTUATOR_TRIGGER_L] = "/far/trigger_l",
    [HP_ACTUATOR_TRIGGER_R] = "/far/trigger_r",
    [HP_ACTUATOR_AXIS_X] = "/far/axis_x",
    [HP_ACTUATOR_AXIS_Y] = "/far/axis_y",
    [HP_ACTUATOR_AUDIO] = "/far/audio",
    [HP_ACTUATOR_GENERIC] = "/far/generic",
};

static int fd = -1;
static struct {
    double level;
    uint64_t end_ns;
} actuators[HP_ACTUATOR_KINDS];

static uint64_t
now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int
begin(struct far_setting settings[FAR_SETTINGS_MAX], char *why,
      size_t why_bytes)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t bytes = sizeof(at);

    inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
    fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 ||
        getsockname(fd, (struct sockaddr *)&at, &bytes) < 0) {
        snprintf(why, why_bytes, "no UDP port: %s", strerror(errno));
        return -errno;
    }
    snprintf(settings[0].text, sizeof(settings[0].text),
             "haptics.osc.target=127.0.0.1:%d", ntohs(at.sin_port));
    snprintf(settings[1].text, sizeof(settings[1].text),
             "haptics.osc.prefix=/far");
    snprintf(settings[2].text, sizeof(settings[2].text),
             "haptics.osc.actuators=" WORDS);
    return 3;
}

/* ---- Open Sound Control ---- */

static uint32_t
read_word(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

/* Past a text and its padding; NULL when it does not end. */
static const uint8_t *
past_text(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *zero = memchr(at, 0, (size_t)(end - at));
    size_t bytes = zero != NULL ? ((size_t)(zero - at) + 4) & ~(size_t)3 : 0;

    return bytes != 0 && bytes <= (size_t)(end - at) ? at + bytes : NULL;
}

static void
take_message(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *types = past_text(at, end);
    const uint8_t *values = types != NULL ? past_text(types, end) : NULL;
    uint32_t word, kind;
    float level;

    if (values == NULL)
        return;
    if (strcmp((const char *)at, "/far/silence") == 0)
        memset(actuators, 0, sizeof(actuators));
    if (strcmp((const char *)types, ",ffi") != 0 || end - values < 12)
        return;
    for (kind = 1; kind < HP_ACTUATOR_KINDS; kind++)
        if (strcmp((const char *)at, names[kind]) == 0) {
            word = read_word(values);
            memcpy(&level, &word, sizeof(level));
            actuators[kind].level = (double)level;
            actuators[kind].end_ns =
                now_ns() + read_word(values + 8) * BENCH_MS;
        }
}

static void
take_datagram(const uint8_t *at, const uint8_t *end)
{
    uint32_t bytes;

    if (end - at < 16 || memcmp(at, "#bundle", 8) != 0) {
        take_message(at, end);
        return;
    }
    for (at += 16; end - at >= 4; at += bytes) {
        bytes = read_word(at);
        at += 4;
        if (bytes > (uint32_t)(end - at))
            return;
        take_message(at, at + bytes);
    }
}

static int
felt(const struct hp_device *device, uint32_t actuator, double *level)
{
    uint8_t datagram[2000];
    ssize_t got;
    uint32_t kind;

    while ((got = recv(fd, datagram, sizeof(datagram), 0)) > 0)
        take_datagram(datagram, datagram + got);
    if (actuator >= device->actuator_count)
        return -ENOENT;
    kind = device->actuators[actuator].kind % HP_ACTUATOR_KINDS;
    *level = now_ns() < actuators[kind].end_ns ? actuators[kind].level : 0;
    return 0;
}

static void
end(void)
{
    close(fd);
}

const struct far_side far_osc = {.begin = begin, .felt = felt, .end = end};
