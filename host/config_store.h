/* The inside of struct config, shared by the config_*.c files alone. */
#ifndef CONFIG_STORE_H
#define CONFIG_STORE_H

#include "config.h"
#include <stdarg.h>
#include <stddef.h>

/* Later ones win. */
enum config_source {
    CONFIG_FILE = 0,
    CONFIG_ENVIRONMENT = 1,
    CONFIG_COMMAND_LINE = 2
};

/* Where something was written. */
struct config_place {
    enum config_source source;
    const char *name; /* the file; "HARDPOINT_NET__PORT"; "-s net.port=1" */
    int line;         /* 0: the whole of it */
    int column;
};

struct config_setting {
    char *section; /* as given: of the environment in its own letters */
    char *key;
    char *value;
    char *path;                 /* value of a path row, resolved, or NULL */
    struct config_place place;  /* of the key */
    int value_column;           /* 0: none */
    char *origin;               /* for people: "conf/solo.ini:12:1" */
    const struct hp_param *row; /* that it was bound to, or NULL */
    const char *bound_section;  /* with it */
};

struct config_heading {
    char *section;
    struct config_place place;
};

/* `section` first: ini_nearest steps over these. */
struct config_binding {
    char *section;
    const struct hp_param *rows;
    uint32_t count;
    uint32_t stride;
    int forgiven; /* no rows; what stands in it is not judged */
};

struct config_told {
    struct config_place place;
    int order; /* of telling, among those of one place */
    char *text;
};

struct config_list {
    void *items;
    size_t count;
    size_t capacity;
};

/* The content of struct config may move to another (config_replace). */
struct config {
    struct config_list settings; /* struct config_setting */
    struct config_list headings; /* struct config_heading */
    struct config_list bindings; /* struct config_binding */
    struct config_list problems; /* struct config_told */
    struct config_list names;    /* char *: what places point at */
    const struct config_check *checks;
    uint32_t check_count;
    int out_of_memory;
    int names_stay; /* of data files: config_keep_names */
    int broken_lines;        /* a file had lines that are not INI */
    struct config *previous; /* what config_replace took out */
};

/* A new zeroed item, or NULL with out_of_memory set. */
void *config_grow(struct config *c, struct config_list *list, size_t bytes);
/* NULL with out_of_memory set when there is none. */
char *config_copy(struct config *c, const char *text, size_t bytes);

/* A problem at a place; `subject` ("[net] port") may be "". */
void config_tell(struct config *c, const struct config_place *place,
                 const char *subject, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void config_tell_list(struct config *c, const struct config_place *place,
                      const char *subject, const char *format, va_list list);

struct config_setting *config_setting_at(const struct config *c, size_t i);
struct config_heading *config_heading_at(const struct config *c, size_t i);
struct config_told *config_told_at(const struct config *c, size_t i);
struct config_binding *config_binding_at(const struct config *c, size_t i);
const struct hp_param *config_row_at(const struct config_binding *b,
                                     uint32_t i);

const struct config_binding *config_find_binding(const struct config *c,
                                                 const char *section);
const struct hp_param *config_find_row(const struct config_binding *b,
                                       const char *key);
/* Whether a setting's own word for a section or key is that name: it is written
 * in capitals in the environment. */
int config_names(const struct config_setting *s, const char *given,
                 const char *name);
/* The row of `b` that the setting's key names, or NULL. */
const struct hp_param *config_row_of(const struct config_binding *b,
                                     const struct config_setting *s);
/* The `index`th setting that counts for a row: of the source that wins. NULL
 * when there is none. */
const struct config_setting *config_find_setting(const struct config *c,
                                                 const char *section,
                                                 const char *key,
                                                 uint32_t index);

/* The value as its user gets it: a path is resolved. */
const char *config_value(const struct config_setting *s);

/* What config_judge has to say about a value that it refuses. */
struct config_verdict {
    char expected[256]; /* "a whole number from 1 to 65535" */
    char hint[256];     /* what to do; "" when there is nothing to add */
};

/* Judges a value, a path resolved, against its row. 0 or -EINVAL. */
int config_judge(const struct hp_param *row, const char *value,
                 struct config_verdict *out);

#endif
