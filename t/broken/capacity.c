/* It writes its head before it looks for room. */
#include <hardpoint/broadcaster.h>
#include <time.h>

/* The rest is a plugin as `hardpoint new` makes it, broken.c. Its own encode
 * becomes good_encode; the table takes ours. */
static int encode(struct hp_instance *self, uint32_t client, const struct hp_view *view,
       struct hp_byte_sink *sink);
#define encode(a, b, c, d) good_encode(a, b, c, d)
#include "broken.c"
#undef encode

static int
encode(struct hp_instance *self, uint32_t client, const struct hp_view *view,
       struct hp_byte_sink *sink)
{
    sink->bytes[0] = sink->bytes[1] = 0;
    return good_encode(self, client, view, sink);
}
