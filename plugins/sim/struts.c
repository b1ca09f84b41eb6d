#include "struts.h"

#include <motion/math.h>

#define GEAR_LOCKED      0.98
#define ROLLING_FRICTION 0.02
#define BRAKE_FRICTION   0.5
#define SIDE_FRICTION    0.7
/* Half of the friction is reached at these slips. They bound how stiff a tyre
 * is: sideways it also rolls the aircraft, and RK4 at 20 ms must hold that. */
#define ROLLING_SLIP_MPS 0.1
#define SIDE_SLIP_MPS    0.3

struct strut {
    double wheel_m[3]; /* the tyre's foot when unloaded, body axes */
    double stiffness;  /* N/m */
    double damping;    /* N s/m */
    int braked;
};

static const struct strut struts[] = {
    {{4.0, 0.0, 2.0},   1.2e5, 1.5e4, 0},
    {{-0.6, -1.2, 2.0}, 3.4e5, 4.5e4, 1},
    {{-0.6, 1.2, 2.0},  3.4e5, 4.5e4, 1},
};

/* Where the hull would touch first, body axes. */
static const double hull_m[][3] = {
    {8.5,  0.0,  0.0 }, /* nose */
    {-5.5, 0.0,  0.2 }, /* nozzle */
    {0.0,  0.0,  0.9 }, /* intake */
    {-1.5, 4.9,  0.0 }, /* wing tips */
    {-1.5, -4.9, 0.0 },
    {-5.5, 0.0,  -3.5}, /* fin */
    {-5.0, 2.8,  0.3 }, /* tailplane tips */
    {-5.0, -2.8, 0.3 },
    {2.0,  0.0,  -1.6}, /* canopy */
};

/* A tyre's friction along one direction, against the slip. */
static double
friction(double load, double coefficient, double slip_mps, double half_mps)
{
    return -load * coefficient * slip_mps / (fabs(slip_mps) + half_mps);
}

/* Friction in the ground's plane: rolls along the nose, grips across it. */
static void
tyre(double force[3], const struct strut *strut, const struct rotation *r,
     const double velocity[3], double load, double brake)
{
    double ahead[3] = {r->m[0][0], r->m[1][0], 0};
    double along, across, rolling;

    vector_unit(ahead);
    along = velocity[0] * ahead[0] + velocity[1] * ahead[1];
    across = velocity[1] * ahead[0] - velocity[0] * ahead[1];
    rolling = ROLLING_FRICTION + (strut->braked ? BRAKE_FRICTION * brake : 0);
    along = friction(load, rolling, along, ROLLING_SLIP_MPS);
    across = friction(load, SIDE_FRICTION, across, SIDE_SLIP_MPS);
    force[0] = along * ahead[0] - across * ahead[1];
    force[1] = along * ahead[1] + across * ahead[0];
}

static double
strut_force(const struct airframe *f, const struct airframe_state *s,
            const struct strut *strut, const struct rotation *r, double brake,
            double force[3])
{
    double arm[3], turning[3], velocity[3], depth, load;
    int i;

    rotation_to_world(arm, r, strut->wheel_m);
    depth = s->position_m[2] + arm[2] +
            ground_height(&f->ground, s->position_m[0] + arm[0],
                          s->position_m[1] + arm[1]);
    if (depth <= 0)
        return 0;
    vector_cross(turning, s->rates_rps, strut->wheel_m);
    rotation_to_world(velocity, r, turning);
    for (i = 0; i < 3; i++)
        velocity[i] += s->velocity_mps[i];
    load = strut->stiffness * depth + strut->damping * velocity[2];
    if (load <= 0)
        return 0;
    tyre(force, strut, r, velocity, load, brake);
    force[2] = -load;
    return load;
}

double
struts_forces(const struct airframe *f, const struct airframe_state *s,
              const struct airframe_command *command, const struct rotation *r,
              double force[3], double moment[3])
{
    double one[3], body[3], turn[3], load, sum = 0;
    unsigned int i;
    int k;

    if (s->gear < GEAR_LOCKED ||
        -s->position_m[2] > ground_height_max(&f->ground) + STRUTS_REACH_M)
        return 0;
    for (i = 0; i < sizeof(struts) / sizeof(struts[0]); i++) {
        load = strut_force(f, s, &struts[i], r, command->brake, one);
        if (load <= 0)
            continue;
        sum += load;
        rotation_to_body(body, r, one);
        vector_cross(turn, struts[i].wheel_m, body);
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
    double least = -s->position_m[2] - ground_height_max(&f->ground);
    double at[3], clearance;
    struct rotation r;
    unsigned int i;
    int k;

    if (least > 20)
        return least;
    rotation_of(&r, s->attitude);
    least = 1e9;
    for (i = 0; i < sizeof(hull_m) / sizeof(hull_m[0]); i++) {
        rotation_to_world(at, &r, hull_m[i]);
        for (k = 0; k < 3; k++)
            at[k] += s->position_m[k];
        clearance = -at[2] - ground_height(&f->ground, at[0], at[1]);
        if (clearance < least)
            least = clearance;
    }
    return least;
}
