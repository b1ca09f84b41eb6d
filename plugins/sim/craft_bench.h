/*
 * An aircraft on the bench: what `hardpoint aircraft` asks it. Calm air of the
 * US standard over a flat Earth, half the fuel, gear up, and the ground too far
 * below to be felt. Steady points are solved with the very forces of the step.
 */
#ifndef SIM_CRAFT_BENCH_H
#define SIM_CRAFT_BENCH_H

#include "airframe.h"

struct craft {
    struct aircraft_type *type;
    struct atmosphere_table *air;
    struct airframe still;  /* no engine, its systems stand: for solving */
    struct airframe flying; /* as in a game */
    double mass_kg;
    double fuel_kg;       /* within it, for flights */
    double alpha_low_rad; /* where steady flight is looked for */
    double alpha_top_rad; /* by tables, limit, and the full stall */
};

/* Takes the file over, on an error too. 0, -ENOMEM, or -E2BIG as
 * aircraft_type_create says. */
int craft_create(struct craft **out, struct aircraft_file *file);

/* Accepts NULL. */
void craft_destroy(struct craft *c);

/* The same aircraft in other air or with another mass: the caller changed
 * `still` and `mass_kg`. What the tables hold, in metres: `height_m`, or higher
 * where an aircraft that feels the ground would feel it. */
double craft_height(const struct craft *c, double height_m);

double craft_weight(const struct craft *c); /* newtons */
double craft_sound_speed(const struct craft *c, double height_m);

/* Newtons at a power, height and speed; 0 without an engine. */
double craft_thrust(const struct craft *c, double power, double height_m,
                    double speed_mps);

/* The greatest height that all thrust tables know. */
double craft_height_cap(const struct craft *c);

/* The highest speed there for which the file has limits and tables. */
double craft_speed_cap(const struct craft *c, double height_m);

/* One alpha, the elevator where it stops the pitching. */
struct craft_point {
    double lift_n, drag_n; /* of the air */
    double elevator_deg;
    int trimmed; /* 0: the elevator's travel does not do it */
};

void craft_point(const struct craft *c, double height_m, double speed_mps,
                 double alpha_rad, double pitch_rps, struct craft_point *out);

/* The pitch rate of a level turn at a load factor. */
double craft_pitch_rate(double load_g, double speed_mps);

/* Level flight, at 1 g or in a turn. */
struct craft_level {
    double alpha_rad, elevator_deg;
    double thrust_n; /* that it takes */
};

/* The one of smallest alpha; -ERANGE: none below the stall. */
int craft_level(const struct craft *c, double height_m, double speed_mps,
                double load_g, struct craft_level *out);

/* The most lift of any alpha up to the top, trimmed, at a pitch rate. */
double craft_lift_most(const struct craft *c, double height_m, double speed_mps,
                       double pitch_rps, double *alpha_rad);

/* Sets a state in level flight, its power and pitch trim too; -ERANGE: it
 * cannot. `power` is where the engine then stands. */
int craft_enter(const struct craft *c, double height_m, double speed_mps,
                struct airframe_state *s, double *power);

/* Coefficients by AIRCRAFT_CX .. AIRCRAFT_LIFT at AIRCRAFT_* quantities. */
void craft_coefficients(const struct craft *c, const double *values,
                        double *out);

#endif
