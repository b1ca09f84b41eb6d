/*
 * One piloted aircraft: everything its own step needs, and that step. Server
 * and model call the same aircraft_step, so a client's prediction has the
 * server's bits; what others do to an aircraft (hits) the server adds between
 * steps.
 */
#ifndef SIM_AIRCRAFT_H
#define SIM_AIRCRAFT_H

#include "airframe.h"
#include <hardpoint/types.h>

enum aircraft_flag {
    AIRCRAFT_DEAD = 1 << 0,        /* shot down or crashed */
    AIRCRAFT_WRECK = 1 << 1,       /* lies where it hit the ground */
    AIRCRAFT_FROZEN = 1 << 2,      /* its numbers went bad */
    AIRCRAFT_ON_GROUND = 1 << 3,   /* a wheel carries weight */
    AIRCRAFT_GEAR_DOWN = 1 << 4,   /* the handle */
    AIRCRAFT_AFTERBURNER = 1 << 5, /* asked for */
    AIRCRAFT_FIRING = 1 << 6,      /* within a burst */
    AIRCRAFT_HOOK = 1 << 7,        /* the arrestor hook is down */
    AIRCRAFT_CAUGHT = 1 << 8,      /* a wire holds it */
    AIRCRAFT_FAINT = 1 << 9        /* its pilot is out */
};
#define AIRCRAFT_FLAGS 0x3ff

/* What happened in the newest step. */
enum aircraft_happening {
    AIRCRAFT_DID_BURST = 1 << 0, /* first round of a burst */
    AIRCRAFT_DID_GEAR = 1 << 1,
    AIRCRAFT_DID_AFTERBURNER = 1 << 2, /* engaged */
    AIRCRAFT_DID_TOUCH = 1 << 3,
    AIRCRAFT_DID_CRASH = 1 << 4,
    AIRCRAFT_DID_RESPAWN = 1 << 5,
    AIRCRAFT_DID_FREEZE = 1 << 6,
    AIRCRAFT_DID_LAUNCH = 1 << 7,  /* a missile left */
    AIRCRAFT_DID_RELEASE = 1 << 8, /* a bomb left */
    AIRCRAFT_DID_SURGE = 1 << 9,   /* its compressor began to stall */
    AIRCRAFT_DID_TRAP = 1 << 10    /* it caught a wire */
};
#define AIRCRAFT_HAPPENINGS 0x7ff

/* The own state, as it also travels to its client: no padding. */
struct aircraft {
    struct airframe_state state;
    double gun_charge;     /* 1 and over: a round leaves */
    double health;         /* 0 .. 1 */
    double dead_s;         /* since death */
    double airborne_s;     /* since a wheel carried weight */
    double normal_g;       /* as felt in the newest step */
    double control_rate;   /* 0 .. 1: how fast the busiest surface moved */
    double throttle;       /* 0 .. 1, the lever */
    double ground_hit_mps; /* sink rate of the newest touch or crash */
    double hydraulics;     /* 0 .. 1 */
    double engines[2];     /* 0 .. 1, left and right; 0: it failed */
    double surge;          /* 0 .. 1: how far the compressor has stalled */
    double distortion;     /* of the air at its inlet, in the newest step */
    double reserve;        /* what G has left of the pilot, 1 .. 0 */
    double trap_mps;       /* speed at the newest wire */
    uint32_t flags;        /* AIRCRAFT_* */
    uint32_t happened;     /* AIRCRAFT_DID_* of the newest step */
    uint32_t buttons;      /* of the newest step, for edges */
    uint32_t rounds_left;
    uint32_t rounds_fired; /* in this life and all before */
    uint32_t owner;        /* client */
    uint16_t slot;
    uint16_t generation;
    uint32_t type;            /* place among the world's models */
    uint32_t stores_released; /* in this life and all before */
    uint8_t missiles;
    uint8_t bombs;
    uint8_t store;  /* STORE_*: what the release button lets go */
    uint8_t threat; /* how many missiles guide on it; the server's word */
};

#define AIRCRAFT_MODELS_MAX 8

/* One type of aircraft in a world, and how it enters. */
struct aircraft_model {
    struct airframe frame;
    struct airframe_trim spawn_trim;
    double spawn_speed_mps;
};

/* The constants of a world that every aircraft's step reads. */
struct aircraft_world {
    struct airframe frame; /* the first model's; its surroundings are all's */
    struct aircraft_model models[AIRCRAFT_MODELS_MAX];
    struct planet_geodetic spawn; /* the middle of where aircraft enter */
    double respawn_s;
    double strip_north_m; /* where the carrier's deck begins, north of spawn */
    uint32_t ammunition;
    uint32_t model_count;
    int has_strip; /* there is a carrier's deck, heading north */
    int on_ground; /* aircraft enter on their wheels */
};

/*
 * Fills the rules of a world that has these types, which must outlive it. Each
 * enters at the given speed or, when it cannot fly level at it, at the next
 * lower one that it can; a body that nobody flies is thrown. 0, or -ERANGE: types[w->model_count] cannot fly there.
 */
int aircraft_world_init(struct aircraft_world *w,
                        const struct aircraft_type *const *types,
                        uint32_t count, const struct surroundings *around,
                        const struct planet_geodetic *spawn,
                        double spawn_speed_mps);

/* The model of an aircraft. */
static inline const struct aircraft_model *
aircraft_model_of(const struct aircraft_world *w, const struct aircraft *a)
{
    return &w->models[a->type < w->model_count ? a->type : 0];
}

/* A new aircraft of the first type in trimmed flight at the place of its slot. */
void aircraft_spawn(const struct aircraft_world *w, struct aircraft *a,
                    uint16_t slot, uint16_t generation, uint32_t owner);

/* The same of any type. */
void aircraft_spawn_type(const struct aircraft_world *w, struct aircraft *a,
                         uint32_t type, uint16_t slot, uint16_t generation,
                         uint32_t owner);

/* One tick of `input`. Never leaves a number that is not finite. */
void aircraft_step(const struct aircraft_world *w, struct aircraft *a,
                   const struct hp_input *input, const struct hp_tick *tick);

/* How fast it comes down, m/s. */
double aircraft_sink(const struct aircraft_world *w,
                     const struct airframe_state *s);

/* Marks it as dead; its controls go slack. */
void aircraft_kill(struct aircraft *a);

/* Whether bytes could be an aircraft. 0 or -EINVAL. */
int aircraft_check(const struct aircraft_world *w, const struct aircraft *a);

#endif
