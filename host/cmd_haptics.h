/* The parts of `hardpoint haptics` that are long enough for a file. */
#ifndef CMD_HAPTICS_H
#define CMD_HAPTICS_H

#include "rig.h"

/* Each prints, and returns an exit status of cmd.h. */
int cmd_haptics_check(const struct rig *r);
int cmd_haptics_plot(const char *path);

/* A device's text, which is its own word: only what prints. */
const char *cmd_haptics_tidy(char out[97], const char *text);

#endif
