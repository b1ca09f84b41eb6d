/* The rows as an example file and as the manual's list: both are kept in the
 * tree, and t/options.t holds them equal to what this prints. */
#include "options.h"
#include <string.h>

#define WIDTH 78

/* A sentence as comment lines. */
static void
print_comment(FILE *to, const char *text)
{
    size_t column = 0, word;

    while (*text != '\0') {
        word = strcspn(text, " ");
        if (column > 0 && column + 1 + word > WIDTH) {
            fputc('\n', to);
            column = 0;
        }
        column += (size_t)fprintf(to, "%s%.*s", column == 0 ? "; " : " ",
                                  (int)word, text);
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

void
options_describe_values(const struct hp_param *row, char *out, size_t bytes)
{
    const char *p;
    size_t used = 0;

    *out = '\0';
    switch (row->type) {
    case HP_PARAM_FLAG:
        snprintf(out, bytes, "yes or no");
        break;
    case HP_PARAM_INT:
    case HP_PARAM_REAL:
        snprintf(out, bytes, "%.15g to %.15g%s%s", row->minimum, row->maximum,
                 *row->unit != '\0' ? " " : "", row->unit);
        break;
    case HP_PARAM_CHOICE:
        for (p = row->choices; *p != '\0' && used + 5 < bytes; p++)
            used += (size_t)snprintf(out + used, bytes - used,
                                     *p != '|'                    ? "%c"
                                     : strchr(p + 1, '|') == NULL ? " or "
                                                                  : ", ",
                                     *p);
        break;
    default:
        break;
    }
}

/* The sentence, the values, and whether a reload may change it. */
static void
print_key(FILE *to, const struct hp_param *row)
{
    const char *preset = row->preset != NULL ? row->preset : "";
    char values[128], text[640];

    options_describe_values(row, values, sizeof(values));
    snprintf(text, sizeof(text), "%s%s%s%s%s%s", row->sentence,
             *values != '\0' ? " (" : "", values, *values != '\0' ? ")" : "",
             row->flags & HP_PARAM_REQUIRED ? " It must be given." : "",
             row->flags & HP_PARAM_LIVE ? " A reload may change it." : "");
    fputc('\n', to);
    print_comment(to, text);
    fprintf(to, "%s =%s%s\n", row->name, *preset != '\0' ? " " : "", preset);
}

static const struct hp_param *
row_at(const struct hp_param *rows, uint32_t index, uint32_t stride)
{
    return (const void *)((const char *)rows + (size_t)index * stride);
}

void
options_print_keys(FILE *to, const struct hp_param *rows, uint32_t count,
                   uint32_t stride)
{
    uint32_t r;

    for (r = 0; r < count; r++)
        print_key(to, row_at(rows, r, stride));
}

void
options_print_example(FILE *to)
{
    const struct options_section *s;
    uint32_t count, i;

    print_comment(to, "Every key of the host with its default, as "
                      "\"hardpoint show --example\" prints it: see "
                      "hardpoint.ini(5). Keep the lines you change. Plugins "
                      "have sections of their own, [KIND.NAME]: see "
                      "\"hardpoint plugins list\".");
    s = options_sections(&count);
    for (i = 0; i < count; i++) {
        fputc('\n', to);
        print_comment(to, s[i].sentence);
        fprintf(to, "[%s]\n", s[i].name);
        options_print_keys(to, s[i].rows, s[i].row_count, sizeof(s[i].rows[0]));
    }
}

/* One sentence a line, as mdoc wants it. */
static void
print_sentences(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        if ((text[0] == '.' || text[0] == '?') && text[1] == ' ')
            fputc(*text++, to), fputc('\n', to);
        else
            fputc(*text, to);
    fputc('\n', to);
}

void
options_print_man_keys(FILE *to, const struct hp_param *rows, uint32_t count,
                       uint32_t stride)
{
    const struct hp_param *row;
    const char *preset;
    char values[128];
    uint32_t r;

    fprintf(to, ".Bl -tag -width Ds\n");
    for (r = 0; r < count; r++) {
        row = row_at(rows, r, stride);
        preset = row->preset != NULL ? row->preset : "";
        fprintf(to, ".It Ic %s%s%s\n", row->name, *preset != '\0' ? " = " : "",
                preset);
        print_sentences(to, row->sentence);
        options_describe_values(row, values, sizeof(values));
        if (*values != '\0')
            fprintf(to, "Values: %s.\n", values);
        if (row->flags & HP_PARAM_REQUIRED)
            fprintf(to, "It must be given.\n");
        if (row->flags & HP_PARAM_LIVE)
            fprintf(to, "A reload may change it.\n");
    }
    fprintf(to, ".El\n");
}

void
options_print_man(FILE *to)
{
    const struct options_section *s;
    uint32_t count, i;

    s = options_sections(&count);
    for (i = 0; i < count; i++) {
        fprintf(to, ".Ss [%s]\n", s[i].name);
        print_sentences(to, s[i].sentence);
        options_print_man_keys(to, s[i].rows, s[i].row_count,
                               sizeof(s[i].rows[0]));
    }
}
