/*
 * cues_flight - what a pilot feels. What the pilot does himself is felt in the
 * client tick of the input, before the server knows: the gun, the afterburner,
 * the gear handle. What the world does is felt as soon as the snapshot that
 * says so is decoded: a hit, the touchdown, a wire, stores that leave, a missile
 * under way to him, the stall, many g, the ground coming up, the shudder at Mach
 * 1, an engine that surges or fails, hydraulics that fade.
 *
 * The events are hardpoint/types.h's; conditions are numbers of the own record,
 * by their names in the sim's schema:
 *
 *     stall             0..1         stall_buffet
 *     mach                           transonic_buffet
 *     time_to_ground_s, gear 0..1    gpws
 *     g_load                         g_loc
 *     threat            above 0      missile_warning
 *     surge             above 0      compressor_stall
 *     engine_failed     1 left, 2 right, 3 both   engine_failure
 *     hydraulics        1..0         hydraulic_failure
 *     afterburner       0 or 1       whether a predicted one is denied
 *
 * A sim that lacks one does without its cue. Each fires once. The server's confirmation of something that was predicted
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

#define G_FROM     6.0
#define G_FULL     9.0
#define G_OFF      5.5
#define G_SMOOTH_S 0.1 /* a gust is no loss of sight */

#define HYDRAULICS_ON  0.5 /* failing below, well above */
#define HYDRAULICS_OFF 0.6

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

/* A hold that a condition keeps up. */
struct hold {
    const char *effect;
    int on;
    uint64_t told_tick;
};

enum held {
    HELD_STALL = 0,
    HELD_G,
    HELD_THREAT,
    HELD_SURGE,
    HELD_ENGINE,
    HELD_HYDRAULICS,
    HELD_COUNT
};

static const char *const held_effects[HELD_COUNT] = {
    "stall_buffet",     "g_loc",          "missile_warning",
    "compressor_stall", "engine_failure", "hydraulic_failure"};

struct hp_instance {
    const struct hp_host *host;
    double gpws_s;
    uint32_t rate_num, rate_den;
    struct field stall, mach, gear, time_to_ground_s;
    struct field g_load, threat, surge, engine_failed, hydraulics, afterburner;

    uint32_t buttons; /* of the input before */
    double gun_wait_s;
    double burner_wait_s;
    struct predicted guns, gears;
    uint64_t burner_tick; /* of the press, to judge a denial */
    int guns_are_told;    /* the sim tells of each burst */
    int gun_confirmed;    /* of this press */
    int gun_denied, burner_denied;

    uint32_t own_id; /* HP_ENTITY_ID of the own record, or NONE */
    struct hold holds[HELD_COUNT];
    double g_smooth;
    uint64_t g_tick;
    int warned;  /* of the ground, and not clear of it since */
    int in_band; /* about Mach 1 */
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
    int i;

    self->rate_num = limits->rate_num;
    self->rate_den = limits->rate_den;
    self->own_id = HP_ENTITY_NONE;
    self->stall = find(self, schema, "stall", "stall_buffet");
    self->mach = find(self, schema, "mach", "transonic_buffet");
    self->time_to_ground_s = find(self, schema, "time_to_ground_s", "gpws");
    self->gear =
        find(self, schema, "gear", "the silence of gpws with the gear down");
    self->g_load = find(self, schema, "g_load", "g_loc");
    /* Systems that simple sims do without. */
    self->threat = field_find(schema, "threat");
    self->surge = field_find(schema, "surge");
    self->engine_failed = field_find(schema, "engine_failed");
    self->hydraulics = field_find(schema, "hydraulics");
    self->afterburner = field_find(schema, "afterburner");
    for (i = 0; i < HELD_COUNT; i++)
        self->holds[i].effect = held_effects[i];
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
        self->gun_confirmed = 0;
        self->gun_denied = 0;
    }
    if (self->gun_denied)
        return; /* empty, or jammed: until the next press */
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

    if (!was_on) {
        self->burner_denied = 0;
        self->burner_tick = tick->index;
    }
    if (!(buttons & HP_BUTTON_AFTERBURNER)) {
        if (was_on)
            predict(sink, HP_EFFECT_RELEASE, "afterburner", tick->index);
        return;
    }
    self->burner_wait_s -= tick->dt_s;
    if (self->burner_denied)
        return;
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
    if (event->type == HP_EVENT_THREAT && event->whom == self->own_id)
        react(sink, HP_EFFECT_PLAY, "missile_warning", event->tick, 1);
    if (event->who != self->own_id)
        return;
    if (event->type == HP_EVENT_GUN)
        self->guns_are_told = self->gun_confirmed = 1;
    if (event->type == HP_EVENT_RELEASE)
        react(sink, HP_EFFECT_PLAY, "bomb_release", event->tick, 1);
    if (event->type == HP_EVENT_LAUNCH)
        react(sink, HP_EFFECT_PLAY, "missile_launch", event->tick, 1);
    if (event->type == HP_EVENT_SURGE)
        react(sink, HP_EFFECT_PLAY, "compressor_stall", event->tick, 1);
    if (event->type == HP_EVENT_TRAP)
        react(sink, HP_EFFECT_PLAY, "carrier_trap", event->tick, 1);
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

/* Keeps a hold up while `on`, at `level`; ends it when it is not. */
static void
cue_hold(struct hp_instance *self, enum held which, int on, float level,
         float right, uint64_t tick, struct hp_effect_sink *sink)
{
    struct hold *h = &self->holds[which];
    struct hp_effect_command spare, *c;

    if (!on) {
        if (h->on)
            react(sink, HP_EFFECT_RELEASE, h->effect, tick, 0);
        h->on = 0;
        return;
    }
    if (h->on && seconds_between(self, h->told_tick, tick) < HOLD_BEAT_S)
        return;
    h->on = 1;
    h->told_tick = tick;
    c = command(sink, &spare, HP_EFFECT_HOLD, h->effect, tick);
    c->level = level;
    c->direction[1] = right;
}

static void
cue_stall(struct hp_instance *self, uint64_t tick, const void *own,
          struct hp_effect_sink *sink)
{
    double stall = field_read(&self->stall, own);
    int on = stall >= (self->holds[HELD_STALL].on ? STALL_OFF : STALL_ON);

    if (has_flag(own, HP_ENTITY_ON_GROUND | HP_ENTITY_DEAD))
        on = 0;
    cue_hold(self, HELD_STALL, on, stall < 1 ? (float)stall : 1, 0, tick, sink);
}

/* Smoothed over time, not over snapshots: the same at any rate. */
static void
cue_g(struct hp_instance *self, uint64_t tick, const void *own,
      struct hp_effect_sink *sink)
{
    double g = field_read(&self->g_load, own);
    double passed_s = seconds_between(self, self->g_tick, tick);
    double share = passed_s / (passed_s + G_SMOOTH_S);
    int on;

    self->g_smooth += (g - self->g_smooth) * share;
    self->g_tick = tick;
    on = self->g_smooth >= (self->holds[HELD_G].on ? G_OFF : G_FROM) &&
         !has_flag(own, HP_ENTITY_ON_GROUND | HP_ENTITY_DEAD);
    cue_hold(self, HELD_G, on, level_between(self->g_smooth, G_FROM, G_FULL), 0,
             tick, sink);
}

static void
cue_systems(struct hp_instance *self, uint64_t tick, const void *own,
            struct hp_effect_sink *sink)
{
    int alive = !has_flag(own, HP_ENTITY_DEAD);
    int failed = (int)field_read(&self->engine_failed, own);
    double hydraulics =
        self->hydraulics.type == 0 ? 1 : field_read(&self->hydraulics, own);
    double limit =
        self->holds[HELD_HYDRAULICS].on ? HYDRAULICS_OFF : HYDRAULICS_ON;

    cue_hold(self, HELD_THREAT, alive && field_read(&self->threat, own) > 0, 1,
             0, tick, sink);
    cue_hold(self, HELD_SURGE, alive && field_read(&self->surge, own) > 0, 1, 0,
             tick, sink);
    cue_hold(self, HELD_ENGINE, alive && failed > 0, 1,
             failed == 1   ? -1
             : failed == 2 ? 1
                           : 0,
             tick, sink);
    cue_hold(self, HELD_HYDRAULICS, alive && hydraulics < limit, 1, 0, tick,
             sink);
}

/* What was predicted, and the server has long known better. */
static void
judge_predictions(struct hp_instance *self, uint64_t tick, const void *own,
                  struct hp_effect_sink *sink)
{
    const struct span *gun = &self->guns.spans[self->guns.newest];

    if (self->buttons & HP_BUTTON_GUN && self->guns_are_told &&
        !self->gun_confirmed && !self->gun_denied &&
        tick > gun->first + MOVED_TICKS) {
        self->gun_denied = 1;
        react(sink, HP_EFFECT_CUT, "gun_burst", tick, 0);
    }
    if (self->buttons & HP_BUTTON_AFTERBURNER && self->afterburner.type != 0 &&
        !self->burner_denied && tick > self->burner_tick + MOVED_TICKS &&
        field_read(&self->afterburner, own) == 0) {
        self->burner_denied = 1;
        react(sink, HP_EFFECT_RELEASE, "afterburner", tick, 0);
    }
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
    int i;
    uint32_t id =
        own == NULL ? HP_ENTITY_NONE : HP_ENTITY_ID(own->slot, own->generation);

    if (id == self->own_id)
        return;
    for (i = 0; i < HELD_COUNT; i++)
        cue_hold(self, (enum held)i, 0, 0, 0, tick, sink);
    self->g_smooth = 1;
    self->g_tick = tick;
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
    cue_g(self, view->tick, own, sink);
    cue_systems(self, view->tick, own, sink);
    judge_predictions(self, view->tick, own, sink);
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
