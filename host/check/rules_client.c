/* The rules of those that see the world or a device: hostile views, what cues
 * command, what devices and inputs say, and threads that wait. */
#include <config.h>

#include "run.h"
#include <clock.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/select.h>

#define SECOND_NS UINT64_C(1000000000)

/* ---- hostile ---- */

static void
hostile_broadcaster(struct run *r, uint8_t *bytes)
{
    const struct hp_broadcaster_ops *ops = r->ops;
    struct hp_byte_sink sink = {
        .size = sizeof(sink), .capacity = 1000, .bytes = bytes};

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "encode",
             (void)ops->encode(r->instance->self, 0, &r->view.view, &sink));
}

static void
hostile_predictor(struct run *r)
{
    const struct hp_predictor_ops *ops = r->ops;
    struct hp_truth truth = {.size = sizeof(truth), .tick = r->tick};
    char record[HP_RECORD_BYTES_MAX];

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "snapshot",
             (void)ops->snapshot(r->instance->self, &truth, &r->view.view));
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "present",
             (void)ops->present(r->instance->self, r->tick, record));
}

static void
hostile_cues(struct run *r, const void *own)
{
    const struct hp_cues_ops *ops = r->ops;
    struct hp_effect_command commands[RUN_COMMANDS];
    struct hp_effect_sink sink = {
        .size = sizeof(sink), .capacity = RUN_COMMANDS, .commands = commands};

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "snapshot",
             ops->snapshot(r->instance->self, &r->view.view, own, &sink));
}

/* No record at all, as many as there may be, and not-a-numbers in them. */
static void
hostile_view(struct run *r)
{
    static const uint32_t counts[] = {0, WORLD_ENTITIES_MAX, 1, 12};
    uint8_t bytes[1000];
    const void *own;
    uint32_t count = counts[r->tick % 4];
    uint32_t at = count == 0 || r->tick % 3 == 0 ? HP_INDEX_NONE : count - 1;

    world_fill(&r->view, r->tick, count, at);
    if (r->tick % 4 != 1)
        world_spoil(&r->view, &r->chance);
    own = at == HP_INDEX_NONE ? NULL
                              : (const char *)r->view.records +
                                    (size_t)at * world_schema.record_bytes;
    if (r->table->kind == HP_KIND_BROADCASTER)
        hostile_broadcaster(r, bytes);
    else if (r->table->kind == HP_KIND_PREDICTOR)
        hostile_predictor(r);
    else
        hostile_cues(r, own);
}

/* Devices and actuators that are not there, levels that are none. */
static void
hostile_levels(struct run *r)
{
    static const float wild[] = {0, 1, -1, 1e30f, -1e30f, NAN, INFINITY};
    const struct hp_haptics_ops *ops = r->ops;
    struct hp_level list[16];
    struct hp_levels levels = {.size = sizeof(levels),
                               .stride = sizeof(list[0]),
                               .levels = list,
                               .effects = ""};
    int i;

    for (i = 0; i < 16; i++)
        list[i] = (struct hp_level){
            .deadline_ns = chance_next(&r->chance),
            .device = chance_below(&r->chance, 2)
                          ? chance_below(&r->chance, 40)
                          : (uint32_t)chance_next(&r->chance),
            .generation = (uint32_t)chance_next(&r->chance),
            .actuator = chance_below(&r->chance, 2)
                            ? chance_below(&r->chance, 40)
                            : (uint32_t)chance_next(&r->chance),
            .level = wild[chance_below(&r->chance, 7)],
        };
    /* Some of a device that is there, but of an actuator that is not. */
    for (i = 0; i < 4 && r->device_count > 0; i++) {
        list[i].device = r->devices[0].id;
        list[i].generation = r->devices[0].generation;
        list[i].actuator = r->devices[0].actuator_count +
                           chance_below(&r->chance, 1u << (7 * (i + 1)));
    }
    levels.count = chance_below(&r->chance, 17);
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "render",
             (void)ops->render(r->instance->self, &levels));
}

static void
hostile_status(struct run *r)
{
    const struct hp_agent_ops *ops = r->ops;
    struct hp_status status;

    memset(&status, r->tick % 3 == 0 ? 0 : 0xff, sizeof(status));
    status.size = sizeof(status);
    status.side = HP_SIDE_SERVER;
    if (r->tick % 3 == 2)
        status.time_ns = chance_next(&r->chance);
    status.tick_hz = r->tick % 2 ? NAN : 1e308;
    RUN_CALL(r->instance, r->tick, RUN_MAIN, "idle",
             ops->idle(r->instance->self, &status, r->tick % 2));
}

static void
rule_hostile(const struct check *c)
{
    struct run r;
    int err;

    run_open(&r, c, c->seed, 60, 1);
    if (r.table->kind == HP_KIND_BROADCASTER)
        RUN_CALL(r.instance, 0, RUN_REALTIME, "join",
                 err = ((const struct hp_broadcaster_ops *)r.ops)
                           ->join(r.instance->self, 0);
                 (void)err);
    for (r.tick = 0; r.tick < 200; r.tick++) {
        if (r.table->kind == HP_KIND_HAPTICS)
            hostile_levels(&r);
        else if (r.table->kind == HP_KIND_AGENT)
            hostile_status(&r);
        else
            hostile_view(&r);
    }
    run_close(&r);
}

/* ---- commands ---- */

static void
judge_command(const struct hp_effect_command *c, uint64_t tick)
{
    if (c->effect == NULL || c->effect[0] == '\0')
        check_fail("a command of tick %llu names no effect",
                   (unsigned long long)tick);
    if (c->action < HP_EFFECT_PLAY || c->action > HP_EFFECT_CUT)
        check_fail("%s: the action is %u, expected HP_EFFECT_PLAY to _CUT",
                   c->effect, c->action);
    if (!(c->level >= 0 && c->level <= 1))
        check_fail("%s: the level is %g, expected 0 to 1", c->effect,
                   (double)c->level);
}

static void
rule_commands(const struct check *c)
{
    struct hp_effect_command commands[RUN_COMMANDS];
    const struct hp_cues_ops *ops;
    struct hp_effect_sink sink;
    struct hp_input input;
    struct hp_tick tick;
    struct run r;
    uint32_t i, room;

    run_open(&r, c, c->seed, 60, 1);
    ops = r.ops;
    for (r.tick = 0; r.tick < 300; r.tick++) {
        room = r.tick < 150 ? RUN_COMMANDS : chance_below(&r.chance, 3);
        sink = (struct hp_effect_sink){
            .size = sizeof(sink), .capacity = room, .commands = commands};
        tick = world_tick(&r.limits, r.tick, 1);
        input = world_input(&r.chance);
        world_fill(&r.view, r.tick, 12, 0);
        RUN_CALL(
            r.instance, r.tick, RUN_REALTIME, "input",
            ops->input(r.instance->self, &tick, &input, r.view.records, &sink));
        RUN_CALL(r.instance, r.tick, RUN_REALTIME, "snapshot",
                 ops->snapshot(r.instance->self, &r.view.view, r.view.records,
                               &sink));
        if (sink.count > room)
            check_fail("%u commands at tick %llu, the sink holds %u",
                       sink.count, (unsigned long long)r.tick, room);
        for (i = 0; i < sink.count; i++)
            judge_command(&commands[i], r.tick);
    }
    run_close(&r);
}

/* ---- devices, work, silence ---- */

static void
rule_devices(const struct check *c)
{
    const struct hp_device *d;
    struct run r;
    uint32_t i, a, seen = 0;

    run_open(&r, c, c->seed, 60, 1); /* asks for them */
    if (r.device_count == 0)
        check_skip("there is no device now");
    for (i = 0; i < r.device_count; i++) {
        d = &r.devices[i];
        if (d->id >= 32 || seen & 1u << d->id)
            check_fail("device %u has the id %u, expected one below 32 that no "
                       "other has",
                       i, d->id);
        seen |= 1u << d->id;
        if (d->actuator_count > HP_DEVICE_ACTUATORS_MAX)
            check_fail("device %u counts %u actuators, at most %d", d->id,
                       d->actuator_count, HP_DEVICE_ACTUATORS_MAX);
        if (memchr(d->name, '\0', sizeof(d->name)) == NULL ||
            memchr(d->stable_id, '\0', sizeof(d->stable_id)) == NULL ||
            d->stable_id[0] == '\0')
            check_fail("device %u: name and stable_id must end in NUL, and "
                       "stable_id not be empty",
                       d->id);
        for (a = 0; a < d->actuator_count; a++)
            if (d->actuators[a].kind < HP_ACTUATOR_LOW ||
                d->actuators[a].kind >= HP_ACTUATOR_KINDS)
                check_fail("device %u: actuator %u is of kind %u, which there "
                           "is not",
                           d->id, a, d->actuators[a].kind);
    }
    run_close(&r);
}

static int (*work_of(const struct run *r))(struct hp_instance *, uint64_t)
{
    if (r->table->kind == HP_KIND_INPUT)
        return ((const struct hp_input_ops *)r->ops)->work;
    return ((const struct hp_haptics_ops *)r->ops)->work;
}

static void
rule_work(const struct check *c)
{
    uint64_t until_ns, now_ns;
    struct run r;
    int i;

    run_open(&r, c, c->seed, 60, 1);
    if (work_of(&r) == NULL)
        check_skip("it has no work");
    for (i = 0; i < 3; i++) {
        until_ns = clock_now_ns(r.instance->clock) + SECOND_NS / 20;
        RUN_CALL(r.instance, INSTANCE_NO_TICK, RUN_MAIN, "work",
                 (void)work_of(&r)(r.instance->self, until_ns));
        now_ns = clock_now_ns(r.instance->clock);
        if (now_ns > until_ns + 3 * SECOND_NS)
            check_fail("work came back %.1f s after until_ns",
                       (double)(now_ns - until_ns) / 1e9);
    }
    run_close(&r);
}

static void *
work_thread(void *context)
{
    struct run *r = context;
    uint64_t until_ns = clock_now_ns(r->instance->clock) + 2 * SECOND_NS;

    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_MAIN, "work",
             (void)work_of(r)(r->instance->self, until_ns));
    return NULL;
}

/* While work may be waiting for its device, silence does not wait for work. */
static void
rule_silence(const struct check *c)
{
    const struct hp_haptics_ops *ops;
    uint64_t begin_ns, took_ns;
    static const struct timespec moment = {0, 20000000};
    pthread_t thread;
    struct run r;
    int i, err;

    run_open(&r, c, c->seed, 60, 1);
    ops = r.ops;
    if (ops->work == NULL)
        run_tick(&r);
    else if (pthread_create(&thread, NULL, work_thread, &r) != 0)
        check_skip("no thread");
    for (i = 0; i < 20; i++) {
        /* Spread out, so that work is somewhere in its middle. */
        if (ops->work != NULL)
            pselect(0, NULL, NULL, NULL, &moment, NULL);
        begin_ns = clock_now_ns(r.instance->clock);
        RUN_CALL(r.instance, INSTANCE_NO_TICK, RUN_MAIN, "silence",
                 err = ops->silence(r.instance->self));
        took_ns = clock_now_ns(r.instance->clock) - begin_ns;
        if (err < 0)
            check_fail("silence returns %d; it is idempotent and at hand at "
                       "any time",
                       err);
        if (took_ns > SECOND_NS)
            check_fail("silence took %.1f s while work was running; it must "
                       "not wait for it (no lock that work holds)",
                       (double)took_ns / 1e9);
    }
    if (ops->work != NULL)
        pthread_join(thread, NULL);
    run_close(&r);
}

/* ---- samples ---- */

static void
rule_samples(const struct check *c)
{
    const struct hp_input_ops *ops;
    struct hp_input out;
    struct hp_tick tick;
    struct run r;
    int i, a;

    run_open(&r, c, c->seed, 60, 1);
    ops = r.ops;
    for (i = 0; i < 2000; i++) {
        memset(&out, 0, sizeof(out));
        tick = world_tick(&r.limits, (uint64_t)i * 7, 1);
        RUN_CALL(r.instance, tick.index, RUN_REALTIME, "poll",
                 (void)ops->poll(r.instance->self, &tick, &out));
        for (a = 0; a < HP_AXIS_COUNT; a++)
            if (out.axes[a] == INT16_MIN)
                check_fail("axis %d is -32768 at tick %llu, expected -32767 to "
                           "32767",
                           a, (unsigned long long)tick.index);
        if (out.axes[HP_AXIS_THROTTLE] < 0 || out.axes[HP_AXIS_BRAKE] < 0)
            check_fail("throttle or brake is below 0 at tick %llu",
                       (unsigned long long)tick.index);
        if (out.flags & HP_INPUT_REPEATED || out.reserved != 0)
            check_fail("flags are 0x%04x, reserved %u: HP_INPUT_REPEATED is "
                       "the host's, reserved is 0",
                       out.flags, out.reserved);
    }
    run_close(&r);
}

#define SEERS \
    (RULE_KIND(HP_KIND_BROADCASTER) | RULE_KIND(HP_KIND_PREDICTOR) | \
     RULE_KIND(HP_KIND_CUES) | RULE_KIND(HP_KIND_HAPTICS) | \
     RULE_KIND(HP_KIND_AGENT))
#define WORKERS (RULE_KIND(HP_KIND_HAPTICS) | RULE_KIND(HP_KIND_INPUT))

/* clang-format off */
const struct rule rules_client[] = {
    {"hostile", "empty, full and spoilt data are survived: NaN, no such device",
     "a NaN fails every comparison, an index may be past the end; test what you use before you use it",
     rule_hostile, SEERS, RULE_NEEDS_START},
    {"commands", "effect commands are whole and fit the sink",
     "the host drops others; name an effect, a level from 0 to 1, and stop at the capacity",
     rule_commands, RULE_KIND(HP_KIND_CUES), RULE_NEEDS_START},
    {"devices", "devices have ids, names and actuators that there are",
     "levels name a device by its id and an actuator by its place; ids are below 32 and differ",
     rule_devices, RULE_KIND(HP_KIND_HAPTICS), RULE_NEEDS_START},
    {"work", "work comes back by until_ns",
     "the host cannot stop its thread otherwise; give each wait that deadline",
     rule_work, WORKERS, RULE_NEEDS_START},
    {"silence", "silence never waits for work",
     "it is how motors stop when something else hangs; use atomics instead of a lock",
     rule_silence, RULE_KIND(HP_KIND_HAPTICS), RULE_NEEDS_START},
    {"samples", "inputs are within their range",
     "the server refuses others; -32768 is none, throttle and brake begin at 0",
     rule_samples, RULE_KIND(HP_KIND_INPUT), RULE_NEEDS_START},
    {NULL, NULL, NULL, NULL, 0, 0},
};
/* clang-format on */
