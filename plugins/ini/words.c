/* Numbers and words of a value: no locale, nothing left over, nothing guessed. */
#define _GNU_SOURCE /* strtod_l */
#include "ini.h"
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64 /* longer names are not compared */

static const char *
skip_blanks(const char *p)
{
    return p + strspn(p, " \t");
}

static const char *
skip_digits(const char *p)
{
    return p + strspn(p, "0123456789");
}

/* After a number: the unit or nothing, blanks apart. */
static int
parse_rest(const char *text, const char *unit, const char **rest)
{
    const char *p = skip_blanks(text), *end = p;
    size_t bytes = unit == NULL ? 0 : strlen(unit);

    if (bytes > 0 && strncmp(p, unit, bytes) == 0)
        end = skip_blanks(p + bytes);
    if (*end == '\0')
        return 0;
    if (rest != NULL)
        *rest = p;
    return -EINVAL;
}

static int
not_a_number(const char *at, const char **rest)
{
    if (rest != NULL)
        *rest = at;
    return -EINVAL;
}

int
ini_parse_int(const char *text, const char *unit, long long *out,
              const char **rest)
{
    const char *p = skip_blanks(text);
    const char *digits, *end;
    long long value = 0;
    int negative = *p == '-';
    int err;

    digits = p + (*p == '-' || *p == '+');
    end = skip_digits(digits);
    if (end == digits)
        return not_a_number(p, rest);
    err = parse_rest(end, unit, rest);
    if (err < 0)
        return err;
    /* Downwards: the smallest number has no positive twin. */
    for (; digits < end; digits++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, *digits - '0', &value))
            return -ERANGE;
    if (!negative && value == LLONG_MIN)
        return -ERANGE;
    *out = negative ? value : -value;
    return 0;
}

/* The end of a decimal number, or `p` itself. */
static const char *
skip_real(const char *p)
{
    const char *whole = p + (*p == '-' || *p == '+');
    const char *end = skip_digits(whole);
    const char *exponent, *after;
    size_t digits = (size_t)(end - whole);

    if (*end == '.') {
        after = skip_digits(end + 1);
        digits += (size_t)(after - end - 1);
        end = after;
    }
    if (digits == 0)
        return p;
    if (*end == 'e' || *end == 'E') {
        exponent = end + 1 + (end[1] == '-' || end[1] == '+');
        after = skip_digits(exponent);
        end = after > exponent ? after : end;
    }
    return end;
}

int
ini_parse_real(const char *text, const char *unit, double *out,
               const char **rest)
{
    const char *p = skip_blanks(text);
    const char *end = skip_real(p);
    char *used;
    locale_t c;
    double value;
    int err;

    if (end == p)
        return not_a_number(p, rest);
    err = parse_rest(end, unit, rest);
    if (err < 0)
        return err;
    /* The "C" locale is static in libc: this allocates nothing. */
    c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return -ENOMEM;
    value = strtod_l(p, &used, c);
    freelocale(c);
    if (used != end)
        return not_a_number(end, rest);
    if (isinf(value))
        return -ERANGE;
    *out = value;
    return 0;
}

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int
same_word(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

int
ini_parse_flag(const char *text, int *out)
{
    static const char *const words[] = {"no",    "yes",  "off", "on",
                                        "false", "true", "0",   "1"};
    char word[8];
    size_t bytes, i;

    text = skip_blanks(text);
    bytes = strcspn(text, " \t");
    if (bytes >= sizeof(word) || *skip_blanks(text + bytes) != '\0')
        return -EINVAL;
    memcpy(word, text, bytes);
    word[bytes] = '\0';
    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (same_word(word, words[i])) {
            *out = (int)(i % 2);
            return 0;
        }
    return -EINVAL;
}

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * How many letters must be changed, added, dropped or swapped with their
 * neighbour to make one word of the other. Rows are those of the usual table;
 * three of them are enough for swaps.
 */
static size_t
distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *above2 = rows[0], *above = rows[1], *row = rows[2], *spare;
    size_t i, j;

    for (j = 0; j <= b_bytes; j++)
        row[j] = j;
    for (i = 1; i <= a_bytes; i++) {
        spare = above2;
        above2 = above;
        above = row;
        row = spare;
        row[0] = i;
        for (j = 1; j <= b_bytes; j++) {
            row[j] = least(above[j], row[j - 1]) + 1;
            row[j] = least(row[j],
                           above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1])));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], above2[j - 2] + 1);
        }
    }
    return row[b_bytes];
}

/* How far a name is from the word, or SIZE_MAX when it is not near. */
static size_t
nearness(const char *word, size_t bytes, const char *name)
{
    size_t name_bytes = strlen(name);
    size_t shorter = least(bytes, name_bytes);
    size_t longer = bytes + name_bytes - shorter;
    size_t allowed = longer / 3 == 0 ? 1 : longer / 3;
    size_t d;

    if (shorter == 0 || longer > WORD_MAX)
        return SIZE_MAX;
    d = distance(word, bytes, name, name_bytes);
    if (d <= allowed && d < name_bytes)
        return d;
    /* "network" for "net": behind every name that is near by its letters. */
    if (shorter >= 3 && strncmp(word, name, shorter) == 0)
        return WORD_MAX + d;
    return SIZE_MAX;
}

const char *
ini_nearest(const char *word, const void *names, size_t count, size_t stride)
{
    const char *best = NULL, *name;
    size_t best_distance = SIZE_MAX, bytes = strlen(word), d, i;

    for (i = 0; i < count; i++) {
        memcpy(&name, (const char *)names + i * stride, sizeof(name));
        d = nearness(word, bytes, name);
        if (d < best_distance) {
            best = name;
            best_distance = d;
        }
    }
    return best;
}
