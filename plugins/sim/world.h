/*
 * The server's world: aircraft in their slots, rounds in the air, and what
 * happened in the newest step.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "aircraft.h"
#include <hardpoint/sim.h>

struct world;

/* Told of a rare thing worth a line in the log, during world_step. */
struct world_log {
    void (*line)(void *context, const char *text);
    void *context;
};

/*
 * Makes an empty world; `rules` must outlive it. All memory is taken here.
 * Returns 0 and a world for world_destroy, or -ENOMEM.
 */
int world_create(struct world **out, const struct aircraft_world *rules,
                 uint64_t seed, uint32_t clients_max, uint32_t entities_max,
                 uint32_t rounds_max, const struct world_log *log);

/* From here on the jobs of `host` help each step and view. */
void world_set_host(struct world *w, const struct hp_host *host);

/*
 * Once, before anybody joins: `count` aircraft with pilots of the sim's own
 * (PILOT_*), in the slots behind those that `clients_max` clients may take.
 * -ENOSPC: fewer slots than both need; -ENOMEM.
 */
int world_add_pilots(struct world *w, uint32_t count, uint32_t pattern);

/* Accepts NULL. */
void world_destroy(struct world *w);

/* A client's aircraft of a type enters. 0, -ENOSPC (no slot free), -EINVAL (no such
 * client number), -EEXIST (it has one). */
int world_join(struct world *w, uint32_t client, uint32_t type);

/* Its aircraft and rounds leave. */
void world_leave(struct world *w, uint32_t client);

/* One tick. Inputs of clients without an aircraft are ignored; an aircraft
 * without an input flies with a centred stick. */
void world_step(struct world *w, const struct hp_tick *tick,
                const struct hp_client_input *inputs, uint32_t count);

/* As hp_sim_ops.view. */
int world_view(const struct world *w, struct hp_view_sink *sink);

/* A client's aircraft, or NULL. */
const struct aircraft *world_aircraft(const struct world *w, uint32_t client);

/* A digest of every aircraft, round and generation. */
uint64_t world_hash(const struct world *w);

#endif
