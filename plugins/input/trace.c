#include "trace.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AXIS_FULL 32767

/* Hours of a stick at a thousand rows a second; a wrong file is not read into
 * memory whole. */
#define ROWS_MAX 10000000u

enum column_kind {
    COLUMN_TIME,
    COLUMN_AXIS,
    COLUMN_BUTTONS
};

struct column {
    const char *name;
    enum column_kind kind;
    int axis;
    double minimum;
    double maximum;
};

static const struct column columns[] = {
    {"time_s",   COLUMN_TIME,    0,                0,  1e6},
    {"roll",     COLUMN_AXIS,    HP_AXIS_ROLL,     -1, 1  },
    {"pitch",    COLUMN_AXIS,    HP_AXIS_PITCH,    -1, 1  },
    {"yaw",      COLUMN_AXIS,    HP_AXIS_YAW,      -1, 1  },
    {"throttle", COLUMN_AXIS,    HP_AXIS_THROTTLE, 0,  1  },
    {"brake",    COLUMN_AXIS,    HP_AXIS_BRAKE,    0,  1  },
    {"buttons",  COLUMN_BUTTONS, 0,                0,  0  },
};

static const struct {
    const char *name;
    uint32_t bit;
} buttons[] = {
    {"gun",         HP_BUTTON_GUN        },
    {"gear",        HP_BUTTON_GEAR       },
    {"hook",        HP_BUTTON_HOOK       },
    {"afterburner", HP_BUTTON_AFTERBURNER},
    {"release",     HP_BUTTON_RELEASE    },
    {"select",      HP_BUTTON_SELECT     },
    {"respawn",     HP_BUTTON_RESPAWN    },
    {"eject",       HP_BUTTON_EJECT      },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define BUTTONS (sizeof(buttons) / sizeof(buttons[0]))

/* One cell of a line, without the blanks around it. */
struct cell {
    const char *text;
    size_t length;
    int column; /* in the line, from 1 */
};

struct reader {
    const char *path;
    const struct column *order[COLUMNS]; /* what the header said */
    size_t order_count;                  /* 0 before the header */
    struct trace trace;
    size_t capacity;
    int line;
    char *why;
    size_t why_bytes;
};

static int complain(struct reader *r, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int
complain(struct reader *r, int column, const char *format, ...)
{
    va_list args;
    int used =
        snprintf(r->why, r->why_bytes, "%s:%d:%d: ", r->path, r->line, column);

    if (used < 0 || (size_t)used >= r->why_bytes)
        return -EINVAL;
    va_start(args, format);
    vsnprintf(r->why + used, r->why_bytes - (size_t)used, format, args);
    va_end(args);
    return -EINVAL;
}

/* ---- cells ---- */

static int
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Takes the cell that starts at `at` in a line; returns where the next one
 * starts, or NULL. */
static const char *
take_cell(const char *line, const char *at, struct cell *cell)
{
    const char *end = at + strcspn(at, ",\n");
    const char *next = *end == ',' ? end + 1 : NULL;

    while (at < end && is_blank(*at))
        at++;
    while (end > at && is_blank(end[-1]))
        end--;
    cell->text = at;
    cell->length = (size_t)(end - at);
    cell->column = (int)(at - line) + 1;
    return next;
}

static int
cell_is(const struct cell *cell, const char *word)
{
    return cell->length == strlen(word) &&
           memcmp(cell->text, word, cell->length) == 0;
}

/* As much of a cell as a message needs. */
static int
shown(const struct cell *cell)
{
    return cell->length < 40 ? (int)cell->length : 40;
}

/*
 * A decimal number: sign, digits, point, digits. Not strtod, whose point is a
 * comma in some locales. Up to 15 digits it is the nearest double.
 */
static int
parse_number(const struct cell *cell, double *out)
{
    size_t i = 0, digits = 0;
    double whole = 0, scale = 1;
    int negative = 0, after_point = 0;

    if (cell->length > 0 && (cell->text[0] == '-' || cell->text[0] == '+'))
        negative = cell->text[i++] == '-';
    for (; i < cell->length; i++) {
        if (cell->text[i] == '.' && !after_point) {
            after_point = 1;
        } else if (cell->text[i] >= '0' && cell->text[i] <= '9' &&
                   ++digits <= 15) {
            whole = whole * 10 + (cell->text[i] - '0');
            if (after_point)
                scale *= 10;
        } else {
            return -EINVAL;
        }
    }
    *out = (negative ? -whole : whole) / scale;
    return digits > 0 ? 0 : -EINVAL;
}

static int
parse_button(struct reader *r, const struct cell *name, uint32_t *bits)
{
    size_t i;

    for (i = 0; i < BUTTONS; i++)
        if (cell_is(name, buttons[i].name)) {
            *bits |= buttons[i].bit;
            return 0;
        }
    return complain(r, name->column,
                    "unknown button \"%.*s\": expected gun, gear, "
                    "afterburner, respawn, release, hook, eject, joined by "
                    "+, or 0",
                    shown(name), name->text);
}

static int
parse_buttons(struct reader *r, const struct cell *cell, uint32_t *bits)
{
    struct cell name = *cell;
    size_t i, start = 0;
    int err = 0;

    *bits = 0;
    if (cell->length == 0 || cell_is(cell, "0"))
        return 0;
    for (i = 0; i <= cell->length && err == 0; i++) {
        if (i < cell->length && cell->text[i] != '+')
            continue;
        name.text = cell->text + start;
        name.length = i - start;
        name.column = cell->column + (int)start;
        err = parse_button(r, &name, bits);
        start = i + 1;
    }
    return err;
}

/* ---- lines ---- */

static int
read_heading(struct reader *r, const struct cell *cell)
{
    size_t i, seen;

    for (i = 0; i < COLUMNS; i++)
        if (cell_is(cell, columns[i].name))
            break;
    if (i == COLUMNS)
        return complain(r, cell->column,
                        "unknown column \"%.*s\": expected time_s, roll, "
                        "pitch, yaw, throttle, brake, buttons",
                        shown(cell), cell->text);
    for (seen = 0; seen < r->order_count; seen++)
        if (r->order[seen] == &columns[i])
            return complain(r, cell->column,
                            "column %s is there twice: remove one",
                            columns[i].name);
    r->order[r->order_count++] = &columns[i];
    return 0;
}

static int
read_header(struct reader *r, const char *line)
{
    const char *at = line;
    struct cell cell;
    size_t i;
    int err;

    while (at != NULL) {
        at = take_cell(line, at, &cell);
        err = read_heading(r, &cell);
        if (err < 0)
            return err;
    }
    for (i = 0; i < r->order_count; i++)
        if (r->order[i]->kind == COLUMN_TIME)
            return 0;
    return complain(r, 1, "there is no column time_s: add it");
}

static int
read_cell(struct reader *r, const struct column *c, const struct cell *cell,
          struct trace_row *row)
{
    double value;

    if (c->kind == COLUMN_BUTTONS)
        return parse_buttons(r, cell, &row->buttons);
    if (parse_number(cell, &value) < 0)
        return complain(r, cell->column,
                        "%s: \"%.*s\" is not a number, expected one like "
                        "-0.25",
                        c->name, shown(cell), cell->text);
    if (value < c->minimum || value > c->maximum)
        return complain(r, cell->column,
                        "%s: %.*s is out of range, expected %g to %g", c->name,
                        shown(cell), cell->text, c->minimum, c->maximum);
    if (c->kind == COLUMN_AXIS) {
        row->axes[c->axis] = value;
        return 0;
    }
    if (r->trace.count > 0 && value <= r->trace.rows[r->trace.count - 1].time_s)
        return complain(r, cell->column,
                        "time_s: %.*s does not rise, expected more than %g, "
                        "the time of the row before",
                        shown(cell), cell->text,
                        r->trace.rows[r->trace.count - 1].time_s);
    row->time_s = value;
    return 0;
}

static int
keep_row(struct reader *r, const struct trace_row *row)
{
    size_t capacity = r->capacity == 0 ? 256 : 2 * r->capacity;
    struct trace_row *rows;

    if (r->trace.count == ROWS_MAX)
        return complain(r, 1, "too many rows, expected at most %u", ROWS_MAX);
    if (r->trace.count == r->capacity) {
        rows = realloc(r->trace.rows, capacity * sizeof(*rows));
        if (rows == NULL)
            return -ENOMEM;
        r->trace.rows = rows;
        r->capacity = capacity;
    }
    r->trace.rows[r->trace.count++] = *row;
    return 0;
}

static int
read_row(struct reader *r, const char *line)
{
    struct trace_row row = {0};
    const char *at = line;
    struct cell cell;
    size_t i;
    int err;

    for (i = 0; i < r->order_count; i++) {
        if (at == NULL)
            return complain(r, (int)strcspn(line, "\r\n") + 1,
                            "%zu cells, expected %zu as in the header", i,
                            r->order_count);
        at = take_cell(line, at, &cell);
        err = read_cell(r, r->order[i], &cell, &row);
        if (err < 0)
            return err;
    }
    if (at != NULL)
        return complain(r, (int)(at - line) + 1,
                        "more cells than the %zu of the header",
                        r->order_count);
    return keep_row(r, &row);
}

static int
read_line(struct reader *r, const char *line, size_t length)
{
    r->line++;
    if (strlen(line) != length)
        return complain(r, (int)strlen(line) + 1,
                        "a zero byte: this is not a text file");
    if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0')
        return 0;
    return r->order_count == 0 ? read_header(r, line) : read_row(r, line);
}

static int
read_file(struct reader *r, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int err = 0;

    while (err == 0 && (length = getline(&line, &capacity, file)) >= 0)
        err = read_line(r, line, (size_t)length);
    free(line);
    if (err == 0 && ferror(file)) {
        err = -EIO;
        snprintf(r->why, r->why_bytes, "%s: cannot be read", r->path);
    }
    if (err == 0 && r->trace.count == 0)
        err = complain(r, 1,
                       "no rows: expected a header time_s,roll,pitch,yaw,"
                       "throttle,buttons and at least one row");
    return err;
}

int
trace_load(struct trace *out, const char *path, char *why, size_t why_bytes)
{
    struct reader r = {.path = path, .why = why, .why_bytes = why_bytes};
    FILE *file = fopen(path, "re");
    int err;

    if (file == NULL) {
        err = -errno;
        snprintf(why, why_bytes, "%s: cannot be opened: %s", path,
                 strerror(-err));
        return err;
    }
    err = read_file(&r, file);
    fclose(file);
    if (err < 0)
        trace_free(&r.trace);
    else
        *out = r.trace;
    return err;
}

void
trace_free(struct trace *t)
{
    free(t->rows);
    t->rows = NULL;
    t->count = 0;
}

/* ---- the stick at a time ---- */

/* The last row that has begun by then, or the first. */
static size_t
row_at(const struct trace *t, double time_s)
{
    size_t low = 0, high = t->count, middle;

    while (high - low > 1) {
        middle = low + (high - low) / 2;
        if (t->rows[middle].time_s <= time_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double
axis_between(const struct trace_row *a, const struct trace_row *b, int axis,
             double time_s)
{
    double share = (time_s - a->time_s) / (b->time_s - a->time_s);

    if (!(share > 0)) /* before the first row */
        share = 0;
    return a->axes[axis] + (b->axes[axis] - a->axes[axis]) * share;
}

/* Walks back over the rows that were in force within the tick; from the first
 * row to the last but one, since the last one's time is the first one's. */
static uint32_t
buttons_since(const struct trace *t, size_t row, double ago_s, double tick_s,
              int wrap)
{
    uint32_t down = t->rows[row].buttons;
    size_t left = t->count;

    /* A row that ended with the tick before was seen by it. */
    tick_s *= 1 - 1e-6;
    while (ago_s < tick_s && left-- > 0) {
        if (row == 0 && !wrap)
            break;
        if (row == 0)
            row = t->count - 1;
        row--;
        down |= t->rows[row].buttons;
        ago_s += t->rows[row + 1].time_s - t->rows[row].time_s;
    }
    return down;
}

void
trace_sample(const struct trace *t, double time_s, double tick_s, int repeat,
             struct hp_input *out)
{
    double length_s = t->rows[t->count - 1].time_s, axis;
    int i, wrap = repeat && t->count > 1 && time_s >= length_s;
    const struct trace_row *a, *b;
    size_t row;

    if (wrap)
        time_s = fmod(time_s, length_s);
    row = row_at(t, time_s);
    a = &t->rows[row];
    b = row + 1 < t->count ? a + 1 : a;
    for (i = 0; i < TRACE_AXES; i++) {
        axis = a == b ? a->axes[i] : axis_between(a, b, i, time_s);
        out->axes[i] = (int16_t)floor(axis * AXIS_FULL + 0.5);
    }
    out->buttons = buttons_since(t, row, time_s - a->time_s, tick_s, wrap);
}
