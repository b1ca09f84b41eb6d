/*
 * The flight control laws: what the surfaces are asked to do for a stick. The
 * F-16 of the tables is barely stable, so the stick commands rates, bounded by
 * load and alpha, and a centred stick holds the attitude. The laws are smooth
 * functions of the state and integrate with it, so they do not depend on the
 * tick rate.
 */
#ifndef SIM_CONTROL_H
#define SIM_CONTROL_H

#include "airframe.h"

#define CONTROL_ELEVATOR_DEG 25.0
#define CONTROL_AILERON_DEG  21.5
#define CONTROL_RUDDER_DEG   30.0

/* Speed limits of the actuators, degrees a second. */
#define CONTROL_ELEVATOR_DPS 60.0
#define CONTROL_AILERON_DPS  80.0
#define CONTROL_RUDDER_DPS   120.0

/* Writes the rates of the surfaces and of the pitch law's integral. */
void control_rates(const struct airframe_state *s,
                   const struct airframe_air *air,
                   const struct airframe_command *command,
                   struct airframe_state *dot);

#endif
