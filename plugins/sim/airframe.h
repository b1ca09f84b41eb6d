/*
 * Six degrees of freedom of one aircraft: state, forces, and the RK4 step.
 *
 * World axes are north, east, down over a flat Earth; body axes forward, right,
 * down. Velocity is kept in world axes, so no turning frame adds terms to it.
 * SI units and radians; surfaces in degrees as the tables have them.
 */
#ifndef SIM_AIRFRAME_H
#define SIM_AIRFRAME_H

#include "f16_tables.h"
#include "ground.h"

/* What is integrated: doubles only, so that RK4 may walk it as an array. */
struct airframe_state {
    double position_m[3];
    double velocity_mps[3];
    double attitude[4];
    double rates_rps[3];
    double elevator_deg;
    double aileron_deg;
    double rudder_deg;
    double pitch_trim_deg; /* the pitch law's integral */
    double power;          /* 0 .. 100 */
    double fuel_kg;
    double gear; /* 0 up .. 1 down */
};
#define AIRFRAME_STATES 20

/* What the pilot asks for, held over a tick. */
struct airframe_command {
    double pitch;    /* -1 .. 1, + nose up */
    double roll;     /* -1 .. 1, + right wing down */
    double yaw;      /* -1 .. 1, + nose right */
    double brake;    /* 0 .. 1 */
    double throttle; /* 0 .. 1 as engine.h has it */
    double gear;     /* 0 up, 1 down */
};

/* The constants of one type of aircraft in one world. */
struct airframe {
    const struct f16_tables *tables;
    struct ground ground;
    double gravity_mps2;
    double dry_mass_kg;
    double fuel_max_kg;
    double area_m2, span_m, chord_m, chord_per_span;
    double cg;    /* centre of mass, share of the chord */
    double rotor; /* the engine's angular momentum along x, kg m2/s */
    /* The inertia of a body with one plane of symmetry, worked out once:
     * p' = (c1 r + c2 p + c4 h) q + c3 L + c4 N
     * q' = (c5 p - c7 h) r - c6 (p p - r r) + c7 M
     * r' = (c8 p - c2 r + c9 h) q + c4 L + c9 N, h the rotor. */
    double c1, c2, c3, c4, c5, c6, c7, c8, c9;
};

/* How the air meets the aircraft, and what it feels. */
struct airframe_air {
    double speed_mps;
    double alpha_rad;
    double beta_rad;
    double mach;
    double density;      /* kg/m3 */
    double pressure_pa;  /* dynamic */
    double body_mps[3];  /* velocity in body axes */
    double down_body[3]; /* the world's down in body axes */
    double normal_g;     /* load factor, 1 in level flight */
    double wheel_load_n; /* what the struts carry together */
};

/* The F-16 of the tables over the given ground. */
void airframe_f16(struct airframe *out, const struct ground *ground);

/* Sets c1 .. c9 from the moments of inertia (kg m2). */
void airframe_set_inertia(struct airframe *f, double ixx, double iyy,
                          double izz, double ixz);

/* The air around a state; normal_g and wheel_load_n are left 0. */
void airframe_air(struct airframe_air *out, const struct airframe_state *s);

/* The rate of change of every member of `s` into `dot`. */
void airframe_derivative(const struct airframe *f,
                         const struct airframe_state *s,
                         const struct airframe_command *command,
                         struct airframe_state *dot, struct airframe_air *air);

/* How many equal parts of at most 20 ms, which the wheels' struts need, a tick
 * is cut into. */
int airframe_parts(double dt_s);

/*
 * One tick of `dt_s`: RK4, the command held, in as many parts.
 * `air` tells how it was near the end of the tick.
 */
void airframe_step(const struct airframe *f, struct airframe_state *s,
                   const struct airframe_command *command, double dt_s,
                   struct airframe_air *air);

/* Straight and level flight. */
struct airframe_trim {
    double alpha_rad;
    double elevator_deg;
    double power;
};

/*
 * The trim of smallest alpha at a height and speed with `mass_kg`. 0, or -ERANGE
 * when the aircraft cannot fly level there.
 */
int airframe_trim_level(const struct airframe *f, double height_m,
                        double speed_mps, double mass_kg,
                        struct airframe_trim *out);

#endif
