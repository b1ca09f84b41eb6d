/* Whether the parameter rows of a plugin make sense. */
#ifndef PLUGIN_PARAMS_H
#define PLUGIN_PARAMS_H

#include <hardpoint/plugin.h>

/* Small letters, digits and _, a letter first, under 32: a plugin's or a
 * parameter's name. */
int plugin_name_is_good(const char *name);

/*
 * Unique names, known types, ranges the right way round, presets that their
 * own row accepts, a `reload` where a row is live. -EPROTO: a type that this
 * host does not know; -EINVAL.
 */
int plugin_judge_params(const char *file, const struct hp_plugin *table,
                        char *why);

#endif
