/* Join options: "aircraft=f16 callsign=Viper", from an untrusted client. */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include <stddef.h>

#define OPTIONS_CALLSIGN_MAX 15

struct join_options {
    char callsign[OPTIONS_CALLSIGN_MAX + 1]; /* "" when not given */
};

/*
 * Reads the options. 0, or -EINVAL and a sentence in `why` that says what was
 * found and what is understood.
 */
int options_parse(const char *text, struct join_options *out, char *why,
                  size_t why_bytes);

#endif
