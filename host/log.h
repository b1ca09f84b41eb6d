/*
 * The log: lines of text on standard error, one a call.
 *
 *     12.345678 error net: cannot listen on port 4776: Address already in use
 *
 * [any] thread may log, tick threads too: a line goes into a ring of fixed
 * size and the writer (log_flush, called by the main loop and at exit) prints
 * it. A line that repeats the one before is folded into a count; a ring that is
 * full counts what it loses. Before log_start lines are written at once.
 */
#ifndef LOG_H
#define LOG_H

#include <hardpoint/plugin.h>
#include <stdint.h>

#define LOG_LINE_MAX 512

struct clock;

/* Lines above `level` (HP_LOG_*) are dropped. [any] */
void log_set_level(uint32_t level);
int log_parse_level(const char *text, uint32_t *out); /* -EINVAL */

/* [main] From now on lines wait for log_flush; times count from here. */
void log_start(const struct clock *clock);
/* [main] Writes what waits. */
void log_flush(void);
/* [main] Writes what waits, and lines at once from here on. */
void log_stop(void);

void log_line(uint32_t level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define log_error(...)   log_line(HP_LOG_ERROR, __VA_ARGS__)
#define log_warning(...) log_line(HP_LOG_WARNING, __VA_ARGS__)
#define log_info(...)    log_line(HP_LOG_INFO, __VA_ARGS__)
#define log_debug(...)   log_line(HP_LOG_DEBUG, __VA_ARGS__)

#endif
