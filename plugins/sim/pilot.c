#include "pilot.h"
#include "ground.h"
#include "stores.h"
#include <errno.h>
#include <motion/math.h>
#include <string.h>

#define THOUGHTS_PER_S 20
#define GROUP          4
#define LOOKS          8 /* aircraft that a thought considers as target */

#define LOW_M        400.0 /* over the highest ground: leave off and climb */
#define HIGH_M       9000.0
#define AHEAD_S      6.0
#define SLOW_MPS     110.0
#define FULL         32767.0
#define FULL_G       8.0 /* what the whole stick adds, about */
#define ROUND_MPS    1100.0
#define RANGE_M      900.0
#define AIM_RAD      0.03
#define LAUNCH_RAD   0.15
#define LAUNCH_MIN_M 800.0
#define LAUNCH_MAX_M 4000.0
#define LAUNCH_REST  60   /* thoughts, some three seconds */
#define PLACE_M      40.0 /* between neighbours of a formation */
#define LEADER_RAD   0.35
#define LOITER_RAD   0.7
#define STEEPEST_RAD 1.2
#define LAYER_M      40.0 /* between the heights of neighbours */
#define LAYERS       16

/* Where an aircraft is and goes, in local axes. */
struct sight {
    struct planet_place place;
    struct rotation turn;
    double north_mps, east_mps, down_mps;
    double speed_mps;
    double bank_rad;
    double climb_rad;
};

int
pilot_named(const char *name)
{
    static const char *const names[] = {"loiter", "formation", "dogfight",
                                        "mixed"};
    int i;

    for (i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -EINVAL;
}

void
pilot_init(struct pilot *p, uint32_t pattern, uint32_t number)
{
    memset(p, 0, sizeof(*p));
    p->pattern =
        pattern == PILOT_MIXED ? number / GROUP % PILOT_MIXED : pattern;
    p->target = HP_INDEX_NONE;
    p->look = number;
}

static void
look_out(struct sight *out, const struct aircraft_world *rules,
         const struct aircraft *a)
{
    const double *v = a->state.velocity_mps, *down;
    double right[3], below[3];
    int i;

    planet_locate(&rules->frame.around.planet, a->state.position_m,
                  &out->place);
    rotation_of(&out->turn, a->state.attitude);
    down = out->place.ned[2];
    out->north_mps = vector_dot(out->place.ned[0], v);
    out->east_mps = vector_dot(out->place.ned[1], v);
    out->down_mps = vector_dot(down, v);
    out->speed_mps = vector_length(v);
    for (i = 0; i < 3; i++) {
        right[i] = out->turn.m[i][1];
        below[i] = out->turn.m[i][2];
    }
    out->bank_rad =
        motion_atan2(vector_dot(down, right), vector_dot(down, below));
    out->climb_rad =
        out->speed_mps > 1 ? motion_asin(-out->down_mps / out->speed_mps) : 0;
}

static double
wrapped(double angle)
{
    while (angle > MOTION_PI)
        angle -= 2 * MOTION_PI;
    while (angle < -MOTION_PI)
        angle += 2 * MOTION_PI;
    return angle;
}

static void
set_axis(struct pilot *p, int axis, double value, double low)
{
    p->input.axes[axis] = (int16_t)(motion_clamp(value, low, 1) * FULL);
}

static void
set_speed(struct pilot *p, const struct sight *me, double speed_mps)
{
    double lack = speed_mps - me->speed_mps;

    set_axis(p, HP_AXIS_THROTTLE, 0.6 + 0.03 * lack, 0);
    if (lack > 60)
        p->input.buttons |= HP_BUTTON_AFTERBURNER;
}

/* Banks and climbs as asked, at a speed. */
static void
steer(struct pilot *p, const struct sight *me, double bank_rad,
      double climb_rad, double speed_mps)
{
    double level = motion_cos(me->bank_rad);
    double g = me->speed_mps * 0.08 * (climb_rad - me->climb_rad);

    set_axis(p, HP_AXIS_ROLL, 0.45 * wrapped(bank_rad - me->bank_rad), -1);
    /* Upside down, pulling would lead the wrong way. */
    if (level < 0.25)
        g = 0;
    else
        g = (g + 1 - level * level) / level;
    set_axis(p, HP_AXIS_PITCH, g / FULL_G, -0.3);
    set_speed(p, me, speed_mps);
}

static double
cruise_mps(const struct aircraft_world *rules, const struct aircraft *a)
{
    return aircraft_model_of(rules, a)->spawn_speed_mps;
}

static void
loiter(struct pilot *p, const struct pilot_scene *scene, const struct sight *me,
       uint32_t slot, double bank_rad)
{
    const struct aircraft *a = &scene->aircraft[slot];
    double height = scene->rules->spawn.height_m + LAYER_M * (slot % LAYERS);
    double climb =
        motion_clamp((height - me->place.height_m) * 0.001, -0.15, 0.15);

    steer(p, me, slot / GROUP % 2 ? bank_rad : -bank_rad, climb,
          cruise_mps(scene->rules, a));
}

static int
may_be_met(const struct pilot_scene *scene, uint32_t slot)
{
    return slot < scene->slots_end && scene->used[slot] &&
           !(scene->aircraft[slot].flags & (AIRCRAFT_DEAD | AIRCRAFT_FROZEN));
}

/* From `me` to the other, world axes. */
static void
apart_of(const struct pilot_scene *scene, uint32_t me, uint32_t other,
         double out[3])
{
    const double *a = scene->aircraft[me].state.position_m;
    const double *b = scene->aircraft[other].state.position_m;
    int i;

    for (i = 0; i < 3; i++)
        out[i] = b[i] - a[i];
}

/* Behind and beside the leader, alternately right and left. */
static void
keep_place(struct pilot *p, const struct pilot_scene *scene,
           const struct sight *me, uint32_t slot, uint32_t leader,
           uint32_t number)
{
    double apart[3], north, east, up, ahead[2], aside, course, speed, along,
        hurry;
    double back = PLACE_M * number;
    struct sight lead;

    look_out(&lead, scene->rules, &scene->aircraft[leader]);
    apart_of(scene, slot, leader, apart);
    speed =
        sqrt(lead.north_mps * lead.north_mps + lead.east_mps * lead.east_mps);
    if (speed < 1)
        return;
    ahead[0] = lead.north_mps / speed;
    ahead[1] = lead.east_mps / speed;
    aside = number % 2 ? back : -back;
    north = vector_dot(me->place.ned[0], apart) - back * ahead[0] -
            aside * ahead[1];
    east = vector_dot(me->place.ned[1], apart) - back * ahead[1] +
           aside * ahead[0];
    up = lead.place.height_m - me->place.height_m;
    along = north * ahead[0] + east * ahead[1];
    /* For where the place will be in a few seconds. */
    course = wrapped(motion_atan2(east + AHEAD_S * lead.east_mps,
                                  north + AHEAD_S * lead.north_mps) -
                     motion_atan2(me->east_mps, me->north_mps));
    /* Who must turn does so tightly, and hurries only after that. */
    hurry = fabs(course) < 0.5 ? motion_clamp(along * 0.1, -40, 60) : 0;
    steer(p, me, motion_clamp(2 * course, -STEEPEST_RAD, STEEPEST_RAD),
          motion_clamp(up * 0.002, -0.2, 0.2), lead.speed_mps + hurry);
}

static void
fly_formation(struct pilot *p, const struct pilot_scene *scene,
              const struct sight *me, uint32_t slot)
{
    uint32_t number = (slot - scene->first) % GROUP;
    uint32_t leader = slot - number;

    if (number == 0 || !may_be_met(scene, leader))
        loiter(p, scene, me, slot, LEADER_RAD);
    else
        keep_place(p, scene, me, slot, leader, number);
}

/* Considers a few more aircraft, and takes one that is nearer. */
static void
choose_target(struct pilot *p, const struct pilot_scene *scene, uint32_t slot)
{
    double apart[3], nearest = 1e300, square;
    int i;

    if (may_be_met(scene, p->target)) {
        apart_of(scene, slot, p->target, apart);
        nearest = 0.8 * vector_dot(apart, apart);
    } else {
        p->target = HP_INDEX_NONE;
    }
    for (i = 0; i < LOOKS; i++) {
        p->look = p->look + 1 < scene->slots_end ? p->look + 1 : 0;
        if (p->look == slot || !may_be_met(scene, p->look))
            continue;
        apart_of(scene, slot, p->look, apart);
        square = vector_dot(apart, apart);
        if (square >= nearest)
            continue;
        nearest = square;
        p->target = p->look;
    }
}

/* A missile at whom none is under way to. */
static void
launch(struct pilot *p, const struct aircraft *a, const struct aircraft *it,
       double off_rad, double far_m)
{
    if (p->rest > 0) {
        p->rest--;
        return;
    }
    if (a->missiles == 0 || it->threat > 0 || off_rad > LAUNCH_RAD ||
        far_m < LAUNCH_MIN_M || far_m > LAUNCH_MAX_M)
        return;
    p->input.buttons |=
        a->store == STORE_MISSILE ? HP_BUTTON_RELEASE : HP_BUTTON_SELECT;
    p->rest = a->store == STORE_MISSILE ? LAUNCH_REST : 1;
}

/* Rolls and pulls towards where the target will be; fires when it is there. */
static void
chase(struct pilot *p, const struct pilot_scene *scene, const struct sight *me,
      uint32_t slot)
{
    const struct aircraft *a = &scene->aircraft[slot];
    const struct aircraft *it = &scene->aircraft[p->target];
    double apart[3], body[3], far, roll, off;
    int i;

    apart_of(scene, slot, p->target, apart);
    far = vector_length(apart);
    for (i = 0; i < 3; i++) {
        apart[i] += (it->state.velocity_mps[i] - a->state.velocity_mps[i]) *
                    motion_clamp(far / ROUND_MPS, 0, 3);
        /* The round falls on its way. */
        apart[i] -=
            me->place.ned[2][i] * 4.9 * motion_clamp(far * far / 1e6, 0, 4);
    }
    rotation_to_body(body, &me->turn, apart);
    roll = motion_atan2(body[1], -body[2]);
    off = motion_atan2(sqrt(body[1] * body[1] + body[2] * body[2]), body[0]);
    set_axis(p, HP_AXIS_ROLL, 0.6 * roll * motion_clamp(off * 8, 0, 1), -1);
    set_axis(p, HP_AXIS_PITCH, motion_cos(roll) * off * 4, -0.3);
    set_speed(p, me, 260);
    if (off < AIM_RAD && far < RANGE_M)
        p->input.buttons |= HP_BUTTON_GUN;
    launch(p, a, it, off, far);
}

static void
fight(struct pilot *p, const struct pilot_scene *scene, const struct sight *me,
      uint32_t slot)
{
    choose_target(p, scene, slot);
    if (me->speed_mps < SLOW_MPS)
        steer(p, me, 0, -0.1, 260);
    else if (me->place.height_m > HIGH_M)
        steer(p, me, 0.5, -0.1, 260);
    else if (p->target == HP_INDEX_NONE)
        loiter(p, scene, me, slot, LOITER_RAD);
    else
        chase(p, scene, me, slot);
}

/* Whether it is low, or would be soon. */
static int
must_climb(const struct pilot_scene *scene, const struct sight *me)
{
    double down_mps = me->down_mps > 0 ? me->down_mps : 0;

    return me->place.height_m - AHEAD_S * down_mps <
           ground_height_max(&scene->rules->frame.around.ground) + LOW_M;
}

void
pilot_think(struct pilot *p, const struct pilot_scene *scene, uint32_t slot,
            const struct hp_tick *tick)
{
    uint64_t every =
        tick->rate_num / ((uint64_t)tick->rate_den * THOUGHTS_PER_S);
    const struct aircraft *a = &scene->aircraft[slot];
    struct sight me;

    if (every > 1 && (tick->index + slot) % every != 0)
        return;
    memset(&p->input, 0, sizeof(p->input));
    if (a->flags & (AIRCRAFT_DEAD | AIRCRAFT_FROZEN))
        return;
    look_out(&me, scene->rules, a);
    if (must_climb(scene, &me))
        steer(p, &me, 0, 0.3, 260);
    else if (p->pattern == PILOT_FORMATION)
        fly_formation(p, scene, &me, slot);
    else if (p->pattern == PILOT_DOGFIGHT)
        fight(p, scene, &me, slot);
    else
        loiter(p, scene, &me, slot, LOITER_RAD);
}
