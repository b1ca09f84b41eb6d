#include "cmd_flags.h"
#include "cmd.h"
#include <ini/ini.h>
#include <stdio.h>
#include <string.h>

static void
tell_unknown(const char *command, const char *given, const struct option *longs)
{
    const char *near = NULL;
    char word[64];
    size_t count = 0;

    while (longs[count].name != NULL)
        count++;
    snprintf(word, sizeof(word), "%s", given + strspn(given, "-"));
    word[strcspn(word, "=")] = '\0';
    if (strncmp(given, "--", 2) == 0)
        near = ini_nearest(word, &longs->name, count, sizeof(*longs));
    fprintf(stderr,
            "hardpoint %s: found the unknown option %s, expected a known one",
            command, given);
    if (near != NULL)
        fprintf(stderr, "; did you mean --%s?\n", near);
    else
        fprintf(stderr, "; `hardpoint %s --help` lists them\n", command);
}

int
cmd_flag(const char *command, int argc, char **argv, const char *shorts,
         const struct option *longs)
{
    char letter[3] = "-?";
    const char *given;
    int flag;

    opterr = 0;
    flag = getopt_long(argc, argv, shorts, longs, NULL);
    if (flag != '?' && flag != ':')
        return flag;
    given = argv[optind - 1];
    if (flag == ':') {
        fprintf(stderr,
                "hardpoint %s: found nothing after %s, expected a value\n",
                command, given);
    } else if (optopt != 0 && strncmp(given, "--", 2) != 0) {
        letter[1] = (char)optopt;
        tell_unknown(command, letter, longs);
    } else if (optopt != 0) {
        fprintf(stderr, "hardpoint %s: found a value in %s, expected none\n",
                command, given);
    } else {
        tell_unknown(command, given, longs);
    }
    return '?';
}

int
cmd_too_many(const char *command, const char *argument)
{
    fprintf(stderr,
            "hardpoint %s: found \"%s\" too, expected no more arguments; "
            "`hardpoint %s --help` shows them\n",
            command, argument, command);
    return CMD_USAGE;
}
