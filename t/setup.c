/* Uses the plugins of the build tree: $HARDPOINT_PLUGIN_PATH. */
#include "../host/setup.h"
#include "../host/cmd.h"
#include "tap.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static char told[16384]; /* what went to `errors` */
static char file[64] = "/tmp/hardpoint-setup-XXXXXX";

static void
write_file(const char *text, size_t bytes)
{
    FILE *f = fopen(file, "w");

    fwrite(text, 1, bytes, f);
    fclose(f);
}

/* Loads a text as the file, with at most one override. */
static int
load(struct setup *s, const char *text, const char *const *override)
{
    FILE *errors = fmemopen(told, sizeof(told), "w");
    int status;

    memset(told, 0, sizeof(told));
    write_file(text, strlen(text));
    status = setup_load(s, file, override, override != NULL, errors);
    fclose(errors);
    return status;
}

static const char server[] = "[host]\nrole = server\n[net]\nport = 5000\n";

static void
each_role_opens_what_it_needs_and_no_more(void)
{
    struct setup s;

    ok_int(load(&s, server, NULL), CMD_OK);
    ok_text(told, "");
    ok_int(s.use_count, 2);
    ok_int(s.uses[0].kind, HP_KIND_SIM);
    ok_text(s.uses[0].name, "flight");
    ok_int(s.uses[1].kind, HP_KIND_BROADCASTER);
    ok_text(plugin_table(s.uses[1].plugin)->name, "full");
    ok_int(s.generation, 1);
    ok_text(s.file, file);
    setup_finish(&s);
    ok_int(setup_needs("server", HP_KIND_INPUT), 0);
    ok_int(setup_needs("client", HP_KIND_INPUT), 1);
    ok_int(setup_needs("client", HP_KIND_SIM), 1);
    ok_int(setup_needs("solo", HP_KIND_PREDICTOR), 1);
    ok_int(setup_needs("server", HP_KIND_AGENT), 1);
}

static void
a_file_that_cannot_be_read_is_no_input(void)
{
    FILE *errors = fmemopen(told, sizeof(told), "w");
    struct setup s;

    ok_int(setup_load(&s, "/nowhere/x.ini", NULL, 0, errors), CMD_NO_INPUT);
    fclose(errors);
    setup_finish(&s);
    ok_text(told, "/nowhere/x.ini: error: cannot be read: No such file or "
                  "directory; expected an INI file, see hardpoint.ini(5)\n");
}

static void
a_plugins_own_keys_are_judged_in_use_or_not(void)
{
    struct setup s;
    const char *path;
    char text[512];

    snprintf(text, sizeof(text),
             "%s[sim.flight]\nseed = x\n[haptics.trace]\nfle = a\n", server);
    ok_int(load(&s, text, NULL), CMD_CONFIG);
    ok(strstr(told, ":6:8: error: [sim.flight] seed: found \"x\"") != NULL);
    ok(strstr(told, ":8:1: error: [haptics.trace] fle: found an unknown key, "
                    "expected a known one; did you mean \"file\"?") != NULL);
    setup_finish(&s);
    snprintf(text, sizeof(text), "%s[haptics.trace]\nfile = a\n", server);
    ok_int(load(&s, text, NULL), CMD_OK);
    ok_int(s.use_count, 2);
    ok_int(s.other_count, 1);
    ok_int(config_text(s.config, "haptics.trace", "file", 0, &path), 0);
    ok_text(path, "/tmp/a");
    setup_finish(&s);
}

static void
a_plugin_that_is_missing_is_told_where_it_is_named(void)
{
    struct setup s;
    char text[512];

    snprintf(text, sizeof(text),
             "%s[plugins]\nsim = fligt\n[sim.fligt]\n"
             "seed = 1\n[haptics.trce]\nfile = a\n",
             server);
    ok_int(load(&s, text, NULL), CMD_CONFIG);
    ok(strstr(told, ":6:7: error: [plugins] sim: no sim plugin \"fligt\"") !=
       NULL);
    ok(strstr(told, "did you mean \"flight\"?") != NULL);
    ok(strstr(told, ":9:1: error: [haptics.trce]: no haptics plugin") != NULL);
    ok(strstr(told, "did you mean \"trace\"?") != NULL);
    ok(strstr(told, "seed") == NULL);
    setup_finish(&s);
}

static void
an_alternative_that_is_missing_is_passed_over_with_a_warning(void)
{
    struct setup s;
    char text[512];

    snprintf(text, sizeof(text), "%s[plugins]\nagent = none_such | tick_log\n",
             server);
    ok_int(load(&s, text, NULL), CMD_OK);
    ok(strstr(told, ":6:1: warning: [plugins] agent: none_such is passed "
                    "over: no agent plugin") != NULL);
    ok_int(s.use_count, 3);
    ok_text(s.uses[2].name, "tick_log");
    ok_int(s.uses[2].candidate, 1);
    setup_finish(&s);
    snprintf(text, sizeof(text), "%s[plugins]\nagent = no_a | no_b\n", server);
    ok_int(load(&s, text, NULL), CMD_CONFIG);
    ok(strstr(told, ":6:9: error: [plugins] agent: found no alternative that "
                    "can be loaded") != NULL);
    setup_finish(&s);
}

static void
a_kind_of_which_one_is_needed_is_neither_none_nor_two(void)
{
    struct setup s;
    char text[512];

    snprintf(text, sizeof(text),
             "%s[plugins]\nsim = none\nbroadcaster = full, delta\n", server);
    ok_int(load(&s, text, NULL), CMD_CONFIG);
    ok(strstr(told, ":6:7: error: [plugins] sim: found none, expected a "
                    "plugin, for the role \"server\" needs one") != NULL);
    ok(strstr(told,
              ":7:15: error: [plugins] broadcaster: found 2 plugins at "
              "once, expected one: write alternatives with \"|\"") != NULL);
    setup_finish(&s);
}

static void
an_override_is_stronger_than_the_file(void)
{
    static const char *const port[] = {"net.port=6000"};
    struct setup s;
    int64_t n = 0;

    ok_int(load(&s, server, port), CMD_OK);
    config_int(s.config, "net", "port", 0, &n);
    ok_int(n, 6000);
    setup_finish(&s);
}

static int
read_again(struct setup *s, char *why)
{
    struct setup next;
    int err = setup_read_again(s, &next, why, 1024);

    if (err < 0)
        return err;
    setup_take(s, &next);
    setup_forget(s);
    return 0;
}

static int
reload(struct setup *s, const char *text, char *why)
{
    write_file(text, strlen(text));
    return read_again(s, why);
}

static void
a_reload_is_taken_whole_or_not_at_all(void)
{
    char text[512], why[1024] = "";
    const char *level;
    struct setup s;

    ok_int(load(&s, server, NULL), CMD_OK);
    snprintf(text, sizeof(text), "%s[log]\nlevel = debug\n", server);
    ok_int(reload(&s, text, why), 0);
    ok_int(s.generation, 2);
    config_text(s.config, "log", "level", 0, &level);
    ok_text(level, "debug");
    snprintf(text, sizeof(text), "%s[log]\nlevel = error\nbad\n[net]\nx = 1\n",
             server);
    ok_int(reload(&s, text, why), -EINVAL);
    ok(strstr(why, ":7:1: error: found \"bad\" without \"=\"") != NULL);
    ok(strstr(why, "(and 1 more: `hardpoint check` tells them all)") != NULL);
    ok_int(reload(&s, "[host]\nrole = server\n[log]\nlevel = error\n", why),
           -EINVAL);
    ok_text(why, "[net] port: found \"4776\" in place of \"5000\", expected no "
                 "change, for it is not live: restart to change it");
    snprintf(text, sizeof(text), "%s[input.script]\n", server);
    ok_int(reload(&s, text, why), -EINVAL);
    ok(strstr(why, "[input.script]: found a section that was not there at "
                   "the start") != NULL);
    unlink(file);
    ok_int(read_again(&s, why), -ENOENT);
    config_text(s.config, "log", "level", 0, &level);
    ok_text(level, "debug");
    ok_int(s.generation, 2);
    setup_finish(&s);
}

/* A small generator of its own, so that every run is the same. */
static uint32_t
next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* A file that someone is in the middle of editing. */
static size_t
edit(char *text, uint32_t *random)
{
    static const char *const levels[] = {"error", "warning", "info", "debug"};
    static const char letters[] = "\n=[];|., \t0159aepz\x01\xff";
    size_t bytes = (size_t)sprintf(text, "%s[log]\nlevel = %s\n", server,
                                   levels[next_random(random) % 4]);
    uint32_t edits = next_random(random) % 4, at;

    while (edits-- > 0) {
        at = next_random(random) % (uint32_t)bytes;
        if (next_random(random) % 3 == 0)
            bytes = at + 1;
        else
            text[at] = letters[next_random(random) % (sizeof(letters) - 1)];
    }
    return bytes;
}

static void
two_hundred_random_edits_never_end_or_bend_the_host(void)
{
    char text[512], why[1024];
    uint32_t random = 42, generation = 1, taken = 0, i;
    const char *level;
    struct setup s;
    int64_t port;
    int err;

    ok_int(load(&s, server, NULL), CMD_OK);
    for (i = 0; i < 200; i++) {
        write_file(text, edit(text, &random));
        why[0] = '\0';
        err = read_again(&s, why);
        generation += err == 0;
        taken += err == 0;
        if (!ok_int(s.generation, generation) || !ok((err == 0) == (*why == 0)))
            break;
        ok_int(config_int(s.config, "net", "port", 0, &port), 0);
        ok_int(port, 5000);
        ok_int(config_text(s.config, "log", "level", 0, &level), 0);
        ok(strstr("error warning info debug", level) != NULL);
    }
    ok(taken > 20 && taken < 180);
    setup_finish(&s);
}

static const struct tap_fact facts[] = {
    FACT(each_role_opens_what_it_needs_and_no_more),
    FACT(a_file_that_cannot_be_read_is_no_input),
    FACT(a_plugins_own_keys_are_judged_in_use_or_not),
    FACT(a_plugin_that_is_missing_is_told_where_it_is_named),
    FACT(an_alternative_that_is_missing_is_passed_over_with_a_warning),
    FACT(a_kind_of_which_one_is_needed_is_neither_none_nor_two),
    FACT(an_override_is_stronger_than_the_file),
    FACT(a_reload_is_taken_whole_or_not_at_all),
    FACT(two_hundred_random_edits_never_end_or_bend_the_host),
};

int
main(int argc, char **argv)
{
    int bad, fd = mkstemp(file);

    close(fd);
    bad = tap_main(facts, (int)(sizeof(facts) / sizeof(facts[0])), argc, argv);
    unlink(file);
    return bad;
}
