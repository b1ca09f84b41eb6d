#include "aero.h"

#include <errno.h>
#include <math.h>
#include <motion/math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(AERO_TARGETS_MAX == 8, "clear does as many");

/* ---- the step's part ---- */

struct place {
    int low;
    double share;
};

static inline struct place
place_on(const struct aero_axis *a, double value)
{
    struct place p;
    double at;

    /* So written that a NaN has a place: the step's end will find it. */
    if (a->uniform) {
        at = (value - a->first) * a->per_step;
        p.low = at > 0 ? at < a->last ? (int)at : a->last : 0;
        p.share = at - p.low;
    } else {
        for (p.low = 0; p.low < a->last && value >= a->at[p.low + 1]; p.low++)
            ;
        p.share = (value - a->at[p.low]) * a->per_cell[p.low];
    }
    p.share = motion_clamp(p.share, a->share_low, a->share_high);
    return p;
}

static inline aero_pair
between(aero_pair low, aero_pair high, double share)
{
    aero_pair s = {share, share};

    return low + (high - low) * s;
}

/* Adds a pair of cells times a factor to its pair of sums. */
static inline void
take(aero_pair *sums, const struct aero_item *item, const double *values,
     aero_pair cells)
{
    double factor = values[item->factor];
    aero_pair f = {factor, factor};

    sums[item->sums] += cells * f;
}

static inline void
take_constants(const struct aero_group *g, const struct aero_item *items,
               const double *values, aero_pair *sums)
{
    int i;

    for (i = 0; i < g->items; i++)
        take(sums, &items[i], values, g->cells[i]);
}

static inline void
take_line(const struct aero_group *g, const struct aero_item *items,
          const struct place *p, const double *values, aero_pair *sums)
{
    const aero_pair *low = g->cells + p[g->axis[0]].low * g->stride[0];
    const aero_pair *high = low + g->stride[0];
    double share = p[g->axis[0]].share;
    int i;

    for (i = 0; i < g->items; i++)
        take(sums, &items[i], values, between(low[i], high[i], share));
}

static inline void
take_plane(const struct aero_group *g, const struct aero_item *items,
           const struct place *p, const double *values, aero_pair *sums)
{
    struct place row = p[g->axis[0]], col = p[g->axis[1]];
    int next = g->stride[1];
    const aero_pair *low = g->cells + row.low * g->stride[0] + col.low * next;
    const aero_pair *high = low + g->stride[0];
    int i;

    for (i = 0; i < g->items; i++)
        take(sums, &items[i], values,
             between(between(low[i], low[i + next], col.share),
                     between(high[i], high[i + next], col.share), row.share));
}

static aero_pair
on_page(const aero_pair *low, const struct aero_group *g, struct place row,
        struct place col)
{
    const aero_pair *high = low + g->stride[1];
    int next = g->stride[2];

    return between(between(low[0], low[next], col.share),
                   between(high[0], high[next], col.share), row.share);
}

static void
take_space(const struct aero_group *g, const struct aero_item *items,
           const struct place *p, const double *values, aero_pair *sums)
{
    struct place page = p[g->axis[0]], row = p[g->axis[1]], col = p[g->axis[2]];
    const aero_pair *at = g->cells + page.low * g->stride[0] +
                          row.low * g->stride[1] + col.low * g->stride[2];
    int i;

    for (i = 0; i < g->items; i++)
        take(sums, &items[i], values,
             between(on_page(at + i, g, row, col),
                     on_page(at + i + g->stride[0], g, row, col), page.share));
}

/* One by one: for so little memset costs more. */
static inline void
clear(aero_pair sums[AERO_TARGETS_MAX])
{
    const aero_pair zero = {0, 0};

    sums[0] = zero;
    sums[1] = zero;
    sums[2] = zero;
    sums[3] = zero;
    sums[4] = zero;
    sums[5] = zero;
    sums[6] = zero;
    sums[7] = zero;
}

void
aero_run_here(const struct aero_program *p, double *values, double *targets)
{
    /* Each sum twice: neighbours in the program need not wait for each other. */
    union {
        aero_pair pairs[AERO_TARGETS_MAX];
        double each[2 * AERO_TARGETS_MAX];
    } sums;
    struct place places[AERO_AXES_MAX];
    const struct aero_group *g = p->groups, *end = g + p->group_count;
    double *products = values + AERO_ONE + 1;
    int i;

    values[AERO_ONE] = 1;
    for (i = 0; i < p->product_count; i++)
        products[i] =
            values[p->products[i].of] * values[p->products[i].quantity];
    for (i = 0; i < p->axis_count; i++)
        places[i] = place_on(&p->axes[i], values[p->axes[i].quantity]);
    clear(sums.pairs);
    for (; g < end; g++) {
        const struct aero_item *items = p->items + g->first_item;

        if (g->dimensions == 2)
            take_plane(g, items, places, values, sums.pairs);
        else if (g->dimensions == 1)
            take_line(g, items, places, values, sums.pairs);
        else if (g->dimensions == 0)
            take_constants(g, items, values, sums.pairs);
        else
            take_space(g, items, places, values, sums.pairs);
    }
    for (i = 0; i < p->targets; i++)
        targets[i] =
            sums.each[p->sums[i]] + sums.each[p->sums[i] + AERO_TARGETS_MAX];
}

void
aero_run(const struct aero_program *p, const double *values, double *targets)
{
    double room[AERO_VALUES];

    memcpy(room, values, AIRCRAFT_QUANTITIES * sizeof(*values));
    aero_run_here(p, room, targets);
}

/* ---- making it ---- */

struct making {
    struct aero_program *p;
    const struct aero_term *terms;
    int count;
    int group_of[AIRCRAFT_TERMS_MAX];
    int item_of[AIRCRAFT_TERMS_MAX]; /* within the group */
    struct aero_item items[AERO_GROUPS_MAX + 1][AERO_ITEMS_MAX];
    const struct aircraft_axis *axes[AERO_AXES_MAX];
    int edges[AERO_AXES_MAX];
};

/* The place of a product among the values, found or made; -E2BIG. */
static int
product_place(struct aero_program *p, const int *quantities, int count)
{
    int at = count == 0 ? AERO_ONE : quantities[0], i, k;

    for (i = 1; i < count; i++) {
        for (k = 0; k < p->product_count; k++)
            if (p->products[k].of == at &&
                p->products[k].quantity == quantities[i])
                break;
        if (k == AERO_PRODUCTS_MAX)
            return -E2BIG;
        if (k == p->product_count) {
            p->products[k].of = (uint8_t)at;
            p->products[k].quantity = (uint8_t)quantities[i];
            p->product_count++;
        }
        at = AERO_ONE + 1 + k;
    }
    return at;
}

static int
same_axis(const struct aircraft_axis *a, const struct aircraft_axis *b)
{
    return a->quantity == b->quantity && a->count == b->count &&
           memcmp(a->at, b->at, sizeof(double) * (size_t)a->count) == 0;
}

/* The place of an axis, found or noted; -E2BIG. */
static int
axis_place(struct making *m, const struct aircraft_axis *a, int edge)
{
    int i;

    for (i = 0; i < m->p->axis_count; i++)
        if (m->edges[i] == edge && same_axis(m->axes[i], a))
            return i;
    if (i == AERO_AXES_MAX)
        return -E2BIG;
    m->axes[i] = a;
    m->edges[i] = edge;
    m->p->axis_count++;
    return i;
}

/* The place of the group over a table's axes, found or made; -E2BIG. */
static int
group_place(struct making *m, const struct aircraft_table *t)
{
    int dimensions = t == NULL ? 0 : t->dimensions;
    struct aero_group *g;
    int axes[AIRCRAFT_AXES_MAX] = {0}, i, k;

    for (k = 0; k < dimensions; k++) {
        axes[k] = axis_place(m, &t->axes[k], t->edge);
        if (axes[k] < 0)
            return -E2BIG;
    }
    for (i = 0; i < m->p->group_count; i++) {
        g = &m->p->groups[i];
        if (g->dimensions == dimensions &&
            memcmp(g->axis, axes, sizeof(axes)) == 0)
            return i;
    }
    if (i == AERO_GROUPS_MAX + 1)
        return -E2BIG;
    g = &m->p->groups[i];
    g->dimensions = dimensions;
    memcpy(g->axis, axes, sizeof(axes));
    m->p->group_count++;
    return i;
}

/* The item of its group that a term goes into, found or made. */
static int
item_place(struct making *m, int group, uint8_t sums, uint8_t factor)
{
    struct aero_group *g = &m->p->groups[group];
    struct aero_item *items = m->items[group];
    int i;

    for (i = 0; i < g->items; i++)
        if (items[i].sums == sums && items[i].factor == factor)
            return i;
    items[i] = (struct aero_item){sums, factor};
    g->items++;
    return i;
}

/* Gives each term its place. */
static int
gather(struct making *m)
{
    int i, factor, group;

    for (i = 0; i < m->count; i++) {
        const struct aero_term *t = &m->terms[i];

        factor = product_place(m->p, t->quantities, t->quantity_count);
        group = factor < 0 ? -E2BIG : group_place(m, t->table);
        if (group < 0)
            return -E2BIG;
        m->group_of[i] = group;
        m->item_of[i] =
            item_place(m, group, m->p->sums[t->target] / 2, (uint8_t)factor);
    }
    return 0;
}

/* How many doubles the breakpoints and cells need; lays the groups out. */
static size_t
lay_out(struct making *m)
{
    struct aero_program *p = m->p;
    size_t cells, sum = 0;
    int seen[AERO_TARGETS_MAX / 2] = {0}, i, k;

    for (i = 0; i < p->group_count; i++) {
        struct aero_group *g = &p->groups[i];

        for (k = 0; k < g->items; k++)
            if (seen[m->items[i][k].sums]++ & 1)
                m->items[i][k].sums += AERO_TARGETS_MAX / 2;

        g->first_item = p->item_count;
        memcpy(p->items + g->first_item, m->items[i],
               (size_t)g->items * sizeof(p->items[0]));
        p->item_count += g->items;
        cells = (size_t)g->items;
        for (k = g->dimensions - 1; k >= 0; k--) {
            g->stride[k] = (int)cells;
            cells *= (size_t)m->axes[g->axis[k]]->count;
        }
        sum += cells * 2;
    }
    for (i = 0; i < p->axis_count; i++)
        sum += 2 * (size_t)m->axes[i]->count;
    return sum;
}

static int
evenly_spaced(const struct aircraft_axis *a)
{
    double width = a->at[a->count - 1] - a->at[0], off;
    int i;

    for (i = 1; i < a->count; i++) {
        off = a->at[i] - (a->at[0] + width * i / (a->count - 1));
        if (fabs(off) > 1e-12 * width)
            return 0;
    }
    return 1;
}

/* Writes an axis, its numbers to `at`. Returns where they end. */
static double *
write_axis(struct aero_axis *out, const struct aircraft_axis *a, int edge,
           double *at)
{
    double *per_cell = at + a->count;
    int i;

    out->quantity = a->quantity;
    out->last = a->count - 2;
    out->uniform = evenly_spaced(a);
    out->first = a->at[0];
    out->per_step = (a->count - 1) / (a->at[a->count - 1] - a->at[0]);
    /* A cell that goes on does so for its own width: no runaway. */
    out->share_low = edge == AIRCRAFT_EXTEND ? -1 : 0;
    out->share_high = edge == AIRCRAFT_EXTEND ? 2 : 1;
    for (i = 0; i < a->count; i++) {
        at[i] = a->at[i];
        per_cell[i] = i < a->count - 1 ? 1 / (a->at[i + 1] - a->at[i]) : 0;
    }
    out->at = at;
    out->per_cell = per_cell;
    return per_cell + a->count;
}

/* A term's cells into one side of its item's pairs. Terms that say the same of
 * one target add up. */
static void
write_term(struct making *m, int index, double *cells)
{
    const struct aero_term *t = &m->terms[index];
    size_t width = 2 * (size_t)m->p->groups[m->group_of[index]].items;
    size_t count = t->table == NULL ? 1 : t->table->cell_count, i;
    double *at = cells + 2 * m->item_of[index] + (m->p->sums[t->target] & 1);

    for (i = 0; i < count; i++)
        at[i * width] +=
            t->factor * (t->table == NULL ? 1 : t->table->cells[i]);
}

static void
write_all(struct making *m, double *at)
{
    struct aero_program *p = m->p;
    size_t cells;
    int k, g, i;

    for (g = 0; g < p->group_count; g++) {
        p->groups[g].cells = (const aero_pair *)(const void *)at;
        for (i = 0; i < m->count; i++)
            if (m->group_of[i] == g)
                write_term(m, i, at);
        cells = (size_t)p->groups[g].items;
        for (k = 0; k < p->groups[g].dimensions; k++)
            cells *= (size_t)m->axes[p->groups[g].axis[k]]->count;
        at += 2 * cells;
    }
    for (k = 0; k < p->axis_count; k++)
        at = write_axis(&p->axes[k], m->axes[k], m->edges[k], at);
}

int
aero_compile(struct aero_program *out, const struct aero_term *terms, int count,
             int targets, const uint8_t *order)
{
    struct making *m;
    size_t bytes;
    int err = -E2BIG;

    memset(out, 0, sizeof(*out));
    if (count > AIRCRAFT_TERMS_MAX || targets > AERO_TARGETS_MAX)
        return -E2BIG;
    m = calloc(1, sizeof(*m));
    if (m == NULL)
        return -ENOMEM;
    m->p = out;
    m->terms = terms;
    m->count = count;
    out->targets = targets;
    memcpy(out->sums, order, (size_t)targets);
    if (gather(m) == 0) {
        bytes = (lay_out(m) * sizeof(double) + 127) / 64 * 64;
        out->memory = aligned_alloc(64, bytes);
        err = out->memory == NULL ? -ENOMEM : 0;
        if (err == 0) {
            memset(out->memory, 0, bytes);
            write_all(m, out->memory);
        }
    }
    free(m);
    return err;
}

void
aero_program_finish(struct aero_program *p)
{
    free(p->memory);
    memset(p, 0, sizeof(*p));
}
