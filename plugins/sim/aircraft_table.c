/* Tables and terms of an aircraft file. */
#include "aircraft_loading.h"

#include "units.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const quantity_names[AIRCRAFT_QUANTITIES] = {
    "alpha_deg", "alpha_rad",    "abs_alpha_deg", "sign_alpha",  "beta_deg",
    "beta_rad",  "abs_beta_deg", "sign_beta",     "mach",        "phat",
    "qhat",      "rhat",         "elevator_deg",  "aileron_deg", "rudder_deg",
    "flap_deg",  "gear",         "agl_span",      "altitude_m",  "altitude_ft",
    "power",     "density_ratio"};

static const char *const target_names[AIRCRAFT_TARGETS] = {
    "cx", "cy", "cz", "cl", "cm", "cn", "drag", "lift", "fuel"};

static const char *const axis_keys[AIRCRAFT_AXES_MAX] = {"page", "row", "col"};

const char *
aircraft_quantity_name(int quantity)
{
    return quantity_names[quantity];
}

int
aircraft_quantity_named(const char *name)
{
    int i;

    for (i = 0; i < AIRCRAFT_QUANTITIES; i++)
        if (strcmp(quantity_names[i], name) == 0)
            return i;
    return -1;
}

const char *
aircraft_target_name(int target)
{
    return target_names[target];
}

int
aircraft_file_table(const struct aircraft_file *f, const char *name)
{
    int i;

    for (i = 0; i < f->table_count; i++)
        if (strcmp(f->tables[i].name, name) == 0)
            return i;
    return -1;
}

/* The nearest of tables and quantities, as ", did you mean X?" or "". */
static void
suggest(const struct aircraft_file *f, const char *word, int quantities,
        char *out, size_t bytes)
{
    const char *names[AIRCRAFT_TABLES_MAX + AIRCRAFT_QUANTITIES], *near;
    size_t count = 0;
    int i;

    for (i = 0; i < f->table_count; i++)
        names[count++] = f->tables[i].name;
    for (i = 0; i < AIRCRAFT_QUANTITIES && quantities; i++)
        names[count++] = quantity_names[i];
    near = ini_nearest(word, names, count, sizeof(names[0]));
    snprintf(out, bytes, "%s%s%s", near == NULL ? "" : "; did you mean \"",
             near == NULL ? "" : near, near == NULL ? "" : "\"?");
}

/* ---- headings and axes ---- */

int
loading_table_begin(struct loading *l, const char *name,
                    struct aircraft_place at)
{
    struct aircraft_file *f = l->file;
    struct aircraft_table *t;

    if (!loading_is_name(name)) {
        aircraft_error(l->problems, 1, at,
                       "[table %s]: expected a name of 1 to %d letters, "
                       "digits or \"_\" that begins with a letter",
                       name, AIRCRAFT_WORD_MAX);
        return -EINVAL;
    }
    if (aircraft_quantity_named(name) >= 0) {
        aircraft_error(l->problems, 2, at,
                       "[table %s]: a quantity has this name already; give "
                       "the table another",
                       name);
        return -EINVAL;
    }
    if (f->table_count == AIRCRAFT_TABLES_MAX) {
        aircraft_error(l->problems, 2, at,
                       "[table %s]: expected at most %d tables in a file", name,
                       AIRCRAFT_TABLES_MAX);
        return -EINVAL;
    }
    l->index = f->table_count++;
    t = &f->tables[l->index];
    snprintf(t->name, sizeof(t->name), "%s", name);
    t->heading = at;
    return 0;
}

/* Reads the rest of a value's words as numbers into arrays of its own. */
static int
read_stream(struct loading *l, struct loading_words *w, double **out,
            struct aircraft_place **places, size_t *count)
{
    size_t room = strlen(w->at) / 2 + 1, n = 0;
    double *values = calloc(room, sizeof(*values));
    struct aircraft_place *at = calloc(room, sizeof(*at));
    int bad = 0;

    if (values == NULL || at == NULL) {
        free(values);
        free(at);
        l->out_of_memory = 1;
        return -ENOMEM;
    }
    while (loading_next(w)) {
        at[n] = loading_place(w->item, w->offset);
        bad |= loading_number(l, w->item, w->word, w->offset, &values[n]) < 0;
        n++;
    }
    *out = values;
    *places = at;
    *count = n;
    return bad ? -EINVAL : 0;
}

static void
judge_rising(struct loading *l, const char *key, const struct aircraft_table *t,
             const struct aircraft_axis *a)
{
    int i;

    if (a->count < 2)
        aircraft_error(l->problems, 2, a->count > 0 ? a->places[0] : t->heading,
                       "[table %s] %s: found %d breakpoints of %s, expected "
                       "at least 2",
                       t->name, key, a->count, quantity_names[a->quantity]);
    for (i = 1; i < a->count; i++)
        if (!(a->at[i] > a->at[i - 1])) {
            aircraft_error(l->problems, 2, a->places[i],
                           "[table %s] %s: found the breakpoint %g after %g, "
                           "expected a larger one: they must rise strictly",
                           t->name, key, a->at[i], a->at[i - 1]);
            return;
        }
}

static void
read_axis(struct loading *l, const struct ini_item *item, int which)
{
    struct aircraft_table *t = &l->file->tables[l->index];
    struct aircraft_axis *a = &t->axes[which];
    struct loading_words w = {.item = item, .at = item->value};
    struct aircraft_place at = loading_place(item, 0);
    char hint[80];
    size_t count;

    if (!loading_next(&w)) {
        aircraft_error(l->problems, 2, at,
                       "[table %s] %s: found nothing, expected a quantity and "
                       "its breakpoints, as in alpha_deg -10 0 10",
                       t->name, item->key);
        return;
    }
    a->quantity = aircraft_quantity_named(w.word);
    if (a->quantity < 0 || a->quantity == AIRCRAFT_SIGN_ALPHA ||
        a->quantity == AIRCRAFT_SIGN_BETA) {
        const char *near = ini_nearest(w.word, quantity_names,
                                       AIRCRAFT_QUANTITIES, sizeof(char *));

        snprintf(hint, sizeof(hint), "%s%s%s",
                 near == NULL ? "" : "; did you mean \"",
                 near == NULL ? "" : near, near == NULL ? "" : "\"?");
        aircraft_error(l->problems, 2, loading_place(item, w.offset),
                       "[table %s] %s: found \"%s\", expected the quantity of "
                       "the axis, as in alpha_deg -10 0 10%s",
                       t->name, item->key, w.word, hint);
        return;
    }
    l->words[l->index][which] = 1;
    if (read_stream(l, &w, &a->at, &a->places, &count) < 0) {
        a->count = 0;
        l->words[l->index][which] = 2; /* told already */
        return;
    }
    a->count = (int)count;
    judge_rising(l, item->key, t, a);
}

static void
read_cells(struct loading *l, const struct ini_item *item)
{
    struct aircraft_table *t = &l->file->tables[l->index];
    struct loading_words w = {.item = item, .at = item->value};

    l->data[l->index] = loading_place(item, 0);
    if (read_stream(l, &w, &t->cells, &t->places, &t->cell_count) < 0)
        l->data[l->index].line = -1; /* told already */
}

void
loading_table_key(struct loading *l, const struct ini_item *item)
{
    static const char *const keys[] = {"page", "row", "col", "data", "edge"};
    struct aircraft_table *t = &l->file->tables[l->index];
    const char *near;
    int i;

    for (i = 0; i < AIRCRAFT_AXES_MAX; i++)
        if (strcmp(item->key, axis_keys[i]) == 0) {
            read_axis(l, item, i);
            return;
        }
    if (strcmp(item->key, "data") == 0) {
        read_cells(l, item);
        return;
    }
    if (strcmp(item->key, "edge") == 0) {
        t->edge = strcmp(item->value, "extend") == 0 ? AIRCRAFT_EXTEND
                                                     : AIRCRAFT_HOLD;
        if (t->edge == AIRCRAFT_HOLD && strcmp(item->value, "hold") != 0)
            aircraft_error(l->problems, 1, loading_place(item, 0),
                           "[table %s] edge: found \"%.40s\", expected hold or "
                           "extend",
                           t->name, item->value);
        return;
    }
    near = ini_nearest(item->key, keys, 5, sizeof(keys[0]));
    aircraft_error(l->problems, 1,
                   (struct aircraft_place){item->line, item->column},
                   "[table %s]: there is no key \"%s\"%s%s; expected row, col, "
                   "page, edge or data",
                   t->name, item->key, near == NULL ? "" : ", did you mean ",
                   near == NULL ? "" : near);
}

/* ---- terms ---- */

/* One factor: a number, a quantity or a table. */
static void
take_factor(struct loading *l, const struct ini_item *item,
            struct aircraft_term *t, const char *word, size_t offset,
            struct loading_name *table)
{
    struct aircraft_place at = loading_place(item, offset);
    int quantity = aircraft_quantity_named(word);
    double number;

    if (quantity >= 0) {
        if (t->quantity_count == AIRCRAFT_FACTORS_MAX)
            aircraft_error(l->problems, 2, at,
                           "%s: found a %dth quantity in one term, expected "
                           "at most %d",
                           item->key, t->quantity_count + 1,
                           AIRCRAFT_FACTORS_MAX);
        else
            t->quantities[t->quantity_count++] = quantity;
        return;
    }
    if (loading_is_name(word)) {
        if (table->name[0] != '\0')
            aircraft_error(l->problems, 2, at,
                           "%s: found the table \"%s\" beside \"%s\", expected "
                           "one table in a term: multiply them into one",
                           item->key, word, table->name);
        else {
            table->at = at;
            snprintf(table->name, sizeof(table->name), "%.*s",
                     AIRCRAFT_WORD_MAX, word);
        }
        return;
    }
    if (loading_number(l, item, word, offset, &number) == 0)
        t->factor *= number;
}

/* The target before the colon, or AIRCRAFT_TARGETS with an error told. */
static int
take_target(struct loading *l, const struct ini_item *item, const char *colon)
{
    char word[64];
    size_t bytes = colon == NULL ? strcspn(item->value, " \t*")
                                 : (size_t)(colon - item->value);
    const char *near;
    int i;

    while (bytes > 0 && strchr(" \t", item->value[bytes - 1]) != NULL)
        bytes--;
    snprintf(word, sizeof(word), "%.*s", (int)(bytes < 60 ? bytes : 60),
             item->value);
    if (colon == NULL) {
        aircraft_error(l->problems, 1, loading_place(item, 0),
                       "%s: found \"%.60s\" without \":\", expected what it "
                       "adds to, as in cx: CX * qhat",
                       item->key, item->value);
        return AIRCRAFT_TARGETS;
    }
    for (i = 0; i < AIRCRAFT_FUEL; i++)
        if (strcmp(word, target_names[i]) == 0)
            return i;
    near = ini_nearest(word, target_names, AIRCRAFT_FUEL, sizeof(char *));
    aircraft_error(l->problems, 2, loading_place(item, 0),
                   "%s: found \"%s\", expected cx, cy, cz, cl, cm, cn, drag or "
                   "lift before the \":\"%s%s",
                   item->key, word, near == NULL ? "" : "; did you mean ",
                   near == NULL ? "" : near);
    return AIRCRAFT_TARGETS;
}

/* Words between the stars; each must be one. */
static int
take_factors(struct loading *l, const struct ini_item *item, const char *from,
             struct aircraft_term *t, struct loading_name *table)
{
    const char *at = from, *end;
    char word[64];
    size_t bytes;
    int count = 0;

    for (;;) {
        at += strspn(at, " \t");
        end = at + strcspn(at, "*");
        bytes = (size_t)(end - at);
        while (bytes > 0 && strchr(" \t", at[bytes - 1]) != NULL)
            bytes--;
        if (bytes == 0 || bytes > 60 || strcspn(at, " \t") < bytes) {
            aircraft_error(l->problems, 1,
                           loading_place(item, (size_t)(at - item->value)),
                           "%s: found \"%.*s\", expected a number, a quantity "
                           "or a table between the \"*\"",
                           item->key, (int)(bytes < 40 ? bytes : 40), at);
            return -EINVAL;
        }
        memcpy(word, at, bytes);
        word[bytes] = '\0';
        take_factor(l, item, t, word, (size_t)(at - item->value), table);
        count++;
        if (*end == '\0')
            return count;
        at = end + 1;
    }
}

void
loading_term(struct loading *l, const struct ini_item *item, int target,
             double factor)
{
    struct aircraft_file *f = l->file;
    const char *colon = strchr(item->value, ':'), *from = item->value;
    struct aircraft_term *t = &f->terms[f->term_count];
    struct loading_name table = {.name = ""};

    if (f->term_count == AIRCRAFT_TERMS_MAX) {
        aircraft_error(l->problems, 2, loading_place(item, 0),
                       "%s: expected at most %d terms in a file", item->key,
                       AIRCRAFT_TERMS_MAX);
        return;
    }
    memset(t, 0, sizeof(*t));
    t->factor = factor;
    t->table = -1;
    t->at = loading_place(item, 0);
    t->target = target;
    if (target == AIRCRAFT_TARGETS) {
        t->target = take_target(l, item, colon);
        if (t->target == AIRCRAFT_TARGETS)
            return;
        from = colon + 1;
    }
    if (take_factors(l, item, from, t, &table) < 0)
        return;
    f->term_count++;
    if (table.name[0] != '\0')
        loading_wants_table(l, table.name, table.at, &t->table);
}

/* ---- as a whole ---- */

/* Moves the axes that were given to the front. 0: something was told. */
static int
gather_axes(struct loading *l, int index)
{
    struct aircraft_table *t = &l->file->tables[index];
    int i, told = 0;

    for (i = 0; i < AIRCRAFT_AXES_MAX; i++) {
        told |= l->words[index][i] == 2;
        if (l->words[index][i] == 0)
            continue;
        if (i != t->dimensions) {
            t->axes[t->dimensions] = t->axes[i];
            memset(&t->axes[i], 0, sizeof(t->axes[i]));
        }
        t->dimensions++;
    }
    for (i = 1; i < t->dimensions && !told; i++)
        if (t->axes[i].quantity == t->axes[0].quantity ||
            (i == 2 && t->axes[2].quantity == t->axes[1].quantity)) {
            aircraft_error(l->problems, 2, t->heading,
                           "[table %s]: found %s on two axes, expected another "
                           "quantity on each",
                           t->name, quantity_names[t->axes[i].quantity]);
            told = 1;
        }
    return !told;
}

static void
judge_table(struct loading *l, int index)
{
    struct aircraft_table *t = &l->file->tables[index];
    struct aircraft_place data = l->data[index];
    char size[80] = "";
    size_t wanted = 1;
    int i;

    if (!gather_axes(l, index) || data.line < 0)
        return;
    if (t->dimensions == 0) {
        aircraft_error(l->problems, 2, t->heading,
                       "[table %s]: found no axis, expected col = QUANTITY "
                       "BREAKPOINTS, and row and page for more dimensions",
                       t->name);
        return;
    }
    if (data.line == 0) {
        aircraft_error(l->problems, 2, t->heading,
                       "[table %s]: found no data, expected data = and the "
                       "cells, row by row",
                       t->name);
        return;
    }
    for (i = 0; i < t->dimensions; i++) {
        wanted *= (size_t)t->axes[i].count;
        snprintf(size + strlen(size), sizeof(size) - strlen(size), "%s%d",
                 i > 0 ? " x " : "", t->axes[i].count);
    }
    if (t->cell_count == wanted)
        return;
    if (t->dimensions > 1)
        snprintf(size + strlen(size), sizeof(size) - strlen(size), " = %zu",
                 wanted);
    aircraft_error(l->problems, 2,
                   t->cell_count > wanted && wanted > 0 ? t->places[wanted]
                                                        : data,
                   "[table %s] data: found %zu cells, expected %s: %s", t->name,
                   t->cell_count, size,
                   t->cell_count > wanted ? "the first one too many is here"
                                          : "some are missing");
}

static void
find_tables(struct loading *l)
{
    struct loading_name *n;
    char hint[80];
    int i;

    for (i = 0; i < l->name_count; i++) {
        n = &l->names[i];
        *n->into = aircraft_file_table(l->file, n->name);
        if (*n->into >= 0) {
            l->file->tables[*n->into].used++;
            continue;
        }
        suggest(l->file, n->name, 1, hint, sizeof(hint));
        aircraft_error(l->problems, 2, n->at,
                       "found \"%s\", expected a table of this file or a "
                       "quantity%s",
                       n->name, hint);
    }
}

void
loading_tables_finish(struct loading *l)
{
    struct aircraft_table *t;
    int i;

    for (i = 0; i < l->file->table_count; i++)
        judge_table(l, i);
    find_tables(l);
    for (i = 0; i < l->file->table_count; i++) {
        t = &l->file->tables[i];
        if (!t->used)
            aircraft_warning(l->problems, 2, t->heading,
                             "[table %s]: no term and no engine key names it; "
                             "use it or remove it",
                             t->name);
    }
}

/* ---- a plain value ---- */

static double
axis_place(const struct aircraft_axis *a, int edge, double value, int *low)
{
    double share;
    int i = 0;

    while (i < a->count - 2 && value >= a->at[i + 1])
        i++;
    share = (value - a->at[i]) / (a->at[i + 1] - a->at[i]);
    *low = i;
    return edge == AIRCRAFT_HOLD ? motion_clamp(share, 0, 1)
                                 : motion_clamp(share, -1, 2);
}

double
aircraft_table_value(const struct aircraft_table *t, const double *values)
{
    double part[8], share;
    size_t first[8] = {0};
    int low, corners = 1, i, k;

    for (i = 0; i < t->dimensions; i++) {
        const struct aircraft_axis *a = &t->axes[i];

        axis_place(a, t->edge, values[a->quantity], &low);
        for (k = 0; k < corners; k++) {
            size_t at = first[k] * (size_t)a->count + (size_t)low;

            first[k] = at;
            first[k + corners] = at + 1;
        }
        corners *= 2;
    }
    for (k = 0; k < corners; k++)
        part[k] = t->cells[first[k]];
    /* The newest axis doubled last: fold it first. */
    for (i = t->dimensions - 1; i >= 0; i--) {
        const struct aircraft_axis *a = &t->axes[i];

        share = axis_place(a, t->edge, values[a->quantity], &low);
        corners /= 2;
        for (k = 0; k < corners; k++)
            part[k] += (part[k + corners] - part[k]) * share;
    }
    return part[0];
}
