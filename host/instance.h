/*
 * A plugin created for one INI section on one side: its host table, its life,
 * and the account of its calls. Around each call stands
 *
 *     instance_enter(i, "step", tick);
 *     ops->step(i->self, ...);
 *     instance_leave(i);
 *
 * which times it, marks the thread for the fault handler, puts back floating-
 * point state and blames a call that was over its budget (at most once a
 * second). No lock, no allocation: [any] thread, one at a time an instance
 * except for calls that the ABI says overlap: of those, the [main] and [device]
 * ones are entered with INSTANCE_NO_TICK, which marks and times them but leaves
 * the account to the thread that owns it.
 */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "hist.h"
#include "plugin.h"

#define INSTANCE_NO_TICK UINT64_MAX

struct clock;
struct config;
struct jobs;

struct instance {
    struct plugin *plugin;         /* borrowed */
    const struct hp_plugin *table; /* of it */
    const void *ops;               /* of it; cast to the kind's */
    struct hp_instance *self;      /* NULL before create and after destroy */
    struct hp_host host;           /* context points back here */
    struct hp_limits limits;       /* as start was given them */
    const struct clock *clock;
    struct config *config;
    struct jobs *jobs;      /* borrowed; NULL: its jobs calls get no help */
    uint32_t side;          /* HP_SIDE_* */
    int started;            /* between start and stop */
    uint64_t budget_ns;     /* a call longer than this is blamed; 0: none */
    uint64_t blamed_ns;     /* when last */
    uint64_t over_budget;   /* calls */
    uint64_t complaints;    /* breaches of the contract */
    uint64_t complained_ns; /* when last told */
    int float_blamed;       /* its change of floating-point state was told */
    struct hist call_ns;    /* every call that was entered with a tick */
    char label[64];         /* "sim.flight (server)" */
    char section[64];       /* "sim.flight" */
    char failure[256];      /* the sentence of hp_host.fail */
};

/* Creates from bound parameters. The plugin outlives it. The error is logged,
 * with the sentence that the plugin gave. What create returned, or -ENOMEM. */
int instance_create(struct instance **out, struct plugin *plugin,
                    struct config *config, const struct clock *clock,
                    uint32_t side);
/* Gives start a copy of `limits`, which lives until stop as the ABI promises,
 * with schema and model for those kinds alone that may see them. What start
 * returned; not logged: `failure` has the sentence, so that a fallback may be
 * tried. */
int instance_start(struct instance *i, const struct hp_limits *limits);
/* Each accepts NULL and an instance that never came so far. */
void instance_stop(struct instance *i);
void instance_destroy(struct instance *i);

/* `call` is a literal; `tick` or INSTANCE_NO_TICK. Both accept NULL. */
void instance_enter(struct instance *i, const char *call, uint64_t tick);
/* Returns how long the call took, in ns. */
uint64_t instance_leave(struct instance *i);
/* A call at `tick` broke its contract: says `what` it did and what becomes of
 * it, at most once a second. The thread of its [tick] calls only. */
void instance_complain(struct instance *i, const char *call, uint64_t tick,
                       const char *what);

/* Whether the plugin promises the same bits from the same inputs: it is then
 * shown no time. */
int instance_is_deterministic(const struct instance *i);

/*
 * SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT: names plugin, call and tick of the
 * thread that faulted, then dies with the signal. Needs an alternate stack for
 * each thread: instance_thread_init, once at its start, and _finish at its end.
 */
void instance_install_fault_handler(void);
void instance_thread_init(void);
void instance_thread_finish(void);

#endif
