#include "chart.h"
#include "report.h"
#include "svg.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* As wide as a printed page of A4 is in pixels, so that print keeps the size
 * of the letters. */
enum {
    WIDTH = 760,
    LEFT = 20,
    RIGHT = 740,
    PLOT_LEFT = 184,
    PLOT_RIGHT = 556,
    P50_END = 626,
    P99_END = 688,
    HEAD_HEIGHT = 112,
    FILE_HEIGHT = 34,
    STAGE_TITLE_HEIGHT = 20,
    LANE_HEIGHT = 17,
    STAGE_FOOT_HEIGHT = 32
};

#define LABEL_CHARACTERS            18
#define LINE_CHARACTERS             96
#define DECADES_WITH_LABELS_BETWEEN 2.3
#define DECADES_WITH_LINES_BETWEEN  6
#define DECADE_LABELS_MAX           8
#define SAME                        1e-9 /* in decades */

struct chart {
    FILE *to;
    const struct report *reports;
    int count;
    size_t prefix; /* what all file names begin with */
    double y;      /* of the next thing */
};

/* In decades: powers of ten. */
struct axis {
    double low, high;
};

typedef void stage_visit(struct chart *c, const char *group, const char *name);

static const char *const figures[] = {"min", "p50", "p95", "p99", "max"};

#define FIGURES (sizeof(figures) / sizeof(figures[0]))

/* ---- names ---- */

static const char *
base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* The words, "2026-11-30-", that say nothing as every name begins so. */
static size_t
common_prefix(const struct report *reports, int count)
{
    const char *first = base_of(reports[0].path);
    size_t equal, prefix = 0;
    int i;

    for (equal = 0; count > 1 && first[equal] != '\0'; equal++) {
        for (i = 1; i < count; i++)
            if (base_of(reports[i].path)[equal] != first[equal])
                return prefix;
        if (first[equal] == '-')
            prefix = equal + 1;
    }
    return prefix;
}

/* The number tells two files apart whose names are cut to the same. */
static void
label_of(const struct chart *c, int i, char *out, size_t out_bytes)
{
    const char *name = base_of(c->reports[i].path) + c->prefix;
    const char *dot = strrchr(name, '.');
    size_t length = strlen(name);

    if (dot != NULL && dot != name && strcmp(dot, ".json") == 0)
        length = (size_t)(dot - name);
    snprintf(out, out_bytes, "%d %.*s", i + 1, (int)length, name);
}

static const char *
unit_of(const char *name)
{
    const char *end = strrchr(name, '_');

    if (end == NULL)
        return "";
    if (strcmp(end, "_us") == 0)
        return "\xc2\xb5s";
    if (strcmp(end, "_ms") == 0 || strcmp(end, "_ns") == 0 ||
        strcmp(end, "_s") == 0)
        return end + 1;
    return "";
}

/* ---- an axis ---- */

static double
floor_125(double decades)
{
    double whole = floor(decades + SAME), rest = decades - whole + SAME;

    if (rest >= log10(5))
        return whole + log10(5);
    return rest >= log10(2) ? whole + log10(2) : whole;
}

static double
ceil_125(double decades)
{
    double whole = floor(decades + SAME), rest = decades - whole - SAME;

    if (rest <= 0)
        return whole;
    if (rest <= log10(2))
        return whole + log10(2);
    return rest <= log10(5) ? whole + log10(5) : whole + 1;
}

/* What is not above zero has no place on it, and is drawn at its left end. */
static void
axis_fit(struct axis *axis, const struct chart *c, const char *group,
         const char *name)
{
    double low = INFINITY, high = -INFINITY, value;
    size_t k;
    int i;

    for (i = 0; i < c->count; i++)
        for (k = 0; k < FIGURES; k++) {
            value = report_figure(&c->reports[i], group, name, figures[k]);
            if (!(value > 0))
                continue;
            low = fmin(low, log10(value));
            high = fmax(high, log10(value));
        }
    axis->low = isfinite(low) ? floor_125(low) : 0;
    axis->high = isfinite(high) ? ceil_125(high) : 1;
    /* A mark at an end would hide the end; a single value has no width. */
    if (axis->high - axis->low < 0.5) {
        axis->low = floor_125(axis->low - 0.2);
        axis->high = ceil_125(axis->high + 0.2);
    }
}

static double
axis_x(const struct axis *axis, double decades)
{
    return PLOT_LEFT + (PLOT_RIGHT - PLOT_LEFT) * (decades - axis->low) /
                           (axis->high - axis->low);
}

static double
axis_x_of(const struct axis *axis, double value)
{
    return value > 0 ? axis_x(axis, log10(value)) : PLOT_LEFT;
}

static void
draw_mark(struct chart *c, const struct axis *axis, int decade, int digit,
          int with_label, double height)
{
    double decades = decade + log10(digit);
    double x = axis_x(axis, decades);
    char text[32];

    if (decades < axis->low - SAME || decades > axis->high + SAME)
        return;
    svg_line(c->to, x, c->y, x, c->y + height, "grid");
    if (!with_label)
        return;
    svg_line(c->to, x, c->y + height, x, c->y + height + 4, "axis");
    snprintf(text, sizeof(text), "%g", digit * pow(10, decade));
    svg_text(c->to, x, c->y + height + 15, "axis middle", 8, text);
}

static void
draw_axis(struct chart *c, const struct axis *axis, double height)
{
    double span = axis->high - axis->low;
    int every = 1 + (int)(span / DECADE_LABELS_MAX);
    int decade, digit;

    for (decade = (int)floor(axis->low); decade <= axis->high + SAME;
         decade++) {
        if (decade % every != 0)
            continue;
        draw_mark(c, axis, decade, 1, 1, height);
        for (digit = 2; digit < 10 && span <= DECADES_WITH_LINES_BETWEEN;
             digit++)
            draw_mark(c, axis, decade, digit,
                      span <= DECADES_WITH_LABELS_BETWEEN &&
                          (digit == 2 || digit == 5),
                      height);
    }
    svg_line(c->to, PLOT_LEFT, c->y + height, PLOT_RIGHT, c->y + height,
             "axis");
}

/* ---- a stage ---- */

/* Its place, or where its neighbour stands when a report does not have it. */
static double
place(const struct axis *axis, double value, double neighbour)
{
    return isnan(value) ? neighbour : axis_x_of(axis, value);
}

static void
draw_lane(struct chart *c, const struct axis *axis, const char *group,
          const char *name, int i)
{
    const struct report *r = &c->reports[i];
    double p50 = report_figure(r, group, name, "p50");
    double p99 = report_figure(r, group, name, "p99");
    struct svg_box box = {.y = c->y + LANE_HEIGHT / 2.0};
    double baseline = box.y + 4;
    char text[512];

    label_of(c, i, text, sizeof(text));
    svg_text(c->to, LEFT, baseline, "lane", LABEL_CHARACTERS + 2, text);
    if (isnan(p50)) {
        svg_text(c->to, P99_END, baseline, "end", 20, "not measured");
        return;
    }
    box.p50 = axis_x_of(axis, p50);
    box.min = place(axis, report_figure(r, group, name, "min"), box.p50);
    box.p95 = place(axis, report_figure(r, group, name, "p95"), box.p50);
    box.p99 = place(axis, p99, box.p95);
    box.max = place(axis, report_figure(r, group, name, "max"), box.p99);
    svg_box(c->to, &box, i);
    report_number(p50, text, sizeof(text));
    svg_text(c->to, P50_END, baseline, "figure end", 10, text);
    report_number(p99, text, sizeof(text));
    svg_text(c->to, P99_END, baseline, "figure end", 10, text);
    snprintf(text, sizeof(text), "%.0f", report_figure(r, group, name, "n"));
    svg_text(c->to, RIGHT, baseline, "figure end", 8, text);
}

static void
draw_stage(struct chart *c, const char *group, const char *name)
{
    const char *unit = unit_of(name);
    char text[256];
    struct axis axis;
    int i;

    snprintf(text, sizeof(text), "%s%s%s%s",
             strcmp(group, "floor") == 0 ? "floor: " : "", name,
             *unit == '\0' ? "" : ", in ", unit);
    svg_text(c->to, LEFT, c->y + 13, "stage", 60, text);
    snprintf(text, sizeof(text), "p50%s%s", *unit == '\0' ? "" : ", ", unit);
    svg_text(c->to, P50_END, c->y + 13, "end", 10, text);
    snprintf(text, sizeof(text), "p99%s%s", *unit == '\0' ? "" : ", ", unit);
    svg_text(c->to, P99_END, c->y + 13, "end", 10, text);
    svg_text(c->to, RIGHT, c->y + 13, "end", 10, "n");
    c->y += STAGE_TITLE_HEIGHT;
    axis_fit(&axis, c, group, name);
    draw_axis(c, &axis, c->count * LANE_HEIGHT);
    for (i = 0; i < c->count; i++) {
        draw_lane(c, &axis, group, name, i);
        c->y += LANE_HEIGHT;
    }
    c->y += STAGE_FOOT_HEIGHT;
}

/* ---- the page ---- */

static void
draw_how_to_read(struct chart *c)
{
    const struct svg_box box = {200, 270, 400, 460, 540, 62};
    const double at[FIGURES] = {box.min, box.p50, box.p95, box.p99, box.max};
    size_t k;

    svg_text(c->to, LEFT, 66, "lane", 30, "How to read a row:");
    svg_box(c->to, &box, 0);
    for (k = 0; k < FIGURES; k++)
        svg_text(c->to, at[k], 84, "axis middle", 10, figures[k]);
    svg_text(c->to, RIGHT, 66, "end", 40, "All axes are logarithmic.");
}

static void
draw_file(struct chart *c, int i)
{
    static const struct {
        const char *before, *dotted;
    } parts[] = {
        {"",             "date"              },
        {", service ",   "setup.service"     },
        {", phase ",     "setup.phase"       },
        {", tick rate ", "setup.tick_rate_hz"},
        {", scheduler ", "setup.scheduler"   },
        {", ",           "setup.cpu"         },
    };
    const struct report *r = &c->reports[i];
    struct svg_box box = {LEFT, LEFT + 12, LEFT + 40, LEFT + 54, LEFT + 70, 0};
    char text[1024], part[256];
    size_t k, used = 0;

    box.y = c->y + 8;
    svg_box(c->to, &box, i);
    snprintf(text, sizeof(text), "%d %s", i + 1, r->path);
    svg_text(c->to, LEFT + 84, c->y + 12, "file", 80, text);
    for (k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
        report_text(r, parts[k].dotted, part, sizeof(part));
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.120s",
                                 parts[k].before, part);
    }
    svg_text(c->to, LEFT + 84, c->y + 26, "lane", LINE_CHARACTERS, text);
    c->y += FILE_HEIGHT;
}

static void
count_stage(struct chart *c, const char *group, const char *name)
{
    (void)group;
    (void)name;
    c->y += STAGE_TITLE_HEIGHT + c->count * LANE_HEIGHT + STAGE_FOOT_HEIGHT;
}

static void
visit_group(struct chart *c, const char *group, stage_visit *visit)
{
    const char *name;
    json_t *distribution;
    int i;

    for (i = 0; i < c->count; i++)
        json_object_foreach(report_group(&c->reports[i], group), name,
                            distribution)
        {
            if (!report_any_has(c->reports, i, group, name))
                visit(c, group, name);
        }
}

static int
height_of(struct chart *c)
{
    c->y = HEAD_HEIGHT + c->count * FILE_HEIGHT + 8;
    visit_group(c, "stages", count_stage);
    visit_group(c, "floor", count_stage);
    return (int)c->y;
}

static void
draw(struct chart *c)
{
    static const char title[] = "Hardpoint: how late each stage is";
    int i;

    svg_begin(c->to, WIDTH, height_of(c), title);
    svg_hatches(c->to, c->count);
    svg_text(c->to, LEFT, 34, "title", 60, title);
    draw_how_to_read(c);
    c->y = HEAD_HEIGHT - 6;
    for (i = 0; i < c->count; i++)
        draw_file(c, i);
    c->y = HEAD_HEIGHT + c->count * FILE_HEIGHT + 8;
    visit_group(c, "stages", draw_stage);
    visit_group(c, "floor", draw_stage);
    svg_end(c->to);
}

int
chart_write(const char *path, const struct report *reports, int count)
{
    struct chart c = {.reports = reports, .count = count};
    int err = 0;

    c.to = fopen(path, "w");
    if (c.to == NULL)
        return -errno;
    c.prefix = common_prefix(reports, count);
    draw(&c);
    /* The reason, while errno still tells it: a full disk, say. */
    if (fflush(c.to) != 0)
        err = -errno;
    else if (ferror(c.to))
        err = -EIO;
    if (fclose(c.to) != 0 && err == 0)
        err = -errno;
    return err;
}
