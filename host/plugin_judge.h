/*
 * Whether a plugin may run in this host, judged by its note alone, then by its
 * table. Each refusal is a sentence in `why` (PLUGIN_WHY_MAX): the file, what
 * was expected, what was found, what to do.
 */
#ifndef PLUGIN_JUDGE_H
#define PLUGIN_JUDGE_H

#include <hardpoint/plugin.h>
#include <stddef.h>

struct object;

/* Whether the note is for this host, and of `kind` and `name` (0 and NULL:
 * any). -EPROTO: another ABI; -EINVAL: another kind or name. */
int plugin_judge_note(const char *file, const struct hp_note *note,
                      uint32_t kind, const char *name, char *why);

/* What would end the host's process on loading, read from the bytes. -ENOEXEC:
 * built with a sanitizer that this host is not built with. */
int plugin_judge_object(const struct object *o, char *why);

/*
 * Whether the table is whole and says what the note says. `bytes` is the size
 * of the exported symbol, 0 if unknown. -EPROTO: needs a newer host, or knows
 * what this one does not; -EINVAL: incomplete, or note and table disagree.
 */
int plugin_judge_table(const char *file, const struct hp_plugin *table,
                       size_t bytes, const struct hp_note *note, char *why);

#endif
