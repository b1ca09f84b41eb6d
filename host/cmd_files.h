/* Room for a socket a client in commands that have many. */
#ifndef CMD_FILES_H
#define CMD_FILES_H

#include <stdint.h>

/* Raises the process's limit of open files as far as `clients` need it. 0, or
 * -EMFILE after it was told on standard error. */
int cmd_allow_files(const char *command, uint32_t clients);

#endif
