/*
 * hardpoint-plugins-check: every rule that a plugin must keep, each tried in a
 * process of its own. check.c forks one child a rule; in it the rule opens the
 * file, makes runs (run.h) and calls it. A rule ends by returning (kept), by
 * check_fail or check_skip; a child that crashes or hangs has broken the rule.
 */
#ifndef CHECK_H
#define CHECK_H

#include <hardpoint/hardpoint.h>
#include <plugin.h>

#define CHECK_SETTINGS_MAX 32

/* What the command line says; the same for every rule. */
struct check {
    const char *file;                         /* absolute */
    uint64_t seed;                            /* of all that is random */
    const char *settings[CHECK_SETTINGS_MAX]; /* "KEY=VALUE" of the plugin */
    int setting_count;
    int output;       /* where the child's standard output goes */
    char scratch[64]; /* a folder for its files, the working one */
};

enum rule_flag {
    RULE_FIRST = 1 << 0,      /* when broken, no other rule can be tried */
    RULE_NEEDS_START = 1 << 1 /* of no use to one that does not start here */
};

#define RULE_KIND(kind) (1u << (kind))
#define RULE_ALL_KINDS  0u

struct rule {
    const char *name;
    const char *sentence; /* what holds when it is kept */
    const char *why;      /* what breaks otherwise, and what to do */
    void (*run)(const struct check *c);
    uint32_t kinds; /* RULE_KIND bits, or RULE_ALL_KINDS */
    uint32_t flags; /* RULE_* */
};

/* In the order in which they are tried; ends with a NULL name. Defined by the
 * rules_*.c files, told apart by kind. */
extern const struct rule rules_any[];
extern const struct rule rules_sim[];
extern const struct rule rules_broadcaster[];
extern const struct rule rules_client[];

/* [any thread of the child] Ends the rule, and its process, as broken. */
__attribute__((noreturn, format(printf, 1, 2))) void check_fail(
    const char *format, ...);
/* ... as of no use here. */
__attribute__((noreturn, format(printf, 1, 2))) void check_skip(
    const char *format, ...);

/*
 * Runs a part of a rule in a child of its own, so that it sees the plugin fresh
 * from the file; what it returns comes back. When that child fails or skips, so
 * does the rule.
 */
uint64_t check_apart(const struct check *c,
                     uint64_t (*part)(const struct check *c, int argument),
                     int argument);

/* A small generator that replays: xorshift64*. */
struct chance {
    uint64_t state;
};
void chance_init(struct chance *r, uint64_t seed);
uint64_t chance_next(struct chance *r);
/* 0 .. below - 1. */
uint32_t chance_below(struct chance *r, uint32_t below);
/* -1 .. 1 */
double chance_real(struct chance *r);

#endif
