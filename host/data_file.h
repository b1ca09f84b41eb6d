/*
 * Data files that a plugin's parameter names (HP_PARAM_DATA): an aircraft, a
 * terrain. A value with a "/" or with the row's ending is a path; another is a
 * name, which is looked for in the folders of $HARDPOINT_DATA_PATH (":" between
 * them), then where the host's configuration is installed.
 */
#ifndef DATA_FILE_H
#define DATA_FILE_H

#include <hardpoint/plugin.h>
#include <stddef.h>

/* Whether a value is a path rather than a name. */
int data_file_is_path(const struct hp_param *row, const char *value);

/*
 * Finds a named file. 0 and its path; -ENOENT: there is none, so that the name
 * stays as it is and the plugin may know it by itself; -ENAMETOOLONG.
 */
int data_file_find(const struct hp_param *row, const char *name, char *path,
                   size_t bytes);

/* The name of a file within its folder, without the row's ending. */
void data_file_name(const struct hp_param *row, const char *value, char *name,
                    size_t bytes);

#endif
