/* The list of what is wrong with an aircraft file. */
#include "aircraft_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct aircraft_problem *
next_problem(struct aircraft_problems *p)
{
    size_t capacity = p->capacity * 2 + 16;
    struct aircraft_problem *items;

    if (p->count == AIRCRAFT_PROBLEMS_MAX)
        return NULL;
    if (p->count == p->capacity) {
        items = realloc(p->items, capacity * sizeof(*items));
        if (items == NULL)
            return NULL; /* counted, not kept */
        p->items = items;
        p->capacity = capacity;
    }
    return &p->items[p->count++];
}

static void
add(struct aircraft_problems *p, int level, int warning,
    struct aircraft_place at, const char *format, va_list list)
{
    struct aircraft_problem *item = next_problem(p);

    if (warning)
        p->warnings++;
    else
        p->errors++;
    if (item == NULL)
        return;
    item->at = at;
    item->level = level;
    item->warning = warning;
    vsnprintf(item->text, sizeof(item->text), format, list);
}

void
aircraft_error(struct aircraft_problems *p, int level, struct aircraft_place at,
               const char *format, ...)
{
    va_list list;

    va_start(list, format);
    add(p, level, 0, at, format, list);
    va_end(list);
}

void
aircraft_warning(struct aircraft_problems *p, int level,
                 struct aircraft_place at, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    add(p, level, 1, at, format, list);
    va_end(list);
}

static int
problem_text(const struct aircraft_problem *item, const char *path, char *out,
             size_t bytes)
{
    return snprintf(out, bytes, "%s:%d:%d: %s: %s", path, item->at.line,
                    item->at.column, item->warning ? "warning" : "error",
                    item->text);
}

void
aircraft_problems_print(const struct aircraft_problems *p, const char *path,
                        FILE *to)
{
    size_t told = p->errors + p->warnings;
    char text[1600];
    size_t i;

    for (i = 0; i < p->count; i++) {
        problem_text(&p->items[i], path, text, sizeof(text));
        fprintf(to, "%s\n", text);
    }
    if (told > p->count)
        fprintf(to, "%s: and %zu problems more\n", path, told - p->count);
}

void
aircraft_problems_first(const struct aircraft_problems *p, const char *path,
                        char *out, size_t bytes)
{
    size_t i;

    out[0] = '\0';
    for (i = 0; i < p->count; i++)
        if (!p->items[i].warning) {
            problem_text(&p->items[i], path, out, bytes);
            return;
        }
}

void
aircraft_problems_finish(struct aircraft_problems *p)
{
    free(p->items);
    memset(p, 0, sizeof(*p));
}
