#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* FNM_CASEFOLD */
#endif
#include "roles.h"
#include "config.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PREFIX       "rig."
#define PREFIX_BYTES (sizeof(PREFIX) - 1)

/* clang-format off */
static const struct hp_param rows[] = {
    {.name = "backend", .unit = "", .preset = "", .type = HP_PARAM_TEXT,
     .flags = HP_PARAM_LIVE,
     .sentence = "Which of [plugins] haptics moves it: one name, or several in "
                 "order of preference, evdev, sdl2. Nothing: any of them."},
    {.name = "device", .unit = "", .preset = "*", .type = HP_PARAM_TEXT,
     .flags = HP_PARAM_LIVE,
     .sentence = "Which device: its name (*Xbox*), vendor and product "
                 "(045e:028e), serial number, port, or id, as `hardpoint haptics list` "
                 "prints them."},
    {.name = "gain", .unit = "", .preset = "1", .type = HP_PARAM_REAL,
     .minimum = 0, .maximum = 1, .flags = HP_PARAM_LIVE,
     .sentence = "How strongly it moves, all in all."},
};
/* clang-format on */
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* ---- the configuration ---- */

/* The next word of a list; 0 when there is none. */
static int
next_word(const char **at, char *word, size_t bytes)
{
    size_t length;

    *at += strspn(*at, " ,\t");
    length = strcspn(*at, " ,\t");
    if (length == 0)
        return 0;
    snprintf(word, bytes, "%.*s", (int)length, *at);
    *at += length;
    return 1;
}

struct binding {
    struct config *config;
    const char *const *backends;
    uint32_t backend_count;
    uint32_t count;
};

static int
is_known(const struct binding *b, const char *word)
{
    uint32_t i;

    for (i = 0; i < b->backend_count; i++)
        if (strcmp(b->backends[i], word) == 0)
            return 1;
    return 0;
}

static void
judge_backends(const struct binding *b, const char *section)
{
    const char *at = "";
    char word[64];
    uint32_t count = 0;

    config_text(b->config, section, "backend", 0, &at);
    while (next_word(&at, word, sizeof(word))) {
        if (!is_known(b, word))
            config_problem(b->config, section, "backend",
                           "found \"%.31s\", expected a plugin that [plugins] "
                           "haptics names; add it there",
                           word);
        if (++count > ROLES_BACKENDS_MAX)
            config_problem(b->config, section, "backend",
                           "found more than %d names, expected fewer",
                           ROLES_BACKENDS_MAX);
    }
}

static int
bind_section(void *context, const char *section)
{
    struct binding *b = context;

    if (strncmp(section, PREFIX, PREFIX_BYTES) != 0)
        return 0;
    if (strlen(section) <= PREFIX_BYTES ||
        strlen(section) > PREFIX_BYTES + 31) {
        config_problem(b->config, section, NULL,
                       "found no name of a role, expected [rig.NAME] with a "
                       "name of at most 31 letters, as [rig.stick]");
        config_forgive(b->config, section);
        return 0;
    }
    if (++b->count > ROLES_MAX)
        config_problem(b->config, section, NULL,
                       "found one role too many, expected at most %d",
                       ROLES_MAX);
    if (config_bind(b->config, section, rows, ROWS, sizeof(rows[0])) == 0 &&
        b->backends != NULL)
        judge_backends(b, section);
    return 0;
}

void
roles_bind(struct config *c, const char *const *backends, uint32_t count)
{
    struct binding b = {c, backends, count, 0};

    config_each_unbound(c, bind_section, &b);
}

struct reading {
    struct roles *roles;
    const struct config *config;
};

/* Called for each row; one a section is enough. */
static int
read_section(void *context, const char *section, const struct hp_param *row,
             uint32_t index, const char *value)
{
    struct reading *r = context;
    struct role *role;
    const char *text = "";
    double gain = 1;
    char word[32];

    (void)index;
    if (row != &rows[0] || r->roles->count == ROLES_MAX)
        return 0;
    role = &r->roles->list[r->roles->count++];
    snprintf(role->name, sizeof(role->name), "%s", section + PREFIX_BYTES);
    while (role->backend_count < ROLES_BACKENDS_MAX &&
           next_word(&value, word, sizeof(word)))
        memcpy(role->backends[role->backend_count++], word, sizeof(word));
    config_text(r->config, section, "device", 0, &text);
    snprintf(role->device, sizeof(role->device), "%s", text);
    config_real(r->config, section, "gain", 0, &gain);
    role->gain = (float)gain;
    return 0;
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct role *)a)->name,
                  ((const struct role *)b)->name);
}

void
roles_read(struct roles *roles, const struct config *c)
{
    struct reading r = {roles, c};

    memset(roles, 0, sizeof(*roles));
    config_each(c, read_section, &r);
    qsort(roles->list, roles->count, sizeof(roles->list[0]), by_name);
}

/* ---- devices ---- */

/* "045e:028e:usb-0000:00:14.0-2" of "evdev:045e:028e:usb-..."; what tells a
 * physical device whoever offers it. */
static void
identity_of(const struct hp_device *d, char *out, size_t bytes)
{
    char id[sizeof(d->stable_id) + 1];
    const char *colon;

    snprintf(id, sizeof(id), "%.*s", (int)sizeof(d->stable_id), d->stable_id);
    colon = strchr(id, ':');
    snprintf(out, bytes, "%s", colon != NULL ? colon + 1 : id);
}

/* A name without a vendor says nothing of hardware: shakers, networks. */
static int
is_same_thing(const struct hp_device *a, const struct hp_device *b)
{
    char of_a[100], of_b[100];

    if (a->vendor == 0 || a->vendor != b->vendor || a->product != b->product)
        return 0;
    identity_of(a, of_a, sizeof(of_a));
    identity_of(b, of_b, sizeof(of_b));
    return strcmp(of_a, of_b) == 0;
}

int
roles_is_meant(const char *pattern, const struct hp_device *d)
{
    char name[sizeof(d->name) + 1], ids[16], identity[100];
    char id[sizeof(d->stable_id) + 1];
    size_t skip;

    snprintf(name, sizeof(name), "%.*s", (int)sizeof(d->name), d->name);
    snprintf(id, sizeof(id), "%.*s", (int)sizeof(d->stable_id), d->stable_id);
    snprintf(ids, sizeof(ids), "%04x:%04x", d->vendor, d->product);
    identity_of(d, identity, sizeof(identity));
    skip = strncasecmp(identity, ids, strlen(ids)) == 0 ? strlen(ids) : 0;
    if (identity[skip] == ':')
        skip++;
    return fnmatch(pattern, name, FNM_CASEFOLD) == 0 ||
           strcasecmp(pattern, id) == 0 || strcasecmp(pattern, identity) == 0 ||
           (d->vendor != 0 && strcasecmp(pattern, ids) == 0) ||
           (identity[skip] != '\0' &&
            strcasecmp(pattern, identity + skip) == 0);
}

static int
is_taken(const struct roles_candidate *list, uint32_t count,
         const struct roles_candidate *by)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (list[i].is_served &&
            (&list[i] == by || is_same_thing(list[i].device, by->device)))
            return 1;
    return 0;
}

/* Two devices of one backend are two, whatever they call themselves. */
static int
is_taken_by_another(const struct roles_candidate *list, uint32_t count,
                    const struct roles_candidate *by)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (list[i].is_served && list[i].backend != by->backend &&
            is_same_thing(list[i].device, by->device))
            return 1;
    return 0;
}

static struct roles_candidate *
find_for(const struct role *role, const char *backend,
         struct roles_candidate *list, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if ((backend == NULL || strcmp(list[i].backend_name, backend) == 0) &&
            roles_is_meant(role->device, list[i].device) &&
            !is_taken(list, count, &list[i]))
            return &list[i];
    return NULL;
}

static void
fill_role(const struct roles *roles, int index, struct roles_candidate *list,
          uint32_t count)
{
    const struct role *role = &roles->list[index];
    struct roles_candidate *found = NULL;
    uint32_t i;

    for (i = 0; found == NULL && i < role->backend_count; i++)
        found = find_for(role, role->backends[i], list, count);
    if (role->backend_count == 0)
        found = find_for(role, NULL, list, count);
    if (found == NULL)
        return;
    found->is_served = 1;
    found->role = index;
}

void
roles_assign(const struct roles *roles, struct roles_candidate *list,
             uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        list[i].is_served = 0;
        list[i].role = ROLES_NOBODY;
    }
    for (i = 0; i < roles->count; i++)
        fill_role(roles, (int)i, list, count);
    for (i = 0; roles->count == 0 && i < count; i++)
        list[i].is_served = !is_taken_by_another(list, count, &list[i]);
}
