/* Join options: "aircraft=f16 callsign=Viper", from an untrusted client. */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#define OPTIONS_CALLSIGN_MAX 15

/* The types of aircraft that a world has, as a pilot asks for them. */
struct join_types {
    const char *names[8];
    uint32_t count;
};

struct join_options {
    uint32_t type; /* place in the types; the first when none is asked for */
    char callsign[OPTIONS_CALLSIGN_MAX + 1]; /* "" when not given */
};

/*
 * Reads the options. 0, or -EINVAL and a sentence in `why` that says what was
 * found and what is understood.
 */
int options_parse(const char *text, const struct join_types *types,
                  struct join_options *out, char *why, size_t why_bytes);

#endif
