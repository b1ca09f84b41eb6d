/* The model goes a little faster than the world. */
#include <hardpoint/sim.h>
#include <time.h>

/* The rest is a plugin as `hardpoint new` makes it, broken.c. Its own model_step
 * becomes good_model_step; the table takes ours. */
static void model_step(const struct hp_instance *self, void *own,
           const struct hp_input *input, const struct hp_tick *tick);
#define model_step(a, b, c, d) good_model_step(a, b, c, d)
#include "broken.c"
#undef model_step

static void
model_step(const struct hp_instance *self, void *own,
           const struct hp_input *input, const struct hp_tick *tick)
{
    struct cube *cube = own;

    good_model_step(self, own, input, tick);
    cube->position_m[0] += 0.001;
}
