#include "history.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wire/usage.h>

/* As far back as a used_mask reaches. */
#define MASK_TICKS 32

struct moment {
    struct hp_input sample; /* the pilot's, when `sampled` */
    struct hp_input used;   /* what the tick was stepped with */
    uint8_t sampled;
    uint8_t missed; /* the sample was not there in time */
};

struct history {
    const struct hp_model *model;
    uint32_t rate_num, rate_den;
    uint32_t window;    /* ticks kept */
    uint32_t own_bytes; /* of a state ... */
    size_t own_stride;  /* ... and from one to the next, for alignment */
    struct moment *moments;
    uint8_t *states;
    uint64_t first;  /* oldest moment */
    uint64_t newest; /* newest moment; nothing is there before `begun` */
    uint64_t oldest; /* oldest state, when `known` */
    uint64_t stale;  /* the states from here on are to be stepped again */
    int begun;
    int known;
};

int
history_create(struct history **out, const struct hp_limits *limits)
{
    struct history *h = calloc(1, sizeof(*h));

    if (h == NULL)
        return -ENOMEM;
    h->model = limits->model;
    h->rate_num = limits->rate_num;
    h->rate_den = limits->rate_den;
    h->window = limits->window_ticks < 2 ? 2 : limits->window_ticks;
    h->own_bytes = limits->model->own_bytes;
    h->own_stride = ((size_t)h->own_bytes + 7) & ~(size_t)7;
    h->moments = calloc(h->window, sizeof(*h->moments));
    h->states = calloc(h->window, h->own_stride);
    if (h->moments == NULL || h->states == NULL) {
        history_destroy(h);
        return -ENOMEM;
    }
    *out = h;
    return 0;
}

void
history_destroy(struct history *h)
{
    if (h == NULL)
        return;
    free(h->moments);
    free(h->states);
    free(h);
}

int
history_is_known(const struct history *h)
{
    return h->known;
}

uint64_t
history_oldest(const struct history *h)
{
    return h->oldest;
}

uint64_t
history_newest(const struct history *h)
{
    return h->newest;
}

void
history_forget_states(struct history *h)
{
    h->known = 0;
}

static struct moment *
moment_at(const struct history *h, uint64_t tick)
{
    return &h->moments[tick % h->window];
}

static uint8_t *
state_at(const struct history *h, uint64_t tick)
{
    return h->states + tick % h->window * h->own_stride;
}

const void *
history_state(const struct history *h, uint64_t tick)
{
    return state_at(h, tick);
}

/* The buttons of the missed samples just before a tick: they move into it. */
static uint32_t
missed_buttons(const struct history *h, uint64_t tick)
{
    const struct moment *m;
    uint32_t back, buttons = 0;

    for (back = 1; back <= MASK_TICKS && tick - h->first >= back; back++) {
        m = moment_at(h, tick - back);
        if (!m->missed)
            break;
        if (m->sampled)
            buttons |= m->sample.buttons;
    }
    return buttons;
}

/* Works out what a tick was stepped with, the ticks before it being decided. */
static void
decide(struct history *h, uint64_t tick)
{
    static const struct hp_input centred;
    struct moment *m = moment_at(h, tick);

    if (!m->missed)
        usage_fresh(&m->sample, missed_buttons(h, tick), &m->used);
    else if (tick > h->first)
        usage_repeat(&moment_at(h, tick - 1)->used, &m->used);
    else
        usage_repeat(&centred, &m->used);
}

static void
step(struct history *h, uint64_t tick)
{
    struct hp_tick t = {
        .index = tick,
        .dt_s = (double)h->rate_den / (double)h->rate_num,
        .rate_num = h->rate_num,
        .rate_den = h->rate_den,
    };
    uint8_t *state = state_at(h, tick);

    memcpy(state, state_at(h, tick - 1), h->own_bytes);
    h->model->step(h->model->self, state, &moment_at(h, tick)->used, &t);
}

/* The next tick, with the pilot's sample or NULL. */
static void
append(struct history *h, uint64_t tick, const struct hp_input *sample)
{
    struct moment *m = moment_at(h, tick);

    if (!h->begun)
        h->first = tick;
    h->begun = 1;
    h->newest = tick;
    if (h->newest - h->first >= h->window)
        h->first = h->newest - h->window + 1;
    memset(m, 0, sizeof(*m));
    m->sampled = sample != NULL;
    m->missed = sample == NULL;
    if (sample != NULL)
        m->sample = *sample;
    decide(h, tick);
    if (!h->known)
        return;
    step(h, tick);
    h->stale = tick + 1;
    if (h->oldest < h->first)
        h->oldest = h->first;
}

void
history_extend(struct history *h, uint64_t tick)
{
    /* A leap over the whole window leaves nothing to build on, either way. */
    if (!h->begun || tick < h->first ||
        (tick > h->newest && tick - h->newest >= h->window)) {
        h->begun = 0;
        h->known = 0;
        append(h, tick, NULL);
    }
    while (h->newest < tick)
        append(h, h->newest + 1, NULL);
}

void
history_push(struct history *h, uint64_t tick, const struct hp_input *sample)
{
    struct moment *m;

    if (h->begun && tick >= h->first && tick <= h->newest) {
        /* The server has stepped this tick without it; its buttons go on. */
        m = moment_at(h, tick);
        if (!m->sampled) {
            m->sample = *sample;
            m->sampled = 1;
        }
        return;
    }
    if (h->begun && (tick > h->newest + 1 || tick < h->first))
        history_extend(h, tick - 1);
    append(h, tick, sample);
}

/* Notes which of the ticks up to `tick` were missed; returns the oldest that
 * was believed to be otherwise, or UINT64_MAX. Also before the oldest state:
 * the ticks after it may repeat or inherit from one before. */
static uint64_t
note_missed(struct history *h, uint64_t tick, uint32_t used_mask)
{
    uint64_t from = h->first, t, changed = UINT64_MAX;
    struct moment *m;
    uint8_t missed;

    if (tick >= MASK_TICKS && from < tick - (MASK_TICKS - 1))
        from = tick - (MASK_TICKS - 1);
    for (t = tick; t >= from && t <= h->newest; t--) {
        m = moment_at(h, t);
        missed = !m->sampled || (used_mask >> (tick - t) & 1) == 0;
        if (missed != m->missed)
            changed = t;
        m->missed = missed;
        if (t == 0)
            break;
    }
    return changed;
}

/* Decides a tick anew; 1: it was stepped with something else. */
static int
decide_again(struct history *h, uint64_t tick)
{
    struct hp_input before = moment_at(h, tick)->used;

    decide(h, tick);
    return memcmp(&before, &moment_at(h, tick)->used, sizeof(before)) != 0;
}

int
history_learn(struct history *h, uint64_t tick, uint32_t used_mask)
{
    uint64_t t, stale = UINT64_MAX;

    for (t = note_missed(h, tick, used_mask); t <= h->newest; t++)
        if (decide_again(h, t) && t < stale && h->known && t > h->oldest)
            stale = t;
    if (stale == UINT64_MAX)
        return 0;
    if (stale < h->stale)
        h->stale = stale;
    return 1;
}

int
history_restore(struct history *h, uint64_t tick, const void *own)
{
    int same;

    if (tick < h->first || tick > h->newest)
        return -ERANGE;
    same = h->known && tick >= h->oldest &&
           memcmp(state_at(h, tick), own, h->own_bytes) == 0;
    memcpy(state_at(h, tick), own, h->own_bytes);
    if (!same || h->stale <= tick)
        h->stale = tick + 1;
    h->oldest = tick;
    h->known = 1;
    return !same;
}

void
history_snap(struct history *h)
{
    if (h->oldest != h->newest)
        memcpy(state_at(h, h->newest), state_at(h, h->oldest), h->own_bytes);
    h->oldest = h->newest;
    h->stale = h->newest + 1;
}

uint32_t
history_replay(struct history *h)
{
    uint32_t steps = 0;

    for (; h->stale <= h->newest; h->stale++, steps++)
        step(h, h->stale);
    return steps;
}
