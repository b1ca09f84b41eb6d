#include "fake_host.h"
#include "tap.h"
#include <hardpoint/cues.h>
#include <unistd.h>

struct record {
    struct hp_entity head;
    float airspeed_mps;
    float agl_m;
};

static const struct hp_field fields[] = {
    {"airspeed_mps", "m/s", 0.1, 0, 900, HP_FIELD_F32,
     offsetof(struct record,                                                   airspeed_mps), 1, 0},
    {"agl_m",        "m",   0.1, 0, 900, HP_FIELD_F32, offsetof(struct record, agl_m),        1,
     0                                                                                            },
};
static struct hp_schema schema = {
    .size = sizeof(schema),
    .record_bytes = sizeof(struct record),
    .field_count = 2,
    .field_stride = sizeof(fields[0]),
    .fields = fields,
    .name = "sample",
};

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_cues_ops *ops;
static struct record own;
static struct hp_effect_command commands[64];
static struct hp_effect_sink sink;
static char path[] = "/tmp/hardpoint-lua-XXXXXX";
static int path_made;

static void
write_script(const char *text)
{
    FILE *to;

    if (!path_made)
        close(mkstemp(path));
    path_made = 1;
    to = fopen(path, "w");
    fputs(text, to);
    fclose(to);
}

static int
begin_file(const char *file)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake_host_set(&fake, "file", file);
    limits.schema = &schema;
    ops = hp_plugin_v1.ops;
    memset(&own, 0, sizeof(own));
    own.agl_m = 50;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    return hp_plugin_v1.start(self, &limits);
}

static int
begin(const char *text)
{
    write_script(text);
    return begin_file(path);
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
    unlink(path);
    path_made = 0;
    strcpy(path, "/tmp/hardpoint-lua-XXXXXX");
}

static void
empty_sink(void)
{
    sink = (struct hp_effect_sink){
        .size = sizeof(sink), .capacity = 64, .commands = commands};
}

static void
input(uint32_t buttons)
{
    struct hp_tick t = fake_tick(7);
    struct hp_input in = {.buttons = buttons, .axes = {32767}};

    empty_sink();
    ops->input(self, &t, &in, &own, &sink);
}

static void
snapshot(const struct hp_event *events, uint32_t count)
{
    struct hp_view view = {.size = sizeof(view),
                           .tick = 9,
                           .own = HP_INDEX_NONE,
                           .event_count = count,
                           .event_stride = sizeof(*events),
                           .events = events};

    empty_sink();
    ops->snapshot(self, &view, &own, &sink);
}

/* ---- facts ---- */

static void
a_script_asks_for_effects(void)
{
    struct hp_event hit = {.type = HP_EVENT_HIT, .strength = 0.5f, .whom = 0};

    ok_int(begin("function input(tick)\n"
                 "  if button('gun') and axis('roll') == 1 then\n"
                 "    play('gun_burst', 0.5)\n"
                 "  end\n"
                 "end\n"
                 "function event(name, strength, by_me, at_me)\n"
                 "  if name == 'hit' and at_me and not by_me then\n"
                 "    play('hit_taken', strength)\n"
                 "  end\n"
                 "end\n"),
           0);
    input(0);
    ok_int(sink.count, 0);
    input(HP_BUTTON_GUN);
    ok_int(sink.count, 1);
    ok_text(commands[0].effect, "gun_burst");
    ok_int(commands[0].action, HP_EFFECT_PLAY);
    ok_int(commands[0].flags, HP_EFFECT_PREDICTED);
    ok_int(commands[0].cause_tick, 7);
    ok_real(commands[0].level, 0.5, 0);
    hit.who = 5;
    snapshot(&hit, 1);
    ok_int(sink.count, 1);
    ok_text(commands[0].effect, "hit_taken");
    ok_int(commands[0].flags, 0);
    end();
}

static void
the_example_shudders_in_its_band(void)
{
    char example[512];

    snprintf(example, sizeof(example), "%s/conf/cues/shudder.lua",
             getenv("HP_SRC") ? getenv("HP_SRC") : ".");
    ok_int(begin_file(example), 0);
    own.airspeed_mps = 4;
    snapshot(NULL, 0);
    ok_int(sink.count, 0);
    own.airspeed_mps = 10;
    snapshot(NULL, 0);
    ok_int(sink.count, 1);
    ok_int(commands[0].action, HP_EFFECT_HOLD);
    ok_real(commands[0].level, 0.5, 1e-6);
    own.agl_m = 0;
    snapshot(NULL, 0);
    ok_int(sink.count, 0);
    end();
}

static void
what_reaches_out_is_not_there(void)
{
    static const char *const names[] = {
        "os",           "io",          "require",
        "package",      "debug",       "dofile",
        "load",         "loadfile",    "collectgarbage",
        "setmetatable", "print",       "coroutine",
        "string.rep",   "string.dump", "math.random",
        "table.move",   "string.find", "pcall",
        "xpcall"};
    char text[4096] = "";
    size_t i, used = 0;

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "if %s then error('%s') end\n", names[i],
                                 names[i]);
    ok_int(begin(text), 0);
    ok_text(fake.failure, "");
    end();
}

static void
an_endless_script_is_stopped(void)
{
    ok_int(begin("function input() while true do end end\n"
                 "function snapshot() end\n"),
           0);
    input(0);
    ok_int(fake.log_lines, 1);
    ok(strstr(fake.log_text, ":1: too many instructions") != NULL);
    snapshot(NULL, 0); /* it rests */
    ok_int(fake.log_lines, 1);
    end();
    ok_int(begin("while true do end"), -EINVAL);
    ok(strstr(fake.failure, "too many instructions") != NULL);
    end();
}

static void
a_greedy_script_is_stopped(void)
{
    ok_int(begin("local t = {}\n"
                 "function input()\n"
                 "  for i = 1, 1000 do t[#t + 1] = {i} end\n"
                 "end\n"),
           0);
    for (int i = 0; i < 40; i++)
        input(0);
    ok_int(fake.log_lines, 1);
    ok(strstr(fake.log_text, "not enough memory") != NULL);
    end();
}

static void
a_script_cannot_end_an_effect(void)
{
    ok_int(begin("function input() hold('stall_buffet') end\n"
                 "if release or cut or stop then error('it can') end\n"),
           0);
    input(0);
    ok_int(sink.count, 1);
    ok_int(commands[0].action, HP_EFFECT_HOLD);
    end();
}

static void
too_many_effects_are_an_error_with_its_line(void)
{
    ok_int(begin("function input()\n"
                 "  for i = 1, 100 do\n"
                 "    play('gun_burst')\n"
                 "  end\n"
                 "end\n"),
           0);
    input(0);
    ok(sink.count <= 16);
    ok(strstr(fake.log_text, ":3: more than 16 effects in one call") != NULL);
    end();
}

static void
a_mistake_is_told_with_file_and_line(void)
{
    ok_int(begin("function input()\n  pla('x')\nend\nfunction snapshot(\n"),
           -EINVAL);
    ok(strstr(fake.failure, path) != NULL);
    ok(strstr(fake.failure, ":5:") != NULL ||
       strstr(fake.failure, ":4:") != NULL);
    end();
    ok_int(begin("function input()\n  pla('x')\nend\n"), 0);
    input(0);
    ok(strstr(fake.log_text,
              ":2: attempt to call a nil value (global 'pla')") != NULL);
    end();
}

static void
a_changed_script_is_read_anew_and_a_broken_one_is_not(void)
{
    ok_int(begin("function input() play('a') end"), 0);
    input(0);
    ok_text(commands[0].effect, "a");
    write_script("function input( play('b') end");
    ok_int(hp_plugin_v1.reload(self), -EINVAL);
    input(0);
    ok_text(commands[0].effect, "a");
    write_script("function input() play('b') end");
    ok_int(hp_plugin_v1.reload(self), 0);
    ok_int(hp_plugin_v1.reload(self), 0);
    input(0);
    ok_text(commands[0].effect, "b");
    end();
}

TAP_MAIN(FACT(a_script_asks_for_effects),
         FACT(the_example_shudders_in_its_band),
         FACT(what_reaches_out_is_not_there),
         FACT(an_endless_script_is_stopped), FACT(a_greedy_script_is_stopped),
         FACT(a_script_cannot_end_an_effect),
         FACT(too_many_effects_are_an_error_with_its_line),
         FACT(a_mistake_is_told_with_file_and_line),
         FACT(a_changed_script_is_read_anew_and_a_broken_one_is_not))
