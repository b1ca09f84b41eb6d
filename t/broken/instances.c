/* A static counter, so that two instances play each other's effects. */
#include "broken.h"

static int calls;

static void
input(struct hp_instance *self, const struct hp_tick *tick,
      const struct hp_input *in, const void *own, struct hp_effect_sink *sink)
{
    if (++calls % 3 == 0)
        play(sink, "gun_burst", tick->index, 1);
}

static const struct hp_cues_ops ops = {GOOD_CUES, .input = input};
BROKEN_OPS_ONLY(HP_KIND_CUES, ops);
