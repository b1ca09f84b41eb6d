/* hardpoint check: every problem of a configuration, or that there is none. */
#include "cmd.h"
#include "cmd_flags.h"
#include "setup.h"
#include <stdio.h>
#include <stdlib.h>

static void
usage(FILE *to)
{
    fprintf(to, "usage: hardpoint check [-s SECTION.KEY=VALUE]... [FILE]\n\n"
                "Reads FILE as `run` would, loads its plugins, and tells every "
                "problem with its\nplace. Exit status: 0 all is well, 66 FILE "
                "cannot be read, 78 there are problems.\n\n"
                "  -s SECTION.KEY=VALUE  sets a key, stronger than file and "
                "environment\n"
                "      --help            this text\n");
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
    status = setup_load(&s, argv[optind], overrides, count, stderr);
    if (status == CMD_OK)
        printf("%s: ok\n", s.file);
    setup_finish(&s);

done:
    free(overrides);
    return status;
}
