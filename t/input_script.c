#include "fake_host.h"
#include "tap.h"
#include <unistd.h>

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_input_ops *ops;
static char path[64];

/* Starts the plugin on a trace with this text; what start returned. */
static int
begin(const char *csv, const char *repeat)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);
    FILE *file;
    int err;

    fake_host_init(&fake, HP_SIDE_CLIENT);
    snprintf(path, sizeof(path), "/tmp/input_script.%d.csv", (int)getpid());
    file = fopen(path, "w");
    fputs(csv, file);
    fclose(file);
    fake_host_set(&fake, "file", path);
    fake_host_set(&fake, "repeat", repeat);
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    err = hp_plugin_v1.start(self, &limits);
    unlink(path);
    return err;
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

static struct hp_input
poll_at_rate(uint64_t index, uint32_t num, uint32_t den)
{
    struct hp_tick tick = {.index = index,
                           .dt_s = (double)den / num,
                           .rate_num = num,
                           .rate_den = den};
    struct hp_input input = {0};

    ok_int(ops->poll(self, &tick, &input), 0);
    return input;
}

static struct hp_input
poll(uint64_t index)
{
    return poll_at_rate(index, 60, 1);
}

static void
axes_lie_on_the_line_between_two_rows(void)
{
    ok_int(begin("# a comment\n"
                 "time_s, roll,pitch,yaw,throttle,buttons\n\n"
                 "0, 0,-1,0,0,0\n"
                 "1,1,1,-0.5,1,0\r\n",
                 "no"),
           0);
    ok_int(poll(0).axes[HP_AXIS_PITCH], -32767);
    ok_int(poll(15).axes[HP_AXIS_ROLL], 8192);
    ok_int(poll(15).axes[HP_AXIS_YAW], -4096);
    ok_int(poll(45).axes[HP_AXIS_THROTTLE], 24575);
    ok_int(poll(30).axes[HP_AXIS_PITCH], 0);
    ok_int(poll(60).axes[HP_AXIS_ROLL], 32767);
    ok_int(poll(600).axes[HP_AXIS_ROLL], 32767); /* the last row holds */
    end();
}

static void
any_tick_rate_plays_the_same_stick(void)
{
    ok_int(begin("time_s,roll\n0,0\n1001,1\n", "no"), 0);
    ok_int(poll_at_rate(0, 1000, 1).axes[0], 0);
    ok_int(poll_at_rate(500500, 1000, 1).axes[0], 16384);
    end();
    ok_int(begin("time_s,roll\n0,0\n1001,1\n", "no"), 0);
    ok_int(poll_at_rate(0, 60000, 1001).axes[0], 0);
    ok_int(poll_at_rate(30000, 60000, 1001).axes[0], 16384);
    end();
}

static void
the_trace_begins_with_the_first_tick(void)
{
    ok_int(begin("time_s,roll\n0,0.25\n1,1\n", "no"), 0);
    ok_int(poll(123456).axes[0], 8192);
    ok_int(poll(123456 + 60).axes[0], 32767);
    end();
}

static void
columns_come_in_any_order_and_may_be_left_out(void)
{
    ok_int(begin("buttons,brake,time_s\ngun+hook,1,0\n", "no"), 0);
    ok_int(poll(0).buttons, HP_BUTTON_GUN | HP_BUTTON_HOOK);
    ok_int(poll(0).axes[HP_AXIS_BRAKE], 32767);
    ok_int(poll(0).axes[HP_AXIS_THROTTLE], 0);
    end();
}

static void
it_begins_again_at_its_end_when_asked_to(void)
{
    uint64_t i;

    ok_int(begin("time_s,roll,buttons\n0,0,0\n1,1,gear\n2,0,0\n", "yes"), 0);
    for (i = 0; i < 120; i++) {
        ok_int(poll(i).axes[0], poll(i + 240).axes[0]);
        ok_int(poll(i).buttons, i >= 60 ? HP_BUTTON_GEAR : 0);
    }
    /* What was down just before the end is seen in the tick that crosses. */
    ok_int(poll(120).buttons, HP_BUTTON_GEAR);
    ok_int(poll(121).buttons, 0);
    end();
}

static void
a_press_shorter_than_a_tick_is_not_lost(void)
{
    uint64_t i;
    int down = 0;

    ok_int(begin("time_s,buttons\n0,0\n0.501,gear\n0.502,0\n0.9,0\n", "no"), 0);
    for (i = 0; i < 60; i++)
        down += poll(i).buttons == HP_BUTTON_GEAR;
    ok_int(down, 1);
    ok_int(poll(31).buttons, HP_BUTTON_GEAR);
    end();
    /* At one tick a second, and each second again. */
    ok_int(begin("time_s,buttons\n0,0\n0.501,gear\n0.502,0\n1,0\n", "yes"), 0);
    ok_int(poll_at_rate(0, 1, 1).buttons, 0);
    for (i = 1; i < 10; i++)
        ok_int(poll_at_rate(i, 1, 1).buttons, HP_BUTTON_GEAR);
    end();
}

static void
a_press_lasts_as_many_ticks_as_it_covers(void)
{
    uint64_t i;
    int down = 0;

    ok_int(begin("time_s,buttons\n0,0\n0.5,gun\n1.5,0\n9,0\n", "no"), 0);
    for (i = 0; i < 200; i++)
        down += poll(i).buttons == HP_BUTTON_GUN;
    ok(down == 60 || down == 61); /* a tick may see the end of it */
    end();
}

static void
one_row_holds_for_ever(void)
{
    ok_int(begin("time_s,throttle\n0,0.5\n", "yes"), 0);
    ok_int(poll(0).axes[HP_AXIS_THROTTLE], 16384);
    ok_int(poll(99999).axes[HP_AXIS_THROTTLE], 16384);
    end();
}

/* That a trace is refused with this sentence behind FILE: . */
static void
refused(const char *csv, const char *sentence)
{
    char want[512];

    ok_int(begin(csv, "yes"), -EINVAL);
    snprintf(want, sizeof(want), "%s:%s", path, sentence);
    ok_text(fake.failure, want);
    hp_plugin_v1.destroy(self);
}

static void
what_is_wrong_is_told_by_line_and_column(void)
{
    refused("time_s,rol\n",
            "1:8: unknown column \"rol\": expected time_s, roll, pitch, yaw, "
            "throttle, brake, buttons");
    refused("time_s,roll,roll\n", "1:13: column roll is there twice: remove "
                                  "one");
    refused("roll\n0\n", "1:1: there is no column time_s: add it");
    refused("time_s,roll\n0,0\n1,left\n",
            "3:3: roll: \"left\" is not a number, expected one like -0.25");
    refused("time_s,roll\n0,1e0\n",
            "2:3: roll: \"1e0\" is not a number, expected one like -0.25");
    refused("time_s,roll\n0,\n",
            "2:3: roll: \"\" is not a number, expected one like -0.25");
    refused("time_s,roll\n0,nan\n",
            "2:3: roll: \"nan\" is not a number, expected one like -0.25");
    refused("time_s,roll\n0, -1.5\n",
            "2:4: roll: -1.5 is out of range, expected -1 to 1");
    refused("time_s,throttle\n0,-0.1\n",
            "2:3: throttle: -0.1 is out of range, expected 0 to 1");
    refused("time_s,roll\n1,0\n1,0\n",
            "3:1: time_s: 1 does not rise, expected more than 1, the time of "
            "the row before");
    refused("time_s,roll\n1\n", "2:2: 1 cells, expected 2 as in the header");
    refused("time_s,roll\n1,0,0\n", "2:5: more cells than the 2 of the "
                                    "header");
    refused("time_s,buttons\n0,gun+flaps\n",
            "2:7: unknown button \"flaps\": expected gun, gear, afterburner, "
            "respawn, release, hook, eject, joined by +, or 0");
    refused("", "0:1: no rows: expected a header time_s,roll,pitch,yaw,"
                "throttle,buttons and at least one row");
}

static void
a_file_that_is_not_there_is_told(void)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    ok_int(hp_plugin_v1.create(&fake.host, &self), -ENOENT);
    fake_host_set(&fake, "file", "/nowhere.csv");
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), -ENOENT);
    ok_text(fake.failure,
            "/nowhere.csv: cannot be opened: No such file or directory");
    hp_plugin_v1.destroy(self);
}

TAP_MAIN(FACT(axes_lie_on_the_line_between_two_rows),
         FACT(any_tick_rate_plays_the_same_stick),
         FACT(the_trace_begins_with_the_first_tick),
         FACT(columns_come_in_any_order_and_may_be_left_out),
         FACT(it_begins_again_at_its_end_when_asked_to),
         FACT(a_press_shorter_than_a_tick_is_not_lost),
         FACT(a_press_lasts_as_many_ticks_as_it_covers),
         FACT(one_row_holds_for_ever),
         FACT(what_is_wrong_is_told_by_line_and_column),
         FACT(a_file_that_is_not_there_is_told))
