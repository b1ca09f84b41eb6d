/*
 * hardpoint: the program. Finds the subcommand in the table below, or a program
 * hardpoint-NAME in the libexec folder, and runs it.
 */
#include "cmd.h"
#include "config.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct cmd commands[] = {
    {"plugins", "list | inspect FILE...", "lists plugins", cmd_plugins},
    {NULL,      NULL,                     NULL,            NULL       },
};

static void
usage(FILE *to)
{
    const struct cmd *c;

    fprintf(to, "usage: hardpoint COMMAND [ARGUMENT...]\n\n");
    for (c = commands; c->name != NULL; c++)
        fprintf(to, "  %-9s %-22s %s\n", c->name, c->arguments, c->sentence);
    fprintf(to, "\nAny other NAME runs the program hardpoint-NAME: `hardpoint "
                "compare`, say.\n");
}

int
main(int argc, char **argv)
{
    const struct cmd *c;

    if (argc < 2) {
        usage(stderr);
        return CMD_USAGE;
    }
    for (c = commands; c->name != NULL; c++)
        if (strcmp(c->name, argv[1]) == 0)
            return c->run(argc - 1, argv + 1);
    return cmd_external(argc - 1, argv + 1);
}
