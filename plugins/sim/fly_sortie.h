/* A scenario in flight: on a virtual clock, as fast as it can. */
#ifndef SIM_FLY_SORTIE_H
#define SIM_FLY_SORTIE_H

#include "aircraft.h"
#include "fly_scenario.h"
#include "fly_trace.h"
#include <stddef.h>
#include <stdint.h>

/* What the F-16's autopilot holds, and where from; the units of its gains. */
struct autopilot {
    double altitude_ft, speed_kt, course_deg;
    double aside_ft, aside_fps; /* flown to the right of its course */
    double stick_trim, throttle_trim;
};

struct sortie {
    struct aircraft_type *type;
    struct scenario scenario;
    struct airframe frame;
    struct airframe_state state;
    struct autopilot autopilot;
    uint64_t tick;
    struct aircraft_world world; /* of a piloted aircraft, */
    struct aircraft aircraft;    /* which has the state too */
    struct fly_trace trace;
    struct atmosphere_table air;
};

/* One moment of a flight; SI units and radians, surfaces in degrees. */
struct sortie_row {
    double time_s;
    struct planet_geodetic at;
    double ned_mps[3];
    double heading_rad, pitch_rad, bank_rad;
    double rates_rps[3]; /* against inertial space */
    double gravitation_mps2;
    struct airframe_air air;
    double sound_speed_mps;
};

/*
 * Puts the vehicle at its start and trims it. 0, or a negative errno and a
 * sentence in `why` that says what cannot be flown. Either way sortie_finish
 * frees what it holds.
 */
int sortie_start(struct sortie *out, const struct scenario *scenario, char *why,
                 size_t why_bytes);

void sortie_finish(struct sortie *s);

/* One tick: the autopilot looks once, what it sets holds for the tick. */
void sortie_step(struct sortie *s);

void sortie_look(const struct sortie *s, struct sortie_row *out);

/* Notes what the autopilot shall hold: the state that it begins in. */
void autopilot_start(struct autopilot *a, const struct sortie *s);

/* Sets surfaces and power of the state; once for each tick. */
void autopilot_steer(struct autopilot *a, struct sortie *s);

#endif
