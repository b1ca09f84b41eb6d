/*
 * A shared object read as bytes, never run: what it is, what it needs, and the
 * notes in it. Every offset in it is untrusted.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include <stddef.h>
#include <stdint.h>

struct object {
    const char *file; /* borrowed */
    uint8_t *bytes;   /* the whole file */
    size_t count;
    const uint8_t *segments; /* program headers */
    size_t segment_count;
    const uint8_t *dynamic; /* the dynamic section, or NULL */
    size_t dynamic_count;
    const char *strings; /* its strings, ending in NUL, or NULL */
    size_t string_bytes;
};

/*
 * Reads `file` and finds its way in it. -ENOENT, -EACCES, ...: no such file;
 * -ENOEXEC: not a whole shared object for this machine. `why` (PLUGIN_WHY_MAX)
 * says it. Needs no object_free after an error.
 */
int object_read(struct object *o, const char *file, char *why);
void object_free(struct object *o);

/*
 * The descriptor of the first note of this owner and type. Returns how many
 * there are.
 */
size_t object_note(const struct object *o, const char *owner, uint32_t type,
                   const uint8_t **bytes, size_t *count);

/* The name of the shared library number `index` that it needs, NULL past the
 * last. */
const char *object_needs(const struct object *o, size_t index);

/* The dynamic symbol number `index` that it defines, NULL past the last. */
const char *object_defines(const struct object *o, size_t index);

/* Whether it defines, or asks others for, the dynamic symbol. */
int object_mentions(const struct object *o, const char *symbol);

#endif
