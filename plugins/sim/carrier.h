/*
 * A carrier's deck: a strip of flat ground with wires across. An aircraft that
 * rolls over it with its hook down is caught and stopped.
 */
#ifndef SIM_CARRIER_H
#define SIM_CARRIER_H

#include "aircraft.h"

#define CARRIER_LENGTH_M 250.0
#define CARRIER_HALF_M   15.0 /* of its width */

/* The hook's handle. */
void carrier_press_hook(struct aircraft *a);

/* After `dt_s` on or over the ground: catches, and slows what it has caught. */
void carrier_hold(const struct aircraft_world *w, struct aircraft *a,
                  double dt_s);

#endif
