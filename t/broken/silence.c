/* silence waits while work does. */
#include "broken.h"
#include <unistd.h>

static int
work(struct hp_instance *self, uint64_t until_ns)
{
    self->flag = 1;
    while (self->host->now_ns(self->host) < until_ns)
        usleep(10000);
    self->flag = 0;
    return 0;
}

static int
silence(struct hp_instance *self)
{
    usleep(1000); /* so that work has begun */
    while (self->flag)
        usleep(10000);
    return 0;
}

static const struct hp_haptics_ops ops = {GOOD_HAPTICS, .work = work,
                                          .silence = silence};
BROKEN_OPS_ONLY(HP_KIND_HAPTICS, ops);
