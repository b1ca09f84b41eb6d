/* Straight and level flight, searched with the airframe's own forces. */
#include "airframe.h"
#include "engine.h"
#include "units.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define ALPHA_FIRST_DEG (-8.0)
#define ALPHA_LAST_DEG  50.0
#define ALPHA_STEP_DEG  0.5
#define HALVINGS        52

struct level_flight {
    const struct airframe *frame;
    struct airframe_state state;
    struct airframe_state dot;
    double thrust_n; /* what is missing along the path */
};

/* Evaluates the derivative with these angles; idle at no fuel: no thrust. */
static void
level_evaluate(struct level_flight *l, double alpha_rad, double elevator_deg)
{
    static const struct airframe_command none;
    struct airframe_air air;

    l->state.attitude[0] = motion_cos(alpha_rad / 2);
    l->state.attitude[2] = motion_sin(alpha_rad / 2);
    l->state.elevator_deg = elevator_deg;
    airframe_derivative(l->frame, &l->state, &none, &l->dot, &air);
}

/* The elevator that stops pitching at this alpha, within its travel. */
static double
level_elevator(struct level_flight *l, double alpha_rad)
{
    double low = -25, high = 25, middle = 0;
    int i;

    for (i = 0; i < HALVINGS; i++) {
        middle = (low + high) / 2;
        level_evaluate(l, alpha_rad, middle);
        /* More elevator is nose down. */
        if (l->dot.rates_rps[1] > 0)
            low = middle;
        else
            high = middle;
    }
    return middle;
}

/* How fast it would fall (m/s2) at this alpha, elevator and thrust trimmed. */
static double
level_sink(struct level_flight *l, double alpha_rad, double *elevator_deg,
           double mass_kg)
{
    *elevator_deg = level_elevator(l, alpha_rad);
    level_evaluate(l, alpha_rad, *elevator_deg);
    l->thrust_n = -l->dot.velocity_mps[0] / motion_cos(alpha_rad) * mass_kg;
    return l->dot.velocity_mps[2] -
           l->thrust_n / mass_kg * motion_sin(alpha_rad);
}

/* Where the sink changes sign between two alphas. */
static double
level_alpha(struct level_flight *l, double low, double high, double mass_kg)
{
    double middle = low, elevator;
    int i;

    for (i = 0; i < HALVINGS; i++) {
        middle = (low + high) / 2;
        if (level_sink(l, middle, &elevator, mass_kg) > 0)
            low = middle;
        else
            high = middle;
    }
    return middle;
}

int
airframe_trim_level(const struct airframe *f, double height_m, double speed_mps,
                    double mass_kg, struct airframe_trim *out)
{
    struct airframe frame = *f;
    struct level_flight l = {.frame = &frame};
    struct airframe_air air;
    double alpha = ALPHA_FIRST_DEG * RADIANS_PER_DEG, elevator;

    /* Without fuel there is no thrust: the mass goes into the frame. */
    frame.dry_mass_kg = mass_kg;
    /* A curved planet's own needs a different search; the difference is small. */
    frame.around.planet.kind = PLANET_FLAT;
    frame.around.planet.turn_rps = 0;
    l.state.position_m[2] = -height_m;
    l.state.velocity_mps[0] = speed_mps;
    while (level_sink(&l, alpha, &elevator, mass_kg) > 0) {
        alpha += ALPHA_STEP_DEG * RADIANS_PER_DEG;
        if (alpha > ALPHA_LAST_DEG * RADIANS_PER_DEG)
            return -ERANGE;
    }
    out->alpha_rad = level_alpha(&l, alpha - ALPHA_STEP_DEG * RADIANS_PER_DEG,
                                 alpha, mass_kg);
    level_sink(&l, out->alpha_rad, &out->elevator_deg, mass_kg);
    airframe_air(&air, &frame, &l.state);
    out->power = engine_power_for(l.thrust_n, height_m, air.mach);
    return out->power < 0 || fabs(out->elevator_deg) > 24.99 ? -ERANGE : 0;
}
