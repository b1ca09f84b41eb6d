#include "report.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum expected {
    A_TEXT,
    A_NUMBER,
    A_SCALAR,
    AN_OBJECT
};

/* Without these there is nothing to compare, or no way to judge it. */
static const struct {
    const char *dotted;
    enum expected expected;
} required[] = {
    {"date",                 A_TEXT   },
    {"verdict",              A_TEXT   },
    {"setup",                AN_OBJECT},
    {"setup.tick_rate_hz",   A_SCALAR }, /* a fraction is a text: 60000/1001 */
    {"setup.service",        A_TEXT   },
    {"setup.phase",          A_TEXT   },
    {"setup.enet_version",   A_TEXT   },
    {"setup.kernel",         A_TEXT   },
    {"setup.cpu",            A_TEXT   },
    {"setup.timer_slack_ns", A_NUMBER },
    {"setup.scheduler",      A_TEXT   },
    {"stages",               AN_OBJECT},
    {"floor",                AN_OBJECT},
};

static json_t *
report_at(const struct report *r, const char *dotted)
{
    json_t *at = r->root;
    size_t length;

    while (at != NULL && *dotted != '\0') {
        char key[64];

        length = strcspn(dotted, ".");
        snprintf(key, sizeof(key), "%.*s", (int)length, dotted);
        at = json_object_get(at, key);
        dotted += length;
        dotted += *dotted == '.';
    }
    return at;
}

static const char *
words_of(enum expected expected)
{
    switch (expected) {
    case A_TEXT:
        return "a text";
    case A_NUMBER:
        return "a number";
    case A_SCALAR:
        return "a text or a number";
    case AN_OBJECT:
        break;
    }
    return "an object";
}

static int
is_expected(const json_t *value, enum expected expected)
{
    switch (expected) {
    case A_TEXT:
        return json_is_string(value);
    case A_NUMBER:
        return json_is_number(value);
    case A_SCALAR:
        return json_is_string(value) || json_is_number(value);
    case AN_OBJECT:
        break;
    }
    return json_is_object(value);
}

static void
tell_fault(const struct report *r, const char *dotted, const json_t *found,
           const char *expected)
{
    fprintf(stderr,
            "%s: error: %s is %s, expected %s as `hardpoint bench --json` "
            "writes it\n",
            r->path, dotted, found == NULL ? "missing" : "of another kind",
            expected);
}

static int
check_required(const struct report *r)
{
    size_t i;
    int err = 0;

    for (i = 0; i < sizeof(required) / sizeof(required[0]); i++) {
        json_t *value = report_at(r, required[i].dotted);

        if (is_expected(value, required[i].expected))
            continue;
        tell_fault(r, required[i].dotted, value,
                   words_of(required[i].expected));
        err = -EINVAL;
    }
    return err;
}

/* A quantile of nothing is null: a stage that never happened. */
static int
check_distribution(const struct report *r, const char *group, const char *name,
                   json_t *distribution)
{
    static const char *const figures[] = {"n", "p50", "p99"};
    char dotted[256];
    size_t i;
    int err = 0;

    for (i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        json_t *value = json_object_get(distribution, figures[i]);

        if (json_is_number(value) || json_is_null(value))
            continue;
        snprintf(dotted, sizeof(dotted), "%s.%s.%s", group, name, figures[i]);
        tell_fault(r, dotted, value, "a number");
        err = -EINVAL;
    }
    return err;
}

static int
check_group(const struct report *r, const char *group)
{
    const char *name;
    json_t *distribution;
    int err = 0;

    json_object_foreach(
        report_group(r, group), name,
        distribution) if (check_distribution(r, group, name, distribution) < 0)
        err = -EINVAL;
    return err;
}

static int
check_schema(const struct report *r)
{
    json_t *schema = json_object_get(r->root, "schema");

    if (!json_is_integer(schema)) {
        tell_fault(r, "schema", schema, "a whole number");
        return -EINVAL;
    }
    if (json_integer_value(schema) != REPORT_SCHEMA) {
        fprintf(stderr,
                "%s: error: schema is %lld, expected %d; compare it with the "
                "hardpoint that wrote it, or measure again\n",
                r->path, (long long)json_integer_value(schema), REPORT_SCHEMA);
        return -EINVAL;
    }
    return 0;
}

static int
report_check(const struct report *r)
{
    int bad = 0;

    if (!json_is_object(r->root)) {
        fprintf(stderr,
                "%s:1:1: error: not a report, expected an object as `hardpoint "
                "bench --json` writes it\n",
                r->path);
        return -EINVAL;
    }
    /* Another schema may have other keys, so their absence would mislead. */
    if (check_schema(r) < 0)
        return -EINVAL;
    bad |= check_required(r) < 0;
    bad |= check_group(r, "stages") < 0;
    bad |= check_group(r, "floor") < 0;
    return bad ? -EINVAL : 0;
}

int
report_open(struct report *r, const char *path)
{
    json_error_t why;
    FILE *file;
    int err;

    r->path = path;
    r->root = NULL;
    file = fopen(path, "r");
    if (file == NULL) {
        err = -errno;
        fprintf(stderr, "%s: error: cannot open: %s\n", path, strerror(-err));
        return err;
    }
    r->root = json_loadf(file, JSON_REJECT_DUPLICATES, &why);
    err = ferror(file) ? -EIO : 0;
    fclose(file);
    if (err < 0) {
        fprintf(stderr, "%s: error: cannot read it; is it a file?\n", path);
        return err;
    }
    if (r->root == NULL) {
        fprintf(stderr, "%s:%d:%d: error: broken JSON: %s\n", path, why.line,
                why.column, why.text);
        return -EINVAL;
    }
    return report_check(r);
}

void
report_close(struct report *r)
{
    json_decref(r->root);
    r->root = NULL;
}

void
report_text(const struct report *r, const char *dotted, char *out,
            size_t out_bytes)
{
    const json_t *value = report_at(r, dotted);

    if (json_is_string(value))
        snprintf(out, out_bytes, "%s", json_string_value(value));
    else if (json_is_number(value))
        snprintf(out, out_bytes, "%.6g", json_number_value(value));
    else
        snprintf(out, out_bytes, "%s", "");
}

json_t *
report_group(const struct report *r, const char *group)
{
    return json_object_get(r->root, group);
}

double
report_figure(const struct report *r, const char *group, const char *name,
              const char *figure)
{
    const json_t *value =
        json_object_get(json_object_get(report_group(r, group), name), figure);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

void
report_number(double value, char *out, size_t out_bytes)
{
    int decimals = 3;

    if (fabs(value) >= 100)
        decimals = 0;
    else if (fabs(value) >= 10)
        decimals = 1;
    else if (fabs(value) >= 1)
        decimals = 2;
    if (isfinite(value))
        snprintf(out, out_bytes, "%.*f", decimals, value);
    else
        snprintf(out, out_bytes, "-");
}

int
report_any_has(const struct report *reports, int count, const char *group,
               const char *name)
{
    int i;

    for (i = 0; i < count; i++)
        if (json_object_get(report_group(&reports[i], group), name) != NULL)
            return 1;
    return 0;
}
