/*
 * Land from a file: heights on a square grid, two flat triangles to a cell.
 *
 *     hardpoint-terrain 1
 *     size 3 2              rows (to the north), columns (to the east)
 *     spacing_m 30          between two of them
 *     scale_m 0.1           what one of the numbers is
 *     base_m 100            what 0 is
 *     origin_m -30 0        north and east of the first
 *     data
 *
 * Then, right after that line's end, 16-bit numbers with their sign, low byte
 * first: row by row from the south, each from the west. The keys stand in any
 * order, one a line; base_m and origin_m may be left out. Beyond its edges the
 * land goes on as it is there.
 */
#ifndef SIM_TERRAIN_H
#define SIM_TERRAIN_H

#include <stddef.h>
#include <stdint.h>

#define TERRAIN_SIDE_MAX 8192

struct terrain;

/*
 * Reads the bytes of a file. 0 and land for terrain_destroy, or a negative errno
 * and in `why` what was found where, and what was expected.
 */
int terrain_read(struct terrain **out, const void *bytes, size_t count,
                 char *why, size_t why_bytes);

/* The same from a file, whose path `why` begins with. */
int terrain_load(struct terrain **out, const char *path, char *why,
                 size_t why_bytes);

/* Accepts NULL. */
void terrain_destroy(struct terrain *t);

/* Metres above zero, and how it rises towards north and east. */
double terrain_surface(const struct terrain *t, double north, double east,
                       double slope[2]);

/* No land is higher. */
double terrain_height_max(const struct terrain *t);

/*
 * Seconds until the straight path from `position` at `velocity` (north, east,
 * down) meets the land, or `horizon_s`. It goes from cell to cell, so no ridge
 * is too narrow for it; squares of 16 cells that are all lower are passed over.
 */
double terrain_time_ahead(const struct terrain *t, const double position[3],
                          const double velocity[3], double horizon_s);

#endif
