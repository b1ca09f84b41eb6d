/*
 * From an INI file to a judged configuration with its plugins opened: what
 * `run`, `check`, `show` and a reload do alike. Everything here is [main].
 */
#ifndef SETUP_H
#define SETUP_H

#include "config.h"
#include "plugin.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define SETUP_PLUGINS_MAX 32

/* A plugin that [plugins] names. Those of one kind and `use` are alternatives:
 * the first whose instance starts is taken. */
struct setup_use {
    uint32_t kind;
    uint32_t use;
    uint32_t candidate;
    char name[32];
    struct plugin *plugin;
};

struct setup {
    struct config *config;
    struct plugin_path path;
    struct setup_use uses[SETUP_PLUGINS_MAX]; /* in order of kind and use */
    uint32_t use_count;
    struct setup_use others[SETUP_PLUGINS_MAX]; /* only have a section */
    uint32_t other_count;
    struct setup_use retired[SETUP_PLUGINS_MAX]; /* by the last reload */
    uint32_t retired_count;
    char file[PATH_MAX]; /* what was read; the demo's is no file's name */
    const char *const *overrides; /* borrowed, for reloads */
    int override_count;
    uint32_t generation; /* 1, and one more with each reload that was taken */
};

/*
 * Reads a file (NULL: $HARDPOINT_CONFIG, the user's, the system's, the built-in
 * solo demo), environment and overrides; opens the plugins that the role needs
 * and those that have a section; binds and checks everything. All problems go
 * to `errors`. Returns 0 or an exit status of cmd.h: 66, 70, 78. Either way
 * setup_finish ends it. `overrides` are borrowed for the life of `s`.
 */
int setup_load(struct setup *s, const char *file, const char *const *overrides,
               int override_count, FILE *errors);

/* Closes what setup_load opened. Nothing may use its plugins any more. */
void setup_finish(struct setup *s);

/*
 * A reload in two steps, so that what is named anew can be started in between.
 *
 * setup_read_again reads everything anew into `next`: its uses of the kind
 * haptics are opened as the file now has them, all other plugins stay those of
 * `s`. Good is when only live rows differ, and anything of [plugins] haptics,
 * [haptics.NAME] and [rig.NAME]. Else `why` says what is in the way: -EINVAL,
 * or why the file cannot be read; there is nothing to drop then.
 *
 * setup_take gives `s` what `next` has: config getters then give the new
 * values. Plugins that are no longer in use stay open until setup_forget, as
 * their instances may still run. setup_drop instead leaves `s` as it is.
 */
int setup_read_again(struct setup *s, struct setup *next, char *why,
                     size_t why_bytes);
void setup_take(struct setup *s, struct setup *next);
void setup_drop(struct setup *next);
void setup_forget(struct setup *s);

/* Whether a role ("solo", "server", "client") has a use for the kind. */
int setup_needs(const char *role, uint32_t kind);

#endif
