/*
 * What bad air does to an aircraft's compressor and G to its pilot: part of its
 * own step, so that a client predicts it.
 */
#ifndef SIM_SYSTEMS_H
#define SIM_SYSTEMS_H

#include "aircraft.h"

#define SYSTEMS_SURGE_FELT 0.1 /* of a full one */

/* All sound, as an aircraft enters. */
void systems_reset(struct aircraft *a);

/* What comes of the pilot's command: before a step. */
void systems_limit(const struct aircraft *a, struct airframe_command *command);

/* After `dt_s` of flight, which ended in `air`: surge and G. `asked` is
 * the throttle that was commanded, 0..1; `power_before` the power at its start. */
void systems_step(const struct aircraft_model *m, struct aircraft *a,
                  const struct airframe_air *air, double asked,
                  double power_before, double dt_s);

#endif
