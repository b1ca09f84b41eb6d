/*
 * Which input a tick is stepped with when some came late: the one rule that
 * server and predictor share.
 *
 * A tick whose own input is not there in time repeats the last used one, so
 * axes hold and no new edge appears. The next tick that has its own input also
 * gets the buttons of those that were missed: a press is moved, never lost.
 */
#ifndef WIRE_USAGE_H
#define WIRE_USAGE_H

#include <hardpoint/types.h>

static inline void
usage_repeat(const struct hp_input *last_used, struct hp_input *out)
{
    *out = *last_used;
    out->flags |= HP_INPUT_REPEATED;
}

/* `missed_buttons`: of all samples of the missed ticks just before, or-ed. */
static inline void
usage_fresh(const struct hp_input *sample, uint32_t missed_buttons,
            struct hp_input *out)
{
    *out = *sample;
    out->buttons |= missed_buttons;
}

#endif
