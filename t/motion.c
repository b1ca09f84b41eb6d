#include "tap.h"
#include <motion/math.h>
#include <motion/vector.h>

static void
sine_and_cosine_agree_with_the_library(void)
{
    double x;

    for (x = -50; x < 50; x += 0.00737) {
        ok_real(motion_sin(x), sin(x), 1e-15);
        ok_real(motion_cos(x), cos(x), 1e-15);
    }
    ok_real(motion_sin(9999.5), sin(9999.5), 1e-15);
    ok_real(motion_cos(-9999.5), cos(-9999.5), 1e-15);
}

static void
angles_agree_with_the_library_all_around(void)
{
    double x, r;

    for (x = -MOTION_PI; x < MOTION_PI; x += 0.00041)
        for (r = 1e-3; r < 1e4; r *= 97)
            ok_real(motion_atan2(r * sin(x), r * cos(x)),
                    atan2(r * sin(x), r * cos(x)), 1e-15);
    for (x = -1; x <= 1; x += 0.0013)
        ok_real(motion_asin(x), asin(x), 1e-15);
}

static void
edges_of_the_functions_are_answered(void)
{
    ok_real(motion_atan2(0, 0), 0, 0);
    ok_real(motion_atan2(0, -1), MOTION_PI, 0);
    ok_real(motion_atan2(1, 0), MOTION_PI / 2, 0);
    ok(isnan(motion_atan2(NAN, 1)) && isnan(motion_atan2(1, NAN)));
    ok(isnan(motion_atan2(NAN, NAN)));
    ok_real(motion_atan2(INFINITY, INFINITY), MOTION_PI / 4, 0);
    ok_real(motion_atan2(-INFINITY, INFINITY), -MOTION_PI / 4, 0);
    ok_real(motion_atan2(INFINITY, -INFINITY), 3 * MOTION_PI / 4, 1e-15);
    ok_real(motion_atan2(-5, -5), -3 * MOTION_PI / 4, 1e-15);
    ok_real(motion_atan2(1, INFINITY), 0, 0);
    ok_real(motion_atan2(INFINITY, 1), MOTION_PI / 2, 0);
    ok_real(motion_asin(1.5), MOTION_PI / 2, 1e-15);
    ok_real(motion_asin(-1.5), -MOTION_PI / 2, 1e-15);
    ok_real(motion_sin(1e300), 0, 0);
    ok_real(motion_cos(NAN), 1, 0);
    ok_int(motion_floor(-0.5), -1);
    ok_int(motion_floor(-1.0), -1);
    ok_int(motion_floor(1.5), 1);
}

static void
a_rotation_turns_a_vector_there_and_back(void)
{
    double q[4] = {0.4, -0.3, 0.7, 0.2}, v[3] = {3, -5, 7}, world[3], body[3];
    struct rotation r;
    int i;

    quaternion_unit(q);
    ok_real(quaternion_square(q), 1, 1e-15);
    rotation_of(&r, q);
    rotation_to_world(world, &r, v);
    rotation_to_body(body, &r, world);
    ok_real(vector_length(world), vector_length(v), 1e-14);
    for (i = 0; i < 3; i++)
        ok_real(body[i], v[i], 1e-14);
}

/* Nose up by a quarter turn: forward points up, which is -z in the world. */
static void
body_axes_are_forward_right_down(void)
{
    double q[4] = {1, 0, 1, 0}, forward[3] = {1, 0, 0}, world[3];
    struct rotation r;

    quaternion_unit(q);
    rotation_of(&r, q);
    rotation_to_world(world, &r, forward);
    ok_real(world[0], 0, 1e-15);
    ok_real(world[2], -1, 1e-15);
}

TAP_MAIN(FACT(sine_and_cosine_agree_with_the_library),
         FACT(angles_agree_with_the_library_all_around),
         FACT(edges_of_the_functions_are_answered),
         FACT(a_rotation_turns_a_vector_there_and_back),
         FACT(body_axes_are_forward_right_down))
