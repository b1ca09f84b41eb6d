#include "json_scan.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32

struct scan {
    const char *at;
    const char *path; /* what is left of it; NULL: this is not on it */
    double found;
};

static int scan_value(struct scan *s, int depth);

static void
skip_blanks(struct scan *s)
{
    s->at += strspn(s->at, " \t\r\n");
}

static int
take(struct scan *s, char wanted)
{
    skip_blanks(s);
    if (*s->at != wanted)
        return 0;
    s->at++;
    return 1;
}

/* Between the quotes: `begin` and `length`, escapes as they stand. */
static int
scan_text(struct scan *s, const char **begin, size_t *length)
{
    if (!take(s, '"'))
        return -EINVAL;
    *begin = s->at;
    while (*s->at != '"') {
        if ((unsigned char)*s->at < 0x20)
            return -EINVAL;
        if (*s->at == '\\' && s->at[1] != '\0')
            s->at++;
        s->at++;
    }
    *length = (size_t)(s->at++ - *begin);
    return 0;
}

/* What is left of the path below a member, or NULL: it is another's. */
static const char *
path_below(const char *path, const char *name, size_t length)
{
    if (path == NULL || strncmp(path, name, length) != 0 || length == 0)
        return NULL;
    if (path[length] == '.')
        return path + length + 1;
    return path[length] == '\0' ? path + length : NULL;
}

static int
scan_object(struct scan *s, int depth)
{
    const char *path = s->path, *name;
    size_t length;

    if (take(s, '}'))
        return 0;
    do {
        if (scan_text(s, &name, &length) < 0 || !take(s, ':'))
            return -EINVAL;
        s->path = path_below(path, name, length);
        if (scan_value(s, depth + 1) < 0)
            return -EINVAL;
    } while (take(s, ','));
    return take(s, '}') ? 0 : -EINVAL;
}

static int
scan_array(struct scan *s, int depth)
{
    s->path = NULL;
    if (take(s, ']'))
        return 0;
    do {
        if (scan_value(s, depth + 1) < 0)
            return -EINVAL;
    } while (take(s, ','));
    return take(s, ']') ? 0 : -EINVAL;
}

static int
scan_number(struct scan *s)
{
    size_t length = strspn(s->at, "+-0123456789.eE");
    double value;
    char *end;

    if (length == 0 || s->at[0] == '+' || s->at[0] == '.')
        return -EINVAL;
    value = strtod(s->at, &end);
    if (end != s->at + length)
        return -EINVAL;
    s->at = end;
    if (s->path != NULL && *s->path == '\0')
        s->found = value;
    return 0;
}

static int
scan_word(struct scan *s)
{
    static const char *const words[] = {"null", "true", "false"};
    size_t i;

    for (i = 0; i < 3; i++)
        if (strncmp(s->at, words[i], strlen(words[i])) == 0) {
            s->at += strlen(words[i]);
            return 0;
        }
    return -EINVAL;
}

static int
scan_value(struct scan *s, int depth)
{
    const char *begin;
    size_t length;

    if (depth > DEPTH_MAX)
        return -EINVAL;
    if (take(s, '{'))
        return scan_object(s, depth);
    if (take(s, '['))
        return scan_array(s, depth);
    switch (*s->at) {
    case '"':
        return scan_text(s, &begin, &length);
    case 'n':
    case 't':
    case 'f':
        return scan_word(s);
    default:
        return scan_number(s);
    }
}

int
json_scan(const char *text, const char *path, double *out)
{
    struct scan s = {.at = text, .path = path, .found = NAN};

    if (scan_value(&s, 0) < 0)
        return -EINVAL;
    skip_blanks(&s);
    if (*s.at != '\0')
        return -EINVAL;
    if (path != NULL)
        *out = s.found;
    return 0;
}
