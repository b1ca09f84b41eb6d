/*
 * A host: the sides that its role asks for, each on its own thread, their
 * plugins, and the main loop that serves agents, metrics, signals and the log.
 */
#ifndef HOST_H
#define HOST_H

#include "client.h"
#include "crew.h"
#include "input_device.h"
#include "record.h"
#include "server.h"
#include "setup.h"

#define HOST_AGENTS_MAX 8

enum host_role {
    HOST_SOLO = 0,
    HOST_SERVER = 1,
    HOST_CLIENT = 2
};

/* What the user asked of the running host, set by signal handlers. */
struct host_signals {
    _Atomic int stop;   /* TERM, INT: drain; the second hurries */
    _Atomic int reload; /* HUP */
};

struct host {
    struct setup *setup;         /* borrowed */
    struct clock *clock;         /* borrowed */
    struct clock_waiter *waiter; /* the main thread's */
    const struct host_signals *signals;
    enum host_role role;
    struct side_config side;
    struct crew crew;
    struct record *record; /* of the server's world; NULL: none */
    struct jobs *jobs;     /* of the server's tick; NULL: it has no helpers */
    struct server *server;
    struct client *client;
    struct haptics *haptics;
    struct instance *backends[HAPTICS_BACKENDS_MAX]; /* that it plays on */
    uint32_t backend_count;
    struct input_device *input_device; /* NULL: the input has no thread */
    struct effects *effects;
    struct config *model_config; /* of the client's sim: the server's word */
    struct hp_limits server_limits, client_limits;
    struct hp_model model;
    struct instance *sim[2], *broadcaster[2]; /* server's, client's */
    struct instance *predictor;
    struct instance *agents[HOST_AGENTS_MAX];
    uint32_t agent_count;
    int reloads_seen;
    int bench;       /* stage stamps whatever the role; set before host_start */
    client_tap *tap; /* likewise */
    void *tap_context;
    int status; /* exit status that the run has earned so far */
};

/*
 * [main] Takes the configuration apart; nothing is started. `waiter` is the
 * main thread's place on the clock, entered already.
 */
int host_init(struct host *h, struct setup *setup, struct clock *clock,
              struct clock_waiter *waiter, const struct host_signals *signals);

/*
 * [main] Starts the sides, the server first. 0, or an exit status of cmd.h
 * after the reason was logged; host_finish is called either way.
 */
int host_start(struct host *h);

/* [main] Serves until `for_ns` have passed (CLOCK_NEVER: for ever), a signal
 * or the loss of the server. Returns an exit status. */
int host_serve(struct host *h, uint64_t for_ns);

/* [main] Ends the threads; counters may still be read. */
void host_stop(struct host *h);
/* [main] Frees everything. */
void host_finish(struct host *h);

/* host_report.c: the metrics file, atomically replaced. -errno. */
int host_write_metrics(const struct host *h, const char *path);

/* host_report.c: what agents see of a side. */
struct hp_status;
void host_status(const struct side_report *r, uint32_t side, uint64_t now_ns,
                 struct hp_status *out);

#endif
