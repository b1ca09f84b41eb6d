#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A piece of the text; quoted in messages up to 40 bytes. */
struct word {
    const char *at;
    size_t count;
};

static int
word_is(struct word w, const char *text)
{
    return strlen(text) == w.count && memcmp(w.at, text, w.count) == 0;
}

static int
refuse(char *why, size_t why_bytes, const char *what, struct word found,
       const char *wanted)
{
    snprintf(why, why_bytes, "join option %s \"%.*s\": %s", what,
             found.count < 40 ? (int)found.count : 40, found.at, wanted);
    return -EINVAL;
}

static int
set_callsign(struct word value, struct join_options *out, char *why,
             size_t why_bytes)
{
    size_t i;

    if (out->callsign[0] != '\0')
        return refuse(why, why_bytes, "callsign", value,
                      "it was given before; give it once");
    if (value.count == 0 || value.count > OPTIONS_CALLSIGN_MAX)
        return refuse(why, why_bytes, "callsign", value,
                      "expected 1 to 15 characters");
    for (i = 0; i < value.count; i++)
        if (value.at[i] <= ' ' || value.at[i] > '~')
            return refuse(why, why_bytes, "callsign", value,
                          "expected printable ASCII without blanks");
    memcpy(out->callsign, value.at, value.count);
    return 0;
}

static int
set_aircraft(struct word value, const struct join_types *types,
             struct join_options *out, char *why, size_t why_bytes)
{
    char wanted[200] = "no such aircraft here; expected ";
    size_t used = strlen(wanted);
    uint32_t i;

    for (i = 0; i < types->count; i++)
        if (word_is(value, types->names[i])) {
            out->type = i;
            return 0;
        }
    for (i = 0; i < types->count && used < sizeof(wanted); i++)
        used += (size_t)snprintf(wanted + used, sizeof(wanted) - used, "%s%s",
                                 i == 0                 ? ""
                                 : i + 1 < types->count ? ", "
                                                        : " or ",
                                 types->names[i]);
    return refuse(why, why_bytes, "aircraft", value, wanted);
}

static int
set_option(struct word key, struct word value, const struct join_types *types,
           struct join_options *out, char *why, size_t why_bytes)
{
    if (word_is(key, "aircraft"))
        return set_aircraft(value, types, out, why, why_bytes);
    if (word_is(key, "callsign"))
        return set_callsign(value, out, why, why_bytes);
    return refuse(why, why_bytes, "key", key,
                  "unknown; expected aircraft or callsign");
}

int
options_parse(const char *text, const struct join_types *types,
              struct join_options *out, char *why, size_t why_bytes)
{
    struct word item, key, value;
    const char *equals;
    int err;

    memset(out, 0, sizeof(*out));
    for (;;) {
        text += strspn(text, " ");
        if (*text == '\0')
            return 0;
        item.at = text;
        item.count = strcspn(text, " ");
        text += item.count;
        equals = memchr(item.at, '=', item.count);
        if (equals == NULL)
            return refuse(why, why_bytes, "word", item,
                          "expected key=value, as in aircraft=f16");
        key.at = item.at;
        key.count = (size_t)(equals - item.at);
        value.at = equals + 1;
        value.count = item.count - key.count - 1;
        err = set_option(key, value, types, out, why, why_bytes);
        if (err < 0)
            return err;
    }
}
