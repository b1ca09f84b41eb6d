/* Level 2 beyond the loader: are the tables' cells and ends plausible? */
#include "craft_check.h"

#include <math.h>

/* A cell that stands out by this share of its table's range on every axis, */
#define STANDS_OUT 0.80
/* or by this one when a point shifted by one fits this much better. */
#define STANDS_OUT_READ_AGAIN 0.50
#define FITS_BETTER           8.0

struct spread {
    double low, high;
};

static struct spread
spread_of(const struct aircraft_table *t)
{
    struct spread s = {t->cells[0], t->cells[0]};
    size_t i;

    for (i = 1; i < t->cell_count; i++) {
        s.low = t->cells[i] < s.low ? t->cells[i] : s.low;
        s.high = t->cells[i] > s.high ? t->cells[i] : s.high;
    }
    return s;
}

/* The distance of two neighbours along an axis. */
static size_t
stride_of(const struct aircraft_table *t, int axis)
{
    size_t stride = 1;
    int i;

    for (i = axis + 1; i < t->dimensions; i++)
        stride *= (size_t)t->axes[i].count;
    return stride;
}

/*
 * What an axis' neighbours would have a cell be: on the line between them, when
 * there is one on each side. The parabola of two more bends it where the table
 * bends. 0 at the axis' ends, where a table may do anything.
 */
static int
neighbours_say(const struct aircraft_table *t, int axis, size_t cell,
               double *low, double *high)
{
    const struct aircraft_axis *a = &t->axes[axis];
    size_t stride = stride_of(t, axis);
    int at = (int)(cell / stride % (size_t)a->count);
    double before, after, share;

    if (at == 0 || at == a->count - 1)
        return 0;
    before = t->cells[cell - stride];
    after = t->cells[cell + stride];
    share = (a->at[at] - a->at[at - 1]) / (a->at[at + 1] - a->at[at - 1]);
    *low = *high = before + (after - before) * share;
    /* A corner lies where the lines of either side, carried on, would be. */
    if (at >= 2) {
        double line = before + (before - t->cells[cell - 2 * stride]) *
                                   (a->at[at] - a->at[at - 1]) /
                                   (a->at[at - 1] - a->at[at - 2]);
        *low = line < *low ? line : *low;
        *high = line > *high ? line : *high;
    }
    if (at <= a->count - 3) {
        double line = after + (after - t->cells[cell + 2 * stride]) *
                                  (a->at[at + 1] - a->at[at]) /
                                  (a->at[at + 2] - a->at[at + 1]);
        *low = line < *low ? line : *low;
        *high = line > *high ? line : *high;
    }
    return 1;
}

/* How far a value lies out of what the neighbours say. */
static double
outside(double value, double low, double high)
{
    return value < low ? low - value : value > high ? value - high : 0;
}

struct slip {
    double apart;                  /* the least of all axes, in values */
    double wanted;                 /* what that axis' neighbours say */
    double reading, reading_apart; /* its digits with the point elsewhere */
};

static void
judge_reading(struct slip *s, double reading, double low, double high)
{
    double apart = outside(reading, low, high);

    if (apart < s->reading_apart) {
        s->reading_apart = apart;
        s->reading = reading;
    }
}

/* 0 when the cell has no neighbours on both sides of any axis. */
static int
judge_cell(const struct aircraft_table *t, size_t cell, struct slip *out)
{
    double value = t->cells[cell], low, high, apart;
    int axis, known = 0;

    out->apart = INFINITY;
    for (axis = 0; axis < t->dimensions; axis++) {
        if (!neighbours_say(t, axis, cell, &low, &high))
            continue;
        known = 1;
        apart = outside(value, low, high);
        if (apart >= out->apart)
            continue;
        out->apart = apart;
        out->wanted = (low + high) / 2;
        out->reading_apart = INFINITY;
        judge_reading(out, value * 10, low, high);
        judge_reading(out, value / 10, low, high);
    }
    return known;
}

/* A file of measured data has noisy tables; one note for each is enough. */
static void
check_cells(const struct aircraft_table *t, struct aircraft_problems *problems)
{
    struct spread all = spread_of(t);
    double range = all.high - all.low, score, worst_score = 0;
    struct slip slip, worst = {0};
    size_t i, worst_at = 0;
    int read_again, worst_again = 0;

    for (i = 0; i < t->cell_count && range > 0; i++) {
        if (!judge_cell(t, i, &slip))
            continue;
        read_again = slip.reading_apart * FITS_BETTER < slip.apart &&
                     slip.apart > STANDS_OUT_READ_AGAIN * range;
        score = slip.apart;
        if (score <= worst_score ||
            !(read_again || slip.apart > STANDS_OUT * range))
            continue;
        worst = slip;
        worst_score = score;
        worst_at = i;
        worst_again = read_again;
    }
    if (worst_score == 0)
        return;
    if (worst_again)
        aircraft_warning(problems, 2, t->places[worst_at],
                         "[table %s] data: found %g, expected about %.3g as "
                         "its neighbours have it; is it a slip of %g?",
                         t->name, t->cells[worst_at], worst.wanted,
                         worst.reading);
    else
        aircraft_warning(problems, 2, t->places[worst_at],
                         "[table %s] data: found %g, expected about %.3g as "
                         "its neighbours have it; compare it with the source",
                         t->name, t->cells[worst_at], worst.wanted);
}

/* ---- ends ---- */

static void
check_end(const struct aircraft_table *t, const struct aircraft_axis *a,
          double low, double high, const char *who,
          struct aircraft_problems *problems)
{
    double first = a->at[0], last = a->at[a->count - 1];
    int extends = t->edge == AIRCRAFT_EXTEND;
    double below = extends ? a->at[1] - first : 0.02 * (last - first);
    double above = extends ? last - a->at[a->count - 2] : 0.02 * (last - first);

    if (low < first - below)
        aircraft_warning(problems, 2, a->places[0],
                         "[table %s]: %s begins at %g, expected %g or less, "
                         "which %s reaches; add a breakpoint",
                         t->name, aircraft_quantity_name(a->quantity), first,
                         low, who);
    if (high > last + above)
        aircraft_warning(problems, 2, a->places[a->count - 1],
                         "[table %s]: %s ends at %g, expected %g or more, "
                         "which %s reaches; add a breakpoint",
                         t->name, aircraft_quantity_name(a->quantity), last,
                         high, who);
}

/* A surface moves as far as its travel; the tables should know it there. */
static void
check_axis(const struct aircraft_file *f, const struct aircraft_table *t,
           const struct aircraft_axis *a, struct aircraft_problems *problems)
{
    const struct aircraft_surface *s;

    switch (a->quantity) {
    case AIRCRAFT_ELEVATOR_DEG:
    case AIRCRAFT_AILERON_DEG:
    case AIRCRAFT_RUDDER_DEG:
        s = &f->surfaces[a->quantity - AIRCRAFT_ELEVATOR_DEG];
        if (s->heading.line > 0)
            check_end(t, a, s->min_deg, s->max_deg, "its travel", problems);
        break;
    case AIRCRAFT_ALPHA_DEG:
        if (f->control.law != AIRCRAFT_LAW_NONE)
            check_end(t, a, f->limit.alpha_min_deg, f->limit.alpha_max_deg,
                      "[limit] alpha", problems);
        break;
    case AIRCRAFT_ALTITUDE_M:
    case AIRCRAFT_ALTITUDE_FT:
        check_end(t, a, 0, 0, "a take-off", problems);
        break;
    case AIRCRAFT_MACH:
        check_end(t, a, 0, f->limit.mach_max, "[limit] mach_max", problems);
        break;
    case AIRCRAFT_FLAP_DEG:
        check_end(t, a, 0, f->flap.down_deg, "[flap] down_deg", problems);
        break;
    case AIRCRAFT_GEAR:
        check_end(t, a, 0, 1, "the gear", problems);
        break;
    case AIRCRAFT_ABS_BETA_DEG:
    case AIRCRAFT_ABS_ALPHA_DEG:
        check_end(t, a, 0, 0, "straight flight", problems);
        break;
    default:
        break;
    }
}

void
craft_check_tables(const struct aircraft_file *f,
                   struct aircraft_problems *problems)
{
    int i, k;

    for (i = 0; i < f->table_count; i++) {
        const struct aircraft_table *t = &f->tables[i];

        check_cells(t, problems);
        for (k = 0; k < t->dimensions && t->used; k++)
            check_axis(f, t, &t->axes[k], problems);
    }
}
