#include "mixer.h"
#include "tap.h"
#include <stdlib.h>

#define MS   1000000ull
#define STEP (4 * MS)

/* A device with a low and a high motor and a stick's axis. */
static struct hp_device
pad(uint32_t id)
{
    struct hp_device d = {0};

    d.id = id;
    d.generation = 1;
    d.actuator_count = 3;
    d.actuators[0].kind = HP_ACTUATOR_LOW;
    d.actuators[1].kind = HP_ACTUATOR_HIGH;
    d.actuators[1].flags = HP_ACTUATOR_FREQUENCY;
    d.actuators[1].frequency_min_hz = 20;
    d.actuators[1].frequency_max_hz = 80;
    d.actuators[2].kind = HP_ACTUATOR_AXIS_X;
    d.actuators[2].flags = HP_ACTUATOR_SIGNED;
    return d;
}

static struct effect *
add(struct effects *set, const char *name, enum effect_mode mode, int priority,
    float low)
{
    struct effect *e = &set->list[set->count++];

    memset(e, 0, sizeof(*e));
    snprintf(e->name, sizeof(e->name), "%s", name);
    snprintf(e->class_name, sizeof(e->class_name), "impact");
    e->mode = mode;
    e->priority = priority;
    e->levels[HP_ACTUATOR_LOW] = low;
    e->gain = 1;
    e->sustain = 1;
    e->max_hold_ms = 60000;
    return e;
}

static struct effects *
new_set(void)
{
    struct effects *set = calloc(1, sizeof(*set));
    struct effect *e;

    set->keepalive_ms = 250;
    e = add(set, "hit", EFFECT_ONESHOT, 80, 0.8f);
    e->levels[HP_ACTUATOR_AXIS_X] = -0.5f;
    e->hold_ms = 120;
    e = add(set, "gun", EFFECT_ONESHOT, 50, 0);
    e->levels[HP_ACTUATOR_HIGH] = 0.8f;
    e->frequency_hz = 18;
    e->hold_ms = 80;
    e->decay_ms = 20;
    e = add(set, "stall", EFFECT_HOLD, 30, 0.3f);
    e->attack_ms = 80;
    e->release_ms = 120;
    e = add(set, "burner", EFFECT_HOLD, 20, 0.5f);
    e->levels[HP_ACTUATOR_HIGH] = 0.2f;
    e->attack_ms = 40;
    e->decay_ms = 40;
    e->sustain = 0.5f;
    e->release_ms = 60;
    e->max_hold_ms = 1000;
    e = add(set, "warning", EFFECT_PULSES, 90, 0.7f);
    snprintf(e->class_name, sizeof(e->class_name), "warning");
    e->again_after_ms = 500;
    e->pulse_count = 3;
    e->pulses[0].on_ms = e->pulses[1].on_ms = e->pulses[2].on_ms = 50;
    e->pulses[0].off_ms = e->pulses[1].off_ms = 70;
    return set;
}

struct rig {
    struct effects *set;
    struct mixer *mixer;
    struct hp_levels levels;
    float low, high, axis; /* as last told */
    uint32_t told;         /* levels in the last mix */
    uint64_t next_ns;
};

static struct rig
rig_up(void)
{
    struct rig r = {0};
    struct hp_device device = pad(0);

    r.set = new_set();
    ok_int(mixer_create(&r.mixer, r.set, 16 * MS), 0);
    mixer_set_devices(r.mixer, &device, 1);
    return r;
}

static void
rig_down(struct rig *r)
{
    mixer_destroy(r->mixer);
    free(r->set);
}

static void
mix(struct rig *r, uint64_t time_ns)
{
    const struct hp_level *l;
    uint32_t i;

    r->next_ns = mixer_render(r->mixer, time_ns, &r->levels);
    r->told = r->levels.count;
    for (i = 0; i < r->levels.count; i++) {
        l = &r->levels.levels[i];
        if (l->actuator == 0)
            r->low = l->level;
        else if (l->actuator == 1)
            r->high = l->level;
        else
            r->axis = l->level;
    }
}

/* Mixes each 4 ms over (from, to]. */
static void
run(struct rig *r, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t t;

    for (t = from_ns + STEP; t <= to_ns; t += STEP)
        mix(r, t);
}

static void
command(struct rig *r, const char *effect, uint32_t action, float level,
        uint64_t time_ns)
{
    struct hp_effect_command c = {0};

    c.effect = effect;
    c.action = action;
    c.level = level;
    c.cause_tick = time_ns / MS;
    mixer_command(r->mixer, &c, time_ns, time_ns);
}

static struct mixer_counters
counters(const struct rig *r)
{
    struct mixer_counters c;

    mixer_count(r->mixer, &c);
    return c;
}

/* ---- the golden trace ---- */

struct line {
    unsigned ms;
    const char *effect; /* NULL: the scope becomes `action` */
    uint32_t action;
    float level;
};

static const struct line script[] = {
    {20,   "gun",     HP_EFFECT_PLAY,    1    },
    {40,   "stall",   HP_EFFECT_HOLD,    1    },
    {60,   "hit",     HP_EFFECT_PLAY,    1    },
    {120,  "stall",   HP_EFFECT_HOLD,    0.5f },
    {240,  "stall",   HP_EFFECT_HOLD,    1    },
    {400,  "burner",  HP_EFFECT_HOLD,    1    },
    {500,  "burner",  HP_EFFECT_HOLD,    1    },
    {560,  "burner",  HP_EFFECT_RELEASE, 0    },
    {700,  "warning", HP_EFFECT_PLAY,    1    },
    {720,  "gun",     HP_EFFECT_PLAY,    0.25f},
    {900,  "warning", HP_EFFECT_PLAY,    1    },
    {1100, "stall",   HP_EFFECT_HOLD,    1    },
    {1200, NULL,      MIXER_PAUSED,      0    },
    {1240, "stall",   HP_EFFECT_HOLD,    1    },
    {1280, NULL,      MIXER_FLYING,      0    },
    {1300, "stall",   HP_EFFECT_HOLD,    1    },
    {1400, "hit",     HP_EFFECT_PLAY,    2    },
    {1420, "hit",     HP_EFFECT_CUT,     0    },
    {1440, "stall",   HP_EFFECT_CUT,     0    },
};

static void
write_levels(FILE *to, uint64_t ms, const struct hp_levels *levels)
{
    const struct hp_level *l;
    uint32_t i;

    for (i = 0; i < levels->count; i++) {
        l = &levels->levels[i];
        fprintf(to, "%llu ms actuator %u level %.3f %s%s(%s)\n",
                (unsigned long long)ms, l->actuator, (double)l->level,
                l->flags & HP_LEVEL_FIRST ? "first " : "",
                l->cause_ns ? "caused " : "", levels->effects);
    }
}

static void
play_script(FILE *to)
{
    struct rig r = rig_up();
    const struct line *next = script;
    const struct line *end = script + sizeof(script) / sizeof(script[0]);
    uint64_t ms;

    for (ms = 0; ms <= 1700; ms += 4) {
        for (; next < end && next->ms <= ms; next++) {
            if (next->effect == NULL)
                mixer_set_scope(r.mixer, next->action, ms * MS);
            else
                command(&r, next->effect, next->action, next->level, ms * MS);
        }
        mix(&r, ms * MS);
        write_levels(to, ms, &r.levels);
    }
    rig_down(&r);
}

/* HP_GOLDEN_WRITE=1 writes the file anew, to be read before it is kept. */
static void
the_levels_of_a_script_are_the_golden_ones(void)
{
    const char *source = getenv("HP_SRC");
    char path[512], got_line[128], want_line[128];
    char *got = NULL, *more;
    size_t bytes = 0;
    FILE *to, *golden;
    int number = 0;

    snprintf(path, sizeof(path), "%s/t/data/mixer_golden.txt",
             source != NULL ? source : ".");
    if (getenv("HP_GOLDEN_WRITE") != NULL) {
        to = fopen(path, "w");
        if (ok(to != NULL)) {
            play_script(to);
            fclose(to);
        }
    }
    to = open_memstream(&got, &bytes);
    play_script(to);
    fclose(to);
    golden = fopen(path, "r");
    if (!ok(golden != NULL)) {
        free(got);
        return;
    }
    to = fmemopen(got, bytes, "r");
    do {
        number++;
        more = fgets(want_line, sizeof(want_line), golden);
        if (more == NULL)
            snprintf(want_line, sizeof(want_line), "(the end)");
        if (fgets(got_line, sizeof(got_line), to) == NULL)
            snprintf(got_line, sizeof(got_line), "(the end)");
        if (!ok_text(got_line, want_line))
            printf("# line %d of %s\n", number, path);
    } while (more != NULL && !tap_failed);
    fclose(golden);
    fclose(to);
    free(got);
}

/* ---- facts ---- */

static void
a_weak_later_effect_never_erases_a_strong_one(void)
{
    struct rig r = rig_up();
    uint64_t t;

    command(&r, "hit", HP_EFFECT_PLAY, 1, 0);
    mix(&r, 0);
    ok_real(r.low, 0.8, 1e-6);
    run(&r, 0, 16 * MS);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 16 * MS);
    for (t = 16 * MS; t < 120 * MS; t += STEP) {
        mix(&r, t);
        ok(r.low >= 0.8f - 1e-6f);
    }
    mix(&r, 120 * MS);
    ok_real(r.low, 0.3, 1e-6);
    rig_down(&r);
}

static void
a_gun_does_not_touch_the_motor_it_does_not_use(void)
{
    struct rig r = rig_up();

    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 100 * MS);
    command(&r, "gun", HP_EFFECT_PLAY, 1, 100 * MS);
    mix(&r, 100 * MS);
    ok_real(r.low, 0.3, 1e-6);
    ok_real(r.high, 0.8, 1e-6);
    /* 18 Hz is below what the motor takes. */
    ok_int(r.levels.count, 1);
    ok_real(r.levels.levels[0].frequency_hz, 20, 0);
    rig_down(&r);
}

static void
a_hold_ends_by_itself_when_nobody_keeps_it_alive(void)
{
    struct rig r = rig_up();

    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 248 * MS);
    ok_real(r.low, 0.3, 1e-6);
    run(&r, 248 * MS, 368 * MS);
    ok(r.low > 0);
    run(&r, 368 * MS, 372 * MS);
    ok_real(r.low, 0, 0);
    ok_int(counters(&r).expired, 1);
    rig_down(&r);
}

static void
slow_snapshots_lengthen_the_keepalive(void)
{
    struct rig r = rig_up();

    mixer_destroy(r.mixer);
    ok_int(mixer_create(&r.mixer, r.set, 200 * MS), 0);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 596 * MS);
    ok_int(counters(&r).expired, 0);
    run(&r, 596 * MS, 600 * MS);
    ok_int(counters(&r).expired, 1);
    rig_down(&r);
}

static void
a_hold_lasts_as_long_as_it_is_kept_alive(void)
{
    struct rig r = rig_up();
    uint64_t t, told = 0, gap = 0;

    r.set->list[2].max_hold_ms = 600000;
    for (t = 0; t <= 75000 * MS; t += 20 * MS) {
        command(&r, "stall", HP_EFFECT_HOLD, 1, t);
        mix(&r, t);
        if (r.told > 0 && t - told > gap)
            gap = t - told;
        if (r.told > 0)
            told = t;
        if (t >= 80 * MS)
            ok_real(r.low, 0.3, 1e-6);
    }
    ok_int(gap, MIXER_REFRESH_NS);
    rig_down(&r);
}

static void
a_hold_that_reached_its_limit_stays_silent_until_let_go(void)
{
    struct rig r = rig_up();
    uint64_t t;

    for (t = 0; t <= 2000 * MS; t += 20 * MS) {
        command(&r, "burner", HP_EFFECT_HOLD, 1, t);
        mix(&r, t);
        if (t >= 1060 * MS)
            ok_real(r.low, 0, 0);
    }
    ok_int(counters(&r).started, 1);
    command(&r, "burner", HP_EFFECT_RELEASE, 0, t);
    command(&r, "burner", HP_EFFECT_HOLD, 1, t);
    mix(&r, t);
    ok(r.low > 0);
    ok_int(counters(&r).started, 2);
    rig_down(&r);
}

static void
a_hold_that_comes_back_attacks_from_where_it_is(void)
{
    struct rig r = rig_up();
    float before;

    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 100 * MS);
    command(&r, "stall", HP_EFFECT_RELEASE, 0, 100 * MS);
    run(&r, 100 * MS, 160 * MS);
    before = r.low;
    ok_real(before, 0.15, 1e-3);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 160 * MS);
    mix(&r, 160 * MS);
    ok(r.low >= before && r.low < before + 0.02f);
    run(&r, 160 * MS, 240 * MS);
    ok_real(r.low, 0.3, 1e-6);
    rig_down(&r);
}

static void
a_confirmation_does_not_repeat_a_prediction(void)
{
    struct rig r = rig_up();
    struct hp_effect_command c = {0};

    c.effect = "gun";
    c.action = HP_EFFECT_PLAY;
    c.level = 1;
    c.cause_tick = 7;
    c.flags = HP_EFFECT_PREDICTED;
    mixer_command(r.mixer, &c, 0, 10 * MS);
    c.flags = 0;
    mixer_command(r.mixer, &c, 0, 60 * MS);
    ok_int(counters(&r).started, 1);
    ok_int(counters(&r).ignored, 1);
    c.cause_tick = 8; /* another burst, which nobody predicted */
    mixer_command(r.mixer, &c, 0, 70 * MS);
    ok_int(counters(&r).started, 2);
    c.flags = HP_EFFECT_PREDICTED; /* the prediction that comes second */
    mixer_command(r.mixer, &c, 0, 80 * MS);
    ok_int(counters(&r).started, 2);
    c.flags = 0;
    c.cause_tick = 7; /* as late as this it is another game's tick 7 */
    mixer_command(r.mixer, &c, 0, 1010 * MS);
    ok_int(counters(&r).started, 3);
    rig_down(&r);
}

static void
two_hits_of_one_tick_are_two(void)
{
    struct rig r = rig_up();

    command(&r, "hit", HP_EFFECT_PLAY, 1, 0);
    command(&r, "hit", HP_EFFECT_PLAY, 0.5f, 0);
    ok_int(counters(&r).started, 2);
    mix(&r, 0);
    ok_real(r.low, 0.8, 1e-6);
    ok_text(r.levels.effects, "hit");
    rig_down(&r);
}

static void
a_start_older_than_150_ms_is_dropped(void)
{
    struct rig r = rig_up();
    struct hp_effect_command c = {0};

    c.effect = "hit";
    c.action = HP_EFFECT_PLAY;
    c.level = 1;
    mixer_command(r.mixer, &c, 50 * MS, 200 * MS);
    ok_int(counters(&r).started, 1);
    c.cause_tick = 1;
    mixer_command(r.mixer, &c, 50 * MS, 200 * MS + 1);
    ok_int(counters(&r).started, 1);
    ok_int(counters(&r).stale, 1);
    rig_down(&r);
}

static void
a_train_is_not_started_into_itself_nor_too_soon_after(void)
{
    struct rig r = rig_up();

    command(&r, "warning", HP_EFFECT_PLAY, 1, 0);
    command(&r, "warning", HP_EFFECT_PLAY, 1, 60 * MS);
    ok_int(counters(&r).ignored, 1);
    run(&r, 0, 400 * MS);
    command(&r, "warning", HP_EFFECT_PLAY, 1, 400 * MS);
    ok_int(counters(&r).ignored, 2);
    command(&r, "warning", HP_EFFECT_PLAY, 1, 500 * MS);
    ok_int(counters(&r).started, 2);
    rig_down(&r);
}

static void
a_held_train_plays_again_each_again_after(void)
{
    struct rig r = rig_up();
    uint64_t t;

    for (t = 0; t <= 1200 * MS; t += 16 * MS) {
        command(&r, "warning", HP_EFFECT_HOLD, 1, t);
        command(&r, "hit", HP_EFFECT_HOLD, 1, t);
        mix(&r, t);
    }
    ok_int(counters(&r).started, 3 + 1);
    ok_int(counters(&r).ignored, 0);
    rig_down(&r);
}

static void
a_pause_silences_within_30_ms_and_refuses_starts(void)
{
    struct rig r = rig_up();

    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    command(&r, "hit", HP_EFFECT_PLAY, 1, 0);
    run(&r, 0, 100 * MS);
    ok(r.low > 0);
    mixer_set_scope(r.mixer, MIXER_PAUSED | MIXER_MENU, 100 * MS);
    mix(&r, 130 * MS);
    ok_real(r.low, 0, 0);
    command(&r, "hit", HP_EFFECT_PLAY, 1, 140 * MS);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 140 * MS);
    mix(&r, 140 * MS);
    ok_real(r.low, 0, 0);
    ok_int(counters(&r).started, 2);
    mixer_set_scope(r.mixer, MIXER_FLYING, 160 * MS);
    mix(&r, 160 * MS);
    ok_real(r.low, 0, 0);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 180 * MS);
    mix(&r, 180 * MS);
    ok(r.low > 0);
    run(&r, 180 * MS, 252 * MS);
    ok_real(r.axis, 0, 0); /* a force comes back slower, and goes in 150 ms */
    rig_down(&r);
}

static void
releasing_all_is_silent_within_30_ms(void)
{
    struct rig r = rig_up();

    command(&r, "burner", HP_EFFECT_HOLD, 1, 0);
    command(&r, "warning", HP_EFFECT_PLAY, 1, 0);
    run(&r, 0, 20 * MS);
    mixer_release_all(r.mixer, 20 * MS);
    mix(&r, 50 * MS);
    ok_real(r.low, 0, 0);
    ok_real(r.high, 0, 0);
    ok(!mixer_is_sounding(r.mixer));
    rig_down(&r);
}

static void
zero_is_told_at_once_and_once_more(void)
{
    struct rig r = rig_up();

    command(&r, "hit", HP_EFFECT_PLAY, 1, 0);
    mix(&r, 0);
    ok_int(r.levels.levels[0].flags, HP_LEVEL_FIRST);
    ok_int(r.levels.levels[0].deadline_ns, 300 * MS);
    command(&r, "hit", HP_EFFECT_CUT, 0, 10 * MS);
    mix(&r, 10 * MS);
    ok_int(r.told, 2);
    ok_real(r.low, 0, 0);
    ok_int(r.next_ns, 110 * MS);
    mix(&r, 60 * MS);
    ok_int(r.told, 0);
    mix(&r, 110 * MS);
    ok_int(r.told, 2);
    ok_int(r.levels.levels[0].deadline_ns, 410 * MS);
    ok(r.next_ns == UINT64_MAX);
    rig_down(&r);
}

static void
a_silent_mixer_needs_no_mix(void)
{
    struct rig r = rig_up();

    mix(&r, 5 * MS);
    ok(r.next_ns == UINT64_MAX);
    ok_int(r.told, 0);
    ok_text(r.levels.effects, "");
    rig_down(&r);
}

/* Of a hold on its plateau only the refresh is due, not a mix each 4 ms. */
static void
a_steady_hold_is_mixed_only_for_its_refresh(void)
{
    struct rig r = rig_up();

    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 80 * MS);
    mix(&r, 84 * MS);
    /* Full since the step before the end of the attack. */
    ok_int(r.next_ns, 176 * MS);
    rig_down(&r);
}

static void
the_lowest_then_the_oldest_voice_is_stolen(void)
{
    struct rig r = rig_up();
    int i;

    r.set->list[1].limit = MIXER_VOICES_MAX;
    command(&r, "burner", HP_EFFECT_HOLD, 1, 0);
    command(&r, "gun", HP_EFFECT_PLAY, 1, 0);
    for (i = 1; i < 31; i++)
        command(&r, "gun", HP_EFFECT_PLAY, 0.5f, i * MS);
    mix(&r, 31 * MS);
    ok(r.low > 0);
    command(&r, "hit", HP_EFFECT_PLAY, 0.1f, 31 * MS);
    mix(&r, 31 * MS);
    ok_int(counters(&r).stolen, 1);
    ok_real(r.low, 0.08, 1e-6); /* without the burner */
    r.set->list[0].limit = 2;
    command(&r, "hit", HP_EFFECT_PLAY, 0.1f, 32 * MS);
    mix(&r, 32 * MS);
    ok_int(counters(&r).stolen, 2);
    command(&r, "burner", HP_EFFECT_HOLD, 1, 33 * MS);
    ok_int(counters(&r).stolen, 2);
    ok_int(counters(&r).started, 34);
    rig_down(&r);
}

static void
a_warning_is_stolen_only_by_a_warning(void)
{
    struct rig r = rig_up();
    struct effect *e;
    int i;

    e = add(r.set, "alarm", EFFECT_ONESHOT, 10, 0.2f);
    snprintf(e->class_name, sizeof(e->class_name), "warning");
    e->hold_ms = 500;
    e->limit = MIXER_VOICES_MAX;
    for (i = 0; i < MIXER_VOICES_MAX; i++)
        command(&r, "alarm", HP_EFFECT_PLAY, 1, i * MS);
    command(&r, "hit", HP_EFFECT_PLAY, 1, 40 * MS);
    ok_int(counters(&r).stolen, 0);
    ok_int(counters(&r).ignored, 1);
    command(&r, "warning", HP_EFFECT_PLAY, 1, 40 * MS);
    ok_int(counters(&r).stolen, 1);
    rig_down(&r);
}

static void
nonsense_is_counted_and_not_felt(void)
{
    struct rig r = rig_up();
    struct hp_effect_command c = {0};

    command(&r, "no_such_effect", HP_EFFECT_PLAY, 1, 0);
    command(&r, NULL, HP_EFFECT_PLAY, 1, 0);
    ok_int(counters(&r).unknown, 2);
    command(&r, "hit", HP_EFFECT_PLAY, NAN, 0);
    command(&r, "stall", HP_EFFECT_HOLD, -1, 0);
    command(&r, "hit", 99, 1, 0);
    ok_int(counters(&r).ignored, 3);
    c.effect = "stall";
    c.action = HP_EFFECT_RELEASE; /* of what was never held */
    mixer_command(r.mixer, &c, 0, 0);
    mix(&r, 0);
    ok_int(r.told, 0);
    command(&r, "hit", HP_EFFECT_PLAY, INFINITY, 0);
    mix(&r, 0);
    ok_real(r.low, 0.8, 1e-6);
    rig_down(&r);
}

static void
a_device_that_comes_back_gets_the_hold_again(void)
{
    struct rig r = rig_up();
    struct hp_device device = pad(0);

    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 100 * MS);
    mixer_set_devices(r.mixer, &device, 0);
    mix(&r, 104 * MS);
    ok_int(r.told, 0);
    device.generation = 2;
    mixer_set_devices(r.mixer, &device, 1);
    mix(&r, 108 * MS);
    ok_int(r.told, 1);
    ok_int(r.levels.levels[0].generation, 2);
    ok_int(r.levels.levels[0].flags, HP_LEVEL_FIRST);
    /* The same device told again changes nothing. */
    mixer_set_devices(r.mixer, &device, 1);
    mix(&r, 112 * MS);
    ok_int(r.told, 0);
    rig_down(&r);
}

static void
a_new_set_glides_what_is_held_and_drops_what_went(void)
{
    struct rig r = rig_up();
    struct effects *next = new_set();

    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    command(&r, "gun", HP_EFFECT_PLAY, 1, 60 * MS);
    run(&r, 60 * MS, 100 * MS);
    next->list[0] = next->list[2]; /* another place in the new set */
    next->list[0].levels[HP_ACTUATOR_LOW] = 0.9f;
    next->count = 1;
    mixer_set_effects(r.mixer, next);
    free(r.set);
    r.set = next;
    mix(&r, 100 * MS);
    ok_real(r.low, 0.3, 1e-6);
    ok_real(r.high, 0.8, 1e-6);
    run(&r, 100 * MS, 148 * MS);
    ok_real(r.low, 0.588, 1e-3);
    ok_real(r.high, 0, 0);
    run(&r, 148 * MS, 200 * MS);
    ok_real(r.low, 0.9, 1e-6);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 200 * MS);
    ok_int(counters(&r).started, 2);
    command(&r, "gun", HP_EFFECT_PLAY, 1, 200 * MS);
    ok_int(counters(&r).unknown, 1);
    rig_down(&r);
}

static void
a_hold_that_comes_back_after_a_reload_feels_as_the_new_set_says(void)
{
    struct rig r = rig_up();
    struct effects *louder = new_set();

    louder->list[2].levels[HP_ACTUATOR_LOW] = 0.6f;
    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 200 * MS);
    ok_real(r.low, 0.3, 1e-6);
    command(&r, "stall", HP_EFFECT_RELEASE, 1, 200 * MS);
    run(&r, 200 * MS, 240 * MS);
    mixer_set_effects(r.mixer, louder);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 244 * MS);
    mix(&r, 244 * MS);
    ok(r.low < 0.3f); /* without a jump */
    run(&r, 248 * MS, 440 * MS);
    ok_real(r.low, 0.6, 1e-6);
    free(r.set);
    r.set = louder;
    rig_down(&r);
}

/* ---- what several effects at once become ---- */

static void
equal_effects_grow_by_three_decibels(void)
{
    struct rig r = rig_up();

    add(r.set, "shake", EFFECT_HOLD, 30, 0.3f);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    command(&r, "shake", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 100 * MS);
    ok_real(r.low, 0.3 * sqrt(2), 1e-5);
    rig_down(&r);
}

static void
the_limiter_bends_what_is_too_much(void)
{
    struct rig r = rig_up();
    int i;

    r.set->list[0].limit = 8;
    for (i = 0; i < 8; i++)
        command(&r, "hit", HP_EFFECT_PLAY, 1, 0);
    mix(&r, 0);
    ok(r.low > 0.9f && r.low < 1);
    ok(counters(&r).limited > 0);
    rig_down(&r);
}

static void
a_warning_turns_down_what_it_would_drown_in(void)
{
    struct rig r = rig_up();
    uint64_t t;

    r.set->list[4].duck = 0.8f;
    r.set->list[4].exclusive = 1;
    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    command(&r, "burner", HP_EFFECT_HOLD, 1, 0);
    r.set->list[3].levels[HP_ACTUATOR_LOW] = 0; /* of the next burner */
    run(&r, 0, 100 * MS);
    command(&r, "burner", HP_EFFECT_CUT, 0, 100 * MS);
    command(&r, "burner", HP_EFFECT_HOLD, 1, 100 * MS);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 200 * MS);
    command(&r, "burner", HP_EFFECT_HOLD, 1, 200 * MS);
    run(&r, 100 * MS, 200 * MS);
    ok_real(r.low, 0.3, 1e-6);
    ok_real(r.high, 0.1, 1e-6);
    command(&r, "warning", HP_EFFECT_PLAY, 1, 200 * MS);
    run(&r, 200 * MS, 240 * MS);
    ok_real(r.low, sqrt(0.49 + 0.0036), 1e-3);
    run(&r, 240 * MS, 260 * MS);
    ok_real(r.low, 0.06, 1e-6); /* its gap is a gap */
    ok_real(r.high, 0.1, 1e-6); /* where it is not felt nothing changes */
    run(&r, 260 * MS, 488 * MS);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 448 * MS);
    t = 496 * MS; /* it ended at 490 */
    mix(&r, t);
    ok(r.low < 0.1f);
    run(&r, t, t + 100 * MS);
    ok_real(r.low, 0.3, 1e-6);
    rig_down(&r);
}

static void
a_hold_fades_in_after_a_pause_and_a_oneshot_is_not_played_again(void)
{
    struct rig r = rig_up();

    mixer_set_scope(r.mixer, MIXER_PAUSED, 0);
    command(&r, "hit", HP_EFFECT_PLAY, 1, 50 * MS);
    run(&r, 0, 100 * MS);
    mixer_set_scope(r.mixer, MIXER_FLYING, 100 * MS);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 100 * MS);
    run(&r, 100 * MS, 200 * MS);
    ok_real(r.low, 0.15, 1e-3);
    run(&r, 200 * MS, 300 * MS);
    ok_real(r.low, 0.3, 1e-6);
    rig_down(&r);
}

static void
a_start_restarts_waits_or_is_ignored_as_the_file_says(void)
{
    struct rig r = rig_up();
    struct effect *gun = &r.set->list[1];

    command(&r, "gun", HP_EFFECT_PLAY, 1, 0);
    mix(&r, 0);
    command(&r, "gun", HP_EFFECT_PLAY, 0.5f, 40 * MS);
    mix(&r, 40 * MS);
    ok_real(r.high, 0.8, 1e-6); /* the weak one hides no strong one */
    mix(&r, 116 * MS);
    ok_real(r.high, 0.8, 1e-6); /* but it began anew */
    run(&r, 116 * MS, 200 * MS);
    ok_real(r.high, 0, 0);

    gun->repeat = EFFECT_IGNORE;
    command(&r, "gun", HP_EFFECT_PLAY, 1, 200 * MS);
    command(&r, "gun", HP_EFFECT_PLAY, 1, 201 * MS);
    ok_int(counters(&r).ignored, 1);
    run(&r, 200 * MS, 400 * MS);

    gun->repeat = EFFECT_QUEUE;
    gun->limit = 2;
    gun->spacing_ms = 200;
    command(&r, "gun", HP_EFFECT_PLAY, 1, 400 * MS);
    command(&r, "gun", HP_EFFECT_PLAY, 1, 400 * MS);
    command(&r, "gun", HP_EFFECT_PLAY, 1, 400 * MS);
    ok_int(counters(&r).ignored, 2);
    run(&r, 400 * MS, 560 * MS);
    ok_real(r.high, 0, 0);
    mix(&r, 600 * MS);
    ok_real(r.high, 0.8, 1e-6);
    rig_down(&r);
}

static void
a_hit_is_felt_on_its_side(void)
{
    struct hp_effect_command c = {
        .effect = "hit",
        .action = HP_EFFECT_PLAY,
        .level = 1,
        .direction = {0, 1, 0}
    };
    struct rig r = rig_up();

    r.set->list[0].side = 1;
    mixer_command(r.mixer, &c, 0, 0);
    run(&r, 0, 80 * MS);
    ok_real(r.low, 0.8 * 0.3, 1e-5);
    ok_real(r.axis, -0.5, 1e-5); /* pushed away from it */
    rig_down(&r);
}

/* ---- what an actuator can show ---- */

static struct effect_curve *
curve(struct rig *r, uint32_t kind, uint32_t given)
{
    struct effect_curve *c = &r->set->curves[r->set->curve_count++];

    memset(c, 0, sizeof(*c));
    c->kind = kind;
    c->given = given;
    return c;
}

static void
a_curve_spreads_levels_over_what_is_felt(void)
{
    struct rig r = rig_up();
    struct effect_curve *c =
        curve(&r, HP_ACTUATOR_LOW, 1u << CURVE_MIN | 1u << CURVE_FULL);

    c->min = 0.3f;
    c->full = 0.86f;
    mixer_set_effects(r.mixer, r.set);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 0);
    run(&r, 0, 100 * MS);
    ok_real(r.low, 0.3 + 0.56 * 0.3, 1e-5);
    command(&r, "stall", HP_EFFECT_CUT, 0, 100 * MS);
    mix(&r, 104 * MS);
    ok_real(r.low, 0, 0); /* nothing stays nothing */
    rig_down(&r);
}

static void
a_motor_is_kicked_and_its_pulses_are_stretched(void)
{
    struct rig r = rig_up();
    struct effect_curve *c =
        curve(&r, HP_ACTUATOR_LOW,
              1u << CURVE_KICK | 1u << CURVE_KICK_MS |
                  1u << CURVE_PULSE_MIN_MS | 1u << CURVE_GAP_MIN_MS);

    c->kick = 1;
    c->kick_ms = 20;
    c->pulse_min_ms = 60;
    c->gap_min_ms = 40;
    mixer_set_effects(r.mixer, r.set);
    command(&r, "warning", HP_EFFECT_PLAY, 1, 100 * MS); /* 50/70 */
    mix(&r, 100 * MS);
    ok_real(r.low, 1, 0);
    mix(&r, 120 * MS);
    ok_real(r.low, 0.7, 1e-6);
    mix(&r, 152 * MS);
    ok_real(r.low, 0.7, 1e-6);
    ok_int(r.next_ns, 160 * MS);
    mix(&r, 160 * MS);
    ok_real(r.low, 0, 0);
    command(&r, "stall", HP_EFFECT_HOLD, 1, 160 * MS);
    mix(&r, 164 * MS);
    ok_real(r.low, 0, 0); /* the gap is kept */
    mix(&r, 200 * MS);
    ok(r.low > 0);
    mixer_set_scope(r.mixer, MIXER_PAUSED, 200 * MS);
    mix(&r, 230 * MS);
    ok_real(r.low, 0, 0); /* silence is not put off */
    rig_down(&r);
}

static void
a_force_rises_slowly_and_not_above_its_ceiling(void)
{
    struct rig r = rig_up();
    float before = 0;
    uint64_t t;

    r.set->list[0].levels[HP_ACTUATOR_AXIS_X] = -1;
    command(&r, "hit", HP_EFFECT_PLAY, 1, 0);
    for (t = 0; t <= 120 * MS; t += STEP) {
        mix(&r, t);
        ok(fabsf(r.axis - before) <= 4.0f / 60 + 1e-6f);
        ok(fabsf(r.axis) <= 0.5f);
        before = r.axis;
    }
    run(&r, 120 * MS, 200 * MS);
    ok_real(r.axis, 0, 0);
    rig_down(&r);
}

static void
a_weak_battery_halves(void)
{
    struct rig r = rig_up();
    struct hp_device weak = pad(0);

    weak.battery_percent = 9;
    mixer_set_devices(r.mixer, &weak, 1);
    command(&r, "hit", HP_EFFECT_PLAY, 1, 0);
    mix(&r, 0);
    ok_real(r.low, 0.5, 1e-6);
    rig_down(&r);
}

/* Seeded noise of commands: whatever comes, levels stay within bounds, and the
 * mixer falls silent when it is left alone. */
static void
ten_thousand_random_commands_end_in_silence(void)
{
    static const char *const names[] = {"hit", "gun", "stall", "burner",
                                        "warning"};
    struct rig r = rig_up();
    uint64_t t = 0, noise = 88172645463325252ull;
    int i;

    for (i = 0; i < 10000; i++) {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        t += noise % (9 * MS);
        if (noise >> 58 == 0)
            mixer_set_scope(r.mixer, (noise >> 40) & 1, t);
        command(&r, names[(noise >> 20) % 5], 1 + (noise >> 30) % 4,
                (float)((noise >> 44) % 1000) / 999, t);
        mix(&r, t);
        ok(r.low >= 0 && r.low < 1 && r.high >= 0 && r.high < 1);
        ok(fabsf(r.axis) <= 0.5f);
        ok(r.next_ns > t);
    }
    while (r.next_ns != UINT64_MAX && i++ < 20000)
        mix(&r, r.next_ns);
    ok(r.next_ns == UINT64_MAX);
    ok(!mixer_is_sounding(r.mixer));
    ok_real(r.low + r.high + fabsf(r.axis), 0, 0);
    rig_down(&r);
}

TAP_MAIN(FACT(the_levels_of_a_script_are_the_golden_ones),
         FACT(a_weak_later_effect_never_erases_a_strong_one),
         FACT(a_gun_does_not_touch_the_motor_it_does_not_use),
         FACT(a_hold_ends_by_itself_when_nobody_keeps_it_alive),
         FACT(slow_snapshots_lengthen_the_keepalive),
         FACT(a_hold_lasts_as_long_as_it_is_kept_alive),
         FACT(a_hold_that_reached_its_limit_stays_silent_until_let_go),
         FACT(a_hold_that_comes_back_attacks_from_where_it_is),
         FACT(a_confirmation_does_not_repeat_a_prediction),
         FACT(two_hits_of_one_tick_are_two),
         FACT(a_start_older_than_150_ms_is_dropped),
         FACT(a_train_is_not_started_into_itself_nor_too_soon_after),
         FACT(a_held_train_plays_again_each_again_after),
         FACT(a_pause_silences_within_30_ms_and_refuses_starts),
         FACT(releasing_all_is_silent_within_30_ms),
         FACT(zero_is_told_at_once_and_once_more),
         FACT(a_silent_mixer_needs_no_mix),
         FACT(a_steady_hold_is_mixed_only_for_its_refresh),
         FACT(the_lowest_then_the_oldest_voice_is_stolen),
         FACT(a_warning_is_stolen_only_by_a_warning),
         FACT(nonsense_is_counted_and_not_felt),
         FACT(a_device_that_comes_back_gets_the_hold_again),
         FACT(a_new_set_glides_what_is_held_and_drops_what_went),
         FACT(a_hold_that_comes_back_after_a_reload_feels_as_the_new_set_says),
         FACT(equal_effects_grow_by_three_decibels),
         FACT(the_limiter_bends_what_is_too_much),
         FACT(a_warning_turns_down_what_it_would_drown_in),
         FACT(a_hold_fades_in_after_a_pause_and_a_oneshot_is_not_played_again),
         FACT(a_start_restarts_waits_or_is_ignored_as_the_file_says),
         FACT(a_hit_is_felt_on_its_side),
         FACT(a_curve_spreads_levels_over_what_is_felt),
         FACT(a_motor_is_kicked_and_its_pulses_are_stretched),
         FACT(a_force_rises_slowly_and_not_above_its_ceiling),
         FACT(a_weak_battery_halves),
         FACT(ten_thousand_random_commands_end_in_silence))
