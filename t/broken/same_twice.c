/* The clock is in its hash. */
#include <hardpoint/sim.h>
#include <time.h>

/* The rest is a plugin as `hardpoint new` makes it, broken.c. Its own hash
 * becomes good_hash; the table takes ours. */
static uint64_t hash(struct hp_instance *self);
#define hash(a) good_hash(a)
#include "broken.c"
#undef hash

static uint64_t
hash(struct hp_instance *self)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return good_hash(self) ^ (uint64_t)now.tv_nsec;
}
