/* Where the programs beside this one are. */
#ifndef LIBEXEC_H
#define LIBEXEC_H

#include <stddef.h>

/* The path of the program hardpoint-NAME: in $HARDPOINT_LIBEXEC, then in the
 * folder of the running program, so that a build tree never runs what is
 * installed, then in ../libexec of that, then where it was configured to be.
 * -ENOENT: in none of them. */
int libexec_find(const char *name, char *out, size_t out_bytes);

#endif
