#include "json.h"
#include "hist.h"
#include "utf8.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define DEPTH_MAX 16

void
json_init(struct json *j, FILE *file)
{
    j->file = file;
    j->depth = 0;
    j->filled = 0;
}

static void
new_line(struct json *j)
{
    fprintf(j->file, "\n%*s", 2 * j->depth, "");
}

static void
put_text(FILE *file, const char *text)
{
    uint32_t c;
    int length;

    putc('"', file);
    for (; *text != '\0'; text += length > 0 ? length : 1) {
        length = utf8_read(text, &c);
        if (length == 0)
            fputs("\\ufffd", file);
        else if (c == '"' || c == '\\')
            fprintf(file, "\\%c", (int)c);
        else if (c == '\n')
            fputs("\\n", file);
        else if (c == '\t')
            fputs("\\t", file);
        else if (c < 0x20 || c == 0x7f)
            fprintf(file, "\\u%04" PRIx32, c);
        else
            fwrite(text, 1, (size_t)length, file);
    }
    putc('"', file);
}

/* What comes before any value: comma, line break, key. */
static void
lead_in(struct json *j, const char *key)
{
    unsigned here = 1u << j->depth;

    if (j->filled & here)
        putc(',', j->file);
    j->filled |= here;
    if (j->depth > 0)
        new_line(j);
    if (key != NULL) {
        put_text(j->file, key);
        fputs(": ", j->file);
    }
}

static void
open_level(struct json *j, const char *key, char bracket)
{
    lead_in(j, key);
    putc(bracket, j->file);
    assert(j->depth < DEPTH_MAX);
    j->depth++;
    j->filled &= ~(1u << j->depth);
}

static void
close_level(struct json *j, char bracket)
{
    int filled = j->filled >> j->depth & 1;

    assert(j->depth > 0);
    j->depth--;
    if (filled)
        new_line(j);
    putc(bracket, j->file);
}

void
json_open_object(struct json *j, const char *key)
{
    open_level(j, key, '{');
}

void
json_close_object(struct json *j)
{
    close_level(j, '}');
}

void
json_open_array(struct json *j, const char *key)
{
    open_level(j, key, '[');
}

void
json_close_array(struct json *j)
{
    close_level(j, ']');
}

void
json_text(struct json *j, const char *key, const char *value)
{
    lead_in(j, key);
    if (value == NULL)
        fputs("null", j->file);
    else
        put_text(j->file, value);
}

void
json_int(struct json *j, const char *key, int64_t value)
{
    lead_in(j, key);
    fprintf(j->file, "%" PRId64, value);
}

/* A library may have set a locale whose decimal point is no point. */
static void
put_number(FILE *file, const char *number)
{
    int point = 0;

    for (; *number != '\0'; number++) {
        if ((*number >= '0' && *number <= '9') || *number == '-' ||
            *number == '+' || *number == 'e')
            putc(*number, file);
        else if (!point++)
            putc('.', file);
    }
}

void
json_real(struct json *j, const char *key, double value)
{
    char number[64];
    int digits;

    lead_in(j, key);
    if (!isfinite(value)) {
        fputs("null", j->file);
        return;
    }
    /* The fewest digits that read back as the same value. */
    for (digits = 6; digits <= 17; digits++) {
        snprintf(number, sizeof(number), "%.*g", digits, value);
        if (strtod(number, NULL) == value)
            break;
    }
    put_number(j->file, number);
}

void
json_flag(struct json *j, const char *key, int value)
{
    lead_in(j, key);
    fputs(value ? "true" : "false", j->file);
}

void
json_hist(struct json *j, const char *key, const struct hist *h, double scale)
{
    struct hist_summary s;

    hist_summarise(h, scale, &s);
    json_open_object(j, key);
    json_int(j, "n", (int64_t)s.n);
    json_real(j, "min", s.min);
    json_real(j, "mean", s.mean);
    json_real(j, "p50", s.p50);
    json_real(j, "p95", s.p95);
    json_real(j, "p99", s.p99);
    json_real(j, "p999", s.p999);
    json_real(j, "max", s.max);
    json_close_object(j);
}

void
json_raw(struct json *j, const char *key, const char *text)
{
    lead_in(j, key);
    fputs(text, j->file);
}

int
json_finish(struct json *j)
{
    assert(j->depth == 0);
    putc('\n', j->file);
    if (fflush(j->file) != 0 || ferror(j->file))
        return -EIO;
    return 0;
}
