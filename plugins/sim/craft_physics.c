/* Level 3, in the air: do the coefficients belong to something that flies? */
#include "craft_check.h"

#include "craft_modes.h"
#include "engine.h"
#include "units.h"
#include <math.h>
#include <stdio.h>

#define ALPHA_STEP_DEG  1.0
#define NORMAL_LOW_DEG  (-2.0) /* where every aircraft is damped, */
#define NORMAL_HIGH_DEG 10.0   /* stable and obedient */
#define NOTHING         1e-9   /* a coefficient */

double
craft_term(const struct aircraft_file *f, const struct aircraft_term *t,
           const double *values)
{
    double product = t->factor;
    int i;

    for (i = 0; i < t->quantity_count; i++)
        product *= values[t->quantities[i]];
    if (t->table >= 0)
        product *= aircraft_table_value(&f->tables[t->table], values);
    return product;
}

/* The slip goes by four names. */
static int
is_kind(int quantity, int wanted)
{
    if (wanted == AIRCRAFT_BETA_DEG)
        return quantity >= AIRCRAFT_BETA_DEG && quantity <= AIRCRAFT_SIGN_BETA;
    return quantity == wanted;
}

static int
knows(const struct aircraft_file *f, const struct aircraft_term *t,
      int quantity)
{
    int i;

    for (i = 0; i < t->quantity_count; i++)
        if (is_kind(t->quantities[i], quantity))
            return 1;
    for (i = 0; t->table >= 0 && i < f->tables[t->table].dimensions; i++)
        if (is_kind(f->tables[t->table].axes[i].quantity, quantity))
            return 1;
    return 0;
}

struct aircraft_place
craft_term_place(const struct aircraft_file *f, int target, int quantity)
{
    int i;

    for (i = 0; i < f->term_count; i++)
        if (f->terms[i].target == target && knows(f, &f->terms[i], quantity))
            return f->terms[i].at;
    return aircraft_file_place(f, "aero", "");
}

/* ---- a state for the coefficients ---- */

static void
set_alpha(double *values, double alpha_deg)
{
    values[AIRCRAFT_ALPHA_DEG] = alpha_deg;
    values[AIRCRAFT_ALPHA_RAD] = alpha_deg * RADIANS_PER_DEG;
    values[AIRCRAFT_ABS_ALPHA_DEG] = fabs(alpha_deg);
    values[AIRCRAFT_SIGN_ALPHA] = alpha_deg < 0 ? -1 : 1;
}

static void
set_beta(double *values, double beta_deg)
{
    values[AIRCRAFT_BETA_DEG] = beta_deg;
    values[AIRCRAFT_BETA_RAD] = beta_deg * RADIANS_PER_DEG;
    values[AIRCRAFT_ABS_BETA_DEG] = fabs(beta_deg);
    values[AIRCRAFT_SIGN_BETA] = beta_deg < 0 ? -1 : 1;
}

/* Straight flight with surfaces at rest, slow enough for every table. */
static void
set_plain(double *values, double alpha_deg)
{
    int i;

    for (i = 0; i < AIRCRAFT_QUANTITIES; i++)
        values[i] = 0;
    set_alpha(values, alpha_deg);
    set_beta(values, 0);
    values[AIRCRAFT_MACH] = 0.2;
    values[AIRCRAFT_AGL_SPAN] = 4;
    values[AIRCRAFT_DENSITY_RATIO] = 1;
    values[AIRCRAFT_POWER] = ENGINE_MILITARY_POWER;
}

/* How a coefficient changes with a quantity, by a difference of two. */
static double
slope(const struct craft *c, const double *at, int target, int quantity,
      double step)
{
    double values[AIRCRAFT_QUANTITIES], low[AIRCRAFT_LIFT + 1],
        high[AIRCRAFT_LIFT + 1];
    int i;

    for (i = 0; i < AIRCRAFT_QUANTITIES; i++)
        values[i] = at[i];
    values[quantity] = at[quantity] - step;
    craft_coefficients(c, values, low);
    values[quantity] = at[quantity] + step;
    craft_coefficients(c, values, high);
    return (high[target] - low[target]) / (2 * step);
}

/* ---- signs ---- */

struct sign {
    int target, quantity;
    double step;
    int wanted; /* -1 or 1 */
    int err;    /* 1: an error when it is wrong; none is a warning always */
    const char *what, *wrong, *none;
};

static void
judge_sign(const struct craft *c, const struct sign *s, double alpha_deg,
           struct aircraft_problems *problems, int *told)
{
    const struct aircraft_file *f = c->type->file;
    struct aircraft_place at = craft_term_place(f, s->target, s->quantity);
    double values[AIRCRAFT_QUANTITIES], found;

    set_plain(values, alpha_deg);
    found = slope(c, values, s->target, s->quantity, s->step);
    if (found * s->wanted > NOTHING)
        return;
    *told = 1;
    if (fabs(found) <= NOTHING)
        aircraft_warning(problems, 3, at,
                         "%s: found no %s of %s at alpha %g deg, expected %s; "
                         "add a term",
                         s->what, aircraft_target_name(s->target),
                         aircraft_quantity_name(s->quantity), alpha_deg,
                         s->none);
    else if (s->err)
        aircraft_error(problems, 3, at,
                       "%s: found %.3g of %s for %s at alpha %g deg, expected "
                       "it %s: %s; turn the sign",
                       s->what, found, aircraft_target_name(s->target),
                       aircraft_quantity_name(s->quantity), alpha_deg,
                       s->wanted < 0 ? "negative" : "positive", s->wrong);
    else
        aircraft_warning(problems, 3, at,
                         "%s: found %.3g of %s for %s at alpha %g deg, "
                         "expected it %s: %s",
                         s->what, found, aircraft_target_name(s->target),
                         aircraft_quantity_name(s->quantity), alpha_deg,
                         s->wanted < 0 ? "negative" : "positive", s->wrong);
}

static void
judge_signs(const struct craft *c, const struct sign *signs, int count,
            struct aircraft_problems *problems)
{
    double alpha;
    int i, told;

    for (i = 0; i < count; i++)
        for (alpha = NORMAL_LOW_DEG, told = 0;
             alpha <= NORMAL_HIGH_DEG && !told; alpha += 2 * ALPHA_STEP_DEG)
            judge_sign(c, &signs[i], alpha, problems, &told);
}

static void
check_damping(const struct craft *c, struct aircraft_problems *problems)
{
    /* clang-format off */
    static const struct sign signs[] = {
        {AIRCRAFT_CL, AIRCRAFT_PHAT, 0.01, -1, 1, "roll damping", "rolling would speed itself up", "some that resists rolling"},
        {AIRCRAFT_CM, AIRCRAFT_QHAT, 0.001, -1, 1, "pitch damping", "pitching would speed itself up", "some that resists pitching"},
        {AIRCRAFT_CN, AIRCRAFT_RHAT, 0.01, -1, 1, "yaw damping", "yawing would speed itself up", "some that resists yawing"},
    };
    static const struct sign yaw = {
        AIRCRAFT_CN, AIRCRAFT_BETA_DEG, 2, 1, 0, "weathercock", "the tail would come first", "some that turns the nose into the wind"};
    /* clang-format on */
    double values[AIRCRAFT_QUANTITIES], left[AIRCRAFT_LIFT + 1],
        right[AIRCRAFT_LIFT + 1];

    judge_signs(c, signs, 3, problems);
    /* Of both signs of slip: it has more than one quantity. */
    set_plain(values, 2);
    set_beta(values, -2);
    craft_coefficients(c, values, left);
    set_beta(values, 2);
    craft_coefficients(c, values, right);
    if (right[AIRCRAFT_CN] - left[AIRCRAFT_CN] > NOTHING)
        return;
    aircraft_warning(
        problems, 3,
        craft_term_place(c->type->file, AIRCRAFT_CN, AIRCRAFT_BETA_DEG),
        "%s: found cn %.3g for 2 deg of slip, expected it positive: %s; "
        "compare the sign with the source",
        yaw.what, (right[AIRCRAFT_CN] - left[AIRCRAFT_CN]) / 2, yaw.wrong);
}

/* The stick must do what it says: nose up, right wing down, nose right. */
static void
check_surface(const struct craft *c, int surface, int target, double gain,
              const char *gain_key, struct aircraft_problems *problems)
{
    static const char *const names[] = {"elevator", "aileron", "rudder"};
    const struct aircraft_file *f = c->type->file;
    int quantity = AIRCRAFT_ELEVATOR_DEG + surface;
    double values[AIRCRAFT_QUANTITIES], bite;
    char section[32];

    if (f->surfaces[surface].heading.line == 0)
        return;
    set_plain(values, 2);
    bite = slope(c, values, target, quantity, 1);
    snprintf(section, sizeof(section), "surface %s", names[surface]);
    if (fabs(bite) <= NOTHING) {
        aircraft_error(problems, 3, f->surfaces[surface].heading,
                       "[%s]: found no %s of %s, expected the surface to do "
                       "something; add a term",
                       section, aircraft_target_name(target),
                       aircraft_quantity_name(quantity));
        return;
    }
    if (surface == AIRCRAFT_ELEVATOR && bite > 0) {
        aircraft_error(problems, 3, craft_term_place(f, target, quantity),
                       "elevator: found cm %.3g for a degree, expected it "
                       "negative: more elevator is nose down; turn the sign, "
                       "and that of its travel",
                       bite);
        return;
    }
    if (f->control.law == AIRCRAFT_LAW_RATE && bite > 0)
        aircraft_error(problems, 3, craft_term_place(f, target, quantity),
                       "%s: found %s %.3g for a degree, expected it negative, "
                       "as law = rate_command has it; turn the sign, and that "
                       "of its travel",
                       names[surface], aircraft_target_name(target), bite);
    if (f->control.law == AIRCRAFT_LAW_DIRECT && gain * bite <= 0)
        aircraft_error(problems, 3,
                       gain == 0 ? f->surfaces[surface].heading
                                 : aircraft_file_place(f, section, gain_key),
                       "[%s] %s: found %g with %s %.3g for a degree, expected "
                       "their product above 0: a full stick or pedal would do "
                       "%s; %s",
                       section, gain_key, gain, aircraft_target_name(target),
                       bite, gain == 0 ? "nothing" : "the opposite",
                       gain == 0 ? "give it a gain" : "turn the sign");
}

static void
check_surfaces(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_surface *s = c->type->file->surfaces;

    check_surface(c, AIRCRAFT_ELEVATOR, AIRCRAFT_CM,
                  s[AIRCRAFT_ELEVATOR].gain_pitch, "gain_pitch", problems);
    check_surface(c, AIRCRAFT_AILERON, AIRCRAFT_CL,
                  s[AIRCRAFT_AILERON].gain_roll, "gain_roll", problems);
    check_surface(c, AIRCRAFT_RUDDER, AIRCRAFT_CN, s[AIRCRAFT_RUDDER].gain_yaw,
                  "gain_yaw", problems);
}

/* ---- symmetry ---- */

/* The first term of a target that is something here. */
static struct aircraft_place
term_at_work(const struct aircraft_file *f, int target, const double *values)
{
    int i;

    for (i = 0; i < f->term_count; i++)
        if (f->terms[i].target == target &&
            fabs(craft_term(f, &f->terms[i], values)) > NOTHING)
            return f->terms[i].at;
    return aircraft_file_place(f, "aero", "");
}

/* Left and right are alike: no side force, roll or yaw without slip. */
static void
check_symmetry(const struct craft *c, struct aircraft_problems *problems)
{
    static const int sides[] = {AIRCRAFT_CY, AIRCRAFT_CL, AIRCRAFT_CN};
    const struct aircraft_file *f = c->type->file;
    double values[AIRCRAFT_QUANTITIES], out[AIRCRAFT_LIFT + 1];
    double alpha, low = c->alpha_low_rad * DEG_PER_RAD,
                  high = c->alpha_top_rad * DEG_PER_RAD;
    int i;

    for (i = 0; i < 3; i++)
        for (alpha = low; alpha <= high; alpha += ALPHA_STEP_DEG) {
            set_plain(values, alpha);
            craft_coefficients(c, values, out);
            if (fabs(out[sides[i]]) <= 1e-6)
                continue;
            aircraft_warning(problems, 3, term_at_work(f, sides[i], values),
                             "found %s %.3g at alpha %.3g deg without slip, "
                             "rates or surfaces, expected 0: it would turn by "
                             "itself; make the table 0 at slip 0",
                             aircraft_target_name(sides[i]), out[sides[i]],
                             alpha);
            break;
        }
}

/* ---- lift and drag ---- */

static void
check_polar(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;
    struct aircraft_place at = aircraft_file_place(f, "aero", "");
    double values[AIRCRAFT_QUANTITIES], out[AIRCRAFT_LIFT + 1];
    double alpha, a, drag, lift, before = 0;
    int lift_told = 0;

    for (alpha = NORMAL_LOW_DEG; alpha <= NORMAL_HIGH_DEG;
         alpha += 2 * ALPHA_STEP_DEG) {
        set_plain(values, alpha);
        craft_coefficients(c, values, out);
        a = alpha * RADIANS_PER_DEG;
        drag = out[AIRCRAFT_DRAG] - out[AIRCRAFT_CX] * motion_cos(a) -
               out[AIRCRAFT_CZ] * motion_sin(a);
        lift = out[AIRCRAFT_LIFT] + out[AIRCRAFT_CX] * motion_sin(a) -
               out[AIRCRAFT_CZ] * motion_cos(a);
        if (drag <= 0) {
            aircraft_error(problems, 3, at,
                           "[aero]: found a drag coefficient of %.3g at alpha "
                           "%g deg, expected more than 0: the air would push "
                           "it on; compare cx, cz or drag with the source",
                           drag, alpha);
            return;
        }
        if (alpha > NORMAL_LOW_DEG && lift <= before && !lift_told) {
            aircraft_error(problems, 3, at,
                           "[aero]: found a lift coefficient of %.3g at alpha "
                           "%g deg after %.3g at %g, expected it to rise; cz "
                           "is positive downwards, lift upwards",
                           lift, alpha, before, alpha - 2 * ALPHA_STEP_DEG);
            lift_told = 1;
        }
        before = lift;
    }
}

/* ---- stiffness ---- */

/* Beyond this RK4 at 60 Hz does not follow, at 2.78 it falls apart. */
#define STIFF_LIMIT 2.5

static void
check_stiffness(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;
    double slow, fastest = 0, at_mps = 0, rate, speed;
    double cap = craft_speed_cap(c, 0);
    struct airframe_state s;
    double power;
    int i;

    slow = cap / 8;
    for (i = 0; i <= 10; i++) {
        speed = slow + (cap - slow) * i / 10;
        if (craft_enter(c, 0, speed, &s, &power) < 0)
            continue;
        rate = craft_fastest_rate(c, &s);
        if (rate > fastest) {
            fastest = rate;
            at_mps = speed;
        }
    }
    if (fastest / 60 < STIFF_LIMIT)
        return;
    aircraft_error(problems, 3, aircraft_file_place(f, "control", "law"),
                   "found motions as fast as %.0f 1/s at %.0f m/s and sea "
                   "level, expected at most %.0f: a step at 60 Hz does not "
                   "follow; lower gains, damping or slopes, or raise lag_s",
                   fastest, at_mps, STIFF_LIMIT * 60);
}

void
craft_check_aero(const struct craft *c, struct aircraft_problems *problems)
{
    size_t before = problems->errors;

    if (!c->type->has_forces || c->type->file->control.law == AIRCRAFT_LAW_NONE)
        return;
    check_damping(c, problems);
    check_surfaces(c, problems);
    check_symmetry(c, problems);
    check_polar(c, problems);
    if (problems->errors == before)
        check_stiffness(c, problems);
}
