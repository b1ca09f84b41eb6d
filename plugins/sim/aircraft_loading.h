/* What the parts of the loader share; nobody else includes it. */
#ifndef SIM_AIRCRAFT_LOADING_H
#define SIM_AIRCRAFT_LOADING_H

#include "aircraft_file.h"
#include <ini/ini.h>

/* A table that something names before it is known whether it exists. */
struct loading_name {
    char name[AIRCRAFT_WORD_MAX + 1];
    struct aircraft_place at;
    int *into; /* its index, once found */
};

#define LOADING_NAMES_MAX (AIRCRAFT_TERMS_MAX + 8)

enum loading_section {
    LOADING_PLAIN, /* its keys are rows and no more */
    LOADING_TABLE,
    LOADING_SURFACE,
    LOADING_STRUT,
    LOADING_CHECK,
    LOADING_CLAIM,
    LOADING_SOURCE,
    LOADING_LOST /* unknown: what stands under it is passed over */
};

struct loading {
    struct aircraft_file *file;
    struct aircraft_problems *problems;
    int section; /* LOADING_* */
    int index;   /* of the table, surface, strut or check */
    struct loading_name names[LOADING_NAMES_MAX];
    int name_count;
    int units; /* place in "si|ft_slug|mixed" */
    int format;
    int thrust_keys[2]; /* engine tables given in newtons, in pounds */
    char words[AIRCRAFT_TABLES_MAX][AIRCRAFT_AXES_MAX]; /* axes given */
    struct aircraft_place data[AIRCRAFT_TABLES_MAX];    /* of the cells; or 0 */
    int out_of_memory;
};

/* A value's words one by one. */
struct loading_words {
    const struct ini_item *item;
    const char *at;
    const char *separators;
    char word[64]; /* cut if it is longer */
    size_t offset; /* of the word in the value */
};

/* The next word, or 0 at the end. Blanks and `separators` part them. */
int loading_next(struct loading_words *w);

struct aircraft_place loading_place(const struct ini_item *item, size_t offset);

/* A number, or -EINVAL with an error told. */
int loading_number(struct loading *l, const struct ini_item *item,
                   const char *word, size_t offset, double *out);

/* A name of letters, digits and underscores that fits; else told. */
int loading_is_name(const char *word);

/* Notes that a table is named; the finish fills `into`. */
void loading_wants_table(struct loading *l, const char *name,
                         struct aircraft_place at, int *into);

/* [table NAME] and its keys. */
int loading_table_begin(struct loading *l, const char *name,
                        struct aircraft_place at);
void loading_table_key(struct loading *l, const struct ini_item *item);

/* A term; `target` AIRCRAFT_TARGETS: it begins with one and a colon. */
void loading_term(struct loading *l, const struct ini_item *item, int target,
                  double factor);

/* The tables and terms as a whole, after the last line. */
void loading_tables_finish(struct loading *l);

/* What it carries, and how many engines, after the last line. */
void loading_judge_stores(struct loading *l);

#endif
