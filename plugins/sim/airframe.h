/*
 * Six degrees of freedom of one aircraft: state, forces, and the RK4 step.
 *
 * World axes are fixed to the planet (see planet.h); body axes forward, right,
 * down. Velocity is kept in world axes, so no turning body adds terms to it.
 * SI units and radians; surfaces in degrees as the tables have them.
 */
#ifndef SIM_AIRFRAME_H
#define SIM_AIRFRAME_H

#include "aircraft_type.h"
#include "lines.h"
#include "surroundings.h"
#include <motion/vector.h>

/* What is integrated: doubles only, so that RK4 may walk it as an array. */
struct airframe_state {
    double position_m[3];
    double velocity_mps[3];
    double attitude[4];
    double rates_rps[3]; /* against inertial space, body axes */
    double elevator_deg;
    double aileron_deg;
    double rudder_deg;
    double pitch_trim_deg; /* the pitch law's integral */
    double power;          /* 0 .. 100 */
    double fuel_kg;
    double gear;                        /* 0 up .. 1 down */
    double stick_m[GEAR_STRUTS_MAX][2]; /* see struts.h; along, across */
};
#define AIRFRAME_STATES (20 + 2 * GEAR_STRUTS_MAX)

/* What the pilot asks for, held over a tick. */
struct airframe_command {
    double pitch;    /* -1 .. 1, + nose up */
    double roll;     /* -1 .. 1, + right wing down */
    double yaw;      /* -1 .. 1, + nose right */
    double brake;    /* 0 .. 1 */
    double throttle; /* 0 .. 1 as engine.h has it */
    double gear;     /* 0 up, 1 down */
    double load_kg;  /* what it carries beside fuel */
    /* What damage takes: of thrust, and of the surfaces' speed, 0 .. 1; and how
     * far aside of the middle the whole thrust then pulls, + right. */
    double thrust_lost, surface_lost, thrust_arm_m;
    /* Held as well: how the air moves beside its mean wind, world axes. */
    double gust_mps[3];
};

/*
 * How a body with any inertia turns, worked out once from
 * w' = I^-1 (M - w x (I w + rotor)): a sum over the products of two rates, in
 * the order pp, qq, rr, pq, pr, qr, and the inverse.
 */
struct airframe_spin {
    double products[3][6];
    double inverse[3][3]; /* 1/(kg m2) */
};

/* The constants of one type of body in one world. */
struct airframe {
    struct surroundings around;
    const struct aircraft_type *type;
    double dry_mass_kg;
    double fuel_max_kg;
    double area_m2, span_m, chord_m;
    double reference_m[3]; /* of the moments, from the centre of mass */
    double rotor;          /* the engine's angular momentum along x, kg m2/s */
    struct airframe_spin spin;
    struct gear gear;
    struct lines alpha_lines, beta_lines; /* radians */
    struct lines elevator_lines;          /* degrees */
    int engine;                           /* it has one: thrust by power */
    int systems; /* engine lag, fuel, gear and control laws run; 0: surfaces,
                  * power, mass and gear stay as they are */
};

/* How the air meets the aircraft, and what it feels. */
struct airframe_air {
    double height_m;
    double speed_mps; /* through the air */
    double alpha_rad;
    double beta_rad;
    double mach;
    double density;      /* kg/m3 */
    double pressure_pa;  /* dynamic */
    double body_mps[3];  /* velocity through the air in body axes */
    double rates_rps[3]; /* against the planet, body axes */
    double down_body[3]; /* the local down in body axes */
    double normal_g;     /* load factor, 1 in level flight */
    double wheel_load_n; /* what the struts carry together */
};

/* A body as the ground below it sees it, in local north, east, down. Over a
 * curved planet the origin is the point of the ellipsoid below the body. */
struct airframe_local {
    double position_m[3];
    double velocity_mps[3];
    double rates_rps[3]; /* against the planet, body axes */
    struct rotation attitude;
};

void airframe_local_of(struct airframe_local *out, const struct planet *planet,
                       const struct airframe_state *s);

/* A body of a type, which must outlive it, with its systems if it has any. */
void airframe_init(struct airframe *out, const struct aircraft_type *type,
                   const struct surroundings *around);

/* A symmetric tensor in kg m2: diagonal as the moments, elsewhere minus the
 * products of inertia (a positive Ixz is -Ixz here). It must be definite. */
void airframe_set_inertia(struct airframe *f, const double tensor[3][3]);

/* The same for a body whose x-z plane is one of symmetry. */
void airframe_set_plane_inertia(struct airframe *f, double ixx, double iyy,
                                double izz, double ixz);

/*
 * Puts a body over the planet: velocity towards north, east, down, attitude by
 * Euler angles against those, no turn against them. Its other states it keeps.
 */
void airframe_place(struct airframe_state *s, const struct planet *planet,
                    const struct planet_geodetic *at, const double ned_mps[3],
                    double heading_rad, double pitch_rad, double bank_rad);

/*
 * Gusts for an entity at a moment, as airframe_command has them: where the state
 * is and how fast it goes over the ground. Zeros in calm air.
 */
void airframe_gust(const struct airframe *f, const struct airframe_state *s,
                   uint32_t entity, double time_s, double gust_mps[3]);

/* The mean air around a state; normal_g and wheel_load_n are left 0. */
void airframe_air(struct airframe_air *out, const struct airframe *f,
                  const struct airframe_state *s);

/* Adds what the air does to it: newtons in body axes, newton metres about the
 * reference point. */
void airframe_aero(const struct airframe *f, const struct airframe_state *s,
                   const struct airframe_air *air, double force[3],
                   double moment[3]);

/* The rate of change of every member of `s` into `dot`. */
void airframe_derivative(const struct airframe *f,
                         const struct airframe_state *s,
                         const struct airframe_command *command,
                         struct airframe_state *dot, struct airframe_air *air);

/* How many equal parts of at most 20 ms, which the wheels' struts need, a tick
 * is cut into. */
int airframe_parts(double dt_s);

/*
 * One tick of `dt_s`: RK4, the command held, in as many parts, and these cut
 * where the air crosses a breakpoint of the tables.
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

/* Level flight at one speed and course, straight or in a steady turn. */
struct airframe_manoeuvre {
    struct planet_geodetic at;
    double speed_mps; /* over the ground; it is the airspeed without wind */
    double course_rad;
    double turn_rps; /* 0, or positive to the right */
};

/*
 * Sets a state so that nothing of it changes against the local vertical: wings
 * level and nose on course when it flies straight, without side force in a
 * turn. Surfaces and power are set, fuel and gear kept. 0, or -ERANGE when no
 * such flight was found.
 */
int airframe_trim(const struct airframe *f,
                  const struct airframe_manoeuvre *manoeuvre,
                  struct airframe_state *s);

#endif
