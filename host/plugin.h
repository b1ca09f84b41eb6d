/*
 * Shared objects: finding, judging, loading and refusing them. The one place
 * that calls dlopen. Notes (note.h) are judged before a file is opened.
 */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <hardpoint/hardpoint.h>
#include <stddef.h>

struct plugin; /* one opened shared object */

#define PLUGIN_WHY_MAX 1024

/* "sim", "broadcaster", ...; NULL for an unknown kind. */
const char *plugin_kind_name(uint32_t kind);
/* 0 when there is no such kind. */
uint32_t plugin_kind_by_name(const char *name);

/*
 * The folders that are searched, in order: `configured` (colon-separated, may
 * be ""), $HARDPOINT_PLUGIN_PATH, plugins/.libs beside the running program (a
 * build tree), the installed folder. Returns the number of them.
 */
struct plugin_path {
    char *folders[16];
    int count;
};
int plugin_path_init(struct plugin_path *path, const char *configured);
/* Only the folders of `list`. -E2BIG: more than 16; -ENOMEM; both calls. */
int plugin_path_of(struct plugin_path *path, const char *list);
void plugin_path_finish(struct plugin_path *path);

/* KIND_NAME.so in the first folder that has it. -ENOENT, and `why` says where
 * it was looked for and which names of that kind there are. */
int plugin_find(const struct plugin_path *path, uint32_t kind, const char *name,
                char *file, size_t file_bytes, char *why);

/*
 * Opens a file as a plugin of `kind` and `name` (0 and NULL: any). Judges the
 * note first, then the table: size, versions, flags, kind, name, and that note
 * and table agree. On refusal nothing of it stays and `why` (PLUGIN_WHY_MAX)
 * says which file, what was expected, what was found and what to do.
 * -ENOENT; -ENOEXEC: not a plugin; -EPROTO: another ABI; -EINVAL: table and
 * note disagree, or name or kind; -ELIBACC: a dependency is missing.
 */
int plugin_open(struct plugin **out, const char *file, uint32_t kind,
                const char *name, char *why);
/* Accepts NULL. */
void plugin_close(struct plugin *plugin);

const struct hp_plugin *plugin_table(const struct plugin *plugin);
const char *plugin_file(const struct plugin *plugin);

#endif
