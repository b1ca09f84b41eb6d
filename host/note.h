/* The ELF note of a plugin, read from the file: no code of it runs. */
#ifndef NOTE_H
#define NOTE_H

#include <hardpoint/plugin.h>

/*
 * Reads the note of `file`. Untrusted bytes: every offset is checked, texts are
 * NUL-terminated in `out`. -ENOENT, -EACCES: no such file; -ENOEXEC: not a
 * shared object for this machine; -ENOMSG: one without the note; -EBADMSG: a
 * note of another size or form. `why` (PLUGIN_WHY_MAX) says it in a sentence.
 */
int note_read(const char *file, struct hp_note *out, char *why);

/* The same of a file that has been read. -ENOMSG, -EBADMSG. */
struct object; /* object.h */
int note_of_object(const struct object *o, struct hp_note *out, char *why);

#endif
