/*
 * predictor_none - no prediction: the client's own aircraft is where the
 * newest snapshot says, one round trip late. The yardstick for the others.
 */
#include <errno.h>
#include <hardpoint/predictor.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "none"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "the own aircraft as the newest snapshot has it"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

struct hp_instance {
    uint8_t *record; /* of the newest snapshot */
    uint32_t record_bytes;
    int known; /* whether `record` holds one */
};

static int
none_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));

    (void)host;
    if (self == NULL)
        return -ENOMEM;
    *out = self;
    return 0;
}

static int
none_start(struct hp_instance *self, const struct hp_limits *limits)
{
    self->record_bytes = limits->schema->record_bytes;
    self->record = calloc(1, self->record_bytes);
    self->known = 0;
    return self->record == NULL ? -ENOMEM : 0;
}

static void
none_stop(struct hp_instance *self)
{
    free(self->record);
    self->record = NULL;
}

static void
none_destroy(struct hp_instance *self)
{
    free(self);
}

/* [tick] What the pilot does shows when the server says so. */
static void
none_input(struct hp_instance *self, const struct hp_tick *tick,
           const struct hp_input *input)
{
    (void)self;
    (void)tick;
    (void)input;
}

/* [tick] */
static int
none_snapshot(struct hp_instance *self, const struct hp_truth *truth,
              const struct hp_view *view)
{
    const char *records = view->entities;

    (void)truth;
    self->known = view->own != HP_INDEX_NONE;
    if (self->known)
        memcpy(self->record, records + (size_t)view->own * view->stride,
               self->record_bytes);
    return 0;
}

/* [tick] */
static int
none_own(struct hp_instance *self, void *record)
{
    if (!self->known)
        return -ENOENT;
    memcpy(record, self->record, self->record_bytes);
    return 0;
}

/* [tick] The same at any time: nothing is predicted, so nothing moves between
 * two snapshots. */
static int
none_present(struct hp_instance *self, uint64_t time_ns, void *record)
{
    (void)time_ns;
    return none_own(self, record);
}

/* [any] It foretells nothing, so it is never wrong. */
static void
none_measure(struct hp_instance *self, struct hp_prediction *out)
{
    (void)self;
    memset(out, 0, sizeof(*out));
    out->size = sizeof(*out);
}

static const struct hp_predictor_ops ops = {
    .size = sizeof(ops),
    .input = none_input,
    .snapshot = none_snapshot,
    .present = none_present,
    .own = none_own,
    .measure = none_measure,
};

HP_PLUGIN_NOTE(HP_KIND_PREDICTOR, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_PREDICTOR, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    none_create,
    none_start,
    none_stop,
    none_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
