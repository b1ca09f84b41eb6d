// cues_@name@ - plays an effect when the gun fires, and another when a hit is
// taken.
//
// The gun is felt in the client tick of the trigger, before the server knows;
// the hit as soon as the snapshot that tells of it is decoded. effects.ini says
// how each effect feels.
#include <cerrno>
#include <hardpoint/cues.h>
#include <new>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "an effect at the trigger, another at a hit"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

struct hp_instance {
    uint32_t buttons = 0; // of the input before
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

// The schema of the limits has the fields of `own` by name.
int
start(hp_instance *self, const hp_limits *)
{
    self->buttons = 0;
    return 0;
}

void
stop(hp_instance *)
{
}

void
destroy(hp_instance *self)
{
    delete self;
}

// ---- the calls of its kind ----

void
play(hp_effect_sink *sink, const char *effect, uint64_t cause_tick,
     uint32_t flags)
{
    if (sink->count >= sink->capacity)
        return;
    hp_effect_command &command = sink->commands[sink->count++];
    command = {};
    command.effect = effect;
    command.cause_tick = cause_tick;
    command.action = HP_EFFECT_PLAY;
    command.flags = flags;
    command.level = 1;
}

// [tick]
void
on_input(hp_instance *self, const hp_tick *tick, const hp_input *input,
         const void *, hp_effect_sink *sink)
{
    uint32_t pressed = input->buttons & ~self->buttons;

    self->buttons = input->buttons;
    if (pressed & HP_BUTTON_GUN)
        play(sink, "gun_burst", tick->index, HP_EFFECT_PREDICTED);
}

// [tick] Arrays are stepped by their stride.
void
on_snapshot(hp_instance *, const hp_view *view, const void *own,
            hp_effect_sink *sink)
{
    auto me = static_cast<const hp_entity *>(own);
    auto at = reinterpret_cast<const char *>(view->events);

    if (me == nullptr)
        return;
    for (uint32_t i = 0; i < view->event_count; i++, at += view->event_stride) {
        auto event = reinterpret_cast<const hp_event *>(at);
        if (event->type == HP_EVENT_HIT &&
            event->whom == HP_ENTITY_ID(me->slot, me->generation))
            play(sink, "hit_taken", event->tick, 0);
    }
}

const hp_cues_ops ops = {sizeof(ops), 0, on_input, on_snapshot};

// ---- what the host reads first: a note in the file, then the table ----

HP_PLUGIN_NOTE(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC);

} // namespace

HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    create,
    start,
    stop,
    destroy,
    &ops,
    nullptr /* extension */,
    nullptr /* reload */,
};
