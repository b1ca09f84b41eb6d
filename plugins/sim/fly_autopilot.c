/*
 * The F-16's autopilot of NASA's check-cases: gains of a linear regulator, in
 * degrees, feet, knots and radians a second, as published.
 */
#include "fly_sortie.h"
#include "units.h"
#include <motion/math.h>

#define KNOTS_PER_MPS   (3600 / 1852.0)
#define DENSITY_ZERO    1.225
#define TRIM_ALPHA_DEG  2.653814
#define FEET_PER_DEGREE 364567.2

static double
wrap_180(double deg)
{
    return deg - 360 * motion_floor((deg + 180) / 360);
}

static double
equivalent_kt(const struct sortie_row *now)
{
    return now->air.speed_mps * sqrt(now->air.density / DENSITY_ZERO) *
           KNOTS_PER_MPS;
}

void
autopilot_start(struct autopilot *a, const struct sortie *s)
{
    struct sortie_row now;

    sortie_look(s, &now);
    a->altitude_ft = now.at.height_m / METRES_PER_FOOT;
    a->speed_kt = equivalent_kt(&now);
    a->course_deg = motion_atan2(now.ned_mps[1], now.ned_mps[0]) * DEG_PER_RAD;
    a->offset_ft = 0;
    a->latitude_deg = now.at.latitude_rad * DEG_PER_RAD;
    a->longitude_deg = now.at.longitude_rad * DEG_PER_RAD;
    a->stick_trim = -s->state.elevator_deg / 25;
    a->throttle_trim = s->state.power / 100;
}

/* What it steers towards across the track. */
struct guidance {
    double course_deg;
    double offset_ft; /* to the right of where it should be */
};

static void
follow_track(const struct autopilot *a, const struct sortie_row *now,
             struct guidance *out)
{
    double latitude = now->at.latitude_rad * DEG_PER_RAD;
    double north = FEET_PER_DEGREE * (latitude - a->latitude_deg);
    double east =
        FEET_PER_DEGREE *
        wrap_180(now->at.longitude_rad * DEG_PER_RAD - a->longitude_deg) *
        motion_cos(now->at.latitude_rad);
    double course = a->course_deg * RADIANS_PER_DEG;

    out->course_deg = a->course_deg;
    out->offset_ft = a->offset_ft == 0
                         ? 0 /* it holds a course, not a track */
                         : east * motion_cos(course) -
                               north * motion_sin(course) - a->offset_ft;
}

/* Round a point, which stays on the left; round a pole by latitude alone. */
static void
follow_circle(const struct scenario *s, const struct sortie_row *now,
              struct guidance *out)
{
    double latitude = now->at.latitude_rad * DEG_PER_RAD;
    double middle = s->circle_latitude * DEG_PER_RAD;
    double radius = s->circle_radius / METRES_PER_FOOT;
    double north = FEET_PER_DEGREE * (latitude - middle);
    double east =
        FEET_PER_DEGREE *
        wrap_180((now->at.longitude_rad - s->circle_longitude) * DEG_PER_RAD) *
        motion_cos(now->at.latitude_rad);

    if (fabs(middle) > 89.999) {
        out->course_deg = middle > 0 ? 90 : -90;
        out->offset_ft = fabs(north) - radius;
        return;
    }
    out->course_deg = -motion_atan2(north, east) * DEG_PER_RAD;
    out->offset_ft = sqrt(north * north + east * east) - radius;
}

void
autopilot_steer(const struct autopilot *a, struct sortie *s)
{
    const struct scenario *plan = &s->scenario;
    int stepped = (double)s->tick / plan->rate_hz >= plan->step_at - 1e-9;
    struct autopilot held = *a;
    struct guidance to;
    struct sortie_row now;
    double speed, alpha, beta, pitch, bank, course, p, q, r;
    double along, lever, roll, yaw;

    sortie_look(s, &now);
    if (stepped) {
        held.altitude_ft += plan->altitude_step / METRES_PER_FOOT;
        held.speed_kt += plan->speed_step * KNOTS_PER_MPS;
        held.course_deg += plan->course_step * DEG_PER_RAD;
        held.offset_ft += plan->offset_step / METRES_PER_FOOT;
    }
    if (isnan(plan->circle_radius))
        follow_track(&held, &now, &to);
    else
        follow_circle(plan, &now, &to);
    p = now.air.rates_rps[0];
    q = now.air.rates_rps[1];
    r = now.air.rates_rps[2];
    speed = equivalent_kt(&now) - held.speed_kt;
    alpha = now.air.alpha_rad * DEG_PER_RAD - TRIM_ALPHA_DEG;
    beta = now.air.beta_rad * DEG_PER_RAD;
    pitch = now.pitch_rad * DEG_PER_RAD -
            (TRIM_ALPHA_DEG +
             motion_clamp(
                 -0.05 * (now.at.height_m / METRES_PER_FOOT - held.altitude_ft),
                 -5, 5));
    course =
        wrap_180(beta + now.heading_rad * DEG_PER_RAD -
                 (to.course_deg + motion_clamp(-0.01 * to.offset_ft, -30, 30)));
    bank = now.bank_rad * DEG_PER_RAD - motion_clamp(-10 * course, -30, 30);
    along = -(-0.06300907 * speed + 0.1132304 * alpha + 10.11343 * q +
              3.154983 * pitch);
    lever = -(0.9972606 * speed - 0.02546771 * alpha + 1.213308 * q +
              0.2087444 * pitch);
    roll =
        -(3.078044 * bank + 0.03236586 * beta + 4.557859 * p + 0.5894432 * r);
    yaw =
        -(-0.7058175 * bank - 0.2563629 * beta - 1.073666 * p + 0.8221146 * r);
    s->state.elevator_deg = -25 * motion_clamp(along + a->stick_trim, -1, 1);
    s->state.power = 100 * motion_clamp(lever + a->throttle_trim, 0, 1);
    s->state.aileron_deg = -21.5 * motion_clamp(roll, -1, 1);
    s->state.rudder_deg =
        0.008 * s->state.aileron_deg - 30 * motion_clamp(yaw, -1, 1);
}
