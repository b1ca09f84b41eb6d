/* One swarm, shared by swarm.c (the loop), swarm_client.c (one client of it)
 * and swarm_figures.c (what is measured). */
#ifndef SWARM_PRIVATE_H
#define SWARM_PRIVATE_H

#include "swarm.h"

enum swarm_state {
    SWARM_WAITING = 0, /* not begun */
    SWARM_JOINING,
    SWARM_FLYING,
    SWARM_REFUSED,
    SWARM_UNANSWERED,
    SWARM_DROPPED
};

/* A client's counters at one moment. */
struct swarm_mark {
    uint64_t tick, tick_ns; /* newest snapshot, when it came */
    uint64_t bytes_ns;      /* when the next four were taken */
    uint64_t payload_bytes, sent_bytes, wire_bytes, datagrams;
    uint64_t snapshots, gaps, missed;
    uint64_t run, late;
    uint64_t checked, wrong;
};

struct swarm_client {
    enum swarm_state state;
    struct client *client;
    struct config *config; /* of its own input instance, or NULL */
    struct instance *broadcaster, *predictor, *input;
    char name[32];
    uint64_t begun_ns;
    uint64_t join_ns; /* how long it took */
    struct swarm_mark begin, end;
};

/* What is merged over all clients, before and after the measured part. */
struct swarm_sums {
    struct hist rtt_ns, input_to_snapshot_ns;
    double cpu_s;
};

struct swarm {
    struct host host; /* the model of all, and the configuration */
    const struct swarm_options *options;
    char address[16]; /* the server's, dotted */
    int epoll;
    struct due_heap due;
    struct swarm_client *clients;
    uint32_t begun; /* clients */
    uint32_t joining, flying;
    uint64_t start_ns;
    int has_model; /* made of the first Welcome */
    struct swarm_light *light;
    struct swarm_sums *before, *after;
    struct hist *loop_ns;
    struct floor_load load;
    uint64_t measure_ns, measured_ns; /* from, for */
    int status;                       /* of cmd.h: what has ended it */
    char refused_why[256], unanswered_why[256], dropped_why[256];
};

/* ---- swarm_client.c ---- */

/* Begins to connect the next client. An exit status of cmd.h. */
int swarm_client_begin(struct swarm *s, uint32_t i);
/* Something has come for it, or it is due. Ends the swarm (s->status) when it
 * cannot be flown. */
void swarm_client_serve(struct swarm *s, uint32_t i);
void swarm_client_finish(struct swarm_client *c);

/* Parts that do nothing, for --light. NULL when there is no memory. */
struct swarm_light *swarm_light_create(const struct clock *clock);
void swarm_light_destroy(struct swarm_light *light);

/* ---- swarm_figures.c ---- */

/* The measured part begins; ends. */
void swarm_measure_begin(struct swarm *s);
void swarm_measure_end(struct swarm *s);
void swarm_collect(const struct swarm *s, struct swarm_result *out);

#endif
