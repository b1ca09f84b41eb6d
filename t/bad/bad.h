/*
 * A whole agent in macros and statics, so that each file beside this one shows
 * just the one thing that is wrong with it.
 */
#ifndef BAD_H
#define BAD_H

#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <stdlib.h>

#ifndef HP_NAME
#    define HP_NAME "bad"
#endif
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "something is wrong with it"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

static char bad_self[8];

__attribute__((unused)) static int
bad_create(const struct hp_host *host, struct hp_instance **out)
{
    (void)host;
    *out = (struct hp_instance *)(void *)bad_self;
    return 0;
}

__attribute__((unused)) static int
bad_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)self, (void)limits;
    return 0;
}

__attribute__((unused)) static void
bad_stop(struct hp_instance *self)
{
    (void)self;
}

__attribute__((unused)) static void
bad_destroy(struct hp_instance *self)
{
    (void)self;
}

__attribute__((unused)) static void
bad_idle(struct hp_instance *self, const struct hp_status *status,
         uint64_t budget_ns)
{
    (void)self, (void)status, (void)budget_ns;
}

__attribute__((unused)) static const struct hp_agent_ops bad_ops = {
    sizeof(bad_ops), 0, bad_idle};

#define BAD_LIFE  bad_create, bad_start, bad_stop, bad_destroy
#define BAD_TAIL  HP_NO_PARAMS, BAD_LIFE, &bad_ops, NULL, NULL
#define BAD_HEAD  HP_PLUGIN_HEAD(HP_KIND_AGENT, 0)
#define BAD_TABLE HP_PLUGIN = {BAD_HEAD, BAD_TAIL}
#define BAD_NOTE  HP_PLUGIN_NOTE(HP_KIND_AGENT, 0)

/* One parameter, and the table around it. */
#define BAD_PARAM(...) \
    BAD_NOTE; \
    static const struct hp_param params[] = {{__VA_ARGS__}}; \
    HP_PLUGIN = {BAD_HEAD, params, HP_PARAMS(params), BAD_LIFE, &bad_ops, \
                 NULL,     NULL}

#endif
