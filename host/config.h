/*
 * The configuration: where each value came from, and whether it may stand.
 *
 * Settings are read first (file, environment, command line, later wins), then
 * rows are bound to sections: the host's own (options.h), then each plugin's
 * once it is loaded. Binding checks; config_finish reports what no row knows.
 * Every problem is kept with file:line:col and told at once.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <hardpoint/plugin.h>
#include <stdint.h>
#include <stdio.h>

struct config;

int config_create(struct config **out);
/* Before rows are bound: a data file's name is no longer looked for. */
void config_keep_names(struct config *c);
/* Accepts NULL. */
void config_destroy(struct config *c);

/* Reads a file. What is wrong inside becomes a problem; -ENOENT, -EACCES,
 * -EISDIR when it cannot be read at all. */
int config_read_file(struct config *c, const char *path);
/* As a file of the given name: the built-in demo, tests. */
int config_read_text(struct config *c, const char *name, const char *text);
/* One setting of a file of another form, `name`: a recording's. -ENOMEM. */
int config_set(struct config *c, const char *name, const char *section,
               const char *key, const char *value);
/* HARDPOINT_SECTION__KEY=value; dots of a section are written as _. A variable
 * of that form whose section or key nobody knows is a problem too. */
int config_read_environment(struct config *c, char **environment);
/* -s SECTION.KEY=VALUE; the last dot before the = splits. -EINVAL: no such
 * form (a problem is kept). */
int config_override(struct config *c, const char *setting);

/* Relative paths of HP_PARAM_PATH rows are taken from the folder of the file
 * that names them; those from elsewhere, from the working folder. */

/*
 * What a row's type cannot say: judged by a function. It returns 0, or a
 * negative errno and what was expected instead ("a rate from 1 to 1000").
 */
struct config_check {
    const char *section;
    const char *key;
    int (*judge)(const char *value, char *expected, size_t expected_bytes);
};
/* The table for config_bind calls to come; borrowed. */
void config_set_checks(struct config *c, const struct config_check *checks,
                       uint32_t count);

/*
 * Makes a section legal and checks its settings against the rows: type, range,
 * choice, unit, trailing text, doubled keys, required ones, paths that must be
 * readable. The rows are borrowed for the life of the config. Returns the
 * number of new problems.
 */
int config_bind(struct config *c, const char *section,
                const struct hp_param *rows, uint32_t count, uint32_t stride);

/*
 * Visits every section that was named and is not bound, once each; an
 * environment's HAPTICS_TRACE comes as "haptics.trace". The visitor may bind
 * it. Stops when `visit` returns non-zero, and returns that.
 */
typedef int config_section_visit(void *context, const char *section);
int config_each_unbound(struct config *c, config_section_visit *visit,
                        void *context);

/* Why the section is not bound has been told: no more about it. */
void config_forgive(struct config *c, const char *section);
/* The same for all that `other` was told to forgive. */
void config_forgive_as(struct config *c, const struct config *other);

/* Reports settings in sections and keys that nobody bound, with the nearest
 * known name. Returns the number of all problems so far. */
int config_finish(struct config *c);

/* Keeps one more problem at the place of `section.key` (or of the section, when
 * key is NULL, or of the whole when both are). */
void config_problem(struct config *c, const char *section, const char *key,
                    const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int config_problem_count(const struct config *c);
/* "file:line:col: error: ..." in order of place. */
void config_print_problems(const struct config *c, FILE *to);

/* Values of bound rows, checked or default; `index` for repeated rows. Errors
 * as in struct hp_host. */
int config_flag(const struct config *c, const char *section, const char *key,
                int *out);
int config_int(const struct config *c, const char *section, const char *key,
               uint32_t index, int64_t *out);
int config_real(const struct config *c, const char *section, const char *key,
                uint32_t index, double *out);
int config_text(const struct config *c, const char *section, const char *key,
                uint32_t index, const char **out);
/* Where the value came from: "conf/solo.ini:12:1", "environment", "-s",
 * "default". Lives as long as the config. */
const char *config_origin(const struct config *c, const char *section,
                          const char *key);

/* [section] key = value of every bound row, with origin, as `show` prints it;
 * reading it back gives the same configuration. */
void config_print(const struct config *c, FILE *to);

/* Walks the bound rows in order. Stops when `visit` returns non-zero. */
typedef int config_visit(void *context, const char *section,
                         const struct hp_param *row, uint32_t index,
                         const char *value);
int config_each(const struct config *c, config_visit *visit, void *context);

/*
 * All or nothing: whether `next` (bound alike) differs from `c` in live rows
 * only. 0: yes; -EINVAL: a row that is not live differs, or sections do, and
 * `why` names it. Sections whose name begins as one of `exempt` (NULL at its
 * end; NULL: none) may differ as they like.
 */
int config_may_replace(const struct config *c, const struct config *next,
                       const char *const *exempt, char *why, size_t why_bytes);

/* Whether a section is in both, with the same values but for live rows. */
int config_is_same_section(const struct config *c, const struct config *next,
                           const char *section);

/*
 * Takes the content of `next` into `c`, for whoever holds `c`, and destroys
 * `next`. Texts handed out before live until the next call.
 */
void config_replace(struct config *c, struct config *next);

/*
 * The lists of [plugins]: "a | b, c" is two uses, the first with two
 * candidates.
 */
struct config_candidate {
    uint32_t use;       /* which comma-separated use, from 0 */
    uint32_t candidate; /* which alternative of it, from 0 */
    char name[32];
};
/* The candidates of one kind, in order. 0, or -EINVAL with a problem kept. */
int config_plugins(struct config *c, const char *kind,
                   struct config_candidate *out, uint32_t capacity,
                   uint32_t *count);

#endif
