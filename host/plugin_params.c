#include "plugin_params.h"
#include "refuse.h"
#include <errno.h>
#include <ini/ini.h>
#include <string.h>

/* A row of 1.0; later ones may be longer. */
#define ROW_BYTES_1_0 \
    (offsetof(struct hp_param, flags) + sizeof(((struct hp_param *)0)->flags))

/* More would be a wild count rather than a plugin. */
#define ROWS_MAX 1024

int
plugin_name_is_good(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");

    return name[0] >= 'a' && name[0] <= 'z' && name[length] == '\0' &&
           length < sizeof(((struct hp_note *)0)->name);
}

static const struct hp_param *
row_at(const struct hp_plugin *t, uint32_t index)
{
    return (const struct hp_param *)(const void *)((const char *)t->params +
                                                   (size_t)index *
                                                       t->param_stride);
}

static int
is_choice(const char *word, const char *choices)
{
    size_t length = strlen(word), part;

    for (;; choices += part + 1) {
        part = strcspn(choices, "|");
        if (length > 0 && part == length && memcmp(word, choices, part) == 0)
            return 1;
        if (choices[part] == '\0')
            return 0;
    }
}

/* Whether the row would take its own preset from an INI file. */
static int
preset_is_good(const struct hp_param *row)
{
    long long number;
    double real;
    int flag;

    switch (row->type) {
    case HP_PARAM_FLAG:
        return ini_parse_flag(row->preset, &flag) == 0;
    case HP_PARAM_INT:
        return ini_parse_int(row->preset, row->unit, &number, NULL) == 0 &&
               (double)number >= row->minimum && (double)number <= row->maximum;
    case HP_PARAM_REAL:
        return ini_parse_real(row->preset, row->unit, &real, NULL) == 0 &&
               real >= row->minimum && real <= row->maximum;
    case HP_PARAM_CHOICE:
        return is_choice(row->preset, row->choices);
    default:
        return 1;
    }
}

static int
judge_row(const char *file, const struct hp_param *row, char *why)
{
    int is_number = row->type == HP_PARAM_INT || row->type == HP_PARAM_REAL;

    if (row->type < HP_PARAM_FLAG || row->type > HP_PARAM_DATA)
        return refuse(why, -EPROTO,
                      "%s: parameter %s is of type %u, which this host (ABI "
                      "%d.%d) does not know; use a newer host",
                      file, row->name, (unsigned)row->type, HP_ABI_MAJOR,
                      HP_ABI_MINOR);
    if (row->unit == NULL || row->sentence == NULL)
        return refuse(why, -EINVAL,
                      "%s: parameter %s has no %s; write one (\"\" where "
                      "there is no unit)",
                      file, row->name, row->unit == NULL ? "unit" : "sentence");
    if (is_number && !(row->minimum <= row->maximum))
        return refuse(why, -EINVAL,
                      "%s: parameter %s allows %g to %g, expected the smaller "
                      "bound first; set minimum and maximum",
                      file, row->name, row->minimum, row->maximum);
    if (row->type == HP_PARAM_CHOICE &&
        (row->choices == NULL || row->choices[0] == '\0'))
        return refuse(why, -EINVAL,
                      "%s: parameter %s is a choice without choices; list "
                      "them, as in \"flat|round\"",
                      file, row->name);
    if (row->type == HP_PARAM_DATA &&
        (row->choices == NULL || strchr(row->choices, '|') == NULL))
        return refuse(why, -EINVAL,
                      "%s: parameter %s is a data file without its folder and "
                      "ending; give them as choices, as in \"aircraft|.ini\"",
                      file, row->name);
    if (row->flags & HP_PARAM_REQUIRED)
        return 0;
    if (row->preset == NULL)
        return refuse(why, -EINVAL,
                      "%s: parameter %s has no preset; give it one, or flag "
                      "it HP_PARAM_REQUIRED",
                      file, row->name);
    /* A repeated row may start from no value at all. */
    if ((row->flags & HP_PARAM_REPEAT) && row->preset[0] == '\0')
        return 0;
    if (!preset_is_good(row))
        return refuse(why, -EINVAL,
                      "%s: parameter %s would not take its own preset \"%s\"; "
                      "it must fit the row's type, range, unit and choices",
                      file, row->name, row->preset);
    return 0;
}

static int
judge_names(const char *file, const struct hp_plugin *t, char *why)
{
    const char *name;
    uint32_t i, j;

    for (i = 0; i < t->param_count; i++) {
        name = row_at(t, i)->name;
        if (name == NULL || !plugin_name_is_good(name))
            return refuse(why, -EINVAL,
                          "%s: parameter number %u is called \"%s\", expected "
                          "small letters, digits and _, a letter first; "
                          "rename it",
                          file, (unsigned)i + 1, name == NULL ? "" : name);
        for (j = 0; j < i; j++)
            if (strcmp(name, row_at(t, j)->name) == 0)
                return refuse(why, -EINVAL,
                              "%s: has two parameters called %s (rows %u and "
                              "%u), expected one; rename or remove one",
                              file, name, (unsigned)j + 1, (unsigned)i + 1);
    }
    return 0;
}

int
plugin_judge_params(const char *file, const struct hp_plugin *t, char *why)
{
    const struct hp_param *row;
    uint32_t i;
    int err;

    if (t->param_count == 0)
        return 0;
    if (t->params == NULL)
        return refuse(why, -EINVAL,
                      "%s: says it has %u parameters but names no table of "
                      "them; use HP_PARAMS or HP_NO_PARAMS",
                      file, (unsigned)t->param_count);
    if (t->param_count > ROWS_MAX || t->param_stride < ROW_BYTES_1_0 ||
        t->param_stride % _Alignof(struct hp_param) != 0)
        return refuse(why, -EINVAL,
                      "%s: says it has %u parameters of %u bytes, expected at "
                      "most %d of at least %zu (ABI 1.0); use HP_PARAMS",
                      file, (unsigned)t->param_count, (unsigned)t->param_stride,
                      ROWS_MAX, ROW_BYTES_1_0);
    err = judge_names(file, t, why);
    for (i = 0; i < t->param_count && err == 0; i++) {
        row = row_at(t, i);
        err = judge_row(file, row, why);
        if (err == 0 && (row->flags & HP_PARAM_LIVE) && t->reload == NULL)
            err = refuse(why, -EINVAL,
                         "%s: parameter %s is flagged HP_PARAM_LIVE but "
                         "hp_plugin_v1 has no reload; add it, or drop the "
                         "flag",
                         file, row->name);
    }
    return err;
}
