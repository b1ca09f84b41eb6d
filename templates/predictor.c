/*
 * predictor_@name@ - shows the own record as the newest snapshot has it.
 *
 * The place to start from: it predicts nothing yet. `limits->model` of start
 * steps the own state by one input; keep the inputs that the server has not
 * used, and step them again on its exact state when the two differ.
 */
#include <errno.h>
#include <hardpoint/predictor.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "the own record as the server has it"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

struct hp_instance {
    char *record; /* of the newest snapshot, record_bytes long */
    uint32_t record_bytes;
    int known; /* whether `record` says anything */
};

/* ---- its life, all [main] ---- */

static int
create(const struct hp_host *host, struct hp_instance **out)
{
    (void)host;
    *out = calloc(1, sizeof(struct hp_instance));
    return *out == NULL ? -ENOMEM : 0;
}

/* All memory that the later calls use is allocated here. */
static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    self->record_bytes = limits->schema->record_bytes;
    self->record = calloc(1, self->record_bytes);
    self->known = 0;
    return self->record == NULL ? -ENOMEM : 0;
}

static void
stop(struct hp_instance *self)
{
    free(self->record);
    self->record = NULL;
}

static void
destroy(struct hp_instance *self)
{
    free(self);
}

/* ---- the calls of its kind ---- */

/* [tick] Here the model would step. */
static void
take_input(struct hp_instance *self, const struct hp_tick *tick,
           const struct hp_input *input)
{
    (void)self;
    (void)tick;
    (void)input;
}

/* [tick] Returns 1 to ask for the exact own state: never. */
static int
take_snapshot(struct hp_instance *self, const struct hp_truth *truth,
              const struct hp_view *view)
{
    const char *records = view->entities;

    (void)truth;
    self->known = view->own != HP_INDEX_NONE;
    /* Records are stepped by the view's stride, not by their size. */
    if (self->known)
        memcpy(self->record, records + (size_t)view->own * view->stride,
               self->record_bytes);
    return 0;
}

/* [tick] */
static int
give_own(struct hp_instance *self, void *record)
{
    if (!self->known)
        return -ENOENT;
    memcpy(record, self->record, self->record_bytes);
    return 0;
}

/* [tick] What is shown between two snapshots is the older one. */
static int
present(struct hp_instance *self, uint64_t time_ns, void *record)
{
    (void)time_ns;
    return give_own(self, record);
}

/* [any] What foretells nothing is never wrong. */
static void
measure(struct hp_instance *self, struct hp_prediction *out)
{
    (void)self;
    memset(out, 0, sizeof(*out));
    out->size = sizeof(*out);
}

static const struct hp_predictor_ops ops = {
    .size = sizeof(ops),
    .input = take_input,
    .snapshot = take_snapshot,
    .present = present,
    .own = give_own,
    .measure = measure,
};

/* ---- what the host reads first: a note in the file, then the table ---- */

HP_PLUGIN_NOTE(HP_KIND_PREDICTOR, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_PREDICTOR, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    create,
    start,
    stop,
    destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
