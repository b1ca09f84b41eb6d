#include <config.h>

#include "cmd.h"
#include "options.h"
#include "roles.h"
#include "setup.h"
#include "setup_demo.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What each kind is to the roles, and whether it may be several or none. */
struct need {
    uint32_t kind;
    int server;
    int client;
    int several;
    int optional;
};

static const struct need needs[] = {
    {HP_KIND_SIM,         1, 1, 0, 0},
    {HP_KIND_BROADCASTER, 1, 1, 0, 0},
    {HP_KIND_PREDICTOR,   0, 1, 0, 0},
    {HP_KIND_CUES,        0, 1, 1, 1},
    {HP_KIND_HAPTICS,     0, 1, 1, 1},
    {HP_KIND_INPUT,       0, 1, 0, 0},
    {HP_KIND_AGENT,       1, 1, 1, 1},
};
#define NEEDS        (sizeof(needs) / sizeof(needs[0]))
#define HAPTICS_NEED 4 /* its place among them */

int
setup_needs(const char *role, uint32_t kind)
{
    int solo = strcmp(role, "solo") == 0;
    int server = solo || strcmp(role, "server") == 0;
    int client = solo || strcmp(role, "client") == 0;
    size_t i;

    for (i = 0; i < NEEDS; i++)
        if (needs[i].kind == kind)
            return (client && needs[i].client) || (server && needs[i].server);
    return 0;
}

/* One file, the environment and the command line, in order of strength. */
static int
read_sources(struct setup *s, struct config *c, const char *demo)
{
    int err = demo != NULL ? config_read_text(c, s->file, demo)
                           : config_read_file(c, s->file);
    int i;

    if (err == 0)
        err = config_read_environment(c, environ);
    /* A problem of form is kept, and told with the others. */
    for (i = 0; err == 0 && i < s->override_count; i++)
        config_override(c, s->overrides[i]);
    return err;
}

static const char *
text_of(const struct config *c, const char *section, const char *key)
{
    const char *text = "";

    config_text(c, section, key, 0, &text);
    return text;
}

static int
open_plugin(const struct setup *s, struct setup_use *u, char *why)
{
    char file[PATH_MAX];
    int err = plugin_find(&s->path, u->kind, u->name, file, sizeof(file), why);

    return err < 0 ? err : plugin_open(&u->plugin, file, u->kind, u->name, why);
}

static void
section_of(const struct setup_use *u, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s.%s", plugin_kind_name(u->kind), u->name);
}

static void
bind_plugin(struct config *c, const struct setup_use *u)
{
    const struct hp_plugin *table = plugin_table(u->plugin);
    char section[48];

    section_of(u, section, sizeof(section));
    config_bind(c, section, table->params, table->param_count,
                table->param_stride);
}

static void
forgive_plugin(struct config *c, const struct setup_use *u)
{
    char section[48];

    section_of(u, section, sizeof(section));
    config_forgive(c, section);
}

/* Whether another alternative of the same use is in the list. */
static int
has_alternative(const struct config_candidate *list, uint32_t count,
                uint32_t index)
{
    return (index > 0 && list[index - 1].use == list[index].use) ||
           (index + 1 < count && list[index + 1].use == list[index].use);
}

/* Opens one candidate, or says why not: an error when it stands alone. */
static void
load_candidate(struct setup *s, const struct need *need,
               const struct config_candidate *list, uint32_t count,
               uint32_t index, FILE *errors)
{
    const char *kind = plugin_kind_name(need->kind);
    struct setup_use *u = &s->uses[s->use_count];
    char why[PLUGIN_WHY_MAX] = "";

    memset(u, 0, sizeof(*u));
    u->kind = need->kind;
    u->use = list[index].use;
    u->candidate = list[index].candidate;
    snprintf(u->name, sizeof(u->name), "%s", list[index].name);
    if (open_plugin(s, u, why) == 0) {
        bind_plugin(s->config, u);
        s->use_count++;
        return;
    }
    forgive_plugin(s->config, u);
    if (has_alternative(list, count, index))
        fprintf(errors, "%s: warning: [plugins] %s: %s is passed over: %s\n",
                config_origin(s->config, "plugins", kind), kind, u->name, why);
    else
        config_problem(s->config, "plugins", kind, "%s", why);
}

/* A use that had alternatives and has none left. */
static void
judge_use(struct setup *s, const struct need *need, uint32_t use,
          uint32_t loaded_before)
{
    const char *kind = plugin_kind_name(need->kind);
    uint32_t i;

    for (i = loaded_before; i < s->use_count; i++)
        if (s->uses[i].use == use)
            return;
    config_problem(s->config, "plugins", kind,
                   "found no alternative that can be loaded, expected one: see "
                   "the warnings");
}

static void
judge_list(struct setup *s, const struct need *need,
           const struct config_candidate *list, uint32_t count)
{
    const char *kind = plugin_kind_name(need->kind);

    if (count == 0 && !need->optional)
        config_problem(s->config, "plugins", kind,
                       "found none, expected a plugin, for the role \"%s\" "
                       "needs one",
                       text_of(s->config, "host", "role"));
    if (count > 0 && list[count - 1].use > 0 && !need->several)
        config_problem(s->config, "plugins", kind,
                       "found %u plugins at once, expected one: write "
                       "alternatives with \"|\"",
                       list[count - 1].use + 1);
}

/* Of a kind that cannot be left out, "none" can only be a plugin's name. */
static int
is_named_none(const struct setup *s, const struct need *need)
{
    const char *kind = plugin_kind_name(need->kind);
    char file[PATH_MAX], why[PLUGIN_WHY_MAX];

    return !need->optional &&
           strcmp(text_of(s->config, "plugins", kind), "none") == 0 &&
           plugin_find(&s->path, need->kind, "none", file, sizeof(file), why) ==
               0;
}

static void
load_kind(struct setup *s, const struct need *need, FILE *errors)
{
    struct config_candidate list[SETUP_PLUGINS_MAX];
    uint32_t before = s->use_count, count, i;

    if (config_plugins(s->config, plugin_kind_name(need->kind), list,
                       SETUP_PLUGINS_MAX - s->use_count, &count) < 0)
        return;
    if (count == 0 && is_named_none(s, need))
        list[count++] = (struct config_candidate){.name = "none"};
    judge_list(s, need, list, count);
    for (i = 0; i < count; i++)
        load_candidate(s, need, list, count, i, errors);
    for (i = 0; i < count; i++)
        if (list[i].candidate == 0 && has_alternative(list, count, i))
            judge_use(s, need, list[i].use, before);
}

struct visit {
    struct setup *setup;
    FILE *errors;
};

/* "haptics.trace" as kind and name; 0 when it is none. */
static int
split_section(const char *section, struct setup_use *out)
{
    const char *dot = strchr(section, '.');
    char kind[32];

    memset(out, 0, sizeof(*out));
    if (dot == NULL || (size_t)(dot - section) >= sizeof(kind) ||
        strlen(dot + 1) >= sizeof(out->name))
        return 0;
    snprintf(kind, sizeof(kind), "%.*s", (int)(dot - section), section);
    snprintf(out->name, sizeof(out->name), "%s", dot + 1);
    out->kind = plugin_kind_by_name(kind);
    return out->kind != 0;
}

/*
 * A section of a plugin that is not in use: judged all the same, so that one
 * word of [plugins] changes the backend and brings no surprise. One that is
 * there but cannot be loaded is no error until it is in use.
 */
static int
load_section(void *context, const char *section)
{
    struct visit *v = context;
    struct setup *s = v->setup;
    struct setup_use *u = &s->others[s->other_count];
    char why[PLUGIN_WHY_MAX] = "";
    int err;

    if (s->other_count == SETUP_PLUGINS_MAX || !split_section(section, u))
        return 0;
    err = open_plugin(s, u, why);
    if (err == 0) {
        bind_plugin(s->config, u);
        s->other_count++;
        return 0;
    }
    if (err == -ENOENT)
        config_problem(s->config, section, NULL, "%s", why);
    else
        fprintf(v->errors, "%s: warning: [%s] is not judged: %s\n", s->file,
                section, why);
    config_forgive(s->config, section);
    return 0;
}

/* A server has no devices, and opens no backend to know its name. */
static void
bind_roles(const struct setup *s, struct config *c)
{
    const char *backends[SETUP_PLUGINS_MAX];
    uint32_t i, count = 0;

    for (i = 0; i < s->use_count; i++)
        if (s->uses[i].kind == HP_KIND_HAPTICS)
            backends[count++] = s->uses[i].name;
    roles_bind(c,
               setup_needs(text_of(c, "host", "role"), HP_KIND_HAPTICS)
                   ? backends
                   : NULL,
               count);
}

static int
find_plugins(struct setup *s, FILE *errors)
{
    const char *role = text_of(s->config, "host", "role");
    struct visit v = {s, errors};
    size_t i;
    int folders;

    folders =
        plugin_path_init(&s->path, text_of(s->config, "host", "plugin_path"));
    if (folders < 0) {
        config_problem(s->config, "host", "plugin_path",
                       "found a list that cannot be used, expected at most 16 "
                       "folders: %s",
                       strerror(-folders));
        return folders;
    }
    for (i = 0; i < NEEDS; i++)
        if (setup_needs(role, needs[i].kind))
            load_kind(s, &needs[i], errors);
    bind_roles(s, s->config);
    return config_each_unbound(s->config, load_section, &v);
}

static int
cannot_read(const struct setup *s, int err, FILE *errors)
{
    fprintf(errors,
            "%s: error: cannot be read: %s; expected an INI file, see "
            "hardpoint.ini(5)\n",
            s->file, strerror(-err));
    return err == -ENOMEM ? CMD_PLUGIN : CMD_NO_INPUT;
}

int
setup_load(struct setup *s, const char *file, const char *const *overrides,
           int override_count, FILE *errors)
{
    const char *demo = NULL;
    int err;

    memset(s, 0, sizeof(*s));
    s->overrides = overrides;
    s->override_count = override_count;
    s->generation = 1;
    if (file != NULL)
        snprintf(s->file, sizeof(s->file), "%s", file);
    else if (setup_default_file(s->file, sizeof(s->file)) < 0)
        demo = setup_demo(s->file, sizeof(s->file));
    err = config_create(&s->config);
    if (err == 0)
        err = read_sources(s, s->config, demo);
    if (err < 0)
        return cannot_read(s, err, errors);
    options_bind(s->config);
    find_plugins(s, errors);
    if (config_finish(s->config) == 0)
        return CMD_OK;
    config_print_problems(s->config, errors);
    return CMD_CONFIG;
}

void
setup_finish(struct setup *s)
{
    uint32_t i;

    config_destroy(s->config); /* its rows are the plugins' */
    for (i = 0; i < s->use_count; i++)
        plugin_close(s->uses[i].plugin);
    for (i = 0; i < s->other_count; i++)
        plugin_close(s->others[i].plugin);
    setup_forget(s);
    plugin_path_finish(&s->path);
    memset(s, 0, sizeof(*s));
}

/* ---- reload ---- */

/* The first problem, without its line end, and how many more there are. */
static void
say_problems(const struct config *c, char *why, size_t why_bytes)
{
    int count = config_problem_count(c);
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);

    snprintf(why, why_bytes, "%d problems", count);
    if (to == NULL)
        return;
    config_print_problems(c, to);
    fclose(to);
    text[strcspn(text, "\n")] = '\0';
    if (count > 1)
        snprintf(why, why_bytes,
                 "%.900s (and %d more: `hardpoint check` tells "
                 "them all)",
                 text, count - 1);
    else
        snprintf(why, why_bytes, "%.900s", text);
    free(text);
}

/* What a reload may change whatever its rows say. */
static const char *const swapped[] = {"haptics.", "rig.", NULL};

/* A backend that has a section now is opened to judge it, as at the start. */
static int
load_section_again(void *context, const char *section)
{
    struct visit *v = context;
    struct config *c = v->setup->config;
    struct setup_use u;

    if (split_section(section, &u) && u.kind == HP_KIND_HAPTICS)
        return load_section(context, section);
    config_problem(c, section, NULL,
                   "found a section that was not there at the start, expected "
                   "the same ones: restart to change them");
    config_forgive(c, section);
    return 0;
}

/* The same rows for the same sections, whatever the file now names; but the
 * backends are those that it names. */
static void
bind_again(const struct setup *s, struct setup *next, FILE *errors)
{
    struct visit v = {next, errors};
    uint32_t i;

    options_bind(next->config);
    for (i = 0; i < s->use_count; i++)
        if (s->uses[i].kind != HP_KIND_HAPTICS)
            bind_plugin(next->config, &s->uses[i]);
    for (i = 0; i < s->other_count; i++)
        if (s->others[i].kind != HP_KIND_HAPTICS)
            bind_plugin(next->config, &s->others[i]);
    if (setup_needs(text_of(s->config, "host", "role"), HP_KIND_HAPTICS))
        load_kind(next, &needs[HAPTICS_NEED], errors);
    bind_roles(next, next->config);
    config_forgive_as(next->config, s->config);
    config_each_unbound(next->config, load_section_again, &v);
}

/* Where the file itself came from the demo, and is no file. */
static const char *
demo_of(const struct setup *s)
{
    char name[PATH_MAX];
    const char *demo =
        access(s->file, F_OK) < 0 ? setup_demo(name, sizeof(name)) : NULL;

    return demo != NULL && strcmp(name, s->file) == 0 ? demo : NULL;
}

int
setup_read_again(struct setup *s, struct setup *next, char *why,
                 size_t why_bytes)
{
    FILE *nowhere = fopen("/dev/null", "w");
    int err;

    memset(next, 0, sizeof(*next));
    next->path = s->path; /* borrowed */
    next->overrides = s->overrides;
    next->override_count = s->override_count;
    snprintf(next->file, sizeof(next->file), "%s", s->file);
    err = nowhere == NULL ? -errno : config_create(&next->config);
    if (err == 0)
        err = read_sources(next, next->config, demo_of(s));
    if (err < 0)
        snprintf(why, why_bytes, "%s: cannot be read: %s", s->file,
                 strerror(-err));
    else {
        bind_again(s, next, nowhere);
        if (config_finish(next->config) > 0) {
            say_problems(next->config, why, why_bytes);
            err = -EINVAL;
        } else
            err = config_may_replace(s->config, next->config, swapped, why,
                                     why_bytes);
    }
    if (nowhere != NULL)
        fclose(nowhere);
    if (err < 0)
        setup_drop(next);
    return err;
}

static void
close_all(struct setup_use *list, uint32_t *count)
{
    while (*count > 0)
        plugin_close(list[--*count].plugin);
}

void
setup_drop(struct setup *next)
{
    config_destroy(next->config);
    close_all(next->uses, &next->use_count);
    close_all(next->others, &next->other_count);
    memset(next, 0, sizeof(*next));
}

/* Takes the backends out of a list, to be closed later. */
static void
retire(struct setup *s, struct setup_use *list, uint32_t *count)
{
    uint32_t i, kept = 0;

    for (i = 0; i < *count; i++) {
        if (list[i].kind != HP_KIND_HAPTICS)
            list[kept++] = list[i];
        else if (s->retired_count < SETUP_PLUGINS_MAX)
            s->retired[s->retired_count++] = list[i];
    }
    *count = kept;
}

static void
append(struct setup_use *list, uint32_t *count, const struct setup_use *more,
       uint32_t more_count)
{
    uint32_t i;

    for (i = 0; i < more_count && *count < SETUP_PLUGINS_MAX; i++)
        list[(*count)++] = more[i];
}

void
setup_take(struct setup *s, struct setup *next)
{
    setup_forget(s);
    retire(s, s->uses, &s->use_count);
    retire(s, s->others, &s->other_count);
    append(s->uses, &s->use_count, next->uses, next->use_count);
    append(s->others, &s->other_count, next->others, next->other_count);
    config_replace(s->config, next->config);
    s->generation++;
    memset(next, 0, sizeof(*next));
}

void
setup_forget(struct setup *s)
{
    close_all(s->retired, &s->retired_count);
}
