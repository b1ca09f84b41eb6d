#include "control.h"
#include "units.h"

#define ACTUATOR_PER_S     20.2
#define ALPHA_MAX_RAD      0.50
#define ALPHA_MIN_RAD      (-0.17)
#define NORMAL_G_MAX       9.0
#define NORMAL_G_MIN       (-3.0)
#define PITCH_RATE_MAX     0.6 /* rad/s */
#define LIMIT_WIDTH_RPS    0.05
#define ROLL_RATE_MAX      4.2
#define GAIN_PRESSURE_PA   17000.0 /* the gains are for this pressure ... */
#define GAIN_SPEED_MPS     180.0   /* ... and this speed */
#define PITCH_GAIN         20.0    /* degrees for a rad/s */
#define PITCH_TRIM_GAIN    40.0    /* degrees a second for a rad/s */
#define PITCH_UNWIND_PER_S 8.0
#define ROLL_FORWARD       3.5 /* degrees for a rad/s asked for */
#define ROLL_GAIN          3.0
#define YAW_GAIN           20.0

/*
 * How far `x` is over zero, with the corner rounded over -width .. width. The
 * laws limit by it alone: a sharp corner would cost RK4 its order, and flights
 * at two tick rates would part.
 */
static double
over(double x, double width)
{
    if (x <= -width)
        return 0;
    if (x >= width)
        return x;
    return (x + width) * (x + width) / (4 * width);
}

static double
limited(double x, double low, double high, double width)
{
    return x - over(x - high, width) + over(low - x, width);
}

/*
 * How an actuator follows: first order while the gap is small, and ever closer
 * to its speed as it grows; the fraction reaches 1 at 3 with no slope left.
 */
static double
actuator_rate(double at_deg, double target_deg, double speed_dps)
{
    double wish = ACTUATOR_PER_S / speed_dps * (target_deg - at_deg);
    double x = motion_clamp(wish, -3, 3);
    double s = x * x;

    return speed_dps * x * (27 + s) / (27 + 9 * s);
}

/* A command within a surface's travel. */
static double
travel(double command_deg, double most_deg)
{
    return limited(command_deg, -most_deg, most_deg, 0.2 * most_deg);
}

/* What the laws share: worked out once. */
struct gains {
    double scale;     /* surfaces bite with pressure, so gains fall with it */
    double per_speed; /* s/m */
};

/* The pitch rate that the stick asks for, within load and alpha limits. */
static double
pitch_rate_command(double stick, const struct airframe_air *air,
                   const struct gains *gains)
{
    double per_g = GRAVITY_MPS2 * gains->per_speed;
    double up = motion_clamp((NORMAL_G_MAX - 1) * per_g, 0, PITCH_RATE_MAX);
    double down = motion_clamp((NORMAL_G_MIN - 1) * per_g, -PITCH_RATE_MAX, 0);
    double rate = stick > 0 ? stick * up : -stick * down;
    double most = 3 * (ALPHA_MAX_RAD - air->alpha_rad);
    double least = 3 * (ALPHA_MIN_RAD - air->alpha_rad);

    /* Where both limits meet, the upper one has the last word. */
    rate += over(least - rate, LIMIT_WIDTH_RPS);
    rate -= over(rate - most, LIMIT_WIDTH_RPS);
    return limited(rate, -PITCH_RATE_MAX, PITCH_RATE_MAX, LIMIT_WIDTH_RPS);
}

static void
pitch_law(const struct airframe_state *s, const struct airframe_air *air,
          double stick, const struct gains *gains, struct airframe_state *dot)
{
    double error = pitch_rate_command(stick, air, gains) - s->rates_rps[1];
    double command = s->pitch_trim_deg - PITCH_GAIN * gains->scale * error;
    double target = travel(command, CONTROL_ELEVATOR_DEG);

    dot->elevator_deg =
        actuator_rate(s->elevator_deg, target, CONTROL_ELEVATOR_DPS);
    /* A saturated elevator must not wind the integral up. */
    dot->pitch_trim_deg = -PITCH_TRIM_GAIN * gains->scale * error -
                          PITCH_UNWIND_PER_S * (command - target);
}

static void
roll_law(const struct airframe_state *s, const struct airframe_air *air,
         double stick, const struct gains *gains, struct airframe_state *dot)
{
    double brisk = motion_clamp(air->pressure_pa * (1.0 / 8000), 0.15, 1);
    double calm =
        1 - 0.8 * motion_clamp(air->alpha_rad * (DEG_PER_RAD / 15) - 1, 0, 1);
    double rate = stick * ROLL_RATE_MAX * brisk * calm;
    double command = -ROLL_FORWARD * GAIN_SPEED_MPS * gains->per_speed * rate -
                     ROLL_GAIN * gains->scale * (rate - s->rates_rps[0]);

    dot->aileron_deg =
        actuator_rate(s->aileron_deg, travel(command, CONTROL_AILERON_DEG),
                      CONTROL_AILERON_DPS);
}

/* Damps slip: the yaw rate about the flight path, less what a turn needs. */
static void
yaw_law(const struct airframe_state *s, const struct airframe_air *air,
        double pedal, const struct gains *gains, struct airframe_state *dot)
{
    double along = air->body_mps[0] * gains->per_speed;
    double across = air->body_mps[2] * gains->per_speed;
    double excess = s->rates_rps[2] * along - s->rates_rps[0] * across -
                    GRAVITY_MPS2 * gains->per_speed * air->down_body[1];
    double command =
        -CONTROL_RUDDER_DEG * pedal * motion_clamp(gains->scale, 0, 1) +
        YAW_GAIN * gains->scale * excess;

    dot->rudder_deg = actuator_rate(
        s->rudder_deg, travel(command, CONTROL_RUDDER_DEG), CONTROL_RUDDER_DPS);
}

void
control_rates(const struct airframe_state *s, const struct airframe_air *air,
              const struct airframe_command *command,
              struct airframe_state *dot)
{
    /* Below these the laws would ask for ever more; nothing bites there. */
    double pressure = air->pressure_pa > GAIN_PRESSURE_PA / 4
                          ? air->pressure_pa
                          : GAIN_PRESSURE_PA / 4;
    double speed = air->speed_mps > 30 ? air->speed_mps : 30;
    struct gains gains = {GAIN_PRESSURE_PA / pressure, 1 / speed};

    pitch_law(s, air, command->pitch, &gains, dot);
    roll_law(s, air, command->roll, &gains, dot);
    yaw_law(s, air, command->yaw, &gains, dot);
}
