/* Twice as loud as can be. */
#include "broken.h"

static void
input(struct hp_instance *self, const struct hp_tick *tick,
      const struct hp_input *in, const void *own, struct hp_effect_sink *sink)
{
    play(sink, "gun_burst", tick->index, 2);
}

static const struct hp_cues_ops ops = {GOOD_CUES, .input = input};
BROKEN_OPS_ONLY(HP_KIND_CUES, ops);
