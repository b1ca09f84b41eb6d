/*
 * A small world for the plugins that need one: a record with fields such as a
 * flight sim has, a model that can be stepped, views of any size. All of it
 * follows from tick and seed, so it replays.
 */
#ifndef WORLD_H
#define WORLD_H

#include "check.h"

#define WORLD_ENTITIES_MAX 64
#define WORLD_CLIENTS_MAX  8

extern const struct hp_schema world_schema;
/* The model of the own record's owner; `self` is NULL to it. */
extern const struct hp_model world_model;

/* The own state before the first tick, own_bytes of the schema, 8-aligned. */
struct world_own {
    double position_m[3];
    double velocity_mps[3];
    uint64_t ticks;
};
void world_own_init(struct world_own *own);

/* Limits of a 60 Hz game with this world, for a plugin of `kind`. */
struct hp_limits world_limits(uint32_t kind, uint32_t side, uint32_t rate_num,
                              uint32_t rate_den);

struct hp_tick world_tick(const struct hp_limits *limits, uint64_t index,
                          int is_deterministic);

/* An input as a pilot gives it; axes within their range. */
struct hp_input world_input(struct chance *r);

/* Memory for views; records stand without a byte between or behind them. */
struct world_view {
    struct hp_view view;
    void *records;
    struct hp_event events[4];
};
int world_view_create(struct world_view *v);
void world_view_destroy(struct world_view *v);

/*
 * `count` records at `tick`, the viewer's own at index `own` (HP_INDEX_NONE:
 * none), and now and then events about it. Positions, attitudes and the rest
 * are within the schema's ranges.
 */
void world_fill(struct world_view *v, uint64_t tick, uint32_t count,
                uint32_t own);

/* What a broken sim might say: not-a-numbers, infinities, huge numbers in
 * every real field of some records. */
void world_spoil(struct world_view *v, struct chance *r);

#endif
