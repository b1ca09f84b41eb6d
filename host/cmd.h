/* The subcommands: each is one file, host/cmd_NAME.c, and one row in main.c. */
#ifndef CMD_H
#define CMD_H

/* Exit status of every subcommand, after sysexits.h. */
enum cmd_exit {
    CMD_OK = 0,
    CMD_NO = 1, /* the answer is no */
    CMD_USAGE = 64,
    CMD_NO_INPUT = 66,
    CMD_UNAVAILABLE = 69, /* port in use */
    CMD_PLUGIN = 70,      /* plugin fault */
    CMD_CONFIG = 78
};

/* argv[0] is the subcommand's name. Returns an exit status. */
typedef int cmd_main(int argc, char **argv);

struct cmd {
    const char *name;
    const char *arguments; /* "[FILE]" */
    const char *sentence;
    cmd_main *run;
};

/*
 * Runs the program hardpoint-NAME for the command argv[0], from
 * $HARDPOINT_LIBEXEC, the folder of this program (a build tree) or the libexec
 * folder (an installed one), with the same arguments. Returns only when there
 * is none: CMD_USAGE, and says so.
 */
cmd_main cmd_external;

cmd_main cmd_bench, cmd_bench_enet, cmd_check, cmd_doctor, cmd_haptics, cmd_new,
    cmd_plugins, cmd_replay, cmd_run, cmd_show, cmd_swarm;

/* Parts of cmd_plugins in files of their own; argv[0] is "doc". */
cmd_main cmd_plugins_doc;

#endif
