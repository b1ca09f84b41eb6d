/* Which file is read when none is named, and the demo when there is none. */
#ifndef SETUP_DEMO_H
#define SETUP_DEMO_H

#include <stddef.h>

/* Fills in the first that there is of $HARDPOINT_CONFIG, the user's and the
 * system's file. 0, or -ENOENT: take the demo. */
int setup_default_file(char *out, size_t bytes);

/* The solo demo, as conf/solo.ini. `name` is what its places say; its folder is
 * where effects and traces lie, if they were found. */
const char *setup_demo(char *name, size_t name_bytes);

#endif
