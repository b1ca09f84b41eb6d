#include "input_queue.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wire/usage.h>

struct slot {
    uint64_t tick; /* UINT64_MAX: empty */
    uint64_t arrived_ns;
    uint64_t snapshot;
    struct hp_input input;
};

struct input_queue {
    uint32_t window;
    uint32_t mask; /* slots - 1; slots is a power of two over 2 x window */
    uint64_t next; /* the tick that take is called for next */
    uint32_t missed_buttons;
    struct hp_input used; /* by the tick before `next` */
    struct input_account account;
    struct slot *slots;
};

int
input_queue_create(struct input_queue **out, uint32_t window)
{
    struct input_queue *q = calloc(1, sizeof(*q));
    uint32_t slots = 1;

    if (q == NULL)
        return -ENOMEM;
    while (slots <= 2 * window)
        slots *= 2;
    q->window = window;
    q->mask = slots - 1;
    q->slots = calloc(slots, sizeof(*q->slots));
    if (q->slots == NULL) {
        input_queue_destroy(q);
        return -ENOMEM;
    }
    input_queue_reset(q, 0);
    *out = q;
    return 0;
}

void
input_queue_destroy(struct input_queue *q)
{
    if (q == NULL)
        return;
    free(q->slots);
    free(q);
}

void
input_queue_reset(struct input_queue *q, uint64_t next)
{
    uint32_t i;

    for (i = 0; i <= q->mask; i++)
        q->slots[i].tick = UINT64_MAX;
    q->next = next;
    q->missed_buttons = 0;
    q->used = (struct hp_input){0};
    q->account = (struct input_account){0};
}

int
input_queue_push(struct input_queue *q, uint64_t tick,
                 const struct hp_input *input, uint64_t arrived_ns,
                 uint64_t snapshot)
{
    struct slot *slot = &q->slots[tick & q->mask];

    if (tick + q->window < q->next || tick > q->next + q->window)
        return -ERANGE;
    /* A client whose clock went back commands a tick anew; what it sends again
     * for being unconfirmed is the same. */
    if (slot->tick == tick &&
        (tick < q->next || snapshot <= slot->snapshot ||
         memcmp(&slot->input, input, sizeof(*input)) == 0))
        return 0;
    slot->tick = tick;
    slot->arrived_ns = arrived_ns;
    slot->snapshot = snapshot;
    slot->input = *input;
    return 1;
}

/* Late inputs since the last fresh one: their presses wait here. */
static uint32_t
late_buttons(const struct input_queue *q, uint64_t tick)
{
    const struct slot *slot;
    uint32_t buttons = 0, used = q->account.used_mask;
    uint64_t back;

    for (back = 1; back <= tick && back <= 32 && (used & 1) == 0; back++) {
        slot = &q->slots[(tick - back) & q->mask];
        if (slot->tick == tick - back)
            buttons |= slot->input.buttons;
        used >>= 1;
    }
    return buttons;
}

/* The newest input that is here up to `tick`, early, in time or late. */
static void
find_newest(struct input_queue *q, uint64_t tick, uint64_t start_ns,
            uint64_t period_ns)
{
    const struct slot *slot;
    uint64_t back;

    for (back = 0; back <= tick && tick - back > q->account.newest; back++) {
        slot = &q->slots[(tick - back) & q->mask];
        if (slot->tick != tick - back)
            continue;
        q->account.newest = slot->tick;
        q->account.arrived_ns = slot->arrived_ns;
        q->account.snapshot = slot->snapshot;
        q->account.margin_ns =
            (int64_t)(start_ns - back * period_ns - slot->arrived_ns);
        return;
    }
}

void
input_queue_take(struct input_queue *q, uint64_t tick, uint64_t start_ns,
                 uint64_t period_ns, struct hp_input *out)
{
    const struct slot *slot = &q->slots[tick & q->mask];
    int fresh = slot->tick == tick;

    find_newest(q, tick, start_ns, period_ns);
    if (fresh)
        usage_fresh(&slot->input, late_buttons(q, tick), out);
    else
        usage_repeat(&q->used, out);
    q->account.fresh = fresh;
    q->account.used_mask = q->account.used_mask << 1 | (uint32_t)fresh;
    q->used = *out;
    q->next = tick + 1;
}

void
input_queue_account(const struct input_queue *q, struct input_account *out)
{
    *out = q->account;
}
