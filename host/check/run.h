/*
 * A plugin in use: its instance (a broadcaster has two, one for each end), and
 * a course of legal calls that follows from a seed and replays.
 */
#ifndef RUN_H
#define RUN_H

#include "check.h"
#include "world.h"
#include <instance.h>

#define RUN_KEPT        8 /* snapshots that a broadcaster encoded last */
#define RUN_BYTES_MAX   1200
#define RUN_DEVICES_MAX 32
#define RUN_COMMANDS    64

struct run {
    struct instance *instance;
    struct instance *far_end; /* broadcaster: the client's; else NULL */
    const struct hp_plugin *table;
    const void *ops;
    struct hp_limits limits;
    struct chance chance;
    uint64_t tick;   /* of the next step of the course */
    uint64_t output; /* a digest of all that came out so far */

    /* Sim. */
    const struct hp_schema *schema;
    struct hp_client_input inputs[WORLD_CLIENTS_MAX];
    uint32_t joined; /* a bit for each client */
    void *records;   /* a view sink's, limits.entities_max */
    uint64_t own[HP_OWN_BYTES_MAX / 8];

    /* All that are shown the world. */
    struct world_view view;
    char record[HP_RECORD_BYTES_MAX];

    /* Broadcaster. */
    struct {
        uint8_t bytes[RUN_BYTES_MAX];
        uint32_t count;
        uint64_t tick;
    } kept[RUN_KEPT];
    uint32_t kept_count;

    /* Predictor: the server's truth, a few ticks behind. */
    struct world_own truth;
    struct hp_input sent[16]; /* by tick */
    int own_wanted;

    /* Haptics. */
    struct hp_device devices[RUN_DEVICES_MAX];
    uint32_t device_count;
};

/* The plugin's file, opened once a process; ends the rule when refused. */
struct plugin *run_plugin(const struct check *c);

/* Rows with their presets, the command line's settings, and one more
 * "KEY = VALUE" (or NULL). Returns NULL, and `why`, when the host would refuse
 * it before create. */
struct config *run_config(const struct check *c, const char *extra, char *why,
                          size_t why_bytes);

/* create alone; NULL when refused. */
struct instance *run_create(const struct check *c, struct config *config,
                            uint32_t side);

/* create and start; ends the rule when they fail: `rate` as a fraction. */
void run_open(struct run *r, const struct check *c, uint64_t seed,
              uint32_t rate_num, uint32_t rate_den);
/* stop and destroy. */
void run_close(struct run *r);

/* One tick of the course: the [tick] or [rt] calls, then those of [main] and
 * [any]. run_step does both. */
void run_tick(struct run *r);
void run_aside(struct run *r);
void run_step(struct run *r);
/* One legal call, which one is left to chance. */
void run_any(struct run *r);

/* From here on a call under [tick] or [rt] that allocates ends the rule. */
void run_watch_memory(int yes);
/* The first call that changed the floating-point control state, or NULL. */
const char *run_changed_floats(void);

/*
 * Around every call of the plugin: names it for the fault handler, and watches
 * what the rule asked for. RUN_REALTIME is [tick] or [rt].
 */
enum run_tag {
    RUN_MAIN,
    RUN_REALTIME
};
void run_enter(struct instance *i, const char *call, uint64_t tick,
               enum run_tag tag);
void run_leave(struct instance *i, const char *call, uint64_t tick,
               enum run_tag tag);

/* clang-format off */
#define RUN_CALL(instance_, tick_, tag_, name_, statement_) \
    do { \
        run_enter(instance_, name_, tick_, tag_); \
        statement_; \
        run_leave(instance_, name_, tick_, tag_); \
    } while (0)
/* clang-format on */

/* A result that is no 0 or negative errno (or 1, where `one` allows it) ends
 * the rule. Returns it. */
int run_judge(struct run *r, const char *call, int result, int one);

/* The kinds, each in run_sim.c and its like. */
struct run_kind {
    void (*open)(struct run *r);
    void (*tick)(struct run *r);
    void (*aside)(struct run *r); /* may be NULL */
    void (*any)(struct run *r);
};
extern const struct run_kind run_sim, run_broadcaster, run_predictor, run_cues,
    run_haptics, run_input, run_agent;

/* Haptics: levels for every actuator that is there. */
uint32_t run_levels(struct run *r, struct hp_level *out, uint32_t capacity,
                    uint64_t now_ns);

#endif
