/*
 * Writes JSON to a stream: commas, indentation and escapes. NaN and infinities
 * become null. Nesting is at most 16 deep.
 */
#ifndef JSON_H
#define JSON_H

#include <stdint.h>
#include <stdio.h>

struct hist;

struct json {
    FILE *file;
    int depth;
    unsigned filled; /* bit d: something stands already at depth d */
};

void json_init(struct json *j, FILE *file);
/* `key` is NULL inside an array and at the top. */
void json_open_object(struct json *j, const char *key);
void json_close_object(struct json *j);
void json_open_array(struct json *j, const char *key);
void json_close_array(struct json *j);
void json_text(struct json *j, const char *key, const char *value);
void json_int(struct json *j, const char *key, int64_t value);
void json_real(struct json *j, const char *key, double value);
void json_flag(struct json *j, const char *key, int value);
/* {n, min, mean, p50, p95, p99, p999, max}, values times `scale`. */
void json_hist(struct json *j, const char *key, const struct hist *h,
               double scale);
/* A whole JSON value, as it stands in `text`. */
void json_raw(struct json *j, const char *key, const char *text);
/* Ends the line after the top value; -EIO when the stream had an error. */
int json_finish(struct json *j);

#endif
