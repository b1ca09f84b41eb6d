/*
 * What hits take from an aircraft beside its health: engines and hydraulics.
 * The server's hits alone set it, in the own state; the step reads it there, so
 * that a client predicts how it flies with it.
 */
#ifndef SIM_DAMAGE_H
#define SIM_DAMAGE_H

#include "aircraft.h"
#include "gun.h"

#define DAMAGE_LEFT  1u
#define DAMAGE_RIGHT 2u

/*
 * Takes a hit's damage from a living aircraft. From behind it meets the
 * engines, the one on its side where there are two; from elsewhere more of the
 * hydraulics.
 */
void damage_take(const struct aircraft_world *w, struct aircraft *a,
                 const struct gun_hit *hit);

/* DAMAGE_LEFT, DAMAGE_RIGHT, or both, as a single engine always fails. */
unsigned damage_engines(const struct aircraft *a);

/* What damage leaves of a command, and what it does to thrust and surfaces. */
void damage_command(const struct aircraft_world *w, const struct aircraft *a,
                    struct airframe_command *command);

#endif
