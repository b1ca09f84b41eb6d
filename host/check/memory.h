/*
 * The heap, watched: this program defines malloc and its like, so the plugin
 * and the libraries behind it use them too. Of no effect in a sanitizer build,
 * whose own heap must not be replaced.
 */
#ifndef MEMORY_H
#define MEMORY_H

/* 0 when the heap cannot be watched. */
int memory_is_watched(void);

/* Counts what the calling thread allocates and frees from here on. */
void memory_begin(void);
/* Ends that; returns how many times it did. */
unsigned memory_end(void);

/* Blocks that are allocated now, by all threads. */
long memory_blocks(void);

#endif
