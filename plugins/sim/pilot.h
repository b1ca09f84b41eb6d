/*
 * Pilots of the sim's own: each thinks some twenty times a second, in turns by
 * slot, and holds a stick as a player does; what it commands goes through
 * aircraft_step, so the same rules hold for it. Clients see an aircraft without
 * an owner and need no part of this.
 */
#ifndef SIM_PILOT_H
#define SIM_PILOT_H

#include "aircraft.h"

enum pilot_pattern {
    PILOT_LOITER,    /* circles at its height */
    PILOT_FORMATION, /* fours: one leads, three keep their places by it */
    PILOT_DOGFIGHT,  /* goes after whoever is near, launches and shoots */
    PILOT_MIXED      /* fours of each in turn */
};

struct pilot {
    struct hp_input input; /* held until the next thought */
    uint32_t pattern;
    uint32_t target; /* slot */
    uint32_t look;   /* slot that it looks at next */
    uint32_t rest;   /* thoughts before it may launch again */
};
_Static_assert(sizeof(struct pilot) % 8 == 0, "hashed in words");

/* What a pilot sees: the aircraft at the tick's start. */
struct pilot_scene {
    const struct aircraft_world *rules;
    const struct aircraft *aircraft; /* by slot */
    const uint8_t *used;
    uint32_t slots_end;
    uint32_t first; /* slot of the first pilot; the others' follow */
};

/* The pattern of a name, or -EINVAL. */
int pilot_named(const char *name);

/* The pilot of the place `number` among those of a world. */
void pilot_init(struct pilot *p, uint32_t pattern, uint32_t number);

/* Brings p->input up to date for a tick of the aircraft in `slot`. */
void pilot_think(struct pilot *p, const struct pilot_scene *scene,
                 uint32_t slot, const struct hp_tick *tick);

#endif
