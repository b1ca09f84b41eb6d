/* hardpoint check: every problem of a configuration, or that there is none. */
#include "cmd.h"
#include "cmd_flags.h"
#include "effects.h"
#include "setup.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
usage(FILE *to)
{
    fprintf(
        to,
        "usage: hardpoint check [-s SECTION.KEY=VALUE]... [FILE]\n\n"
        "Reads FILE as `run` would, loads its plugins, reads its effects "
        "file, and tells\nevery problem with its place. An effects file (it "
        "has [effect.NAME]) is checked as\none. Exit status: 0 all is "
        "well, 66 FILE cannot be\nread, 78 there are problems.\n\n"
        "  -s SECTION.KEY=VALUE  sets a key, stronger than file and "
        "environment\n"
        "      --help            this text\n");
}

/* Whether a section [effect.NAME] or [curve.NAME] begins in it. */
static int
is_effects_file(const char *path)
{
    FILE *file = path != NULL ? fopen(path, "re") : NULL;
    char line[256];
    int found = 0;

    while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL)
        found = strncmp(line, "[effect.", 8) == 0 ||
                strncmp(line, "[curve.", 7) == 0;
    if (file != NULL)
        fclose(file);
    return found;
}

static int
check_effects_file(const char *path)
{
    struct effects *effects = NULL;
    int err = effects_load(&effects, path, stderr);

    if (err == 0)
        printf("%s: ok, %u effects\n", path, effects->count);
    else if (err != -EINVAL)
        fprintf(stderr, "%s: error: cannot be read: %s\n", path,
                strerror(-err));
    effects_destroy(effects);
    return err == 0 ? CMD_OK : err == -EINVAL ? CMD_CONFIG : CMD_NO_INPUT;
}

/* The effects file as well, since `run` starts with none that is wrong. */
static int
check_effects(const struct config *c)
{
    struct effects *effects = NULL;
    const char *path;
    int err;

    if (config_text(c, "haptics", "effects", 0, &path) < 0 || *path == '\0')
        return CMD_OK;
    err = effects_load(&effects, path, stderr);
    effects_destroy(effects);
    if (err < 0 && err != -EINVAL) /* whose problems are told */
        fprintf(stderr, "%s: error: cannot be read: %s\n", path,
                strerror(-err));
    return err < 0 ? CMD_CONFIG : CMD_OK;
}

int
cmd_check(int argc, char **argv)
{
    static const struct option longs[] = {
        {"help", no_argument, NULL, 'h'},
        {NULL,   0,           NULL, 0  },
    };
    const char **overrides = calloc((size_t)argc, sizeof(*overrides));
    struct setup s;
    int flag, count = 0, status = CMD_OK;

    if (overrides == NULL)
        return CMD_PLUGIN;
    while ((flag = cmd_flag("check", argc, argv, ":s:h", longs)) != -1) {
        if (flag == 's')
            overrides[count++] = optarg;
        else
            status = flag == 'h' ? CMD_OK : CMD_USAGE;
        if (flag == 'h')
            usage(stdout);
        if (flag != 's')
            goto done;
    }
    if (optind + 1 < argc) {
        status = cmd_too_many("check", argv[optind + 1]);
        goto done;
    }
    if (is_effects_file(argv[optind])) {
        status = check_effects_file(argv[optind]);
        goto done;
    }
    status = setup_load(&s, argv[optind], overrides, count, stderr);
    if (status == CMD_OK)
        status = check_effects(s.config);
    if (status == CMD_OK)
        printf("%s: ok\n", s.file);
    setup_finish(&s);

done:
    free(overrides);
    return status;
}
