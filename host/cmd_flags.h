/* Command lines of subcommands: getopt_long with our own words for mistakes. */
#ifndef CMD_FLAGS_H
#define CMD_FLAGS_H

#include <getopt.h>

/*
 * As getopt_long (start with optind = 1), but a mistake is told on standard
 * error, with the nearest known option, and given back as '?'. `shorts` must
 * begin with ":".
 */
int cmd_flag(const char *command, int argc, char **argv, const char *shorts,
             const struct option *longs);

/* Tells of the argument argv[optind] that is one too many. Returns
 * CMD_USAGE. */
int cmd_too_many(const char *command, const char *argument);

#endif
