/*
 * The plugin instances of a host: made from the uses of [plugins], started with
 * the limits of their side, stopped and destroyed in the reverse order.
 */
#ifndef CREW_H
#define CREW_H

#include "instance.h"
#include "setup.h"

#define CREW_MAX 32

struct crew {
    struct setup *setup; /* borrowed */
    struct clock *clock;
    struct jobs *jobs; /* of the server's instances; set before they are made */
    uint64_t budget_ns;             /* for each call in a tick; 0: none */
    struct instance *all[CREW_MAX]; /* in order of creation */
    uint32_t count;
    uint32_t passed_over; /* bit by use: an alternative that would not do */
};
_Static_assert(SETUP_PLUGINS_MAX <= 32, "a bit for each use");

void crew_init(struct crew *crew, struct setup *setup, struct clock *clock,
               uint64_t budget_ns);
/* Stops and destroys all, newest first. */
void crew_finish(struct crew *crew);

/* The plugin that [plugins] names first for `kind` and that has not been passed
 * over, or NULL. */
struct plugin *crew_plugin(const struct crew *crew, uint32_t kind);

/*
 * crew_plugin's one will not do, for a reason that is logged: destroys `of_it`,
 * the newest instance (NULL: none was made), and takes the next alternative. 1,
 * or 0 when there is none: then nothing is changed.
 */
int crew_pass_over(struct crew *crew, uint32_t kind, struct instance *of_it);

/*
 * Creates the one instance of a kind for a side from `config`, not started:
 * the sim, whose schema the limits need. The error is logged.
 */
int crew_create(struct crew *crew, uint32_t kind, uint32_t side,
                struct config *config, struct instance **out);
/* Starts it. The error is logged. */
int crew_start(struct instance *i, const struct hp_limits *limits);

/*
 * Creates and starts every use of a kind: of alternatives (a | b) the first
 * that starts, each refusal on the way logged. `out` holds `capacity`; the
 * count by `count`. The error is logged.
 */
int crew_start_all(struct crew *crew, uint32_t kind, uint32_t side,
                   const struct hp_limits *limits, struct instance **out,
                   uint32_t capacity, uint32_t *count);

/*
 * What crew_start_all would start for the uses of `next`, an instance that runs
 * already staying what it is when its plugin and parameters are the same. The
 * others are made and started; those that are no longer wanted go on until
 * crew_dismiss. On an error, which is logged, all is as it was.
 */
int crew_renew(struct crew *crew, struct setup *next, uint32_t kind,
               uint32_t side, const struct hp_limits *limits,
               struct instance **out, uint32_t capacity, uint32_t *count);
/* Stops and destroys one. */
void crew_dismiss(struct crew *crew, struct instance *i);

#endif
