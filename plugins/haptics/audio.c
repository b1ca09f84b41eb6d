/*
 * haptics_audio - bass shakers on a sound card, through ALSA.
 *
 * Each channel of the card is an actuator with a level and a frequency. render
 * (the haptics thread) leaves the newest of both in a cell; work (the device
 * thread) makes tones of them and keeps the card fed with `buffer_ms` and no
 * more. A tone is written only up to its level's deadline: a card whose feeder
 * is stopped or killed has nothing to play but that rest, so the deadline is
 * the card's to keep and no guardian is needed.
 *
 * Some cards have no clock (a file in place of one takes all that it is given
 * at once): they are fed by the host's.
 */
#include <alsa/asoundlib.h>
#include <errno.h>
#include <hardpoint/haptics.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cell.h"
#include "synth.h"

#define HP_NAME    "audio"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "bass shakers on a sound card, through ALSA"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

#define MS        UINT64_C(1000000)
#define NS_PER_S  UINT64_C(1000000000)
#define CHUNK     256      /* frames made at a time */
#define LOOK_NS   (2 * MS) /* between looks at the card while it runs */
#define RETRY_NS  NS_PER_S /* after the card was lost */
#define LOOKS_MAX 200      /* in one call */
#define PRESET_HZ 40.0f    /* where an effect names no frequency */

/* clang-format off */
static const struct hp_param params[] = {
    {.name = "device", .unit = "", .preset = "default", .type = HP_PARAM_TEXT,
     .sentence = "ALSA's name of the card, as `aplay -L` prints it: default, "
                 "plughw:1,0, plughw:CARD=Seat."},
    {.name = "channels", .unit = "", .preset = "2", .type = HP_PARAM_INT,
     .minimum = 1, .maximum = SYNTH_CHANNELS_MAX,
     .sentence = "How many channels the card has; each is an actuator."},
    {.name = "rate_hz", .unit = "Hz", .preset = "48000", .type = HP_PARAM_INT,
     .minimum = 8000, .maximum = 192000,
     .sentence = "Frames a second."},
    {.name = "buffer_ms", .unit = "ms", .preset = "20", .type = HP_PARAM_INT,
     .minimum = 5, .maximum = 200,
     .sentence = "How far ahead the card is fed. Less is felt sooner; more "
                 "survives a busy machine."},
    {.name = "gain", .unit = "", .preset = "1", .type = HP_PARAM_REAL,
     .minimum = 0, .maximum = 1,
     .sentence = "How loud a full level is."},
    {.name = "min_hz", .unit = "Hz", .preset = "15", .type = HP_PARAM_REAL,
     .minimum = 1, .maximum = 1000,
     .sentence = "The lowest tone that the shaker can follow."},
    {.name = "max_hz", .unit = "Hz", .preset = "120", .type = HP_PARAM_REAL,
     .minimum = 1, .maximum = 1000,
     .sentence = "The highest."},
    {.name = "sleep_after_ms", .unit = "ms", .preset = "2000",
     .type = HP_PARAM_INT, .minimum = 0, .maximum = 3600000,
     .sentence = "The card rests after so much silence; 0: it never does."},
};
/* clang-format on */

struct hp_instance {
    const struct hp_host *host;
    char name[100];
    int64_t channels, rate_hz, buffer_ms, sleep_after_ms;
    double gain, min_hz, max_hz;
    struct cell cells[SYNTH_CHANNELS_MAX];
    _Atomic uint32_t generation; /* of the card that is open; 0: none */
    uint32_t generations;        /* the newest given */

    /* The device thread's. */
    snd_pcm_t *pcm; /* NULL: no card */
    struct synth synth;
    uint64_t retry_ns;   /* when to look for the card again */
    uint64_t sounded_ns; /* when anything last did */
    int is_awake;        /* frames are written */
    int is_clockless;    /* it takes whatever it is given */
    uint64_t begun_ns;   /* a clockless one: when, and */
    uint64_t written;    /* frames since */
    uint64_t xruns;
};

/* ---- parameters ---- */

static int
read_params(struct hp_instance *self)
{
    const struct hp_host *host = self->host;
    const char *name;
    char why[160];
    int err;

    if ((err = host->param_text(host, "device", 0, &name)) < 0 ||
        (err = host->param_int(host, "channels", 0, &self->channels)) < 0 ||
        (err = host->param_int(host, "rate_hz", 0, &self->rate_hz)) < 0 ||
        (err = host->param_int(host, "buffer_ms", 0, &self->buffer_ms)) < 0 ||
        (err = host->param_real(host, "gain", 0, &self->gain)) < 0 ||
        (err = host->param_real(host, "min_hz", 0, &self->min_hz)) < 0 ||
        (err = host->param_real(host, "max_hz", 0, &self->max_hz)) < 0 ||
        (err = host->param_int(host, "sleep_after_ms", 0,
                               &self->sleep_after_ms)) < 0)
        return err;
    snprintf(self->name, sizeof(self->name), "%s", name);
    if (self->min_hz <= self->max_hz)
        return 0;
    snprintf(why, sizeof(why),
             "min_hz: found %g, expected at most max_hz, which is %g",
             self->min_hz, self->max_hz);
    return host->fail(host, -EINVAL, why);
}

static int
audio_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    int err;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    err = read_params(self);
    if (err < 0) {
        free(self);
        return err;
    }
    *out = self;
    return 0;
}

/* ---- the card ---- */

/* ALSA would print on standard error; what it returns says enough. */
static void
ignore(const char *file, int line, const char *function, int err,
       const char *format, ...)
{
    (void)file, (void)line, (void)function, (void)err, (void)format;
}

static void
explain(const struct hp_instance *self, const char *what, int err, char *out,
        size_t bytes)
{
    const char *advice = "";

    if (err == -EACCES || err == -EPERM)
        advice = "; join the group audio (usermod -aG audio USER) and log in "
                 "again";
    else if (err == -EBUSY)
        advice = "; another program has it: end that, or name a device that "
                 "mixes, as default";
    else if (err == -ENOENT || err == -ENODEV)
        advice = "; `aplay -L` lists the cards";
    else if (err == -EINVAL)
        advice = "; plughw: in place of hw: converts";
    snprintf(out, bytes, "device: %s \"%.100s\": %s%s", what, self->name,
             snd_strerror(err), advice);
}

/* The card holds `buffer_ms` and a little more; what is written beyond the
 * former is our own choice. */
static int
set_format(struct hp_instance *self, snd_pcm_t *pcm)
{
    snd_pcm_hw_params_t *hw;
    snd_pcm_uframes_t size =
        (snd_pcm_uframes_t)(self->rate_hz * self->buffer_ms / 500);
    int err;

    snd_pcm_hw_params_alloca(&hw);
    if ((err = snd_pcm_hw_params_any(pcm, hw)) < 0 ||
        (err = snd_pcm_hw_params_set_access(
             pcm, hw, SND_PCM_ACCESS_RW_INTERLEAVED)) < 0 ||
        (err = snd_pcm_hw_params_set_format(pcm, hw, SND_PCM_FORMAT_S16)) < 0 ||
        (err = snd_pcm_hw_params_set_channels(pcm, hw,
                                              (unsigned)self->channels)) < 0 ||
        (err = snd_pcm_hw_params_set_rate(pcm, hw, (unsigned)self->rate_hz,
                                          0)) < 0 ||
        (err = snd_pcm_hw_params_set_buffer_size_near(pcm, hw, &size)) < 0)
        return err;
    return snd_pcm_hw_params(pcm, hw);
}

static int
open_card(struct hp_instance *self, char *why, size_t bytes)
{
    snd_pcm_t *pcm;
    int err = snd_pcm_open(&pcm, self->name, SND_PCM_STREAM_PLAYBACK,
                           SND_PCM_NONBLOCK);

    if (err < 0) {
        explain(self, "cannot open", err, why, bytes);
        return err;
    }
    err = set_format(self, pcm);
    if (err < 0) {
        explain(self, "16 bits, these channels and this rate are refused by",
                err, why, bytes);
        snd_pcm_close(pcm);
        return err;
    }
    self->pcm = pcm;
    self->is_awake = 0;
    self->is_clockless = 0;
    synth_init(&self->synth, (uint32_t)self->rate_hz, (uint32_t)self->channels);
    atomic_store_explicit(&self->generation, ++self->generations,
                          memory_order_release);
    return 0;
}

static void
cells_clear(struct hp_instance *self)
{
    int64_t c;

    for (c = 0; c < self->channels; c++)
        cell_clear(&self->cells[c]);
}

static void
lose_card(struct hp_instance *self, int err, uint64_t now_ns)
{
    char why[300], text[400];

    atomic_store_explicit(&self->generation, 0, memory_order_release);
    snd_pcm_close(self->pcm);
    self->pcm = NULL;
    cells_clear(self);
    self->retry_ns = now_ns + RETRY_NS;
    explain(self, "lost", err, why, sizeof(why));
    snprintf(text, sizeof(text), "%s; it is looked for each second", why);
    self->host->log(self->host, HP_LOG_WARNING, text);
}

static void
look_for_card(struct hp_instance *self, uint64_t now_ns)
{
    char text[300];

    if (now_ns < self->retry_ns)
        return;
    self->retry_ns = now_ns + RETRY_NS;
    if (open_card(self, text, sizeof(text)) < 0)
        return;
    snprintf(text, sizeof(text), "device: \"%.100s\" is back", self->name);
    self->host->log(self->host, HP_LOG_INFO, text);
}

static int
audio_start(struct hp_instance *self, const struct hp_limits *limits)
{
    char why[300];
    int err;

    (void)limits;
    snd_lib_error_set_handler(ignore);
    self->xruns = 0;
    err = open_card(self, why, sizeof(why));
    if (err < 0) {
        snd_lib_error_set_handler(NULL);
        snd_config_update_free_global();
        return self->host->fail(self->host, err, why);
    }
    return 0;
}

/* ---- levels ---- */

/* [rt] */
static int
audio_render(struct hp_instance *self, const struct hp_levels *levels)
{
    const char *at = (const char *)levels->levels;
    uint32_t generation =
        atomic_load_explicit(&self->generation, memory_order_acquire);
    const struct hp_level *level;
    uint32_t i;

    for (i = 0; i < levels->count; i++, at += levels->stride) {
        level = (const struct hp_level *)at;
        if (level->device != 0 || generation == 0 ||
            level->generation != generation ||
            level->actuator >= (uint32_t)self->channels)
            continue;
        cell_put(&self->cells[level->actuator], level->level, 0,
                 level->frequency_hz, level->deadline_ns);
    }
    return 0;
}

/* [any] The device thread looks at the cells each 2 ms while anything sounds;
 * the card plays out what it has, `buffer_ms` at most. */
static int
audio_silence(struct hp_instance *self)
{
    cells_clear(self);
    return 0;
}

static float
bounded_hz(const struct hp_instance *self, float hz)
{
    if (!(hz > 0))
        hz = PRESET_HZ;
    return fminf(fmaxf(hz, (float)self->min_hz), (float)self->max_hz);
}

/* What channel `c` should do from the moment `at_ns` on. */
static struct synth_target
target_of(struct hp_instance *self, int64_t c, uint64_t at_ns)
{
    struct sound sound = cell_take(&self->cells[c], at_ns);
    struct synth_target t = {0};

    t.level = sound.level * (float)self->gain;
    t.hz = bounded_hz(self, sound.hz);
    if (sound.level > 0)
        t.end_frame =
            (sound.deadline_ns - at_ns) * (uint64_t)self->rate_hz / NS_PER_S;
    return t;
}

static int
is_wanted(struct hp_instance *self, uint64_t now_ns)
{
    int64_t c;

    for (c = 0; c < self->channels; c++)
        if (target_of(self, c, now_ns).end_frame > 0)
            return 1;
    return 0;
}

/* ---- feeding ---- */

static uint64_t
frames_in(const struct hp_instance *self, uint64_t ns)
{
    return ns * (uint64_t)self->rate_hz / NS_PER_S;
}

/* Frames that the card has still to play. */
static int64_t
queued(struct hp_instance *self, uint64_t now_ns)
{
    snd_pcm_sframes_t delay = 0;
    int64_t ahead;

    if (self->is_clockless) {
        ahead = (int64_t)self->written -
                (int64_t)frames_in(self, now_ns - self->begun_ns);
        if (ahead >= 0)
            return ahead;
        self->begun_ns = now_ns; /* the machine slept: nothing is made up */
        self->written = 0;
        return 0;
    }
    if (snd_pcm_delay(self->pcm, &delay) < 0 || delay < 0)
        return 0;
    return delay;
}

/* A card plays what it was given no faster than time goes. */
static void
judge_clock(struct hp_instance *self, int64_t before, int64_t frames,
            uint64_t now_ns)
{
    if (self->is_clockless || frames < CHUNK / 2 ||
        queued(self, now_ns) > before + frames / 2)
        return;
    self->is_clockless = 1;
    self->begun_ns = now_ns;
    self->written = (uint64_t)frames;
}

/* A card that ran dry or slept goes on; another error is the card's loss. */
static int
recover(struct hp_instance *self, int err)
{
    if (err == -EAGAIN)
        return 0;
    if (err == -EPIPE)
        self->xruns++;
    return snd_pcm_recover(self->pcm, err, 1);
}

/* Frames that went, or a negative error. */
static int64_t
write_chunk(struct hp_instance *self, int64_t frames, uint64_t at_ns)
{
    struct synth_target targets[SYNTH_CHANNELS_MAX];
    int16_t samples[CHUNK * SYNTH_CHANNELS_MAX];
    struct synth before = self->synth;
    snd_pcm_sframes_t went;
    int64_t c;

    for (c = 0; c < self->channels; c++)
        targets[c] = target_of(self, c, at_ns);
    synth_fill(&self->synth, targets, samples, (size_t)frames);
    went = snd_pcm_writei(self->pcm, samples, (snd_pcm_uframes_t)frames);
    if (went == frames)
        return went;
    self->synth = before; /* what did not go is made again */
    if (went > 0)
        synth_fill(&self->synth, targets, samples, (size_t)went);
    return went;
}

/* Tops the card up to `buffer_ms`. A negative error: the card is lost. */
static int
feed(struct hp_instance *self, uint64_t now_ns)
{
    int64_t full = self->rate_hz * self->buffer_ms / 1000;
    int64_t ahead = queued(self, now_ns), frames, went;
    int err;

    while (ahead < full) {
        frames = full - ahead < CHUNK ? full - ahead : CHUNK;
        went = write_chunk(self, frames,
                           now_ns + (uint64_t)ahead * NS_PER_S /
                                        (uint64_t)self->rate_hz);
        if (went <= 0) {
            err = recover(self, went == 0 ? -EAGAIN : (int)went);
            return err < 0 ? err : 0;
        }
        if (self->is_clockless)
            self->written += (uint64_t)went;
        else
            judge_clock(self, ahead, went, now_ns);
        ahead += went;
    }
    if (snd_pcm_state(self->pcm) == SND_PCM_STATE_PREPARED)
        snd_pcm_start(self->pcm);
    return 0;
}

static int
wake_card(struct hp_instance *self, uint64_t now_ns)
{
    self->is_awake = 1;
    self->is_clockless = 0;
    self->sounded_ns = now_ns;
    return snd_pcm_prepare(self->pcm);
}

static void
rest_card(struct hp_instance *self)
{
    self->is_awake = 0;
    snd_pcm_drop(self->pcm);
}

/* One look. Returns 1 while the card runs, 0 when there is nothing to do. */
static int
serve(struct hp_instance *self, uint64_t now_ns)
{
    int wanted, err = 0;

    if (self->pcm == NULL)
        look_for_card(self, now_ns);
    if (self->pcm == NULL)
        return 0;
    wanted = is_wanted(self, now_ns);
    if (wanted || synth_is_sounding(&self->synth))
        self->sounded_ns = now_ns;
    if (!self->is_awake && (wanted || self->sleep_after_ms == 0))
        err = wake_card(self, now_ns);
    if (err == 0 && self->is_awake)
        err = feed(self, now_ns);
    if (err < 0) {
        lose_card(self, err, now_ns);
        return 0;
    }
    if (self->is_awake && self->sleep_after_ms != 0 &&
        now_ns - self->sounded_ns >= (uint64_t)self->sleep_after_ms * MS)
        rest_card(self);
    return self->is_awake;
}

/* [device] While the card runs it stays; a level that comes meanwhile waits for
 * 2 ms at most. The count ends it on a clock that stands still. */
static int
audio_work(struct hp_instance *self, uint64_t until_ns)
{
    struct timespec look = {.tv_nsec = (long)LOOK_NS};
    uint64_t now_ns = self->host->now_ns(self->host);
    int i;

    for (i = 0; i < LOOKS_MAX; i++) {
        if (!serve(self, now_ns) || now_ns >= until_ns)
            break;
        nanosleep(&look, NULL);
        now_ns = self->host->now_ns(self->host);
    }
    return 0;
}

/* ---- for the main thread ---- */

static int
audio_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    struct hp_device *d = sink->devices;
    uint32_t generation =
        atomic_load_explicit(&self->generation, memory_order_acquire);
    int64_t c;

    sink->count = 0;
    if (generation == 0)
        return 0;
    if (sink->capacity == 0)
        return -ENOSPC;
    memset(d, 0, sizeof(*d));
    d->generation = generation;
    d->flags = HP_DEVICE_HOLDS_DEADLINE;
    d->battery_percent = -1;
    d->actuator_count = (uint16_t)self->channels;
    snprintf(d->name, sizeof(d->name), "shakers on %.80s", self->name);
    snprintf(d->stable_id, sizeof(d->stable_id), "audio:%.80s", self->name);
    for (c = 0; c < self->channels; c++)
        d->actuators[c] = (struct hp_actuator){
            .kind = HP_ACTUATOR_AUDIO,
            .flags = HP_ACTUATOR_FREQUENCY,
            .frequency_min_hz = (float)self->min_hz,
            .frequency_max_hz = (float)self->max_hz,
            .rise_ms = SYNTH_RAMP_MS,
            .fall_ms = SYNTH_RAMP_MS,
        };
    sink->count = 1;
    return 0;
}

/* The device thread has ended. What the card has is dropped with it. */
static void
audio_stop(struct hp_instance *self)
{
    char text[100];

    cells_clear(self);
    atomic_store_explicit(&self->generation, 0, memory_order_release);
    if (self->pcm != NULL) {
        snd_pcm_drop(self->pcm);
        snd_pcm_close(self->pcm);
        self->pcm = NULL;
    }
    if (self->xruns > 0) {
        snprintf(text, sizeof(text),
                 "the card ran dry %llu times; a larger buffer_ms helps",
                 (unsigned long long)self->xruns);
        self->host->log(self->host, HP_LOG_INFO, text);
    }
    snd_lib_error_set_handler(NULL);
    snd_config_update_free_global();
}

static void
audio_destroy(struct hp_instance *self)
{
    free(self);
}

static const struct hp_haptics_ops ops = {
    .size = sizeof(ops),
    .devices = audio_devices,
    .render = audio_render,
    .work = audio_work,
    .silence = audio_silence,
};

/* clang-format off */
HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
    params, HP_PARAMS(params),
    audio_create, audio_start, audio_stop, audio_destroy, &ops, NULL, NULL,
};
/* clang-format on */
