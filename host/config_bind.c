/* Which rows the settings belong to, and what is told of those that fit none. */
#include <config.h>

#include "config_store.h"
#include "data_file.h"
#include <errno.h>
#include <ini/ini.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const struct hp_param *
config_row_at(const struct config_binding *b, uint32_t i)
{
    return (const struct hp_param *)(const void *)((const char *)b->rows +
                                                   (size_t)i * b->stride);
}

const struct config_binding *
config_find_binding(const struct config *c, const char *section)
{
    size_t i;

    for (i = 0; i < c->bindings.count; i++)
        if (strcmp(config_binding_at(c, i)->section, section) == 0)
            return config_binding_at(c, i);
    return NULL;
}

const struct hp_param *
config_find_row(const struct config_binding *b, const char *key)
{
    uint32_t i;

    for (i = 0; i < b->count; i++)
        if (strcmp(config_row_at(b, i)->name, key) == 0)
            return config_row_at(b, i);
    return NULL;
}

void
config_set_checks(struct config *c, const struct config_check *checks,
                  uint32_t count)
{
    c->checks = checks;
    c->check_count = count;
}

/* Whether `name` is what the environment writes as `shouted`: capitals, and _
 * for every dot. */
static int
shouts(const char *shouted, const char *name)
{
    char c;

    for (; *name != '\0'; name++, shouted++) {
        c = *name == '.' ? '_' : *name;
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        if (*shouted != c)
            return 0;
    }
    return *shouted == '\0';
}

int
config_names(const struct config_setting *s, const char *given,
             const char *name)
{
    return s->place.source == CONFIG_ENVIRONMENT ? shouts(given, name)
                                                 : strcmp(given, name) == 0;
}

const struct hp_param *
config_row_of(const struct config_binding *b, const struct config_setting *s)
{
    uint32_t i;

    for (i = 0; i < b->count; i++)
        if (config_names(s, s->key, config_row_at(b, i)->name))
            return config_row_at(b, i);
    return NULL;
}

/* A relative path is one from the folder of the file that names it. */
static void
resolve(struct config *c, struct config_setting *s)
{
    const char *slash = strrchr(s->place.name, '/');

    free(s->path);
    s->path = NULL;
    if (s->place.source != CONFIG_FILE || slash == NULL || *s->value == '/' ||
        *s->value == '\0')
        return;
    if (asprintf(&s->path, "%.*s/%s", (int)(slash - s->place.name),
                 s->place.name, s->value) < 0) {
        s->path = NULL;
        c->out_of_memory = 1;
    }
}

/* A data file's path is found as any, a name where the data are. */
static void
resolve_data(struct config *c, struct config_setting *s)
{
    char path[PATH_MAX];

    if (data_file_is_path(s->row, s->value)) {
        resolve(c, s);
        return;
    }
    free(s->path);
    s->path = NULL;
    if (c->names_stay ||
        data_file_find(s->row, s->value, path, sizeof(path)) < 0)
        return;
    s->path = strdup(path);
    if (s->path == NULL)
        c->out_of_memory = 1;
}

const char *
config_value(const struct config_setting *s)
{
    return s->path != NULL ? s->path : s->value;
}

static void
subject_of(const struct config_setting *s, char *out, size_t bytes)
{
    snprintf(out, bytes, "[%s] %s",
             s->bound_section != NULL ? s->bound_section : s->section,
             s->row != NULL ? s->row->name : s->key);
}

static void
tell_value(struct config *c, const struct config_setting *s,
           const char *expected, const char *hint)
{
    struct config_place place = s->place;
    char subject[160];

    place.column = s->value_column;
    subject_of(s, subject, sizeof(subject));
    if (*s->value == '\0')
        config_tell(c, &place, subject, "found no value, expected %s%s%s",
                    expected, *hint != '\0' ? "; " : "", hint);
    else
        config_tell(c, &place, subject, "found \"%.80s\", expected %s%s%s",
                    s->value, expected, *hint != '\0' ? "; " : "", hint);
}

static void
judge_setting(struct config *c, const struct config_setting *s)
{
    struct config_verdict verdict;
    uint32_t i;

    if (config_judge(s->row, config_value(s), &verdict) < 0) {
        tell_value(c, s, verdict.expected, verdict.hint);
        return;
    }
    for (i = 0; i < c->check_count; i++)
        if (strcmp(c->checks[i].section, s->bound_section) == 0 &&
            strcmp(c->checks[i].key, s->row->name) == 0 &&
            c->checks[i].judge(s->value, verdict.expected,
                               sizeof(verdict.expected)) < 0)
            tell_value(c, s, verdict.expected, "");
}

/* A file says a thing once; of two -s the later one counts. */
static void
judge_doubled(struct config *c, size_t index)
{
    const struct config_setting *s = config_setting_at(c, index), *other;
    char subject[160];
    size_t i;

    if (s->place.source != CONFIG_FILE || (s->row->flags & HP_PARAM_REPEAT))
        return;
    for (i = 0; i < index; i++) {
        other = config_setting_at(c, i);
        if (other->row != s->row || other->bound_section != s->bound_section ||
            other->place.source != CONFIG_FILE)
            continue;
        subject_of(s, subject, sizeof(subject));
        config_tell(c, &s->place, subject,
                    "found again, expected once: line %d sets it to \"%.80s\" "
                    "already; delete one of the two",
                    other->place.line, other->value);
        return;
    }
}

static void
judge_missing(struct config *c, const struct config_binding *b)
{
    const struct hp_param *row;
    uint32_t i;

    for (i = 0; i < b->count && !c->broken_lines; i++) {
        row = config_row_at(b, i);
        if ((row->flags & HP_PARAM_REQUIRED) &&
            config_find_setting(c, b->section, row->name, 0) == NULL)
            config_problem(c, b->section, row->name,
                           "found nothing, expected a value, for it has no "
                           "default: write \"%s = ...\" under [%s] (%s)",
                           row->name, b->section, row->sentence);
    }
}

static struct config_binding *
add_binding(struct config *c, const char *section)
{
    struct config_binding *b = config_grow(c, &c->bindings, sizeof(*b));

    if (b == NULL)
        return NULL;
    b->section = config_copy(c, section, strlen(section));
    if (b->section == NULL) {
        c->bindings.count--;
        return NULL;
    }
    return b;
}

int
config_bind(struct config *c, const char *section, const struct hp_param *rows,
            uint32_t count, uint32_t stride)
{
    int before = config_problem_count(c);
    struct config_binding *b;
    struct config_setting *s;
    size_t i;

    if (config_find_binding(c, section) != NULL)
        return 0;
    b = add_binding(c, section);
    if (b == NULL)
        return 1;
    b->rows = rows;
    b->count = count;
    b->stride = stride;
    for (i = 0; i < c->settings.count; i++) {
        s = config_setting_at(c, i);
        if (s->row != NULL || !config_names(s, s->section, section))
            continue;
        s->row = config_row_of(b, s);
        if (s->row == NULL)
            continue;
        s->bound_section = b->section;
        if (s->row->type == HP_PARAM_PATH)
            resolve(c, s);
        if (s->row->type == HP_PARAM_DATA)
            resolve_data(c, s);
        judge_setting(c, s);
        judge_doubled(c, i);
    }
    judge_missing(c, b);
    return config_problem_count(c) - before;
}

void
config_forgive(struct config *c, const char *section)
{
    struct config_binding *b;

    if (config_find_binding(c, section) != NULL)
        return;
    b = add_binding(c, section);
    if (b != NULL)
        b->forgiven = 1;
}

void
config_forgive_as(struct config *c, const struct config *other)
{
    size_t i;

    for (i = 0; i < other->bindings.count; i++)
        if (config_binding_at(other, i)->forgiven)
            config_forgive(c, config_binding_at(other, i)->section);
}
