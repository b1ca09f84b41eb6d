/*
 * The log: lines of text on standard error, one a call.
 *
 *     12.345678 error net: cannot listen on port 4776: Address already in use
 *
 * [any] thread may log, tick threads too: a line goes into a ring of fixed
 * size and the writer (log_flush, called by the main loop and at exit) prints
 * it. A line that repeats the one before is folded into a count; a ring that is
 * full counts what it loses. Before log_start and after log_stop lines are
 * written at once and carry no time.
 *
 * A text is one line whatever it holds: line breaks at its end are cut off, and
 * any other control character, what turns the direction of writing, and bytes
 * that are no UTF-8 are shown as escapes (\n, \x1b, \u202e). So no peer's name
 * can forge a line or speak to a terminal.
 *
 * As LOG_JSON each line is one object, with the same text; "t_s" is left out
 * where a line carries no time, and what the log tells of itself has its count
 * as a number too: "repeated", "unwritten" (of one kind, too many) or "lost".
 *
 *     {"t_s": 12.345678, "level": "error", "text": "net: cannot listen ..."}
 *
 * The log is one for the process, so its state is at file scope in log.c.
 */
#ifndef LOG_H
#define LOG_H

#include <hardpoint/plugin.h>
#include <stdint.h>
#include <stdio.h>

/* A text longer than this, in bytes, ends in "...". */
#define LOG_LINE_MAX 512
/* Lines that the ring holds. */
#define LOG_RING_LINES 256

enum log_format {
    LOG_TEXT,
    LOG_JSON
};

struct clock;

/* [any] Lines above `level` (HP_LOG_*) are dropped. At first HP_LOG_INFO. */
void log_set_level(uint32_t level);
/* [any] How lines are written from now on, those too that wait for log_flush.
 * At first LOG_TEXT. */
void log_set_format(enum log_format format);
/* Reads "error", "warning", "info" or "debug"; -EINVAL: another text. */
int log_parse_level(const char *text, uint32_t *out);
/* [main] Writes to `stream` instead of standard error; NULL: back to that. */
void log_set_stream(FILE *stream);

/* [main] From now on lines wait for log_flush; times count from here. The
 * clock must live until log_stop. */
void log_start(const struct clock *clock);
/*
 * [main] Writes what waits. A line that comes again and again is told as "last
 * line repeated N times" when another follows, and at most once a second
 * meanwhile; of the lines that one place in the program makes, 1000 in ten
 * seconds are written and the rest are counted; what the ring lost is told once
 * a flush.
 */
void log_flush(void);
/* [main] Writes what waits, and lines at once from here on. The threads that
 * log have ended. */
void log_stop(void);

/* [any] One line. Allocates nothing, locks nothing and writes nothing between
 * log_start and log_stop. */
void log_line(uint32_t level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define log_error(...)   log_line(HP_LOG_ERROR, __VA_ARGS__)
#define log_warning(...) log_line(HP_LOG_WARNING, __VA_ARGS__)
#define log_info(...)    log_line(HP_LOG_INFO, __VA_ARGS__)
#define log_debug(...)   log_line(HP_LOG_DEBUG, __VA_ARGS__)

#endif
