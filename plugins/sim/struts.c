#include "struts.h"

#include <motion/math.h>
#include <string.h>

#define GEAR_LOCKED 0.98
#define UPRIGHT_MIN 0.3 /* cosine: further over, no strut stands on its wheel */

/* A tyre corners with its spring times this length; half of that force is there
 * after a roll of two thirds of it. */
#define RELAXATION_M 1.0
#define FADE_MAX_PS  60.0 /* RK4 holds no faster one */
/* At rest a damper stills the stick; a rolling tyre stills itself. */
#define STILL_MPS 2.0
/* Steering is for taxiing: at this speed half of it is left. */
#define STEER_MPS 15.0

#define PARTS_RATE    2.5 /* RK4 is stable to 2.78 over its step */
#define PARTS_MAX     32
#define SPEED_MAX_MPS 1400.0

/* A wheel on the ground: where, how hard, and how it moves over it. */
struct contact {
    double arm_m[3];          /* body axes */
    double down[3];           /* into the ground, local axes */
    double ahead[3], side[3]; /* of the wheel, along the ground */
    double along_mps, across_mps;
    double load; /* against the ground, newtons */
};

/* The way a wheel points, turned by the pedals, in body axes. */
static void
wheel_ahead(const struct gear_strut *strut, const struct airframe_local *at,
            double pedal, double out[3])
{
    double speed = at->velocity_mps[0] * at->velocity_mps[0] +
                   at->velocity_mps[1] * at->velocity_mps[1];
    double turn =
        strut->steer_rad * pedal / (1 + speed * (1 / (STEER_MPS * STEER_MPS)));

    out[0] = turn == 0 ? 1 : motion_cos(turn);
    out[1] = turn == 0 ? 0 : motion_sin(turn);
    out[2] = 0;
}

/* The wheel's axes along the ground, and how it moves in them. */
static void
contact_axes(struct contact *c, const struct airframe_local *at,
             const double wheel[3], const double velocity[3])
{
    double up;
    int i;

    rotation_to_world(c->ahead, &at->attitude, wheel);
    up = vector_dot(c->ahead, c->down);
    for (i = 0; i < 3; i++)
        c->ahead[i] -= up * c->down[i];
    vector_unit(c->ahead);
    vector_cross(c->side, c->down, c->ahead);
    c->along_mps = vector_dot(velocity, c->ahead);
    c->across_mps = vector_dot(velocity, c->side);
}

/* Whether a strut's wheel presses on the ground, and how. */
static int
contact_of(const struct ground *ground, const struct airframe_local *at,
           const struct gear_strut *strut, double pedal, struct contact *c)
{
    const double(*m)[3] = at->attitude.m;
    double foot[3], turning[3], velocity[3], wheel[3], slope[2];
    double depth, upright, pressed;
    int i;

    rotation_to_world(foot, &at->attitude, strut->position_m);
    for (i = 0; i < 3; i++)
        foot[i] += at->position_m[i];
    depth = foot[2] + ground_surface(ground, foot[0], foot[1], slope);
    if (!(depth > 0))
        return 0;
    pressed = 1 / sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
    c->down[0] = slope[0] * pressed;
    c->down[1] = slope[1] * pressed;
    c->down[2] = pressed;
    upright =
        m[0][2] * c->down[0] + m[1][2] * c->down[1] + m[2][2] * c->down[2];
    if (upright < UPRIGHT_MIN)
        return 0;
    pressed *= depth / upright; /* the strut's travel */
    memcpy(c->arm_m, strut->position_m, sizeof(c->arm_m));
    c->arm_m[2] -= pressed;
    vector_cross(turning, at->rates_rps, c->arm_m);
    rotation_to_world(velocity, &at->attitude, turning);
    for (i = 0; i < 3; i++)
        velocity[i] += at->velocity_mps[i];
    c->load = (strut->stiffness * pressed +
               strut->damping * vector_dot(velocity, c->down) / upright) /
              upright;
    if (!(c->load > 0))
        return 0;
    wheel_ahead(strut, at, pedal, wheel);
    contact_axes(c, at, wheel, velocity);
    return 1;
}

/* The tyre's own spring and damper are as strong as its strut's. */
static void
tyre_force(const struct gear_strut *strut, const struct contact *c,
           double brake, const double stick_m[2], double out[2])
{
    double grip = strut->friction * c->load;
    double roll = (strut->rolling + strut->brake * brake) * c->load;
    double still = strut->damping / (1 + fabs(c->along_mps) * (1 / STILL_MPS));

    roll = roll < grip ? roll : grip;
    out[0] = motion_clamp(-strut->stiffness * stick_m[0] -
                              strut->damping * c->along_mps,
                          -roll, roll);
    grip = sqrt(grip * grip - out[0] * out[0]);
    out[1] = motion_clamp(
        -strut->stiffness * stick_m[1] - still * c->across_mps, -grip, grip);
}

/* The stick follows the contact point; what is across fades by rolling. */
static void
stick_rate(const struct contact *c, const double stick_m[2], double out[2])
{
    double fade = fabs(c->along_mps) * (1 / RELAXATION_M);

    if (fade > FADE_MAX_PS)
        fade = FADE_MAX_PS;
    out[0] = c->along_mps;
    out[1] = c->across_mps - fade * stick_m[1];
}

static int
wheels_out(const struct airframe *f, const struct airframe_state *s)
{
    return f->gear.strut_count > 0 && s->gear >= GEAR_LOCKED;
}

double
struts_forces(const struct airframe *f, const struct airframe_state *s,
              const struct airframe_command *command, double height_m,
              double force[3], double moment[3],
              double stick_mps[GEAR_STRUTS_MAX][2])
{
    const struct ground *ground = &f->around.ground;
    double one[3], body[3], turn[3], tyre[2], sum = 0;
    const struct gear_strut *strut;
    struct airframe_local at;
    struct rotation world;
    struct contact c;
    int i, k;

    memset(stick_mps, 0, GEAR_STRUTS_MAX * sizeof(*stick_mps));
    if (!wheels_out(f, s) ||
        height_m > ground_height_max(ground) + STRUTS_REACH_M)
        return 0;
    airframe_local_of(&at, &f->around.planet, s);
    rotation_of(&world, s->attitude);
    for (i = 0; i < f->gear.strut_count; i++) {
        strut = &f->gear.struts[i];
        if (!contact_of(ground, &at, strut, command->yaw, &c))
            continue;
        tyre_force(strut, &c, command->brake, s->stick_m[i], tyre);
        stick_rate(&c, s->stick_m[i], stick_mps[i]);
        sum += c.load * c.down[2];
        for (k = 0; k < 3; k++)
            one[k] =
                tyre[0] * c.ahead[k] + tyre[1] * c.side[k] - c.load * c.down[k];
        rotation_to_body(body, &at.attitude, one);
        vector_cross(turn, c.arm_m, body);
        rotation_to_world(one, &world, body);
        for (k = 0; k < 3; k++) {
            force[k] += one[k];
            moment[k] += turn[k];
        }
    }
    return sum;
}

int
struts_near(const struct airframe *f, const struct airframe_state *s)
{
    struct planet_place place;

    if (!wheels_out(f, s))
        return 0;
    planet_locate(&f->around.planet, s->position_m, &place);
    return place.height_m < ground_height_max(&f->around.ground) +
                                STRUTS_REACH_M + SPEED_MAX_MPS / 20;
}

void
struts_slip(const struct airframe *f, struct airframe_state *s,
            const struct airframe_command *command)
{
    const struct gear_strut *strut;
    struct airframe_local at;
    struct contact c;
    double tyre[2], grip, roll;
    int i;

    airframe_local_of(&at, &f->around.planet, s);
    for (i = 0; i < f->gear.strut_count; i++) {
        strut = &f->gear.struts[i];
        if (!contact_of(&f->around.ground, &at, strut, command->yaw, &c)) {
            s->stick_m[i][0] = s->stick_m[i][1] = 0;
            continue;
        }
        tyre_force(strut, &c, command->brake, s->stick_m[i], tyre);
        grip = strut->friction * c.load;
        roll = (strut->rolling + strut->brake * command->brake) * c.load;
        roll = (roll < grip ? roll : grip) / strut->stiffness;
        grip = sqrt(grip * grip - tyre[0] * tyre[0]) / strut->stiffness;
        s->stick_m[i][0] = motion_clamp(s->stick_m[i][0], -roll, roll);
        s->stick_m[i][1] = motion_clamp(s->stick_m[i][1], -grip, grip);
    }
}

/* What a newton at a strut's foot along a body axis does to it there, 1/kg. */
static double
give(const struct airframe *f, const struct gear_strut *strut, int axis,
     double mass_kg)
{
    double along[3] = {0, 0, 0}, turn[3], answer[3];
    int i;

    along[axis] = 1;
    vector_cross(turn, strut->position_m, along);
    for (i = 0; i < 3; i++)
        answer[i] = vector_dot(f->spin.inverse[i], turn);
    return 1 / mass_kg + vector_dot(turn, answer);
}

int
struts_parts(const struct airframe *f, const struct airframe_state *s,
             double dt_s)
{
    double mass_kg = f->dry_mass_kg + s->fuel_kg;
    double damped = 0, swings = 0, one;
    const struct gear_strut *strut;
    int i, axis;

    /* All at once bound the fastest of their motions together. */
    for (i = 0; i < f->gear.strut_count; i++)
        for (axis = 1; axis < 3; axis++) {
            strut = &f->gear.struts[i];
            one = give(f, strut, axis, mass_kg);
            damped += strut->damping * one;
            swings += strut->stiffness * one;
        }
    one = motion_clamp(dt_s * (damped + sqrt(swings)) * (1 / PARTS_RATE), 0,
                       PARTS_MAX - 1);
    return motion_floor(one) + 1;
}

double
struts_closing(const struct airframe *f, const struct airframe_state *s)
{
    struct airframe_local at;
    double slope[2];

    airframe_local_of(&at, &f->around.planet, s);
    ground_surface(&f->around.ground, at.position_m[0], at.position_m[1],
                   slope);
    return (at.velocity_mps[2] + slope[0] * at.velocity_mps[0] +
            slope[1] * at.velocity_mps[1]) /
           sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
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
