#include "control.h"

#include <motion/math.h>

#define GRAVITY            9.80665
#define ACTUATOR_PER_S     20.2
#define ALPHA_MAX_RAD      0.50
#define ALPHA_MIN_RAD      (-0.17)
#define NORMAL_G_MAX       9.0
#define NORMAL_G_MIN       (-3.0)
#define PITCH_RATE_MAX     0.6 /* rad/s */
#define ROLL_RATE_MAX      4.2
#define GAIN_PRESSURE_PA   17000.0 /* the gains are for this pressure ... */
#define GAIN_SPEED_MPS     180.0   /* ... and this speed */
#define PITCH_GAIN         20.0    /* degrees for a rad/s */
#define PITCH_TRIM_GAIN    40.0    /* degrees a second for a rad/s */
#define PITCH_UNWIND_PER_S 8.0
#define ROLL_FORWARD       3.5 /* degrees for a rad/s asked for */
#define ROLL_GAIN          3.0
#define YAW_GAIN           20.0

/* How an actuator follows: first order, within its speed. */
static double
actuator_rate(double at_deg, double command_deg, double limit_deg,
              double limit_dps)
{
    double target = motion_clamp(command_deg, -limit_deg, limit_deg);

    return motion_clamp(ACTUATOR_PER_S * (target - at_deg), -limit_dps,
                        limit_dps);
}

/* Surfaces bite with dynamic pressure, so gains fall with it. */
static double
gain_scale(const struct airframe_air *air)
{
    double floor_pa = GAIN_PRESSURE_PA / 4;

    return GAIN_PRESSURE_PA /
           (air->pressure_pa > floor_pa ? air->pressure_pa : floor_pa);
}

/* The pitch rate that the stick asks for, within load and alpha limits. */
static double
pitch_rate_command(double stick, const struct airframe_air *air, double speed)
{
    double per_g = GRAVITY / speed;
    double up = motion_clamp((NORMAL_G_MAX - 1) * per_g, 0, PITCH_RATE_MAX);
    double down = motion_clamp((NORMAL_G_MIN - 1) * per_g, -PITCH_RATE_MAX, 0);
    double rate = stick > 0 ? stick * up : -stick * down;
    double most = 3 * (ALPHA_MAX_RAD - air->alpha_rad);
    double least = 3 * (ALPHA_MIN_RAD - air->alpha_rad);

    return motion_clamp(rate, motion_clamp(least, -PITCH_RATE_MAX, 0.3),
                        motion_clamp(most, -0.3, PITCH_RATE_MAX));
}

static void
pitch_law(const struct airframe_state *s, const struct airframe_air *air,
          double stick, double speed, struct airframe_state *dot)
{
    double scale = gain_scale(air);
    double error = pitch_rate_command(stick, air, speed) - s->rates_rps[1];
    double command = s->pitch_trim_deg - PITCH_GAIN * scale * error;
    double beyond = command - motion_clamp(command, -CONTROL_ELEVATOR_DEG,
                                           CONTROL_ELEVATOR_DEG);

    dot->elevator_deg = actuator_rate(
        s->elevator_deg, command, CONTROL_ELEVATOR_DEG, CONTROL_ELEVATOR_DPS);
    /* A saturated elevator must not wind the integral up. */
    dot->pitch_trim_deg =
        -PITCH_TRIM_GAIN * scale * error - PITCH_UNWIND_PER_S * beyond;
}

static void
roll_law(const struct airframe_state *s, const struct airframe_air *air,
         double stick, double speed, struct airframe_state *dot)
{
    double brisk = motion_clamp(air->pressure_pa / 8000, 0.15, 1);
    double calm = 1 - 0.8 * motion_clamp((air->alpha_rad - 0.26) / 0.26, 0, 1);
    double rate = stick * ROLL_RATE_MAX * brisk * calm;
    double command = -ROLL_FORWARD * (GAIN_SPEED_MPS / speed) * rate -
                     ROLL_GAIN * gain_scale(air) * (rate - s->rates_rps[0]);

    dot->aileron_deg = actuator_rate(s->aileron_deg, command,
                                     CONTROL_AILERON_DEG, CONTROL_AILERON_DPS);
}

/* Damps slip: the yaw rate about the flight path, less what a turn needs. */
static void
yaw_law(const struct airframe_state *s, const struct airframe_air *air,
        double pedal, double speed, struct airframe_state *dot)
{
    double along = air->body_mps[0] / speed, across = air->body_mps[2] / speed;
    double excess = s->rates_rps[2] * along - s->rates_rps[0] * across -
                    GRAVITY / speed * air->down_body[1];
    double command =
        -CONTROL_RUDDER_DEG * pedal * motion_clamp(gain_scale(air), 0, 1) +
        YAW_GAIN * gain_scale(air) * excess;

    dot->rudder_deg = actuator_rate(s->rudder_deg, command, CONTROL_RUDDER_DEG,
                                    CONTROL_RUDDER_DPS);
}

void
control_rates(const struct airframe_state *s, const struct airframe_air *air,
              const struct airframe_command *command,
              struct airframe_state *dot)
{
    /* The laws divide by speed; below flying speed they stop mattering. */
    double speed = air->speed_mps > 30 ? air->speed_mps : 30;

    pitch_law(s, air, command->pitch, speed, dot);
    roll_law(s, air, command->roll, speed, dot);
    yaw_law(s, air, command->yaw, speed, dot);
}
