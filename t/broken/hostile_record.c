/* Believes that there is an own record in every view. */
#include "broken.h"

static void
snapshot(struct hp_instance *self, const struct hp_view *view, const void *own,
         struct hp_effect_sink *sink)
{
    struct hp_entity head;

    if (own == NULL)
        abort();
    memcpy(&head, own, sizeof(head));
}

static const struct hp_cues_ops ops = {GOOD_CUES, .snapshot = snapshot};
BROKEN_OPS_ONLY(HP_KIND_CUES, ops);
