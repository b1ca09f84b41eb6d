/* The configuration as an INI file that reads back as the same. */
#include "config_store.h"
#include "data_file.h"
#include <ini/ini.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define COMMENT_COLUMN 32

struct printing {
    const struct config *config;
    FILE *to;
    const char *section; /* that was begun */
    char folder[PATH_MAX];
};

/* Paths are printed absolute: the output may be kept in any folder. */
static void
make_absolute(const struct printing *p, const struct hp_param *row,
              const char *value, char *out, size_t bytes)
{
    if ((row->type == HP_PARAM_PATH ||
         (row->type == HP_PARAM_DATA && data_file_is_path(row, value))) &&
        *value != '\0' && *value != '/')
        snprintf(out, bytes, "%s/%s", p->folder,
                 strncmp(value, "./", 2) == 0 ? value + 2 : value);
    else
        snprintf(out, bytes, "%s", value);
}

/* How much of `text` fits into `room` and ends before a blank whose next word
 * could begin a line; all of the next word when none does. */
static size_t
piece(const char *text, size_t room)
{
    size_t i, best = 0;

    if (strlen(text) <= room)
        return strlen(text);
    for (i = 1; text[i] != '\0' && (i <= room || best == 0); i++)
        if (text[i] == ' ' && strchr(" ;#[", text[i + 1]) == NULL)
            best = i;
    return best == 0 ? strlen(text) : best;
}

static void
print_value(FILE *to, const char *key, const char *value, const char *origin)
{
    size_t bytes = strlen(key) + 3 + strlen(value), part;

    if (*value == '\0')
        bytes--;
    if (bytes + strlen(origin) + COMMENT_COLUMN <= INI_LINE_MAX) {
        fprintf(to, "%s =%s%s%*s ; %s\n", key, *value != '\0' ? " " : "", value,
                bytes < COMMENT_COLUMN ? (int)(COMMENT_COLUMN - bytes) : 0, "",
                origin);
        return;
    }
    fprintf(to, "; %.190s\n%s =\n", origin, key);
    while (*value != '\0') {
        part = piece(value, INI_LINE_MAX - 4);
        fprintf(to, "    %.*s\n", (int)part, value);
        value += part;
        value += *value == ' ';
    }
}

static int
print_row(void *context, const char *section, const struct hp_param *row,
          uint32_t index, const char *value)
{
    struct printing *p = context;
    const struct config_setting *s =
        config_find_setting(p->config, section, row->name, index);
    char text[INI_VALUE_MAX + 1];

    if (p->section == NULL || strcmp(p->section, section) != 0)
        fprintf(p->to, "%s[%s]\n", p->section == NULL ? "" : "\n", section);
    p->section = section;
    make_absolute(p, row, value, text, sizeof(text));
    print_value(p->to, row->name, text, s == NULL ? "default" : s->origin);
    return 0;
}

void
config_print(const struct config *c, FILE *to)
{
    struct printing p = {.config = c, .to = to};

    if (getcwd(p.folder, sizeof(p.folder)) == NULL)
        snprintf(p.folder, sizeof(p.folder), ".");
    config_each(c, print_row, &p);
}
