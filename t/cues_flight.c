#include "fake_host.h"
#include "tap.h"

struct record {
    struct hp_entity head;
    float stall;
    float mach;
    float time_to_ground_s;
    float gear;
    float g_load;
    float threat;
    float surge;
    float engine_failed;
    float hydraulics;
    float afterburner;
};

#define AT(member) offsetof(struct record, member)

/* clang-format off */
#define NUMBER(member) \
    {#member, "1", 0.01, 0, 60, HP_FIELD_F32, AT(member), 1, 0}
/* clang-format on */

static const struct hp_field fields[] = {
    NUMBER(stall),       NUMBER(mach),          NUMBER(time_to_ground_s),
    NUMBER(gear),        NUMBER(g_load),        NUMBER(threat),
    NUMBER(surge),       NUMBER(engine_failed), NUMBER(hydraulics),
    NUMBER(afterburner),
};

static struct hp_schema schema = {
    .size = sizeof(schema),
    .record_bytes = sizeof(struct record),
    .field_count = sizeof(fields) / sizeof(fields[0]),
    .field_stride = sizeof(fields[0]),
    .fields = fields,
    .name = "sample",
};

#define OWN_ID HP_ENTITY_ID(5, 2)

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_cues_ops *ops;
static struct record own;
static struct hp_effect_command commands[64];
static uint32_t count; /* since begin() or forget() */
static uint64_t tick;

static void
begin(void)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    limits.schema = &schema;
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    memset(&own, 0, sizeof(own));
    own.head.slot = 5;
    own.head.generation = 2;
    own.mach = 0.6f;
    own.time_to_ground_s = 60;
    own.g_load = 1;
    own.hydraulics = 1;
    own.afterburner = 1;
    count = 0;
    tick = 100;
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

static struct hp_effect_sink
sink(void)
{
    return (struct hp_effect_sink){.size = sizeof(struct hp_effect_sink),
                                   .capacity = 64 - count,
                                   .commands = commands + count};
}

/* The next client tick, with these buttons. */
static void
input(uint32_t buttons)
{
    struct hp_tick t = fake_tick(++tick);
    struct hp_input in = {.buttons = buttons};
    struct hp_effect_sink s = sink();

    ops->input(self, &t, &in, &own, &s);
    count += s.count;
}

static void
snapshot_with(uint64_t of, const struct hp_event *events, uint32_t event_count)
{
    struct hp_view view = {.size = sizeof(view),
                           .tick = of,
                           .own = HP_INDEX_NONE,
                           .event_count = event_count,
                           .event_stride = sizeof(events[0]),
                           .events = events};
    struct hp_effect_sink s = sink();

    ops->snapshot(self, &view, &own, &s);
    count += s.count;
}

/* The next snapshot, without events. */
static void
snapshot(void)
{
    snapshot_with(++tick, NULL, 0);
}

static void
event(uint32_t type, uint32_t who, uint32_t whom, uint64_t cause_tick,
      float strength)
{
    struct hp_event e = {
        .tick = tick,
        .cause_tick = cause_tick,
        .type = type,
        .who = who,
        .whom = whom,
        .strength = strength,
        .direction = {0, 1, 0}
    };

    snapshot_with(tick, &e, 1);
}

/* How many commands of this kind there were. */
static int
told(const char *effect, uint32_t action)
{
    uint32_t i;
    int found = 0;

    for (i = 0; i < count; i++)
        found += strcmp(commands[i].effect, effect) == 0 &&
                 commands[i].action == action;
    return found;
}

static void
the_gun_is_felt_in_the_tick_of_its_input(void)
{
    begin();
    input(0);
    ok_int(count, 0);
    input(HP_BUTTON_GUN);
    ok_int(count, 1);
    ok_text(commands[0].effect, "gun_burst");
    ok_int(commands[0].action, HP_EFFECT_PLAY);
    ok_int(commands[0].flags, HP_EFFECT_PREDICTED);
    ok_int(commands[0].cause_tick, tick);
    end();
}

static void
the_gun_beats_while_it_is_held(void)
{
    int i;

    begin();
    for (i = 0; i < 60; i++)
        input(HP_BUTTON_GUN);
    ok_int(told("gun_burst", HP_EFFECT_PLAY), 10);
    for (i = 0; i < 60; i++)
        input(0);
    ok_int(count, 10);
    input(HP_BUTTON_GUN);
    ok_int(count, 11);
    end();
}

static void
a_predicted_burst_is_not_repeated_by_its_event(void)
{
    begin();
    input(0);
    input(HP_BUTTON_GUN);
    event(HP_EVENT_GUN, OWN_ID, HP_ENTITY_NONE, tick, 1);
    ok_int(count, 1);
    /* Its input was missed, so the server saw the press two ticks later. */
    event(HP_EVENT_GUN, OWN_ID, HP_ENTITY_NONE, tick + 2, 1);
    ok_int(count, 1);
    /* Nobody foretold this one. */
    event(HP_EVENT_GUN, OWN_ID, HP_ENTITY_NONE, tick + 200, 1);
    ok_int(count, 2);
    ok_int(commands[1].flags, 0);
    /* Another's gun is not felt. */
    event(HP_EVENT_GUN, OWN_ID + 1, HP_ENTITY_NONE, tick, 1);
    ok_int(count, 2);
    end();
}

static void
the_afterburner_is_held_kept_alive_and_let_go(void)
{
    int i;

    begin();
    for (i = 0; i < 60; i++)
        input(HP_BUTTON_AFTERBURNER);
    ok(told("afterburner", HP_EFFECT_HOLD) >= 15);
    ok(told("afterburner", HP_EFFECT_HOLD) <= 21);
    ok_int(told("afterburner", HP_EFFECT_RELEASE), 0);
    input(0);
    input(0);
    ok_int(told("afterburner", HP_EFFECT_RELEASE), 1);
    end();
}

static void
the_gear_handle_is_felt_once_a_press(void)
{
    begin();
    input(HP_BUTTON_GEAR);
    input(HP_BUTTON_GEAR);
    input(HP_BUTTON_GEAR);
    ok_int(told("gear_command", HP_EFFECT_PLAY), 1);
    ok_int(commands[0].flags, HP_EFFECT_PREDICTED);
    event(HP_EVENT_GEAR, OWN_ID, HP_ENTITY_NONE, commands[0].cause_tick, 1);
    ok_int(count, 1);
    own.head.flags = HP_ENTITY_ON_GROUND;
    input(0);
    input(HP_BUTTON_GEAR);
    ok_int(count, 1);
    end();
}

static void
a_hit_on_the_own_aircraft_is_felt_from_its_side(void)
{
    begin();
    snapshot();
    event(HP_EVENT_HIT, OWN_ID + 1, OWN_ID, tick, 0.5f);
    ok_int(told("hit_taken", HP_EFFECT_PLAY), 1);
    ok_real(commands[0].level, 0.5, 1e-6);
    ok_real(commands[0].direction[1], 1, 0);
    ok_int(commands[0].cause_tick, tick);
    event(HP_EVENT_HIT, OWN_ID, OWN_ID + 1, tick, 0.5f); /* ours on another */
    ok_int(count, 1);
    event(HP_EVENT_HIT, OWN_ID + 1, OWN_ID, tick, 0);
    ok_real(commands[1].level, 0.15, 1e-6);
    end();
}

static void
a_touchdown_is_as_hard_as_its_sink_rate(void)
{
    begin();
    event(HP_EVENT_TOUCHDOWN, OWN_ID, HP_ENTITY_NONE, tick, 2.25f);
    ok_int(told("gear_touchdown", HP_EFFECT_PLAY), 1);
    ok_real(commands[0].level, 0.5, 1e-6);
    event(HP_EVENT_TOUCHDOWN, OWN_ID, HP_ENTITY_NONE, tick, 9);
    ok_real(commands[1].level, 1, 0);
    end();
}

static void
the_stall_is_held_with_hysteresis(void)
{
    int i;

    begin();
    own.stall = 0.04f;
    snapshot();
    ok_int(count, 0);
    own.stall = 0.5f;
    for (i = 0; i < 60; i++)
        snapshot();
    ok(told("stall_buffet", HP_EFFECT_HOLD) >= 15);
    ok(told("stall_buffet", HP_EFFECT_HOLD) <= 21);
    ok_real(commands[0].level, 0.5, 1e-6);
    own.stall = 0.03f; /* between the two thresholds: on it stays */
    snapshot();
    ok_int(told("stall_buffet", HP_EFFECT_RELEASE), 0);
    own.stall = 0;
    snapshot();
    snapshot();
    ok_int(told("stall_buffet", HP_EFFECT_RELEASE), 1);
    end();
}

static void
on_the_ground_and_dead_nothing_stalls(void)
{
    begin();
    own.stall = 1;
    own.head.flags = HP_ENTITY_ON_GROUND;
    snapshot();
    ok_int(count, 0);
    own.head.flags = 0;
    snapshot();
    own.head.flags = HP_ENTITY_DEAD;
    snapshot();
    ok_int(told("stall_buffet", HP_EFFECT_RELEASE), 1);
    end();
}

static void
the_ground_warns_once_until_it_is_clear(void)
{
    begin();
    own.time_to_ground_s = 5.9f;
    snapshot();
    own.time_to_ground_s = 7; /* not clear yet */
    snapshot();
    own.time_to_ground_s = 5;
    snapshot();
    ok_int(told("gpws", HP_EFFECT_PLAY), 1);
    own.time_to_ground_s = 20;
    snapshot();
    own.time_to_ground_s = 5;
    snapshot();
    ok_int(told("gpws", HP_EFFECT_PLAY), 2);
    end();
}

static void
who_lands_is_not_warned(void)
{
    begin();
    own.time_to_ground_s = 1;
    own.gear = 1;
    snapshot();
    own.gear = 0;
    own.head.flags = HP_ENTITY_ON_GROUND;
    snapshot();
    own.head.flags = HP_ENTITY_DEAD;
    snapshot();
    ok_int(count, 0);
    own.head.flags = 0; /* the gear goes up on the way down */
    snapshot();
    ok_int(told("gpws", HP_EFFECT_PLAY), 1);
    end();
}

static void
mach_one_shudders_once_a_crossing(void)
{
    static const float machs[] = {0.90f, 0.96f, 0.94f, 0.96f, 1.0f,
                                  1.04f, 1.06f, 1.04f, 1.08f};
    size_t i;

    begin();
    for (i = 0; i < sizeof(machs) / sizeof(machs[0]); i++) {
        own.mach = machs[i];
        snapshot();
    }
    ok_int(told("transonic_buffet", HP_EFFECT_PLAY), 1);
    own.mach = 1.0f; /* and back */
    snapshot();
    ok_int(told("transonic_buffet", HP_EFFECT_PLAY), 2);
    end();
}

static void
the_dead_feel_nothing_and_what_they_held_ends(void)
{
    begin();
    input(HP_BUTTON_AFTERBURNER);
    own.head.flags = HP_ENTITY_DEAD;
    input(HP_BUTTON_AFTERBURNER | HP_BUTTON_GUN | HP_BUTTON_GEAR);
    ok_int(count, 2);
    ok_int(told("afterburner", HP_EFFECT_RELEASE), 1);
    end();
}

static void
a_new_aircraft_starts_clean(void)
{
    begin();
    own.stall = 1;
    own.time_to_ground_s = 1;
    snapshot();
    ok_int(told("stall_buffet", HP_EFFECT_HOLD), 1);
    ok_int(told("gpws", HP_EFFECT_PLAY), 1);
    own.head.generation++;
    own.stall = 0;
    snapshot();
    ok_int(told("stall_buffet", HP_EFFECT_RELEASE), 1);
    ok_int(told("gpws", HP_EFFECT_PLAY), 2);
    end();
}

static void
a_missing_field_is_told_and_its_cue_is_off(void)
{
    schema.field_count = 2;
    begin();
    ok_int(fake.log_lines, 3);
    ok_text(fake.log_text, "the sim's schema \"sample\" has no number "
                           "\"g_load\": g_loc is off");
    own.time_to_ground_s = 1;
    own.mach = 1;
    snapshot();
    ok_int(told("gpws", HP_EFFECT_PLAY), 0);
    ok_int(told("transonic_buffet", HP_EFFECT_PLAY), 1);
    end();
    schema.field_count = sizeof(fields) / sizeof(fields[0]);
}

static void
a_full_sink_drops_what_comes_after(void)
{
    struct hp_effect_sink s = {
        .size = sizeof(s), .capacity = 1, .commands = commands};
    struct hp_tick t = fake_tick(1);
    struct hp_input in = {.buttons = HP_BUTTON_GUN | HP_BUTTON_GEAR};

    begin();
    memset(commands, 0, sizeof(commands));
    ops->input(self, &t, &in, &own, &s);
    ok_int(s.count, 1);
    ok(commands[1].effect == NULL);
    end();
}

static void
what_leaves_catches_or_surges_is_felt_as_its_event_comes(void)
{
    static const struct {
        uint32_t type;
        const char *effect;
    } causes[] = {
        {HP_EVENT_RELEASE, "bomb_release"    },
        {HP_EVENT_LAUNCH,  "missile_launch"  },
        {HP_EVENT_SURGE,   "compressor_stall"},
        {HP_EVENT_TRAP,    "carrier_trap"    },
    };
    uint32_t i;

    begin();
    snapshot();
    for (i = 0; i < 4; i++) {
        event(causes[i].type, OWN_ID, HP_ENTITY_NONE, tick, 1);
        event(causes[i].type, OWN_ID + 1, HP_ENTITY_NONE, tick, 1);
        ok_int(told(causes[i].effect, HP_EFFECT_PLAY), 1);
    }
    event(HP_EVENT_THREAT, OWN_ID + 1, OWN_ID, tick, 1);
    event(HP_EVENT_THREAT, OWN_ID, OWN_ID + 1, tick, 1);
    ok_int(told("missile_warning", HP_EFFECT_PLAY), 1);
    end();
}

static void
failures_are_held_while_they_last(void)
{
    int i;

    begin();
    snapshot();
    own.engine_failed = 2;
    own.hydraulics = 0.4f;
    own.threat = 1;
    own.surge = 1;
    snapshot();
    ok_int(told("engine_failure", HP_EFFECT_HOLD), 1);
    ok_int(told("hydraulic_failure", HP_EFFECT_HOLD), 1);
    ok_int(told("missile_warning", HP_EFFECT_HOLD), 1);
    ok_int(told("compressor_stall", HP_EFFECT_HOLD), 1);
    for (i = 0; (uint32_t)i < count; i++)
        if (strcmp(commands[i].effect, "engine_failure") == 0)
            ok_real(commands[i].direction[1], 1, 0);
    own.hydraulics = 0.55f; /* not yet well again */
    own.engine_failed = own.threat = own.surge = 0;
    snapshot();
    ok_int(told("hydraulic_failure", HP_EFFECT_RELEASE), 0);
    ok_int(told("engine_failure", HP_EFFECT_RELEASE), 1);
    ok_int(told("missile_warning", HP_EFFECT_RELEASE), 1);
    own.head.flags = HP_ENTITY_DEAD;
    snapshot();
    ok_int(told("hydraulic_failure", HP_EFFECT_RELEASE), 1);
    end();
}

/* Smoothed over a tenth of a second, whatever the rate of snapshots. */
static void
many_g_are_held_and_a_gust_is_not(void)
{
    int i, every;

    for (every = 1; every <= 3; every += 2) {
        begin();
        snapshot();
        own.g_load = 9;
        snapshot();
        own.g_load = 1;
        for (i = 0; i < 30; i += every) {
            tick += (uint64_t)every - 1;
            snapshot();
        }
        ok_int(told("g_loc", HP_EFFECT_HOLD), 0);
        own.g_load = 9;
        for (i = 0; i < 60; i += every) {
            tick += (uint64_t)every - 1;
            snapshot();
        }
        ok(told("g_loc", HP_EFFECT_HOLD) > 5);
        ok(commands[count - 1].level > 0.95f);
        own.g_load = 2;
        for (i = 0; i < 60; i += every) {
            tick += (uint64_t)every - 1;
            snapshot();
        }
        ok_int(told("g_loc", HP_EFFECT_RELEASE), 1);
        end();
        count = 0;
    }
}

static void
an_empty_gun_falls_silent(void)
{
    int i;

    begin();
    snapshot();
    input(HP_BUTTON_GUN);
    event(HP_EVENT_GUN, OWN_ID, HP_ENTITY_NONE, tick, 1);
    for (i = 0; i < 60; i++) {
        input(HP_BUTTON_GUN);
        snapshot_with(tick, NULL, 0);
    }
    ok_int(told("gun_burst", HP_EFFECT_CUT), 0); /* that one was confirmed */
    input(0);
    count = 0;
    for (i = 0; i < 60; i++) {
        input(HP_BUTTON_GUN);
        snapshot_with(tick, NULL, 0);
    }
    ok_int(told("gun_burst", HP_EFFECT_CUT), 1);
    count = 0;
    for (i = 0; i < 30; i++)
        input(HP_BUTTON_GUN);
    ok_int(told("gun_burst", HP_EFFECT_PLAY), 0);
    end();
}

static void
a_burner_that_does_not_light_is_let_go(void)
{
    int i;

    begin();
    snapshot();
    own.afterburner = 0;
    for (i = 0; i < 60; i++) {
        input(HP_BUTTON_AFTERBURNER);
        snapshot_with(tick, NULL, 0);
    }
    ok_int(told("afterburner", HP_EFFECT_RELEASE), 1);
    count = 0;
    for (i = 0; i < 30; i++)
        input(HP_BUTTON_AFTERBURNER);
    ok_int(told("afterburner", HP_EFFECT_HOLD), 0);
    end();
}

TAP_MAIN(FACT(the_gun_is_felt_in_the_tick_of_its_input),
         FACT(the_gun_beats_while_it_is_held),
         FACT(a_predicted_burst_is_not_repeated_by_its_event),
         FACT(the_afterburner_is_held_kept_alive_and_let_go),
         FACT(the_gear_handle_is_felt_once_a_press),
         FACT(a_hit_on_the_own_aircraft_is_felt_from_its_side),
         FACT(a_touchdown_is_as_hard_as_its_sink_rate),
         FACT(the_stall_is_held_with_hysteresis),
         FACT(on_the_ground_and_dead_nothing_stalls),
         FACT(the_ground_warns_once_until_it_is_clear),
         FACT(who_lands_is_not_warned), FACT(mach_one_shudders_once_a_crossing),
         FACT(the_dead_feel_nothing_and_what_they_held_ends),
         FACT(a_new_aircraft_starts_clean),
         FACT(a_missing_field_is_told_and_its_cue_is_off),
         FACT(a_full_sink_drops_what_comes_after),
         FACT(what_leaves_catches_or_surges_is_felt_as_its_event_comes),
         FACT(failures_are_held_while_they_last),
         FACT(many_g_are_held_and_a_gust_is_not),
         FACT(an_empty_gun_falls_silent),
         FACT(a_burner_that_does_not_light_is_let_go))
