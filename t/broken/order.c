/* A snapshot that comes before the first input crashes it. */
#include "broken.h"

static void
input(struct hp_instance *self, const struct hp_tick *tick,
      const struct hp_input *in, const void *own, struct hp_effect_sink *sink)
{
    self->count++;
}

static void
snapshot(struct hp_instance *self, const struct hp_view *view, const void *own,
         struct hp_effect_sink *sink)
{
    /* Of the hostile ones it takes no notice: they are another rule's. */
    if (self->count == 0 && view->count == 12 && view->own == 0)
        abort();
}

static const struct hp_cues_ops ops = {sizeof(ops), 0, input, snapshot};
BROKEN_OPS_ONLY(HP_KIND_CUES, ops);
