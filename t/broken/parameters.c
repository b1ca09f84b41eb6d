/* Divides by a parameter whose minimum is zero. */
#include "broken.h"

static const struct hp_param params[] = {
    {.name = "share", .unit = "", .preset = "4", .sentence = "What part.",
     .minimum = 0, .maximum = 9, .type = HP_PARAM_INT},
};

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    volatile int64_t share = 1;
    int64_t value;

    host->param_int(host, "share", 0, &value);
    share = value;
    if (100 / share == 7)
        return -EINVAL;
    return good_create(host, out);
}

HP_PLUGIN_NOTE(HP_KIND_AGENT, 0);
HP_PLUGIN = {HP_PLUGIN_HEAD(HP_KIND_AGENT, 0), params, HP_PARAMS(params),
             create, good_start, good_stop, good_destroy, &good_agent, NULL, NULL};
