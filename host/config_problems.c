/* Problems: kept with their place, told in its order. */
#include <config.h>

#include "config_store.h"
#include <stdlib.h>
#include <string.h>

void
config_tell_list(struct config *c, const struct config_place *place,
                 const char *subject, const char *format, va_list list)
{
    struct config_told *told;
    char sentence[1536], *text = NULL;

    vsnprintf(sentence, sizeof(sentence), format, list);
    if (asprintf(&text, "%s%s%s", subject, *subject != '\0' ? ": " : "",
                 sentence) < 0) {
        c->out_of_memory = 1;
        return;
    }
    told = config_grow(c, &c->problems, sizeof(*told));
    if (told == NULL) {
        free(text);
        return;
    }
    told->place = *place;
    told->order = (int)c->problems.count;
    told->text = text;
}

void
config_tell(struct config *c, const struct config_place *place,
            const char *subject, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    config_tell_list(c, place, subject, format, list);
    va_end(list);
}

/* Where a section begins: its heading, or else what was first set in it from
 * outside of any file. */
static const struct config_place *
section_place(const struct config *c, const char *section)
{
    const struct config_setting *s;
    size_t i;

    for (i = 0; i < c->headings.count; i++)
        if (strcmp(config_heading_at(c, i)->section, section) == 0)
            return &config_heading_at(c, i)->place;
    for (i = 0; i < c->settings.count; i++) {
        s = config_setting_at(c, i);
        if (config_names(s, s->section, section))
            return &s->place;
    }
    return NULL;
}

void
config_problem(struct config *c, const char *section, const char *key,
               const char *format, ...)
{
    struct config_place place = {CONFIG_FILE, "configuration", 0, 0};
    const struct config_setting *s = NULL;
    char subject[160] = "";
    va_list list;

    if (c->names.count > 0)
        place.name = ((char **)c->names.items)[0];
    if (section != NULL && section_place(c, section) != NULL)
        place = *section_place(c, section);
    if (section != NULL && key != NULL) {
        s = config_find_setting(c, section, key, 0);
        snprintf(subject, sizeof(subject), "[%s] %s", section, key);
    } else if (section != NULL) {
        snprintf(subject, sizeof(subject), "[%s]", section);
    }
    if (s != NULL) {
        place = s->place;
        place.column = s->value_column;
    }
    va_start(list, format);
    config_tell_list(c, &place, subject, format, list);
    va_end(list);
}

int
config_problem_count(const struct config *c)
{
    return (int)c->problems.count + (c->out_of_memory != 0);
}

static int
compare_problems(const void *left, const void *right)
{
    const struct config_told *a = left, *b = right;

    if (a->place.source != b->place.source)
        return a->place.source < b->place.source ? -1 : 1;
    if (a->place.line != b->place.line)
        return a->place.line < b->place.line ? -1 : 1;
    if (a->place.column != b->place.column)
        return a->place.column < b->place.column ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

void
config_print_problems(const struct config *c, FILE *to)
{
    const struct config_told *told;
    size_t i;

    /* Sorting changes nothing that a caller can see. */
    if (c->problems.count > 1)
        qsort(c->problems.items, c->problems.count, sizeof(*told),
              compare_problems);
    for (i = 0; i < c->problems.count; i++) {
        told = config_told_at(c, i);
        fputs(told->place.name, to);
        if (told->place.line > 0)
            fprintf(to, ":%d:%d", told->place.line, told->place.column);
        fprintf(to, ": error: %s\n", told->text);
    }
    if (c->out_of_memory)
        fprintf(to, "configuration: error: out of memory\n");
}
