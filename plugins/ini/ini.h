/*
 * Reads INI files through inih, with the line and column of everything and
 * none of inih 55's silent cuts: a line over 199 bytes, a section name over 49,
 * a NUL, a key without "=" are errors, and reading goes on to find them all.
 * An indented line goes on with the value above it; the parts are joined by one
 * space. Comments start with ; or # at a line's start, or with ; after a blank.
 * A UTF-8 byte-order mark and CRLF line ends are accepted.
 */
#ifndef HP_INI_H
#define HP_INI_H /* INI_H is the guard of inih's own header */

#include <stddef.h>
#include <stdio.h>

#define INI_LINE_MAX    199 /* bytes, without the line end */
#define INI_SECTION_MAX 49
#define INI_KEY_MAX     49
#define INI_VALUE_MAX   65536 /* after joining */

/* Where one line of a value stands: its first byte in the joined value, and in
 * the file. */
struct ini_part {
    size_t offset;
    int line;
    int column;
};

/* One setting, or one section heading (key NULL); texts live for the call. */
struct ini_item {
    const char *section; /* "" before the first heading */
    const char *key;
    const char *value; /* without the blanks around it */
    int line;          /* of the key or heading, from 1 */
    int column;        /* of the key or heading, from 1 */
    int value_column;  /* of the value's first byte; past the end when empty */
    const struct ini_part *parts; /* the lines of the value, in order */
    size_t part_count;
};

struct ini_problem {
    int line;
    int column;
    const char *sentence; /* what was found, what was expected; lives for the
                           * call */
};

/* The line and column of a byte of the item's value. */
void ini_place(const struct ini_item *item, size_t offset, int *line,
               int *column);

struct ini_handler {
    void (*item)(void *context, const struct ini_item *item);
    void (*problem)(void *context, const struct ini_problem *problem);
    void *context;
};

/*
 * Reads a stream to its end. Returns the number of problems told to the
 * handler (items around them were given too, but none under a refused heading:
 * take none of them then), or a
 * negative errno when the stream could not be read.
 */
int ini_read(FILE *file, const struct ini_handler *handler);
/* The same for `count` bytes in memory. */
int ini_read_bytes(const void *bytes, size_t count,
                   const struct ini_handler *handler);

/*
 * Numbers, without locale: the whole text, blanks around it apart, must be the
 * number, followed by `unit` or nothing. 0, -EINVAL (not a number; `rest`, if
 * not NULL, points at what was not understood) or -ERANGE (too large).
 */
int ini_parse_int(const char *text, const char *unit, long long *out,
                  const char **rest);
int ini_parse_real(const char *text, const char *unit, double *out,
                   const char **rest);
int ini_parse_flag(const char *text,
                   int *out); /* yes/no on/off true/false 1/0 */

/* The nearest of `count` names to `word` for "did you mean", or NULL when none
 * is near: edit distance over a third of the length, and neither begins with
 * the other. `stride` is the distance from one name pointer to the next. */
const char *ini_nearest(const char *word, const void *names, size_t count,
                        size_t stride);

#endif
