/* What a haptics backend must do, each tried on a fresh start of it. */
#include "conform.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FULL     0.8f
#define STARTS   20
#define RENDERS  5000
#define BLOCK_NS (50 * BENCH_MS) /* no render that only copies takes so long */
#define SLOW_MAX 10              /* but for one that the machine held up */
#define LATE_NS  (1000 * BENCH_MS)

static uint32_t
actuators(const struct bench *b)
{
    return b->devices[0].actuator_count;
}

static const struct hp_actuator *
actuator(const struct bench *b, uint32_t a)
{
    return &b->devices[0].actuators[a];
}

/* ---- what it says of itself ---- */

static int
judge_device(const struct hp_device *d, char *found, size_t bytes)
{
    const struct hp_actuator *a;
    uint32_t i;

    if (d->id >= 32 || d->generation == 0 || d->actuator_count == 0 ||
        d->actuator_count > HP_DEVICE_ACTUATORS_MAX) {
        snprintf(found, bytes,
                 "found id %u, generation %u, %u actuators, expected an id "
                 "below 32, a generation, 1 to %d actuators",
                 d->id, d->generation, d->actuator_count,
                 HP_DEVICE_ACTUATORS_MAX);
        return -1;
    }
    if (d->stable_id[0] == '\0' || d->name[0] == '\0' ||
        memchr(d->stable_id, 0, sizeof(d->stable_id)) == NULL ||
        memchr(d->name, 0, sizeof(d->name)) == NULL) {
        snprintf(found, bytes,
                 "found no stable id or no name, or one without "
                 "its end, expected both");
        return -1;
    }
    for (i = 0; i < d->actuator_count; i++) {
        a = &d->actuators[i];
        if (a->kind == 0 || a->kind >= HP_ACTUATOR_KINDS ||
            !(a->minimum >= 0 && a->minimum < 1) ||
            !(a->frequency_min_hz <= a->frequency_max_hz ||
              a->frequency_max_hz == 0)) {
            snprintf(found, bytes,
                     "actuator %u: found kind %u, minimum %g, %g to %g Hz, "
                     "expected a kind that there is, a minimum from 0 to 1, "
                     "a range that goes up",
                     i, a->kind, (double)a->minimum,
                     (double)a->frequency_min_hz, (double)a->frequency_max_hz);
            return -1;
        }
    }
    return 0;
}

static int
devices_are_described(struct bench *b, char *found, size_t bytes)
{
    uint32_t i, k;

    for (i = 0; i < b->device_count; i++) {
        if (judge_device(&b->devices[i], found, bytes) < 0)
            return -1;
        for (k = 0; k < i; k++)
            if (strcmp(b->devices[i].stable_id, b->devices[k].stable_id) == 0) {
                snprintf(found, bytes,
                         "found two devices \"%s\", expected ids that tell "
                         "them apart",
                         b->devices[i].stable_id);
                return -1;
            }
    }
    return 0;
}

static int
a_small_sink_is_not_overrun(struct bench *b, char *found, size_t bytes)
{
    struct {
        struct hp_device device;
        uint8_t beyond[512];
    } room;
    struct hp_device_sink sink = {.size = sizeof(sink),
                                  .capacity = 0,
                                  .stride = sizeof(room),
                                  .devices = &room.device};
    size_t i;
    int err;

    memset(&room, 0x5a, sizeof(room));
    err = b->ops->devices(b->self, &sink);
    if (err != -ENOSPC || sink.count != 0) {
        snprintf(found, bytes,
                 "found %d and %u devices for a sink of none, expected "
                 "-ENOSPC and 0",
                 err, sink.count);
        return -1;
    }
    for (i = 0; i < sizeof(room); i++)
        if (((uint8_t *)&room)[i] != 0x5a) {
            snprintf(found, bytes, "found byte %zu of a full sink written", i);
            return -1;
        }
    sink.capacity = 1;
    b->ops->devices(b->self, &sink);
    for (i = 0; i < sizeof(room.beyond); i++)
        if (room.beyond[i] != 0x5a) {
            snprintf(found, bytes,
                     "found byte %zu beyond the device written, expected "
                     "nothing between it and the next",
                     i);
            return -1;
        }
    return 0;
}

static int
a_device_that_goes_on_has_a_guard(struct bench *b, char *found, size_t bytes)
{
    struct hp_guard guards[64];
    struct hp_guard_sink sink = {.size = sizeof(sink),
                                 .capacity = 64,
                                 .stride = sizeof(guards[0]),
                                 .guards = guards};
    uint32_t i, k;
    int has;

    if (b->ops->guard != NULL && b->ops->guard(b->self, &sink) < 0)
        sink.count = 0;
    for (i = 0; i < b->device_count; i++) {
        has = b->devices[i].flags & HP_DEVICE_HOLDS_DEADLINE;
        for (k = 0; k < sink.count; k++)
            has |= guards[k].device == b->devices[i].id &&
                   guards[k].action != HP_GUARD_NONE;
        if (!has) {
            snprintf(found, bytes,
                     "\"%s\" neither ends a level by itself nor has a guard: "
                     "expected HP_DEVICE_HOLDS_DEADLINE or one of `guard`",
                     b->devices[i].name);
            return -1;
        }
    }
    for (k = 0; k < sink.count; k++)
        if (guards[k].report_bytes > sizeof(guards[k].report) ||
            (guards[k].action != HP_GUARD_NONE && guards[k].node[0] == '\0')) {
            snprintf(found, bytes, "guard %u: found %u bytes for node \"%s\"",
                     k, guards[k].report_bytes, guards[k].node);
            return -1;
        }
    return 0;
}

/* ---- levels ---- */

static int
is_wrong(struct bench *b, uint32_t a, const char *when, int moving, char *found,
         size_t bytes)
{
    snprintf(found, bytes, "actuator %u (kind %u) %s %s, expected %s", a,
             actuator(b, a)->kind, moving ? "is still" : "still moves", when,
             moving ? "it to move" : "silence");
    return -1;
}

static int
each_actuator_moves_alone(struct bench *b, char *found, size_t bytes)
{
    uint32_t a, other;

    for (a = 0; a < actuators(b); a++) {
        if (!bench_feels(b, a))
            continue;
        bench_render(b, a, FULL, 300);
        if (!bench_await(b, a, 1, FULL))
            return is_wrong(b, a, "after a level", 1, found, bytes);
        for (other = 0; other < actuators(b); other++)
            if (other != a && bench_felt(b, other) != 0) {
                snprintf(found, bytes, "actuator %u moves with %u", other, a);
                return -1;
            }
        bench_render(b, a, 0, 300);
        if (!bench_await(b, a, 0, 0))
            return is_wrong(b, a, "after zero", 0, found, bytes);
    }
    return 0;
}

/* The strongest that is felt in a while of a level that is renewed. */
static double
strongest(struct bench *b, uint32_t a, float level)
{
    double most = 0;
    int i;

    for (i = 0; i < 40; i++) {
        if (i % 10 == 0)
            bench_render(b, a, level, 300);
        bench_pause(5);
        if (fabs(bench_felt(b, a)) > most)
            most = fabs(bench_felt(b, a));
    }
    bench_render(b, a, 0, 300);
    bench_await(b, a, 0, 0);
    return most;
}

static int
more_is_more(struct bench *b, char *found, size_t bytes)
{
    double weak, strong, sure;
    uint32_t a;

    for (a = 0; a < actuators(b); a++) {
        if (!bench_feels(b, a) || actuator(b, a)->steps == 1)
            continue;
        weak = strongest(b, a, 0.4f);
        strong = strongest(b, a, 0.8f);
        sure = strongest(b, a, 3);
        if (weak > 0 && strong > weak && sure >= strong && sure <= 1.001)
            continue;
        snprintf(found, bytes,
                 "actuator %u: found %.3f for 0.4, %.3f for 0.8, %.3f for 3, "
                 "expected more each time, and 1 at most",
                 a, weak, strong, sure);
        return -1;
    }
    return 0;
}

static int
zero_overtakes(struct bench *b, char *found, size_t bytes)
{
    uint32_t a, i;

    for (a = 0; a < actuators(b); a++) {
        if (!bench_feels(b, a))
            continue;
        bench_render(b, a, FULL, 300);
        if (!bench_await(b, a, 1, FULL))
            return is_wrong(b, a, "after a level", 1, found, bytes);
        for (i = 0; i < RENDERS; i++)
            bench_render(b, a, 0.3f + 0.6f * (float)(i % 100) / 100, 5000);
        bench_render(b, a, 0, 5000);
        if (!bench_await(b, a, 0, 0))
            return is_wrong(b, a, "after zero behind 5000 levels", 0, found,
                            bytes);
        bench_pause(50);
        if (bench_felt(b, a) != 0)
            return is_wrong(b, a, "again after zero", 0, found, bytes);
    }
    return 0;
}

static int
a_level_ends_at_its_deadline(struct bench *b, char *found, size_t bytes)
{
    uint64_t begun_ns, ended_ns;
    uint32_t a;

    for (a = 0; a < actuators(b); a++) {
        if (!bench_feels(b, a))
            continue;
        bench_render(b, a, FULL, 300);
        begun_ns = bench_now_ns(b);
        if (!bench_await(b, a, 1, 0))
            return is_wrong(b, a, "after a level", 1, found, bytes);
        if (!bench_await(b, a, 0, 0))
            return is_wrong(b, a, "long after its deadline", 0, found, bytes);
        ended_ns = bench_now_ns(b);
        snprintf(found, bytes, "%s%u ms after a level of 300 ms",
                 a == 0 ? "silent " : "",
                 (unsigned)((ended_ns - begun_ns) / BENCH_MS));
    }
    return 0;
}

static int
a_renewed_level_stays(struct bench *b, char *found, size_t bytes)
{
    uint32_t a;
    int i;

    for (a = 0; a < actuators(b); a++) {
        if (!bench_feels(b, a))
            continue;
        bench_render(b, a, FULL, 300);
        if (!bench_await(b, a, 1, FULL))
            return is_wrong(b, a, "after a level", 1, found, bytes);
        for (i = 0; i < 80; i++) {
            if (i % 8 == 0)
                bench_render(b, a, FULL, 300);
            bench_pause(10);
            if (bench_felt(b, a) == 0)
                return is_wrong(b, a, "while its level is renewed", 1, found,
                                bytes);
        }
        bench_render(b, a, 0, 300);
        bench_await(b, a, 0, 0);
    }
    return 0;
}

static void *
silence_thread(void *argument)
{
    struct bench *b = argument;

    b->ops->silence(b->self);
    b->ops->silence(b->self);
    return NULL;
}

static int
silence_is_for_any_thread(struct bench *b, char *found, size_t bytes)
{
    pthread_t thread;
    uint32_t a;
    int round;

    for (round = 0; round < 2; round++) {
        for (a = 0; a < actuators(b); a++)
            bench_render(b, a, FULL, 10000);
        for (a = 0; a < actuators(b); a++)
            if (bench_feels(b, a) && !bench_await(b, a, 1, FULL))
                return is_wrong(
                    b, a, round ? "after silence was over" : "after a level", 1,
                    found, bytes);
        pthread_create(&thread, NULL, silence_thread, b);
        pthread_join(thread, NULL);
        for (a = 0; a < actuators(b); a++)
            if (bench_feels(b, a) && !bench_await(b, a, 0, 0))
                return is_wrong(b, a, "after silence", 0, found, bytes);
    }
    return 0;
}

/* Renders it, and whether the device stays still. */
static int
is_ignored(struct bench *b, uint32_t a, float level, const char *what,
           char *found, size_t bytes)
{
    int ms;
    uint32_t i;

    bench_render(b, a, level, 300);
    for (ms = 0; ms < 40; ms++) {
        bench_pause(1);
        for (i = 0; i < actuators(b); i++)
            if (bench_felt(b, i) != 0) {
                is_wrong(b, i, what, 0, found, bytes);
                return 0;
            }
    }
    return 1;
}

static int
what_is_not_for_it_moves_nothing(struct bench *b, char *found, size_t bytes)
{
    struct hp_device was = b->devices[0];
    int is_kept;

    b->devices[0].generation++;
    is_kept = is_ignored(b, 0, FULL, "for another generation", found, bytes);
    b->devices[0] = was;
    b->devices[0].id = UINT32_MAX;
    is_kept = is_kept && is_ignored(b, 0, FULL, "for no device", found, bytes);
    b->devices[0] = was;
    is_kept =
        is_kept &&
        is_ignored(b, actuators(b), FULL, "for no actuator", found, bytes) &&
        is_ignored(b, UINT32_MAX, FULL, "for no actuator", found, bytes) &&
        is_ignored(b, 0, NAN, "for a level of NaN", found, bytes);
    if (!is_kept)
        return -1;
    bench_render(b, 0, INFINITY, 300);
    bench_render(b, 0, -INFINITY, 300);
    bench_render(b, 0, 0, 300);
    if (bench_feels(b, 0) && !bench_await(b, 0, 0, 0))
        return is_wrong(b, 0, "after infinity and zero", 0, found, bytes);
    return 0;
}

static int
a_wide_stride_is_kept(struct bench *b, char *found, size_t bytes)
{
    struct {
        struct hp_level level;
        uint8_t more[40];
    } wide[2];
    struct hp_levels levels = {.size = sizeof(levels),
                               .count = 2,
                               .stride = sizeof(wide[0]),
                               .levels = &wide[0].level,
                               .effects = ""};
    uint32_t last = actuators(b) - 1;

    memset(wide, 0xff, sizeof(wide));
    memset(&wide[0].level, 0, sizeof(wide[0].level));
    wide[0].level.device = b->devices[0].id;
    wide[0].level.generation = b->devices[0].generation;
    wide[0].level.deadline_ns = bench_now_ns(b) + 300 * BENCH_MS;
    wide[1].level = wide[0].level;
    wide[1].level.actuator = last;
    wide[1].level.level = FULL;
    wide[1].level.frequency_hz = 40;
    levels.time_ns = bench_now_ns(b);
    b->ops->render(b->self, &levels);
    atomic_fetch_add(&b->renders, 1);
    if (bench_feels(b, last) && !bench_await(b, last, 1, 0))
        return is_wrong(b, last, "when levels are wider than ours", 1, found,
                        bytes);
    return 0;
}

/* ---- time ---- */

static int
by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static int
render_copies_and_returns(struct bench *b, char *found, size_t bytes)
{
    static uint64_t took[RENDERS];
    uint64_t before_ns;
    uint32_t i, slow = 0;

    for (i = 0; i < RENDERS && slow < SLOW_MAX; i++) {
        before_ns = bench_now_ns(b);
        bench_render(b, i % actuators(b), (float)(i % 100) / 100, 300);
        took[i] = bench_now_ns(b) - before_ns;
        slow += took[i] > BLOCK_NS;
        if (i % 50 == 0)
            bench_pause(1);
    }
    qsort(took, i, sizeof(took[0]), by_size);
    snprintf(found, bytes, "render took %.2f us p50, %.2f us p99, %.1f us max",
             (double)took[i / 2] / 1e3, (double)took[i * 99 / 100] / 1e3,
             (double)took[i - 1] / 1e3);
    return slow == SLOW_MAX ? -1 : 0;
}

static int
work_comes_back(struct bench *b, char *found, size_t bytes)
{
    uint64_t due_ns, now_ns, most_ns = 0;
    int i;

    for (i = 0; i < 50 || (i < 150 && most_ns > LATE_NS / 10); i++) {
        if (i % 10 == 0)
            bench_render(b, 0, FULL, 300);
        bench_pause(10);
        due_ns = atomic_load(&b->due_ns);
        now_ns = bench_now_ns(b);
        if (due_ns != 0 && now_ns > due_ns && now_ns - due_ns > most_ns)
            most_ns = now_ns - due_ns;
    }
    snprintf(found, bytes, "work was seen %.1f ms after its time at most",
             (double)most_ns / 1e6);
    return most_ns > LATE_NS ? -1 : 0;
}

/* ---- its end ---- */

static int
stop_ends_what_moves(struct bench *b, char *found, size_t bytes)
{
    uint32_t a;

    for (a = 0; a < actuators(b); a++)
        bench_render(b, a, FULL, 5000);
    for (a = 0; a < actuators(b); a++)
        if (bench_feels(b, a) && !bench_await(b, a, 1, FULL))
            return is_wrong(b, a, "after a level", 1, found, bytes);
    bench_drop(b);
    for (a = 0; a < actuators(b); a++)
        if (!bench_await(b, a, 0, 0))
            return is_wrong(b, a, "after stop", 0, found, bytes);
    return 0;
}

static int
entries(const char *folder)
{
    DIR *d = opendir(folder);
    int count = 0;

    while (d != NULL && readdir(d) != NULL)
        count++;
    if (d != NULL)
        closedir(d);
    return count;
}

static int
nothing_is_left_behind(struct bench *b, char *found, size_t bytes)
{
    int fds, tasks, i;

    for (i = 0; i < 3; i++) { /* what a library keeps from its first use */
        bench_down(b);
        if (bench_up(b) < 0)
            return -1;
    }
    bench_down(b);
    bench_pause(50);
    fds = entries("/proc/self/fd");
    tasks = entries("/proc/self/task");
    for (i = 0; i < STARTS; i++) {
        if (bench_up(b) < 0) {
            snprintf(found, bytes, "start %d of %d failed", i + 1, STARTS);
            return -1;
        }
        bench_render(b, 0, FULL, 100);
        bench_down(b);
    }
    bench_pause(50);
    if (entries("/proc/self/fd") <= fds && entries("/proc/self/task") <= tasks)
        return 0;
    snprintf(found, bytes,
             "found %d descriptors and %d threads more after %d starts, "
             "expected none",
             entries("/proc/self/fd") - fds, entries("/proc/self/task") - tasks,
             STARTS);
    return -1;
}

static void
send_report(const struct hp_guard *g)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    char host[sizeof(g->node)];
    char *colon;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);

    snprintf(host, sizeof(host), "%s", g->node);
    colon = strrchr(host, ':');
    if (fd >= 0 && colon != NULL) {
        *colon = '\0';
        to.sin_port = htons((uint16_t)atoi(colon + 1));
        if (inet_pton(AF_INET, host, &to.sin_addr) == 1)
            sendto(fd, g->report, g->report_bytes, 0, (struct sockaddr *)&to,
                   sizeof(to));
    }
    close(fd);
}

/* What the guardian process would do once the host is gone: here with the
 * backend quiet, its device thread too. */
static int
its_guard_silences_it(struct bench *b, char *found, size_t bytes)
{
    struct hp_guard guards[64];
    struct hp_guard_sink sink = {.size = sizeof(sink),
                                 .capacity = 64,
                                 .stride = sizeof(guards[0]),
                                 .guards = guards};
    uint32_t a, k, datagrams = 0;

    if (b->ops->guard == NULL || b->ops->guard(b->self, &sink) < 0)
        sink.count = 0;
    for (k = 0; k < sink.count; k++)
        datagrams += guards[k].action == HP_GUARD_DATAGRAM;
    if (datagrams == 0) {
        snprintf(found, bytes, "%s",
                 sink.count == 0 ? "it needs none"
                                 : "a node of the kernel's: `./dev "
                                   "check-guest` tries it");
        return 0;
    }
    for (a = 0; a < actuators(b); a++)
        bench_render(b, a, FULL, 4000);
    for (a = 0; a < actuators(b); a++)
        if (bench_feels(b, a) && !bench_await(b, a, 1, 0))
            return is_wrong(b, a, "after a level", 1, found, bytes);
    bench_pause(100);
    for (k = 0; k < sink.count; k++)
        if (guards[k].action == HP_GUARD_DATAGRAM)
            send_report(&guards[k]);
    bench_pause(50);
    for (a = 0; a < actuators(b); a++)
        if (bench_felt(b, a) != 0)
            return is_wrong(b, a, "after the guard's report", 0, found, bytes);
    return 0;
}

const struct bench_rule bench_rules[] = {
    {"devices",  "devices have ids, names and actuators that there are",          0,
     devices_are_described                                                                                      },
    {"sink",     "a full sink is not overrun",                                    0, a_small_sink_is_not_overrun},
    {"guarded",  "a device that would go on without us has a guard",              0,
     a_device_that_goes_on_has_a_guard                                                                          },
    {"alone",    "each actuator moves alone, and stops at zero",                  1,
     each_actuator_moves_alone                                                                                  },
    {"more",     "a higher level is felt as more, and none as more than all",     1,
     more_is_more                                                                                               },
    {"newest",   "zero overtakes five thousand levels",                           1, zero_overtakes             },
    {"deadline", "a level that nobody renews ends by itself",                     1,
     a_level_ends_at_its_deadline                                                                               },
    {"renewed",  "a renewed level stays on without a gap",                        1,
     a_renewed_level_stays                                                                                      },
    {"silence",  "silence stops all, from any thread, twice, and is not the end",
     1,                                                                              silence_is_for_any_thread  },
    {"hostile",  "what is not for it moves nothing",                              0,
     what_is_not_for_it_moves_nothing                                                                           },
    {"stride",   "levels of a newer host are read by their stride",               0,
     a_wide_stride_is_kept                                                                                      },
    {"render",   "render copies and returns",                                     0, render_copies_and_returns  },
    {"work",     "work comes back by its time",                                   0, work_comes_back            },
    {"stop",     "stop ends what moves",                                          0, stop_ends_what_moves       },
    {"leaves",   "twenty starts leave no descriptor and no thread behind",        0,
     nothing_is_left_behind                                                                                     },
    {"guard",    "its guard silences it without us",                              1, its_guard_silences_it      },
    {NULL,       NULL,                                                            0, NULL                       },
};
