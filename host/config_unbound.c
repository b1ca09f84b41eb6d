/* Settings that nobody bound: what was meant, and where it belongs. */
#include "config_store.h"
#include <ini/ini.h>
#include <string.h>

/* "HAPTICS_TRACE" may be [haptics.trace]: the first _ is the kind's dot. */
static void
unshout(const char *shouted, char *out, size_t bytes)
{
    char *p;

    snprintf(out, bytes, "%s", shouted);
    for (p = out; *p != '\0'; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    p = strchr(out, '_');
    if (p != NULL)
        *p = '.';
}

/* The section that was meant by one name or the other, if it is bound. */
static const struct config_binding *
binding_of(const struct config *c, const struct config_setting *s)
{
    size_t i;

    for (i = 0; i < c->bindings.count; i++)
        if (config_names(s, s->section, config_binding_at(c, i)->section))
            return config_binding_at(c, i);
    return NULL;
}

int
config_each_unbound(struct config *c, config_section_visit *visit,
                    void *context)
{
    const struct config_heading *headings = c->headings.items;
    const struct config_setting *s;
    char name[64];
    size_t i;
    int stop = 0;

    for (i = 0; i < c->headings.count && stop == 0; i++)
        if (config_find_binding(c, headings[i].section) == NULL)
            stop = visit(context, headings[i].section);
    for (i = 0; i < c->settings.count && stop == 0; i++) {
        s = config_setting_at(c, i);
        if (binding_of(c, s) != NULL)
            continue;
        snprintf(name, sizeof(name), "%s", s->section);
        if (s->place.source == CONFIG_ENVIRONMENT)
            unshout(s->section, name, sizeof(name));
        stop = visit(context, name);
    }
    return stop;
}

static void
tell_section(struct config *c, const struct config_place *place,
             const char *section)
{
    const struct config_binding *first = c->bindings.items;
    const char *near = NULL;
    char list[256] = "";
    size_t bytes = 0, i;

    if (c->bindings.count > 0)
        near = ini_nearest(section, &first->section, c->bindings.count,
                           sizeof(*first));

    /* The host's own and what is in use; other plugins have theirs too. */
    for (i = 0; i < c->bindings.count && bytes < sizeof(list); i++)
        bytes += (size_t)snprintf(list + bytes, sizeof(list) - bytes, "%s[%s]",
                                  i == 0 ? "" : " ",
                                  config_binding_at(c, i)->section);
    if (near != NULL)
        config_tell(c, place, "",
                    "found the unknown section [%s], expected a "
                    "known one; did you mean [%s]?",
                    section, near);
    else
        config_tell(c, place, "",
                    "found the unknown section [%s], expected "
                    "one of %s or [KIND.NAME] of a plugin",
                    section, list);
}

/* Another section that has a row of that name. */
static const char *
home_of(const struct config *c, const struct config_setting *s)
{
    size_t i;

    for (i = 0; i < c->bindings.count; i++)
        if (config_row_of(config_binding_at(c, i), s) != NULL)
            return config_binding_at(c, i)->section;
    return NULL;
}

static void
list_keys(const struct config_binding *b, char *out, size_t bytes)
{
    size_t used = 0;
    uint32_t i;

    if (b->count == 0)
        snprintf(out, bytes, "none: this section has no keys");
    for (i = 0; i < b->count && used < bytes; i++)
        used += (size_t)snprintf(out + used, bytes - used, "%s%s",
                                 i == 0 ? "one of " : ", ",
                                 config_row_at(b, i)->name);
}

static void
tell_key(struct config *c, const struct config_binding *b,
         const struct config_setting *s)
{
    const char *home = home_of(c, s), *near;
    char subject[160], list[320];

    near = b->count == 0
               ? NULL
               : ini_nearest(s->key, &b->rows->name, b->count, b->stride);
    snprintf(subject, sizeof(subject), "[%s] %.60s", b->section, s->key);
    list_keys(b, list, sizeof(list));
    if (home != NULL)
        config_tell(c, &s->place, subject,
                    "found a key of another section, expected it there: %s "
                    "belongs in [%s]",
                    s->key, home);
    else if (near != NULL)
        config_tell(c, &s->place, subject,
                    "found an unknown key, expected a known one; did you mean "
                    "\"%s\"?",
                    near);
    else
        config_tell(c, &s->place, subject, "found an unknown key, expected %s",
                    list);
}

/* Settings before any heading. */
static void
tell_homeless(struct config *c, const struct config_setting *s)
{
    const char *home = home_of(c, s);

    config_tell(c, &s->place, s->key,
                "found before any [section], expected it under one%s%s%s",
                home != NULL ? ": it belongs in [" : "",
                home != NULL ? home : "", home != NULL ? "]" : "");
}

static void
tell_environment(struct config *c, const struct config_binding *b,
                 const struct config_setting *s)
{
    char word[128], section[64];
    const char *near = NULL;

    unshout(s->section, section, sizeof(section));
    unshout(s->key, word, sizeof(word));
    if (strchr(word, '.') != NULL)
        *strchr(word, '.') = '_';
    if (b == NULL) {
        tell_section(c, &s->place, section);
        return;
    }
    if (b->count > 0)
        near = ini_nearest(word, &b->rows->name, b->count, b->stride);
    config_tell(c, &s->place, "",
                "found no key \"%s\" in [%s], expected a known one%s%s%s", word,
                b->section, near != NULL ? "; did you mean \"" : "",
                near != NULL ? near : "", near != NULL ? "\"?" : "");
}

static void
tell_unbound(struct config *c, const struct config_setting *s)
{
    const struct config_binding *b = binding_of(c, s);

    if (b != NULL && b->forgiven)
        return;
    if (s->place.source == CONFIG_ENVIRONMENT)
        tell_environment(c, b, s);
    else if (b != NULL)
        tell_key(c, b, s);
    else if (*s->section == '\0')
        tell_homeless(c, s);
    else if (s->place.source == CONFIG_COMMAND_LINE)
        tell_section(c, &s->place, s->section);
    /* else its heading tells, once for all that is in it */
}

int
config_finish(struct config *c)
{
    const struct config_heading *headings = c->headings.items;
    size_t i;

    for (i = 0; i < c->headings.count; i++)
        if (config_find_binding(c, headings[i].section) == NULL)
            tell_section(c, &headings[i].place, headings[i].section);
    for (i = 0; i < c->settings.count; i++)
        if (config_setting_at(c, i)->row == NULL)
            tell_unbound(c, config_setting_at(c, i));
    return config_problem_count(c);
}
