/* Reading settings from files, environment and command line. */
#include <config.h>

#include "config_store.h"
#include <errno.h>
#include <ini/ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ENVIRONMENT_PREFIX "HARDPOINT_"

int
config_create(struct config **out)
{
    *out = calloc(1, sizeof(**out));
    return *out == NULL ? -ENOMEM : 0;
}

void
config_keep_names(struct config *c)
{
    c->names_stay = 1;
}

struct config_setting *
config_setting_at(const struct config *c, size_t i)
{
    return (struct config_setting *)c->settings.items + i;
}

struct config_binding *
config_binding_at(const struct config *c, size_t i)
{
    return (struct config_binding *)c->bindings.items + i;
}

struct config_heading *
config_heading_at(const struct config *c, size_t i)
{
    return (struct config_heading *)c->headings.items + i;
}

struct config_told *
config_told_at(const struct config *c, size_t i)
{
    return (struct config_told *)c->problems.items + i;
}

static void
free_setting(struct config_setting *s)
{
    free(s->section);
    free(s->key);
    free(s->value);
    free(s->path);
    free(s->origin);
}

void
config_destroy(struct config *c)
{
    size_t i;

    if (c == NULL)
        return;
    config_destroy(c->previous);
    for (i = 0; i < c->settings.count; i++)
        free_setting(config_setting_at(c, i));
    for (i = 0; i < c->headings.count; i++)
        free(config_heading_at(c, i)->section);
    for (i = 0; i < c->bindings.count; i++)
        free(config_binding_at(c, i)->section);
    for (i = 0; i < c->problems.count; i++)
        free(config_told_at(c, i)->text);
    for (i = 0; i < c->names.count; i++)
        free(((char **)c->names.items)[i]);
    free(c->settings.items);
    free(c->headings.items);
    free(c->bindings.items);
    free(c->problems.items);
    free(c->names.items);
    free(c);
}

void *
config_grow(struct config *c, struct config_list *list, size_t bytes)
{
    size_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
    void *items;

    if (list->count == list->capacity) {
        items = realloc(list->items, capacity * bytes);
        if (items == NULL) {
            c->out_of_memory = 1;
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    return memset((char *)list->items + list->count++ * bytes, 0, bytes);
}

char *
config_copy(struct config *c, const char *text, size_t bytes)
{
    char *copy = strndup(text, bytes);

    if (copy == NULL)
        c->out_of_memory = 1;
    return copy;
}

/* Keeps a name for places to point at. */
static const char *
keep_name(struct config *c, const char *name, size_t bytes)
{
    char **kept = config_grow(c, &c->names, sizeof(*kept));

    if (kept != NULL)
        *kept = config_copy(c, name, bytes);
    return kept == NULL || *kept == NULL ? "" : *kept;
}

static void
add_setting(struct config *c, const struct config_place *place,
            const char *section, size_t section_bytes, const char *key,
            size_t key_bytes, const char *value, int value_column)
{
    struct config_setting *s = config_grow(c, &c->settings, sizeof(*s));

    if (s == NULL)
        return;
    s->place = *place;
    s->value_column = value_column;
    s->section = config_copy(c, section, section_bytes);
    s->key = config_copy(c, key, key_bytes);
    s->value = config_copy(c, value, strlen(value));
    if (place->source == CONFIG_ENVIRONMENT)
        s->origin = strdup("environment");
    else if (place->source == CONFIG_COMMAND_LINE)
        s->origin = strdup("-s");
    else if (asprintf(&s->origin, "%s:%d:%d", place->name, place->line,
                      place->column) < 0)
        s->origin = NULL;
    if (s->section == NULL || s->key == NULL || s->value == NULL ||
        s->origin == NULL) {
        c->out_of_memory = 1;
        free_setting(s);
        c->settings.count--;
    }
}

/* One file's reading. */
struct intake {
    struct config *config;
    const char *name;
};

static void
take_item(void *context, const struct ini_item *item)
{
    struct intake *in = context;
    struct config_place place = {CONFIG_FILE, in->name, item->line,
                                 item->column};
    struct config_heading *heading;

    if (item->key != NULL) {
        add_setting(in->config, &place, item->section, strlen(item->section),
                    item->key, strlen(item->key), item->value,
                    item->value_column);
        return;
    }
    heading = config_grow(in->config, &in->config->headings, sizeof(*heading));
    if (heading == NULL)
        return;
    heading->place = place;
    heading->section =
        config_copy(in->config, item->section, strlen(item->section));
    if (heading->section == NULL)
        in->config->headings.count--;
}

static void
take_problem(void *context, const struct ini_problem *problem)
{
    struct intake *in = context;
    struct config_place place = {CONFIG_FILE, in->name, problem->line,
                                 problem->column};

    in->config->broken_lines = 1;
    config_tell(in->config, &place, "", "%s", problem->sentence);
}

int
config_read_file(struct config *c, const char *path)
{
    struct intake in = {c, keep_name(c, path, strlen(path))};
    const struct ini_handler handler = {take_item, take_problem, &in};
    FILE *file = fopen(path, "re");
    int err;

    if (file == NULL)
        return -errno;
    err = ini_read(file, &handler);
    fclose(file);
    return err < 0 ? err : c->out_of_memory ? -ENOMEM : 0;
}

int
config_read_text(struct config *c, const char *name, const char *text)
{
    struct intake in = {c, keep_name(c, name, strlen(name))};
    const struct ini_handler handler = {take_item, take_problem, &in};
    int err = ini_read_bytes(text, strlen(text), &handler);

    return err < 0 ? err : c->out_of_memory ? -ENOMEM : 0;
}

int
config_set(struct config *c, const char *name, const char *section,
           const char *key, const char *value)
{
    struct config_place place = {CONFIG_FILE, NULL, 0, 0};

    place.name = keep_name(c, name, strlen(name));
    add_setting(c, &place, section, strlen(section), key, strlen(key), value,
                0);
    return c->out_of_memory ? -ENOMEM : 0;
}

/* Values from elsewhere than a file must have a form that a file can hold, or
 * `show` could not be read back. */
static const char *
unwritable(const char *value)
{
    const char *p;

    for (p = value; *p != '\0'; p++) {
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return "found a control character";
        if (*p == ';' && (p == value || p[-1] == ' '))
            return "found \";\" after a blank, which begins a comment";
    }
    return NULL;
}

static void
add_foreign(struct config *c, const struct config_place *place,
            const char *section, size_t section_bytes, const char *key,
            size_t key_bytes, const char *value)
{
    char *trimmed;
    size_t bytes;

    value += strspn(value, " ");
    for (bytes = strlen(value); bytes > 0 && value[bytes - 1] == ' '; bytes--)
        ;
    trimmed = config_copy(c, value, bytes);
    if (trimmed == NULL)
        return;
    if (unwritable(trimmed) != NULL)
        config_tell(c, place, "", "%s, expected text that an INI file can hold",
                    unwritable(trimmed));
    else
        add_setting(c, place, section, section_bytes, key, key_bytes, trimmed,
                    0);
    free(trimmed);
}

int
config_read_environment(struct config *c, char **environment)
{
    const size_t prefix = strlen(ENVIRONMENT_PREFIX);
    const char *section, *key, *equals;
    struct config_place place = {CONFIG_ENVIRONMENT, NULL, 0, 0};

    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, ENVIRONMENT_PREFIX, prefix) != 0)
            continue;
        section = *environment + prefix;
        equals = strchr(section, '=');
        key = strstr(section, "__");
        /* HARDPOINT_CONFIG and its like are no settings. */
        if (equals == NULL || key == NULL || key > equals)
            continue;
        place.name =
            keep_name(c, *environment, (size_t)(equals - *environment));
        add_foreign(c, &place, section, (size_t)(key - section), key + 2,
                    (size_t)(equals - key - 2), equals + 1);
    }
    return c->out_of_memory ? -ENOMEM : 0;
}

int
config_override(struct config *c, const char *setting)
{
    size_t name_bytes = strcspn(setting, "=");
    struct config_place place = {CONFIG_COMMAND_LINE, NULL, 0, 0};
    const char *end = setting + name_bytes, *dot = NULL, *p;
    char name[128], *bad;

    snprintf(name, sizeof(name), "-s %s", setting);
    for (bad = name; *bad != '\0'; bad++)
        if ((unsigned char)*bad < ' ' || *bad == 0x7f)
            *bad = '?'; /* a message is one line */
    place.name = keep_name(c, name, strlen(name));
    while (end > setting && end[-1] == ' ')
        end--;
    for (p = setting; p < end; p++)
        if (*p == '.')
            dot = p;
    if (setting[name_bytes] != '=' || dot == NULL || dot == setting ||
        dot + 1 == end) {
        config_tell(c, &place, "",
                    "found \"%.80s\", expected SECTION.KEY=VALUE, as in -s "
                    "net.port=4776",
                    setting);
        return -EINVAL;
    }
    add_foreign(c, &place, setting, (size_t)(dot - setting), dot + 1,
                (size_t)(end - dot - 1), setting + name_bytes + 1);
    return c->out_of_memory ? -ENOMEM : 0;
}
