/*
 * The autopilot of NASA's check-cases: a linear regulator in degrees, feet,
 * knots and radians a second, its gains from the aircraft's file.
 */
#include "fly_sortie.h"
#include "units.h"
#include <motion/math.h>
#include <string.h>

#define KNOTS_PER_MPS   (3600 / 1852.0)
#define DENSITY_ZERO    1.225
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
    a->stick_trim = s->state.elevator_deg /
                    s->frame.type->control.surfaces[AIRCRAFT_ELEVATOR].min_deg;
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

/* What a row of gains makes of four errors. */
static double
regulate(const double gains[4], double a, double b, double c, double d)
{
    return -(gains[0] * a + gains[1] * b + gains[2] * c + gains[3] * d);
}

/* Towards a surface's end: full is 1, against the gains' sign. */
static double
deflect(const struct control_surface *c, double share)
{
    return c->min_deg * motion_clamp(share, -1, 1);
}

void
autopilot_steer(struct autopilot *a, struct sortie *s)
{
    const struct aircraft_type *type = s->frame.type;
    const struct aircraft_autopilot *gains = &type->file->autopilot;
    const struct control_surface *surfaces = type->control.surfaces;
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
    alpha = now.air.alpha_rad * DEG_PER_RAD - gains->alpha_deg;
    beta = now.air.beta_rad * DEG_PER_RAD;
    pitch = now.pitch_rad * DEG_PER_RAD -
            (gains->alpha_deg +
             motion_clamp(-0.05 * (now.at.height_m / METRES_PER_FOOT -
                                   a->altitude_ft - steps.altitude_ft),
                          -5, 5));
    course =
        wrap_180(beta + now.heading_rad * DEG_PER_RAD -
                 (to.course_deg + motion_clamp(-0.01 * to.offset_ft, -30, 30)));
    bank = now.bank_rad * DEG_PER_RAD - motion_clamp(-10 * course, -30, 30);
    along = regulate(gains->stick, speed, alpha, q, pitch);
    lever = regulate(gains->throttle, speed, alpha, q, pitch);
    roll = regulate(gains->aileron, bank, beta, p, r);
    yaw = regulate(gains->rudder, bank, beta, p, r);
    s->state.elevator_deg =
        deflect(&surfaces[AIRCRAFT_ELEVATOR], along + a->stick_trim);
    s->state.power = 100 * motion_clamp(lever + a->throttle_trim, 0, 1);
    s->state.aileron_deg = deflect(&surfaces[AIRCRAFT_AILERON], roll);
    s->state.rudder_deg =
        0.008 * s->state.aileron_deg + deflect(&surfaces[AIRCRAFT_RUDDER], yaw);
}
