#include "struts.h"

#include <motion/math.h>

#define GEAR_LOCKED 0.98
/* Half of the friction is reached at these slips. They bound how stiff a tyre
 * is: sideways it also rolls the aircraft, and RK4 at 20 ms must hold that. */
#define ROLLING_SLIP_MPS 0.1
#define SIDE_SLIP_MPS    0.3

/* A tyre's friction along one direction, against the slip. */
static double
friction(double load, double coefficient, double slip_mps, double half_mps)
{
    return -load * coefficient * slip_mps / (fabs(slip_mps) + half_mps);
}

/* Friction in the ground's plane: rolls along the nose, grips across it. */
static void
tyre(double force[3], const struct gear_strut *strut, const struct rotation *r,
     const double velocity[3], double load, double brake)
{
    double ahead[3] = {r->m[0][0], r->m[1][0], 0};
    double along, across, rolling;

    vector_unit(ahead);
    along = velocity[0] * ahead[0] + velocity[1] * ahead[1];
    across = velocity[1] * ahead[0] - velocity[0] * ahead[1];
    rolling = strut->rolling + strut->brake * brake;
    along = friction(load, rolling, along, ROLLING_SLIP_MPS);
    across = friction(load, strut->friction, across, SIDE_SLIP_MPS);
    force[0] = along * ahead[0] - across * ahead[1];
    force[1] = along * ahead[1] + across * ahead[0];
}

static double
strut_force(const struct ground *ground, const struct airframe_local *at,
            const struct gear_strut *strut, double brake, double force[3])
{
    double arm[3], turning[3], velocity[3], depth, load;
    int i;

    rotation_to_world(arm, &at->attitude, strut->position_m);
    depth = at->position_m[2] + arm[2] +
            ground_height(ground, at->position_m[0] + arm[0],
                          at->position_m[1] + arm[1]);
    if (depth <= 0)
        return 0;
    vector_cross(turning, at->rates_rps, strut->position_m);
    rotation_to_world(velocity, &at->attitude, turning);
    for (i = 0; i < 3; i++)
        velocity[i] += at->velocity_mps[i];
    load = strut->stiffness * depth + strut->damping * velocity[2];
    if (load <= 0)
        return 0;
    tyre(force, strut, &at->attitude, velocity, load, brake);
    force[2] = -load;
    return load;
}

double
struts_forces(const struct airframe *f, const struct airframe_state *s,
              const struct airframe_command *command, double height_m,
              double force[3], double moment[3])
{
    const struct ground *ground = &f->around.ground;
    double one[3], body[3], turn[3], load, sum = 0;
    struct airframe_local at;
    struct rotation world;
    const struct gear_strut *strut;
    int i, k;

    if (s->gear < GEAR_LOCKED ||
        height_m > ground_height_max(ground) + STRUTS_REACH_M)
        return 0;
    airframe_local_of(&at, &f->around.planet, s);
    rotation_of(&world, s->attitude);
    for (i = 0; i < f->gear.strut_count; i++) {
        strut = &f->gear.struts[i];
        load = strut_force(ground, &at, strut, command->brake, one);
        if (load <= 0)
            continue;
        sum += load;
        rotation_to_body(body, &at.attitude, one);
        vector_cross(turn, strut->position_m, body);
        rotation_to_world(one, &world, body);
        for (k = 0; k < 3; k++) {
            force[k] += one[k];
            moment[k] += turn[k];
        }
    }
    return sum;
}

double
struts_hull_clearance(const struct airframe *f, const struct airframe_state *s)
{
    const struct ground *ground = &f->around.ground;
    struct airframe_local here;
    double at[3], clearance, least;
    int i, k;

    airframe_local_of(&here, &f->around.planet, s);
    least = -here.position_m[2] - ground_height_max(ground);
    if (least > 20)
        return least;
    least = 1e9;
    for (i = 0; i < f->gear.hull_count; i++) {
        rotation_to_world(at, &here.attitude, f->gear.hull_m[i]);
        for (k = 0; k < 3; k++)
            at[k] += here.position_m[k];
        clearance = -at[2] - ground_height(ground, at[0], at[1]);
        if (clearance < least)
            least = clearance;
    }
    return least;
}
