/* Reports side by side as a picture. */
#ifndef CHART_H
#define CHART_H

struct report;

/*
 * Writes an SVG file: for each stage and floor that any report has, an axis in
 * its unit and each report's distribution along it. Returns 0, or the negative
 * errno of writing it.
 */
int chart_write(const char *path, const struct report *reports, int count);

#endif
