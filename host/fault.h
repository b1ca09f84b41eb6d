/*
 * Who crashed: a mark for each thread of the plugin call it is in, a table of
 * what is mapped where, and the handler that reads both.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdint.h>

/* One call that a thread is in. */
struct fault_mark {
    const char *label; /* "haptics.trace (client)" */
    const char *call;  /* "render" */
    uint64_t tick;     /* or INSTANCE_NO_TICK */
    uint64_t start_ns;
    uint64_t float_control;
};

/*
 * [any] Marks the calling thread, calls within calls too; the newest is named.
 * NULL when they are nested too deep, which is counted so that the pairs still
 * match.
 */
struct fault_mark *fault_enter(void);
/* [any] The calling thread's newest mark that has not ended, or NULL. */
const struct fault_mark *fault_newest(void);
/* The mark of the newest fault_enter, which it ends; NULL as above. */
const struct fault_mark *fault_leave(void);

/* [main] Notes where each shared object is mapped; after each load and unload.
 * `of_plugin` is an address in the plugin that was loaded, or NULL. */
void fault_learn_objects(const void *of_plugin);

#endif
