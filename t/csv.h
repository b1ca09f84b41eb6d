/*
 * Tables of numbers for tests: a header line, then rows. An empty
 * cell reads as NaN, one that is no number as 0.
 */
#ifndef T_CSV_H
#define T_CSV_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CSV_COLUMNS_MAX 40
#define CSV_ROWS_MAX    512

struct csv {
    int rows;
    int columns;
    char names[CSV_COLUMNS_MAX][40];
    double cells[CSV_ROWS_MAX][CSV_COLUMNS_MAX];
};

/* Reads t/data/flight/NAME of the source tree; ends the test without it. */
static void
csv_read(struct csv *out, const char *name)
{
    const char *source = getenv("HP_SRC");
    char path[512], line[2048], *at, *cell;
    FILE *file;
    int i;

    snprintf(path, sizeof(path), "%s/t/data/flight/%s",
             source != NULL ? source : ".", name);
    file = fopen(path, "r");
    if (file == NULL || fgets(line, sizeof(line), file) == NULL) {
        printf("Bail out! cannot read %s\n", path);
        exit(1);
    }
    memset(out, 0, sizeof(*out));
    at = line;
    while ((cell = strsep(&at, ",\r\n")) != NULL && *cell != '\0')
        snprintf(out->names[out->columns++], sizeof(out->names[0]), "%s", cell);
    while (out->rows < CSV_ROWS_MAX &&
           fgets(line, sizeof(line), file) != NULL) {
        at = line;
        for (i = 0; i < out->columns && (cell = strsep(&at, ",\r\n")) != NULL;
             i++)
            out->cells[out->rows][i] = *cell == '\0' ? NAN : strtod(cell, NULL);
        out->rows++;
    }
    fclose(file);
}

/* A cell by its column's name; ends the test when there is no such column. */
static double
csv_cell(const struct csv *c, int row, const char *name)
{
    int i;

    for (i = 0; i < c->columns; i++)
        if (strcmp(c->names[i], name) == 0)
            return c->cells[row][i];
    printf("Bail out! no column %s\n", name);
    exit(1);
}

#endif
