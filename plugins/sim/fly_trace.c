#include "fly_trace.h"

#include <errno.h>
#include <ini/ini.h>
#include <motion/math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES  512
#define COLUMNS_MAX 8
#define AXIS_FULL   32767.0
#define TIME        (-1)
#define BUTTONS     (-2)

static const struct {
    const char *name;
    int what; /* an axis, TIME or BUTTONS */
    double low, high;
} known[] = {
    {"time_s",   TIME,             0,  86400},
    {"roll",     HP_AXIS_ROLL,     -1, 1    },
    {"pitch",    HP_AXIS_PITCH,    -1, 1    },
    {"yaw",      HP_AXIS_YAW,      -1, 1    },
    {"throttle", HP_AXIS_THROTTLE, 0,  1    },
    {"brake",    HP_AXIS_BRAKE,    0,  1    },
    {"buttons",  BUTTONS,          0,  0    },
};

#define KNOWN ((int)(sizeof(known) / sizeof(known[0])))

static const char *const button_names[] = {
    "gun", "gear", "afterburner", "respawn", "release", "hook", "eject"};

struct reading {
    const char *path;
    int line;
    int columns[COLUMNS_MAX]; /* places in `known` */
    int column_count;         /* 0 before the header */
    char *why;
    size_t why_bytes;
};

/* clang-format off */
__attribute__((format(printf, 3, 4)))
/* clang-format on */
static int
refuse(const struct reading *r, int column, const char *format, ...)
{
    va_list list;
    size_t used;

    snprintf(r->why, r->why_bytes, "%s:%d:%d: error: ", r->path, r->line,
             column);
    used = strlen(r->why);
    va_start(list, format);
    vsnprintf(r->why + used, r->why_bytes - used, format, list);
    va_end(list);
    return -EINVAL;
}

static int
read_header_cell(struct reading *r, const char *cell, int column)
{
    int i, k;

    for (i = 0; i < KNOWN && strcmp(known[i].name, cell) != 0; i++)
        ;
    if (i == KNOWN)
        return refuse(r, column,
                      "found a column \"%s\", expected time_s, roll, pitch, "
                      "yaw, throttle, brake or buttons",
                      cell);
    for (k = 0; k < r->column_count; k++)
        if (r->columns[k] == i)
            return refuse(r, column, "found the column %s twice; keep one",
                          cell);
    r->columns[r->column_count++] = i;
    return 0;
}

static int
read_buttons(const struct reading *r, char *cell, int column, uint32_t *out)
{
    char *name;
    int i;

    *out = 0;
    if (strcmp(cell, "0") == 0)
        return 0;
    while ((name = strsep(&cell, "+")) != NULL) {
        for (i = 0; i < 7 && strcmp(button_names[i], name) != 0; i++)
            ;
        if (i == 7)
            return refuse(r, column,
                          "found a button \"%s\", expected 0, or gun, gear, "
                          "afterburner, respawn, release, hook or eject joined "
                          "by +",
                          name);
        *out |= (uint32_t)1 << i;
    }
    return 0;
}

static int
read_cell(const struct reading *r, int place, char *cell, int column,
          struct fly_trace_row *row)
{
    double value;

    if (known[place].what == BUTTONS)
        return read_buttons(r, cell, column, &row->buttons);
    if (ini_parse_real(cell, "", &value, NULL) < 0 ||
        !(value >= known[place].low && value <= known[place].high))
        return refuse(r, column, "%s: found \"%s\", expected %g to %g",
                      known[place].name, cell, known[place].low,
                      known[place].high);
    if (known[place].what == TIME)
        row->time_s = value;
    else
        row->axes[known[place].what] = value;
    return 0;
}

static int
read_line(struct reading *r, char *line, struct fly_trace *out)
{
    struct fly_trace_row *row = &out->rows[out->count];
    int header = r->column_count == 0, count = 0, err = 0;
    char *at = line, *cell;

    if (!header && out->count == FLY_TRACE_ROWS_MAX)
        return refuse(r, 1, "found more than %d rows, expected at most those",
                      FLY_TRACE_ROWS_MAX);
    while (err == 0 && (cell = strsep(&at, ",")) != NULL) {
        if (count == (header ? COLUMNS_MAX : r->column_count))
            return refuse(r, (int)(cell - line) + 1,
                          "found more cells than there are columns");
        err = header ? read_header_cell(r, cell, (int)(cell - line) + 1)
                     : read_cell(r, r->columns[count], cell,
                                 (int)(cell - line) + 1, row);
        count++;
    }
    if (err < 0 || header)
        return err;
    if (count < r->column_count)
        return refuse(r, 1, "found %d cells, expected %d", count,
                      r->column_count);
    if (out->count > 0 && !(row->time_s > row[-1].time_s))
        return refuse(r, 1, "found time %g after %g, expected a later one",
                      row->time_s, row[-1].time_s);
    out->count++;
    return 0;
}

static int
has_time(const struct reading *r)
{
    int i;

    for (i = 0; i < r->column_count; i++)
        if (known[r->columns[i]].what == TIME)
            return 1;
    return 0;
}

int
fly_trace_read(struct fly_trace *out, const char *path, char *why,
               size_t why_bytes)
{
    struct reading r = {.path = path, .why = why, .why_bytes = why_bytes};
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    int err = 0;

    memset(out, 0, sizeof(*out));
    if (file == NULL) {
        err = -errno;
        snprintf(why, why_bytes, "cannot read the trace %s: %s", path,
                 strerror(-err));
        return err;
    }
    while (err == 0 && fgets(line, sizeof(line), file) != NULL) {
        r.line++;
        if (strlen(line) == sizeof(line) - 1)
            err = refuse(&r, 1,
                         "found a line of %d bytes or more, expected "
                         "fewer",
                         LINE_BYTES - 1);
        line[strcspn(line, "\r\n")] = '\0';
        if (err == 0 && line[0] != '\0' && line[0] != '#')
            err = read_line(&r, line, out);
    }
    fclose(file);
    if (err == 0 && (out->count == 0 || !has_time(&r)))
        err = refuse(&r, 1,
                     "found no %s, expected a header with time_s and at "
                     "least one row",
                     has_time(&r) ? "row" : "column time_s");
    return err;
}

void
fly_trace_sample(const struct fly_trace *t, double time_s, double tick_s,
                 struct hp_input *out)
{
    const struct fly_trace_row *a, *b;
    size_t row = 0;
    double share;
    int i;

    memset(out, 0, sizeof(*out));
    while (row + 1 < t->count && t->rows[row + 1].time_s <= time_s)
        row++;
    a = &t->rows[row];
    b = row + 1 < t->count ? a + 1 : a;
    share = a == b ? 0 : (time_s - a->time_s) / (b->time_s - a->time_s);
    share = motion_clamp(share, 0, 1);
    for (i = 0; i < FLY_TRACE_AXES; i++)
        out->axes[i] = (int16_t)motion_floor(
            (a->axes[i] + (b->axes[i] - a->axes[i]) * share) * AXIS_FULL + 0.5);
    out->buttons = a->buttons;
    while (row > 0 && t->rows[row].time_s > time_s - tick_s)
        out->buttons |= t->rows[--row].buttons;
}
