#include "aero.h"

#include <errno.h>
#include <math.h>
#include <motion/math.h>
#include <stdlib.h>
#include <string.h>

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

static inline void
along_line(const struct aero_group *g, const struct place *p, aero_pair *out)
{
    const aero_pair *low = g->cells + p[g->axis[0]].low * g->stride[0];
    const aero_pair *high = low + g->stride[0];
    double share = p[g->axis[0]].share;
    int i;

    for (i = 0; i < g->pairs; i++)
        out[i] = between(low[i], high[i], share);
}

/* On the plane of two axes, `from` its first cells. */
static inline void
on_plane(const struct aero_group *g, const aero_pair *from, struct place row,
         struct place col, int rows, int cols, aero_pair *out)
{
    const aero_pair *low = from + row.low * rows + col.low * cols;
    const aero_pair *high = low + rows;
    int i;

    for (i = 0; i < g->pairs; i++)
        out[i] =
            between(between(low[i], low[i + cols], col.share),
                    between(high[i], high[i + cols], col.share), row.share);
}

static void
in_space(const struct aero_group *g, const struct place *p, aero_pair *out)
{
    struct place page = p[g->axis[0]];
    const aero_pair *from = g->cells + page.low * g->stride[0];
    aero_pair far[AERO_CHANNELS_MAX / 2];
    int i;

    on_plane(g, from, p[g->axis[1]], p[g->axis[2]], g->stride[1], g->stride[2],
             out);
    on_plane(g, from + g->stride[0], p[g->axis[1]], p[g->axis[2]], g->stride[1],
             g->stride[2], far);
    for (i = 0; i < g->pairs; i++)
        out[i] = between(out[i], far[i], page.share);
}

static void
look_up(const struct aero_program *p, const double *values,
        aero_pair channels[AERO_CHANNELS_MAX / 2])
{
    struct place places[AERO_AXES_MAX];
    const struct aero_group *g = p->groups, *end = g + p->group_count;
    int i;

    for (i = 0; i < p->axis_count; i++)
        places[i] = place_on(&p->axes[i], values[p->axes[i].quantity]);
    for (; g < end; g++) {
        aero_pair *out = channels + g->channel;

        if (g->dimensions == 1)
            along_line(g, places, out);
        else if (g->dimensions == 2)
            on_plane(g, g->cells, places[g->axis[0]], places[g->axis[1]],
                     g->stride[0], g->stride[1], out);
        else
            in_space(g, places, out);
    }
}

void
aero_run(const struct aero_program *p, const double *values, double *targets)
{
    union {
        aero_pair pairs[AERO_CHANNELS_MAX / 2];
        double each[AERO_CHANNELS_MAX];
    } channels;
    double products[AERO_PRODUCTS_MAX], sum;
    const struct aero_sum *s = p->table_sums, *c = p->constant_sums;
    int i, t;

    look_up(p, values, channels.pairs);
    products[0] = 1;
    for (i = 1; i < p->product_count; i++)
        products[i] =
            products[p->products[i].of] * values[p->products[i].quantity];
    for (t = 0; t < p->targets; t++) {
        sum = 0;
        for (; c < p->constant_sums + p->constant_ends[t]; c++)
            sum += p->constants[c->channel] * products[c->product];
        for (; s < p->table_sums + p->table_ends[t]; s++)
            sum += channels.each[s->channel] * products[s->product];
        targets[t] = sum;
    }
}

/* ---- making it ---- */

/* A table's channel: one for each place that it is used in. */
struct channel {
    int term; /* index */
    int group;
    int within; /* the group */
};

struct making {
    struct aero_program *p;
    const struct aero_term *terms;
    int count;
    int product_of[AIRCRAFT_TERMS_MAX];
    struct channel channels[AERO_CHANNELS_MAX];
    int channel_count;
    const struct aircraft_axis *axes[AERO_AXES_MAX];
    int edges[AERO_AXES_MAX];
};

/* The place of a product, found or made; -E2BIG. */
static int
product_place(struct aero_program *p, const int *quantities, int count)
{
    int at = 0, i, k;

    for (i = 0; i < count; i++) {
        for (k = 1; k < p->product_count; k++)
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
        at = k;
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
    struct aero_group *g;
    int axes[AIRCRAFT_AXES_MAX] = {0}, i, k;

    for (k = 0; k < t->dimensions; k++) {
        axes[k] = axis_place(m, &t->axes[k], t->edge);
        if (axes[k] < 0)
            return -E2BIG;
    }
    for (i = 0; i < m->p->group_count; i++) {
        g = &m->p->groups[i];
        if (g->dimensions == t->dimensions &&
            memcmp(g->axis, axes, sizeof(axes)) == 0)
            return i;
    }
    if (i == AERO_GROUPS_MAX)
        return -E2BIG;
    g = &m->p->groups[i];
    g->dimensions = t->dimensions;
    memcpy(g->axis, axes, sizeof(axes));
    m->p->group_count++;
    return i;
}

/* Gives each term its product, and each with a table its channel. */
static int
gather(struct making *m)
{
    struct channel *c;
    int i;

    m->p->product_count = 1;
    for (i = 0; i < m->count; i++) {
        const struct aero_term *t = &m->terms[i];

        m->product_of[i] =
            product_place(m->p, t->quantities, t->quantity_count);
        if (m->product_of[i] < 0)
            return -E2BIG;
        if (t->table == NULL)
            continue;
        if (m->channel_count == AERO_CHANNELS_MAX / 2)
            return -E2BIG;
        c = &m->channels[m->channel_count++];
        c->term = i;
        c->group = group_place(m, t->table);
        if (c->group < 0)
            return -E2BIG;
        /* Its channels are counted in `pairs` first. */
        c->within = m->p->groups[c->group].pairs++;
    }
    return 0;
}

/* How many doubles the breakpoints and cells need; lays the groups out. */
static size_t
lay_out(struct making *m)
{
    struct aero_program *p = m->p;
    size_t cells, sum = 0;
    int i, k, channel = 0;

    for (i = 0; i < p->group_count; i++) {
        struct aero_group *g = &p->groups[i];

        g->pairs = (g->pairs + 1) / 2;
        g->channel = channel;
        channel += g->pairs;
        cells = (size_t)g->pairs;
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

static void
write_all(struct making *m, double *at)
{
    struct aero_program *p = m->p;
    size_t i, cells;
    int k, g;

    for (g = 0; g < p->group_count; g++) {
        double *from = at;

        p->groups[g].cells = (const aero_pair *)(const void *)at;
        cells = (size_t)p->groups[g].stride[0] *
                (size_t)m->axes[p->groups[g].axis[0]]->count;
        at += 2 * cells;
        for (k = 0; k < m->channel_count; k++) {
            const struct channel *c = &m->channels[k];
            const struct aero_term *t = &m->terms[c->term];
            size_t width = 2 * (size_t)p->groups[g].pairs;

            if (c->group != g)
                continue;
            for (i = 0; i < t->table->cell_count; i++)
                from[i * width + (size_t)c->within] =
                    t->factor * t->table->cells[i];
        }
    }
    for (k = 0; k < p->axis_count; k++)
        at = write_axis(&p->axes[k], m->axes[k], m->edges[k], at);
}

/* The sums, target by target. */
static void
write_sums(struct making *m)
{
    struct aero_program *p = m->p;
    int t, i, k, tables = 0, constants = 0;

    for (t = 0; t < p->targets; t++) {
        for (i = 0; i < m->count; i++) {
            if (m->terms[i].target != t || m->terms[i].table != NULL)
                continue;
            p->constants[constants] = m->terms[i].factor;
            p->constant_sums[constants] = (struct aero_sum){
                (uint16_t)constants, (uint16_t)m->product_of[i]};
            constants++;
        }
        for (k = 0; k < m->channel_count; k++) {
            const struct channel *c = &m->channels[k];

            if (m->terms[c->term].target != t)
                continue;
            p->table_sums[tables++] = (struct aero_sum){
                (uint16_t)(2 * p->groups[c->group].channel + c->within),
                (uint16_t)m->product_of[c->term]};
        }
        p->table_ends[t] = tables;
        p->constant_ends[t] = constants;
    }
}

int
aero_compile(struct aero_program *out, const struct aero_term *terms, int count,
             int targets)
{
    struct making m = {.p = out, .terms = terms, .count = count};
    size_t doubles;

    memset(out, 0, sizeof(*out));
    out->targets = targets;
    if (count > AIRCRAFT_TERMS_MAX || targets > AERO_TARGETS_MAX ||
        gather(&m) < 0)
        return -E2BIG;
    doubles = lay_out(&m);
    out->memory = aligned_alloc(64, (doubles * sizeof(double) + 127) / 64 * 64);
    if (out->memory == NULL)
        return -ENOMEM;
    memset(out->memory, 0, (doubles * sizeof(double) + 127) / 64 * 64);
    write_all(&m, out->memory);
    write_sums(&m);
    return 0;
}

void
aero_program_finish(struct aero_program *p)
{
    free(p->memory);
    memset(p, 0, sizeof(*p));
}
