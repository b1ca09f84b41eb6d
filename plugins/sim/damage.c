#include "damage.h"

#include <motion/math.h>

/* An engine that gets this share of the damage by itself fails after four
 * rounds of twenty millimetres from behind. */
#define ENGINE_SHARE    3.0
#define HYDRAULIC_SHARE 2.0
#define BEHIND          0.25 /* of the direction: nearer abeam no engine is met */
#define ASIDE           0.2 /* nearer the middle both of two are met */
#define STICK_LEFT      0.4 /* of the travel, without hydraulics */

void
damage_take(const struct aircraft_world *w, struct aircraft *a,
            const struct gun_hit *hit)
{
    const struct aircraft_file *file =
        aircraft_model_of(w, a)->frame.type->file;
    double behind = -hit->direction[0];
    double loss = ENGINE_SHARE * hit->damage * behind;
    int both = file->engine.count < 2;
    double aside = hit->direction[1];

    a->health = motion_clamp(a->health - hit->damage, 0, 1);
    a->hydraulics = motion_clamp(a->hydraulics - HYDRAULIC_SHARE * hit->damage *
                                                     (1 - 0.5 * fabs(behind)),
                                 0, 1);
    if (behind < BEHIND)
        return;
    if (both || aside < ASIDE)
        a->engines[0] = motion_clamp(a->engines[0] - loss, 0, 1);
    if (both || aside > -ASIDE)
        a->engines[1] = motion_clamp(a->engines[1] - loss, 0, 1);
}

unsigned
damage_engines(const struct aircraft *a)
{
    return (a->engines[0] <= 0 ? DAMAGE_LEFT : 0) |
           (a->engines[1] <= 0 ? DAMAGE_RIGHT : 0);
}

/* An engine that is hit gives less, down to a half; one that failed, nothing. */
static double
thrust_left(double health)
{
    return health <= 0 ? 0 : 0.5 + 0.5 * health;
}

void
damage_command(const struct aircraft_world *w, const struct aircraft *a,
               struct airframe_command *command)
{
    const struct aircraft_engine *engine =
        &aircraft_model_of(w, a)->frame.type->file->engine;
    double left = thrust_left(a->engines[0]);
    double right = thrust_left(a->engines[1]);
    double stick = STICK_LEFT + (1 - STICK_LEFT) * a->hydraulics;

    command->thrust_lost = 1 - 0.5 * (left + right);
    /* Half of the thrust on each side; the nose goes to the weaker one. */
    command->thrust_arm_m =
        engine->count < 2 ? 0 : 0.25 * engine->apart_m * (right - left);
    command->surface_lost = 1 - a->hydraulics;
    if (a->hydraulics >= 1)
        return;
    command->pitch *= stick;
    command->roll *= stick;
    command->yaw *= stick;
}
