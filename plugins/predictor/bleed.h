/*
 * What a correction looks like: the own aircraft does not jump to where it
 * should have been, the difference is bled off over BLEED_NS. Only what is
 * shown is changed, never the state that is predicted from.
 */
#ifndef PREDICTOR_BLEED_H
#define PREDICTOR_BLEED_H

#include <hardpoint/types.h>

#define BLEED_NS 150000000ull

struct bleed {
    double offset_m[3]; /* from the exact position to the shown one */
    double turn[4];     /* from the exact attitude to the shown one */
    double weight;      /* how much of both was left when last shown: 0..1 */
    uint64_t began_ns;  /* when the correction was first shown */
    int waiting;        /* not shown yet */
};

/* Nothing to bleed off: what is shown is exact. */
void bleed_reset(struct bleed *b);

/* The exact record jumps from `before` to `after`: what is shown stays where
 * it is and starts to follow. */
void bleed_add(struct bleed *b, const struct hp_entity *before,
               const struct hp_entity *after);

/* Makes the exact record the one to show at `time_ns`, which never falls. */
void bleed_apply(struct bleed *b, uint64_t time_ns, struct hp_entity *record);

/* The distance in metres, and the angle in radians, between two records. */
double bleed_distance_m(const struct hp_entity *a, const struct hp_entity *b);
double bleed_angle_rad(const struct hp_entity *a, const struct hp_entity *b);

#endif
