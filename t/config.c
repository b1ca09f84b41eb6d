#include "../host/config.h"
#include "../host/options.h"
#include "tap.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* clang-format off */
static const struct hp_param rows[] = {
    {"on", "", "no", "A flag.", NULL, NULL, 0, 0, HP_PARAM_FLAG, 0},
    {"delay_ms", "ms", "250", "A time.", NULL, NULL, 1, 5000, HP_PARAM_INT,
     HP_PARAM_LIVE},
    {"gain", "", "0.5", "A share.", NULL, NULL, 0, 1, HP_PARAM_REAL, 0},
    {"label", "", "plain", "A text.", NULL, NULL, 0, 0, HP_PARAM_TEXT, 0},
    {"shape", "", "flat", "A word.", "flat|round|oval", NULL, 0, 0,
     HP_PARAM_CHOICE, 0},
    {"file", "", "", "A file.", NULL, NULL, 0, 0, HP_PARAM_PATH, 0},
    {"table", "", "", "A file to read.", NULL, NULL, 0, 0, HP_PARAM_PATH,
     HP_PARAM_INPUT},
    {"point", "", "", "Points.", NULL, NULL, 0, 99, HP_PARAM_INT,
     HP_PARAM_REPEAT},
};
static const struct hp_param stubborn[] = {
    {"key", "", NULL, "Who you are.", NULL, NULL, 0, 0, HP_PARAM_TEXT,
     HP_PARAM_REQUIRED},
};
/* clang-format on */

/* A configuration of one text named conf/x.ini, with the rows above bound to
 * [haptics.test] and the host's to theirs. */
static struct config *
config_of(const char *text)
{
    struct config *c;

    config_create(&c);
    config_read_text(c, "conf/x.ini", text);
    options_bind(c);
    config_bind(c, "haptics.test", rows, HP_PARAMS(rows));
    return c;
}

/* Its problems as they are printed, until the next call. */
static const char *
problems_of(struct config *c)
{
    static char text[16384];
    FILE *to = fmemopen(text, sizeof(text), "w");

    text[0] = '\0';
    config_print_problems(c, to);
    fclose(to);
    return text;
}

static void
hold_problems(const char *text, const char *problems)
{
    struct config *c = config_of(text);

    config_finish(c);
    ok_text(problems_of(c), problems);
    config_destroy(c);
}

static void
defaults_stand_until_something_is_set(void)
{
    struct config *c = config_of("");
    const char *label;
    int64_t n;
    double gain;
    int on;

    ok_int(config_finish(c), 0);
    ok_int(config_int(c, "net", "port", 0, &n), 0);
    ok_int(n, 4776);
    ok_int(config_flag(c, "haptics.test", "on", &on), 0);
    ok_int(on, 0);
    ok_int(config_real(c, "haptics.test", "gain", 0, &gain), 0);
    ok_real(gain, .5, 0);
    ok_int(config_text(c, "haptics.test", "label", 0, &label), 0);
    ok_text(label, "plain");
    ok_text(config_origin(c, "net", "port"), "default");
    config_destroy(c);
}

static void
values_are_read_by_their_type_and_no_other(void)
{
    struct config *c = config_of("[haptics.test]\non = yes\n"
                                 "delay_ms = 20 ms\ngain = 0.25\n"
                                 "label = a b\nshape = round\n");
    const char *text;
    double gain;
    int64_t n;
    int on;

    ok_int(config_finish(c), 0);
    config_flag(c, "haptics.test", "on", &on);
    ok_int(on, 1);
    config_int(c, "haptics.test", "delay_ms", 0, &n);
    ok_int(n, 20);
    config_real(c, "haptics.test", "gain", 0, &gain);
    ok_real(gain, .25, 0);
    config_text(c, "haptics.test", "label", 0, &text);
    ok_text(text, "a b");
    config_text(c, "haptics.test", "shape", 0, &text);
    ok_text(text, "round");
    ok_int(config_int(c, "haptics.test", "label", 0, &n), -EINVAL);
    ok_int(config_text(c, "haptics.test", "on", 0, &text), -EINVAL);
    ok_int(config_int(c, "haptics.test", "nothing", 0, &n), -ENOENT);
    ok_int(config_int(c, "nowhere", "port", 0, &n), -ENOENT);
    ok_int(config_int(c, "net", "port", 1, &n), -ENOENT);
    config_destroy(c);
}

static void
later_sources_win_and_are_named(void)
{
    static char *environment[] = {
        "PATH=/bin",
        "HARDPOINT_CONFIG=x",
        "HARDPOINT_PLUGIN_PATH=/x",
        "HARDPOINT_NET__PORT=2",
        "HARDPOINT_HAPTICS_TEST__DELAY_MS=3",
        "HARDPOINT_NET__CLIENTS_MAX=4",
        NULL,
    };
    struct config *c;
    int64_t n;

    config_create(&c);
    config_read_text(c, "conf/x.ini", "[net]\nport = 1\n[host]\nspin_us = 1\n");
    ok_int(config_read_environment(c, environment), 0);
    ok_int(config_override(c, "net.port = 5"), 0);
    ok_int(config_override(c, "net.port=6"), 0);
    ok_int(config_override(c, "haptics.test.label=a=b"), 0);
    options_bind(c);
    config_bind(c, "haptics.test", rows, HP_PARAMS(rows));
    ok_int(config_finish(c), 0);
    config_int(c, "net", "port", 0, &n);
    ok_int(n, 6);
    ok_text(config_origin(c, "net", "port"), "-s");
    config_int(c, "haptics.test", "delay_ms", 0, &n);
    ok_int(n, 3);
    ok_text(config_origin(c, "haptics.test", "delay_ms"), "environment");
    config_int(c, "net", "clients_max", 0, &n);
    ok_int(n, 4);
    ok_text(config_origin(c, "host", "spin_us"), "conf/x.ini:4:1");
    config_destroy(c);
}

static void
what_is_wrong_outside_a_file_names_its_source(void)
{
    static char *environment[] = {"HARDPOINT_NET__PROT=1",
                                  "HARDPOINT_NETT__PORT=1",
                                  "HARDPOINT_NET__PORT=x", NULL};
    struct config *c;

    config_create(&c);
    config_read_environment(c, environment);
    ok_int(config_override(c, "port=1"), -EINVAL);
    ok_int(config_override(c, "net.port"), -EINVAL);
    ok_int(config_override(c, ".port=1"), -EINVAL);
    ok_int(config_override(c, "net.=1"), -EINVAL);
    ok_int(config_override(c, "net.port=70000"), 0);
    ok_int(config_override(c, "nets.port=1"), 0);
    ok_int(config_override(c, "client.name=a\nb"), 0);
    options_bind(c);
    config_finish(c);
    ok_text(
        problems_of(c),
        "HARDPOINT_NET__PORT: error: [net] port: found \"x\", expected a whole "
        "number from 1 to 65535\n"
        "HARDPOINT_NET__PROT: error: found no key \"prot\" in [net], expected "
        "a known one; did you mean \"port\"?\n"
        "HARDPOINT_NETT__PORT: error: found the unknown section [nett], "
        "expected a known one; did you mean [net]?\n"
        "-s port=1: error: found \"port=1\", expected SECTION.KEY=VALUE, as in "
        "-s net.port=4776\n"
        "-s net.port: error: found \"net.port\", expected SECTION.KEY=VALUE, "
        "as in -s net.port=4776\n"
        "-s .port=1: error: found \".port=1\", expected SECTION.KEY=VALUE, as "
        "in -s net.port=4776\n"
        "-s net.=1: error: found \"net.=1\", expected SECTION.KEY=VALUE, as in "
        "-s net.port=4776\n"
        "-s client.name=a?b: error: found a control character, expected text "
        "that an INI file can hold\n"
        "-s net.port=70000: error: [net] port: found \"70000\", expected a "
        "whole number from 1 to 65535\n"
        "-s nets.port=1: error: found the unknown section [nets], expected a "
        "known one; did you mean [net]?\n");
    config_destroy(c);
}

static void
a_tick_rate_that_is_none_is_refused_with_its_range(void)
{
    static const char *const bad[] = {"0",     "-1", "1e9",        "NaN",
                                      "60abc", "",   "2147483648", "1001"};
    static const char *const good[] = {"1",    "60", "59.94", "60000/1001",
                                       "1000", "20", "128",   "250"};
    char text[64], want[256];
    struct config *c;
    size_t i;

    for (i = 0; i < 8; i++) {
        snprintf(text, sizeof(text), "[host]\ntick_rate_hz = %s\n", bad[i]);
        snprintf(want, sizeof(want),
                 "conf/x.ini:2:%d: error: [host] tick_rate_hz: found %s%s%s, "
                 "expected a rate from 1 to 1000 Hz, as 60, 59.94 or "
                 "60000/1001\n",
                 *bad[i] == '\0' ? 15 : 16, *bad[i] == '\0' ? "" : "\"",
                 *bad[i] == '\0' ? "no value" : bad[i],
                 *bad[i] == '\0' ? "" : "\"");
        hold_problems(text, want);
    }
    for (i = 0; i < 8; i++) {
        snprintf(text, sizeof(text), "[host]\ntick_rate_hz = %s\n", good[i]);
        c = config_of(text);
        ok_int(config_finish(c), 0);
        config_destroy(c);
    }
}

static void
values_out_of_range_or_with_a_tail_are_refused_at_their_column(void)
{
    hold_problems(
        "[net]\nport = 0\nclients_max=70000\n[haptics.test]\n"
        "delay_ms = 60abc\ngain = nan\non = maybe\nshape = rund\n",
        "conf/x.ini:2:8: error: [net] port: found \"0\", expected a whole "
        "number from 1 to 65535\n"
        "conf/x.ini:3:13: error: [net] clients_max: found \"70000\", expected "
        "a whole number from 1 to 4087\n"
        "conf/x.ini:5:12: error: [haptics.test] delay_ms: found \"60abc\", "
        "expected a whole number from 1 to 5000 ms; \"abc\" is not "
        "understood\n"
        "conf/x.ini:6:8: error: [haptics.test] gain: found \"nan\", expected a "
        "number from 0 to 1\n"
        "conf/x.ini:7:6: error: [haptics.test] on: found \"maybe\", expected "
        "yes or no\n"
        "conf/x.ini:8:9: error: [haptics.test] shape: found \"rund\", expected "
        "flat, round or oval; did you mean \"round\"?\n");
    hold_problems("[net]\nport = 4776 # the usual\n",
                  "conf/x.ini:2:8: error: [net] port: found \"4776 # the "
                  "usual\", expected a whole number from 1 to 65535; a comment "
                  "after a value begins with \";\"\n");
}

static void
unknown_names_are_told_with_the_nearest_known_one(void)
{
    hold_problems(
        "port = 1\n[net]\nprot = 1\nbanana = 1\n[host]\nport = 4776\n[nett]\n"
        "port = 1\nx = 2\n[zebra]\n",
        "conf/x.ini:1:1: error: port: found before any [section], expected it "
        "under one: it belongs in [net]\n"
        "conf/x.ini:3:1: error: [net] prot: found an unknown key, expected a "
        "known one; did you mean \"port\"?\n"
        "conf/x.ini:4:1: error: [net] banana: found an unknown key, expected "
        "one of address, port, clients_max, service, bans, phase\n"
        "conf/x.ini:6:1: error: [host] port: found a key of another section, "
        "expected it there: port belongs in [net]\n"
        "conf/x.ini:7:1: error: found the unknown section [nett], expected a "
        "known one; did you mean [net]?\n"
        "conf/x.ini:10:1: error: found the unknown section [zebra], expected "
        "one of [host] [client] [net] [net.simulator] [plugins] [haptics] "
        "[metrics] [log] [haptics.test] or [KIND.NAME] of a plugin\n");
}

static void
a_doubled_key_names_the_first_line_and_a_repeated_row_appends(void)
{
    struct config *c;
    int64_t n;

    hold_problems("[net]\nport = 1\n[host]\n[net]\nport = 2\n",
                  "conf/x.ini:5:1: error: [net] port: found again, expected "
                  "once: line 2 sets it to \"1\" already; delete one of the "
                  "two\n");
    c = config_of("[haptics.test]\npoint = 7\npoint = 8\n");
    ok_int(config_finish(c), 0);
    ok_int(config_int(c, "haptics.test", "point", 0, &n), 0);
    ok_int(n, 7);
    ok_int(config_int(c, "haptics.test", "point", 1, &n), 0);
    ok_int(n, 8);
    ok_int(config_int(c, "haptics.test", "point", 2, &n), -ENOENT);
    config_destroy(c);
    c = config_of("");
    ok_int(config_int(c, "haptics.test", "point", 0, &n), -ENOENT);
    config_destroy(c);
}

static void
a_stronger_source_replaces_a_whole_list(void)
{
    struct config *c;
    int64_t n;

    config_create(&c);
    config_read_text(c, "x.ini", "[haptics.test]\npoint = 7\npoint = 8\n");
    config_override(c, "haptics.test.point=9");
    config_bind(c, "haptics.test", rows, HP_PARAMS(rows));
    ok_int(config_int(c, "haptics.test", "point", 0, &n), 0);
    ok_int(n, 9);
    ok_int(config_int(c, "haptics.test", "point", 1, &n), -ENOENT);
    config_destroy(c);
}

static void
a_required_key_that_is_missing_is_told_at_its_section(void)
{
    struct config *c;
    const char *text;

    config_create(&c);
    config_read_text(c, "x.ini", "[net]\n[agent.x]\n");
    ok_int(config_bind(c, "agent.x", stubborn, HP_PARAMS(stubborn)), 1);
    ok_text(problems_of(c),
            "x.ini:2:1: error: [agent.x] key: found nothing, expected a value, "
            "for it has no default: write \"key = ...\" under [agent.x] (Who "
            "you are.)\n");
    ok_int(config_text(c, "agent.x", "key", 0, &text), -ENOENT);
    config_destroy(c);
}

static void
paths_begin_at_the_folder_of_their_file(void)
{
    struct config *c;
    const char *text;

    config_create(&c);
    config_read_text(c, "conf/x.ini",
                     "[haptics.test]\nfile = a.jsonl\ntable = none.csv\n");
    config_bind(c, "haptics.test", rows, HP_PARAMS(rows));
    config_text(c, "haptics.test", "file", 0, &text);
    ok_text(text, "conf/a.jsonl");
    ok_text(problems_of(c),
            "conf/x.ini:3:9: error: [haptics.test] table: found \"none.csv\", "
            "expected a file that can be read, but conf/none.csv: No such file "
            "or directory; a relative path begins at the folder of its INI "
            "file, one that is not from a file at the working folder\n");
    config_destroy(c);
    config_create(&c);
    config_read_text(c, "conf/x.ini", "[haptics.test]\nfile = /tmp/a\n");
    config_override(c, "haptics.test.table=/dev/null");
    config_bind(c, "haptics.test", rows, HP_PARAMS(rows));
    ok_int(config_problem_count(c), 0);
    config_text(c, "haptics.test", "file", 0, &text);
    ok_text(text, "/tmp/a");
    config_destroy(c);
}

static void
lines_that_are_no_ini_are_problems_too_and_the_rest_is_still_judged(void)
{
    hold_problems(
        "[net]\nnonsense\nport = 0\n[host\nport = 4776\n",
        "conf/x.ini:2:1: error: found \"nonsense\" without \"=\", expected KEY "
        "= VALUE, or an indented line that goes on with the value above\n"
        "conf/x.ini:3:8: error: [net] port: found \"0\", expected a whole "
        "number from 1 to 65535\n"
        "conf/x.ini:4:1: error: found a heading without \"]\", expected "
        "[NAME]\n");
}

static void
files_that_cannot_be_read_are_told_by_errno(void)
{
    struct config *c;

    config_create(&c);
    ok_int(config_read_file(c, "/nowhere/x.ini"), -ENOENT);
    ok_int(config_read_file(c, "/"), -EISDIR);
    ok_int(config_problem_count(c), 0);
    config_destroy(c);
}

static void
problems_of_plugins_stand_where_they_are_named(void)
{
    struct config *c = config_of("[plugins]\nhaptics =   sdl3\n[cues.x]\n");

    config_problem(c, "plugins", "haptics", "no such plugin: %s", "sdl3");
    config_problem(c, "cues.x", NULL, "no such plugin either");
    config_problem(c, NULL, NULL, "all is lost");
    config_forgive(c, "cues.x");
    config_finish(c);
    ok_text(problems_of(c),
            "conf/x.ini: error: all is lost\n"
            "conf/x.ini:2:13: error: [plugins] haptics: no such plugin: sdl3\n"
            "conf/x.ini:3:1: error: [cues.x]: no such plugin either\n");
    config_destroy(c);
}

/* What is printed of a configuration, until the next call. */
static const char *
print_of(const struct config *c)
{
    static char text[32768];
    FILE *to = fmemopen(text, sizeof(text), "w");

    config_print(c, to);
    fclose(to);
    return text;
}

static int
count_values(void *context, const char *section, const struct hp_param *row,
             uint32_t index, const char *value)
{
    size_t *bytes = context;

    *bytes += strlen(section) + strlen(row->name) + index + strlen(value);
    return 0;
}

static void
what_is_printed_reads_back_as_the_same(void)
{
    char value[2048] = "";
    struct config *c, *again;
    size_t bytes = 0, bytes_again = 0;
    char *printed, why[256];
    int i;

    for (i = 0; i < 100; i++)
        sprintf(value + strlen(value), "word%d %s", i, i % 7 ? "" : "[x] ;y");
    for (i = 0; value[i] != '\0'; i++)
        if (value[i] == ';' && value[i - 1] == ' ')
            value[i] = '#';
    config_create(&c);
    config_read_text(c, "/conf/x.ini",
                     "[net]\nport = 1\n[haptics.test]\npoint = 1\npoint = 2\n"
                     "file = y\nlabel =\n");
    printed = malloc(4096);
    snprintf(printed, 4096, "client.join=%.190s", value);
    ok_int(config_override(c, printed), 0);
    snprintf(printed, 4096, "haptics.test.label=%s", value);
    ok_int(config_override(c, printed), 0);
    free(printed);
    options_bind(c);
    config_bind(c, "haptics.test", rows, HP_PARAMS(rows));
    ok_text(problems_of(c), "");
    printed = strdup(print_of(c));
    ok(strstr(printed, "[net]\n") != NULL);
    ok(strstr(printed,
              "port = 1                         ; /conf/x.ini:2:1\n") != NULL);
    again = config_of(printed);
    ok_int(config_finish(again), 0);
    ok_text(problems_of(again), "");
    ok_int(config_may_replace(c, again, NULL, why, sizeof(why)), 0);
    config_each(c, count_values, &bytes);
    config_each(again, count_values, &bytes_again);
    ok_int(bytes_again, bytes);
    ok(bytes > 800);
    free(printed);
    config_destroy(c);
    config_destroy(again);
}

static void
only_live_rows_may_change(void)
{
    struct config *c = config_of("[net]\nport = 1\n");
    struct config *same = config_of("[net]\nport = 01\n[log]\nlevel = debug\n"
                                    "[haptics.test]\ndelay_ms = 9\n");
    struct config *other = config_of("[net]\nport = 2\n");
    struct config *listed = config_of("[net]\nport = 1\n[haptics.test]\n"
                                      "point = 1\n");
    struct config *fewer;
    const char *level, *before;
    char why[256] = "";

    ok_int(config_may_replace(c, other, NULL, why, sizeof(why)), -EINVAL);
    ok_text(why, "[net] port: found \"2\" in place of \"1\", expected no "
                 "change, for it is not live: restart to change it");
    ok_int(config_may_replace(c, listed, NULL, why, sizeof(why)), -EINVAL);
    config_create(&fewer);
    config_read_text(fewer, "x.ini", "[net]\nport = 1\n");
    options_bind(fewer);
    ok_int(config_may_replace(c, fewer, NULL, why, sizeof(why)), -EINVAL);
    ok_int(config_may_replace(fewer, c, NULL, why, sizeof(why)), -EINVAL);
    ok_int(config_may_replace(c, same, NULL, why, sizeof(why)), 0);
    config_text(c, "log", "level", 0, &before);
    config_replace(c, same);
    config_text(c, "log", "level", 0, &level);
    ok_text(level, "debug");
    ok_text(before, "info");
    config_destroy(c);
    config_destroy(other);
    config_destroy(listed);
    config_destroy(fewer);
}

static void
texts_handed_out_outlive_one_reload(void)
{
    struct config *c = config_of("[haptics.test]\nlabel = first\n");
    const char *text;

    config_text(c, "haptics.test", "label", 0, &text);
    config_replace(c, config_of("[haptics.test]\nlabel = second\n"));
    ok_text(text, "first");
    config_text(c, "haptics.test", "label", 0, &text);
    config_replace(c, config_of("[haptics.test]\nlabel = third\n"));
    ok_text(text, "second");
    config_destroy(c);
}

static void
plugin_lists_have_uses_and_alternatives(void)
{
    struct config *c = config_of("[plugins]\nhaptics = sdl2 |evdev, audio\n"
                                 "cues = none\nagent =\n");
    struct config_candidate list[8];
    uint32_t count = 9;

    ok_int(config_plugins(c, "haptics", list, 8, &count), 0);
    ok_int(count, 3);
    ok_text(list[0].name, "sdl2");
    ok_text(list[1].name, "evdev");
    ok_text(list[2].name, "audio");
    ok_int(list[1].use, 0);
    ok_int(list[1].candidate, 1);
    ok_int(list[2].use, 1);
    ok_int(list[2].candidate, 0);
    ok_int(config_plugins(c, "cues", list, 8, &count), 0);
    ok_int(count, 0);
    ok_int(config_plugins(c, "agent", list, 8, &count), 0);
    ok_int(count, 0);
    ok_int(config_plugins(c, "sim", list, 8, &count), 0);
    ok_text(list[0].name, "flight");
    ok_int(config_plugins(c, "haptics", list, 2, &count), -EINVAL);
    ok_int(config_plugins(c, "wings", list, 8, &count), -EINVAL);
    config_destroy(c);
}

static void
plugin_lists_with_holes_doubles_or_odd_names_are_refused(void)
{
    static const char *const bad[] = {"a,,b",    "a|",   ",a", "a, a",
                                      "a | b,a", "../x", "A",  "a b"};
    struct config_candidate list[8];
    struct config *c;
    char text[64];
    uint32_t count;
    size_t i;

    for (i = 0; i < 8; i++) {
        snprintf(text, sizeof(text), "[plugins]\nhaptics = %s\n", bad[i]);
        c = config_of(text);
        ok_int(config_plugins(c, "haptics", list, 8, &count), -EINVAL);
        ok_int(config_problem_count(c), 1);
        config_destroy(c);
    }
}

struct names {
    char text[256];
};

static int
note_name(void *context, const char *section)
{
    struct names *n = context;

    strcat(strcat(n->text, section), " ");
    return 0;
}

static void
unbound_sections_are_visited(void)
{
    static char *environment[] = {"HARDPOINT_INPUT_SCRIPT__FILE=x", NULL};
    struct config *c;
    struct names n = {""};

    config_create(&c);
    config_read_text(c, "x.ini", "[net]\n[haptics.trace]\n");
    config_read_environment(c, environment);
    config_override(c, "agent.tick_log.every=1");
    options_bind(c);
    config_each_unbound(c, note_name, &n);
    ok_text(n.text, "haptics.trace input.script agent.tick_log ");
    config_destroy(c);
}

TAP_MAIN(
    FACT(defaults_stand_until_something_is_set),
    FACT(values_are_read_by_their_type_and_no_other),
    FACT(later_sources_win_and_are_named),
    FACT(what_is_wrong_outside_a_file_names_its_source),
    FACT(a_tick_rate_that_is_none_is_refused_with_its_range),
    FACT(values_out_of_range_or_with_a_tail_are_refused_at_their_column),
    FACT(unknown_names_are_told_with_the_nearest_known_one),
    FACT(a_doubled_key_names_the_first_line_and_a_repeated_row_appends),
    FACT(a_stronger_source_replaces_a_whole_list),
    FACT(a_required_key_that_is_missing_is_told_at_its_section),
    FACT(paths_begin_at_the_folder_of_their_file),
    FACT(lines_that_are_no_ini_are_problems_too_and_the_rest_is_still_judged),
    FACT(files_that_cannot_be_read_are_told_by_errno),
    FACT(problems_of_plugins_stand_where_they_are_named),
    FACT(what_is_printed_reads_back_as_the_same),
    FACT(only_live_rows_may_change), FACT(texts_handed_out_outlive_one_reload),
    FACT(plugin_lists_have_uses_and_alternatives),
    FACT(plugin_lists_with_holes_doubles_or_odd_names_are_refused),
    FACT(unbound_sections_are_visited))
