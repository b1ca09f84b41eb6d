/*
 * One JSON file of `hardpoint bench --json`: read, checked, and looked into.
 * doc/latency.md has the format; report.c has the keys that must be there.
 */
#ifndef REPORT_H
#define REPORT_H

#include <jansson.h>
#include <stddef.h>

/* The number `schema` of the reports that this program understands. */
#define REPORT_SCHEMA 1

struct report {
    const char *path; /* borrowed: the label of its column */
    json_t *root;
};

/*
 * Reads the file. Every fault is told on standard error, in one line with file
 * and, where the JSON itself is broken, line and column. Returns 0, -EINVAL for
 * a file that is no report, or the negative errno of reading it. The path is
 * kept, not copied.
 */
int report_open(struct report *r, const char *path);

/* Frees what was read. Accepts one that is zero or was not opened. */
void report_close(struct report *r);

/* A scalar by its dotted path ("setup.kernel") as text; "" when absent. */
void report_text(const struct report *r, const char *dotted, char *out,
                 size_t out_bytes);

/* The distributions of a group ("stages", "floor"), in the file's order. */
json_t *report_group(const struct report *r, const char *group);

/* One figure ("p99") of a distribution; NaN when it is absent or null. */
double report_figure(const struct report *r, const char *group,
                     const char *name, const char *figure);

/* A figure as text: the three digits that a latency is worth, never an
 * exponent, "-" for NaN. */
void report_number(double value, char *out, size_t out_bytes);

/* Whether one of the first `count` reports has a distribution of that name, so
 * that a stage which several have is shown once. */
int report_any_has(const struct report *reports, int count, const char *group,
                   const char *name);

#endif
