/*
 * A pilot for tests: steers at another aircraft by the simplest law that gets
 * there (roll and pull towards where it will be) and fires when it points
 * there. Its arithmetic is the sim's, so its inputs are the same everywhere.
 */
#ifndef T_SIM_PILOT_H
#define T_SIM_PILOT_H

#include <math.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <sim/schema.h>

static void
sim_pilot_chase(const struct flight_record *me, const struct flight_record *it,
                struct hp_input *in)
{
    double d[3], body[3], q[4], far, roll, off;
    struct rotation r;
    int i;

    for (i = 0; i < 4; i++)
        q[i] = me->head.attitude[i];
    for (i = 0; i < 3; i++)
        d[i] = it->head.position_m[i] - me->head.position_m[i];
    far = vector_length(d);
    for (i = 0; i < 3; i++)
        d[i] += ((double)it->head.velocity_mps[i] - me->head.velocity_mps[i]) *
                far / 1100;
    d[2] -= 4.9 * far * far / 1e6; /* the round falls on its way */
    rotation_of(&r, q);
    rotation_to_body(body, &r, d);
    roll = motion_atan2(body[1], -body[2]);
    off = motion_atan2(sqrt(body[1] * body[1] + body[2] * body[2]), body[0]);
    in->axes[HP_AXIS_ROLL] =
        (int16_t)(motion_clamp(roll * motion_clamp(off * 8, 0, 1), -1, 1) *
                  20000);
    in->axes[HP_AXIS_PITCH] =
        (int16_t)(motion_clamp(motion_cos(roll) * off * 5, -1, 1) * 32767);
    in->axes[HP_AXIS_THROTTLE] = 32767;
    in->buttons = off < 0.03 ? HP_BUTTON_GUN : 0;
}

#endif
