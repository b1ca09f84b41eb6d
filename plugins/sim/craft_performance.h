/*
 * What an aircraft can do, by speed and height: from steady points, so without
 * flying; only the roll is flown.
 */
#ifndef SIM_CRAFT_PERFORMANCE_H
#define SIM_CRAFT_PERFORMANCE_H

#include "craft_bench.h"

enum craft_rating {
    CRAFT_MILITARY, /* all it gives without the afterburner */
    CRAFT_FULL,     /* with it; the same when there is none */
    CRAFT_RATINGS
};

/* One height at one rating. */
struct craft_band {
    double slow_mps, fast_mps; /* of level flight; 0: there is none */
    int capped;                /* limits or tables end before the thrust does */
    double climb_mps;          /* the best, at: */
    double climb_at_mps;
};

struct craft_turn {
    double speed_mps;
    double load_g, instant_dps; /* all that lift and limit allow */
    double sustained_g[CRAFT_RATINGS], sustained_dps[CRAFT_RATINGS]; /* or 0 */
};

/* Power in per cent of a rating. */
double craft_power(const struct craft *c, int rating);

/* The slowest 1 g without thrust: the largest lift up to the full stall. 0: it
 * never carries its weight. */
double craft_stall_mps(const struct craft *c, double height_m);

void craft_band(const struct craft *c, double height_m, int rating,
                struct craft_band *out);

/* Where the best climb has fallen to 0.5 m/s; 0: nowhere; craft_height_cap: the
 * tables end before. */
double craft_ceiling_m(const struct craft *c, int rating);

void craft_turn_at(const struct craft *c, double height_m, double speed_mps,
                   struct craft_turn *out);
/* The fastest sustained turn of any speed, deg/s; its speed into `at_mps`. */
double craft_best_turn(const struct craft *c, double height_m, int rating,
                       double *at_mps);

/* Degrees a second of a full stick from level flight, flown; 0: no such flight.
 * The best of any speed into the second one. */
double craft_roll_dps(const struct craft *c, double height_m, double speed_mps);
double craft_best_roll(const struct craft *c, double height_m, double *at_mps);

/* The value that a [claim] speaks of, in its unit. */
double craft_claimed(const struct craft *c, const struct aircraft_claim *claim);

#endif
