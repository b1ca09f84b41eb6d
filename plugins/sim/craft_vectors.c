/* Level 4, without flying: the file's own [check] vectors and [claim] figures. */
#include "craft_check.h"

#include "craft_performance.h"
#include "engine.h"
#include "units.h"
#include <math.h>
#include <stdio.h>

struct vector_state {
    double values[AIRCRAFT_QUANTITIES];
    double speed_mps, rates_rps[3];
    int mach_given;
};

/* An angle is given once, in whatever form; its others follow. */
static void
spread_angle(double *values, int degrees, double radians)
{
    values[degrees] = radians * DEG_PER_RAD;
    values[degrees + 1] = radians;
    values[degrees + 2] = fabs(values[degrees]);
    values[degrees + 3] = radians < 0 ? -1 : 1;
}

static void
take_input(struct vector_state *s, int quantity, double value)
{
    switch (quantity) {
    case AIRCRAFT_ALPHA_DEG:
    case AIRCRAFT_BETA_DEG:
        spread_angle(s->values, quantity, value * RADIANS_PER_DEG);
        s->values[quantity] = value;
        break;
    case AIRCRAFT_ALPHA_RAD:
    case AIRCRAFT_BETA_RAD:
        spread_angle(s->values, quantity - 1, value);
        break;
    case AIRCRAFT_ALTITUDE_FT:
        s->values[AIRCRAFT_ALTITUDE_M] = value * METRES_PER_FOOT;
        s->values[quantity] = value;
        break;
    case AIRCRAFT_ALTITUDE_M:
        s->values[AIRCRAFT_ALTITUDE_FT] = value / METRES_PER_FOOT;
        s->values[quantity] = value;
        break;
    case AIRCRAFT_QUANTITIES:
        s->speed_mps = value;
        break;
    case AIRCRAFT_QUANTITIES + 1:
    case AIRCRAFT_QUANTITIES + 2:
    case AIRCRAFT_QUANTITIES + 3:
        s->rates_rps[quantity - AIRCRAFT_QUANTITIES - 1] = value;
        break;
    default:
        s->mach_given |= quantity == AIRCRAFT_MACH;
        s->values[quantity] = value;
    }
}

static void
set_state(const struct craft *c, const struct aircraft_check *check,
          struct vector_state *s)
{
    const struct aircraft_reference *r = &c->type->file->reference;
    double half;
    int i;

    *s = (struct vector_state){.speed_mps = 100};
    spread_angle(s->values, AIRCRAFT_ALPHA_DEG, 0);
    spread_angle(s->values, AIRCRAFT_BETA_DEG, 0);
    s->values[AIRCRAFT_AGL_SPAN] = 4;
    s->values[AIRCRAFT_DENSITY_RATIO] = 1;
    for (i = 0; i < check->in_count; i++)
        take_input(s, check->in[i].quantity, check->in[i].value);
    half = s->speed_mps > 0 ? 0.5 / s->speed_mps : 0;
    if (s->rates_rps[0] != 0)
        s->values[AIRCRAFT_PHAT] = s->rates_rps[0] * r->span_m * half;
    if (s->rates_rps[1] != 0)
        s->values[AIRCRAFT_QHAT] = s->rates_rps[1] * r->chord_m * half;
    if (s->rates_rps[2] != 0)
        s->values[AIRCRAFT_RHAT] = s->rates_rps[2] * r->span_m * half;
    if (!s->mach_given)
        s->values[AIRCRAFT_MACH] =
            s->speed_mps / craft_sound_speed(c, s->values[AIRCRAFT_ALTITUDE_M]);
}

static void
check_vector(const struct craft *c, const struct aircraft_check *check,
             struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;
    double out[AIRCRAFT_LIFT + 1], found;
    struct vector_state s;
    char section[48];
    int i;

    set_state(c, check, &s);
    craft_coefficients(c, s.values, out);
    snprintf(section, sizeof(section), "check %s", check->name);
    for (i = 0; i < check->out_count; i++) {
        int thrust = check->out[i].target == AIRCRAFT_TARGETS;

        found = thrust ? engine_thrust(c->type, s.values[AIRCRAFT_POWER],
                                       s.values[AIRCRAFT_ALTITUDE_M],
                                       s.values[AIRCRAFT_MACH])
                       : out[check->out[i].target];
        if (fabs(found - check->out[i].value) <= check->tolerance)
            continue;
        aircraft_error(problems, 4, aircraft_file_place(f, section, "out"),
                       "[%s] out: %s is found as %.9g, expected %.9g +-%g; "
                       "mend a table, a term or the check",
                       section,
                       thrust ? "thrust"
                              : aircraft_target_name(check->out[i].target),
                       found, check->out[i].value, check->tolerance);
    }
}

void
craft_check_vectors(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;
    int i;

    for (i = 0; i < f->check_count; i++)
        check_vector(c, &f->checks[i], problems);
}

void
craft_check_claims(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;
    double found;
    int i;

    for (i = 0; i < f->claim_count; i++) {
        const struct aircraft_claim *claim = &f->claims[i];

        found = craft_claimed(c, claim);
        if (fabs(found - claim->value) <= claim->tolerance)
            continue;
        aircraft_error(problems, 4, claim->at,
                       "[claim] %s: flown as %.4g, expected %g +-%g at %g m; "
                       "`hardpoint aircraft report` shows what it does",
                       aircraft_claim_name(claim->kind), found, claim->value,
                       claim->tolerance, claim->altitude_m);
    }
}
