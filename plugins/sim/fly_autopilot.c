/*
 * The F-16's autopilot of NASA's check-cases: gains of a linear regulator, in
 * degrees, feet, knots and radians a second, as published.
 */
#include "fly_sortie.h"
#include "units.h"
#include <motion/math.h>
#include <string.h>

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
    a->aside_ft = a->aside_fps = 0;
    a->stick_trim = -s->state.elevator_deg / 25;
    a->throttle_trim = s->state.power / 100;
}

/* What was asked of it beyond what it began with. */
struct autopilot_steps {
    double altitude_ft, speed_kt, course_deg, offset_ft;
};

static void
steps_now(const struct sortie *s, struct autopilot_steps *out)
{
    const struct scenario *plan = &s->scenario;

    memset(out, 0, sizeof(*out));
    if ((double)s->tick / plan->rate_hz < plan->step_at - 1e-9)
        return;
    out->altitude_ft = plan->altitude_step / METRES_PER_FOOT;
    out->speed_kt = plan->speed_step * KNOTS_PER_MPS;
    out->course_deg = plan->course_step * DEG_PER_RAD;
    out->offset_ft = plan->offset_step / METRES_PER_FOOT;
}

/* What it steers towards across the track. */
struct guidance {
    double course_deg;
    double offset_ft; /* to the right of where it should be */
};

/*
 * Along a course: to the right of it lies what was flown across it since the
 * start. A track so measured crosses every meridian at its course, and needs no
 * length of a degree.
 */
static void
follow_track(struct autopilot *a, const struct sortie *s,
             const struct sortie_row *now, const struct autopilot_steps *steps,
             struct guidance *out)
{
    double course = (a->course_deg + steps->course_deg) * RADIANS_PER_DEG;
    double across = (now->ned_mps[1] * motion_cos(course) -
                     now->ned_mps[0] * motion_sin(course)) /
                    METRES_PER_FOOT;

    if (s->tick > 0)
        a->aside_ft += (across + a->aside_fps) / 2 / s->scenario.rate_hz;
    a->aside_fps = across;
    out->course_deg = a->course_deg + steps->course_deg;
    /* Without an offset to fly it holds a course, not a track. */
    out->offset_ft =
        s->scenario.offset_step == 0 ? 0 : a->aside_ft - steps->offset_ft;
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
autopilot_steer(struct autopilot *a, struct sortie *s)
{
    struct autopilot_steps steps;
    struct guidance to;
    struct sortie_row now;
    double speed, alpha, beta, pitch, bank, course, p, q, r;
    double along, lever, roll, yaw;

    sortie_look(s, &now);
    steps_now(s, &steps);
    if (isnan(s->scenario.circle_radius))
        follow_track(a, s, &now, &steps, &to);
    else
        follow_circle(&s->scenario, &now, &to);
    p = now.air.rates_rps[0];
    q = now.air.rates_rps[1];
    r = now.air.rates_rps[2];
    speed = equivalent_kt(&now) - (a->speed_kt + steps.speed_kt);
    alpha = now.air.alpha_rad * DEG_PER_RAD - TRIM_ALPHA_DEG;
    beta = now.air.beta_rad * DEG_PER_RAD;
    pitch = now.pitch_rad * DEG_PER_RAD -
            (TRIM_ALPHA_DEG +
             motion_clamp(-0.05 * (now.at.height_m / METRES_PER_FOOT -
                                   a->altitude_ft - steps.altitude_ft),
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
