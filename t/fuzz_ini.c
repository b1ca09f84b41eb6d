/*
 * Fuzzing the INI reader. What holds for any bytes: places grow, names and
 * values keep their limits and hold no control bytes, and the number of
 * problems told is the number returned.
 */
#include <ini/ini.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct seen {
    int problems;
    int line;
};

static void
hold(int truth)
{
    if (!truth)
        abort();
}

static void
hold_text(const char *text, size_t bytes_max)
{
    const char *p;

    hold(strlen(text) <= bytes_max);
    for (p = text; *p != '\0'; p++)
        hold((unsigned char)*p >= ' ' || *p == '\t');
}

static void
see_item(void *context, const struct ini_item *item)
{
    struct seen *seen = context;
    long long whole;
    double real;
    int flag;

    hold(item->line > seen->line && item->column >= 1);
    seen->line = item->line;
    hold_text(item->section, INI_SECTION_MAX);
    if (item->key == NULL)
        return;
    hold_text(item->key, INI_KEY_MAX);
    hold(*item->key != '\0' && item->value_column > item->column);
    hold_text(item->value, INI_VALUE_MAX);
    if (ini_parse_int(item->value, "ms", &whole, NULL) == 0)
        hold(ini_parse_real(item->value, "ms", &real, NULL) == 0);
    ini_parse_flag(item->value, &flag);
    ini_nearest(item->key, &item->section, 1, sizeof(item->section));
}

static void
see_problem(void *context, const struct ini_problem *problem)
{
    struct seen *seen = context;

    hold(problem->line >= 1 && problem->column >= 1);
    hold(*problem->sentence != '\0');
    seen->problems++;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct seen seen = {0, 0};
    const struct ini_handler handler = {see_item, see_problem, &seen};

    hold(ini_read_bytes(bytes, count, &handler) == seen.problems);
    return 0;
}
