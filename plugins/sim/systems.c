#include "systems.h"

#include "engine.h"
#include "units.h"
#include <math.h>
#include <motion/math.h>

/*
 * Surge: a compressor's margin is eaten by uneven air at the inlet (alpha,
 * sideslip) and by an acceleration of the engine. Where none is left the flow
 * breaks down, and recovers when the cause has gone. Both go at rates that have
 * no step in what they depend on, so that flights at two tick rates agree.
 */
#define SURGE_BY_ALPHA   0.6  /* at the alpha of full stall */
#define SURGE_BY_SLIP    0.3  /* at SURGE_SLIP_RAD */
#define SURGE_BY_SPOOL   0.40 /* when half of all power is still to come */
#define SURGE_SLIP_RAD   0.26
#define SURGE_GROWS      8.0 /* per second, for each 1 of margin that lacks */
#define SURGE_FADES      0.8 /* per second, with a tenth of margin or more */
#define SURGE_FALL_PER_S 4.0 /* of power, in a full one */
#define SURGE_SLOW_MPS   30.0

/* G: reserve is lost above what can be borne for long, faster the higher it is
 * (9 g takes 10 s), and comes back in some 8 s. */
#define G_BORNE      6.0
#define G_LOSS_PER_S 0.0333 /* for each g above */
#define G_GAIN_PER_S 0.12
#define G_AWAKE_FROM 0.4 /* who fainted wakes up here */

void
systems_reset(struct aircraft *a)
{
    a->reserve = 1;
}

void
systems_limit(const struct aircraft *a, struct airframe_command *command)
{
    if (a->flags & AIRCRAFT_FAINT)
        command->pitch = command->roll = command->yaw = command->brake = 0;
}

/* How uneven the air comes: what it takes of the margin. */
static double
distortion_of(const struct aircraft_model *m, const struct airframe_air *air)
{
    double full = m->frame.type->file->limit.stall_full_deg * RADIANS_PER_DEG;

    if (air->speed_mps < SURGE_SLOW_MPS)
        return 0;
    /* Alone it never takes all: a surge needs an acceleration besides. */
    return SURGE_BY_ALPHA * motion_clamp(air->alpha_rad / full, 0, 1.1) +
           SURGE_BY_SLIP *
               motion_clamp(fabs(air->beta_rad) / SURGE_SLIP_RAD, 0, 1);
}

static double
margin_at(const struct aircraft_model *m, double distortion, double asked,
          double power)
{
    double spool = engine_power_command(m->frame.type, asked) - power;

    return 1 - distortion - SURGE_BY_SPOOL * motion_clamp(spool * 0.02, 0, 1);
}

static double
surge_rate(double margin)
{
    return margin < 0 ? -SURGE_GROWS * margin
                      : -SURGE_FADES * motion_clamp(margin * 10, 0, 1);
}

/* By the means of a step's two ends, for the sake of the order in dt. */
static void
surge(const struct aircraft_model *m, struct aircraft *a,
      const struct airframe_air *air, double asked, double power_before,
      double dt_s)
{
    double distortion = distortion_of(m, air), before = a->surge, fall;
    double first = margin_at(m, a->distortion, asked, power_before);
    double last = margin_at(m, distortion, asked, a->state.power);

    a->surge += dt_s / 2 * (surge_rate(first) + surge_rate(last));
    a->surge = motion_clamp(a->surge, 0, 1);
    a->distortion = distortion;
    if (before < SYSTEMS_SURGE_FELT && a->surge >= SYSTEMS_SURGE_FELT)
        a->happened |= AIRCRAFT_DID_SURGE;
    fall = SURGE_FALL_PER_S * (before + a->surge) / 2 * dt_s;
    a->state.power /= 1 + fall + fall * fall / 2;
}

static void
bear_g(struct aircraft *a, double dt_s)
{
    double over = a->normal_g - G_BORNE;
    double change = over > 0 ? -over * G_LOSS_PER_S : G_GAIN_PER_S;

    a->reserve = motion_clamp(a->reserve + change * dt_s, 0, 1);
    if (a->reserve <= 0)
        a->flags |= AIRCRAFT_FAINT;
    else if (a->reserve >= G_AWAKE_FROM)
        a->flags &= ~(uint32_t)AIRCRAFT_FAINT;
}

void
systems_step(const struct aircraft_model *m, struct aircraft *a,
             const struct airframe_air *air, double asked, double power_before,
             double dt_s)
{
    if (!m->frame.systems || a->flags & AIRCRAFT_DEAD)
        return;
    if (m->frame.engine)
        surge(m, a, air, asked, power_before, dt_s);
    bear_g(a, dt_s);
}
