/*
 * load_plugin [-o] [-k KIND] [-n NAME] FILE...: opens each file twice as the
 * host does, makes and starts an instance (-o: only opens it), and says what
 * came of it. For t/plugin_refusals.t and t/exports.t.
 */
#include <config.h>

#include "../host/config.h"
#include "plugin_world.h"
#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <instance.h>
#include <unistd.h>

uint64_t
clock_now_ns(const struct clock *clock)
{
    (void)clock;
    return 0;
}

/* The plugins of this test ask for no parameter. */
int
config_flag(const struct config *c, const char *section, const char *key,
            int *out)
{
    (void)c, (void)section, (void)key, (void)out;
    return -ENOENT;
}

int
config_int(const struct config *c, const char *section, const char *key,
           uint32_t index, int64_t *out)
{
    (void)c, (void)section, (void)key, (void)index, (void)out;
    return -ENOENT;
}

int
config_real(const struct config *c, const char *section, const char *key,
            uint32_t index, double *out)
{
    (void)c, (void)section, (void)key, (void)index, (void)out;
    return -ENOENT;
}

int
config_text(const struct config *c, const char *section, const char *key,
            uint32_t index, const char **out)
{
    (void)c, (void)section, (void)key, (void)index, (void)out;
    return -ENOENT;
}

const char *
config_origin(const struct config *c, const char *section, const char *key)
{
    (void)c;
    return strcmp(section, "plugins") == 0 && strcmp(key, "agent") == 0
               ? "solo.ini:7:1"
               : "?";
}

static int
run(struct plugin *plugin)
{
    struct hp_limits limits = {.size = sizeof(limits)};
    struct instance *i = NULL;
    int err;

    err = instance_create(&i, plugin, (void *)world_log, NULL, HP_SIDE_SERVER);
    if (err < 0)
        return err;
    err = instance_start(i, &limits);
    if (err < 0)
        printf("%s: cannot be started: %s: %s\n", i->label, i->failure,
               strerror(-err));
    instance_stop(i);
    instance_destroy(i);
    return err;
}

static void
load(const char *file, uint32_t kind, const char *name, int only_open)
{
    const char *base = strrchr(file, '/');
    char why[PLUGIN_WHY_MAX] = "no reason given";
    struct plugin *plugin = NULL;
    int err;

    world_log[0] = '\0';
    err = plugin_open(&plugin, file, kind, name, why);
    if (err < 0)
        printf("%s: %s\n", strerrorname_np(-err), why);
    else if (only_open)
        printf("opens: %s\n", file);
    else if (run(plugin) == 0)
        printf("runs: %s\n", file);
    printf("%s", world_log);
    plugin_close(plugin);
#ifndef HP_SANITIZED
    if (world_is_mapped(base != NULL ? base + 1 : file))
        printf("stays mapped: %s\n", file);
#else
    (void)base;
#endif
}

int
main(int argc, char **argv)
{
    const char *name = NULL;
    uint32_t kind = 0;
    int c, only_open = 0;

    while ((c = getopt(argc, argv, "ok:n:")) != -1) {
        if (c == 'o')
            only_open = 1;
        else if (c == 'k')
            kind = plugin_kind_by_name(optarg);
        else if (c == 'n')
            name = optarg;
        else
            return 64;
    }
    for (; optind < argc; optind++) {
        load(argv[optind], kind, name, only_open);
        load(argv[optind], kind, name, only_open);
    }
    return 0;
}
