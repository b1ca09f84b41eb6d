#include "table.h"
#include "report.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define CELL_BYTES_MAX 256

static const struct {
    const char *label;
    const char *dotted;
    int equal; /* figures of different ones differ for that reason too */
} settings[] = {
    {"date",            "date",                 0},
    {"CPU",             "setup.cpu",            0},
    {"kernel",          "setup.kernel",         1},
    {"ENet version",    "setup.enet_version",   1},
    {"tick rate",       "setup.tick_rate_hz",   1},
    {"service",         "setup.service",        0},
    {"phase",           "setup.phase",          0},
    {"timer slack, ns", "setup.timer_slack_ns", 0},
    {"scheduler",       "setup.scheduler",      0},
    {"foreign cores",   "setup.foreign_cores",  0},
    {"verdict",         "verdict",              0},
};

#define SETTINGS ((int)(sizeof(settings) / sizeof(settings[0])))

/* Text out of a file: what would end the cell or the row, or steer the
 * terminal, is replaced. */
static void
put_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '|')
            fputs("\\|", to);
        else
            fputc(c < ' ' || c == 127 ? ' ' : c, to);
    }
}

static void
put_number(FILE *to, double value)
{
    char text[400]; /* the longest double */

    report_number(value, text, sizeof(text));
    fprintf(to, " %s |", text);
}

static void
print_head(FILE *to, const struct report *reports, int count)
{
    int i;

    fputs("| |", to);
    for (i = 0; i < count; i++) {
        fputc(' ', to);
        put_text(to, reports[i].path);
        fputs(i == 0 ? " |" : " | first / this |", to);
    }
    fputs("\n|---|", to);
    for (i = 0; i < count; i++)
        fputs(i == 0 ? "---:|" : "---:|---:|", to);
    fputc('\n', to);
}

static void
print_setting(FILE *to, int setting, const struct report *reports, int count)
{
    char text[CELL_BYTES_MAX];
    int i;

    fprintf(to, "| %s |", settings[setting].label);
    for (i = 0; i < count; i++) {
        report_text(&reports[i], settings[setting].dotted, text, sizeof(text));
        fputc(' ', to);
        put_text(to, text);
        fputs(i == 0 ? " |" : " | |", to);
    }
    fputc('\n', to);
}

static void
print_figure(FILE *to, const char *group, const char *name, const char *figure,
             const struct report *reports, int count)
{
    double first = report_figure(&reports[0], group, name, figure);
    int i;

    fprintf(to, "| %s", strcmp(group, "floor") == 0 ? "floor: " : "");
    put_text(to, name);
    fprintf(to, " %s |", figure);
    for (i = 0; i < count; i++) {
        double value = report_figure(&reports[i], group, name, figure);

        put_number(to, value);
        if (i > 0)
            put_number(to, value == 0 ? NAN : first / value);
    }
    fputc('\n', to);
}

static void
print_group(FILE *to, const char *group, const struct report *reports,
            int count)
{
    const char *name;
    json_t *distribution;
    int i;

    for (i = 0; i < count; i++)
        json_object_foreach(report_group(&reports[i], group), name,
                            distribution)
        {
            if (report_any_has(reports, i, group, name))
                continue;
            print_figure(to, group, name, "p50", reports, count);
            print_figure(to, group, name, "p99", reports, count);
        }
}

int
table_print(FILE *to, const struct report *reports, int count)
{
    int i;

    print_head(to, reports, count);
    for (i = 0; i < SETTINGS; i++)
        print_setting(to, i, reports, count);
    print_group(to, "stages", reports, count);
    print_group(to, "floor", reports, count);
    return ferror(to) ? -EIO : 0;
}

int
table_warn(FILE *to, const struct report *reports, int count)
{
    char first[CELL_BYTES_MAX], text[CELL_BYTES_MAX];
    int setting, i, warnings = 0;

    for (setting = 0; setting < SETTINGS; setting++) {
        if (!settings[setting].equal)
            continue;
        report_text(&reports[0], settings[setting].dotted, first,
                    sizeof(first));
        for (i = 1; i < count; i++) {
            report_text(&reports[i], settings[setting].dotted, text,
                        sizeof(text));
            if (strcmp(first, text) == 0)
                continue;
            fputs(warnings++ == 0 ? "\n" : "", to);
            fprintf(to, "warning: another %s: ", settings[setting].label);
            put_text(to, first);
            fputs(" in ", to);
            put_text(to, reports[0].path);
            fputs(", ", to);
            put_text(to, text);
            fputs(" in ", to);
            put_text(to, reports[i].path);
            fputs("\n", to);
        }
    }
    return warnings;
}
