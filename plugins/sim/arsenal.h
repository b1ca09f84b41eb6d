/*
 * The stores in the air: a bounded pool of bombs and missiles, whom each missile
 * follows, and whom they hit. The server's alone.
 */
#ifndef SIM_ARSENAL_H
#define SIM_ARSENAL_H

#include "gun.h"
#include "missile.h"
#include "sweep.h"

#define ARSENAL_MAX 512 /* in the air; one more is lost as it leaves */

/* A store that left its aircraft in the newest tick. */
struct arsenal_launch {
    uint32_t shooter; /* slot */
    uint32_t target;  /* slot, or HP_INDEX_NONE */
    uint32_t kind;    /* STORE_MISSILE or STORE_BOMB */
};

/* Where hits go: at most `capacity`, later ones are not counted. */
struct hit_list {
    struct gun_hit *hits;
    uint32_t count;
    uint32_t capacity;
};

struct arsenal;

/* An empty pool; a tick of at most `slots_max` aircraft, each letting go of one.
 * 0 and an arsenal for arsenal_destroy, or -ENOMEM. */
int arsenal_create(struct arsenal **out, uint32_t slots_max);

/* Accepts NULL. */
void arsenal_destroy(struct arsenal *a);

/* Stores of a slot vanish, and those after it go on without it. */
void arsenal_forget(struct arsenal *a, uint32_t slot);

/* Whether a tick has anything to do for it. */
int arsenal_busy(const struct arsenal *a, const struct combat_scene *scene);

/*
 * [tick] Takes what the aircraft let go, flies all to the tick's end and adds
 * hits. `sweep` has gathered the scene.
 */
void arsenal_step(struct arsenal *a, const struct combat_scene *scene,
                  const struct sweep *sweep, struct hit_list *hits);

/* What left in the newest step, in order of slot. */
const struct arsenal_launch *arsenal_launches(const struct arsenal *a,
                                              uint32_t *count);

/* The stores in the air, in the order in which they left. */
const struct flying_store *arsenal_stores(const struct arsenal *a,
                                          uint32_t *count);

#endif
