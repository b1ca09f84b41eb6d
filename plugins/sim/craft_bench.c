#include "craft_bench.h"

#include "engine.h"
#include "units.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AGL_SPANS     4.0 /* above it the ground is not felt */
#define ALPHA_STEP    (1 * RADIANS_PER_DEG)
#define SEARCHES_MAX  40
#define PITCH_NEAR    1e-10 /* rad/s2 */
#define LIFT_NEAR     1e-9  /* of the weight */
#define SPEED_CAP_MPS 700.0
#define HEIGHT_CAP_M  30000.0

static void
set_up(struct craft *c)
{
    const struct aircraft_file *f = c->type->file;
    struct surroundings around = {0};
    double top = f->limit.alpha_max_deg, low = f->limit.alpha_min_deg;

    atmosphere_fill(c->air);
    planet_init(&around.planet, PLANET_FLAT);
    around.weather.standard = c->air;
    airframe_init(&c->flying, c->type, &around);
    c->fuel_kg = c->flying.fuel_max_kg / 2;
    c->mass_kg = c->flying.dry_mass_kg + c->fuel_kg;
    c->still = c->flying;
    c->still.dry_mass_kg = c->mass_kg;
    c->still.systems = 0;
    c->still.engine = 0;
    if (f->limit.stall_full_deg > 0 && f->limit.stall_full_deg < top)
        top = f->limit.stall_full_deg;
    if (f->valid.given && f->valid.alpha_max_deg < top)
        top = f->valid.alpha_max_deg;
    if (f->valid.given && f->valid.alpha_min_deg > low)
        low = f->valid.alpha_min_deg;
    c->alpha_low_rad = low * RADIANS_PER_DEG;
    c->alpha_top_rad = top * RADIANS_PER_DEG;
}

int
craft_create(struct craft **out, struct aircraft_file *file)
{
    struct craft *c = calloc(1, sizeof(*c));
    int err;

    *out = NULL;
    if (c == NULL) {
        aircraft_file_destroy(file);
        return -ENOMEM;
    }
    err = aircraft_type_create(&c->type, file);
    if (err < 0)
        goto fail;
    err = -ENOMEM;
    c->air = malloc(sizeof(*c->air));
    if (c->air == NULL)
        goto fail;
    set_up(c);
    *out = c;
    return 0;

fail:
    craft_destroy(c);
    return err;
}

void
craft_destroy(struct craft *c)
{
    if (c == NULL)
        return;
    aircraft_type_destroy(c->type);
    free(c->air);
    free(c);
}

double
craft_height(const struct craft *c, double height_m)
{
    double least = AGL_SPANS * c->still.span_m;

    return c->type->uses_ground && height_m < least ? least : height_m;
}

double
craft_weight(const struct craft *c)
{
    return c->mass_kg * c->still.around.planet.gravity_mps2;
}

double
craft_sound_speed(const struct craft *c, double height_m)
{
    struct atmosphere a;

    weather_air(&c->still.around.weather, &a, height_m);
    return a.sound_speed;
}

double
craft_thrust(const struct craft *c, double power, double height_m,
             double speed_mps)
{
    if (c->type->file->engine.heading.line == 0)
        return 0;
    return engine_thrust(c->type, power, height_m,
                         speed_mps / craft_sound_speed(c, height_m));
}

double
craft_speed_cap(const struct craft *c, double height_m)
{
    const struct aircraft_file *f = c->type->file;
    double sound = craft_sound_speed(c, height_m), cap = SPEED_CAP_MPS, last;
    int i, k;

    if (f->limit.speed_max_mps > 0 && f->limit.speed_max_mps < cap)
        cap = f->limit.speed_max_mps;
    if (f->limit.mach_max > 0 && f->limit.mach_max * sound < cap)
        cap = f->limit.mach_max * sound;
    for (i = 0; i < f->table_count; i++)
        for (k = 0; k < f->tables[i].dimensions; k++) {
            const struct aircraft_axis *a = &f->tables[i].axes[k];

            if (a->quantity != AIRCRAFT_MACH || !f->tables[i].used)
                continue;
            last = a->at[a->count - 1] * sound;
            cap = last < cap ? last : cap;
        }
    return cap;
}

double
craft_height_cap(const struct craft *c)
{
    const struct aircraft_file *f = c->type->file;
    const int tables[] = {f->engine.idle, f->engine.military,
                          f->engine.maximum};
    double cap = HEIGHT_CAP_M, last;
    int i, k;

    for (i = 0; i < 3 && f->engine.heading.line > 0; i++)
        for (k = 0; tables[i] >= 0 && k < f->tables[tables[i]].dimensions;
             k++) {
            const struct aircraft_table *t = &f->tables[tables[i]];
            const struct aircraft_axis *a = &t->axes[k];

            if (a->quantity == AIRCRAFT_MACH)
                continue;
            last = a->at[a->count - 1];
            if (t->edge == AIRCRAFT_EXTEND)
                last += last - a->at[a->count - 2];
            last *= a->quantity == AIRCRAFT_ALTITUDE_FT ? METRES_PER_FOOT : 1;
            cap = last < cap ? last : cap;
        }
    return cap;
}

/* ---- one point ---- */

struct pitching {
    const struct craft *craft;
    struct airframe_state state, dot;
};

static double
pitching_at(struct pitching *p, double elevator_deg)
{
    static const struct airframe_command none;
    struct airframe_air air;

    p->state.elevator_deg = elevator_deg;
    airframe_derivative(&p->craft->still, &p->state, &none, &p->dot, &air);
    return p->dot.rates_rps[1];
}

/* The elevator without pitching, by false position: moments are nearly linear
 * in it. 0 when its travel does not reach. */
static int
solve_elevator(struct pitching *p)
{
    const struct control_surface *e =
        &p->craft->type->control.surfaces[AIRCRAFT_ELEVATOR];
    double low = e->min_deg, high = e->max_deg;
    double at_low = pitching_at(p, low), at_high = pitching_at(p, high);
    double middle, found;
    int i, side = 0;

    if ((at_low > 0) == (at_high > 0)) {
        pitching_at(p, fabs(at_low) < fabs(at_high) ? low : high);
        return 0;
    }
    for (i = 0; i < SEARCHES_MAX; i++) {
        middle = (low * at_high - high * at_low) / (at_high - at_low);
        found = pitching_at(p, middle);
        if (fabs(found) < PITCH_NEAR)
            return 1;
        if ((found > 0) == (at_high > 0)) {
            high = middle;
            at_high = found;
            at_low /= side < 0 ? 2 : 1; /* both ends shall move */
            side = -1;
        } else {
            low = middle;
            at_low = found;
            at_high /= side > 0 ? 2 : 1;
            side = 1;
        }
    }
    return 1;
}

void
craft_point(const struct craft *c, double height_m, double speed_mps,
            double alpha_rad, double pitch_rps, struct craft_point *out)
{
    struct pitching p = {.craft = c};

    p.state.position_m[2] = -height_m;
    p.state.velocity_mps[0] = speed_mps;
    p.state.attitude[0] = motion_cos(alpha_rad / 2);
    p.state.attitude[2] = motion_sin(alpha_rad / 2);
    p.state.rates_rps[1] = pitch_rps;
    out->trimmed = solve_elevator(&p);
    out->elevator_deg = p.state.elevator_deg;
    out->drag_n = -p.dot.velocity_mps[0] * c->mass_kg;
    out->lift_n = craft_weight(c) - p.dot.velocity_mps[2] * c->mass_kg;
}

/* ---- level flight ---- */

double
craft_pitch_rate(double load_g, double speed_mps)
{
    return load_g <= 1 ? 0 : GRAVITY_MPS2 * (load_g - 1 / load_g) / speed_mps;
}

/* What lifts over what it weighs, in weights, the thrust as level flight takes
 * it. Unbelievably far below where the elevator does not trim. */
static double
surplus(const struct craft *c, double height_m, double speed_mps, double load_g,
        double alpha_rad, struct craft_level *out)
{
    struct craft_point p;
    double along;

    craft_point(c, height_m, speed_mps, alpha_rad,
                craft_pitch_rate(load_g, speed_mps), &p);
    along = p.drag_n / motion_cos(alpha_rad);
    out->alpha_rad = alpha_rad;
    out->elevator_deg = p.elevator_deg;
    out->thrust_n = along;
    if (!p.trimmed)
        return -1e3;
    return (p.lift_n + along * motion_sin(alpha_rad)) / craft_weight(c) -
           load_g;
}

int
craft_level(const struct craft *c, double height_m, double speed_mps,
            double load_g, struct craft_level *out)
{
    double low = c->alpha_low_rad, high = low, middle, over = -1;
    int i;

    height_m = craft_height(c, height_m);
    for (; over < 0; high += ALPHA_STEP) {
        if (high > c->alpha_top_rad + ALPHA_STEP)
            return -ERANGE;
        middle = high > c->alpha_top_rad ? c->alpha_top_rad : high;
        over = surplus(c, height_m, speed_mps, load_g, middle, out);
    }
    high = middle;
    low = high - ALPHA_STEP;
    for (i = 0; i < SEARCHES_MAX && fabs(over) > LIFT_NEAR; i++) {
        middle = (low + high) / 2;
        over = surplus(c, height_m, speed_mps, load_g, middle, out);
        if (over < 0)
            low = middle;
        else
            high = middle;
    }
    return over < -1 ? -ERANGE : 0;
}

double
craft_lift_most(const struct craft *c, double height_m, double speed_mps,
                double pitch_rps, double *alpha_rad)
{
    double alpha = 0, most = 0;
    struct craft_point p;
    int last = 0;

    height_m = craft_height(c, height_m);
    *alpha_rad = 0;
    for (; !last; alpha += ALPHA_STEP) {
        last = alpha >= c->alpha_top_rad;
        if (last)
            alpha = c->alpha_top_rad;
        craft_point(c, height_m, speed_mps, alpha, pitch_rps, &p);
        if (p.trimmed && p.lift_n > most) {
            most = p.lift_n;
            *alpha_rad = alpha;
        }
    }
    return most;
}

int
craft_enter(const struct craft *c, double height_m, double speed_mps,
            struct airframe_state *s, double *power)
{
    struct planet_geodetic at = {0, 0, craft_height(c, height_m)};
    double ned[3] = {speed_mps, 0, 0};
    struct craft_level level;
    int err = craft_level(c, height_m, speed_mps, 1, &level);

    if (err < 0)
        return err;
    *power = engine_power_for(c->type, level.thrust_n, at.height_m,
                              speed_mps / craft_sound_speed(c, at.height_m));
    if (*power < 0)
        return -ERANGE;
    memset(s, 0, sizeof(*s));
    airframe_place(s, &c->flying.around.planet, &at, ned, 0, level.alpha_rad,
                   0);
    s->elevator_deg = s->pitch_trim_deg = level.elevator_deg;
    s->power = *power;
    s->fuel_kg = c->fuel_kg;
    return 0;
}

void
craft_coefficients(const struct craft *c, const double *values, double *out)
{
    double all[AERO_TARGETS_MAX];

    aero_run(&c->type->aero, values, all);
    memcpy(out, all, sizeof(double) * (AIRCRAFT_LIFT + 1));
}
