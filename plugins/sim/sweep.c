#include "sweep.h"

#include <errno.h>
#include <motion/vector.h>
#include <stdlib.h>

/* The ball that holds an aircraft's whole path in one tick. */
struct ball {
    double middle_m[3];
    double radius_m;
    uint32_t slot;
    uint32_t reserved;
};

struct sweep {
    struct ball *balls; /* by middle_m[0] */
    uint32_t *order;    /* slots as they stood in the newest tick */
    uint8_t *listed;    /* by slot: it is among them */
    double radius_max_m;
    uint32_t slots_max;
    uint32_t count;
};

int
sweep_create(struct sweep **out, uint32_t slots_max)
{
    struct sweep *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return -ENOMEM;
    s->slots_max = slots_max;
    s->balls = calloc(slots_max + 1, sizeof(*s->balls));
    s->order = calloc(slots_max + 1, sizeof(*s->order));
    s->listed = calloc(slots_max + 1, sizeof(*s->listed));
    if (s->balls == NULL || s->order == NULL || s->listed == NULL) {
        sweep_destroy(s);
        return -ENOMEM;
    }
    *out = s;
    return 0;
}

void
sweep_destroy(struct sweep *s)
{
    if (s == NULL)
        return;
    free(s->balls);
    free(s->order);
    free(s->listed);
    free(s);
}

static int
is_target(const struct combat_scene *scene, uint32_t slot)
{
    return slot < scene->slots_end && scene->used[slot] &&
           !(scene->after[slot].happened & AIRCRAFT_DID_RESPAWN);
}

/* Keeps the old order, drops who is gone, and appends who is new. */
static void
list_targets(struct sweep *s, const struct combat_scene *scene)
{
    uint32_t i, slot, kept = 0;

    for (i = 0; i < s->count; i++) {
        slot = s->order[i];
        s->listed[slot] = (uint8_t)is_target(scene, slot);
        if (s->listed[slot])
            s->order[kept++] = slot;
    }
    for (slot = 0; slot < scene->slots_end; slot++)
        if (!s->listed[slot] && is_target(scene, slot)) {
            s->listed[slot] = 1;
            s->order[kept++] = slot;
        }
    s->count = kept;
}

static void
ball_of(struct ball *out, const struct combat_scene *scene, uint32_t slot,
        double radius_m)
{
    const double *was = scene->before[slot].state.position_m;
    const double *is = scene->after[slot].state.position_m;
    double way[3];
    int i;

    for (i = 0; i < 3; i++)
        way[i] = is[i] - was[i];
    vector_between(out->middle_m, was, is, 0.5);
    out->radius_m = radius_m + vector_length(way) / 2;
    out->slot = slot;
}

/* Insertion, which is cheap because few change places from tick to tick. */
static void
insert(struct sweep *s, uint32_t end, const struct ball *ball)
{
    uint32_t i = end;

    for (; i > 0 && s->balls[i - 1].middle_m[0] > ball->middle_m[0]; i--)
        s->balls[i] = s->balls[i - 1];
    s->balls[i] = *ball;
}

void
sweep_gather(struct sweep *s, const struct combat_scene *scene, double radius_m)
{
    struct ball ball = {.reserved = 0};
    uint32_t i;

    list_targets(s, scene);
    s->radius_max_m = 0;
    for (i = 0; i < s->count; i++) {
        ball_of(&ball, scene, s->order[i], radius_m);
        if (ball.radius_m > s->radius_max_m)
            s->radius_max_m = ball.radius_m;
        insert(s, i, &ball);
    }
    for (i = 0; i < s->count; i++)
        s->order[i] = s->balls[i].slot;
}

void
sweep_look(const struct sweep *s, struct sweep_look *look,
           const double from_m[3], const double to_m[3], double around_m)
{
    uint32_t low = 0, high = s->count, middle;
    double way[3], edge;
    int i;

    for (i = 0; i < 3; i++)
        way[i] = to_m[i] - from_m[i];
    vector_between(look->middle_m, from_m, to_m, 0.5);
    look->radius_m = around_m + vector_length(way) / 2;
    edge = look->middle_m[0] - look->radius_m - s->radius_max_m;
    while (low < high) {
        middle = (low + high) / 2;
        if (s->balls[middle].middle_m[0] < edge)
            low = middle + 1;
        else
            high = middle;
    }
    look->next = low;
}

uint32_t
sweep_next(const struct sweep *s, struct sweep_look *look)
{
    double edge = look->middle_m[0] + look->radius_m + s->radius_max_m;
    const struct ball *b;
    double reach;

    while (look->next < s->count) {
        b = &s->balls[look->next];
        if (b->middle_m[0] > edge)
            break;
        look->next++;
        reach = b->radius_m + look->radius_m;
        if (fabs(b->middle_m[0] - look->middle_m[0]) <= reach &&
            fabs(b->middle_m[1] - look->middle_m[1]) <= reach &&
            fabs(b->middle_m[2] - look->middle_m[2]) <= reach)
            return b->slot;
    }
    return HP_INDEX_NONE;
}
