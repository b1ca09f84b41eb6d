/*
 * The ground: flat at height 0, gentle hills from integer lattice noise, so that
 * server and client know the same height without a file, or land from one.
 */
#ifndef SIM_GROUND_H
#define SIM_GROUND_H

#include "terrain.h"
#include <stdint.h>

#define GROUND_HILLS_MAX_M 400.0

struct ground {
    uint64_t seed;
    int hills; /* 0: flat, or land */
    int reserved;
    const struct terrain *land; /* or NULL; it must outlive the ground */
};

/* Metres above zero at `north`, `east`. */
double ground_height(const struct ground *g, double north, double east);

/* The same, and how it rises there, metres for each towards north and east. */
double ground_surface(const struct ground *g, double north, double east,
                      double slope[2]);

/* No ground anywhere is higher than this. */
double ground_height_max(const struct ground *g);

/*
 * Seconds until the straight path from `position` at `velocity` (north, east,
 * down) meets the ground, at most `horizon_s`, which means that it does not
 * within that time. 0 below the ground.
 */
double ground_time_ahead(const struct ground *g, const double position[3],
                         const double velocity[3], double horizon_s);

#endif
