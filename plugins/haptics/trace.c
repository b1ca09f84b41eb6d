/*
 * haptics_trace - every level with its times, as JSON lines: the oracle of the
 * tests, and a way to see what a rig would have felt. One pretend device with
 * an actuator of each kind. A line is one of
 *
 *     {"t_ns":N,"device":0,"actuator":"low","level":0.8,"deadline_ns":N,
 *      "cause_ns":N,"effects":"gun_burst"}
 *     {"t_ns":N,"device":0,"actuator":"low","level":0,"by":"deadline"}
 *     {"t_ns":N,"by":"silence"}            every actuator is at 0 from here
 *     {"t_ns":N,"by":"full","lost":3}      so many levels were not written
 *     {"t_ns":N,"device":0,"actuator":"low","level":0,"by":"newest"}
 *                                          and the last of them, for each
 *
 * in order of t_ns: when render got the level, or when the deadline passed.
 *
 * render (one haptics thread) puts entries into a ring, work (one device
 * thread) writes them. The ring has one writer and one reader: each index is
 * stored by one of them with release and read by the other with acquire.
 */
#include <errno.h>
#include <hardpoint/haptics.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"

#define HP_NAME    "trace"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "every level with its times, as JSON lines"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

/* A second of seven actuators at the mixer's 250 Hz; a power of two. */
#define RING_ENTRIES  2048u
#define EFFECTS_BYTES 96

#define NO_TIME UINT64_MAX

static const struct hp_param params[] = {
    {
     .name = "file",
     .unit = "",
     .preset = "haptics.jsonl",
     .sentence = "Where the lines go; emptied at the start. "
                    "/dev/stderr shows them.", .type = HP_PARAM_PATH,
     },
};

static const struct hp_device pretend = {
    .id = 0,
    .generation = 1,
    .flags = HP_DEVICE_HOLDS_DEADLINE,
    .actuator_count = 7,
    .battery_percent = -1,
    .stable_id = "trace:0",
    .name = "trace",
    .actuators =
        {
                    {.kind = HP_ACTUATOR_LOW},
                    {.kind = HP_ACTUATOR_HIGH},
                    {.kind = HP_ACTUATOR_TRIGGER_L},
                    {.kind = HP_ACTUATOR_TRIGGER_R},
                    {.kind = HP_ACTUATOR_AXIS_X, .flags = HP_ACTUATOR_SIGNED},
                    {.kind = HP_ACTUATOR_AXIS_Y, .flags = HP_ACTUATOR_SIGNED},
                    {.kind = HP_ACTUATOR_AUDIO,
             .flags = HP_ACTUATOR_FREQUENCY,
             .frequency_min_hz = 5,
             .frequency_max_hz = 200},
                    },
};

static const char *const actuator_names[HP_ACTUATOR_KINDS] = {
    [HP_ACTUATOR_LOW] = "low",
    [HP_ACTUATOR_HIGH] = "high",
    [HP_ACTUATOR_TRIGGER_L] = "trigger_l",
    [HP_ACTUATOR_TRIGGER_R] = "trigger_r",
    [HP_ACTUATOR_AXIS_X] = "axis_x",
    [HP_ACTUATOR_AXIS_Y] = "axis_y",
    [HP_ACTUATOR_AUDIO] = "audio",
};

struct entry {
    uint64_t time_ns; /* when render got it */
    struct hp_level level;
    char effects[EFFECTS_BYTES];
};

struct hp_instance {
    const struct hp_host *host;
    char *path;
    FILE *file;
    int write_failed; /* and was told */

    struct entry *ring;
    atomic_uint put;   /* entries ever put, by render */
    atomic_uint taken; /* entries ever taken, by work */
    atomic_uint lost;  /* levels that found the ring full */
    struct cell newest[HP_DEVICE_ACTUATORS_MAX]; /* so that no zero is */
    _Atomic uint64_t silence_ns; /* of an untold silence, or NO_TIME */

    /* The device as the writer knows it: when each actuator that runs will
     * stop by itself; NO_TIME for one at rest. */
    uint64_t deadlines_ns[HP_DEVICE_ACTUATORS_MAX];
    unsigned lost_told;
};

static int
trace_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    const char *path;
    int err;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    err = host->param_text(host, "file", 0, &path);
    if (err == 0 && (self->path = strdup(path)) == NULL)
        err = -ENOMEM;
    if (err < 0) {
        free(self);
        return err;
    }
    *out = self;
    return 0;
}

static int
fail_to_open(const struct hp_instance *self, int err)
{
    char why[400];

    snprintf(why, sizeof(why),
             "cannot write %s: %s; set `file` to a path in a "
             "folder that is there and may be written",
             self->path, strerror(err));
    return self->host->fail(self->host, -err, why);
}

static void
every_actuator_rests(struct hp_instance *self)
{
    int i;

    for (i = 0; i < HP_DEVICE_ACTUATORS_MAX; i++)
        self->deadlines_ns[i] = NO_TIME;
}

static int
trace_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)limits;
    every_actuator_rests(self);
    atomic_store(&self->put, 0);
    atomic_store(&self->taken, 0);
    atomic_store(&self->lost, 0);
    memset(self->newest, 0, sizeof(self->newest));
    atomic_store(&self->silence_ns, NO_TIME);
    self->lost_told = 0;
    self->write_failed = 0;
    self->ring = calloc(RING_ENTRIES, sizeof(*self->ring));
    if (self->ring == NULL)
        return -ENOMEM;
    self->file = fopen(self->path, "we");
    if (self->file == NULL) {
        int err = errno;

        free(self->ring);
        self->ring = NULL;
        return fail_to_open(self, err);
    }
    return 0;
}

static int
trace_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    (void)self;
    sink->count = 0;
    if (sink->capacity < 1)
        return -ENOSPC;
    sink->devices[0] = pretend;
    sink->count = 1;
    return 0;
}

/* ---- the haptics thread ---- */

/* As many whole names as fit. */
static void
copy_effects(char *to, const char *effects)
{
    size_t count = effects == NULL ? 0 : strnlen(effects, EFFECTS_BYTES);

    if (count == EFFECTS_BYTES)
        while (count > 0 && effects[--count] != ',')
            ;
    if (count > 0)
        memcpy(to, effects, count);
    to[count] = '\0';
}

/* What a device can do of a level; NaN is none. */
static float
bounded(const struct hp_level *level)
{
    uint32_t flags = pretend.actuators[level->actuator].flags;
    float least = flags & HP_ACTUATOR_SIGNED ? -1 : 0;

    if (level->level > 1)
        return 1;
    if (level->level < least)
        return least;
    return level->level >= least ? level->level : 0;
}

static void
ring_put(struct hp_instance *self, uint64_t time_ns,
         const struct hp_level *level, const char *effects)
{
    unsigned put = atomic_load_explicit(&self->put, memory_order_relaxed);
    struct entry *entry = &self->ring[put % RING_ENTRIES];

    cell_put(&self->newest[level->actuator], bounded(level), -1,
             level->frequency_hz, level->deadline_ns);
    if (put - atomic_load_explicit(&self->taken, memory_order_acquire) ==
        RING_ENTRIES) {
        atomic_fetch_add(&self->lost, 1);
        return;
    }
    entry->time_ns = time_ns;
    entry->level = *level;
    entry->level.level = bounded(level);
    copy_effects(entry->effects, effects);
    atomic_store_explicit(&self->put, put + 1, memory_order_release);
}

static int
trace_render(struct hp_instance *self, const struct hp_levels *levels)
{
    uint64_t now_ns = self->host->now_ns(self->host);
    const char *at = (const char *)levels->levels;
    const struct hp_level *level;
    uint32_t i;

    for (i = 0; i < levels->count; i++, at += levels->stride) {
        level = (const struct hp_level *)at;
        if (level->device == pretend.id &&
            level->generation == pretend.generation &&
            level->actuator < pretend.actuator_count)
            ring_put(self, now_ns, level, levels->effects);
    }
    return 0;
}

/* [any] Noted here, written by work. Two silences with no line between them
 * are one. */
static int
trace_silence(struct hp_instance *self)
{
    uint32_t i;

    for (i = 0; i < pretend.actuator_count; i++)
        cell_clear(&self->newest[i]);
    atomic_store(&self->silence_ns, self->host->now_ns(self->host));
    return 0;
}

/* ---- the device thread ---- */

static const char *
name_of(uint32_t actuator)
{
    return actuator_names[pretend.actuators[actuator].kind];
}

/* Effect names come from a file that people edit: quote what JSON must. */
static void
write_text(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, file);
    }
}

static void
write_level(struct hp_instance *self, const struct entry *entry)
{
    const struct hp_level *level = &entry->level;

    fprintf(self->file,
            "{\"t_ns\":%" PRIu64 ",\"device\":%u,\"actuator\":\"%s\","
            "\"level\":%.6g,\"deadline_ns\":%" PRIu64 ",\"cause_ns\":%" PRIu64
            ",\"effects\":\"",
            entry->time_ns, level->device, name_of(level->actuator),
            (double)level->level, level->deadline_ns, level->cause_ns);
    write_text(self->file, entry->effects);
    fputs("\"}\n", self->file);
    self->deadlines_ns[level->actuator] =
        level->level < 0 || level->level > 0 ? level->deadline_ns : NO_TIME;
}

/* The running actuator whose deadline is the next. */
static uint32_t
first_to_stop(const struct hp_instance *self)
{
    uint32_t i, first = 0;

    for (i = 1; i < pretend.actuator_count; i++)
        if (self->deadlines_ns[i] < self->deadlines_ns[first])
            first = i;
    return first;
}

/* What the device did by itself until `time_ns`. */
static void
write_stops(struct hp_instance *self, uint64_t time_ns)
{
    uint32_t i;

    while (self->deadlines_ns[i = first_to_stop(self)] < time_ns) {
        fprintf(self->file,
                "{\"t_ns\":%" PRIu64 ",\"device\":%u,\"actuator\":\"%s\","
                "\"level\":0,\"by\":\"deadline\"}\n",
                self->deadlines_ns[i], pretend.id, name_of(i));
        self->deadlines_ns[i] = NO_TIME;
    }
}

/* The silence that was asked for before `before_ns`, if any. */
static void
write_silence(struct hp_instance *self, uint64_t before_ns)
{
    uint64_t silence_ns = atomic_load(&self->silence_ns);

    if (silence_ns >= before_ns)
        return;
    write_stops(self, silence_ns);
    fprintf(self->file, "{\"t_ns\":%" PRIu64 ",\"by\":\"silence\"}\n",
            silence_ns);
    every_actuator_rests(self);
    /* A newer silence that came meanwhile stays, and is told next time. */
    atomic_compare_exchange_strong(&self->silence_ns, &silence_ns, NO_TIME);
}

/* What is lost ends with the newest of each actuator. */
static void
write_lost(struct hp_instance *self, unsigned lost, uint64_t time_ns)
{
    struct sound sound;
    uint32_t i;

    if (lost == self->lost_told)
        return;
    fprintf(self->file, "{\"t_ns\":%" PRIu64 ",\"by\":\"full\",\"lost\":%u}\n",
            time_ns, lost - self->lost_told);
    self->lost_told = lost;
    for (i = 0; i < pretend.actuator_count; i++) {
        sound = cell_take(&self->newest[i], time_ns);
        fprintf(self->file,
                "{\"t_ns\":%" PRIu64 ",\"device\":%u,\"actuator\":\"%s\","
                "\"level\":%.6g,\"by\":\"newest\"}\n",
                time_ns, pretend.id, name_of(i), (double)sound.level);
        self->deadlines_ns[i] =
            sound.level < 0 || sound.level > 0 ? sound.deadline_ns : NO_TIME;
    }
}

/* All lines up to `now_ns`, in order of time. */
static void
write_lines(struct hp_instance *self, uint64_t now_ns)
{
    /* Before `put`: what is older than a lost level is then written before. */
    unsigned lost = atomic_load(&self->lost);
    unsigned taken = atomic_load_explicit(&self->taken, memory_order_relaxed);
    unsigned put = atomic_load_explicit(&self->put, memory_order_acquire);
    const struct entry *entry;

    for (; taken != put; taken++) {
        entry = &self->ring[taken % RING_ENTRIES];
        write_silence(self, entry->time_ns);
        write_stops(self, entry->time_ns);
        write_level(self, entry);
        atomic_store_explicit(&self->taken, taken + 1, memory_order_release);
    }
    write_silence(self, now_ns + 1);
    write_stops(self, now_ns);
    write_lost(self, lost, now_ns);
}

/* Lines are worth most just before a crash, so none waits in a buffer. */
static int
flush(struct hp_instance *self)
{
    char line[400];
    int err;

    if (fflush(self->file) == 0 && !ferror(self->file))
        return 0;
    err = errno;
    clearerr(self->file);
    if (!self->write_failed) {
        snprintf(line, sizeof(line), "cannot write %s: %s; lines are lost",
                 self->path, strerror(err));
        self->host->log(self->host, HP_LOG_ERROR, line);
    }
    self->write_failed = 1;
    return -err;
}

/* [device] A file is never waited for: this returns when all is written. */
static int
trace_work(struct hp_instance *self, uint64_t until_ns)
{
    (void)until_ns;
    write_lines(self, self->host->now_ns(self->host));
    return flush(self);
}

/* [main] The device thread has ended: what it left is written here, and every
 * actuator that still runs is stopped, as closing a device does. */
static void
trace_stop(struct hp_instance *self)
{
    uint64_t now_ns = self->host->now_ns(self->host);
    unsigned lost = atomic_load(&self->lost);
    char line[120];

    write_lines(self, now_ns);
    if (self->deadlines_ns[first_to_stop(self)] != NO_TIME) {
        atomic_store(&self->silence_ns, now_ns);
        write_silence(self, NO_TIME);
    }
    flush(self);
    fclose(self->file);
    self->file = NULL;
    free(self->ring);
    self->ring = NULL;
    if (lost > 0) {
        snprintf(line, sizeof(line),
                 "%u levels were lost: the file could not keep up", lost);
        self->host->log(self->host, HP_LOG_WARNING, line);
    }
}

static void
trace_destroy(struct hp_instance *self)
{
    if (self == NULL)
        return;
    free(self->path);
    free(self);
}

static const struct hp_haptics_ops ops = {
    .size = sizeof(ops),
    .devices = trace_devices,
    .render = trace_render,
    .work = trace_work,
    .silence = trace_silence,
    .guard = NULL, /* a file shakes nobody */
};

HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
    params,
    HP_PARAMS(params),
    trace_create,
    trace_start,
    trace_stop,
    trace_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
