/*
 * The record of an aircraft as everyone else reads it, and the schema that
 * describes it. Names and meaning are fixed: effects and tools use them.
 */
#ifndef SIM_SCHEMA_H
#define SIM_SCHEMA_H

#include "aircraft.h"

struct flight_record {
    struct hp_entity head;
    float throttle; /* 0 .. 1, the lever; 0.77 is military */
    float power;    /* 0 .. 100; above 50 the afterburner burns */
    float fuel;     /* 0 .. 1 */
    float gear;     /* 0 up .. 1 down */
    float health;   /* 0 .. 1 */
    float aoa_deg;
    float beta_deg;
    float airspeed_mps;
    float mach;
    float g_load; /* 1 in level flight */
    float agl_m;  /* over the ground below */
    float sink_mps;
    float time_to_ground_s; /* along the path; 60 is "not soon" */
    float stall;            /* 0 .. 1, buffet from alpha 15 to 22 degrees */
    float control_rate;     /* 0 .. 1: how fast the busiest surface moved */
    uint8_t afterburner;    /* 0, 1 */
    uint8_t threat;         /* missiles that guide on it */
    uint8_t engine_failed;  /* 1 left, 2 right, 3 both or the only one */
    uint8_t store;          /* selected: 0 none, 1 missile, 2 bomb */
    float hydraulics;       /* 1 .. 0 */
    uint8_t missiles;
    uint8_t bombs;
    uint8_t surge;   /* 1 while its compressor stalls */
    uint8_t reserve; /* 0 .. 100: what G has left of the pilot, % */
};

#define SCHEMA_TYPE_FIRST 1 /* of the world's types, in the order given */
#define SCHEMA_HORIZON_S  60.0

/* Where positions are further apart, their field is wider. */
const struct hp_schema *schema_flight(const struct planet *planet);

/* The record of an aircraft, every byte of it. */
void schema_record(const struct aircraft_world *w, const struct aircraft *a,
                   struct flight_record *out);

#endif
