/* Every first record comes back a metre away. */
#include <hardpoint/broadcaster.h>
#include <time.h>

/* The rest is a plugin as `hardpoint new` makes it, broken.c. Its own decode
 * becomes good_decode; the table takes ours. */
static int decode(struct hp_instance *self, uint64_t tick, const uint8_t *bytes,
       uint32_t count, struct hp_view_sink *sink);
#define decode(a, b, c, d, e) good_decode(a, b, c, d, e)
#include "broken.c"
#undef decode

static int
decode(struct hp_instance *self, uint64_t tick, const uint8_t *bytes,
       uint32_t count, struct hp_view_sink *sink)
{
    int err = good_decode(self, tick, bytes, count, sink);

    if (err == 0 && sink->count > 0)
        ((struct hp_entity *)sink->entities)->position_m[0] += 1;
    return err;
}
