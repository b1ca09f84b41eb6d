/*
 * hardpoint: the program. Finds the subcommand in the table below, or a program
 * hardpoint-NAME in the libexec folder, and runs it.
 */
#include <config.h>

#include "cmd.h"
#include <ini/ini.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const struct cmd commands[] = {
    {"run",     "[FILE]", "runs the host in the foreground", cmd_run},
    {"replay",  "FILE", "makes a recorded world again and compares it",
     cmd_replay},
    {"bench",   "[HOST:PORT]", "measures the latency of every stage",
     cmd_bench},
    {"swarm",   "HOST:PORT", "flies many scripted clients against a server",
     cmd_swarm},
    {"bench-enet", "", "measures bare ENet under as much traffic",
     cmd_bench_enet},
    {"check",   "[FILE]", "reports every problem of a configuration",
     cmd_check},
    {"show",    "[FILE]", "prints the configuration in effect", cmd_show},
    {"haptics", "list | test | check ...", "what can be felt, and a pulse of it",
     cmd_haptics},
    {"doctor",  "[FILE]", "whether this machine lets a host run well",
     cmd_doctor},
    {"plugins", "list | doc | check ...", "what plugins there are; are they sound",
     cmd_plugins},
    {"new",     "KIND NAME", "makes a folder to write a plugin in", cmd_new},
    {NULL, NULL, NULL, NULL},
};
/* clang-format on */
#define COMMANDS (sizeof(commands) / sizeof(commands[0]) - 1)

static void
usage(FILE *to)
{
    const struct cmd *c;

    fprintf(to, "usage: hardpoint COMMAND [ARGUMENT...]\n\n");
    for (c = commands; c->name != NULL; c++)
        fprintf(to, "  %-10s %-22s %s\n", c->name, c->arguments, c->sentence);
    fprintf(to, "\nAny other NAME runs the program hardpoint-NAME: `hardpoint "
                "compare`, say.\n`hardpoint COMMAND --help` tells more. "
                "--version prints the version.\n");
}

/* Options before the command: there are two. */
static int
answer_option(const char *option)
{
    if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
        usage(stdout);
        return CMD_OK;
    }
    if (strcmp(option, "--version") == 0 || strcmp(option, "-V") == 0) {
        printf("hardpoint %s\n", PACKAGE_VERSION);
        return CMD_OK;
    }
    fprintf(stderr,
            "hardpoint: found the option %s before any command, expected "
            "--help, --version or a command; its options go after it\n",
            option);
    return CMD_USAGE;
}

static int
run_external(int argc, char **argv)
{
    int status = cmd_external(argc, argv); /* returns only when there is none */
    const char *near =
        ini_nearest(argv[0], &commands->name, COMMANDS, sizeof(*commands));

    if (near != NULL)
        fprintf(stderr, "hardpoint: did you mean \"%s\"?\n", near);
    return status;
}

int
main(int argc, char **argv)
{
    const struct cmd *c;

    if (argc < 2) {
        usage(stderr);
        return CMD_USAGE;
    }
    if (argv[1][0] == '-')
        return answer_option(argv[1]);
    if (strcmp(argv[1], "help") == 0)
        return answer_option("--help");
    for (c = commands; c->name != NULL; c++)
        if (strcmp(c->name, argv[1]) == 0)
            return c->run(argc - 1, argv + 1);
    return run_external(argc - 1, argv + 1);
}
