/*
 * Threads that log write to one ring; the main thread reads it. A slot's `turn`
 * says whose it is: in round r of the ring it may be filled while turn is 2r,
 * and read while it is 2r + 1; the reader makes it 2r + 2. So a zeroed ring is
 * an empty one, a writer takes a slot by moving `ring_head` over it, and no
 * writer ever waits for another or for the reader.
 */
#include "log.h"
#include "clock.h"
#include "utf8.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#define SECOND_NS UINT64_C(1000000000)

struct line {
    uint64_t time_ns;
    const char *kind; /* the format: lines of one place in the program */
    uint32_t level;
    const char *counts; /* what a line of the log's own counts; or NULL */
    uint64_t count;
    char text[LOG_LINE_MAX];
};

struct slot {
    _Atomic uint64_t turn;
    struct line line;
};

static struct slot ring[LOG_RING_LINES];
static _Atomic uint64_t ring_head; /* the next place to fill */
static _Atomic uint64_t ring_lost;
static _Atomic uint32_t level_max = HP_LOG_INFO;
static _Atomic enum log_format line_format = LOG_TEXT;
static _Atomic(const struct clock *) log_clock; /* NULL: write at once */

/* What a peer or a plugin can cause again and again must not fill a disk: of
 * the lines that one place in the program makes, so many are written in ten
 * seconds, and the rest are counted. Places whose addresses fall together share
 * a count. */
#define KINDS_MAX      64
#define KIND_LINES_MAX 1000
#define KIND_WINDOW_NS (10 * SECOND_NS)

struct kind {
    uint64_t since_ns;
    uint32_t lines;
    uint32_t unwritten;
};

/* The main thread's own. */
static struct {
    uint64_t start_ns;
    uint64_t tail;   /* the next place to read */
    FILE *stream;    /* NULL: standard error */
    uint64_t folded; /* repeats of `last` that were not told yet */
    uint64_t told_ns;
    struct line last;
    struct kind kinds[KINDS_MAX];
} reader;

static const char *const level_names[] = {
    [HP_LOG_ERROR] = "error",
    [HP_LOG_WARNING] = "warning",
    [HP_LOG_INFO] = "info",
    [HP_LOG_DEBUG] = "debug",
};

static const char *
level_name(uint32_t level)
{
    return level >= HP_LOG_ERROR && level < HP_LOG_DEBUG ? level_names[level]
                                                         : "debug";
}

void
log_set_level(uint32_t level)
{
    atomic_store_explicit(&level_max, level, memory_order_relaxed);
}

void
log_set_format(enum log_format format)
{
    atomic_store_explicit(&line_format, format, memory_order_relaxed);
}

int
log_parse_level(const char *text, uint32_t *out)
{
    uint32_t level;

    for (level = HP_LOG_ERROR; level <= HP_LOG_DEBUG; level++)
        if (strcmp(text, level_names[level]) == 0) {
            *out = level;
            return 0;
        }
    return -EINVAL;
}

void
log_set_stream(FILE *stream)
{
    reader.stream = stream;
}

/* ---- one line's text ---- */

/* C0, DEL and C1; line and paragraph ends; marks that turn the writing. */
static int
is_unsafe(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c ||
           (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* One character of `text` as it may be shown; returns the bytes read. */
static int
show_character(const char *text, char *shown, size_t size)
{
    uint32_t c;
    int length = utf8_read(text, &c);

    if (length == 0)
        snprintf(shown, size, "\\x%02x", (unsigned char)*text);
    else if (!is_unsafe(c))
        snprintf(shown, size, "%.*s", length, text);
    else if (c == '\n')
        snprintf(shown, size, "\\n");
    else if (c < 0x80)
        snprintf(shown, size, "\\x%02" PRIx32, c);
    else
        snprintf(shown, size, "\\u%04" PRIx32, c);
    return length > 0 ? length : 1;
}

static void
make_safe(const char *text, int is_cut, char *out)
{
    static const char dots[] = "...";
    size_t used = 0, length;
    char shown[16];

    while (*text != '\0') {
        text += show_character(text, shown, sizeof(shown));
        length = strlen(shown);
        if (used + length + sizeof(dots) > LOG_LINE_MAX) {
            is_cut = 1;
            break;
        }
        memcpy(out + used, shown, length);
        used += length;
    }
    memcpy(out + used, is_cut ? dots : "", is_cut ? sizeof(dots) : 1);
}

static void
compose(char *out, const char *format, va_list arguments)
{
    char raw[LOG_LINE_MAX];
    int length = vsnprintf(raw, sizeof(raw), format, arguments);
    size_t end = strlen(raw);

    if (length < 0) {
        snprintf(out, LOG_LINE_MAX, "log: a line could not be formatted");
        return;
    }
    while (end > 0 && (raw[end - 1] == '\n' || raw[end - 1] == '\r'))
        raw[--end] = '\0';
    make_safe(raw, length >= LOG_LINE_MAX, out);
}

/* ---- one line's writing ---- */

static FILE *
stream(void)
{
    return reader.stream != NULL ? reader.stream : stderr;
}

/* A text that was made safe holds nothing else that JSON escapes. */
static void
quote(const char *text, char *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            *out++ = '\\';
        *out++ = *text;
    }
    *out = '\0';
}

/* In one call, for standard error has no buffer and others may write to it. */
static void
print_json(const char *time, const struct line *line)
{
    char text[2 * LOG_LINE_MAX], count[64] = "";

    quote(line->text, text);
    if (line->counts != NULL)
        snprintf(count, sizeof(count), ", \"%s\": %" PRIu64, line->counts,
                 line->count);
    fprintf(stream(), "{%s%s%s\"level\": \"%s\", \"text\": \"%s\"%s}\n",
            *time != '\0' ? "\"t_s\": " : "", time, *time != '\0' ? ", " : "",
            level_name(line->level), text, count);
}

/* `time` is empty when the line has none. */
static void
print_line(const char *time, const struct line *line)
{
    if (atomic_load_explicit(&line_format, memory_order_relaxed) == LOG_JSON)
        print_json(time, line);
    else
        fprintf(stream(), "%s%s%s %s\n", time, *time != '\0' ? " " : "",
                level_name(line->level), line->text);
}

/* ---- the writers' side ---- */

/* The slot at the head, taken for this thread; NULL when the ring is full. */
static struct slot *
take_slot(uint64_t *turn)
{
    uint64_t place = atomic_load_explicit(&ring_head, memory_order_relaxed);

    for (;;) {
        struct slot *slot = &ring[place % LOG_RING_LINES];
        uint64_t has = atomic_load_explicit(&slot->turn, memory_order_acquire);

        *turn = 2 * (place / LOG_RING_LINES);
        if (has < *turn)
            return NULL;
        if (has > *turn)
            place = atomic_load_explicit(&ring_head, memory_order_relaxed);
        else if (atomic_compare_exchange_weak_explicit(
                     &ring_head, &place, place + 1, memory_order_relaxed,
                     memory_order_relaxed))
            return slot;
    }
}

static void
put_in_ring(const struct line *line)
{
    uint64_t turn;
    struct slot *slot = take_slot(&turn);

    if (slot == NULL) {
        atomic_fetch_add_explicit(&ring_lost, 1, memory_order_relaxed);
        return;
    }
    slot->line.time_ns = line->time_ns;
    slot->line.level = line->level;
    slot->line.kind = line->kind;
    memcpy(slot->line.text, line->text, strlen(line->text) + 1);
    atomic_store_explicit(&slot->turn, turn + 1, memory_order_release);
}

void
log_line(uint32_t level, const char *format, ...)
{
    const struct clock *clock;
    struct line line;
    va_list arguments;

    if (level > atomic_load_explicit(&level_max, memory_order_relaxed))
        return;
    va_start(arguments, format);
    compose(line.text, format, arguments);
    va_end(arguments);
    clock = atomic_load_explicit(&log_clock, memory_order_acquire);
    line.level = level;
    line.kind = format;
    line.counts = NULL;
    if (clock == NULL) {
        print_line("", &line);
        fflush(stream());
        return;
    }
    line.time_ns = clock_now_ns(clock);
    put_in_ring(&line);
}

/* ---- the reader's side ---- */

static void
write_line(const struct line *line)
{
    uint64_t us = (line->time_ns - reader.start_ns) / 1000;
    char time[32];

    snprintf(time, sizeof(time), "%" PRIu64 ".%06" PRIu64, us / 1000000,
             us % 1000000);
    print_line(time, line);
}

static void
tell_repeats(uint64_t now_ns)
{
    struct line line = {.time_ns = now_ns,
                        .level = reader.last.level,
                        .counts = "repeated",
                        .count = reader.folded};

    if (reader.folded == 0)
        return;
    snprintf(line.text, sizeof(line.text),
             "last line repeated %" PRIu64 " time%s", reader.folded,
             reader.folded == 1 ? "" : "s");
    write_line(&line);
    reader.folded = 0;
    reader.told_ns = now_ns;
}

static void
tell_unwritten(struct kind *kind, uint64_t now_ns)
{
    struct line line = {.time_ns = now_ns,
                        .level = HP_LOG_WARNING,
                        .counts = "unwritten",
                        .count = kind->unwritten};

    if (kind->unwritten == 0)
        return;
    snprintf(line.text, sizeof(line.text),
             "log: %" PRIu32 " more lines of one kind came within ten seconds",
             kind->unwritten);
    write_line(&line);
    kind->unwritten = 0;
}

/* Whether the line's kind may write one more. */
static int
is_within_rate(const struct line *line)
{
    struct kind *kind =
        &reader.kinds[(uintptr_t)line->kind / sizeof(long) % KINDS_MAX];

    if (line->time_ns - kind->since_ns >= KIND_WINDOW_NS) {
        tell_unwritten(kind, line->time_ns);
        kind->since_ns = line->time_ns;
        kind->lines = 0;
    }
    if (kind->lines < KIND_LINES_MAX) {
        kind->lines++;
        return 1;
    }
    kind->unwritten++;
    return 0;
}

static void
tell_all_unwritten(uint64_t now_ns)
{
    uint32_t i;

    for (i = 0; i < KINDS_MAX; i++)
        if (now_ns - reader.kinds[i].since_ns >= KIND_WINDOW_NS)
            tell_unwritten(&reader.kinds[i], now_ns);
}

static void
write_or_fold(const struct line *line)
{
    if (line->level == reader.last.level &&
        strcmp(line->text, reader.last.text) == 0) {
        reader.folded++;
        reader.last.time_ns = line->time_ns;
        return;
    }
    if (!is_within_rate(line))
        return;
    tell_repeats(reader.last.time_ns);
    write_line(line);
    reader.last = *line;
    reader.told_ns = line->time_ns;
}

/* Writes what the ring holds, up to a line that is still being filled. */
static void
drain_ring(void)
{
    for (;;) {
        struct slot *slot = &ring[reader.tail % LOG_RING_LINES];
        uint64_t turn = 2 * (reader.tail / LOG_RING_LINES);

        if (atomic_load_explicit(&slot->turn, memory_order_acquire) != turn + 1)
            return;
        write_or_fold(&slot->line);
        atomic_store_explicit(&slot->turn, turn + 2, memory_order_release);
        reader.tail++;
    }
}

static void
tell_lost(uint64_t now_ns)
{
    uint64_t lost =
        atomic_exchange_explicit(&ring_lost, 0, memory_order_relaxed);
    struct line line = {.time_ns = now_ns,
                        .level = HP_LOG_WARNING,
                        .counts = "lost",
                        .count = lost};

    if (lost == 0)
        return;
    snprintf(line.text, sizeof(line.text),
             "log: %" PRIu64 " line%s lost: more than %d came at once", lost,
             lost == 1 ? "" : "s", LOG_RING_LINES);
    write_or_fold(&line);
}

void
log_start(const struct clock *clock)
{
    reader.start_ns = clock_now_ns(clock);
    reader.told_ns = reader.start_ns;
    memset(reader.kinds, 0, sizeof(reader.kinds));
    reader.last.text[0] = '\0';
    reader.last.level = 0;
    atomic_store_explicit(&log_clock, clock, memory_order_release);
}

void
log_flush(void)
{
    const struct clock *clock =
        atomic_load_explicit(&log_clock, memory_order_relaxed);
    uint64_t now_ns;

    if (clock == NULL)
        return;
    drain_ring();
    now_ns = clock_now_ns(clock);
    tell_lost(now_ns);
    if (now_ns - reader.told_ns >= SECOND_NS)
        tell_repeats(now_ns);
    tell_all_unwritten(now_ns);
    fflush(stream());
}

void
log_stop(void)
{
    log_flush();
    tell_repeats(reader.last.time_ns);
    fflush(stream());
    atomic_store_explicit(&log_clock, NULL, memory_order_release);
}
