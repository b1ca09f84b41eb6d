/* Reads effects.ini: sections into effects, every problem told at once. */
#include "effects_rows.h"
#include <errno.h>
#include <ini/ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct place {
    int line; /* 0: nowhere */
    int column;
};

struct problem {
    struct place place;
    char sentence[320];
};

/* Which section is being read. */
enum where {
    IN_NONE,
    IN_HAPTICS,
    IN_EFFECT,
    IN_CURVE,
    IN_UNKNOWN /* told already, its keys are passed over */
};

struct reader {
    struct effects *set;
    struct effects_globals globals;
    enum where where;
    struct effect *effect;      /* of IN_EFFECT */
    struct effect_curve *curve; /* of IN_CURVE */
    struct effect_curve spilled_curve;
    struct effect spilled; /* one that the set has no room or name for */
    struct place heading;
    struct place haptics;                 /* of [haptics] */
    struct place places[EFFECTS_MAX];     /* of each effect */
    struct place seen[EFFECTS_ROWS_MAX];  /* of each key in this section */
    struct place wrong[EFFECTS_ROWS_MAX]; /* and of what it holds, when bad */
    struct problem *problems;
    size_t problem_count, problem_capacity;
    int out_of_memory;
};

static void complain(struct reader *r, struct place place, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

static void
complain(struct reader *r, struct place place, const char *format, ...)
{
    size_t capacity = r->problem_capacity ? r->problem_capacity * 2 : 16;
    struct problem *p;
    va_list args;

    if (r->problem_count == r->problem_capacity) {
        p = realloc(r->problems, capacity * sizeof(*p));
        if (p == NULL) {
            r->out_of_memory = 1;
            return;
        }
        r->problems = p;
        r->problem_capacity = capacity;
    }
    p = &r->problems[r->problem_count++];
    p->place = place;
    va_start(args, format);
    vsnprintf(p->sentence, sizeof(p->sentence), format, args);
    va_end(args);
}

/* ---- the end of a section: what only the whole shows ---- */

static void
check_modes(struct reader *r)
{
    const struct effect *e = r->effect;
    const struct effects_row *rows;
    uint32_t i, count;

    rows = effects_rows(&count);
    for (i = 0; i < count; i++) {
        if (r->seen[i].line == 0 && rows[i].required & 1u << e->mode)
            complain(r, r->heading, "[effect.%s] has no %s (%s): add it",
                     e->name, rows[i].name, rows[i].sentence);
        if (r->seen[i].line != 0 && e->mode != 0 && rows[i].modes != 0 &&
            !(rows[i].modes & 1u << e->mode))
            complain(r, r->seen[i],
                     "%s does not fit mode = %s (%s): remove it, or change "
                     "the mode",
                     rows[i].name, effects_mode_name(e->mode),
                     rows[i].sentence);
    }
}

static int
is_felt(const struct effect *e)
{
    int kind;

    for (kind = 0; kind < HP_ACTUATOR_KINDS; kind++)
        if (e->levels[kind] != 0)
            return 1;
    return 0;
}

static int
any_wrong(const struct reader *r)
{
    int i;

    for (i = 0; i < EFFECTS_ROWS_MAX; i++)
        if (r->wrong[i].line != 0)
            return 1;
    return 0;
}

static void
end_effect(struct reader *r)
{
    const struct effect *e = r->effect;
    const struct effects_row *rows;
    uint32_t i, count;

    rows = effects_rows(&count);
    if (e->mode == 0) {
        /* Without a mode, what every mode needs; a bad one was told. */
        for (i = 0; i < count; i++)
            if (r->seen[i].line == 0 && rows[i].modes == 0 &&
                rows[i].required != 0)
                complain(r, r->heading, "[effect.%s] has no %s (%s): add it",
                         e->name, rows[i].name, rows[i].sentence);
        return;
    }
    check_modes(r);
    if (any_wrong(r))
        return;
    if (!is_felt(e))
        complain(r, r->heading,
                 "[effect.%s] moves nothing: give it low, high, trigger_l, "
                 "trigger_r, axis_x, axis_y, audio or generic above 0",
                 e->name);
    if (e->mode == EFFECT_ONESHOT &&
        e->attack_ms + e->hold_ms + e->decay_ms == 0)
        complain(r, r->heading,
                 "[effect.%s] lasts 0 ms: give it attack_ms, hold_ms or "
                 "decay_ms",
                 e->name);
}

static void
end_curve(struct reader *r)
{
    uint32_t i, count;

    effects_curve_rows(&count);
    for (i = 0; i < count; i++)
        if (r->seen[i].line != 0)
            r->curve->given |= 1u << i;
}

static void
end_section(struct reader *r)
{
    if (r->where == IN_EFFECT)
        end_effect(r);
    if (r->where == IN_CURVE)
        end_curve(r);
    memset(r->seen, 0, sizeof(r->seen));
    memset(r->wrong, 0, sizeof(r->wrong));
    r->where = IN_NONE;
}

/* ---- the start of a section ---- */

static int
is_name(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");

    return text[length] == 0 && length > 0 &&
           length < sizeof(((struct effect *)0)->name);
}

/* Where an effect of this name began, or nowhere. */
static struct place
earlier(const struct reader *r, const char *name)
{
    struct place nowhere = {0};
    uint32_t i;

    for (i = 0; i < r->set->count; i++)
        if (strcmp(r->set->list[i].name, name) == 0)
            return r->places[i];
    return nowhere;
}

static void
begin_effect(struct reader *r, const char *name)
{
    struct place first = earlier(r, name);

    r->where = IN_EFFECT;
    r->effect = &r->spilled;
    if (!is_name(name))
        complain(r, r->heading,
                 "[effect.%s]: an effect's name is 1 to 31 of a-z, 0-9 and _",
                 name);
    else if (first.line != 0)
        complain(r, r->heading,
                 "[effect.%s] is given twice, first on line %d: remove one",
                 name, first.line);
    else if (r->set->count == EFFECTS_MAX)
        complain(r, r->heading,
                 "[effect.%s] is one too many, expected at most %d effects",
                 name, EFFECTS_MAX);
    else {
        r->places[r->set->count] = r->heading;
        r->effect = &r->set->list[r->set->count++];
    }
    memset(r->effect, 0, sizeof(*r->effect));
    snprintf(r->effect->name, sizeof(r->effect->name), "%.31s", name);
    r->effect->priority = 50;
    r->effect->limit = 1;
    r->effect->spacing_ms = 60;
    r->effect->sustain = 1;
    r->effect->release_ms = 50;
    r->effect->max_hold_ms = 600000;
}

/* "kind.low" or "045e:0b13". */
static int
take_curve_name(struct effect_curve *curve, const char *name)
{
    unsigned vendor, product;
    int used = 0;

    if (strncmp(name, "kind.", 5) == 0) {
        curve->kind = effects_actuator_kind(name + 5);
        return curve->kind == 0 ? -EINVAL : 0;
    }
    if (sscanf(name, "%4x:%4x%n", &vendor, &product, &used) != 2 || used != 9 ||
        name[used] != '\0')
        return -EINVAL;
    curve->vendor = (uint16_t)vendor;
    curve->product = (uint16_t)product;
    return 0;
}

static void
begin_curve(struct reader *r, const char *name)
{
    struct effect_curve curve = {0};
    const struct effect_curve *c;
    uint32_t i;

    r->where = IN_CURVE;
    r->curve = &r->spilled_curve;
    if (take_curve_name(&curve, name) < 0) {
        complain(r, r->heading,
                 "[curve.%s]: found no kind of actuator and no device, "
                 "expected [curve.kind.low] or its like, or [curve.045e:0b13], "
                 "vendor and product",
                 name);
        return;
    }
    for (i = 0; i < r->set->curve_count; i++) {
        c = &r->set->curves[i];
        if (c->kind == curve.kind && c->vendor == curve.vendor &&
            c->product == curve.product) {
            complain(r, r->heading, "[curve.%s] is given twice: join them",
                     name);
            return;
        }
    }
    if (r->set->curve_count == EFFECTS_CURVES_MAX) {
        complain(r, r->heading,
                 "[curve.%s] is one too many, expected at most %d", name,
                 EFFECTS_CURVES_MAX);
        return;
    }
    r->curve = &r->set->curves[r->set->curve_count++];
    *r->curve = curve;
}

static void
begin_section(struct reader *r, const struct ini_item *item)
{
    r->heading.line = item->line;
    r->heading.column = item->column;
    if (strncmp(item->section, "effect.", 7) == 0) {
        begin_effect(r, item->section + 7);
    } else if (strncmp(item->section, "curve.", 6) == 0) {
        begin_curve(r, item->section + 6);
    } else if (strcmp(item->section, "haptics") != 0) {
        r->where = IN_UNKNOWN;
        complain(r, r->heading,
                 "unknown section [%s], expected [haptics], [effect.NAME], "
                 "[curve.kind.NAME] or [curve.VID:PID]",
                 item->section);
    } else {
        r->where = IN_HAPTICS;
        if (r->haptics.line != 0)
            complain(r, r->heading,
                     "[haptics] is given twice, first on line %d: join them",
                     r->haptics.line);
        r->haptics = r->heading;
    }
}

/* ---- a key ---- */

static void
unknown_key(struct reader *r, const struct ini_item *item,
            const struct effects_row *rows, uint32_t count)
{
    const char *near =
        ini_nearest(item->key, &rows[0].name, count, sizeof(rows[0]));
    struct place place = {item->line, item->column};

    if (near != NULL)
        complain(r, place, "unknown key \"%s\" in [%s], did you mean \"%s\"?",
                 item->key, item->section, near);
    else
        complain(r, place, "unknown key \"%s\" in [%s]", item->key,
                 item->section);
}

static void
take_key(struct reader *r, const struct ini_item *item)
{
    struct place place = {item->line, item->column};
    struct place value = {item->line, item->value_column};
    const struct effects_row *rows;
    uint32_t i, count;
    char why[256];
    int at;

    rows = r->where == IN_HAPTICS ? effects_global_rows(&count)
           : r->where == IN_CURVE ? effects_curve_rows(&count)
                                  : effects_rows(&count);
    for (i = 0; i < count; i++)
        if (strcmp(rows[i].name, item->key) == 0)
            break;
    if (i == count) {
        unknown_key(r, item, rows, count);
        return;
    }
    if (r->seen[i].line != 0) {
        complain(r, place, "%s is given twice, first on line %d: remove one",
                 item->key, r->seen[i].line);
        return;
    }
    r->seen[i] = place;
    if (effects_row_parse(&rows[i], item->value,
                          r->where == IN_HAPTICS ? (void *)&r->globals
                          : r->where == IN_CURVE ? (void *)r->curve
                                                 : (void *)r->effect,
                          why, sizeof(why), &at) < 0) {
        value.column += at;
        r->wrong[i] = value;
        complain(r, value, "%s", why);
    }
}

static void
take_item(void *context, const struct ini_item *item)
{
    struct place place = {item->line, item->column};
    struct reader *r = context;

    if (item->key == NULL) {
        end_section(r);
        begin_section(r, item);
    } else if (r->where == IN_HAPTICS || r->where == IN_EFFECT ||
               r->where == IN_CURVE) {
        take_key(r, item);
    } else if (r->where == IN_NONE) {
        complain(r, place,
                 "%s stands before any section, expected [haptics] or "
                 "[effect.NAME] above it",
                 item->key);
    }
}

static void
take_problem(void *context, const struct ini_problem *problem)
{
    struct place place = {problem->line, problem->column};

    complain(context, place, "%s", problem->sentence);
}

/* ---- the whole ---- */

static int
by_place(const void *a, const void *b)
{
    const struct problem *p = a, *q = b;

    if (p->place.line != q->place.line)
        return p->place.line < q->place.line ? -1 : 1;
    return p->place.column - q->place.column;
}

static void
print_problems(const struct reader *r, const char *path, FILE *to)
{
    size_t i;

    if (r->problem_count > 0)
        qsort(r->problems, r->problem_count, sizeof(*r->problems), by_place);
    for (i = 0; i < r->problem_count; i++)
        fprintf(to, "%s:%d:%d: error: %s\n", path, r->problems[i].place.line,
                r->problems[i].place.column, r->problems[i].sentence);
}

static void
apply_gains(struct reader *r)
{
    uint32_t i, class;
    struct effect *e;

    for (i = 0; i < r->set->count; i++) {
        e = &r->set->list[i];
        for (class = 0; class < EFFECTS_CLASSES; class ++)
            if (strcmp(effects_class_names[class], e->class_name) == 0)
                e->gain = r->globals.master * r->globals.gains[class];
    }
    r->set->keepalive_ms = r->globals.keepalive_ms;
}

static int
read_all(struct reader *r, FILE *file)
{
    struct ini_handler handler = {take_item, take_problem, r};
    struct place top = {1, 1};
    int err, i;

    r->globals.master = 1;
    r->globals.keepalive_ms = 250;
    for (i = 0; i < EFFECTS_CLASSES; i++)
        r->globals.gains[i] = 1;
    err = ini_read(file, &handler);
    if (err < 0)
        return err;
    end_section(r);
    if (r->set->count == 0 && r->problem_count == 0)
        complain(r, top,
                 "no effect in it, expected at least one "
                 "[effect.NAME]");
    if (r->out_of_memory)
        return -ENOMEM;
    return r->problem_count > 0 ? -EINVAL : 0;
}

int
effects_load(struct effects **out, const char *path, FILE *to)
{
    struct reader *r = calloc(1, sizeof(*r));
    struct effects *set = calloc(1, sizeof(*set));
    FILE *file = NULL;
    int err = -ENOMEM;

    if (r == NULL || set == NULL)
        goto done;
    file = fopen(path, "re");
    if (file == NULL) {
        err = -errno;
        goto done;
    }
    r->set = set;
    err = read_all(r, file);
    print_problems(r, path, to);
    if (err < 0)
        goto done;
    apply_gains(r);
    *out = set;
    set = NULL;

done:
    if (file != NULL)
        fclose(file);
    if (r != NULL)
        free(r->problems);
    free(r);
    effects_destroy(set);
    return err;
}

void
effects_destroy(struct effects *e)
{
    free(e);
}

const struct effect *
effects_find(const struct effects *e, const char *name)
{
    uint32_t i;

    for (i = 0; i < e->count; i++)
        if (strcmp(e->list[i].name, name) == 0)
            return &e->list[i];
    return NULL;
}
