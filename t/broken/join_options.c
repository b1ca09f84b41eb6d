/* It believes that no join option holds a per cent sign. */
#include <hardpoint/sim.h>
#include <time.h>

/* The rest is a plugin as `hardpoint new` makes it, broken.c. Its own join
 * becomes good_join; the table takes ours. */
static int join(struct hp_instance *self, uint32_t client, const char *options);
#define join(a, b, c) good_join(a, b, c)
#include "broken.c"
#undef join

static int
join(struct hp_instance *self, uint32_t client, const char *options)
{
    if (strchr(options, 0x25) != NULL)
        abort();
    return good_join(self, client, options);
}
