/* start says why it cannot. */
#include "bad.h"

static const struct hp_host *host;
static int
create(const struct hp_host *of_host, struct hp_instance **out)
{
    host = of_host;
    return bad_create(of_host, out);
}
static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)self, (void)limits;
    return host->fail(host, -ENODEV, "no pad is plugged in");
}
BAD_NOTE;
HP_PLUGIN = {BAD_HEAD,    HP_NO_PARAMS, create, start, bad_stop,
             bad_destroy, &bad_ops,     NULL,   NULL};
