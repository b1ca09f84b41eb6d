/*
 * One type of aircraft, ready to fly: its file, and what the step needs of it in
 * a form that costs little.
 */
#ifndef SIM_AIRCRAFT_TYPE_H
#define SIM_AIRCRAFT_TYPE_H

#include "aero.h"
#include "aircraft_file.h"

/* What a surface's actuator can. */
struct control_surface {
    double min_deg, max_deg, width_deg; /* the travel, its corners rounded */
    double rate_dps;
    double per_degree; /* of the gap, in units of the rate */
    double per_rate;   /* one over the rate; 0: there is no such surface */
    double gain_pitch, gain_roll, gain_yaw;
};

/* struct aircraft_control with what the law works out of it once. */
struct control {
    struct aircraft_control file;
    struct control_surface surfaces[AIRCRAFT_SURFACES];
    double g_max, g_min;
    double alpha_max_rad, alpha_min_rad;
};

enum engine_target {
    ENGINE_IDLE, /* newtons */
    ENGINE_MILITARY,
    ENGINE_MAXIMUM,
    ENGINE_FUEL, /* kg/s */
    ENGINE_TARGETS
};

struct aircraft_type {
    struct aircraft_file *file;
    struct aero_program aero;   /* targets AIRCRAFT_CX .. AIRCRAFT_LIFT */
    struct aero_program engine; /* targets ENGINE_* */
    struct control control;
    double slow_mps; /* below it, rate terms fade with the speed */
    int uses_ground; /* a term knows the height over it */
    int has_forces;  /* any term at all */
};

/*
 * Makes a type of a loaded file, which it takes over (on an error too). 0 and a
 * type for aircraft_type_destroy; -E2BIG: more terms or tables than the step
 * has room for; -ENOMEM.
 */
int aircraft_type_create(struct aircraft_type **out,
                         struct aircraft_file *file);

/* Accepts NULL. */
void aircraft_type_destroy(struct aircraft_type *t);

/*
 * Loads an aircraft by a file's path (it has a "/" or ends in ".ini"), or one
 * of those that are built in by its name. Errors as aircraft_file_load's and
 * -ENOENT for an unknown name, with all problems told.
 */
int aircraft_file_open(struct aircraft_file **out, const char *which,
                       struct aircraft_problems *problems);

/* aircraft_file_open and aircraft_type_create in one. On an error one sentence
 * is in `why`, with file and line. */
int aircraft_type_open(struct aircraft_type **out, const char *which, char *why,
                       size_t why_bytes);

/* An aircraft that is compiled in, the text of its file. */
struct aircraft_builtin {
    const char *name;
    const char *const *lines; /* NULL ends them */
};

extern const struct aircraft_builtin aircraft_builtins[]; /* NULL name ends */

#endif
