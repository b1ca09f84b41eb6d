/* hardpoint haptics: what can be felt here, and a pulse to feel it. */
#include "cmd_haptics.h"
#include "cmd.h"
#include "cmd_flags.h"
#include "effects_rows.h"
#include "libexec.h"
#include "rig.h"
#include <ctype.h>
#include <ini/ini.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PULSE_LEVEL  0.5f
#define EFFECT_LEVEL 1.0f

static void
usage(FILE *to)
{
    fprintf(
        to,
        "usage: hardpoint haptics list [OPTION...] [FILE]\n"
        "       hardpoint haptics test DEVICE|all [--effect NAME] "
        "[--level L] [OPTION...] [FILE]\n"
        "       hardpoint haptics check [OPTION...] [FILE]\n"
        "       hardpoint haptics plot EFFECTS_FILE\n"
        "       hardpoint haptics conform NAME [--far-side FILE.so] [OPTION...]"
        "\n\n"
        "list starts the haptics plugins of a configuration and prints "
        "their devices;\ntest plays a pulse, or an effect of its effects "
        "file, and says what was rendered;\ncheck tells, for each effect "
        "and device, which actuators move and what is adapted\nto them; "
        "plot draws the effects of a file as SVG; conform tries whether "
        "the\nplugin NAME keeps the contract, from the far side of its "
        "device.\nDEVICE is a device's id or "
        "name in the list. Exit status: 0, 1 nothing there or\nnothing "
        "rendered, 64 usage, 66 FILE cannot be read, 70 a plugin does not "
        "start,\n78 FILE has problems.\n\n"
        "      --plugin NAME         uses this plugin instead of the "
        "configuration's;\n                            again for more\n"
        "      --effect NAME         plays this effect\n"
        "      --level L             how strongly, 0 to 1 (effects: 1, "
        "pulse: 0.5)\n"
        "  -s SECTION.KEY=VALUE      sets a key, stronger than file and "
        "environment\n"
        "      --help                this text\n");
}

/* ---- tables ---- */

const char *
cmd_haptics_tidy(char out[97], const char *text)
{
    size_t i;

    for (i = 0; i < 96 && text[i] != '\0'; i++)
        out[i] = isprint((unsigned char)text[i]) ? text[i] : '?';
    out[i] = '\0';
    return *out != '\0' ? out : strcpy(out, "-");
}

static const char *
actuator_name(const struct hp_actuator *a)
{
    const char *name = effects_actuator_name(a->kind);

    return name != NULL ? name : "unknown";
}

static void
frequency_text(char *out, size_t bytes, const struct hp_actuator *a)
{
    if (!(a->flags & HP_ACTUATOR_FREQUENCY))
        snprintf(out, bytes, "fixed");
    else if (a->frequency_max_hz > 0)
        snprintf(out, bytes, "%g to %g Hz", (double)a->frequency_min_hz,
                 (double)a->frequency_max_hz);
    else
        snprintf(out, bytes, "any");
}

static void
list_device(const struct rig *r, uint32_t index)
{
    char id[97], name[97], frequency[40];
    const struct hp_device *d;
    const struct hp_actuator *a;
    uint32_t backend, i;

    d = haptics_device(r->haptics, index, &backend);
    for (i = 0; i < d->actuator_count; i++) {
        a = &d->actuators[i];
        frequency_text(frequency, sizeof(frequency), a);
        printf("%-24s %-20s %-10s %-10s %-8s %s\n",
               cmd_haptics_tidy(id, d->stable_id),
               cmd_haptics_tidy(name, d->name),
               r->backends[backend]->table->name, actuator_name(a),
               a->flags & HP_ACTUATOR_SIGNED ? "-1..1" : "0..1", frequency);
    }
}

static int
no_device(const struct rig_request *q)
{
    if (q->device == NULL)
        fprintf(stderr, "hardpoint haptics: found no device\n");
    else
        fprintf(stderr,
                "hardpoint haptics: found no device \"%s\", expected one of "
                "`hardpoint haptics list`\n",
                q->device);
    return CMD_NO;
}

static int
list(const struct rig_request *q)
{
    struct rig r;
    int status = rig_open(&r, q);
    uint32_t i;

    if (status == CMD_OK && haptics_device_count(r.haptics) == 0)
        status = no_device(q);
    if (status == CMD_OK)
        printf("%-24s %-20s %-10s %-10s %-8s %s\n", "DEVICE", "NAME", "PLUGIN",
               "ACTUATOR", "LEVEL", "FREQUENCY");
    for (i = 0; status == CMD_OK && i < haptics_device_count(r.haptics); i++)
        list_device(&r, i);
    rig_close(&r);
    return status;
}

/* ---- test ---- */

/* Returns how many of the device's actuators were told of something. */
static uint32_t
print_told(const struct rig *r, uint32_t index)
{
    const struct hp_device *d;
    struct haptics_told told;
    uint32_t backend, i, felt = 0;
    char id[97];

    d = haptics_device(r->haptics, index, &backend);
    for (i = 0; i < d->actuator_count; i++) {
        told = haptics_told(r->haptics, index, i);
        if (told.levels == 0)
            continue;
        felt++;
        printf("%-24s %-10s %-10s %6llu %8.3f\n",
               cmd_haptics_tidy(id, d->stable_id),
               r->backends[backend]->table->name,
               actuator_name(&d->actuators[i]), (unsigned long long)told.levels,
               (double)told.peak);
    }
    return felt;
}

static int
tell_result(const struct rig *r, float level, int interrupted)
{
    uint32_t i, felt = 0;

    printf("%s %s at level %g\n", interrupted ? "interrupted" : "played",
           r->effect->name, (double)level);
    printf("%-24s %-10s %-10s %6s %8s\n", "DEVICE", "PLUGIN", "ACTUATOR",
           "LEVELS", "PEAK");
    for (i = 0; i < haptics_device_count(r->haptics); i++)
        felt += print_told(r, i);
    if (felt == 0) {
        fprintf(stderr,
                "hardpoint haptics: nothing was rendered: no device has an "
                "actuator that %s moves, or its level is 0\n",
                r->effect->name);
        return CMD_NO;
    }
    printf("from command to render: %.1f us\n",
           (double)hist_quantile(haptics_command_ns(r->haptics), 1) / 1e3);
    return CMD_OK;
}

static int
test(const struct rig_request *q, float level)
{
    struct rig r;
    int status = rig_open(&r, q);

    if (status == CMD_OK && haptics_device_count(r.haptics) == 0)
        status = no_device(q);
    if (status == CMD_OK)
        status = tell_result(&r, level, rig_play(&r, level));
    rig_close(&r);
    return status;
}

/* ---- the command line ---- */

struct line {
    struct rig_request request;
    const char **overrides;
    char plugins[512]; /* "plugins.haptics=a,b" */
    float level;       /* below 0: not given */
};

static int
add_plugin(struct line *l, const char *name)
{
    size_t used = strlen(l->plugins);
    int wanted;

    if (used == 0) {
        l->overrides[l->request.override_count++] = l->plugins;
        used = (size_t)snprintf(l->plugins, sizeof(l->plugins),
                                "plugins.haptics=");
    } else {
        used = (size_t)(stpcpy(l->plugins + used, ", ") - l->plugins);
    }
    wanted =
        snprintf(l->plugins + used, sizeof(l->plugins) - used - 2, "%s", name);
    if (wanted >= 0 && (size_t)wanted < sizeof(l->plugins) - used - 2)
        return CMD_OK;
    fprintf(stderr, "hardpoint haptics: found plugin names too long in all\n");
    return CMD_USAGE;
}

static int
take_level(struct line *l, const char *text)
{
    double level;

    if (ini_parse_real(text, "", &level, NULL) == 0 && level >= 0 &&
        level <= 1) {
        l->level = (float)level;
        return CMD_OK;
    }
    fprintf(stderr,
            "hardpoint haptics: found --level %s, expected a number from 0 to "
            "1\n",
            text);
    return CMD_USAGE;
}

/* CMD_OK, CMD_USAGE, or -1: help was given. */
static int
take_flags(struct line *l, int argc, char **argv)
{
    static const struct option longs[] = {
        {"plugin", required_argument, NULL, 'p'},
        {"effect", required_argument, NULL, 'e'},
        {"level",  required_argument, NULL, 'l'},
        {"svg",    no_argument,       NULL, 'v'},
        {"help",   no_argument,       NULL, 'h'},
        {NULL,     0,                 NULL, 0  },
    };
    int flag, status = CMD_OK;

    while (status == CMD_OK &&
           (flag = cmd_flag("haptics", argc, argv, ":s:h", longs)) != -1) {
        if (flag == 's')
            l->overrides[l->request.override_count++] = optarg;
        else if (flag == 'p')
            status = add_plugin(l, optarg);
        else if (flag == 'e')
            l->request.effect = optarg;
        else if (flag == 'l')
            status = take_level(l, optarg);
        else if (flag == 'v')
            continue; /* what plot writes anyway */
        else
            status = flag == 'h' ? -1 : CMD_USAGE;
    }
    return status;
}

static int
check(const struct rig_request *q)
{
    struct rig r;
    int status = rig_open(&r, q);

    if (status == CMD_OK && haptics_device_count(r.haptics) == 0)
        status = no_device(q);
    if (status == CMD_OK)
        status = cmd_haptics_check(&r);
    rig_close(&r);
    return status;
}

/* list and check: a configuration, and nothing to play. */
static int
run_list(struct line *l, const char *what, int argc, char **argv)
{
    if (l->request.effect != NULL || l->level >= 0) {
        fprintf(stderr,
                "hardpoint haptics: found --effect or --level with %s, "
                "expected them with test\n",
                what);
        return CMD_USAGE;
    }
    if (optind + 1 < argc)
        return cmd_too_many("haptics", argv[optind + 1]);
    l->request.file = argv[optind];
    l->request.all_effects = strcmp(what, "check") == 0;
    return l->request.all_effects ? check(&l->request) : list(&l->request);
}

static int
run_plot(int argc, char **argv)
{
    if (optind >= argc) {
        fprintf(stderr, "hardpoint haptics: found no file after plot, expected "
                        "an effects file\n");
        return CMD_USAGE;
    }
    if (optind + 1 < argc)
        return cmd_too_many("haptics", argv[optind + 1]);
    return cmd_haptics_plot(argv[optind]);
}

static int
is_one_of_ours(const char *what)
{
    return strcmp(what, "list") == 0 || strcmp(what, "test") == 0 ||
           strcmp(what, "check") == 0 || strcmp(what, "plot") == 0;
}

static int
run_test(struct line *l, int argc, char **argv)
{
    if (optind >= argc) {
        fprintf(stderr, "hardpoint haptics: found no device after test, "
                        "expected one of `hardpoint haptics list`, or all\n");
        return CMD_USAGE;
    }
    if (optind + 2 < argc)
        return cmd_too_many("haptics", argv[optind + 2]);
    if (strcmp(argv[optind], "all") != 0)
        l->request.device = argv[optind];
    l->request.file = argv[optind + 1];
    if (l->level < 0)
        l->level = l->request.effect != NULL ? EFFECT_LEVEL : PULSE_LEVEL;
    return test(&l->request, l->level);
}

/* A program of its own, as it needs what stands on the other side of a device:
 * one for the backend, else the one for all. Returns only when there is none. */
static int
conform(int argc, char **argv)
{
    char path[PATH_MAX], name[48] = "conform";
    int i;

    for (i = 1; i < argc; i++)
        if (argv[i][0] != '-' && strcmp(argv[i - 1], "-s") != 0 &&
            strcmp(argv[i - 1], "--far-side") != 0 &&
            strcmp(argv[i - 1], "--only") != 0)
            snprintf(name, sizeof(name), "conform-%.31s", argv[i]);
    for (i = 1; i < argc; i++) /* it brings its own */
        if (strncmp(argv[i], "--far-side", strlen("--far-side")) == 0)
            snprintf(name, sizeof(name), "conform");
    if (strchr(name, '/') != NULL || libexec_find(name, path, sizeof(path)) < 0)
        if (libexec_find("conform", path, sizeof(path)) < 0) {
            fprintf(stderr, "hardpoint haptics: found no hardpoint-conform, "
                            "expected it beside this program or where "
                            "HARDPOINT_LIBEXEC says\n");
            return CMD_UNAVAILABLE;
        }
    execv(path, argv);
    perror(path);
    return CMD_UNAVAILABLE;
}

int
cmd_haptics(int argc, char **argv)
{
    struct line l = {.level = -1};
    const char *what = argc > 1 ? argv[1] : "";
    int status;

    if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0) {
        usage(stdout);
        return CMD_OK;
    }
    if (strcmp(what, "conform") == 0)
        return conform(argc - 1, argv + 1);
    if (!is_one_of_ours(what)) {
        usage(stderr);
        return CMD_USAGE;
    }
    l.overrides = calloc((size_t)argc, sizeof(*l.overrides));
    if (l.overrides == NULL)
        return CMD_PLUGIN;
    l.request.overrides = l.overrides;
    optind = 1;
    status = take_flags(&l, argc - 1, argv + 1);
    if (status == -1) {
        usage(stdout);
        status = CMD_OK;
    } else if (status == CMD_OK && strcmp(what, "test") == 0) {
        status = run_test(&l, argc - 1, argv + 1);
    } else if (status == CMD_OK && strcmp(what, "plot") == 0) {
        status = run_plot(argc - 1, argv + 1);
    } else if (status == CMD_OK) {
        status = run_list(&l, what, argc - 1, argv + 1);
    }
    free(l.overrides);
    return status;
}
