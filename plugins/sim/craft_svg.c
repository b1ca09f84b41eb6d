#include "craft_svg.h"

#include "units.h"
#include <math.h>

#define WIDTH       960
#define HEIGHT      1260
#define POINTS_MAX  (2 * CRAFT_ROWS_MAX + CRAFT_SPEEDS_MAX)
#define TICKS_ABOUT 6

/* A diagram's place on the page, and what its axes span. */
struct plot {
    double left, top, width, height; /* pixels */
    double x_min, x_max, y_min, y_max;
};

struct line {
    double x[POINTS_MAX], y[POINTS_MAX];
    int count;
};

/* Colours that stay apart for colour-blind eyes (Okabe & Ito) and differ in
 * lightness too; the dashes hold where there is no colour at all. */
struct style {
    const char *colour, *dash;
    double width;
};
static const struct style strong = {"#000000", "none", 2.2};
static const struct style first = {"#d55e00", "none", 2};
static const struct style second = {"#0072b2", "7 4", 2};
static const struct style edge = {"#555555", "2 4", 1.6};
static const struct style faint = {"#bbbbbb", "none", 0.8};

static void
text(FILE *to, double x, double y, const char *anchor, const char *extra,
     const char *words)
{
    const char *c;

    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y,
            anchor, extra);
    for (c = words; *c != '\0'; c++)
        switch (*c) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        default:
            fputc(*c, to);
        }
    fputs("</text>\n", to);
}

static double
x_of(const struct plot *p, double x)
{
    return p->left + (x - p->x_min) / (p->x_max - p->x_min) * p->width;
}

static double
y_of(const struct plot *p, double y)
{
    return p->top + p->height -
           (y - p->y_min) / (p->y_max - p->y_min) * p->height;
}

/* 1, 2 or 5 times a power of ten, so that about six fit. */
static double
tick_step(double span)
{
    double raw = span / TICKS_ABOUT, power = pow(10, floor(log10(raw)));
    double share = raw / power;

    return power * (share > 5 ? 10 : share > 2 ? 5 : share > 1 ? 2 : 1);
}

/* Widens a range to whole ticks. */
static void
round_range(double *low, double *high)
{
    double step;

    if (*high - *low < 1e-3)
        *high = *low + 1;
    step = tick_step(*high - *low);
    *low = floor(*low / step + 1e-9) * step;
    *high = ceil(*high / step - 1e-9) * step;
}

static void
axes(FILE *to, const struct plot *p, const char *title, const char *x_label,
     const char *y_label)
{
    double step = tick_step(p->x_max - p->x_min), at;
    char words[40], turn[80];

    text(to, p->left, p->top - 12, "start", " class=\"title\"", title);
    for (at = p->x_min; at <= p->x_max + step / 1e3; at += step) {
        fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n",
                x_of(p, at), p->top, p->top + p->height);
        snprintf(words, sizeof(words), "%.4g", fabs(at) < step / 1e3 ? 0 : at);
        text(to, x_of(p, at), p->top + p->height + 16, "middle", "", words);
    }
    step = tick_step(p->y_max - p->y_min);
    for (at = p->y_min; at <= p->y_max + step / 1e3; at += step) {
        fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", p->left,
                y_of(p, at), p->left + p->width);
        snprintf(words, sizeof(words), "%.6g", fabs(at) < step / 1e3 ? 0 : at);
        text(to, p->left - 7, y_of(p, at) + 4, "end", "", words);
    }
    fprintf(to,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "class=\"frame\"/>\n",
            p->left, p->top, p->width, p->height);
    text(to, p->left + p->width / 2, p->top + p->height + 34, "middle", "",
         x_label);
    snprintf(turn, sizeof(turn), " transform=\"rotate(-90 %.1f %.1f)\"",
             p->left - 46, p->top + p->height / 2);
    text(to, p->left - 46, p->top + p->height / 2, "middle", turn, y_label);
}

static void
add(struct line *l, double x, double y)
{
    if (l->count == POINTS_MAX)
        return;
    l->x[l->count] = x;
    l->y[l->count++] = y;
}

static void
draw(FILE *to, const struct plot *p, const struct line *l,
     const struct style *s)
{
    int i;

    if (l->count < 2)
        return;
    fprintf(to,
            "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" "
            "stroke-dasharray=\"%s\" points=\"",
            s->colour, s->width, s->dash);
    for (i = 0; i < l->count; i++)
        fprintf(to, "%.1f,%.1f ", x_of(p, l->x[i]), y_of(p, l->y[i]));
    fputs("\"/>\n", to);
}

/* A label beside a point of a line, in the line's colour, on a white edge. */
static void
label(FILE *to, const struct plot *p, double x, double y, double right,
      double up, const struct style *s, const char *words)
{
    char extra[120];

    snprintf(extra, sizeof(extra), " class=\"label\" style=\"fill:%s\"",
             s->colour);
    text(to, x_of(p, x) + right, y_of(p, y) - up, right < 0 ? "end" : "start",
         extra, words);
}

/* ---- the envelope ---- */

/* Up the slow side and down the fast one. */
static void
boundary(const struct craft_card *card, int rating, struct line *out)
{
    int i;

    out->count = 0;
    for (i = 0; i < card->row_count; i++)
        if (card->rows[i].bands[rating].fast_mps > 0)
            add(out, card->rows[i].bands[rating].slow_mps,
                card->rows[i].height_m);
    for (i = card->row_count - 1; i >= 0; i--)
        if (card->rows[i].bands[rating].fast_mps > 0)
            add(out, card->rows[i].bands[rating].fast_mps,
                card->rows[i].height_m);
}

/* Where the file ends before the thrust does. */
static void
capped(const struct craft_card *card, struct line *out)
{
    int i;

    out->count = 0;
    for (i = 0; i < card->row_count; i++)
        if (card->rows[i].bands[CRAFT_FULL].capped)
            add(out, card->rows[i].bands[CRAFT_FULL].fast_mps,
                card->rows[i].height_m);
}

static void
envelope(FILE *to, const struct craft_card *card)
{
    struct plot p = {90, 90, 830, 360, 0, 1, 0, 1};
    struct line l = {.count = 0};
    const struct craft_row *middle = &card->rows[card->row_count / 2];
    int i;

    for (i = 0; i < card->row_count; i++) {
        const struct craft_row *row = &card->rows[i];
        double fast = row->bands[CRAFT_FULL].fast_mps;

        p.x_max = fast > p.x_max ? fast : p.x_max;
        p.y_max = row->height_m > p.y_max ? row->height_m : p.y_max;
        add(&l, row->stall_mps, row->height_m);
    }
    p.x_max *= 1.12; /* for the labels */
    p.y_max *= 1.05;
    round_range(&p.x_min, &p.x_max);
    round_range(&p.y_min, &p.y_max);
    axes(to, &p, "Level flight", "speed, m/s", "height, m");
    draw(to, &p, &l, &strong);
    label(to, &p, fmin(middle->stall_mps, middle->bands[CRAFT_FULL].slow_mps),
          middle->height_m, -8, 0, &strong, "stall, 1 g");
    if (card->ratings == 2) {
        boundary(card, CRAFT_MILITARY, &l);
        draw(to, &p, &l, &second);
        label(to, &p, (middle->stall_mps + p.x_max) / 2.4,
              card->ceiling_m[CRAFT_MILITARY] * 0.8, 0, 0, &second,
              "inside: military power");
    }
    boundary(card, CRAFT_FULL, &l);
    draw(to, &p, &l, &first);
    label(to, &p, (middle->stall_mps + p.x_max) / 2.4,
          card->ceiling_m[CRAFT_FULL], 0, 8, &first, "inside: full power");
    capped(card, &l);
    for (i = 0; i < l.count; i++)
        l.x[i] += (p.x_max - p.x_min) * 0.008;
    draw(to, &p, &l, &edge);
    if (l.count > 1)
        label(to, &p, l.x[0], middle->height_m * 0.4, 8, 0, &edge,
              "limit of the file");
}

/* ---- turns ---- */

static void
load_lines(FILE *to, const struct plot *p, double g_max)
{
    static const double loads[] = {1.5, 2, 3, 4, 5, 7, 9};
    double before = -100;
    char words[20];
    size_t i;
    int k;

    for (i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
        struct line l = {.count = 0};
        double pull =
            GRAVITY_MPS2 * sqrt(loads[i] * loads[i] - 1) * DEG_PER_RAD;

        if (loads[i] > g_max + 1e-6)
            break;
        for (k = 0; k <= 40; k++) {
            double x = p->x_min + (p->x_max - p->x_min) * k / 40;

            if (x > 0 && pull / x <= p->y_max)
                add(&l, x, pull / x);
        }
        if (l.count < 2)
            continue;
        draw(to, p, &l, &faint);
        if (fabs(y_of(p, l.y[l.count - 1]) - before) < 13)
            continue; /* labels would lie on each other */
        before = y_of(p, l.y[l.count - 1]);
        snprintf(words, sizeof(words), "%g g", loads[i]);
        label(to, p, l.x[l.count - 1], l.y[l.count - 1], -3, 3, &edge, words);
    }
}

static void
turns(FILE *to, const struct craft_card *card, const struct craft_layer *layer,
      double left, double g_max)
{
    struct plot p = {left, 540, 380, 290, 0, 1, 0, 1};
    struct line most = {.count = 0}, sustained[CRAFT_RATINGS];
    int i, k, top = 0;
    char title[80];

    sustained[0].count = sustained[1].count = 0;
    for (i = 0; i < layer->turn_count; i++) {
        const struct craft_turn *t = &layer->turns[i];

        p.x_max = t->speed_mps > p.x_max ? t->speed_mps : p.x_max;
        p.y_max = t->instant_dps > p.y_max ? t->instant_dps : p.y_max;
        top = t->instant_dps > layer->turns[top].instant_dps ? i : top;
        add(&most, t->speed_mps, t->instant_dps);
        for (k = 0; k < CRAFT_RATINGS; k++)
            if (t->sustained_dps[k] > 0)
                add(&sustained[k], t->speed_mps, t->sustained_dps[k]);
    }
    p.y_max *= 1.1;
    round_range(&p.x_min, &p.x_max);
    round_range(&p.y_min, &p.y_max);
    snprintf(title, sizeof(title), "Turns at %.0f m", layer->height_m);
    axes(to, &p, title, "speed, m/s", "turn rate, deg/s");
    load_lines(to, &p, g_max);
    draw(to, &p, &most, &strong);
    if (layer->turn_count > 0)
        label(to, &p, most.x[top], most.y[top], 4, 6, &strong,
              "most, for a moment");
    if (card->ratings == 2) {
        draw(to, &p, &sustained[CRAFT_MILITARY], &second);
        label(to, &p, layer->best_turn_mps[CRAFT_MILITARY],
              layer->best_turn_dps[CRAFT_MILITARY], 6, -14, &second,
              "held, military");
    }
    draw(to, &p, &sustained[CRAFT_FULL], &first);
    label(to, &p, layer->best_turn_mps[CRAFT_FULL],
          layer->best_turn_dps[CRAFT_FULL], -6, card->ratings == 2 ? 8 : -14,
          &first, card->ratings == 2 ? "held, full" : "held, full power");
}

/* ---- trims ---- */

static double
trim_value(const struct craft_trim_row *row, int which)
{
    return which == 0   ? row->alpha_deg
           : which == 1 ? row->elevator_deg
                        : row->throttle * 100;
}

static void
trims(FILE *to, const struct craft_card *card, int which)
{
    static const char *const titles[] = {"Alpha in level flight",
                                         "Elevator in level flight",
                                         "Throttle in level flight"};
    static const char *const units[] = {
        "alpha, deg", "elevator, deg (+ nose down)", "throttle, %"};
    static const struct style *const styles[] = {&first, &second};
    struct plot p = {90.0 + which * 305, 930, 210, 250, 0, 1, 0, 0};
    struct line lines[CRAFT_LAYERS];
    char words[40];
    int i, k;

    for (i = 0; i < CRAFT_LAYERS; i++) {
        const struct craft_layer *layer = &card->layers[i];

        lines[i].count = 0;
        for (k = 0; k < layer->trim_count; k++) {
            double x = layer->trims[k].speed_mps;
            double y = trim_value(&layer->trims[k], which);

            add(&lines[i], x, y);
            p.x_max = x > p.x_max ? x : p.x_max;
            p.y_max = y > p.y_max ? y : p.y_max;
            p.y_min = y < p.y_min ? y : p.y_min;
        }
    }
    round_range(&p.x_min, &p.x_max);
    round_range(&p.y_min, &p.y_max);
    axes(to, &p, titles[which], "speed, m/s", units[which]);
    for (i = 0; i < CRAFT_LAYERS; i++) {
        draw(to, &p, &lines[i], styles[i]);
        if (lines[i].count == 0)
            continue;
        snprintf(words, sizeof(words), "%.0f m", card->layers[i].height_m);
        k = lines[i].count * (i == 0 ? 1 : 2) / 5;
        label(to, &p, lines[i].x[k], lines[i].y[k], i == 0 ? -6 : 8,
              which == 1 ? -10 : 6, styles[i], words);
    }
}

void
craft_svg(const struct craft_card *card, double g_max, FILE *to)
{
    char words[160];
    int i;

    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
            "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
            "<style>text{font:12px sans-serif;fill:#222} "
            ".title{font-weight:bold;font-size:14px} "
            ".label{font-size:12px;font-weight:bold;paint-order:stroke;"
            "stroke:#fff;stroke-width:3px} "
            ".grid{stroke:#e6e6e6;stroke-width:1} "
            ".frame{fill:none;stroke:#444}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    text(to, 30, 32, "start", " style=\"font-size:18px;font-weight:bold\"",
         card->title[0] != '\0' ? card->title : card->name);
    snprintf(words, sizeof(words),
             "%s: %.0f kg with half its fuel, gear up, calm air of the US "
             "standard",
             card->name, card->mass_kg);
    text(to, 30, 52, "start", "", words);
    if (card->flies) {
        envelope(to, card);
        for (i = 0; i < CRAFT_LAYERS; i++)
            turns(to, card, &card->layers[i], 90 + i * 450, g_max);
        for (i = 0; i < 3; i++)
            trims(to, card, i);
    } else {
        text(to, 30, 90, "start", "",
             "It has no level flight under its own power.");
    }
    fputs("</svg>\n", to);
}
