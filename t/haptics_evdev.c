/*
 * haptics_evdev on event nodes that umockdev makes up: the verdict is what the
 * kernel's side was asked for, and what it may answer is anything.
 *
 * umockdev stands between this program and libc, so the program starts itself
 * again with it. What the kernel would do is done by a thread of this process.
 */
#include "../host/conform/mock_kernel.h"
#include "fake_host.h"
#include "tap.h"
#include <hardpoint/haptics.h>
#include <math.h>
#include <pthread.h>
#include <unistd.h>

#define MS    UINT64_C(1000000)
#define FIRST (1000 * MS)

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_haptics_ops *ops;
static struct hp_device devices[8];
static struct hp_device_sink sink;

/* ---- our side ---- */

static void
list(void)
{
    memset(&sink, 0, sizeof(sink));
    sink.size = sizeof(sink);
    sink.capacity = 8;
    sink.stride = sizeof(devices[0]);
    sink.devices = devices;
    ok_int(ops->devices(self, &sink), 0);
}

static void
work_at(uint64_t time_ns)
{
    fake.now_ns = time_ns;
    ok_int(ops->work(self, time_ns), 0);
}

static void
begin(const char *device)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    if (device != NULL)
        fake_host_set(&fake, "device", device);
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    work_at(FIRST);
    list();
}

static void
begin_with_pad(void)
{
    make_pad(&pads[0]);
    start_kernel();
    plug_in(&pads[0], "/dev/input/event7");
    begin(NULL);
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
    stop_kernel();
}

static void
render(uint32_t actuator, float value, float hz)
{
    struct hp_level level = {.deadline_ns = fake.now_ns + 300 * MS,
                             .device = devices[0].id,
                             .generation = devices[0].generation,
                             .actuator = actuator,
                             .frequency_hz = hz,
                             .level = value};
    struct hp_levels levels = {.size = sizeof(levels),
                               .count = 1,
                               .stride = sizeof(level),
                               .time_ns = fake.now_ns,
                               .levels = &level,
                               .effects = ""};

    ok_int(ops->render(self, &levels), 0);
}

/* ---- facts ---- */

static void
a_pad_is_found_with_its_motors(void)
{
    begin_with_pad();
    ok_int(sink.count, 1);
    ok_text(devices[0].name, "Test Pad");
    ok_text(devices[0].stable_id, "evdev:045e:028e:usb-0000:00:14.0-2/input0");
    ok_int(devices[0].actuator_count, 2);
    ok_int(devices[0].actuators[0].kind, HP_ACTUATOR_LOW);
    ok_int(devices[0].actuators[1].kind, HP_ACTUATOR_HIGH);
    ok_int(devices[0].actuators[0].interval_min_ms, 10);
    ok(devices[0].flags & HP_DEVICE_HOLDS_DEADLINE);
    ok_int(pads[0].gain, 0xffff);
    ok_int(pads[0].uploads, 0);
    end();
}

static void
a_level_is_one_effect_that_is_changed_and_played(void)
{
    int i;

    begin_with_pad();
    render(0, 0.5f, 0);
    render(1, 1, 0);
    work_at(FIRST + 1 * MS);
    ok_int(pads[0].effects[0].type, FF_RUMBLE);
    ok_int(pads[0].effects[0].u.rumble.strong_magnitude, 32768);
    ok_int(pads[0].effects[0].u.rumble.weak_magnitude, 65535);
    ok_int(pads[0].effects[0].replay.length, 300);
    ok_int(pads[0].playing[0], 1);
    for (i = 0; i < 200; i++) {
        fake.now_ns += 20 * MS;
        render(0, (float)(i % 50 + 1) / 100, 0);
        work_at(fake.now_ns);
    }
    ok_int(pads[0].used[0], 1);
    ok_int(pads[0].used[1], 0);
    ok_int(pads[0].effects[0].u.rumble.strong_magnitude, 32768);
    end();
}

static void
the_same_level_is_played_again_and_not_uploaded(void)
{
    int i;

    begin_with_pad();
    for (i = 0; i < 10; i++) {
        render(0, 0.5f, 0);
        work_at(fake.now_ns + 1 * MS);
        fake.now_ns += 99 * MS;
    }
    ok_int(pads[0].uploads, 1);
    ok_int(pads[0].plays, 10);
    end();
}

static void
faster_than_a_pad_stands_only_the_newest_goes(void)
{
    int i;

    begin_with_pad();
    for (i = 1; i <= 100; i++) {
        fake.now_ns = FIRST + (uint64_t)i * MS;
        render(0, (float)i / 100, 0);
        work_at(fake.now_ns);
    }
    ok(pads[0].uploads <= 11);
    work_at(FIRST + 111 * MS);
    ok_int(pads[0].effects[0].u.rumble.strong_magnitude, 65535);
    render(0, 0, 0); /* and zero waits for nothing */
    work_at(FIRST + 111 * MS);
    ok_int(pads[0].playing[0], 0);
    end();
}

static void
a_level_ends_at_its_deadline(void)
{
    begin_with_pad();
    render(0, 0.5f, 0);
    work_at(FIRST + 1 * MS);
    work_at(FIRST + 299 * MS);
    ok_int(pads[0].playing[0], 1);
    work_at(FIRST + 300 * MS);
    ok_int(pads[0].playing[0], 0);
    end();
}

static void
a_stick_is_pulled_where_the_force_points(void)
{
    static const struct {
        float x, y;
        int direction, level;
    } cases[] = {
        {0,  1,     0x0000, 0x7fff},
        {-1, 0,     0x4000, 0x7fff},
        {0,  -0.5f, 0x8000, 0x4000},
        {1,  0,     0xc000, 0x7fff},
        {1,  1,     0xe000, 0x7fff}
    };
    size_t i;

    make_pad(&pads[0]);
    memset(pads[0].ff, 0, sizeof(pads[0].ff));
    set_bit(pads[0].ff, FF_CONSTANT);
    start_kernel();
    plug_in(&pads[0], "/dev/input/event7");
    begin(NULL);
    ok_int(devices[0].actuator_count, 2);
    ok_int(devices[0].actuators[0].kind, HP_ACTUATOR_AXIS_X);
    ok_int(devices[0].actuators[1].flags, HP_ACTUATOR_SIGNED);
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fake.now_ns += 50 * MS;
        render(0, cases[i].x, 0);
        render(1, cases[i].y, 0);
        work_at(fake.now_ns);
        ok_int(pads[0].effects[0].direction, cases[i].direction);
        ok_int(pads[0].effects[0].u.constant.level, cases[i].level);
    }
    end();
}

static void
a_device_of_waves_alone_is_moved_by_one(void)
{
    make_pad(&pads[0]);
    memset(pads[0].ff, 0, sizeof(pads[0].ff));
    set_bit(pads[0].ff, FF_PERIODIC);
    set_bit(pads[0].ff, FF_SINE);
    start_kernel();
    plug_in(&pads[0], "/dev/input/event7");
    begin(NULL);
    ok_int(devices[0].actuators[0].kind, HP_ACTUATOR_GENERIC);
    render(0, 1, 50);
    work_at(FIRST + MS);
    ok_int(pads[0].effects[0].u.periodic.period, 20);
    ok_int(pads[0].effects[0].u.periodic.magnitude, 0x7fff);
    end();
}

static void
slots_without_a_motor_are_no_device(void)
{
    make_pad(&pads[0]);
    memset(pads[0].ff, 0, sizeof(pads[0].ff));
    make_pad(&pads[1]);
    pads[1].slots = 0;
    start_kernel();
    plug_in(&pads[0], "/dev/input/event7");
    plug_in(&pads[1], "/dev/input/event8");
    begin(NULL);
    ok_int(sink.count, 0);
    end();
}

static void
a_name_or_an_id_chooses_the_device(void)
{
    static const char *const choices[] = {"*sECOND*", "045e:0002"};
    int i;

    for (i = 0; i < 2; i++) {
        make_pad(&pads[0]);
        make_pad(&pads[1]);
        pads[1].name = "The Second";
        pads[1].id.product = 2;
        pads[1].id.bustype = BUS_BLUETOOTH;
        pads[1].uniq = "aa:bb:cc:dd:ee:ff";
        start_kernel();
        plug_in(&pads[0], "/dev/input/event7");
        plug_in(&pads[1], "/dev/input/event8");
        begin(choices[i]);
        ok_int(sink.count, 1);
        ok_text(devices[0].stable_id, "evdev:045e:0002:aa:bb:cc:dd:ee:ff");
        ok_int(devices[0].actuators[0].interval_min_ms, 20);
        end();
    }
}

static void
full_slots_are_told_once_and_felt_when_one_is_free(void)
{
    int i;

    begin_with_pad();
    pads[0].upload_errno = ENOSPC;
    for (i = 0; i < 10; i++) {
        fake.now_ns += 50 * MS;
        render(0, 1, 0);
        work_at(fake.now_ns);
    }
    ok_int(pads[0].plays, 0);
    ok_int(fake.log_lines, 1);
    ok(strstr(fake.log_text, "all its effect slots") != NULL);
    ok(strstr(fake.log_text, "/dev/input/event7") != NULL);
    pads[0].upload_errno = 0;
    fake.now_ns += 50 * MS;
    work_at(fake.now_ns);
    ok_int(pads[0].playing[0], 1);
    end();
}

static void
an_error_of_the_device_is_told_and_survived(void)
{
    begin_with_pad();
    pads[0].upload_errno = EIO;
    render(0, 1, 0);
    work_at(FIRST + MS);
    ok_int(fake.log_lines, 1);
    pads[0].upload_errno = 0;
    render(0, 1, 0);
    work_at(FIRST + 20 * MS);
    ok_int(pads[0].playing[0], 1);
    pads[0].write_errno = EIO;
    render(0, 0, 0);
    work_at(FIRST + 40 * MS);
    list();
    ok_int(sink.count, 1);
    end();
}

static void
a_device_that_forgot_its_effect_gets_it_anew(void)
{
    begin_with_pad();
    render(0, 1, 0);
    work_at(FIRST + MS);
    memset(pads[0].used, 0, sizeof(pads[0].used));
    memset(pads[0].playing, 0, sizeof(pads[0].playing));
    fake.now_ns += 50 * MS;
    render(0, 0.5f, 0);
    work_at(fake.now_ns);
    ok_int(pads[0].playing[0], 1);
    ok_int(pads[0].effects[0].u.rumble.strong_magnitude, 32768);
    end();
}

static void
what_is_unplugged_is_gone_and_comes_back_as_another(void)
{
    uint32_t generation;

    begin_with_pad();
    generation = devices[0].generation;
    render(0, 1, 0);
    work_at(FIRST + MS);
    pads[0].is_gone = 1;
    render(0, 0.5f, 0);
    work_at(FIRST + 20 * MS);
    list();
    ok_int(sink.count, 0);
    make_pad(&pads[1]);
    plug_in(&pads[1], "/dev/input/event9");
    work_at(FIRST + 400 * MS);
    render(0, 1, 0); /* for the one that went */
    work_at(FIRST + 401 * MS);
    ok_int(pads[1].plays, 0);
    list();
    ok_int(sink.count, 1);
    ok(devices[0].generation != generation);
    render(0, 1, 0);
    work_at(FIRST + 402 * MS);
    ok_int(pads[1].playing[0], 1);
    end();
}

static void *
ask_for_silence(void *unused)
{
    (void)unused;
    ops->silence(self);
    return NULL;
}

static void
silence_comes_from_any_thread_and_stop_stops(void)
{
    pthread_t thread;

    begin_with_pad();
    render(0, 1, 0);
    work_at(FIRST + MS);
    ok_int(pads[0].playing[0], 1);
    pthread_create(&thread, NULL, ask_for_silence, NULL);
    pthread_join(thread, NULL);
    work_at(FIRST + 2 * MS);
    ok_int(pads[0].playing[0], 0);
    render(1, 1, 0);
    work_at(FIRST + 50 * MS);
    ok_int(pads[0].playing[0], 1);
    hp_plugin_v1.stop(self);
    ok_int(pads[0].playing[0], 0);
    {
        struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);
        hp_plugin_v1.start(self, &limits);
    }
    end();
}

static void *
work_slowly(void *unused)
{
    (void)unused;
    ops->work(self, fake.now_ns);
    return NULL;
}

static void
a_device_that_blocks_keeps_no_render_waiting(void)
{
    pthread_t thread;
    int i;

    begin_with_pad();
    pads[0].is_stuck = 1;
    render(0, 0.25f, 0);
    pthread_create(&thread, NULL, work_slowly, NULL);
    for (i = 0; i < 1000; i++)
        render(0, 0.5f, 0);
    render(0, 0, 0);
    ok_int(pads[0].uploads, 0); /* all of that was before it came back */
    pads[0].is_stuck = 0;
    pthread_join(thread, NULL);
    work_at(FIRST + 300 * MS);
    ok_int(pads[0].playing[0], 0);
    end();
}

int
main(int argc, char **argv)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    (void)argc;
    puts("1..0 # SKIP a sanitizer and umockdev both want to be first");
    (void)argv;
    return 0;
#else
    static const struct tap_fact facts[] = {
        FACT(a_pad_is_found_with_its_motors),
        FACT(a_level_is_one_effect_that_is_changed_and_played),
        FACT(the_same_level_is_played_again_and_not_uploaded),
        FACT(faster_than_a_pad_stands_only_the_newest_goes),
        FACT(a_level_ends_at_its_deadline),
        FACT(a_stick_is_pulled_where_the_force_points),
        FACT(a_device_of_waves_alone_is_moved_by_one),
        FACT(slots_without_a_motor_are_no_device),
        FACT(a_name_or_an_id_chooses_the_device),
        FACT(full_slots_are_told_once_and_felt_when_one_is_free),
        FACT(an_error_of_the_device_is_told_and_survived),
        FACT(a_device_that_forgot_its_effect_gets_it_anew),
        FACT(what_is_unplugged_is_gone_and_comes_back_as_another),
        FACT(silence_comes_from_any_thread_and_stop_stops),
        FACT(a_device_that_blocks_keeps_no_render_waiting),
    };

    if (getenv("UMOCKDEV_TEST") == NULL) {
        setenv("UMOCKDEV_TEST", "1", 1);
        setenv("LD_PRELOAD", MOCK_KERNEL_PRELOAD, 1);
        execv(argv[0], argv);
        return 99;
    }
    return tap_main(facts, sizeof(facts) / sizeof(facts[0]), argc, argv);
#endif
}
