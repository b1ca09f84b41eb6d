// predictor_@name@ - shows the own record as the newest snapshot has it.
//
// The place to start from: it predicts nothing yet. `limits->model` of start
// steps the own state by one input; keep the inputs that the server has not
// used, and step them again on its exact state when the two differ.
#include <algorithm>
#include <cerrno>
#include <hardpoint/predictor.h>
#include <new>
#include <vector>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "the own record as the server has it"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

struct hp_instance {
    std::vector<char> record; // of the newest snapshot
    bool known = false;       // whether `record` says anything
};

namespace
{

// ---- its life, all [main]; nothing may be thrown into the host ----

int
create(const hp_host *, hp_instance **out)
{
    *out = new (std::nothrow) hp_instance;
    return *out == nullptr ? -ENOMEM : 0;
}

// All memory that the later calls use is allocated here.
int
start(hp_instance *self, const hp_limits *limits)
{
    try {
        self->record.assign(limits->schema->record_bytes, 0);
    } catch (const std::bad_alloc &) {
        return -ENOMEM;
    }
    self->known = false;
    return 0;
}

void
stop(hp_instance *self)
{
    self->record = {};
}

void
destroy(hp_instance *self)
{
    delete self;
}

// ---- the calls of its kind ----

// [tick] Here the model would step.
void
take_input(hp_instance *, const hp_tick *, const hp_input *)
{
}

// [tick] Returns 1 to ask for the exact own state: never.
int
take_snapshot(hp_instance *self, const hp_truth *, const hp_view *view)
{
    self->known = view->own != HP_INDEX_NONE;
    if (!self->known)
        return 0;
    // Records are stepped by the view's stride, not by their size.
    auto own = static_cast<const char *>(view->entities) +
               size_t(view->own) * view->stride;
    std::copy_n(own, self->record.size(), self->record.begin());
    return 0;
}

// [tick]
int
give_own(hp_instance *self, void *record)
{
    if (!self->known)
        return -ENOENT;
    std::copy(self->record.begin(), self->record.end(),
              static_cast<char *>(record));
    return 0;
}

// [tick] What is shown between two snapshots is the older one.
int
present(hp_instance *self, uint64_t, void *record)
{
    return give_own(self, record);
}

// [any] What foretells nothing is never wrong.
void
measure(hp_instance *, hp_prediction *out)
{
    *out = {};
    out->size = sizeof(*out);
}

const hp_predictor_ops ops = {
    sizeof(ops), 0, take_input, take_snapshot, present, give_own, measure,
};

// ---- what the host reads first: a note in the file, then the table ----

HP_PLUGIN_NOTE(HP_KIND_PREDICTOR, HP_PLUGIN_DETERMINISTIC);

} // namespace

HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_PREDICTOR, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    create,
    start,
    stop,
    destroy,
    &ops,
    nullptr /* extension */,
    nullptr /* reload */,
};
