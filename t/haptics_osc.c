/*
 * haptics_osc against a receiver on loopback that liblo decodes for: the
 * verdict is what arrived there.
 */
#include "fake_host.h"
#include "tap.h"
#include <arpa/inet.h>
#include <hardpoint/haptics.h>
#include <lo/lo.h>
#include <math.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#define MS         UINT64_C(1000000)
#define FIRST      (1000 * MS)
#define ARRIVED    200
#define PATIENCE   500 /* ms, for what must come */
#define LISTEN_FOR 30  /* ms, for what must not */

struct arrived {
    char address[64];
    float level, frequency_hz;
    int good_ms;
};

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_haptics_ops *ops;
static struct hp_device device;
static lo_server receiver;
static struct arrived arrived[ARRIVED];
static int arrived_count;

static int
arrive(const char *path, const char *types, lo_arg **argv, int argc,
       lo_message message, void *unused)
{
    struct arrived *a = &arrived[arrived_count];

    (void)message;
    (void)unused;
    if (arrived_count == ARRIVED)
        return 0;
    memset(a, 0, sizeof(*a));
    snprintf(a->address, sizeof(a->address), "%s", path);
    if (argc == 3 && strcmp(types, "ffi") == 0) {
        /* They lie in the datagram as they came: not aligned. */
        memcpy(&a->level, argv[0], sizeof(a->level));
        memcpy(&a->frequency_hz, argv[1], sizeof(a->frequency_hz));
        memcpy(&a->good_ms, argv[2], sizeof(a->good_ms));
    }
    arrived_count++;
    return 0;
}

/* Waits until `wanted` messages have come, or hears what there is. */
static int
listen_for(int wanted)
{
    int ms = wanted > 0 ? PATIENCE : LISTEN_FOR;

    arrived_count = 0;
    while (ms-- > 0 && (wanted == 0 || arrived_count < wanted)) {
        while (lo_server_recv_noblock(receiver, 0) > 0)
            ;
        usleep(1000);
    }
    while (lo_server_recv_noblock(receiver, 0) > 0)
        ;
    return arrived_count;
}

static const struct arrived *
last_at(const char *address)
{
    int i;

    for (i = arrived_count - 1; i >= 0; i--)
        if (strcmp(arrived[i].address, address) == 0)
            return &arrived[i];
    return NULL;
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
begin_with(const char *actuators, const char *target)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake.now_ns = FIRST;
    fake_host_set(&fake, "target", target);
    if (actuators != NULL)
        fake_host_set(&fake, "actuators", actuators);
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    look();
}

static void
begin(const char *actuators)
{
    static char target[32];

    receiver = lo_server_new(NULL, NULL);
    lo_server_add_method(receiver, NULL, NULL, arrive, NULL);
    snprintf(target, sizeof(target), "127.0.0.1:%d",
             lo_server_get_port(receiver));
    begin_with(actuators, target);
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
    lo_server_free(receiver);
}

static void
render_for(uint32_t actuator, float value, float hz, uint64_t good_ms)
{
    struct hp_level level = {.deadline_ns = fake.now_ns + good_ms * MS,
                             .generation = device.generation,
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

static void
render(uint32_t actuator, float value)
{
    render_for(actuator, value, 0, 300);
}

static void
work_at(uint64_t time_ns)
{
    fake.now_ns = time_ns;
    ok_int(ops->work(self, time_ns + 50 * MS), 0);
}

static void
a_level_arrives_with_its_frequency_and_its_end(void)
{
    const struct arrived *low, *audio;

    begin("low axis_x audio");
    ok_int(device.actuator_count, 3);
    render(0, 0.5f);
    render(1, -0.25f);
    render_for(2, 1, 42, 250);
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(3), 3);
    low = last_at("/hardpoint/low");
    audio = last_at("/hardpoint/audio");
    ok(low != NULL && low->level == 0.5f && low->frequency_hz == 0);
    ok(low != NULL && low->good_ms == 290);
    ok(last_at("/hardpoint/axis_x") != NULL &&
       last_at("/hardpoint/axis_x")->level == -0.25f);
    ok(audio != NULL && audio->level == 1 && audio->frequency_hz == 42);
    ok(audio != NULL && audio->good_ms == 240);
    end();
}

static void
what_no_actuator_can_do_is_bounded(void)
{
    begin("low axis_x high");
    render(0, 7);
    render(1, -7);
    render(2, -0.5f); /* a motor has no other side */
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(2), 2);
    ok(last_at("/hardpoint/low")->level == 1);
    ok(last_at("/hardpoint/axis_x")->level == -1);
    render(0, (float)NAN);
    work_at(FIRST + 20 * MS);
    ok_int(listen_for(1), 1);
    ok(last_at("/hardpoint/low")->level == 0);
    end();
}

static void
the_newest_of_ten_thousand_levels_wins(void)
{
    uint32_t i;

    begin("low high");
    for (i = 0; i < 10000; i++)
        render(i & 1, (float)(1 + i % 97) / 98);
    render(0, 0.75f);
    render(1, 0);
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(1), 1);
    ok_text(arrived[0].address, "/hardpoint/low");
    ok(arrived[0].level == 0.75f);
    end();
}

static void
a_zero_is_sent_three_times_and_then_nothing(void)
{
    int i, zeros = 0;

    begin("low");
    render(0, 1);
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(1), 1);
    render(0, 0);
    for (i = 0; i < 40; i++) {
        work_at(FIRST + (20 + (uint64_t)i * 10) * MS);
        zeros += listen_for(i % 5 == 0 && i < 15);
    }
    ok_int(zeros, 3);
    ok(last_at("/hardpoint/low") == NULL);
    end();
}

static void
a_level_that_nobody_renews_ends_by_itself(void)
{
    begin("low");
    render(0, 1);
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(1), 1);
    work_at(FIRST + 299 * MS);
    ok_int(listen_for(0), 0);
    work_at(FIRST + 300 * MS);
    ok_int(listen_for(1), 1);
    ok(arrived[0].level == 0 && arrived[0].good_ms == 0);
    end();
}

static void
a_renewed_level_is_said_again(void)
{
    begin("low");
    render(0, 1);
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(1), 1);
    fake.now_ns = FIRST + 100 * MS;
    render(0, 1);
    work_at(FIRST + 101 * MS);
    ok_int(listen_for(1), 1);
    ok_int(arrived[0].good_ms, 299);
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
silence_from_another_thread_is_sent_at_once(void)
{
    pthread_t thread;

    begin("low audio");
    render(0, 1);
    render_for(1, 1, 40, 300);
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(2), 2);
    pthread_create(&thread, NULL, ask_for_silence, NULL);
    pthread_join(thread, NULL);
    ok_int(listen_for(1), 1);
    ok_text(arrived[0].address, "/hardpoint/silence");
    work_at(FIRST + 11 * MS); /* for who does not know that one */
    ok_int(listen_for(2), 2);
    ok(last_at("/hardpoint/low")->level == 0);
    ok(last_at("/hardpoint/audio")->level == 0);
    end();
}

static void
stopping_the_plugin_sends_the_zeros(void)
{
    begin("low high");
    render(0, 1);
    render(1, 1);
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(2), 2);
    hp_plugin_v1.stop(self);
    ok_int(listen_for(3), 3);
    ok(last_at("/hardpoint/low") != NULL &&
       last_at("/hardpoint/low")->level == 0);
    ok(last_at("/hardpoint/high") != NULL);
    hp_plugin_v1.destroy(self);
    lo_server_free(receiver);
}

static void
a_level_for_another_generation_is_nobodys(void)
{
    begin("low");
    device.generation++;
    render(0, 1);
    device.generation--;
    render(7, 1); /* nor one for no actuator */
    work_at(FIRST + 10 * MS);
    ok_int(listen_for(0), 0);
    end();
}

/* As the guardian process would, after this one is gone. */
static void
the_guardians_datagrams_are_zeros(void)
{
    struct hp_guard guards[8];
    struct hp_guard_sink sink = {.size = sizeof(sink),
                                 .capacity = 8,
                                 .stride = sizeof(guards[0]),
                                 .guards = guards};
    struct sockaddr_in to = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    uint32_t i;

    begin("low high trigger_l trigger_r axis_x axis_y audio generic");
    ok(!(device.flags & HP_DEVICE_HOLDS_DEADLINE));
    ok_int(ops->guard(self, &sink), 0);
    ok_int(sink.count, 8);
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    to.sin_port = htons((uint16_t)lo_server_get_port(receiver));
    for (i = 0; i < sink.count; i++) {
        ok_int(guards[i].action, HP_GUARD_DATAGRAM);
        ok(guards[i].report_bytes > 0);
        sendto(fd, guards[i].report, guards[i].report_bytes, 0,
               (struct sockaddr *)&to, sizeof(to));
    }
    ok_int(listen_for(8), 8);
    for (i = 0; i < 8; i++)
        ok(arrived[i].level == 0 && arrived[i].good_ms == 0);
    sink.capacity = 3;
    ok_int(ops->guard(self, &sink), -ENOSPC);
    ok_int(sink.count, 3);
    close(fd);
    end();
}

/* A port that was free a moment ago. */
static int
free_port(void)
{
    lo_server s = lo_server_new(NULL, NULL);
    int port = lo_server_get_port(s);

    lo_server_free(s);
    return port;
}

static void
a_receiver_that_comes_later_is_served(void)
{
    int port = free_port(), i;
    char target[32], text[16];

    snprintf(target, sizeof(target), "127.0.0.1:%d", port);
    snprintf(text, sizeof(text), "%d", port);
    begin_with("low", target);
    for (i = 0; i < 50; i++) {
        render(0, 0.01f * (float)(i + 1));
        work_at(fake.now_ns + 10 * MS);
    }
    ok_int(fake.log_lines, 1);
    ok(strstr(fake.log_text, "nobody listens at 127.0.0.1:") != NULL);
    receiver = lo_server_new(text, NULL);
    lo_server_add_method(receiver, NULL, NULL, arrive, NULL);
    render(0, 1);
    work_at(fake.now_ns + 10 * MS);
    ok_int(listen_for(1), 1);
    ok(arrived[0].level == 1);
    end();
}

static void
a_bad_key_is_refused_with_what_was_expected(void)
{
    static const struct {
        const char *key, *value, *said;
    } bad[] = {
        {"target",    "",                                           "a colon and a port"       },
        {"target",    "127.0.0.1",                                  "a colon and a port"       },
        {"target",    ":9000",                                      "a colon and a port"       },
        {"target",    "::1:9000",                                   "an IPv4 address or a name"},
        {"target",    "host:0",                                     "a port from 1 to 65535"   },
        {"target",    "host:65536",                                 "a port from 1 to 65535"   },
        {"target",    "host: 9000",                                 "a port from 1 to 65535"   },
        {"target",    "host:90a",                                   "a port from 1 to 65535"   },
        {"prefix",    "hardpoint",                                  "an OSC address"           },
        {"prefix",    "/",                                          "an OSC address"           },
        {"prefix",    "/a/",                                        "an OSC address"           },
        {"prefix",    "/a*",                                        "an OSC address"           },
        {"prefix",    "/12345678901234567890123456789012345678901", "40 bytes"                 },
        {"actuators", "low rumble",                                 "some of low, high"        },
        {"actuators", " ",                                          "one word at least"        },
        {"actuators", "low low low low low low low low low",        "at most eight"            },
    };
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        fake_host_init(&fake, HP_SIDE_CLIENT);
        fake_host_set(&fake, bad[i].key, bad[i].value);
        self = NULL;
        ok_int(hp_plugin_v1.create(&fake.host, &self), -EINVAL);
        ok(strstr(fake.failure, bad[i].said) != NULL);
        ok(strncmp(fake.failure, bad[i].key, strlen(bad[i].key)) == 0);
    }
}

static void
a_name_that_nobody_knows_fails_at_start(void)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake_host_set(&fake, "target", "no-such-host.invalid:9000");
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), -ENODEV);
    ok(strstr(fake.failure, "no IPv4 address for") != NULL);
    hp_plugin_v1.destroy(self);
}

TAP_MAIN(FACT(a_level_arrives_with_its_frequency_and_its_end),
         FACT(what_no_actuator_can_do_is_bounded),
         FACT(the_newest_of_ten_thousand_levels_wins),
         FACT(a_zero_is_sent_three_times_and_then_nothing),
         FACT(a_level_that_nobody_renews_ends_by_itself),
         FACT(a_renewed_level_is_said_again),
         FACT(silence_from_another_thread_is_sent_at_once),
         FACT(stopping_the_plugin_sends_the_zeros),
         FACT(a_level_for_another_generation_is_nobodys),
         FACT(the_guardians_datagrams_are_zeros),
         FACT(a_receiver_that_comes_later_is_served),
         FACT(a_bad_key_is_refused_with_what_was_expected),
         FACT(a_name_that_nobody_knows_fails_at_start))
