/*
 * haptics_audio into a file: ALSA's `file` over `null` takes the place of the
 * card, and the verdict is what stands in the WAV.
 */
#include "fake_host.h"
#include "tap.h"
#include <hardpoint/haptics.h>
#include <math.h>
#include <pthread.h>
#include <unistd.h>

#define MS     UINT64_C(1000000)
#define FIRST  (1000 * MS)
#define RATE   48000
#define FRAMES (20 * RATE)

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_haptics_ops *ops;
static struct hp_device device;
static char folder[64], wav[96];
static int16_t samples[FRAMES][2];
static int frame_count;

/* A card that is a file. ALSA reads the path once, so all facts share it. */
static void
make_card(void)
{
    char path[96];
    FILE *f;

    if (folder[0] == '\0') {
        snprintf(folder, sizeof(folder), "/tmp/hardpoint-audio-XXXXXX");
        ok(mkdtemp(folder) != NULL);
    }
    snprintf(wav, sizeof(wav), "%s/out.wav", folder);
    snprintf(path, sizeof(path), "%s/asound.conf", folder);
    f = fopen(path, "w");
    fprintf(f,
            "pcm.nowhere { type null }\n"
            "pcm.card { type file slave.pcm nowhere file \"%s\" format wav }\n",
            wav);
    fclose(f);
    setenv("ALSA_CONFIG_PATH", path, 1);
    unlink(wav);
}

static void
remove_card(void)
{
    char path[96];

    snprintf(path, sizeof(path), "%s/asound.conf", folder);
    unlink(path);
    unlink(wav);
    rmdir(folder);
    folder[0] = '\0';
}

static void
look(void)
{
    struct hp_device_sink sink = {.size = sizeof(sink),
                                  .capacity = 1,
                                  .stride = sizeof(device),
                                  .devices = &device};

    ok_int(ops->devices(self, &sink), 0);
    ok_int(sink.count, 1);
}

static void
begin(const char *key, const char *value)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    make_card();
    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake.now_ns = FIRST;
    fake_host_set(&fake, "device", "card");
    if (key != NULL)
        fake_host_set(&fake, key, value);
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    look();
}

static void
read_wav(void)
{
    FILE *f = fopen(wav, "rb");

    frame_count = 0;
    if (f == NULL)
        return;
    fseek(f, 44, SEEK_SET);
    frame_count = (int)fread(samples, sizeof(samples[0]), FRAMES, f);
    fclose(f);
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
    read_wav();
    remove_card();
}

static void
render(uint32_t channel, float value, float hz)
{
    struct hp_level level = {.deadline_ns = fake.now_ns + 300 * MS,
                             .generation = device.generation,
                             .actuator = channel,
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

/* Time goes by, 5 ms between looks at the card. */
static void
pass(unsigned ms)
{
    unsigned i;

    for (i = 0; i < ms; i += 5) {
        ops->work(self, fake.now_ns);
        fake.now_ns += 5 * MS;
    }
}

/* ---- what stands in the file ---- */

static int
peak(int channel, int from, int to)
{
    int i, most = 0;

    for (i = from; i < to && i < frame_count; i++)
        if (abs(samples[i][channel]) > most)
            most = abs(samples[i][channel]);
    return most;
}

/* From the first to the last rise through zero. */
static double
frequency(int channel, int from, int to)
{
    double first = -1, last = -1;
    int i, rises = 0;

    for (i = from + 1; i < to && i < frame_count; i++)
        if (samples[i - 1][channel] < 0 && samples[i][channel] >= 0) {
            last = i - samples[i][channel] / (double)(samples[i][channel] -
                                                      samples[i - 1][channel]);
            if (first < 0)
                first = last;
            else
                rises++;
        }
    return rises > 0 ? rises * RATE / (last - first) : 0;
}

static double
level(int channel, int from, int to)
{
    double sum = 0;
    int i;

    for (i = from; i < to; i++)
        sum += (double)samples[i][channel] * samples[i][channel];
    return sqrt(2 * sum / (to - from)) / 32767;
}

static int
steepest(int channel)
{
    int i, most = 0;

    for (i = 1; i < frame_count; i++)
        if (abs(samples[i][channel] - samples[i - 1][channel]) > most)
            most = abs(samples[i][channel] - samples[i - 1][channel]);
    return most;
}

static void
each_channel_has_its_tone_and_level(void)
{
    int i;

    begin(NULL, NULL);
    ok_int(device.actuator_count, 2);
    ok(device.flags & HP_DEVICE_HOLDS_DEADLINE);
    for (i = 0; i < 12; i++) {
        render(0, 0.5f, 42);
        render(1, 1, 55);
        pass(100);
    }
    end();
    ok(fabs(frequency(0, RATE / 10, RATE) - 42) < 0.01);
    ok(fabs(frequency(1, RATE / 10, RATE) - 55) < 0.01);
    ok(fabs(level(0, RATE / 10, RATE / 10 + RATE) - 0.5) < 0.005);
    ok(fabs(level(1, RATE / 10, RATE / 10 + RATE) - 1) < 0.01);
}

static void
a_tone_begins_and_ends_without_a_click(void)
{
    int i;

    begin(NULL, NULL);
    for (i = 0; i < 10; i++) {
        render(0, i % 2 == 0, i % 4 == 0 ? 30 : 90);
        pass(30);
    }
    end();
    ok(peak(0, 0, frame_count) > 32000);
    /* A sine of 90 Hz rises by 386 a frame, and the ramp by 137. */
    ok(steepest(0) <=
       32767 * (2 * 3.1416 * 90 / RATE + 1.0 / (RATE / 200)) + 2);
}

static void
it_is_there_5_ms_after_it_was_asked_for(void)
{
    begin(NULL, NULL);
    render(0, 1, 100);
    pass(100);
    end();
    /* The quarter wave of 100 Hz is 2.5 ms. */
    ok(peak(0, RATE * 5 / 1000, RATE * 15 / 1000) > 32700);
    ok(abs(samples[0][0]) < 300);
}

static void
a_level_that_nobody_renews_ends_at_its_deadline(void)
{
    begin(NULL, NULL);
    render(0, 1, 50);
    pass(600);
    end();
    ok(peak(0, RATE * 270 / 1000, RATE * 290 / 1000) > 32000);
    ok_int(peak(0, RATE * 300 / 1000, frame_count), 0);
    ok(frame_count >= RATE * 550 / 1000);
}

static void *
ask_for_silence(void *unused)
{
    (void)unused;
    ops->silence(self);
    return NULL;
}

static void
silence_is_what_the_card_has_and_no_more(void)
{
    pthread_t thread;

    begin(NULL, NULL);
    render(0, 1, 50);
    render(1, 1, 50);
    pass(100);
    pthread_create(&thread, NULL, ask_for_silence, NULL);
    pthread_join(thread, NULL);
    pass(200);
    end();
    ok(peak(0, RATE * 80 / 1000, RATE * 100 / 1000) > 32000);
    /* 20 ms were on the card, and it goes down for 5. */
    ok_int(peak(0, RATE * 126 / 1000, frame_count), 0);
    ok_int(peak(1, RATE * 126 / 1000, frame_count), 0);
}

static void
a_card_without_a_clock_is_fed_by_ours(void)
{
    begin("sleep_after_ms", "0");
    pass(1000);
    ok_int(ops->work(self, fake.now_ns), 0);
    ok_int(ops->work(self, fake.now_ns), 0);
    end();
    ok(frame_count >= RATE);
    ok(frame_count <= RATE * 1025 / 1000);
}

static void
an_hour_that_the_machine_slept_is_not_made_up(void)
{
    begin("sleep_after_ms", "0");
    pass(100);
    fake.now_ns += 3600 * 1000 * MS;
    pass(100);
    end();
    ok(frame_count <= RATE * 250 / 1000);
}

static void
after_two_seconds_of_silence_the_card_rests(void)
{
    begin(NULL, NULL);
    render(0, 1, 50);
    pass(4000);
    render(0, 1, 50);
    pass(100);
    end();
    ok(frame_count >= RATE * 24 / 10 && frame_count <= RATE * 25 / 10);
    ok(peak(0, frame_count - RATE / 20, frame_count) > 32000);
}

static void
a_frequency_stays_in_what_the_shaker_can(void)
{
    static const struct {
        float asked;
        double got;
    } cases[] = {
        {5,    15 },
        {5000, 120},
        {0,    40 },
        {-3,   40 },
        {33,   33 }
    };
    size_t i;
    int k;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin(NULL, NULL);
        for (k = 0; k < 10; k++) {
            render(0, 1, cases[i].asked);
            pass(100);
        }
        end();
        ok(fabs(frequency(0, RATE / 10, RATE) - cases[i].got) < 0.01);
    }
}

static void
what_is_no_level_is_silent_and_what_is_too_loud_is_full(void)
{
    begin(NULL, NULL);
    render(0, (float)NAN, 50);
    render(1, -1, 50);
    pass(200);
    ok_int(fake.log_lines, 0);
    end();
    ok_int(peak(0, 0, frame_count), 0);
    ok_int(peak(1, 0, frame_count), 0);
    begin(NULL, NULL);
    render(0, 9, 50);
    device.generation++;
    render(1, 1, 50); /* for a card that is no more */
    device.generation--;
    render(7, 1, 50);
    pass(200);
    end();
    ok(peak(0, 0, frame_count) >= 32700);
    ok_int(peak(1, 0, frame_count), 0);
}

static void
a_gain_turns_all_down(void)
{
    begin("gain", "0.25");
    render(0, 1, 50);
    pass(200);
    end();
    ok(abs(peak(0, RATE / 10, RATE * 15 / 100) - 8192) < 20);
}

static void
a_card_that_is_not_there_is_said_so(void)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    make_card();
    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake_host_set(&fake, "device", "no_such_card");
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), -ENOENT);
    ok(strstr(fake.failure, "cannot open \"no_such_card\"") != NULL);
    ok(strstr(fake.failure, "aplay -L") != NULL);
    hp_plugin_v1.destroy(self);
    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake_host_set(&fake, "min_hz", "80");
    fake_host_set(&fake, "max_hz", "40");
    ok_int(hp_plugin_v1.create(&fake.host, &self), -EINVAL);
    ok(strstr(fake.failure, "expected at most max_hz, which is 40") != NULL);
    remove_card();
}

TAP_MAIN(FACT(each_channel_has_its_tone_and_level),
         FACT(a_tone_begins_and_ends_without_a_click),
         FACT(it_is_there_5_ms_after_it_was_asked_for),
         FACT(a_level_that_nobody_renews_ends_at_its_deadline),
         FACT(silence_is_what_the_card_has_and_no_more),
         FACT(a_card_without_a_clock_is_fed_by_ours),
         FACT(an_hour_that_the_machine_slept_is_not_made_up),
         FACT(after_two_seconds_of_silence_the_card_rests),
         FACT(a_frequency_stays_in_what_the_shaker_can),
         FACT(what_is_no_level_is_silent_and_what_is_too_loud_is_full),
         FACT(a_gain_turns_all_down), FACT(a_card_that_is_not_there_is_said_so))
