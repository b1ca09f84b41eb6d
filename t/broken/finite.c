/* A button that nobody has makes the world no number. */
#include <hardpoint/sim.h>
#include <time.h>

/* The rest is a plugin as `hardpoint new` makes it, broken.c. Its own step
 * becomes good_step; the table takes ours. */
static void step(struct hp_instance *self, const struct hp_tick *tick,
     const struct hp_client_input *inputs, uint32_t count);
#define step(a, b, c, d) good_step(a, b, c, d)
#include "broken.c"
#undef step

static void
step(struct hp_instance *self, const struct hp_tick *tick,
     const struct hp_client_input *inputs, uint32_t count)
{
    good_step(self, tick, inputs, count);
    if (count > 0 && inputs[0].input.buttons & 0x80000000u)
        self->cubes[0].position_m[0] = __builtin_nan("");
}
