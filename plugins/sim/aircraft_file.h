/*
 * An aircraft as a text file: what the loader makes of it. doc/modding-aircraft.md
 * tells the format; conf/aircraft/ has examples.
 *
 * The loader judges syntax (level 1) and structure (level 2: names, tables,
 * counts); what the figures mean is judged by `hardpoint aircraft check`, which
 * adds to the same list of problems and finds the lines of keys here.
 *
 * Loaded figures are in SI units and degrees as their names say, whatever unit
 * the file's keys had. Not thread-safe; never called in a tick.
 */
#ifndef SIM_AIRCRAFT_FILE_H
#define SIM_AIRCRAFT_FILE_H

#include "gear.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define AIRCRAFT_WORD_MAX     31 /* bytes of a name */
#define AIRCRAFT_TEXT_MAX     199
#define AIRCRAFT_TABLES_MAX   64
#define AIRCRAFT_TERMS_MAX    96
#define AIRCRAFT_CHECKS_MAX   64
#define AIRCRAFT_CLAIMS_MAX   32
#define AIRCRAFT_SOURCES_MAX  96
#define AIRCRAFT_FACTORS_MAX  6 /* quantities in one term */
#define AIRCRAFT_PROBLEMS_MAX 500

/* Where something stands in the file, from 1; 0: it was not given. */
struct aircraft_place {
    int line;
    int column;
};

/* ---- problems ---- */

struct aircraft_problem {
    struct aircraft_place at;
    int level;   /* of the validator that found it, 1 .. 5 */
    int warning; /* it flies nevertheless */
    char text[300];
};

/* In the order found; zeroed to begin with. Past AIRCRAFT_PROBLEMS_MAX they are
 * counted only. */
struct aircraft_problems {
    struct aircraft_problem *items;
    size_t count, capacity;
    size_t errors, warnings;
};

/* Adds one: what was found, what was expected, what to do. */
/* clang-format off */
void aircraft_error(struct aircraft_problems *p, int level,
                    struct aircraft_place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void aircraft_warning(struct aircraft_problems *p, int level,
                      struct aircraft_place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* clang-format on */

/* Writes them as compilers do, "PATH:LINE:COL: error: ...". */
void aircraft_problems_print(const struct aircraft_problems *p,
                             const char *path, FILE *to);
/* The first error in that form; "" when there is none. */
void aircraft_problems_first(const struct aircraft_problems *p,
                             const char *path, char *out, size_t bytes);
void aircraft_problems_finish(struct aircraft_problems *p);

/* ---- what a table's axis or a term may name ---- */

enum aircraft_quantity {
    AIRCRAFT_ALPHA_DEG,
    AIRCRAFT_ALPHA_RAD,
    AIRCRAFT_ABS_ALPHA_DEG,
    AIRCRAFT_SIGN_ALPHA, /* -1 below zero, else 1 */
    AIRCRAFT_BETA_DEG,
    AIRCRAFT_BETA_RAD,
    AIRCRAFT_ABS_BETA_DEG,
    AIRCRAFT_SIGN_BETA,
    AIRCRAFT_MACH,
    AIRCRAFT_PHAT, /* p b / 2V */
    AIRCRAFT_QHAT, /* q c / 2V */
    AIRCRAFT_RHAT, /* r b / 2V */
    AIRCRAFT_ELEVATOR_DEG,
    AIRCRAFT_AILERON_DEG,
    AIRCRAFT_RUDDER_DEG,
    AIRCRAFT_FLAP_DEG,
    AIRCRAFT_GEAR,     /* 0 up .. 1 down */
    AIRCRAFT_AGL_SPAN, /* height over the ground in spans, at most 4 */
    AIRCRAFT_ALTITUDE_M,
    AIRCRAFT_ALTITUDE_FT,
    AIRCRAFT_POWER,         /* 0 .. 100; 50 is military */
    AIRCRAFT_DENSITY_RATIO, /* of the air over that at sea level */
    AIRCRAFT_QUANTITIES
};

/* Its name in the file. */
const char *aircraft_quantity_name(int quantity);
/* By name, or -1. */
int aircraft_quantity_named(const char *name);

/* ---- tables and terms ---- */

#define AIRCRAFT_AXES_MAX 3

enum aircraft_edge {
    AIRCRAFT_HOLD,  /* beyond the ends the last value stays */
    AIRCRAFT_EXTEND /* ... the last cell goes on for its own width, then holds */
};

struct aircraft_axis {
    int quantity;
    int count;
    double *at; /* rising */
    struct aircraft_place *places;
};

/* Cells by rows: the last axis is the nearest in memory. */
struct aircraft_table {
    char name[AIRCRAFT_WORD_MAX + 1];
    struct aircraft_place heading;
    int dimensions; /* 1 .. 3; page, row, col in this order, as given */
    struct aircraft_axis axes[AIRCRAFT_AXES_MAX];
    double *cells;
    size_t cell_count;
    struct aircraft_place *places; /* of the cells */
    int edge;
    int used; /* how often terms and the engine name it */
};

/* What a term adds to. */
enum aircraft_target {
    AIRCRAFT_CX, /* forces over q S, body axes */
    AIRCRAFT_CY,
    AIRCRAFT_CZ,
    AIRCRAFT_CL, /* moments over q S b, q S c, q S b */
    AIRCRAFT_CM,
    AIRCRAFT_CN,
    AIRCRAFT_DRAG, /* against the velocity through the air */
    AIRCRAFT_LIFT, /* across it in the plane of symmetry, upwards */
    AIRCRAFT_FUEL, /* kg/s; of [engine] */
    AIRCRAFT_TARGETS
};

const char *aircraft_target_name(int target); /* "cx" */

/* factor * quantities * table. */
struct aircraft_term {
    int target;
    double factor; /* of all its numbers */
    int quantities[AIRCRAFT_FACTORS_MAX];
    int quantity_count;
    int table; /* index or -1 */
    struct aircraft_place at;
};

/* ---- the rest ---- */

enum aircraft_surface_index {
    AIRCRAFT_ELEVATOR,
    AIRCRAFT_AILERON,
    AIRCRAFT_RUDDER,
    AIRCRAFT_SURFACES
};

struct aircraft_surface {
    struct aircraft_place heading;
    double min_deg, max_deg;
    double rate_dps; /* how fast it moves at most */
    double lag_s;    /* time constant of its actuator */
    /* Degrees for a full stick or pedal, under law = direct. */
    double gain_pitch, gain_roll, gain_yaw;
};

enum aircraft_law {
    AIRCRAFT_LAW_NONE,   /* nothing moves by itself: a body */
    AIRCRAFT_LAW_DIRECT, /* stick to surface, from the trim of level flight */
    AIRCRAFT_LAW_RATE    /* the stick asks for rates, as in control.h */
};

/* Of the rate law; the gains hold at this pressure and speed. */
struct aircraft_control {
    int law;
    double pressure_pa, speed_mps;
    double pitch_rate_rps; /* at most */
    double pitch_gain;     /* degrees for a rad/s */
    double pitch_trim;     /* degrees a second for a rad/s */
    double roll_rate_rps;  /* of a full stick */
    double roll_forward;   /* degrees for a rad/s asked for */
    double roll_gain, yaw_gain;
};

enum aircraft_lag {
    AIRCRAFT_LAG_NONE, /* power is what is asked for */
    AIRCRAFT_LAG_F16,  /* the textbook's */
    AIRCRAFT_LAG_FIRST_ORDER
};

struct aircraft_engine {
    struct aircraft_place heading; /* line 0: it has none */
    int idle, military;            /* tables over mach and altitude, newtons
                                    * after `thrust_scale` */
    int maximum;                   /* -1: no afterburner */
    double thrust_scale;
    int lag;
    double tau_s;
    double count;   /* 1 or 2, which fail one by one */
    double apart_m; /* between the two */
};

struct aircraft_mass {
    double empty_kg;
    double cg_mac; /* share of the chord, behind its leading edge */
    double ixx, iyy, izz, ixz, ixy, iyz; /* kg m2 */
    double rotor_h;                      /* kg m2/s along x */
    double fuel_kg;                      /* the tanks' capacity */
};

struct aircraft_reference {
    double area_m2, span_m, chord_m;
    double moment_ref_mac;
};

/* Flaps that follow the speed through the air. */
struct aircraft_flap {
    double down_deg; /* 0: none */
    double full_below_mps, none_above_mps;
};

/* Outside, the last values blend over 10 degrees into a flat plate. */
struct aircraft_valid {
    int given; /* 0: no table knows alpha or beta, none is needed */
    double alpha_min_deg, alpha_max_deg;
    double beta_min_deg, beta_max_deg;
    double beyond_deg; /* how much further tables that extend are followed */
};

struct aircraft_limit {
    double g_max, g_min;
    double alpha_max_deg, alpha_min_deg;
    double stall_from_deg, stall_full_deg; /* buffet */
    double mach_max;                       /* 0: not given */
    double speed_max_mps;                  /* 0: not given */
};

struct aircraft_gun {
    struct aircraft_place heading; /* line 0: it has none */
    double position_m[3];
    double rounds_per_s, muzzle_mps;
    double spread;   /* of the muzzle speed, each way across */
    double bc_lbin2; /* ballistic coefficient, G7 */
    double damage;   /* of a round at muzzle speed, of 1 */
    double rounds;
};

/* How many of each kind it carries. */
struct aircraft_stores {
    double missiles, bombs;
};

struct aircraft_missile {
    double mass_kg, propellant_kg;
    double thrust_n, boost_s;
    double life_s;
    double bc_lbin2; /* ballistic coefficient, G7 */
    double g_max;    /* what its fins can */
    double navigation;
    double cone_deg, range_m; /* where its seeker finds a target */
    double fuze_m;
    double damage; /* of a direct hit, of 1 */
};

struct aircraft_bomb {
    double mass_kg;
    double bc_lbin2; /* ballistic coefficient, G1 */
    double life_s;
    double blast_m;
    double damage; /* where it bursts, of 1 */
};

/* Gains of `by = autopilot`, in the units of doc/flight.md; by row: speed kt,
 * alpha deg, q rad/s, pitch deg / bank deg, beta deg, p, r rad/s. */
struct aircraft_autopilot {
    struct aircraft_place heading; /* line 0: it has none */
    double stick[4], throttle[4], aileron[4], rudder[4];
    double alpha_deg; /* of the trim that the gains are for */
};

/* [check NAME]: coefficients at one state. */
struct aircraft_check {
    char name[AIRCRAFT_WORD_MAX + 1];
    struct aircraft_place heading;
    int in_count, out_count;
    struct {
        int quantity; /* of an input; AIRCRAFT_QUANTITIES: speed in m/s,
                       * + 1, 2, 3: p, q, r in rad/s */
        double value;
    } in[AIRCRAFT_QUANTITIES + 4];
    struct {
        int target; /* AIRCRAFT_CX .. AIRCRAFT_LIFT; AIRCRAFT_TARGETS: thrust
                     * in newtons */
        double value;
    } out[AIRCRAFT_TARGETS + 1];
    double tolerance;
};

enum aircraft_claim_kind {
    AIRCRAFT_CLAIM_STALL_MPS,
    AIRCRAFT_CLAIM_MAX_MPS,
    AIRCRAFT_CLAIM_MAX_MACH,
    AIRCRAFT_CLAIM_ROLL_DPS,
    AIRCRAFT_CLAIM_TURN_DPS, /* sustained_turn_dps */
    AIRCRAFT_CLAIM_CLIMB_MPS,
    AIRCRAFT_CLAIM_CEILING_M,
    AIRCRAFT_CLAIM_KINDS
};

const char *aircraft_claim_name(int kind);

/* VALUE +-TOLERANCE @ ALTITUDE m */
struct aircraft_claim {
    int kind;
    double value, tolerance, altitude_m;
    struct aircraft_place at;
};

struct aircraft_source {
    char key[50]; /* what it is the source of: any word */
    char text[AIRCRAFT_TEXT_MAX + 1];
    struct aircraft_place at;
};

/* Each key as it was read, for messages about its value. */
struct aircraft_key {
    char section[50];
    char key[50]; /* "": the heading */
    struct aircraft_place at, value_at;
};

struct aircraft_file {
    char name[AIRCRAFT_WORD_MAX + 1]; /* what a join option says */
    char title[AIRCRAFT_TEXT_MAX + 1];
    int class_index; /* place in "fighter|trainer|light|transport|body" */
    uint64_t hash;   /* of the file's bytes */
    struct aircraft_mass mass;
    struct aircraft_reference reference;
    struct aircraft_valid valid;
    struct aircraft_flap flap;
    struct aircraft_table tables[AIRCRAFT_TABLES_MAX];
    int table_count;
    struct aircraft_term terms[AIRCRAFT_TERMS_MAX]; /* fuel terms too */
    int term_count;
    struct aircraft_engine engine;
    struct aircraft_surface surfaces[AIRCRAFT_SURFACES];
    struct aircraft_control control;
    struct aircraft_limit limit;
    struct gear gear;
    struct aircraft_place strut_headings[GEAR_STRUTS_MAX];
    char strut_names[GEAR_STRUTS_MAX][AIRCRAFT_WORD_MAX + 1];
    struct aircraft_gun gun;
    struct aircraft_stores stores;
    struct aircraft_missile missile;
    struct aircraft_bomb bomb;
    struct aircraft_autopilot autopilot;
    struct aircraft_check checks[AIRCRAFT_CHECKS_MAX];
    int check_count;
    struct aircraft_claim claims[AIRCRAFT_CLAIMS_MAX];
    int claim_count;
    struct aircraft_source sources[AIRCRAFT_SOURCES_MAX];
    int source_count;
    struct aircraft_key *keys;
    size_t key_count, key_capacity;
};

/*
 * Reads a file. 0 and an aircraft for aircraft_file_destroy; -EINVAL: it has
 * errors, which are all in `problems`; another negative errno: it could not be
 * read, which is in `problems` too. Warnings may be there in any case.
 */
int aircraft_file_load(struct aircraft_file **out, const char *path,
                       struct aircraft_problems *problems);

/* The same for `count` bytes in memory. */
int aircraft_file_load_bytes(struct aircraft_file **out, const void *bytes,
                             size_t count, struct aircraft_problems *problems);

/* Accepts NULL. */
void aircraft_file_destroy(struct aircraft_file *f);

/* Where a key's value stands ("" for the heading itself); line 0: not given. */
struct aircraft_place aircraft_file_place(const struct aircraft_file *f,
                                          const char *section, const char *key);

/* A table by name, or -1. */
int aircraft_file_table(const struct aircraft_file *f, const char *name);

/*
 * One table's value, plainly: each quantity is taken from `values`
 * [AIRCRAFT_QUANTITIES]. The step uses aero.h, which is faster; tests compare.
 */
double aircraft_table_value(const struct aircraft_table *t,
                            const double *values);

#endif
