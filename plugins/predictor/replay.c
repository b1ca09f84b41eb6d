/*
 * predictor_replay - the own aircraft, ahead of the server. Each input is
 * stepped at once; each snapshot says, by a check word, whether the server got
 * the same state from it. When it did not, the exact state is asked for, put
 * in its place, and the inputs after it are stepped again.
 *
 * Ticks are compared by number, never by an estimate of the delay, and states
 * to the last bit: a correction is a fault to be explained.
 */
#include "bleed.h"
#include "history.h"
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "replay"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "steps inputs at once, replays them on the exact truth"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

/* A difference so large is another place, not a miss: it is not bled off. */
#define ELSEWHERE_M 100.0

struct hp_instance {
    const struct hp_host *host;
    const struct hp_model *model;
    struct history *history;
    struct bleed bleed;
    struct hp_entity *before; /* records on the two sides of a correction */
    struct hp_entity *after;
    uint32_t window;
    uint64_t own_tick;     /* of the newest exact state taken */
    uint64_t checked_tick; /* newest snapshot compared */
    int own_taken;         /* whether own_tick says anything */
    int wanted;            /* the exact state is asked for */

    /* Written in [tick], read from any thread. */
    atomic_ullong checked, wrong, replayed;
    _Atomic double last_error_m, worst_error_m, last_error_rad;
};

static int
replay_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    *out = self;
    return 0;
}

static void
replay_stop(struct hp_instance *self)
{
    history_destroy(self->history);
    free(self->before);
    free(self->after);
    self->history = NULL;
    self->before = NULL;
    self->after = NULL;
}

static int
replay_start(struct hp_instance *self, const struct hp_limits *limits)
{
    uint32_t record_bytes = limits->schema->record_bytes;

    if (limits->model == NULL)
        return self->host->fail(self->host, -EINVAL,
                                "there is no model to predict with: this sim "
                                "needs `predictor = none`");
    self->model = limits->model;
    self->window = limits->window_ticks;
    bleed_reset(&self->bleed);
    self->before = calloc(1, record_bytes);
    self->after = calloc(1, record_bytes);
    if (self->before != NULL && self->after != NULL &&
        history_create(&self->history, limits) == 0)
        return 0;
    replay_stop(self);
    return -ENOMEM;
}

static void
replay_destroy(struct hp_instance *self)
{
    free(self);
}

/* [tick] */
static void
replay_input(struct hp_instance *self, const struct hp_tick *tick,
             const struct hp_input *input)
{
    history_push(self->history, tick->index, input);
}

/* ---- the server's word ---- */

static void
view_newest(const struct hp_instance *self, void *record)
{
    self->model->own_view(
        self->model->self,
        history_state(self->history, history_newest(self->history)), record);
}

/* What the pilot sees of a correction. A new aircraft is none. */
static void
measure_correction(struct hp_instance *self)
{
    double error_m = bleed_distance_m(self->before, self->after);

    if (self->before->slot != self->after->slot ||
        self->before->generation != self->after->generation) {
        bleed_reset(&self->bleed);
        return;
    }
    atomic_store(&self->last_error_m, error_m);
    atomic_store(&self->last_error_rad,
                 bleed_angle_rad(self->before, self->after));
    if (error_m > atomic_load(&self->worst_error_m))
        atomic_store(&self->worst_error_m, error_m);
    if (error_m < ELSEWHERE_M)
        bleed_add(&self->bleed, self->before, self->after);
    else
        bleed_reset(&self->bleed);
}

/*
 * Whether more inputs wait for the server's word than can be on their way to
 * it. The delay in ticks says how many that may be; half a window is for what
 * it does not know yet. Zero: the server does not know the delay.
 */
static int
is_too_far_ahead(const struct hp_instance *self, const struct hp_truth *truth)
{
    uint64_t newest = history_newest(self->history);

    return truth->peer_delay_ticks > 0 && newest > truth->tick &&
           newest - truth->tick >
               (uint64_t)truth->peer_delay_ticks + self->window / 2;
}

static void
replay(struct hp_instance *self, const struct hp_truth *truth)
{
    uint64_t ahead = history_newest(self->history) - truth->tick;
    char line[160];

    if ((truth->flags & HP_TRUTH_OWN) == 0 || !is_too_far_ahead(self, truth)) {
        atomic_fetch_add(&self->replayed, history_replay(self->history));
        return;
    }
    history_snap(self->history);
    snprintf(line, sizeof(line),
             "%" PRIu64 " ticks ahead of the server, whose delay is %" PRIu32
             ": the aircraft is put where the server has it",
             ahead, truth->peer_delay_ticks);
    self->host->log(self->host, HP_LOG_WARNING, line);
}

/* Puts the exact state in its place. 1: it was not what was predicted. */
static int
take_own(struct hp_instance *self, const struct hp_truth *truth)
{
    int changed;

    if (self->own_taken && truth->own_tick < self->own_tick)
        return 0; /* overtaken by a newer one */
    changed = history_restore(self->history, truth->own_tick, truth->own);
    if (changed < 0)
        return 0; /* older than the inputs that are kept: the next will do */
    self->own_tick = truth->own_tick;
    self->own_taken = 1;
    self->wanted = 0;
    return changed;
}

/* Whether the server has what was predicted for its tick. A tick is counted
 * once, and nothing is while the exact state is on its way. */
static void
compare(struct hp_instance *self, const struct hp_truth *truth)
{
    const void *state;
    int same;

    if (!history_is_known(self->history)) {
        self->wanted = 1;
        return;
    }
    if (truth->tick < history_oldest(self->history))
        return; /* the exact state of a later tick is here already */
    state = history_state(self->history, truth->tick);
    same = self->model->own_digest(state, self->model->own_bytes) ==
           truth->own_check;
    if (!self->wanted && truth->tick > self->checked_tick) {
        atomic_fetch_add(&self->checked, 1);
        atomic_fetch_add(&self->wrong, !same);
        self->checked_tick = truth->tick;
    }
    self->wanted = !same;
}

/* How far the history must reach for this: a snapshot may be newer than the
 * newest input, when the client is late. The ticks between are missed ones. */
static uint64_t
reach_of(const struct hp_truth *truth)
{
    if (truth->flags & HP_TRUTH_OWN && truth->own_tick > truth->tick)
        return truth->own_tick;
    return truth->tick;
}

/* [tick] */
static int
replay_snapshot(struct hp_instance *self, const struct hp_truth *truth,
                const struct hp_view *view)
{
    int was_known, changed;

    (void)view;
    if ((truth->flags & (HP_TRUTH_OWN | HP_TRUTH_CHECK)) == 0) {
        history_forget_states(self->history); /* nothing is ours */
        self->own_taken = 0;
        self->wanted = 0;
        return 0;
    }
    history_extend(self->history, reach_of(truth));
    was_known = history_is_known(self->history);
    if (was_known)
        view_newest(self, self->before);

    changed = history_learn(self->history, truth->tick, truth->used_mask);
    if (truth->flags & HP_TRUTH_OWN)
        changed |= take_own(self, truth);
    if (changed && history_is_known(self->history)) {
        replay(self, truth);
        view_newest(self, self->after);
        if (was_known)
            measure_correction(self);
    }
    if (truth->flags & HP_TRUTH_CHECK)
        compare(self, truth);
    return self->wanted;
}

/* ---- what is shown ---- */

/* [tick] */
static int
replay_own(struct hp_instance *self, void *record)
{
    if (!history_is_known(self->history))
        return -ENOENT;
    view_newest(self, record);
    return 0;
}

/* [tick] */
static int
replay_present(struct hp_instance *self, uint64_t time_ns, void *record)
{
    int err = replay_own(self, record);

    if (err == 0)
        bleed_apply(&self->bleed, time_ns, record);
    return err;
}

/* [any] */
static void
replay_measure(struct hp_instance *self, struct hp_prediction *out)
{
    *out = (struct hp_prediction){
        .size = sizeof(*out),
        .checked = atomic_load(&self->checked),
        .wrong = atomic_load(&self->wrong),
        .replayed = atomic_load(&self->replayed),
        .last_error_m = atomic_load(&self->last_error_m),
        .worst_error_m = atomic_load(&self->worst_error_m),
        .last_error_rad = atomic_load(&self->last_error_rad),
    };
}

static const struct hp_predictor_ops ops = {
    .size = sizeof(ops),
    .input = replay_input,
    .snapshot = replay_snapshot,
    .present = replay_present,
    .own = replay_own,
    .measure = replay_measure,
};

HP_PLUGIN_NOTE(HP_KIND_PREDICTOR, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_PREDICTOR, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    replay_create,
    replay_start,
    replay_stop,
    replay_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
