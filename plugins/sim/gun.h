/*
 * Rounds in the air: point masses with drag, fired at a rate that does not
 * know the tick's, and swept against every aircraft so that none slips
 * through between two ticks.
 */
#ifndef SIM_GUN_H
#define SIM_GUN_H

#include "aircraft.h"

#define GUN_TARGET_RADIUS_M 5.0 /* of the sphere that a round meets */

struct round {
    double position_m[3];
    double velocity_mps[3];
    double age_s;
    uint32_t number;          /* of its shooter's rounds */
    uint32_t shooter;         /* slot */
    double coefficient;       /* kg/m2, G7 */
    double damage_per_speed2; /* of 1, by the square of its speed, s2/m2 */
};

/* One round or store met one aircraft; `time_s` counts from the tick's start. */
struct gun_hit {
    double time_s;
    uint32_t shooter; /* slot */
    uint32_t number;
    uint32_t target; /* slot */
    uint32_t reserved;
    double direction[3]; /* from the target's centre, its body axes, unit */
    double damage;       /* of 1 */
};

/*
 * The `index`th round that `shooter` fired in the newest step, from the moment
 * it left the muzzle to the step's end; `before` is the shooter at its start.
 * The moment is told by `born_s`.
 */
void gun_round(struct round *out, const struct aircraft_gun *gun, uint64_t seed,
               const struct aircraft *before, const struct aircraft *after,
               uint32_t index, double *born_s);

/*
 * Moves a round for `dt_s`. Returns 0 when it is spent: too old, or at or
 * below the ground.
 */
int gun_move(struct round *r, const struct surroundings *around, double dt_s);

/*
 * Whether a point that went from `from` to `to` during the tick's last part, from
 * `start_s` on, came within `radius_m` of an aircraft. Returns 1, when that was, and
 * where the point stood from the aircraft then, world axes.
 */
int gun_sweep(const double from[3], const double to[3], double start_s,
              const struct aircraft *before, const struct aircraft *after,
              double tick_s, double radius_m, double *time_s, double apart[3]);

/*
 * Whether a round that went from `from` during the tick's last `dt_s` seconds
 * met an aircraft that moved from `before` to `after` during the whole tick.
 * `start_s` is when the round's path began. Returns 1 and the hit.
 */
int gun_meets(const struct round *r, const double from[3], double start_s,
              const struct aircraft *before, const struct aircraft *after,
              double tick_s, struct gun_hit *out);

/* Orders hits by time, then shooter, round and target. */
int gun_hit_order(const struct gun_hit *a, const struct gun_hit *b);

#endif
