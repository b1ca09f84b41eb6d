#include "aircraft_type.h"

#include "units.h"
#include <errno.h>
#include <ini/ini.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_MPS 5.0

/* ---- from a file's terms to programs ---- */

static const struct aircraft_table *
table_at(const struct aircraft_file *f, int index)
{
    return index < 0 ? NULL : &f->tables[index];
}

static int
compile_aero(struct aircraft_type *t)
{
    /* Side by side: cx and cm, cl and cn, lift and drag, cy and cz. */
    static const uint8_t order[AIRCRAFT_LIFT + 1] = {
        [AIRCRAFT_CX] = 0, [AIRCRAFT_CM] = 1,   [AIRCRAFT_CL] = 2,
        [AIRCRAFT_CN] = 3, [AIRCRAFT_LIFT] = 4, [AIRCRAFT_DRAG] = 5,
        [AIRCRAFT_CY] = 6, [AIRCRAFT_CZ] = 7};
    struct aero_term terms[AIRCRAFT_TERMS_MAX];
    const struct aircraft_file *f = t->file;
    int count = 0, i;

    for (i = 0; i < f->term_count; i++) {
        const struct aircraft_term *from = &f->terms[i];

        if (from->target == AIRCRAFT_FUEL)
            continue;
        terms[count++] =
            (struct aero_term){from->target, from->factor, from->quantities,
                               from->quantity_count, table_at(f, from->table)};
    }
    t->has_forces = count > 0;
    return aero_compile(&t->aero, terms, count, AIRCRAFT_LIFT + 1, order);
}

static int
compile_engine(struct aircraft_type *t)
{
    static const uint8_t order[ENGINE_TARGETS] = {0, 1, 2, 3};
    struct aero_term terms[AIRCRAFT_TERMS_MAX];
    const struct aircraft_file *f = t->file;
    const struct aircraft_engine *e = &f->engine;
    /* Without an afterburner the most is military thrust. */
    const int tables[] = {e->idle, e->military,
                          e->maximum < 0 ? e->military : e->maximum};
    int count = 0, i;

    for (i = 0; i < 3 && e->heading.line > 0; i++)
        terms[count++] = (struct aero_term){i, e->thrust_scale, NULL, 0,
                                            table_at(f, tables[i])};
    for (i = 0; i < f->term_count && count < AIRCRAFT_TERMS_MAX; i++) {
        const struct aircraft_term *from = &f->terms[i];

        if (from->target == AIRCRAFT_FUEL)
            terms[count++] = (struct aero_term){
                ENGINE_FUEL, from->factor, from->quantities,
                from->quantity_count, table_at(f, from->table)};
    }
    return aero_compile(&t->engine, terms, count, ENGINE_TARGETS, order);
}

static void
fill_control(struct aircraft_type *t)
{
    const struct aircraft_file *f = t->file;
    struct control *c = &t->control;
    int i;

    c->file = f->control;
    c->g_max = f->limit.g_max;
    c->g_min = f->limit.g_min;
    c->alpha_max_rad = f->limit.alpha_max_deg * RADIANS_PER_DEG;
    c->alpha_min_rad = f->limit.alpha_min_deg * RADIANS_PER_DEG;
    for (i = 0; i < AIRCRAFT_SURFACES; i++) {
        const struct aircraft_surface *from = &f->surfaces[i];
        struct control_surface *to = &c->surfaces[i];

        if (from->heading.line == 0)
            continue;
        to->min_deg = from->min_deg;
        to->max_deg = from->max_deg;
        to->width_deg = 0.1 * (from->max_deg - from->min_deg);
        to->rate_dps = from->rate_dps;
        to->per_degree = 1 / (from->lag_s * from->rate_dps);
        to->per_rate = 1 / from->rate_dps;
        to->gain_pitch = from->gain_pitch;
        to->gain_roll = from->gain_roll;
        to->gain_yaw = from->gain_yaw;
    }
}

static int
names_ground(const struct aircraft_file *f)
{
    int i, k;

    for (i = 0; i < f->term_count; i++) {
        const struct aircraft_term *t = &f->terms[i];

        for (k = 0; k < t->quantity_count; k++)
            if (t->quantities[k] == AIRCRAFT_AGL_SPAN)
                return 1;
        for (k = 0; t->table >= 0 && k < f->tables[t->table].dimensions; k++)
            if (f->tables[t->table].axes[k].quantity == AIRCRAFT_AGL_SPAN)
                return 1;
    }
    return 0;
}

int
aircraft_type_create(struct aircraft_type **out, struct aircraft_file *file)
{
    /* Whole lines of memory: aero_pair wants its 16 bytes. */
    struct aircraft_type *t = calloc(1, sizeof(*t));
    int err = t == NULL ? -ENOMEM : 0;

    *out = NULL;
    if (t == NULL) {
        aircraft_file_destroy(file);
        return err;
    }
    t->file = file;
    err = compile_aero(t);
    if (err == 0)
        err = compile_engine(t);
    if (err < 0) {
        aircraft_type_destroy(t);
        return err;
    }
    fill_control(t);
    /* A body's damping is exact from rest on: NASA drops its bricks. */
    t->slow_mps = file->control.law == AIRCRAFT_LAW_NONE ? 0.01 : SLOW_MPS;
    t->uses_ground = names_ground(file);
    *out = t;
    return 0;
}

void
aircraft_type_destroy(struct aircraft_type *t)
{
    if (t == NULL)
        return;
    aero_program_finish(&t->aero);
    aero_program_finish(&t->engine);
    aircraft_file_destroy(t->file);
    free(t);
}

/* ---- by name ---- */

static int
is_path(const char *which)
{
    size_t bytes = strlen(which);

    return strchr(which, '/') != NULL ||
           (bytes > 4 && strcmp(which + bytes - 4, ".ini") == 0);
}

static const struct aircraft_builtin *
find_builtin(const char *name)
{
    const struct aircraft_builtin *b;

    for (b = aircraft_builtins; b->name != NULL; b++)
        if (strcmp(b->name, name) == 0)
            return b;
    return NULL;
}

static void
tell_unknown(const char *which, struct aircraft_problems *problems)
{
    const struct aircraft_builtin *b;
    char names[200] = "";
    const char *near;
    size_t count = 0;

    for (b = aircraft_builtins; b->name != NULL; b++, count++)
        snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
                 count > 0 ? ", " : "", b->name);
    near = ini_nearest(which, &aircraft_builtins[0].name, count,
                       sizeof(aircraft_builtins[0]));
    aircraft_error(problems, 1, (struct aircraft_place){1, 1},
                   "found no aircraft \"%.60s\", expected a file (a path with "
                   "\"/\" or \".ini\") or one of %s%s%s%s",
                   which, names, near == NULL ? "" : "; did you mean \"",
                   near == NULL ? "" : near, near == NULL ? "" : "\"?");
}

static int
load_builtin(struct aircraft_file **out, const struct aircraft_builtin *b,
             struct aircraft_problems *problems)
{
    const char *const *line;
    size_t bytes = 0;
    char *text, *at;
    int err;

    for (line = b->lines; *line != NULL; line++)
        bytes += strlen(*line);
    text = malloc(bytes + 1);
    if (text == NULL)
        return -ENOMEM;
    for (line = b->lines, at = text; *line != NULL; line++) {
        memcpy(at, *line, strlen(*line));
        at += strlen(*line);
    }
    err = aircraft_file_load_bytes(out, text, bytes, problems);
    free(text);
    return err;
}

int
aircraft_file_open(struct aircraft_file **out, const char *which,
                   struct aircraft_problems *problems)
{
    const struct aircraft_builtin *b;

    *out = NULL;
    if (is_path(which))
        return aircraft_file_load(out, which, problems);
    b = find_builtin(which);
    if (b != NULL)
        return load_builtin(out, b, problems);
    tell_unknown(which, problems);
    return -ENOENT;
}

int
aircraft_type_open(struct aircraft_type **out, const char *which, char *why,
                   size_t why_bytes)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *file;
    int err = aircraft_file_open(&file, which, &problems);

    *out = NULL;
    snprintf(why, why_bytes, "%s: %s", which, strerror(-err));
    if (err < 0 && problems.errors > 0)
        aircraft_problems_first(&problems, which, why, why_bytes);
    aircraft_problems_finish(&problems);
    if (err < 0)
        return err;
    err = aircraft_type_create(out, file);
    if (err == -E2BIG)
        snprintf(why, why_bytes,
                 "%s: more different axes or products than the step has room "
                 "for; expected at most %d axes and %d products of quantities",
                 which, AERO_AXES_MAX, AERO_PRODUCTS_MAX);
    else if (err < 0)
        snprintf(why, why_bytes, "%s: no memory for it", which);
    return err;
}
