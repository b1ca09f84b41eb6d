#include "control.h"
#include "units.h"

#define LIMIT_WIDTH_RPS    0.05
#define PITCH_UNWIND_PER_S 8.0
#define SLOWED             0.9 /* of its speed, without hydraulics */

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
actuator_rate(const struct control_surface *c, double at_deg, double target_deg)
{
    double wish = c->per_degree * (target_deg - at_deg);
    double x = motion_clamp(wish, -3, 3);
    double s = x * x;

    return c->rate_dps * x * (27 + s) / (27 + 9 * s);
}

/* A command within a surface's travel. */
static double
travel(const struct control_surface *c, double command_deg)
{
    return limited(command_deg, c->min_deg, c->max_deg, c->width_deg);
}

/* What the laws share: worked out once. */
struct gains {
    double scale;     /* surfaces bite with pressure, so gains fall with it */
    double per_speed; /* s/m */
};

/* The pitch rate that the stick asks for, within load and alpha limits. */
static double
pitch_rate_command(const struct control *c, double stick,
                   const struct airframe_air *air, const struct gains *gains)
{
    double top = c->file.pitch_rate_rps;
    double per_g = GRAVITY_MPS2 * gains->per_speed;
    double up = motion_clamp((c->g_max - 1) * per_g, 0, top);
    double down = motion_clamp((c->g_min - 1) * per_g, -top, 0);
    double rate = stick > 0 ? stick * up : -stick * down;
    double most = 3 * (c->alpha_max_rad - air->alpha_rad);
    double least = 3 * (c->alpha_min_rad - air->alpha_rad);

    /* Where both limits meet, the upper one has the last word. */
    rate += over(least - rate, LIMIT_WIDTH_RPS);
    rate -= over(rate - most, LIMIT_WIDTH_RPS);
    return limited(rate, -top, top, LIMIT_WIDTH_RPS);
}

static void
pitch_law(const struct control *c, const struct airframe_state *s,
          const struct airframe_air *air, double stick,
          const struct gains *gains, struct airframe_state *dot)
{
    double error = pitch_rate_command(c, stick, air, gains) - s->rates_rps[1];
    double command =
        s->pitch_trim_deg - c->file.pitch_gain * gains->scale * error;
    double target = travel(&c->surfaces[AIRCRAFT_ELEVATOR], command);

    dot->elevator_deg =
        actuator_rate(&c->surfaces[AIRCRAFT_ELEVATOR], s->elevator_deg, target);
    /* A saturated elevator must not wind the integral up. */
    dot->pitch_trim_deg = -c->file.pitch_trim * gains->scale * error -
                          PITCH_UNWIND_PER_S * (command - target);
}

static void
roll_law(const struct control *c, const struct airframe_state *s,
         const struct airframe_air *air, double stick,
         const struct gains *gains, struct airframe_state *dot)
{
    const struct control_surface *aileron = &c->surfaces[AIRCRAFT_AILERON];
    double brisk = motion_clamp(air->pressure_pa * (1.0 / 8000), 0.15, 1);
    double calm =
        1 - 0.8 * motion_clamp(air->alpha_rad * (DEG_PER_RAD / 15) - 1, 0, 1);
    double rate = stick * c->file.roll_rate_rps * brisk * calm;
    double command =
        -c->file.roll_forward * c->file.speed_mps * gains->per_speed * rate -
        c->file.roll_gain * gains->scale * (rate - s->rates_rps[0]);

    dot->aileron_deg =
        actuator_rate(aileron, s->aileron_deg, travel(aileron, command));
}

/* Damps slip: the yaw rate about the flight path, less what a turn needs. */
static void
yaw_law(const struct control *c, const struct airframe_state *s,
        const struct airframe_air *air, double pedal, const struct gains *gains,
        struct airframe_state *dot)
{
    const struct control_surface *rudder = &c->surfaces[AIRCRAFT_RUDDER];
    double along = air->body_mps[0] * gains->per_speed;
    double across = air->body_mps[2] * gains->per_speed;
    double excess = s->rates_rps[2] * along - s->rates_rps[0] * across -
                    GRAVITY_MPS2 * gains->per_speed * air->down_body[1];
    double command =
        rudder->min_deg * pedal * motion_clamp(gains->scale, 0, 1) +
        c->file.yaw_gain * gains->scale * excess;

    dot->rudder_deg =
        actuator_rate(rudder, s->rudder_deg, travel(rudder, command));
}

static void
rate_law(const struct control *c, const struct airframe_state *s,
         const struct airframe_air *air, const struct airframe_command *command,
         struct airframe_state *dot)
{
    /* Below these the laws would ask for ever more; nothing bites there. */
    double least = c->file.pressure_pa * 0.25;
    double pressure = air->pressure_pa > least ? air->pressure_pa : least;
    double speed = air->speed_mps > 30 ? air->speed_mps : 30;
    struct gains gains = {c->file.pressure_pa / pressure, 1 / speed};

    pitch_law(c, s, air, command->pitch, &gains, dot);
    roll_law(c, s, air, command->roll, &gains, dot);
    yaw_law(c, s, air, command->yaw, &gains, dot);
}

/* Where a surface goes for the stick, from where it rests. */
static double
direct_rate(const struct control_surface *c,
            const struct airframe_command *command, double rest_deg,
            double at_deg)
{
    double target = rest_deg + c->gain_pitch * command->pitch +
                    c->gain_roll * command->roll + c->gain_yaw * command->yaw;

    if (c->per_rate == 0)
        return 0;
    return actuator_rate(c, at_deg, travel(c, target));
}

/* What little pressure is left moves a surface slowly. */
static void
slow_down(struct airframe_state *dot, double lost)
{
    double left = 1 - SLOWED * lost;

    dot->elevator_deg *= left;
    dot->aileron_deg *= left;
    dot->rudder_deg *= left;
}

static void
direct_rates(const struct control *c, const struct airframe_state *s,
             const struct airframe_command *command, struct airframe_state *dot)
{
    const struct control_surface *surfaces = c->surfaces;

    dot->elevator_deg = direct_rate(&surfaces[AIRCRAFT_ELEVATOR], command,
                                    s->pitch_trim_deg, s->elevator_deg);
    dot->aileron_deg =
        direct_rate(&surfaces[AIRCRAFT_AILERON], command, 0, s->aileron_deg);
    dot->rudder_deg =
        direct_rate(&surfaces[AIRCRAFT_RUDDER], command, 0, s->rudder_deg);
    dot->pitch_trim_deg = 0;
}

void
control_rates(const struct control *c, const struct airframe_state *s,
              const struct airframe_air *air,
              const struct airframe_command *command,
              struct airframe_state *dot)
{
    if (c->file.law == AIRCRAFT_LAW_RATE)
        rate_law(c, s, air, command, dot);
    else
        direct_rates(c, s, command, dot);
    if (command->surface_lost > 0)
        slow_down(dot, command->surface_lost);
}
