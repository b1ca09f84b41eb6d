/*
 * The parts of a picture in SVG 1.1: text that may come from anywhere, and one
 * look for each file, told apart by colour, hatch, marker and line at once, so
 * that any one of them is enough.
 */
#ifndef SVG_H
#define SVG_H

#include <stddef.h>
#include <stdio.h>

/* The abscissas of one distribution, and the ordinate of its middle. */
struct svg_box {
    double min, p50, p95, p99, max;
    double y;
};

/* Opens and closes the picture, with a white ground. Sizes in pixels. */
void svg_begin(FILE *to, int width, int height, const char *title);
void svg_end(FILE *to);

/* Defines the hatches of `count` looks: once, before the first box. */
void svg_hatches(FILE *to, int count);

/*
 * A line of text: `kind` is a class ("stage", "axis end") of the style sheet in
 * svg.c. What is no valid UTF-8, or not allowed in XML, is replaced; what is
 * longer than `characters_max` ends in an ellipsis.
 */
void svg_text(FILE *to, double x, double y, const char *kind,
              size_t characters_max, const char *text);

/* A straight line; `kind` as above. */
void svg_line(FILE *to, double x1, double y1, double x2, double y2,
              const char *kind);

/* min..max as a line, p50..p95 as a bar, p50, p95 and p99 as ticks, and the
 * marker of look number `look` on p99. */
void svg_box(FILE *to, const struct svg_box *box, int look);

#endif
