#include "craft_performance.h"

#include "engine.h"
#include "units.h"
#include <math.h>

#define HALVINGS       24
#define BAND_SPEEDS    40
#define TURN_SPEEDS    24
#define ROLL_SPEEDS    6
#define CLIMB_LEAST    0.5 /* m/s, of the service ceiling */
#define STALL_MOST_MPS 400.0
#define LOADS_SETTLE   4 /* the pitch rate of a turn knows its load */
#define ROLL_FLIGHT_S  2.5

double
craft_power(const struct craft *c, int rating)
{
    return rating == CRAFT_FULL ? engine_power_max(c->type)
                                : ENGINE_MILITARY_POWER;
}

double
craft_stall_mps(const struct craft *c, double height_m)
{
    double low = 1, high = STALL_MOST_MPS, middle, alpha;
    int i;

    if (craft_lift_most(c, height_m, high, 0, &alpha) < craft_weight(c))
        return 0;
    for (i = 0; i < HALVINGS; i++) {
        middle = (low + high) / 2;
        if (craft_lift_most(c, height_m, middle, 0, &alpha) < craft_weight(c))
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- level flight ---- */

/* Thrust over what level flight takes, in weights along the path; a large
 * negative number where there is no level flight. */
static double
excess(const struct craft *c, double height_m, double speed_mps, int rating,
       double load_g)
{
    struct craft_level level;
    double thrust;

    if (craft_level(c, height_m, speed_mps, load_g, &level) < 0)
        return -1e3;
    thrust = craft_thrust(c, craft_power(c, rating), height_m, speed_mps);
    return (thrust - level.thrust_n) * motion_cos(level.alpha_rad) /
           craft_weight(c);
}

/* Where the excess changes its sign between two speeds. */
static double
balance(const struct craft *c, double height_m, int rating, double without,
        double with)
{
    double middle;
    int i;

    for (i = 0; i < HALVINGS; i++) {
        middle = (without + with) / 2;
        if (excess(c, height_m, middle, rating, 1) < 0)
            without = middle;
        else
            with = middle;
    }
    return with;
}

void
craft_band(const struct craft *c, double height_m, int rating,
           struct craft_band *out)
{
    double cap = craft_speed_cap(c, height_m), first = cap / 20;
    double speed, over, climb, before = first;
    int i, able = 0;

    *out = (struct craft_band){.climb_mps = -INFINITY};
    height_m = craft_height(c, height_m);
    for (i = 0; i <= BAND_SPEEDS; i++) {
        speed = first + (cap - first) * i / BAND_SPEEDS;
        over = excess(c, height_m, speed, rating, 1);
        climb = over * speed;
        if (over > -100 && climb > out->climb_mps) {
            out->climb_mps = climb;
            out->climb_at_mps = speed;
        }
        if (over >= 0 && !able && out->slow_mps == 0)
            out->slow_mps =
                i == 0 ? speed : balance(c, height_m, rating, before, speed);
        if (over < 0 && able)
            out->fast_mps = balance(c, height_m, rating, speed, before);
        able = over >= 0;
        before = speed;
    }
    if (able) {
        out->fast_mps = cap;
        out->capped = 1;
    }
}

double
craft_ceiling_m(const struct craft *c, int rating)
{
    double low = 0, high = craft_height_cap(c), middle;
    struct craft_band band;
    int i;

    craft_band(c, high, rating, &band);
    if (band.climb_mps >= CLIMB_LEAST)
        return high;
    craft_band(c, low, rating, &band);
    if (band.climb_mps < CLIMB_LEAST)
        return 0;
    for (i = 0; i < 12; i++) {
        middle = (low + high) / 2;
        craft_band(c, middle, rating, &band);
        if (band.climb_mps < CLIMB_LEAST)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* ---- turns ---- */

static double
turn_dps(double load_g, double speed_mps)
{
    return load_g <= 1 ? 0
                       : GRAVITY_MPS2 * sqrt(load_g * load_g - 1) / speed_mps *
                             DEG_PER_RAD;
}

static double
load_most(const struct craft *c, double height_m, double speed_mps)
{
    double load = 1, limit = c->type->file->limit.g_max, alpha, lift;
    double thrust =
        craft_thrust(c, craft_power(c, CRAFT_FULL), height_m, speed_mps);
    int i;

    for (i = 0; i < LOADS_SETTLE; i++) {
        lift = craft_lift_most(c, height_m, speed_mps,
                               craft_pitch_rate(load, speed_mps), &alpha);
        load = (lift + thrust * motion_sin(alpha)) / craft_weight(c);
        load = load < limit ? load : limit;
    }
    return load;
}

/* The most load whose drag the thrust carries; 0: not even 1 g. */
static double
load_sustained(const struct craft *c, double height_m, double speed_mps,
               int rating, double most)
{
    double low = 1, high = most, middle;
    int i;

    if (excess(c, height_m, speed_mps, rating, 1) < 0)
        return 0;
    if (most > 1 && excess(c, height_m, speed_mps, rating, most) >= 0)
        return most;
    for (i = 0; i < 12 && most > 1; i++) {
        middle = (low + high) / 2;
        if (excess(c, height_m, speed_mps, rating, middle) < 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

void
craft_turn_at(const struct craft *c, double height_m, double speed_mps,
              struct craft_turn *out)
{
    int i;

    height_m = craft_height(c, height_m);
    out->speed_mps = speed_mps;
    out->load_g = load_most(c, height_m, speed_mps);
    out->instant_dps = turn_dps(out->load_g, speed_mps);
    for (i = 0; i < CRAFT_RATINGS; i++) {
        if (i > 0 && craft_power(c, i) == craft_power(c, i - 1)) {
            out->sustained_g[i] = out->sustained_g[i - 1];
            out->sustained_dps[i] = out->sustained_dps[i - 1];
            continue;
        }
        out->sustained_g[i] =
            load_sustained(c, height_m, speed_mps, i, out->load_g);
        out->sustained_dps[i] = turn_dps(out->sustained_g[i], speed_mps);
    }
}

double
craft_best_turn(const struct craft *c, double height_m, int rating,
                double *at_mps)
{
    double slow = craft_stall_mps(c, height_m),
           cap = craft_speed_cap(c, height_m), best = 0;
    struct craft_turn turn;
    int i;

    *at_mps = 0;
    for (i = 0; i <= TURN_SPEEDS && slow > 0 && slow < cap; i++) {
        craft_turn_at(c, height_m, slow + (cap - slow) * i / TURN_SPEEDS,
                      &turn);
        if (turn.sustained_dps[rating] <= best)
            continue;
        best = turn.sustained_dps[rating];
        *at_mps = turn.speed_mps;
    }
    return best;
}

/* ---- rolls ---- */

double
craft_roll_dps(const struct craft *c, double height_m, double speed_mps)
{
    struct airframe_command command = {.roll = 1};
    struct airframe_state s;
    struct airframe_air air;
    double power, most = 0;
    int tick;

    if (craft_enter(c, height_m, speed_mps, &s, &power) < 0)
        return 0;
    command.throttle = engine_throttle(power);
    for (tick = 0; tick < ROLL_FLIGHT_S * 60; tick++) {
        airframe_step(&c->flying, &s, &command, 1.0 / 60, &air);
        if (!(fabs(s.rates_rps[0]) < 1e3))
            return 0;
        most = s.rates_rps[0] > most ? s.rates_rps[0] : most;
    }
    return most * DEG_PER_RAD;
}

double
craft_best_roll(const struct craft *c, double height_m, double *at_mps)
{
    struct craft_band band;
    double slow, speed, rate, best = 0;
    int i;

    craft_band(c, height_m, CRAFT_FULL, &band);
    slow = 1.2 * craft_stall_mps(c, height_m);
    slow = slow > band.slow_mps ? slow : band.slow_mps;
    *at_mps = 0;
    for (i = 0; i <= ROLL_SPEEDS && band.fast_mps > slow; i++) {
        speed = slow + (band.fast_mps - slow) * i / ROLL_SPEEDS;
        rate = craft_roll_dps(c, height_m, speed);
        if (rate <= best)
            continue;
        best = rate;
        *at_mps = speed;
    }
    return best;
}

double
craft_claimed(const struct craft *c, const struct aircraft_claim *claim)
{
    double height = claim->altitude_m, at;
    struct craft_band band;

    switch (claim->kind) {
    case AIRCRAFT_CLAIM_STALL_MPS:
        return craft_stall_mps(c, height);
    case AIRCRAFT_CLAIM_ROLL_DPS:
        return craft_best_roll(c, height, &at);
    case AIRCRAFT_CLAIM_TURN_DPS:
        return craft_best_turn(c, height, CRAFT_FULL, &at);
    case AIRCRAFT_CLAIM_CEILING_M:
        return craft_ceiling_m(c, CRAFT_FULL);
    default:
        break;
    }
    craft_band(c, height, CRAFT_FULL, &band);
    if (claim->kind == AIRCRAFT_CLAIM_CLIMB_MPS)
        return band.climb_mps;
    if (claim->kind == AIRCRAFT_CLAIM_MAX_MACH)
        return band.fast_mps / craft_sound_speed(c, height);
    return band.fast_mps;
}
