/* Memory for one script: a fixed piece, handed out in powers of two, so that a
 * script neither allocates in a tick nor takes more than it was given. */
#ifndef CUES_ARENA_H
#define CUES_ARENA_H

#include <stddef.h>

struct arena;

/* NULL when there is no memory. */
struct arena *arena_create(size_t bytes);
void arena_destroy(struct arena *a); /* accepts NULL */
/* As Lua's allocator: `context` is the arena. NULL when it is full. */
void *arena_allocate(void *context, void *old, size_t old_bytes, size_t bytes);

#endif
