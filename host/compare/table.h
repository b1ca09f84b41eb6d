/* Reports side by side as Markdown. */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

struct report;

/*
 * A column for each report and, after each but the first, how many times the
 * first one's figure is of it; a row for each setting, and for p50 and p99 of
 * each stage and floor that any of them has. Returns 0, or -EIO.
 */
int table_print(FILE *to, const struct report *reports, int count);

/*
 * A line for each setting that ought to be equal and is not, so that its
 * reader does not take one cause for another. Returns their number.
 */
int table_warn(FILE *to, const struct report *reports, int count);

#endif
