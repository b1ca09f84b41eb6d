/* create says why it cannot. */
#include "bad.h"

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    (void)out;
    return host->fail(host, -EINVAL, "two pads cannot share one port");
}
BAD_NOTE;
HP_PLUGIN = {BAD_HEAD,    HP_NO_PARAMS, create, bad_start, bad_stop,
             bad_destroy, &bad_ops,     NULL,   NULL};
