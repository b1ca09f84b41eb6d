/* SPDX-License-Identifier: 0BSD */
/* hardpoint/hardpoint.h - the whole contract. A plugin may include just the
 * header of its kind. */
#ifndef HARDPOINT_HARDPOINT_H
#define HARDPOINT_HARDPOINT_H

#include <hardpoint/agent.h>
#include <hardpoint/broadcaster.h>
#include <hardpoint/cues.h>
#include <hardpoint/haptics.h>
#include <hardpoint/input.h>
#include <hardpoint/predictor.h>
#include <hardpoint/sim.h>

#endif
