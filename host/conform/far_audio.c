/* The far side of haptics_audio: in place of a card a file that grows by what
 * would be heard, four channels of 16 bits. What a channel does is the loudest
 * of its newest samples. */
#include "conform.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHANNELS  2
#define RATE      48000
#define TAIL      (RATE * 15 / 1000) /* half a wave of 40 Hz is 12.5 ms */
#define RESTED_NS (150 * BENCH_MS)   /* a file that grows no more is silent */

static char folder[64], raw[96], conf[96];
static long size_before;
static uint64_t grew_ns;

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
    FILE *f;

    snprintf(folder, sizeof(folder), "/tmp/hardpoint-conform-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        snprintf(why, why_bytes, "no folder in /tmp: %s", strerror(errno));
        return -errno;
    }
    snprintf(raw, sizeof(raw), "%s/heard.raw", folder);
    snprintf(conf, sizeof(conf), "%s/asound.conf", folder);
    f = fopen(conf, "w");
    if (f == NULL)
        return -errno;
    fprintf(f,
            "pcm.nowhere { type null }\n"
            "pcm.far { type file slave.pcm nowhere file \"%s\" format raw }\n",
            raw);
    fclose(f);
    setenv("ALSA_CONFIG_PATH", conf, 1);
    snprintf(settings[0].text, sizeof(settings[0].text),
             "haptics.audio.device=far");
    return 1;
}

static int
felt(const struct hp_device *device, uint32_t actuator, double *level)
{
    int16_t samples[TAIL][CHANNELS];
    size_t count, i;
    long size, most = 0;
    FILE *f = fopen(raw, "rb");

    *level = 0;
    if (actuator >= device->actuator_count || actuator >= CHANNELS) {
        if (f != NULL)
            fclose(f);
        return -ENOENT;
    }
    if (f == NULL)
        return 0;
    fseek(f, 0, SEEK_END);
    size = ftell(f) / (long)sizeof(samples[0]) * (long)sizeof(samples[0]);
    if (size != size_before)
        grew_ns = now_ns();
    size_before = size;
    if (size >= (long)sizeof(samples) && now_ns() - grew_ns < RESTED_NS) {
        fseek(f, size - (long)sizeof(samples), SEEK_SET);
        count = fread(samples, sizeof(samples[0]), TAIL, f);
        for (i = 0; i < count; i++)
            if (labs(samples[i][actuator]) > most)
                most = labs(samples[i][actuator]);
    }
    fclose(f);
    *level = (double)most / 32767;
    return 0;
}

static void
end(void)
{
    unlink(raw);
    unlink(conf);
    rmdir(folder);
}

const struct far_side far_audio = {.begin = begin, .felt = felt, .end = end};
