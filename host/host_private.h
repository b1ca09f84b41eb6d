/* Shared by host.c (main loop and life), host_server.c and host_client.c (how
 * each side is put together), host_record.c. */
#ifndef HOST_PRIVATE_H
#define HOST_PRIVATE_H

#include "host.h"

/* The value of one of the host's own keys. */
int64_t host_number(const struct host *h, const char *section, const char *key);
const char *host_text(const struct host *h, const char *section,
                      const char *key);
int host_flag(const struct host *h, const char *section, const char *key);

/*
 * Creates and starts a side's sim, first of all plugins: its schema is in the
 * `limits` of all others. `terms` are the side's, or the server's. The error is
 * logged.
 */
int host_start_sim(struct host *h, uint32_t side, struct config *config,
                   const struct side_config *terms, struct hp_limits *limits,
                   struct instance **out);

/* How long a call in a tick may take, at this rate. */
uint64_t host_budget_ns(const struct host *h, struct tick_rate rate);

/*
 * Makes the client's model from the server's word: its sim with the shared
 * parameters, `client_limits` and `model`. -EPROTO: this client does not suit
 * that server. The error is logged.
 */
int host_start_model(struct host *h, const struct proto_welcome *w);

/* Creates and starts the agents, before anybody may join. The error is logged.
 */
int host_start_agents(struct host *h, uint32_t side,
                      const struct hp_limits *limits);

/* Loads [net] bans and gives them to the server. 0, or the negative errno that
 * was logged; the server then keeps those it has. */
int host_load_bans(struct host *h);

/* host_record.c: whether this role may record; opens the recording that [host]
 * record asks for, once the server's sim has started. 0, or an exit status of
 * cmd.h after the reason was logged. */
int host_judge_record(const struct host *h);
int host_open_record(struct host *h);
/* Ends it, once the server's thread has ended. Accepts that there is none. */
void host_stop_record(struct host *h);

/*
 * host_swap.c: starts what the uses of `next` (setup_read_again) want and does
 * not run yet; then, after setup_take, puts all of it in the place of what ran.
 * Preparing fails with nothing changed; why is logged.
 */
struct host_swap {
    int is_due;
    struct instance *backends[HAPTICS_BACKENDS_MAX];
    uint32_t count;
};
int host_prepare_swap(struct host *h, struct setup *next,
                      struct host_swap *swap);
void host_commit_swap(struct host *h, const struct host_swap *swap);

/* 0, or an exit status of cmd.h after the reason was logged. */
int host_start_server(struct host *h);
int host_start_client(struct host *h);

#endif
