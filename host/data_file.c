#include "data_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "aircraft|.ini": the folder and the ending of the row's files. */
static const char *
ending_of(const struct hp_param *row)
{
    const char *bar = row->choices == NULL ? NULL : strchr(row->choices, '|');

    return bar == NULL ? "" : bar + 1;
}

static int
has_ending(const char *value, const char *ending)
{
    size_t bytes = strlen(value), end = strlen(ending);

    return end > 0 && bytes > end && strcmp(value + bytes - end, ending) == 0;
}

int
data_file_is_path(const struct hp_param *row, const char *value)
{
    return strchr(value, '/') != NULL || has_ending(value, ending_of(row));
}

static int
try_folder(const struct hp_param *row, const char *folder, size_t folder_bytes,
           const char *name, char *path, size_t bytes)
{
    int count = snprintf(path, bytes, "%.*s/%.*s/%s%s", (int)folder_bytes,
                         folder, (int)strcspn(row->choices, "|"), row->choices,
                         name, ending_of(row));

    if (count < 0 || (size_t)count >= bytes)
        return -ENAMETOOLONG;
    return access(path, R_OK) == 0 ? 0 : -ENOENT;
}

int
data_file_find(const struct hp_param *row, const char *name, char *path,
               size_t bytes)
{
    const char *list = getenv("HARDPOINT_DATA_PATH");
    size_t length;
    int err = -ENOENT;

    if (row->choices == NULL || *name == '\0')
        return -ENOENT;
    for (; list != NULL && *list != '\0' && err == -ENOENT; list += length) {
        list += *list == ':';
        length = strcspn(list, ":");
        if (length > 0)
            err = try_folder(row, list, length, name, path, bytes);
    }
    if (err == -ENOENT)
        err =
            try_folder(row, HP_CONFDIR, strlen(HP_CONFDIR), name, path, bytes);
    return err;
}

void
data_file_name(const struct hp_param *row, const char *value, char *name,
               size_t bytes)
{
    const char *slash = strrchr(value, '/');

    snprintf(name, bytes, "%s", slash == NULL ? value : slash + 1);
    if (has_ending(name, ending_of(row)))
        name[strlen(name) - strlen(ending_of(row))] = '\0';
}
