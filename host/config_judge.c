/* Whether a value fits its row, and the words for when it does not. */
#include "config_store.h"
#include <errno.h>
#include <ini/ini.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any number a row can hold: such a bound says nothing. */
#define UNBOUNDED 9e18

static void
expect_number(const struct hp_param *row, const char *what,
              struct config_verdict *out)
{
    const char *unit = row->unit == NULL ? "" : row->unit;

    if (row->minimum <= -UNBOUNDED && row->maximum >= UNBOUNDED)
        snprintf(out->expected, sizeof(out->expected), "%s%s%s", what,
                 *unit != '\0' ? " of " : "", unit);
    else if (row->type == HP_PARAM_INT)
        snprintf(out->expected, sizeof(out->expected),
                 "%s from %.0f to %.0f%s%s", what, row->minimum, row->maximum,
                 *unit != '\0' ? " " : "", unit);
    else
        snprintf(out->expected, sizeof(out->expected),
                 "%s from %.15g to %.15g%s%s", what, row->minimum, row->maximum,
                 *unit != '\0' ? " " : "", unit);
}

/* `rest` is what a number left over of `value`. */
static void
hint_at_rest(const char *value, const char *rest, struct config_verdict *out)
{
    value += strspn(value, " \t");
    if (*rest == '#')
        snprintf(out->hint, sizeof(out->hint),
                 "a comment after a value begins with \";\"");
    else if (rest > value && *rest != '\0')
        snprintf(out->hint, sizeof(out->hint), "\"%.40s\" is not understood",
                 rest);
}

static int
judge_int(const struct hp_param *row, const char *value,
          struct config_verdict *out)
{
    const char *rest = value;
    long long number;
    int err;

    expect_number(row, "a whole number", out);
    err = ini_parse_int(value, row->unit, &number, &rest);
    if (err == -EINVAL)
        hint_at_rest(value, rest, out);
    if (err < 0 || (double)number < row->minimum ||
        (double)number > row->maximum)
        return -EINVAL;
    return 0;
}

static int
judge_real(const struct hp_param *row, const char *value,
           struct config_verdict *out)
{
    const char *rest = value;
    double number;
    int err;

    expect_number(row, "a number", out);
    err = ini_parse_real(value, row->unit, &number, &rest);
    if (err == -EINVAL)
        hint_at_rest(value, rest, out);
    if (err < 0 || number < row->minimum || number > row->maximum)
        return -EINVAL;
    return 0;
}

/* The words of "flat|round" in an array of their own, for one free. */
struct choices {
    char text[256];
    const char *words[32];
    uint32_t count;
};

static void
split_choices(const char *choices, struct choices *out)
{
    char *rest = NULL, *word;

    out->count = 0;
    snprintf(out->text, sizeof(out->text), "%s", choices);
    for (word = strtok_r(out->text, "|", &rest);
         word != NULL && out->count < 32; word = strtok_r(NULL, "|", &rest))
        out->words[out->count++] = word;
}

static int
judge_choice(const struct hp_param *row, const char *value,
             struct config_verdict *out)
{
    struct choices choices;
    const char *near;
    size_t bytes = 0;
    uint32_t i;

    split_choices(row->choices == NULL ? "" : row->choices, &choices);
    for (i = 0; i < choices.count; i++) {
        if (strcmp(value, choices.words[i]) == 0)
            return 0;
        if (bytes < sizeof(out->expected))
            bytes += (size_t)snprintf(out->expected + bytes,
                                      sizeof(out->expected) - bytes, "%s%s",
                                      i == 0                   ? ""
                                      : i + 1 == choices.count ? " or "
                                                               : ", ",
                                      choices.words[i]);
    }
    near = ini_nearest(value, choices.words, choices.count,
                       sizeof(choices.words[0]));
    if (near != NULL)
        snprintf(out->hint, sizeof(out->hint), "did you mean \"%s\"?", near);
    return -EINVAL;
}

static int
judge_path(const struct hp_param *row, const char *value,
           struct config_verdict *out)
{
    if (*value == '\0' || !(row->flags & HP_PARAM_INPUT) ||
        access(value, R_OK) == 0)
        return 0;
    snprintf(out->expected, sizeof(out->expected),
             "a file that can be read, but %.150s: %s", value, strerror(errno));
    snprintf(out->hint, sizeof(out->hint),
             "a relative path begins at the folder of its INI file, one that "
             "is not from a file at the working folder");
    return -EINVAL;
}

int
config_judge(const struct hp_param *row, const char *value,
             struct config_verdict *out)
{
    int flag;

    memset(out, 0, sizeof(*out));
    if (*value == '\0' && (row->flags & HP_PARAM_REQUIRED)) {
        snprintf(out->expected, sizeof(out->expected), "a value");
        return -EINVAL;
    }
    switch (row->type) {
    case HP_PARAM_FLAG:
        snprintf(out->expected, sizeof(out->expected), "yes or no");
        return ini_parse_flag(value, &flag);
    case HP_PARAM_INT:
        return judge_int(row, value, out);
    case HP_PARAM_REAL:
        return judge_real(row, value, out);
    case HP_PARAM_CHOICE:
        return judge_choice(row, value, out);
    case HP_PARAM_PATH:
        return judge_path(row, value, out);
    case HP_PARAM_DATA:
        if (*value != '\0')
            return 0;
        snprintf(out->expected, sizeof(out->expected),
                 "the name or the path of a file");
        return -EINVAL;
    case HP_PARAM_TEXT:
        return 0;
    default:
        snprintf(out->expected, sizeof(out->expected),
                 "nothing: this host does not know the key's type %u",
                 row->type);
        return -EINVAL;
    }
}
