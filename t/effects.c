#include "effects.h"
#include "tap.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Loads a text as a file; the problems without the folder. */
static struct effects *
load(const char *text, int want, char *problems, size_t bytes)
{
    char path[] = "/tmp/effects-XXXXXX";
    struct effects *set = NULL;
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    FILE *to = fmemopen(problems, bytes, "w");
    char *at, *after;

    fputs(text, file);
    fclose(file);
    ok_int(effects_load(&set, path, to), want);
    fclose(to);
    problems[bytes - 1] = 0;
    for (at = problems; (at = strstr(at, path)) != NULL; at += 3) {
        after = at + sizeof(path) - 1;
        memmove(at + 3, after, strlen(after) + 1);
        memcpy(at, "ini", 3);
    }
    unlink(path);
    return set;
}

static void
refuses(const char *text, const char *problems)
{
    char got[4096] = "";
    struct effects *set = load(text, -EINVAL, got, sizeof(got));

    ok(set == NULL);
    ok_text(got, problems);
    effects_destroy(set);
}

static void
every_key_reaches_its_field(void)
{
    char problems[1024] = "";
    const struct effect *e;
    struct effects *set = load("; a comment\n"
                               "[effect.gun_burst]\n"
                               "class = weapon\n"
                               "priority = 60\n"
                               "mode = oneshot\n"
                               "low = 0.1\n"
                               "high = 0.2\n"
                               "trigger_l = 0.3\n"
                               "trigger_r = 0.4\n"
                               "axis_x = -0.5\n"
                               "axis_y = 0.6\n"
                               "audio = 0.7\n"
                               "generic = 0.8\n"
                               "frequency_hz = 18 Hz\n"
                               "attack_ms = 1\n"
                               "hold_ms = 80 ms\n"
                               "decay_ms = 20\n"
                               "again_after_ms = 40\n"
                               "[effect.gpws]\n"
                               "class = warning\n"
                               "mode = pulses\n"
                               "low = 0.5\n"
                               "pulses = 100/150\n"
                               "    90/0\n"
                               "[effect.stall]\n"
                               "class = airframe\n"
                               "mode = hold\n"
                               "low = 1\n"
                               "sustain = 0.4\n"
                               "release_ms = 120\n"
                               "max_hold_ms = 60000\n"
                               "[haptics]\n"
                               "master = 0.5\n"
                               "keepalive_ms = 300\n"
                               "gain.weapon = 0.5\n",
                               0, problems, sizeof(problems));

    ok_text(problems, "");
    if (!ok(set != NULL))
        return;
    ok_int(set->count, 3);
    ok_int(set->keepalive_ms, 300);
    e = effects_find(set, "gun_burst");
    ok_text(e->class_name, "weapon");
    ok_int(e->priority, 60);
    ok_int(e->mode, EFFECT_ONESHOT);
    ok_real(e->levels[HP_ACTUATOR_LOW], 0.1, 1e-6);
    ok_real(e->levels[HP_ACTUATOR_HIGH], 0.2, 1e-6);
    ok_real(e->levels[HP_ACTUATOR_TRIGGER_L], 0.3, 1e-6);
    ok_real(e->levels[HP_ACTUATOR_TRIGGER_R], 0.4, 1e-6);
    ok_real(e->levels[HP_ACTUATOR_AXIS_X], -0.5, 1e-6);
    ok_real(e->levels[HP_ACTUATOR_AXIS_Y], 0.6, 1e-6);
    ok_real(e->levels[HP_ACTUATOR_AUDIO], 0.7, 1e-6);
    ok_real(e->levels[HP_ACTUATOR_GENERIC], 0.8, 1e-6);
    ok_real(e->frequency_hz, 18, 0);
    ok_int(e->attack_ms, 1);
    ok_int(e->hold_ms, 80);
    ok_int(e->decay_ms, 20);
    ok_int(e->again_after_ms, 40);
    ok_real(e->gain, 0.25, 1e-6);
    e = effects_find(set, "gpws");
    ok_int(e->pulse_count, 2);
    ok_int(e->pulses[0].on_ms, 100);
    ok_int(e->pulses[0].off_ms, 150);
    ok_int(e->pulses[1].on_ms, 90);
    ok_real(e->gain, 0.5, 1e-6);
    e = effects_find(set, "stall");
    ok_real(e->sustain, 0.4, 1e-6);
    ok_int(e->release_ms, 120);
    ok_int(e->max_hold_ms, 60000);
    ok(effects_find(set, "no_such") == NULL);
    effects_destroy(set);
}

static void
every_problem_is_told_in_order_of_place(void)
{
    refuses("low = 1\n"
            "[effect.gun]\n"
            "clas = weapon\n"
            "mode = oneshot\n"
            "low = 1.5\n"
            "hihg = 0.4\n"
            "hold_ms = 80 apples\n"
            "hold_ms = 80\n"
            "[effects.gun]\n"
            "anything = 1\n"
            "[haptics]\n"
            "master = loud\n"
            "gain.weapons = 1\n",
            "ini:1:1: error: low stands before any section, expected [haptics] "
            "or [effect.NAME] above it\n"
            "ini:2:1: error: [effect.gun] has no class (which gain of "
            "[haptics] it takes): add it\n"
            "ini:3:1: error: unknown key \"clas\" in [effect.gun], did you "
            "mean \"class\"?\n"
            "ini:5:7: error: low: 1.5 is out of range, expected 0 to 1 "
            "(strength on the heavy, slow motor)\n"
            "ini:6:1: error: unknown key \"hihg\" in [effect.gun], did you "
            "mean \"high\"?\n"
            "ini:7:11: error: hold_ms: \"80 apples\" is not a whole number, "
            "expected 0 to 10000 ms (at full strength)\n"
            "ini:8:1: error: hold_ms is given twice, first on line 7: remove "
            "one\n"
            "ini:9:1: error: unknown section [effects.gun], expected "
            "[haptics], [effect.NAME], [curve.kind.NAME] or [curve.VID:PID]\n"
            "ini:12:10: error: master: \"loud\" is not a number, expected 0 to "
            "1 (multiplies every effect)\n"
            "ini:13:1: error: unknown key \"gain.weapons\" in [haptics], did "
            "you mean \"gain.weapon\"?\n");
}

static void
a_key_of_another_mode_is_refused(void)
{
    refuses("[effect.gun]\n"
            "pulses = 50/50\n"
            "class = weapon\n"
            "mode = oneshot\n"
            "low = 1\n"
            "hold_ms = 10\n"
            "release_ms = 10\n",
            "ini:2:1: error: pulses does not fit mode = oneshot (ON/OFF in ms, "
            "up to 8 of them): remove it, or change the mode\n"
            "ini:7:1: error: release_ms does not fit mode = oneshot (from "
            "there to nothing, once let go): remove it, or change the mode\n");
}

static void
words_that_are_none_get_the_nearest(void)
{
    refuses("[effect.gun]\n"
            "class = weapons\n"
            "mode = pulse\n"
            "low = 1\n",
            "ini:2:9: error: class: \"weapons\" is none of weapon, warning, "
            "impact, airframe, engine, system; did you mean \"weapon\"?\n"
            "ini:3:8: error: mode: \"pulse\" is none of oneshot, pulses, hold; "
            "did you mean \"pulses\"?\n");
}

static void
a_bad_pulse_is_pointed_at(void)
{
    static const char expected[] =
        ", expected up to 8 of ON/OFF in ms, ON 1 to 5000, OFF 0 to 5000, as "
        "in 50/70 50/70\n";
    static const struct {
        const char *value, *found;
    } cases[] = {
        {"50/70 0/50",                          "16: error: pulses: no such pulse at \"0/50\""   },
        {"50/70 50",                            "16: error: pulses: no such pulse at \"50\""     },
        {"50/5001",                             "10: error: pulses: no such pulse at \"50/5001\""},
        {"50/-1",                               "10: error: pulses: no such pulse at \"50/-1\""  },
        {"1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 9/9",
         "42: error: pulses: one too many at \"9/9\""                                            },
    };
    char text[256], want[512];
    size_t i;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(text, sizeof(text),
                 "[effect.gpws]\nclass = warning\nmode = pulses\nlow = 1\n"
                 "pulses = %s\n",
                 cases[i].value);
        snprintf(want, sizeof(want), "ini:5:%s%s", cases[i].found, expected);
        refuses(text, want);
    }
}

static void
an_effect_that_cannot_be_felt_is_refused(void)
{
    refuses("[effect.a]\nclass = weapon\nmode = oneshot\nhold_ms = 5\n"
            "[effect.b]\nclass = weapon\nmode = oneshot\nlow = 1\n"
            "[effect.c]\nclass = weapon\nmode = pulses\nlow = 1\n",
            "ini:1:1: error: [effect.a] moves nothing: give it low, high, "
            "trigger_l, trigger_r, axis_x, axis_y, audio or generic above 0\n"
            "ini:5:1: error: [effect.b] lasts 0 ms: give it attack_ms, hold_ms "
            "or decay_ms\n"
            "ini:9:1: error: [effect.c] has no pulses (ON/OFF in ms, up to 8 "
            "of them): add it\n");
}

static void
a_section_given_twice_or_misnamed_is_refused(void)
{
    refuses("[haptics]\n[haptics]\n"
            "[effect.a]\nclass = weapon\nmode = hold\nlow = 1\n"
            "[effect.a]\nclass = weapon\nmode = hold\nlow = 1\n"
            "[effect.Big Gun]\nclass = weapon\nmode = hold\nlow = 1\n",
            "ini:2:1: error: [haptics] is given twice, first on line 1: join "
            "them\n"
            "ini:7:1: error: [effect.a] is given twice, first on line 3: "
            "remove one\n"
            "ini:11:1: error: [effect.Big Gun]: an effect's name is 1 to 31 of "
            "a-z, 0-9 and _\n");
    refuses("", "ini:1:1: error: no effect in it, expected at least one "
                "[effect.NAME]\n");
}

static void
sixty_five_effects_are_one_too_many(void)
{
    static char text[8192];
    size_t used = 0;
    int i;

    for (i = 0; i <= EFFECTS_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "[effect.e%d]\nclass = system\nmode = hold\n"
                                 "low = 1\n",
                                 i);
    refuses(text, "ini:257:1: error: [effect.e64] is one too many, expected at "
                  "most 64 effects\n");
}

/* Not a number, infinities, hexadecimal: no value that a range lets slip. */
static void
strange_numbers_are_refused(void)
{
    static const char *const values[] = {"nan", "inf", "-inf", "1e400", "0x1p0",
                                         "",    "1,0", "--1",  "1 1"};
    char text[256], got[1024];
    size_t i;

    for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        snprintf(text, sizeof(text),
                 "[effect.a]\nclass = weapon\nmode = hold\nlow = 1\n"
                 "axis_x = %s\n",
                 values[i]);
        memset(got, 0, sizeof(got));
        effects_destroy(load(text, -EINVAL, got, sizeof(got)));
        ok(strncmp(got, "ini:5:", 6) == 0);
    }
}

static void
a_line_that_inih_would_cut_is_refused(void)
{
    char text[512], got[1024] = "";

    snprintf(text, sizeof(text),
             "[effect.a]\nclass = weapon\nmode = hold\nlow = 1\n; %250s\n",
             "hold");
    effects_destroy(load(text, -EINVAL, got, sizeof(got)));
    ok(strncmp(got, "ini:5:", 6) == 0);
}

static void
a_file_that_is_not_there_says_so(void)
{
    struct effects *set = NULL;

    ok_int(effects_load(&set, "/no/such/effects.ini", stdout), -ENOENT);
    ok(set == NULL);
}

static void
the_shipped_effects_load(void)
{
    static const char *const names[] = {
        "gun_burst",        "hit_taken",   "stall_buffet", "gpws",
        "transonic_buffet", "afterburner", "gear_command"};
    const char *source = getenv("HP_SRC");
    struct effects *set = NULL;
    char path[512];
    size_t i;

    snprintf(path, sizeof(path), "%s/conf/effects.ini",
             source != NULL ? source : ".");
    if (access(path, F_OK) != 0) {
        skip("no conf/effects.ini in this tree");
        return;
    }
    if (!ok_int(effects_load(&set, path, stdout), 0))
        return;
    ok_int(set->count, 16);
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        ok(effects_find(set, names[i]) != NULL);
    effects_destroy(set);
}

TAP_MAIN(FACT(every_key_reaches_its_field),
         FACT(every_problem_is_told_in_order_of_place),
         FACT(a_key_of_another_mode_is_refused),
         FACT(words_that_are_none_get_the_nearest),
         FACT(a_bad_pulse_is_pointed_at),
         FACT(an_effect_that_cannot_be_felt_is_refused),
         FACT(a_section_given_twice_or_misnamed_is_refused),
         FACT(sixty_five_effects_are_one_too_many),
         FACT(strange_numbers_are_refused),
         FACT(a_line_that_inih_would_cut_is_refused),
         FACT(a_file_that_is_not_there_says_so), FACT(the_shipped_effects_load))
