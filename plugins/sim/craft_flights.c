/* Level 4: the aircraft flies, without a host. */
#include "craft_check.h"

#include "craft_modes.h"
#include "craft_performance.h"
#include "engine.h"
#include "struts.h"
#include "units.h"
#include <math.h>
#include <string.h>

#define HANDS_OFF_S    60
#define MANOEUVRE_S    10
#define PARKED_S       600
#define SETTLE_S       20
#define PARKED_DRIFT_M 0.001
#define DOUBLE_LEAST_S 4.0 /* a pilot catches slower ones */
#define RATE_ANGLE_DEG 0.01
#define RATE_PLACE_M   0.02
#define BANK_MOST_DEG  60.0
#define FALL_FROM_M    9000.0

/* A start for the flights, and what speed it has. */
struct flight {
    const struct craft *craft;
    struct airframe_state start;
    double throttle;
    struct aircraft_place at; /* where problems are told */
};

static int
is_finite(const struct airframe_state *s)
{
    const double *all = (const double *)s;
    int i;

    for (i = 0; i < AIRFRAME_STATES; i++)
        if (!(fabs(all[i]) < 1e9))
            return 0;
    return 1;
}

/* ---- a flight at several rates ---- */

/* Doublets that every rate samples alike: they change at whole 1/30 s. */
static void
manoeuvre(int thirtieth, double throttle, struct airframe_command *out)
{
    int t = thirtieth % 120;

    memset(out, 0, sizeof(*out));
    out->throttle = throttle;
    out->roll = t >= 15 && t < 30 ? 0.5 : t >= 45 && t < 60 ? -0.5 : 0;
    out->pitch = t >= 60 && t < 75 ? 0.3 : t >= 75 && t < 90 ? -0.2 : 0;
    out->yaw = t >= 90 && t < 100 ? 0.3 : t >= 100 && t < 110 ? -0.3 : 0;
}

static void
fly_manoeuvre(const struct flight *f, int rate_hz, struct airframe_state *s)
{
    struct airframe_command command;
    struct airframe_air air;
    int tick;

    *s = f->start;
    for (tick = 0; tick < MANOEUVRE_S * rate_hz && is_finite(s); tick++) {
        manoeuvre(tick * 30 / rate_hz, f->throttle, &command);
        airframe_step(&f->craft->flying, s, &command, 1.0 / rate_hz, &air);
    }
}

/* Between two attitudes, in degrees. */
static double
turned_deg(const double a[4], const double b[4])
{
    double difference = 0, sum = 0;
    int i;

    for (i = 0; i < 4; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        sum += (a[i] + b[i]) * (a[i] + b[i]);
    }
    difference = sqrt(difference < sum ? difference : sum);
    return 4 * asin(difference / 2 < 1 ? difference / 2 : 1) * DEG_PER_RAD;
}

static void
check_rates(const struct flight *f, struct aircraft_problems *problems)
{
    static const int rates[] = {30, 60, 120};
    struct airframe_state fine, s, again;
    double apart[3], angle, place;
    int i, k;

    fly_manoeuvre(f, 240, &fine);
    fly_manoeuvre(f, 240, &again);
    if (!is_finite(&fine)) {
        aircraft_error(problems, 4, f->at,
                       "found numbers beyond all bounds in a flight of %d s "
                       "with gentle stick, expected it to stay in the air; "
                       "look at the signs and sizes of the moments",
                       MANOEUVRE_S);
        return;
    }
    if (memcmp(&fine, &again, sizeof(fine)) != 0)
        aircraft_error(problems, 4, f->at,
                       "found two different ends of the same flight, expected "
                       "the same bits; please report this");
    for (i = 0; i < 3; i++) {
        fly_manoeuvre(f, rates[i], &s);
        for (k = 0; k < 3; k++)
            apart[k] = s.position_m[k] - fine.position_m[k];
        place = is_finite(&s) ? vector_length(apart) : INFINITY;
        angle =
            is_finite(&s) ? turned_deg(s.attitude, fine.attitude) : INFINITY;
        if (place <= RATE_PLACE_M && angle <= RATE_ANGLE_DEG)
            continue;
        (place > 50 * RATE_PLACE_M || angle > 50 * RATE_ANGLE_DEG
             ? aircraft_error
             : aircraft_warning)(
            problems, 4, f->at,
            "found a flight of %d s at %d Hz to end %.3g m and %.3g deg from "
            "that at 240 Hz, expected at most %g m and %g deg; smooth the "
            "steepest table, or lower the gains",
            MANOEUVRE_S, rates[i], place, angle, RATE_PLACE_M, RATE_ANGLE_DEG);
        return;
    }
}

/* ---- hands off ---- */

static void
check_hands_off(const struct flight *f, struct aircraft_problems *problems)
{
    struct airframe_command command = {.throttle = f->throttle};
    const struct craft *c = f->craft;
    struct airframe_state s = f->start;
    struct airframe_air air;
    struct rotation r;
    double bank, alpha;
    int tick;

    for (tick = 0; tick < HANDS_OFF_S * 60; tick++) {
        airframe_step(&c->flying, &s, &command, 1.0 / 60, &air);
        rotation_of(&r, s.attitude);
        bank = atan2(r.m[2][1], r.m[2][2]) * DEG_PER_RAD;
        alpha = air.alpha_rad;
        if (is_finite(&s) && fabs(bank) <= BANK_MOST_DEG &&
            alpha >= c->alpha_low_rad && alpha <= c->alpha_top_rad)
            continue;
        aircraft_warning(problems, 4, f->at,
                         "found bank %.0f deg and alpha %.1f deg after %.1f s "
                         "hands off, expected it to stay about level for %d s; "
                         "the modes in `hardpoint aircraft report` tell which "
                         "motion grows",
                         bank, alpha * DEG_PER_RAD, tick / 60.0, HANDS_OFF_S);
        return;
    }
}

/* Nobody but the pilot holds an aircraft under law = direct. */
static void
check_modes(const struct flight *f, struct aircraft_problems *problems)
{
    const struct craft *c = f->craft;
    struct craft_modes modes;
    int i;

    if (c->type->file->control.law != AIRCRAFT_LAW_DIRECT ||
        craft_modes(c, &f->start, &modes) < 0)
        return;
    for (i = 0; i < modes.count; i++) {
        const struct craft_mode *m = &modes.modes[i];

        if (m->real <= 0 || craft_mode_half_s(m) >= DOUBLE_LEAST_S)
            continue;
        aircraft_warning(problems, 4, f->at,
                         "found an unstable %s that doubles in %.2g s at %.0f "
                         "m/s, expected at least %g s or a law that holds it; "
                         "move the centre of mass forward or add damping",
                         m->name, craft_mode_half_s(m),
                         vector_length(f->start.velocity_mps), DOUBLE_LEAST_S);
    }
}

/* ---- parked ---- */

static double
lowest_wheel(const struct gear *g)
{
    double z = 0;
    int i;

    for (i = 0; i < g->strut_count; i++)
        if (g->struts[i].position_m[2] > z)
            z = g->struts[i].position_m[2];
    return z;
}

static void
check_parked(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;
    struct airframe_command command = {.brake = 1, .gear = 1};
    struct airframe_state s =
                              {
                                  .attitude = {1, 0, 0, 0},
                                    .gear = 1
    },
                          settled;
    struct airframe_air air;
    double apart[3], moved;
    int tick, k;

    if (f->gear.strut_count == 0)
        return;
    s.fuel_kg = c->fuel_kg;
    s.position_m[2] = -lowest_wheel(&f->gear);
    settled = s;
    for (tick = 0; tick < PARKED_S * 30 && is_finite(&s); tick++) {
        if (tick == SETTLE_S * 30)
            settled = s;
        airframe_step(&c->flying, &s, &command, 1.0 / 30, &air);
        if (struts_hull_clearance(&c->flying, &s) < 0)
            break;
    }
    if (tick < PARKED_S * 30) {
        aircraft_error(problems, 4, f->strut_headings[0],
                       "[gear]: found it on its hull after standing %.1f s, "
                       "expected it to stand; move wheels or hull points, or "
                       "make the springs stiffer",
                       tick / 30.0);
        return;
    }
    for (k = 0; k < 3; k++)
        apart[k] = s.position_m[k] - settled.position_m[k];
    moved = vector_length(apart);
    if (moved > PARKED_DRIFT_M)
        aircraft_error(problems, 4, f->strut_headings[0],
                       "[gear]: found it %.3g m away after standing %d s with "
                       "the brake on, expected less than %g m; give the main "
                       "wheels a brake, or idle less thrust",
                       moved, PARKED_S, PARKED_DRIFT_M);
}

/* ---- all of them ---- */

/* Level flight at a usual speed; 0 when there is none. */
static int
start_level(struct flight *f)
{
    const struct craft *c = f->craft;
    struct craft_band band;
    double height = craft_ceiling_m(c, CRAFT_FULL) * 0.2, power, speed;

    craft_band(c, height, CRAFT_FULL, &band);
    if (band.fast_mps == 0)
        return 0;
    speed = band.slow_mps + (band.fast_mps - band.slow_mps) * 0.5;
    if (craft_enter(c, height, speed, &f->start, &power) < 0)
        return 0;
    f->throttle = engine_throttle(power);
    return 1;
}

/* A body falls, and tumbles. */
static void
start_fall(struct flight *f)
{
    struct airframe_state *s = &f->start;

    memset(s, 0, sizeof(*s));
    s->attitude[0] = 1;
    s->position_m[2] = -FALL_FROM_M;
    s->rates_rps[0] = 0.17;
    s->rates_rps[1] = 0.35;
    s->rates_rps[2] = 0.52;
}

void
craft_check_flights(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *file = c->type->file;
    struct flight f = {.craft = c};

    f.at = aircraft_file_place(file, "aero", "");
    if (f.at.line == 0)
        f.at = aircraft_file_place(file, "aircraft", "");
    check_parked(c, problems);
    if (file->control.law == AIRCRAFT_LAW_NONE) {
        start_fall(&f);
        check_rates(&f, problems);
        return;
    }
    if (file->engine.heading.line == 0)
        return; /* nothing that holds a height by itself */
    if (!start_level(&f)) {
        aircraft_error(problems, 4, f.at,
                       "found no speed of level flight at sea level, expected "
                       "one: too little thrust or lift, too much drag, or no "
                       "trim within the elevator's travel; `hardpoint aircraft "
                       "report` tells more");
        return;
    }
    check_modes(&f, problems);
    check_rates(&f, problems);
    check_hands_off(&f, problems);
}
