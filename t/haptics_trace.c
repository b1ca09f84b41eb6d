#include "fake_host.h"
#include "tap.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_haptics_ops *ops;
static char path[64];
static char text[65536]; /* what the file held at the end */

static void
begin(void)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    snprintf(path, sizeof(path), "/tmp/haptics_trace.%d", (int)getpid());
    fake_host_set(&fake, "file", path);
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    fake.now_ns = 1000;
}

static void
end(void)
{
    FILE *file;

    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
    file = fopen(path, "r");
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    unlink(path);
}

static void
render(uint64_t time_ns, uint32_t actuator, float value, const char *effects)
{
    struct hp_level level = {.deadline_ns = time_ns + 300,
                             .cause_ns = time_ns - 7,
                             .generation = 1,
                             .actuator = actuator,
                             .level = value};
    struct hp_levels levels = {.size = sizeof(levels),
                               .count = 1,
                               .stride = sizeof(level),
                               .time_ns = time_ns,
                               .levels = &level,
                               .effects = effects};

    fake.now_ns = time_ns;
    ok_int(ops->render(self, &levels), 0);
}

static void
work(uint64_t time_ns)
{
    fake.now_ns = time_ns;
    ok_int(ops->work(self, time_ns), 0);
}

static void
each_level_is_a_line(void)
{
    begin();
    render(1000, 0, 0.8f, "gun_burst");
    render(1100, 4, -0.25f, "stall_buffet,say \"hi\"");
    render(1200, 0, 0, "");
    render(1200, 4, 0, "");
    work(1300);
    end();
    ok_text(text,
            "{\"t_ns\":1000,\"device\":0,\"actuator\":\"low\",\"level\":0.8,"
            "\"deadline_ns\":1300,\"cause_ns\":993,"
            "\"effects\":\"gun_burst\"}\n"
            "{\"t_ns\":1100,\"device\":0,\"actuator\":\"axis_x\","
            "\"level\":-0.25,\"deadline_ns\":1400,\"cause_ns\":1093,"
            "\"effects\":\"stall_buffet,say \\\"hi\\\"\"}\n"
            "{\"t_ns\":1200,\"device\":0,\"actuator\":\"low\",\"level\":0,"
            "\"deadline_ns\":1500,\"cause_ns\":1193,\"effects\":\"\"}\n"
            "{\"t_ns\":1200,\"device\":0,\"actuator\":\"axis_x\",\"level\":0,"
            "\"deadline_ns\":1500,\"cause_ns\":1193,\"effects\":\"\"}\n");
}

/* How many lines hold `part`. */
static int
lines_with(const char *part)
{
    const char *at = text;
    int count = 0;

    while ((at = strstr(at, part)) != NULL) {
        count++;
        at = strchr(at, '\n');
    }
    return count;
}

static void
a_level_that_is_not_renewed_ends_at_its_deadline(void)
{
    begin();
    render(1000, 1, 1, "hit");
    work(1001);
    render(1200, 1, 1, "hit"); /* renewed in time */
    work(1450);
    ok_int(fake.log_lines, 0);
    work(1600);
    work(1700);
    end();
    ok_int(lines_with("\"by\":\"deadline\""), 1);
    ok_int(lines_with("{\"t_ns\":1500,\"device\":0,\"actuator\":\"high\","
                      "\"level\":0,\"by\":\"deadline\"}"),
           1);
    ok_int(lines_with("silence"), 0);
}

static void
a_stop_that_work_was_late_for_is_still_in_order(void)
{
    begin();
    render(1000, 0, 1, "");
    render(2000, 0, 1, "");
    work(2100);
    end();
    ok(strstr(text, "\"t_ns\":1300") < strstr(text, "\"t_ns\":2000"));
}

static void
silence_is_a_line_and_nothing_runs_out_after_it(void)
{
    begin();
    render(1000, 0, 1, "");
    fake.now_ns = 1050;
    ops->silence(self);
    work(1050);
    work(2000);
    end();
    ok_int(lines_with("{\"t_ns\":1050,\"by\":\"silence\"}"), 1);
    ok_int(lines_with("deadline\"}"), 0);
}

static void
stop_writes_what_is_left_and_ends_what_runs(void)
{
    begin();
    render(1000, 6, 0.5f, "hit");
    fake.now_ns = 1010;
    end();
    ok_int(lines_with("\"actuator\":\"audio\",\"level\":0.5"), 1);
    ok_int(lines_with("{\"t_ns\":1010,\"by\":\"silence\"}"), 1);
}

static void
what_the_ring_cannot_hold_is_counted(void)
{
    int i;

    begin();
    for (i = 0; i < 2048 + 5; i++)
        render(1000, 0, 0, "");
    end();
    ok_text(fake.log_text, "5 levels were lost: the file could not keep up");
    begin();
    for (i = 0; i < 2048 + 5; i++)
        render(1000, 0, 0, "");
    work(1000);
    render(1100, 0, 0, "");
    work(1100);
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
    ok_int(fake.log_lines, 1);
    unlink(path);
}

#define SHARED_LEVELS 20000

static atomic_int all_rendered;

static void *
render_all(void *unused)
{
    struct hp_level level = {.generation = 1};
    struct hp_levels levels = {.size = sizeof(levels),
                               .count = 1,
                               .stride = sizeof(level),
                               .levels = &level,
                               .effects = "hit"};

    (void)unused;
    for (level.cause_ns = 1; level.cause_ns <= SHARED_LEVELS; level.cause_ns++)
        ops->render(self, &levels);
    atomic_store(&all_rendered, 1);
    return NULL;
}

/* Each level is a line or is counted as lost, and lines keep their order. */
static void
render_and_work_share_the_ring(void)
{
    unsigned long long cause, before = 0, lines = 0, lost = 0;
    pthread_t haptics_thread;
    const char *at;
    FILE *file;
    char line[400];

    begin();
    atomic_store(&all_rendered, 0);
    if (!ok_int(pthread_create(&haptics_thread, NULL, render_all, NULL), 0))
        return;
    while (!atomic_load(&all_rendered))
        ok_int(ops->work(self, 0), 0);
    pthread_join(haptics_thread, NULL);
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
    file = fopen(path, "r");
    while (fgets(line, sizeof(line), file) != NULL) {
        at = strstr(line, "\"cause_ns\":");
        if (at != NULL) {
            cause = strtoull(at + 11, NULL, 10);
            ok(cause > before);
            before = cause;
            lines++;
        } else if (strstr(line, "\"by\":\"full\"") != NULL) {
            lost += strtoull(strstr(line, "\"lost\":") + 7, NULL, 10);
        }
    }
    fclose(file);
    unlink(path);
    ok_int(lines + lost, SHARED_LEVELS);
}

static void
a_long_list_of_effects_is_cut_between_names(void)
{
    char effects[200] = "first";
    int i;

    for (i = 0; i < 30; i++)
        strcat(effects, ",name");
    begin();
    render(1000, 0, 0, effects);
    end();
    ok(strstr(text, "name\"}\n") != NULL);
}

static void
a_file_that_cannot_be_written_is_told(void)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake_host_set(&fake, "file", "/nowhere/at/all");
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), -ENOENT);
    ok_text(fake.failure,
            "cannot write /nowhere/at/all: No such file or directory; set "
            "`file` to a path in a folder that is there and may be written");
    hp_plugin_v1.destroy(self);
}

static void
a_full_disk_is_told_once(void)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    if (access("/dev/full", W_OK) != 0) {
        skip("no /dev/full here");
        return;
    }
    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake_host_set(&fake, "file", "/dev/full");
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    render(1000, 0, 0, "");
    ok_int(ops->work(self, 1000), -ENOSPC);
    render(1000, 0, 0, "");
    ok_int(ops->work(self, 1000), -ENOSPC);
    ok_int(fake.log_lines, 1);
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

TAP_MAIN(FACT(each_level_is_a_line),
         FACT(a_level_that_is_not_renewed_ends_at_its_deadline),
         FACT(a_stop_that_work_was_late_for_is_still_in_order),
         FACT(silence_is_a_line_and_nothing_runs_out_after_it),
         FACT(stop_writes_what_is_left_and_ends_what_runs),
         FACT(what_the_ring_cannot_hold_is_counted),
         FACT(render_and_work_share_the_ring),
         FACT(a_long_list_of_effects_is_cut_between_names),
         FACT(a_file_that_cannot_be_written_is_told),
         FACT(a_full_disk_is_told_once))
