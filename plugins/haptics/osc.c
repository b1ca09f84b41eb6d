/*
 * haptics_osc - levels as Open Sound Control messages to another program or
 * computer: a motion rig, a bridge to a vest, a phone.
 *
 *     /hardpoint/low       ,ffi   level, frequency in Hz, good for so many ms
 *     /hardpoint/audio     ,ffi
 *     ...
 *     /hardpoint/silence   ,      everything stops
 *
 * Each message says how long its level is good; a receiver must be silent after
 * that by itself. A level is repeated each 100 ms or so while it lasts. What
 * changed at once travels in one bundle, so a datagram is a whole state.
 *
 * render (the haptics thread) leaves the newest level in a cell; work (the
 * device thread) encodes and sends what changed, at most each `interval_ms`, a
 * zero at once. Names are looked up in start and never later. liblo encodes;
 * the socket is ours, so that silence may be sent from any thread out of bytes
 * encoded before.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* SOCK_CLOEXEC */
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <hardpoint/haptics.h>
#include <lo/lo.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "cell.h"

#define HP_NAME    "osc"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "Open Sound Control messages to another program or computer"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

#define MS             UINT64_C(1000000)
#define PREFIX_MAX     40 /* bytes, so that a silent report fits a guard */
#define ACTUATORS_MAX  8
#define DATAGRAM_BYTES 1400
#define ZEROS          3 /* times that a zero is sent: a datagram may be lost */
#define ZERO_NS        (50 * MS) /* between them */

/* clang-format off */
static const struct hp_param params[] = {
    {.name = "target", .unit = "", .preset = "127.0.0.1:9000",
     .type = HP_PARAM_TEXT,
     .sentence = "Who receives the messages: an IPv4 address or a name, and a "
                 "UDP port."},
    {.name = "prefix", .unit = "", .preset = "/hardpoint",
     .type = HP_PARAM_TEXT,
     .sentence = "What every address begins with."},
    {.name = "actuators", .unit = "", .preset = "low high trigger_l trigger_r audio",
     .type = HP_PARAM_TEXT,
     .sentence = "What the receiver moves: low, high, trigger_l, trigger_r, "
                 "axis_x, axis_y, audio, generic, blanks between."},
    {.name = "interval_ms", .unit = "ms", .preset = "5", .type = HP_PARAM_INT,
     .minimum = 0, .maximum = 100,
     .sentence = "No two datagrams sooner than this, but for zeros."},
};
/* clang-format on */

static const struct {
    const char *word;
    uint32_t kind;
    uint32_t flags;
} words[] = {
    {"low",       HP_ACTUATOR_LOW,       0                    },
    {"high",      HP_ACTUATOR_HIGH,      0                    },
    {"trigger_l", HP_ACTUATOR_TRIGGER_L, 0                    },
    {"trigger_r", HP_ACTUATOR_TRIGGER_R, 0                    },
    {"axis_x",    HP_ACTUATOR_AXIS_X,    HP_ACTUATOR_SIGNED   },
    {"axis_y",    HP_ACTUATOR_AXIS_Y,    HP_ACTUATOR_SIGNED   },
    {"audio",     HP_ACTUATOR_AUDIO,     HP_ACTUATOR_FREQUENCY},
    {"generic",   HP_ACTUATOR_GENERIC,   0                    },
};
#define WORDS (sizeof(words) / sizeof(words[0]))

struct actuator {
    char address[PREFIX_MAX + 16];
    struct cell cell;
    /* The device thread's: what was sent last. */
    struct sound sent;
    uint64_t zero_ns; /* when the last zero went */
    int zeros_left;
};

struct hp_instance {
    const struct hp_host *host;
    char name[80]; /* of the target, without its port */
    char port[8];
    int64_t interval_ms;
    struct hp_device device;
    struct actuator actuators[ACTUATORS_MAX];
    int fd;
    char numeric[32]; /* "127.0.0.1:9000", as the guardian wants it */
    uint8_t silence[PREFIX_MAX + 16];
    size_t silence_bytes;
    uint64_t sent_ns;
    int told_errno; /* the trouble that the log has */
};

/* ---- parameters ---- */

static int
refuse(const struct hp_host *host, const char *key, const char *found,
       const char *expected)
{
    char why[400];

    snprintf(why, sizeof(why), "%s: found \"%.150s\", expected %s", key, found,
             expected);
    return host->fail(host, -EINVAL, why);
}

static int
read_target(struct hp_instance *self, const char *target)
{
    const char *colon = strrchr(target, ':');
    size_t bytes = colon != NULL ? (size_t)(colon - target) : 0;
    char *end;
    long port;

    if (bytes == 0 || bytes >= sizeof(self->name) ||
        memchr(target, ':', bytes) != NULL)
        return refuse(self->host, "target", target,
                      "an IPv4 address or a name, a colon and a port, as "
                      "192.168.1.20:9000");
    errno = 0;
    port = strtol(colon + 1, &end, 10);
    if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || errno != 0 ||
        port < 1 || port > 65535)
        return refuse(self->host, "target", target,
                      "a port from 1 to 65535 after the colon");
    memcpy(self->name, target, bytes);
    self->name[bytes] = '\0';
    snprintf(self->port, sizeof(self->port), "%ld", port);
    return 0;
}

static int
add_actuator(struct hp_instance *self, const char *prefix, const char *word)
{
    struct hp_device *d = &self->device;
    struct hp_actuator *to = &d->actuators[d->actuator_count];
    size_t i;

    for (i = 0; i < WORDS && strcmp(words[i].word, word) != 0; i++)
        ;
    if (i == WORDS)
        return refuse(self->host, "actuators", word,
                      "some of low, high, trigger_l, trigger_r, axis_x, "
                      "axis_y, audio, generic");
    if (d->actuator_count == ACTUATORS_MAX)
        return refuse(self->host, "actuators", word, "at most eight words");
    to->kind = words[i].kind;
    to->flags = words[i].flags;
    if (to->flags & HP_ACTUATOR_FREQUENCY) {
        to->frequency_min_hz = 5;
        to->frequency_max_hz = 250;
    }
    to->interval_min_ms = (uint16_t)self->interval_ms;
    snprintf(self->actuators[d->actuator_count].address,
             sizeof(self->actuators[0].address), "%s/%s", prefix, word);
    d->actuator_count++;
    return 0;
}

static int
read_actuators(struct hp_instance *self, const char *prefix, const char *list)
{
    char copy[200], *word, *rest = copy;
    int err;

    if (strlen(list) >= sizeof(copy))
        return refuse(self->host, "actuators", list, "at most eight words");
    snprintf(copy, sizeof(copy), "%s", list);
    while ((word = strsep(&rest, " ,\t")) != NULL) {
        err = word[0] != '\0' ? add_actuator(self, prefix, word) : 0;
        if (err < 0)
            return err;
    }
    return self->device.actuator_count > 0
               ? 0
               : refuse(self->host, "actuators", list, "one word at least");
}

/* An address has no blanks and none of the characters that make a pattern. */
static int
check_prefix(struct hp_instance *self, const char *prefix)
{
    size_t bytes = strlen(prefix);

    if (bytes < 2 || bytes > PREFIX_MAX || prefix[0] != '/' ||
        prefix[bytes - 1] == '/' || strpbrk(prefix, " #*,?[]{}") != NULL)
        return refuse(self->host, "prefix", prefix,
                      "an OSC address of at most 40 bytes, as /hardpoint");
    return 0;
}

static int
read_params(struct hp_instance *self)
{
    const struct hp_host *host = self->host;
    const char *target, *prefix, *list;
    int err;

    if ((err = host->param_text(host, "target", 0, &target)) < 0 ||
        (err = host->param_text(host, "prefix", 0, &prefix)) < 0 ||
        (err = host->param_text(host, "actuators", 0, &list)) < 0 ||
        (err = host->param_int(host, "interval_ms", 0, &self->interval_ms)) < 0)
        return err;
    if ((err = read_target(self, target)) < 0 ||
        (err = check_prefix(self, prefix)) < 0 ||
        (err = read_actuators(self, prefix, list)) < 0)
        return err;
    self->device.battery_percent = -1;
    snprintf(self->device.name, sizeof(self->device.name), "OSC %.80s", target);
    snprintf(self->device.stable_id, sizeof(self->device.stable_id),
             "osc:%.80s", target);
    return 0;
}

static int
osc_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    int err;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    self->fd = -1;
    err = read_params(self);
    if (err < 0) {
        free(self);
        return err;
    }
    *out = self;
    return 0;
}

/* ---- encoding ---- */

static lo_message
message_of(const struct sound *sound, uint64_t now_ns)
{
    lo_message m = lo_message_new();
    int32_t good_ms = 0;

    if (m == NULL)
        return NULL;
    if (sound->level != 0)
        good_ms = (int32_t)((sound->deadline_ns - now_ns + MS - 1) / MS);
    lo_message_add_float(m, sound->level);
    lo_message_add_float(m, sound->hz);
    lo_message_add_int32(m, good_ms);
    return m;
}

/* The bytes of a message, which is freed; 0 when they do not fit. */
static size_t
serialise(lo_message m, const char *address, uint8_t *to, size_t capacity)
{
    size_t bytes = m != NULL ? lo_message_length(m, address) : 0;

    if (bytes > capacity)
        bytes = 0;
    if (bytes > 0 && lo_message_serialise(m, address, to, &bytes) == NULL)
        bytes = 0;
    if (m != NULL)
        lo_message_free(m);
    return bytes;
}

static void
prepare_silence(struct hp_instance *self, const char *prefix)
{
    char address[PREFIX_MAX + 16];

    snprintf(address, sizeof(address), "%s/silence", prefix);
    self->silence_bytes = serialise(lo_message_new(), address, self->silence,
                                    sizeof(self->silence));
}

/* ---- sending ---- */

static int
resolve(struct hp_instance *self, struct sockaddr_in *to)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *found;
    char why[300];
    int err = getaddrinfo(self->name, self->port, &hints, &found);

    if (err != 0) {
        snprintf(why, sizeof(why),
                 "target: no IPv4 address for \"%s\": %s; give the address "
                 "itself if the name is not known here",
                 self->name, gai_strerror(err));
        return self->host->fail(self->host, -ENODEV, why);
    }
    memcpy(to, found->ai_addr, sizeof(*to));
    freeaddrinfo(found);
    return 0;
}

static int
osc_start(struct hp_instance *self, const struct hp_limits *limits)
{
    struct sockaddr_in to;
    char address[INET_ADDRSTRLEN], why[200];
    const char *prefix;
    int err = resolve(self, &to);

    (void)limits;
    if (err < 0 ||
        (err = self->host->param_text(self->host, "prefix", 0, &prefix)) < 0)
        return err;
    inet_ntop(AF_INET, &to.sin_addr, address, sizeof(address));
    snprintf(self->numeric, sizeof(self->numeric), "%s:%s", address,
             self->port);
    prepare_silence(self, prefix);
    self->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (self->fd < 0 ||
        connect(self->fd, (struct sockaddr *)&to, sizeof(to)) < 0) {
        err = -errno;
        snprintf(why, sizeof(why), "target: no way to %s: %s", self->numeric,
                 strerror(-err));
        if (self->fd >= 0)
            close(self->fd);
        self->fd = -1;
        return self->host->fail(self->host, err, why);
    }
    self->device.generation++;
    self->sent_ns = 0;
    self->told_errno = 0;
    return 0;
}

/* Once for each kind of trouble, and once when it is over. */
static void
tell_trouble(struct hp_instance *self, int trouble)
{
    char text[200];

    if (trouble == self->told_errno)
        return;
    self->told_errno = trouble;
    if (trouble == ECONNREFUSED)
        snprintf(text, sizeof(text),
                 "nobody listens at %s: nothing is felt there until the "
                 "receiver runs",
                 self->numeric);
    else
        snprintf(text, sizeof(text), "cannot send to %s: %s", self->numeric,
                 strerror(trouble));
    self->host->log(self->host, HP_LOG_WARNING, text);
}

/* A refusal is that of the datagram before, so two sends tell the truth. */
static void
put(struct hp_instance *self, const uint8_t *bytes, size_t count)
{
    ssize_t sent = send(self->fd, bytes, count, MSG_NOSIGNAL);

    if (sent < 0 && errno == ECONNREFUSED) {
        tell_trouble(self, ECONNREFUSED);
        sent = send(self->fd, bytes, count, MSG_NOSIGNAL);
    } else if (sent < 0 && errno != EAGAIN)
        tell_trouble(self, errno);
}

/* ---- levels ---- */

/* [rt] */
static int
osc_render(struct hp_instance *self, const struct hp_levels *levels)
{
    const char *at = (const char *)levels->levels;
    const struct hp_level *level;
    const struct hp_actuator *actuator;
    uint32_t i;

    for (i = 0; i < levels->count; i++, at += levels->stride) {
        level = (const struct hp_level *)at;
        if (level->device != 0 ||
            level->generation != self->device.generation ||
            level->actuator >= self->device.actuator_count)
            continue;
        actuator = &self->device.actuators[level->actuator];
        cell_put(&self->actuators[level->actuator].cell, level->level,
                 actuator->flags & HP_ACTUATOR_SIGNED ? -1 : 0,
                 level->frequency_hz, level->deadline_ns);
    }
    return 0;
}

/* Whether the receiver has to be told something of this actuator. */
static int
is_due(struct actuator *a, uint64_t now_ns)
{
    struct sound sound = cell_take(&a->cell, now_ns);

    if (sound.level != a->sent.level || sound.hz != a->sent.hz)
        return 1;
    if (sound.level != 0)
        return sound.deadline_ns != a->sent.deadline_ns;
    return a->zeros_left > 0 && now_ns - a->zero_ns >= ZERO_NS;
}

static int
is_zero_due(struct hp_instance *self, uint64_t now_ns)
{
    struct actuator *a;
    uint32_t i;

    for (i = 0; i < self->device.actuator_count; i++) {
        a = &self->actuators[i];
        if (a->sent.level != 0 && cell_take(&a->cell, now_ns).level == 0)
            return 1;
    }
    return 0;
}

static void
add_to_bundle(lo_bundle bundle, struct actuator *a, uint64_t now_ns)
{
    struct sound sound = cell_take(&a->cell, now_ns);
    lo_message m = message_of(&sound, now_ns);

    if (m == NULL)
        return;
    if (lo_bundle_add_message(bundle, a->address, m) != 0) {
        lo_message_free(m);
        return;
    }
    if (sound.level != 0)
        a->zeros_left = ZEROS;
    else {
        a->zeros_left--;
        a->zero_ns = now_ns;
    }
    a->sent = sound;
}

/* Returns whether anything was due. */
static int
send_due(struct hp_instance *self, uint64_t now_ns)
{
    uint8_t datagram[DATAGRAM_BYTES];
    lo_bundle bundle = NULL;
    size_t bytes;
    uint32_t i;

    for (i = 0; i < self->device.actuator_count; i++) {
        if (!is_due(&self->actuators[i], now_ns))
            continue;
        if (bundle == NULL)
            bundle = lo_bundle_new(LO_TT_IMMEDIATE);
        if (bundle == NULL)
            return 0;
        add_to_bundle(bundle, &self->actuators[i], now_ns);
    }
    if (bundle == NULL)
        return 0;
    bytes = lo_bundle_length(bundle);
    if (bytes <= sizeof(datagram) &&
        lo_bundle_serialise(bundle, datagram, &bytes) != NULL)
        put(self, datagram, bytes);
    lo_bundle_free_recursive(bundle);
    self->sent_ns = now_ns;
    return 1;
}

/* Until the interval is over, or a zero has come. */
static void
keep_interval(struct hp_instance *self)
{
    struct timespec ms = {.tv_nsec = (long)MS};
    uint64_t now_ns = self->host->now_ns(self->host);
    int64_t i;

    for (i = 0; i < self->interval_ms; i++) {
        if (now_ns - self->sent_ns >= (uint64_t)self->interval_ms * MS ||
            is_zero_due(self, now_ns))
            return;
        nanosleep(&ms, NULL);
        now_ns = self->host->now_ns(self->host);
    }
}

static int
is_any_due(struct hp_instance *self, uint64_t now_ns)
{
    uint32_t i;

    for (i = 0; i < self->device.actuator_count; i++)
        if (is_due(&self->actuators[i], now_ns))
            return 1;
    return 0;
}

/* [device] Looks once more after it has sent: silence may have been asked for
 * by another thread while the level that it ends was on its way. */
static int
osc_work(struct hp_instance *self, uint64_t until_ns)
{
    int looks;

    (void)until_ns;
    for (looks = 0; looks < 2; looks++) {
        if (!is_any_due(self, self->host->now_ns(self->host)))
            break;
        keep_interval(self);
        send_due(self, self->host->now_ns(self->host));
    }
    return 0;
}

/* [any] */
static int
osc_silence(struct hp_instance *self)
{
    uint32_t i;

    for (i = 0; i < self->device.actuator_count; i++)
        cell_clear(&self->actuators[i].cell);
    send(self->fd, self->silence, self->silence_bytes, MSG_NOSIGNAL);
    return 0;
}

/* ---- for the main thread ---- */

static int
osc_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    sink->count = 0;
    if (sink->capacity == 0)
        return -ENOSPC;
    sink->devices[0] = self->device;
    sink->count = 1;
    return 0;
}

/* A zero for each actuator, as a receiver may not know `silence`. */
static int
osc_guard(struct hp_instance *self, struct hp_guard_sink *sink)
{
    static const struct sound nothing = {0};
    struct hp_guard *to = sink->guards;
    uint32_t i;

    sink->count = 0;
    for (i = 0; i < self->device.actuator_count; i++) {
        if (sink->count == sink->capacity)
            return -ENOSPC;
        memset(to, 0, sizeof(*to));
        to->action = HP_GUARD_DATAGRAM;
        snprintf(to->node, sizeof(to->node), "%s", self->numeric);
        to->report_bytes = (uint32_t)serialise(message_of(&nothing, 0),
                                               self->actuators[i].address,
                                               to->report, sizeof(to->report));
        to = (struct hp_guard *)((char *)to + sink->stride);
        sink->count++;
    }
    return 0;
}

/* The device thread has ended: what sounds is ended here. */
static void
osc_stop(struct hp_instance *self)
{
    osc_silence(self);
    send_due(self, self->host->now_ns(self->host));
    close(self->fd);
    self->fd = -1;
}

static void
osc_destroy(struct hp_instance *self)
{
    free(self);
}

static const struct hp_haptics_ops ops = {
    .size = sizeof(ops),
    .devices = osc_devices,
    .render = osc_render,
    .work = osc_work,
    .silence = osc_silence,
    .guard = osc_guard,
};

/* clang-format off */
HP_PLUGIN_NOTE(HP_KIND_HAPTICS, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_HAPTICS, 0),
    params, HP_PARAMS(params),
    osc_create, osc_start, osc_stop, osc_destroy, &ops, NULL, NULL,
};
/* clang-format on */
