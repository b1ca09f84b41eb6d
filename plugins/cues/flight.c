/*
 * cues_flight - what a pilot feels. What the pilot does himself is felt in the
 * client tick of the input, before the server knows: the gun, the afterburner,
 * the gear handle. What the world does is felt as soon as the snapshot that
 * says so is decoded: a hit, the touchdown, the stall, the ground coming up,
 * the shudder at Mach 1.
 *
 * Each fires once. The server's confirmation of something that was predicted
 * is swallowed; conditions have two thresholds, so that none flickers.
 */
#include "field.h"
#include <errno.h>
#include <hardpoint/cues.h>
#include <stdio.h>
#include <stdlib.h>

#define HP_NAME    "flight"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "what a pilot feels: gun, burner, gear, hits, stall, ground"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

/* gun_burst of effects.ini lasts as long: while the gun fires it is played
 * beat after beat. */
#define GUN_BEAT_S 0.1

/* How often a hold is kept alive: well within the mixer's 250 ms. */
#define HOLD_BEAT_S 0.05

/* A missed input's press moves to a later tick, by as much as this. */
#define MOVED_TICKS 32
#define SPANS       8

#define STALL_ON  0.05
#define STALL_OFF 0.02

/* Times the warning's time to be off again. */
#define GPWS_OFF_FACTOR 1.3
#define GEAR_IS_DOWN    0.5

#define BAND_FROM_MACH  0.95
#define BAND_TO_MACH    1.05
#define HYSTERESIS_MACH 0.02

/* Sink rates of the softest and the hardest touchdown, m/s. */
#define SOFT_MPS 0.5
#define HARD_MPS 4.0
#define LEAST    0.15f

static const struct hp_param params[] = {
    {
     .name = "gpws_s",
     .unit = "s",
     .preset = "6",
     .sentence = "Seconds to the ground at which it warns; 0 for never.",
     .minimum = 0,
     .maximum = 30,
     .type = HP_PARAM_REAL,
     },
};

/* From the first to the last tick of something that was predicted. */
struct span {
    uint64_t first;
    uint64_t last;
    int made;
};

/* What was predicted of one kind lately, the newest at `newest`. */
struct predicted {
    struct span spans[SPANS];
    unsigned newest;
};

struct hp_instance {
    const struct hp_host *host;
    double gpws_s;
    uint32_t rate_num, rate_den;
    struct field stall, mach, gear, time_to_ground_s;

    uint32_t buttons; /* of the input before */
    double gun_wait_s;
    double burner_wait_s;
    struct predicted guns, gears;

    uint32_t own_id;     /* HP_ENTITY_ID of the own record, or NONE */
    uint64_t stall_tick; /* of the newest word on the hold */
    int stalled;         /* the hold is on */
    int warned;          /* of the ground, and not clear of it since */
    int in_band;         /* about Mach 1 */
};

static int
flight_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    int err;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    err = host->param_real(host, "gpws_s", 0, &self->gpws_s);
    if (err < 0) {
        free(self);
        return err;
    }
    *out = self;
    return 0;
}

static struct field
find(const struct hp_instance *self, const struct hp_schema *schema,
     const char *name, const char *effect)
{
    struct field f = field_find(schema, name);
    char line[160];

    if (f.type == 0) {
        snprintf(line, sizeof(line),
                 "the sim's schema \"%s\" has no number \"%s\": %s is off",
                 schema->name, name, effect);
        self->host->log(self->host, HP_LOG_WARNING, line);
    }
    return f;
}

static void
flight_stop(struct hp_instance *self)
{
    (void)self;
}

static int
flight_start(struct hp_instance *self, const struct hp_limits *limits)
{
    const struct hp_schema *schema = limits->schema;

    self->rate_num = limits->rate_num;
    self->rate_den = limits->rate_den;
    self->own_id = HP_ENTITY_NONE;
    self->stall = find(self, schema, "stall", "stall_buffet");
    self->mach = find(self, schema, "mach", "transonic_buffet");
    self->time_to_ground_s = find(self, schema, "time_to_ground_s", "gpws");
    self->gear =
        find(self, schema, "gear", "the silence of gpws with the gear down");
    return 0;
}

static void
flight_destroy(struct hp_instance *self)
{
    free(self);
}

/* ---- commands ---- */

/* The command is the caller's to adorn; a full sink gives one that nobody
 * reads. */
static struct hp_effect_command *
command(struct hp_effect_sink *sink, struct hp_effect_command *spare,
        uint32_t action, const char *effect, uint64_t cause_tick)
{
    struct hp_effect_command *c = spare;

    if (sink->count < sink->capacity)
        c = &sink->commands[sink->count++];
    *c = (struct hp_effect_command){
        .effect = effect,
        .cause_tick = cause_tick,
        .action = action,
        .level = 1,
    };
    return c;
}

static void
predict(struct hp_effect_sink *sink, uint32_t action, const char *effect,
        uint64_t tick)
{
    struct hp_effect_command spare;

    command(sink, &spare, action, effect, tick)->flags = HP_EFFECT_PREDICTED;
}

static void
react(struct hp_effect_sink *sink, uint32_t action, const char *effect,
      uint64_t tick, float level)
{
    struct hp_effect_command spare;

    command(sink, &spare, action, effect, tick)->level = level;
}

/* ---- what was predicted ---- */

static void
predicted_begin(struct predicted *p, uint64_t tick)
{
    p->newest = (p->newest + 1) % SPANS;
    p->spans[p->newest] = (struct span){tick, tick, 1};
}

static void
predicted_go_on(struct predicted *p, uint64_t tick)
{
    p->spans[p->newest].last = tick;
}

/* Whether an event caused by `tick` was felt already. */
static int
predicted_has(const struct predicted *p, uint64_t tick)
{
    int i;

    for (i = 0; i < SPANS; i++)
        if (p->spans[i].made && p->spans[i].first <= tick &&
            tick <= p->spans[i].last + MOVED_TICKS)
            return 1;
    return 0;
}

/* ---- inputs: felt before the server knows ---- */

static int
has_flag(const void *record, uint32_t flags)
{
    const struct hp_entity *head = record;

    return head != NULL && (head->flags & flags) != 0;
}

static void
cue_gun(struct hp_instance *self, const struct hp_tick *tick, uint32_t buttons,
        struct hp_effect_sink *sink)
{
    if (!(buttons & HP_BUTTON_GUN))
        return;
    if (!(self->buttons & HP_BUTTON_GUN)) {
        predicted_begin(&self->guns, tick->index);
        self->gun_wait_s = 0;
    }
    predicted_go_on(&self->guns, tick->index);
    if (self->gun_wait_s < tick->dt_s / 2) {
        predict(sink, HP_EFFECT_PLAY, "gun_burst", tick->index);
        self->gun_wait_s += GUN_BEAT_S;
    }
    self->gun_wait_s -= tick->dt_s;
    if (self->gun_wait_s < 0)
        self->gun_wait_s = 0;
}

static void
cue_burner(struct hp_instance *self, const struct hp_tick *tick,
           uint32_t buttons, struct hp_effect_sink *sink)
{
    int was_on = (self->buttons & HP_BUTTON_AFTERBURNER) != 0;

    if (!(buttons & HP_BUTTON_AFTERBURNER)) {
        if (was_on)
            predict(sink, HP_EFFECT_RELEASE, "afterburner", tick->index);
        return;
    }
    self->burner_wait_s -= tick->dt_s;
    if (was_on && self->burner_wait_s > 0)
        return;
    predict(sink, HP_EFFECT_HOLD, "afterburner", tick->index);
    self->burner_wait_s = HOLD_BEAT_S;
}

static void
cue_gear(struct hp_instance *self, const struct hp_tick *tick, uint32_t buttons,
         const void *own, struct hp_effect_sink *sink)
{
    if (!(buttons & ~self->buttons & HP_BUTTON_GEAR))
        return;
    if (has_flag(own, HP_ENTITY_ON_GROUND))
        return; /* the handle is locked while a wheel carries weight */
    predicted_begin(&self->gears, tick->index);
    predict(sink, HP_EFFECT_PLAY, "gear_command", tick->index);
}

/* [tick] */
static void
flight_input(struct hp_instance *self, const struct hp_tick *tick,
             const struct hp_input *input, const void *own,
             struct hp_effect_sink *sink)
{
    /* The dead feel nothing; what they held ends. */
    uint32_t buttons = has_flag(own, HP_ENTITY_DEAD) ? 0 : input->buttons;

    cue_gun(self, tick, buttons, sink);
    cue_burner(self, tick, buttons, sink);
    cue_gear(self, tick, buttons, own, sink);
    self->buttons = buttons;
}

/* ---- events: what the world did ---- */

static float
level_between(double value, double least, double most)
{
    double level = (value - least) / (most - least);

    if (!(level > (double)LEAST))
        return LEAST;
    return level < 1 ? (float)level : 1;
}

static void
cue_hit(const struct hp_event *event, struct hp_effect_sink *sink)
{
    struct hp_effect_command spare, *c;
    int i;

    c = command(sink, &spare, HP_EFFECT_PLAY, "hit_taken", event->tick);
    c->level = level_between((double)event->strength, 0, 1);
    for (i = 0; i < 3; i++)
        c->direction[i] = event->direction[i];
}

static void
cue_event(struct hp_instance *self, const struct hp_event *event,
          struct hp_effect_sink *sink)
{
    if (event->type == HP_EVENT_HIT && event->whom == self->own_id)
        cue_hit(event, sink);
    if (event->who != self->own_id)
        return;
    if (event->type == HP_EVENT_TOUCHDOWN)
        react(sink, HP_EFFECT_PLAY, "gear_touchdown", event->tick,
              level_between((double)event->strength, SOFT_MPS, HARD_MPS));
    if (event->type == HP_EVENT_GUN &&
        !predicted_has(&self->guns, event->cause_tick))
        react(sink, HP_EFFECT_PLAY, "gun_burst", event->cause_tick, 1);
    if (event->type == HP_EVENT_GEAR &&
        !predicted_has(&self->gears, event->cause_tick))
        react(sink, HP_EFFECT_PLAY, "gear_command", event->cause_tick, 1);
}

/* ---- conditions: what the own record says ---- */

static double
seconds_between(const struct hp_instance *self, uint64_t from, uint64_t to)
{
    return (double)(to - from) * self->rate_den / self->rate_num;
}

static void
cue_stall(struct hp_instance *self, uint64_t tick, const void *own,
          struct hp_effect_sink *sink)
{
    double stall = field_read(&self->stall, own);
    int on = stall >= (self->stalled ? STALL_OFF : STALL_ON);

    if (has_flag(own, HP_ENTITY_ON_GROUND | HP_ENTITY_DEAD))
        on = 0;
    if (!on) {
        if (self->stalled)
            react(sink, HP_EFFECT_RELEASE, "stall_buffet", tick, 0);
        self->stalled = 0;
        return;
    }
    if (self->stalled &&
        seconds_between(self, self->stall_tick, tick) < HOLD_BEAT_S)
        return;
    self->stalled = 1;
    self->stall_tick = tick;
    react(sink, HP_EFFECT_HOLD, "stall_buffet", tick,
          stall < 1 ? (float)stall : 1);
}

static void
cue_ground(struct hp_instance *self, uint64_t tick, const void *own,
           struct hp_effect_sink *sink)
{
    double left_s = field_read(&self->time_to_ground_s, own);

    if (self->time_to_ground_s.type == 0)
        return;
    if (left_s > self->gpws_s * GPWS_OFF_FACTOR)
        self->warned = 0;
    /* Who has the gear down means to meet the ground. */
    if (self->warned || !(left_s < self->gpws_s) ||
        field_read(&self->gear, own) > GEAR_IS_DOWN ||
        has_flag(own, HP_ENTITY_ON_GROUND | HP_ENTITY_DEAD))
        return;
    self->warned = 1;
    react(sink, HP_EFFECT_PLAY, "gpws", tick, 1);
}

static void
cue_mach(struct hp_instance *self, uint64_t tick, const void *own,
         struct hp_effect_sink *sink)
{
    double mach = field_read(&self->mach, own);
    double margin = self->in_band ? HYSTERESIS_MACH : 0;
    int inside = mach > BAND_FROM_MACH - margin && mach < BAND_TO_MACH + margin;

    if (inside && !self->in_band && !has_flag(own, HP_ENTITY_DEAD))
        react(sink, HP_EFFECT_PLAY, "transonic_buffet", tick, 1);
    self->in_band = inside;
}

/* Another aircraft begins with no condition on. */
static void
meet_own(struct hp_instance *self, uint64_t tick, const struct hp_entity *own,
         struct hp_effect_sink *sink)
{
    uint32_t id =
        own == NULL ? HP_ENTITY_NONE : HP_ENTITY_ID(own->slot, own->generation);

    if (id == self->own_id)
        return;
    if (self->stalled)
        react(sink, HP_EFFECT_RELEASE, "stall_buffet", tick, 0);
    self->stalled = 0;
    self->warned = 0;
    self->in_band = 0;
    self->own_id = id;
}

/* [tick] */
static void
flight_snapshot(struct hp_instance *self, const struct hp_view *view,
                const void *own, struct hp_effect_sink *sink)
{
    const char *at = (const char *)view->events;
    uint32_t i;

    meet_own(self, view->tick, own, sink);
    if (own == NULL)
        return;
    for (i = 0; i < view->event_count; i++, at += view->event_stride)
        cue_event(self, (const struct hp_event *)at, sink);
    cue_stall(self, view->tick, own, sink);
    cue_ground(self, view->tick, own, sink);
    cue_mach(self, view->tick, own, sink);
}

static const struct hp_cues_ops ops = {
    .size = sizeof(ops),
    .input = flight_input,
    .snapshot = flight_snapshot,
};

HP_PLUGIN_NOTE(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_CUES, HP_PLUGIN_DETERMINISTIC),
    params,
    HP_PARAMS(params),
    flight_create,
    flight_start,
    flight_stop,
    flight_destroy,
    &ops,
    NULL, /* no extension */
    NULL, /* no live parameter to reload */
};
