#include "carrier.h"

#include <math.h>
#include <motion/math.h>
#include <motion/vector.h>

#define WIRE_MPS2   25.0 /* what a wire takes from a fighter */
#define SLOWEST_MPS 15.0 /* what no wire is pulled out by */
#define STOPPED_MPS 0.1

void
carrier_press_hook(struct aircraft *a)
{
    a->flags ^= AIRCRAFT_HOOK;
    if (!(a->flags & AIRCRAFT_HOOK))
        a->flags &= ~(uint32_t)AIRCRAFT_CAUGHT;
}

static int
is_on_strip(const struct aircraft_world *w, const double position_m[3])
{
    const struct planet *planet = &w->frame.around.planet;
    double middle[3];

    planet_position_of(planet, &w->spawn, middle);
    return fabs(position_m[1] - middle[1]) <= CARRIER_HALF_M &&
           position_m[0] >= middle[0] + w->strip_north_m &&
           position_m[0] <= middle[0] + w->strip_north_m + CARRIER_LENGTH_M;
}

void
carrier_hold(const struct aircraft_world *w, struct aircraft *a, double dt_s)
{
    double *v = a->state.velocity_mps;
    double speed, keep;

    if (!w->has_strip || !(a->flags & AIRCRAFT_HOOK) ||
        !(a->flags & AIRCRAFT_ON_GROUND))
        return;
    speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    if (!(a->flags & AIRCRAFT_CAUGHT)) {
        if (speed < SLOWEST_MPS || !is_on_strip(w, a->state.position_m))
            return;
        a->flags |= AIRCRAFT_CAUGHT;
        a->happened |= AIRCRAFT_DID_TRAP;
        a->trap_mps = speed;
    }
    if (speed < STOPPED_MPS)
        return;
    keep = motion_clamp(1 - WIRE_MPS2 * dt_s / speed, 0, 1);
    v[0] *= keep;
    v[1] *= keep;
}
