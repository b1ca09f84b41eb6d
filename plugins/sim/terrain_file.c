#include "terrain.h"
#include "terrain_grid.h"

#include <errno.h>
#include <ini/ini.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE     "hardpoint-terrain 1"
#define LINE_MAX_BYTES 120

struct header {
    const char *at, *end;
    int line;
    char *why;
    size_t why_bytes;
    double size[2], spacing_m, scale_m, base_m, origin_m[2];
};

struct key {
    const char *name;
    int count;
    double low, high;
    size_t offset;
};

static const struct key keys[] = {
    {"size",      2, 2,    TERRAIN_SIDE_MAX, offsetof(struct header, size)     },
    {"spacing_m", 1, 0.5,  10000,            offsetof(struct header, spacing_m)},
    {"scale_m",   1, 1e-4, 10,               offsetof(struct header, scale_m)  },
    {"base_m",    1, -1e4, 1e4,              offsetof(struct header, base_m)   },
    {"origin_m",  2, -1e7, 1e7,              offsetof(struct header, origin_m) },
};
#define KEYS ((int)(sizeof(keys) / sizeof(keys[0])))

/* clang-format off */
__attribute__((format(printf, 2, 3)))
/* clang-format on */
static int
refuse(struct header *h, const char *format, ...)
{
    va_list list;
    int at = snprintf(h->why, h->why_bytes, "%d: ", h->line);

    va_start(list, format);
    if (at >= 0 && (size_t)at < h->why_bytes)
        vsnprintf(h->why + at, h->why_bytes - (size_t)at, format, list);
    va_end(list);
    return -EINVAL;
}

/* The next line without its end. */
static int
next_line(struct header *h, char line[LINE_MAX_BYTES + 1])
{
    const char *stop = memchr(h->at, '\n', (size_t)(h->end - h->at));
    size_t bytes, i;

    h->line++;
    if (stop == NULL)
        return refuse(h, "the file ends in its heading; expected a line "
                         "\"data\" and then the heights");
    bytes = (size_t)(stop - h->at);
    if (bytes > LINE_MAX_BYTES)
        return refuse(h,
                      "found a line of %zu bytes, expected at most %d; is "
                      "this a terrain file?",
                      bytes, LINE_MAX_BYTES);
    memcpy(line, h->at, bytes);
    h->at = stop + 1;
    if (bytes > 0 && line[bytes - 1] == '\r')
        bytes--;
    line[bytes] = '\0';
    for (i = 0; i < bytes; i++)
        if ((unsigned char)line[i] < ' ' || (unsigned char)line[i] > '~')
            return refuse(h,
                          "found byte %d in the heading, expected plain "
                          "text",
                          (unsigned char)line[i]);
    return 0;
}

static int
read_numbers(struct header *h, const struct key *key, char *text)
{
    double *out = (double *)((char *)h + key->offset);
    char *word, *rest = text;
    int i, err;

    for (i = 0; i < key->count; i++) {
        word = strsep(&rest, " ");
        while (word != NULL && *word == '\0')
            word = strsep(&rest, " ");
        if (word == NULL)
            return refuse(h, "%s: found %d numbers, expected %d", key->name, i,
                          key->count);
        err = ini_parse_real(word, "", &out[i], NULL);
        if (err < 0 || !(out[i] >= key->low && out[i] <= key->high))
            return refuse(h, "%s: found \"%s\", expected a number of %g to %g",
                          key->name, word, key->low, key->high);
    }
    if (rest != NULL && rest[strspn(rest, " ")] != '\0')
        return refuse(h, "%s: found \"%s\" after %d numbers; remove it",
                      key->name, rest, key->count);
    return 0;
}

static int
read_key(struct header *h, char *line, int given[KEYS])
{
    char *rest = line, *name = strsep(&rest, " ");
    int i;

    for (i = 0; i < KEYS; i++)
        if (strcmp(name, keys[i].name) == 0)
            break;
    if (i == KEYS)
        return refuse(h,
                      "found \"%s\", expected size, spacing_m, scale_m, "
                      "base_m, origin_m or data",
                      name);
    if (given[i])
        return refuse(h, "%s: given twice; keep one", name);
    given[i] = 1;
    return read_numbers(h, &keys[i], rest != NULL ? rest : line + strlen(line));
}

static int
read_header(struct header *h)
{
    char line[LINE_MAX_BYTES + 1];
    int given[KEYS] = {0}, err, i;

    err = next_line(h, line);
    if (err == 0 && strcmp(line, FIRST_LINE) != 0)
        err = refuse(h, "found \"%.40s\", expected \"" FIRST_LINE "\"", line);
    while (err == 0) {
        err = next_line(h, line);
        if (err < 0 || strcmp(line, "data") == 0)
            break;
        err = read_key(h, line, given);
    }
    for (i = 0; i < 3 && err == 0; i++)
        if (!given[i])
            err = refuse(h, "%s is missing before \"data\"", keys[i].name);
    for (i = 0; i < 2 && err == 0; i++)
        if (h->size[i] != floor(h->size[i]))
            err =
                refuse(h, "size: found %g, expected whole numbers", h->size[i]);
    return err;
}

/* A square's highest sample, those on its far edges included. */
static double
block_highest(const struct terrain *t, int block_row, int block_column)
{
    double highest = -INFINITY, here;
    int row, column;

    for (row = block_row * TERRAIN_BLOCK;
         row <= (block_row + 1) * TERRAIN_BLOCK && row < t->rows; row++)
        for (column = block_column * TERRAIN_BLOCK;
             column <= (block_column + 1) * TERRAIN_BLOCK &&
             column < t->columns;
             column++) {
            here = terrain_sample(t, row, column);
            highest = here > highest ? here : highest;
        }
    return highest;
}

static void
find_highest(struct terrain *t)
{
    double *block = t->blocks_m;
    int row, column;

    t->highest_m = -INFINITY;
    for (row = 0; row < t->block_rows; row++)
        for (column = 0; column < t->block_columns; column++, block++) {
            *block = block_highest(t, row, column);
            t->highest_m = *block > t->highest_m ? *block : t->highest_m;
        }
}

static int
fill(struct terrain *t, const struct header *h)
{
    const uint8_t *at = (const uint8_t *)h->at;
    size_t i, count;

    t->rows = (int)h->size[0];
    t->columns = (int)h->size[1];
    t->spacing_m = h->spacing_m;
    t->scale_m = h->scale_m;
    t->base_m = h->base_m;
    t->north_m = h->origin_m[0];
    t->east_m = h->origin_m[1];
    t->block_rows = (t->rows - 2) / TERRAIN_BLOCK + 1;
    t->block_columns = (t->columns - 2) / TERRAIN_BLOCK + 1;
    count = (size_t)t->rows * (size_t)t->columns;
    t->heights = calloc(count, sizeof(*t->heights));
    t->blocks_m = calloc((size_t)t->block_rows * (size_t)t->block_columns,
                         sizeof(*t->blocks_m));
    if (t->heights == NULL || t->blocks_m == NULL)
        return -ENOMEM;
    for (i = 0; i < count; i++, at += 2)
        t->heights[i] = (int16_t)(uint16_t)(at[0] | at[1] << 8);
    find_highest(t);
    return 0;
}

int
terrain_read(struct terrain **out, const void *bytes, size_t count, char *why,
             size_t why_bytes)
{
    struct header h = {.at = bytes,
                       .end = (const char *)bytes + count,
                       .why = why,
                       .why_bytes = why_bytes};
    struct terrain *t;
    size_t want, have;
    int err = read_header(&h);

    if (err < 0)
        return err;
    want = 2 * (size_t)h.size[0] * (size_t)h.size[1];
    have = (size_t)(h.end - h.at);
    if (have != want)
        return refuse(&h,
                      "found %zu bytes of heights after this line, "
                      "expected %zu for size %g %g",
                      have, want, h.size[0], h.size[1]);
    t = calloc(1, sizeof(*t));
    if (t == NULL || fill(t, &h) < 0) {
        terrain_destroy(t);
        snprintf(why, why_bytes, "no memory for %zu bytes of land", want);
        return -ENOMEM;
    }
    *out = t;
    return 0;
}

void
terrain_destroy(struct terrain *t)
{
    if (t == NULL)
        return;
    free(t->heights);
    free(t->blocks_m);
    free(t);
}

/* A whole file; at most what the largest land takes. */
static int
read_file(FILE *file, char **out, size_t *count)
{
    const size_t most =
        2 * (size_t)TERRAIN_SIDE_MAX * TERRAIN_SIDE_MAX + 16 * LINE_MAX_BYTES;
    size_t room = 1 << 16, have = 0, got;
    char *bytes = malloc(room), *more;

    while (bytes != NULL) {
        got = fread(bytes + have, 1, room - have, file);
        have += got;
        if (have < room)
            break;
        if (room > most) {
            free(bytes);
            return -EFBIG;
        }
        more = realloc(bytes, room *= 2);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    if (bytes == NULL)
        return -ENOMEM;
    if (ferror(file)) {
        free(bytes);
        return -EIO;
    }
    *out = bytes;
    *count = have;
    return 0;
}

int
terrain_load(struct terrain **out, const char *path, char *why,
             size_t why_bytes)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL, reason[300];
    size_t count = 0;
    int err = file == NULL ? -errno : read_file(file, &bytes, &count);

    if (file != NULL)
        fclose(file);
    if (err < 0) {
        snprintf(why, why_bytes, "%s: cannot be read: %s", path,
                 strerror(-err));
        return err;
    }
    err = terrain_read(out, bytes, count, reason, sizeof(reason));
    if (err < 0)
        snprintf(why, why_bytes, "%s:%s", path, reason);
    free(bytes);
    return err;
}
