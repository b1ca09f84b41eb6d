/*
 * As much of inih as plugins/ini uses, for t/sim_hash.t alone: the sim is built
 * there for a machine whose inih is not installed. The lines come judged.
 */
#ifndef T_CROSS_INI_H
#define T_CROSS_INI_H

#include <stddef.h>
#include <string.h>

typedef char *(*ini_reader)(char *line, int bytes, void *stream);
typedef int (*ini_handler)(void *user, const char *section, const char *name,
                           const char *value);

/* Without a comment and the blanks around. */
static char *
cross_strip(char *text)
{
    char *end, *p;

    text += strspn(text, " \t\r\n");
    for (p = text; *p != '\0'; p++)
        if (*p == ';' && (p == text || p[-1] == ' ' || p[-1] == '\t'))
            *p-- = '\0';
    end = text + strlen(text);
    while (end > text && strchr(" \t\r\n", end[-1]) != NULL)
        *--end = '\0';
    return text;
}

static int
ini_parse_stream(ini_reader reader, void *stream, ini_handler handler,
                 void *user)
{
    char line[256], section[64] = "", name[64] = "", *text, *equals;
    int indented;

    while (reader(line, sizeof(line), stream) != NULL) {
        indented = *line == ' ' || *line == '\t';
        if (*line == '#')
            continue;
        text = cross_strip(line);
        if (*text == '\0')
            continue;
        if (indented && *name != '\0') {
            handler(user, section, name, text);
        } else if (*text == '[') {
            text[strcspn(text, "]")] = '\0';
            strncpy(section, text + 1, sizeof(section) - 1);
            *name = '\0';
        } else if ((equals = strchr(text, '=')) != NULL) {
            *equals = '\0';
            strncpy(name, cross_strip(text), sizeof(name) - 1);
            handler(user, section, name, cross_strip(equals + 1));
        }
    }
    return 0;
}

#endif
