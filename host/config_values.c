/* What the rows' values are, once judged; and whether others may replace them. */
#include "config_store.h"
#include <errno.h>
#include <ini/ini.h>
#include <stdlib.h>
#include <string.h>

/* The settings of one row that the strongest source gives. */
const struct config_setting *
config_find_setting(const struct config *c, const char *section,
                    const char *key, uint32_t index)
{
    const struct config_setting *s, *last = NULL;
    enum config_source strongest = CONFIG_FILE;
    int pass, repeated = 0;
    uint32_t seen = 0;
    size_t i;

    for (pass = 0; pass < 2; pass++)
        for (i = 0; i < c->settings.count; i++) {
            s = config_setting_at(c, i);
            if (s->row == NULL || strcmp(s->bound_section, section) != 0 ||
                strcmp(s->row->name, key) != 0)
                continue;
            repeated = (s->row->flags & HP_PARAM_REPEAT) != 0;
            if (pass == 0 && s->place.source > strongest)
                strongest = s->place.source;
            if (pass == 0 || s->place.source != strongest)
                continue;
            if (repeated && seen++ == index)
                return s;
            last = s;
        }
    return repeated || index > 0 ? NULL : last;
}

/* The row's `index`th value as text, or NULL. */
static const char *
value_of(const struct config *c, const char *section, const char *key,
         uint32_t index, const struct hp_param **row)
{
    const struct config_binding *b = config_find_binding(c, section);
    const struct config_setting *s;

    *row = b == NULL ? NULL : config_find_row(b, key);
    if (*row == NULL)
        return NULL;
    s = config_find_setting(c, section, key, index);
    if (s != NULL)
        return config_value(s);
    /* The default stands for the whole list, or is none. */
    if (index > 0 || (*row)->preset == NULL ||
        ((*row)->flags & HP_PARAM_REQUIRED) ||
        (((*row)->flags & HP_PARAM_REPEAT) &&
         ((*row)->preset[0] == '\0' ||
          config_find_setting(c, section, key, 0) != NULL)))
        return NULL;
    return (*row)->preset;
}

int
config_flag(const struct config *c, const char *section, const char *key,
            int *out)
{
    const struct hp_param *row;
    const char *value = value_of(c, section, key, 0, &row);

    if (row != NULL && row->type != HP_PARAM_FLAG)
        return -EINVAL;
    return value == NULL ? -ENOENT : ini_parse_flag(value, out);
}

int
config_int(const struct config *c, const char *section, const char *key,
           uint32_t index, int64_t *out)
{
    const struct hp_param *row;
    const char *value = value_of(c, section, key, index, &row);
    long long number;
    int err;

    if (row != NULL && row->type != HP_PARAM_INT)
        return -EINVAL;
    if (value == NULL)
        return -ENOENT;
    err = ini_parse_int(value, row->unit, &number, NULL);
    if (err == 0)
        *out = number;
    return err;
}

int
config_real(const struct config *c, const char *section, const char *key,
            uint32_t index, double *out)
{
    const struct hp_param *row;
    const char *value = value_of(c, section, key, index, &row);

    if (row != NULL && row->type != HP_PARAM_REAL)
        return -EINVAL;
    if (value == NULL)
        return -ENOENT;
    return ini_parse_real(value, row->unit, out, NULL);
}

int
config_text(const struct config *c, const char *section, const char *key,
            uint32_t index, const char **out)
{
    const struct hp_param *row;
    const char *value = value_of(c, section, key, index, &row);

    if (row != NULL && row->type != HP_PARAM_TEXT &&
        row->type != HP_PARAM_CHOICE && row->type != HP_PARAM_PATH &&
        row->type != HP_PARAM_DATA)
        return -EINVAL;
    if (value == NULL)
        return -ENOENT;
    *out = value;
    return 0;
}

const char *
config_origin(const struct config *c, const char *section, const char *key)
{
    const struct config_setting *s = config_find_setting(c, section, key, 0);

    return s == NULL ? "default" : s->origin;
}

int
config_each(const struct config *c, config_visit *visit, void *context)
{
    const struct config_binding *b;
    const struct hp_param *row, *same;
    const char *value;
    uint32_t r, index;
    size_t i;
    int stop;

    for (i = 0; i < c->bindings.count; i++) {
        b = config_binding_at(c, i);
        for (r = 0; r < b->count; r++) {
            row = config_row_at(b, r);
            for (index = 0;; index++) {
                value = value_of(c, b->section, row->name, index, &same);
                if (value == NULL)
                    break;
                stop = visit(context, b->section, row, index, value);
                if (stop != 0)
                    return stop;
            }
        }
    }
    return 0;
}

/* ---- replacing ---- */

/* "250 ms" is "250", and "yes" is "on". */
static int
same_value(const struct hp_param *row, const char *a, const char *b)
{
    long long int_a, int_b;
    double real_a, real_b;
    int flag_a, flag_b;

    if (a == NULL || b == NULL)
        return a == b;
    if (row->type == HP_PARAM_FLAG && ini_parse_flag(a, &flag_a) == 0 &&
        ini_parse_flag(b, &flag_b) == 0)
        return flag_a == flag_b;
    if (row->type == HP_PARAM_INT &&
        ini_parse_int(a, row->unit, &int_a, NULL) == 0 &&
        ini_parse_int(b, row->unit, &int_b, NULL) == 0)
        return int_a == int_b;
    if (row->type == HP_PARAM_REAL &&
        ini_parse_real(a, row->unit, &real_a, NULL) == 0 &&
        ini_parse_real(b, row->unit, &real_b, NULL) == 0)
        return real_a == real_b;
    return strcmp(a, b) == 0;
}

static int
row_may_change(const struct config *c, const struct config *next,
               const char *section, const struct hp_param *row, char *why,
               size_t why_bytes)
{
    const struct hp_param *same;
    const char *was, *is;
    uint32_t index = 0;

    if (row->flags & HP_PARAM_LIVE)
        return 0;
    do {
        was = value_of(c, section, row->name, index, &same);
        is = value_of(next, section, row->name, index, &same);
        if (!same_value(row, was, is)) {
            snprintf(why, why_bytes,
                     "[%s] %s: found \"%.80s\" in place of \"%.80s\", expected "
                     "no change, for it is not live: restart to change it",
                     section, row->name, is == NULL ? "" : is,
                     was == NULL ? "" : was);
            return -EINVAL;
        }
        index++;
    } while (was != NULL);
    return 0;
}

static int
is_exempt(const char *section, const char *const *exempt)
{
    for (; exempt != NULL && *exempt != NULL; exempt++)
        if (strncmp(section, *exempt, strlen(*exempt)) == 0)
            return 1;
    return 0;
}

int
config_is_same_section(const struct config *c, const struct config *next,
                       const char *section)
{
    const struct config_binding *a = config_find_binding(c, section);
    const struct config_binding *b = config_find_binding(next, section);
    char why[200];
    uint32_t r;

    if (a == NULL || b == NULL || a->count != b->count)
        return 0;
    for (r = 0; r < a->count; r++)
        if (row_may_change(c, next, section, config_row_at(a, r), why,
                           sizeof(why)) < 0)
            return 0;
    return 1;
}

int
config_may_replace(const struct config *c, const struct config *next,
                   const char *const *exempt, char *why, size_t why_bytes)
{
    const struct config_binding *b;
    uint32_t r;
    size_t i;
    int err;

    for (i = 0; i < next->bindings.count; i++) {
        b = config_binding_at(next, i);
        if (config_find_binding(c, b->section) == NULL &&
            !is_exempt(b->section, exempt)) {
            snprintf(why, why_bytes,
                     "[%s]: found a section that was not there at the start, "
                     "expected the same ones: restart to change them",
                     b->section);
            return -EINVAL;
        }
    }
    for (i = 0; i < c->bindings.count; i++) {
        b = config_binding_at(c, i);
        if (is_exempt(b->section, exempt))
            continue;
        if (config_find_binding(next, b->section) == NULL) {
            snprintf(why, why_bytes,
                     "[%s]: found no such section any more, expected the same "
                     "ones: restart to change them",
                     b->section);
            return -EINVAL;
        }
        for (r = 0; r < b->count; r++) {
            err = row_may_change(c, next, b->section, config_row_at(b, r), why,
                                 why_bytes);
            if (err < 0)
                return err;
        }
    }
    return 0;
}

void
config_replace(struct config *c, struct config *next)
{
    struct config old = *c;

    config_destroy(old.previous);
    old.previous = NULL;
    *c = *next;
    *next = old; /* its texts may still be read */
    c->previous = next;
}

/* ---- the lists of [plugins] ---- */

static const char word_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

static int
take_candidate(struct config *c, const char *kind, const char *word,
               size_t bytes, struct config_candidate *out)
{
    if (bytes == 0) {
        config_problem(c, "plugins", kind,
                       "found an empty place in the list, expected a name "
                       "before and after each \"|\" and \",\"");
        return -EINVAL;
    }
    if (bytes >= sizeof(out->name) || strspn(word, word_letters) < bytes) {
        config_problem(c, "plugins", kind,
                       "found \"%.*s\", expected a plugin's name: at most %zu "
                       "of a-z, 0-9 and _",
                       (int)(bytes < 60 ? bytes : 60), word,
                       sizeof(out->name) - 1);
        return -EINVAL;
    }
    memcpy(out->name, word, bytes);
    out->name[bytes] = '\0';
    return 0;
}

static int
is_doubled(const struct config_candidate *list, uint32_t count)
{
    uint32_t i;

    for (i = 0; i + 1 < count; i++)
        if (strcmp(list[i].name, list[count - 1].name) == 0)
            return 1;
    return 0;
}

/* `none` means that there is none, but for predictors: predictor_none is a
 * plugin like any. */
static int
is_absence(const char *kind, const char *names)
{
    return strcmp(names, "none") == 0 && strcmp(kind, "predictor") != 0;
}

int
config_plugins(struct config *c, const char *kind, struct config_candidate *out,
               uint32_t capacity, uint32_t *count)
{
    const char *p, *end;
    uint32_t use = 0, candidate = 0;
    size_t bytes;

    *count = 0;
    if (config_text(c, "plugins", kind, 0, &p) < 0)
        return -EINVAL;
    if (*p == '\0' || is_absence(kind, p))
        return 0;
    for (;; p = end + 1) {
        end = p + strcspn(p, "|,");
        p += strspn(p, " \t");
        for (bytes = p < end ? (size_t)(end - p) : 0;
             bytes > 0 && (p[bytes - 1] == ' ' || p[bytes - 1] == '\t');
             bytes--)
            ;
        if (*count == capacity) {
            config_problem(c, "plugins", kind,
                           "found more than %u names, expected at most that",
                           capacity);
            return -EINVAL;
        }
        out[*count].use = use;
        out[*count].candidate = candidate++;
        if (take_candidate(c, kind, p, bytes, &out[*count]) < 0)
            return -EINVAL;
        ++*count;
        if (is_doubled(out, *count)) {
            config_problem(c, "plugins", kind,
                           "found \"%s\" twice, expected each name once",
                           out[*count - 1].name);
            return -EINVAL;
        }
        if (*end == '\0')
            return 0;
        if (*end == ',') {
            use++;
            candidate = 0;
        }
    }
}
