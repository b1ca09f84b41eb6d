/* What land is, for those who read it and those who fly over it. */
#ifndef SIM_TERRAIN_GRID_H
#define SIM_TERRAIN_GRID_H

#include <stddef.h>
#include <stdint.h>

#define TERRAIN_BLOCK 16 /* cells along a side of a square */

struct terrain {
    int rows, columns;
    int block_rows, block_columns;
    double spacing_m, scale_m, base_m, north_m, east_m;
    double highest_m;
    double *blocks_m; /* the highest of each square of cells */
    int16_t *heights; /* row by row from the south-west */
};

static inline double
terrain_sample(const struct terrain *t, int row, int column)
{
    return t->base_m +
           t->scale_m *
               t->heights[(size_t)row * (size_t)t->columns + (size_t)column];
}

#endif
