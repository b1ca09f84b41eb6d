/*
 * The flight control laws: what the surfaces are asked to do for a stick. Under
 * the direct law each goes where its gains say, the elevator from where it trims
 * level flight. The F-16 of the tables is barely stable, so under the rate law
 * the stick commands rates, bounded by
 * load and alpha, and a centred stick holds the attitude. The laws are smooth
 * functions of the state and integrate with it, so they do not depend on the
 * tick rate.
 */
#ifndef SIM_CONTROL_H
#define SIM_CONTROL_H

#include "airframe.h"

/* Writes the rates of the surfaces and of the pitch law's integral. */
void control_rates(const struct control *c, const struct airframe_state *s,
                   const struct airframe_air *air,
                   const struct airframe_command *command,
                   struct airframe_state *dot);

#endif
