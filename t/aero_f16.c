#include "aero_f16.h"
#include <sim/units.h>

#include <math.h>
#include <motion/math.h>

#define ALPHA_LOW_DEG  (-10.0)
#define ALPHA_HIGH_DEG 45.0
#define BETA_HIGH_DEG  30.0
#define BEYOND_DEG     5.0  /* how far the last cell is extended */
#define BLEND_DEG      10.0 /* then over how much the flat plate takes over */

/* A place in a table's axis: between `low` and the next, `share` of the way. */
struct place {
    int low;
    double share;
};

static struct place
place_of(double value, double first, double per_step, int count)
{
    double at = (value - first) * per_step;
    struct place p;

    /* So written that a NaN has a place: the step's end will find it. */
    p.low = at > 0 ? at < count - 2 ? (int)at : count - 2 : 0;
    p.share = at - p.low;
    return p;
}

static double
line(const double row[F16_ALPHAS], struct place alpha)
{
    double low = row[alpha.low];

    return low + (row[alpha.low + 1] - low) * alpha.share;
}

static double
plane(const double table[][F16_ALPHAS], struct place row, struct place alpha)
{
    double low = line(table[row.low], alpha);

    return low + (line(table[row.low + 1], alpha) - low) * row.share;
}

static void
from_tables(const struct f16_tables *t, const struct aero_input *in,
            struct aero_coefficients *out)
{
    double alpha_deg = motion_clamp(in->alpha_deg, ALPHA_LOW_DEG - BEYOND_DEG,
                                    ALPHA_HIGH_DEG + BEYOND_DEG);
    double beta_deg = motion_clamp(in->beta_deg, -BETA_HIGH_DEG - BEYOND_DEG,
                                   BETA_HIGH_DEG + BEYOND_DEG);
    struct place alpha =
        place_of(alpha_deg, ALPHA_LOW_DEG, 1.0 / 5, F16_ALPHAS);
    struct place beta = place_of(beta_deg, -BETA_HIGH_DEG, 1.0 / 10, F16_BETAS);
    struct place slip = place_of(fabs(beta_deg), 0, 1.0 / 5, F16_BETAS);
    struct place elevator =
        place_of(in->elevator_deg, -24, 1.0 / 12, F16_ELEVATORS);
    double side = beta_deg < 0 ? -1 : 1;
    double aileron = in->aileron_deg * (1.0 / 20),
           rudder = in->rudder_deg * (1.0 / 30);
    double slip_rad = beta_deg * t->slip_radians;

    out->cx =
        plane(t->cx, elevator, alpha) + line(t->cxq, alpha) * in->pitch_rate;
    out->cy = -0.02 * beta_deg + 0.021 * aileron + 0.086 * rudder +
              line(t->cyr, alpha) * in->yaw_rate +
              line(t->cyp, alpha) * in->roll_rate;
    out->cz = line(t->cz, alpha) * (1 - slip_rad * slip_rad) -
              0.19 / 25 * in->elevator_deg +
              line(t->czq, alpha) * in->pitch_rate;
    out->cl = side * plane(t->cl, slip, alpha) +
              plane(t->dlda, beta, alpha) * aileron +
              plane(t->dldr, beta, alpha) * rudder +
              line(t->clr, alpha) * in->yaw_rate +
              line(t->clp, alpha) * in->roll_rate;
    out->cm =
        plane(t->cm, elevator, alpha) + line(t->cmq, alpha) * in->pitch_rate;
    out->cn = side * plane(t->cn, slip, alpha) +
              plane(t->dnda, beta, alpha) * aileron +
              plane(t->dndr, beta, alpha) * rudder +
              line(t->cnr, alpha) * in->yaw_rate +
              line(t->cnp, alpha) * in->roll_rate;
}

/*
 * Separated flow: force across the plate, drag along it, the nose weathercocks
 * slowly into the wind, every rate is damped.
 */
static void
flat_plate(const struct aero_input *in, struct aero_coefficients *out)
{
    double alpha = in->alpha_deg * RADIANS_PER_DEG;
    double beta = in->beta_deg * RADIANS_PER_DEG;
    double across = motion_sin(alpha) * motion_cos(beta);
    double along = motion_cos(alpha) * motion_cos(beta);
    double aside = motion_sin(beta);

    out->cx = -0.1 * along;
    out->cy = -1.0 * aside;
    out->cz = -2.0 * across;
    out->cl = -0.3 * in->roll_rate;
    out->cm = -0.4 * across - 6.0 * in->pitch_rate;
    out->cn = 0.1 * aside - 0.5 * in->yaw_rate;
}

/* 0 within the tables, 1 where the flow is all separated, smooth between. */
static double
separation(double alpha_deg, double beta_deg)
{
    double beyond = fabs(beta_deg) - BETA_HIGH_DEG;
    double share;

    if (alpha_deg - ALPHA_HIGH_DEG > beyond)
        beyond = alpha_deg - ALPHA_HIGH_DEG;
    if (ALPHA_LOW_DEG - alpha_deg > beyond)
        beyond = ALPHA_LOW_DEG - alpha_deg;
    share = motion_clamp((beyond - BEYOND_DEG) / BLEND_DEG, 0, 1);
    return share * share * (3 - 2 * share);
}

static void
blend(struct aero_coefficients *out, const struct aero_coefficients *to,
      double share)
{
    out->cx += (to->cx - out->cx) * share;
    out->cy += (to->cy - out->cy) * share;
    out->cz += (to->cz - out->cz) * share;
    out->cl += (to->cl - out->cl) * share;
    out->cm += (to->cm - out->cm) * share;
    out->cn += (to->cn - out->cn) * share;
}

void
aero_f16(const struct f16_tables *tables, const struct aero_input *in,
         struct aero_coefficients *out)
{
    double share = separation(in->alpha_deg, in->beta_deg);
    struct aero_coefficients plate;

    from_tables(tables, in, out);
    if (share > 0) {
        flat_plate(in, &plate);
        blend(out, &plate, share);
    }
}
