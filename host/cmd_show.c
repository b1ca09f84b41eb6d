/* hardpoint show: the configuration in effect, and where each value is from. */
#include "cmd.h"
#include "cmd_flags.h"
#include "options.h"
#include "setup.h"
#include <stdio.h>
#include <stdlib.h>

static void
usage(FILE *to)
{
    fprintf(to, "usage: hardpoint show [-s SECTION.KEY=VALUE]... [FILE]\n"
                "       hardpoint show --example | --man\n\n"
                "Prints the configuration in effect as an INI file, with the "
                "origin of each value:\nfile:line:column, environment, -s or "
                "default. Reading it gives the same again.\nExit status: 0, 66 "
                "FILE cannot be read, 78 it has problems.\n\n"
                "  -s SECTION.KEY=VALUE  sets a key, stronger than file and "
                "environment\n"
                "      --example         prints every key of the host with its "
                "default\n"
                "      --man             prints the list of hardpoint.ini(5)\n"
                "      --help            this text\n");
}

static int
show(const char *file, const char *const *overrides, int count)
{
    struct setup s;
    int status = setup_load(&s, file, overrides, count, stderr);

    if (status == CMD_OK)
        config_print(s.config, stdout);
    setup_finish(&s);
    return status;
}

int
cmd_show(int argc, char **argv)
{
    static const struct option longs[] = {
        {"example", no_argument, NULL, 'e'},
        {"man",     no_argument, NULL, 'm'},
        {"help",    no_argument, NULL, 'h'},
        {NULL,      0,           NULL, 0  },
    };
    const char **overrides = calloc((size_t)argc, sizeof(*overrides));
    int flag, count = 0, status = CMD_OK;

    if (overrides == NULL)
        return CMD_PLUGIN;
    while ((flag = cmd_flag("show", argc, argv, ":s:h", longs)) != -1) {
        if (flag == 's') {
            overrides[count++] = optarg;
            continue;
        }
        if (flag == 'e')
            options_print_example(stdout);
        else if (flag == 'm')
            options_print_man(stdout);
        else if (flag == 'h')
            usage(stdout);
        else
            status = CMD_USAGE;
        goto done;
    }
    if (optind + 1 < argc)
        status = cmd_too_many("show", argv[optind + 1]);
    else
        status = show(argv[optind], overrides, count);

done:
    free(overrides);
    return status;
}
