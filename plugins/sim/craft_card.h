/*
 * The report card of an aircraft: what it can do, in one struct, as text and as
 * JSON, so that a mod may keep its card and see what a change does to it.
 */
#ifndef SIM_CRAFT_CARD_H
#define SIM_CRAFT_CARD_H

#include "craft_modes.h"
#include "craft_performance.h"
#include <stdio.h>

#define CRAFT_ROWS_MAX   16
#define CRAFT_SPEEDS_MAX 33
#define CRAFT_LAYERS     2 /* sea level, and well up */

struct craft_row {
    double height_m, stall_mps, sound_mps;
    struct craft_band bands[CRAFT_RATINGS];
};

struct craft_trim_row {
    double speed_mps, alpha_deg, elevator_deg;
    double throttle; /* 0 .. 1 */
};

struct craft_mode_row {
    double speed_mps;
    struct craft_modes modes;
};

/* One height looked at closely. */
struct craft_layer {
    double height_m;
    struct craft_turn turns[CRAFT_SPEEDS_MAX];
    int turn_count;
    struct craft_trim_row trims[CRAFT_SPEEDS_MAX];
    int trim_count;
    struct craft_mode_row modes[3]; /* slow, cruise, fast */
    int mode_count;
    double best_turn_dps[CRAFT_RATINGS], best_turn_mps[CRAFT_RATINGS];
    double roll_dps, roll_mps;
};

struct craft_card {
    const char *name, *title;
    double mass_kg, fuel_kg;
    int flies;           /* it has level flight: else nothing below is set */
    double height_cap_m; /* where the thrust tables end */
    int ratings;         /* 2 with an afterburner */
    double ceiling_m[CRAFT_RATINGS];
    struct craft_row rows[CRAFT_ROWS_MAX];
    int row_count;
    struct craft_layer layers[CRAFT_LAYERS];
};

/* Works it all out. The names point into the file. */
void craft_card_fill(struct craft_card *card, const struct craft *c);

void craft_card_text(const struct craft_card *card, FILE *to);
void craft_card_json(const struct craft_card *card, FILE *to);

#endif
