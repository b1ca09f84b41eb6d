/* The courses of what runs on the client: predictor, cues, haptics, input. */
#include <config.h>

#include "run.h"
#include <clock.h>
#include <digest.h>
#include <string.h>

#define BEHIND 4 /* ticks that the server's word is late */

static void
absorb(struct run *r, const void *bytes, size_t count)
{
    r->output = digest64(r->output, bytes, count);
}

static int
is_deterministic(const struct run *r)
{
    return (r->table->flags & HP_PLUGIN_DETERMINISTIC) != 0;
}

static void
nothing(struct run *r)
{
    (void)r;
}

/* ---- predictor ---- */

static const struct hp_predictor_ops *
predictor_ops(const struct run *r)
{
    return r->ops;
}

static void
predictor_open(struct run *r)
{
    world_own_init(&r->truth);
}

static void
predictor_input(struct run *r)
{
    struct hp_tick tick = world_tick(&r->limits, r->tick, is_deterministic(r));

    r->sent[r->tick % 16] = world_input(&r->chance);
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "input",
             predictor_ops(r)->input(r->instance->self, &tick,
                                     &r->sent[r->tick % 16]));
}

/* The server steps the same inputs a few ticks later, and says so. */
static void
predictor_snapshot(struct run *r)
{
    uint64_t at = r->tick - BEHIND;
    struct hp_tick tick = world_tick(&r->limits, at, 1);
    struct hp_truth truth = {
        .size = sizeof(truth),
        .flags = HP_TRUTH_CHECK,
        .tick = at,
        .own_tick = at,
        .used_mask = UINT32_MAX,
        .peer_delay_ticks = BEHIND,
    };
    int result;

    world_model.step(NULL, &r->truth, &r->sent[at % 16], &tick);
    truth.own_check = world_model.own_digest(&r->truth, sizeof(r->truth));
    if (r->own_wanted || at % 64 == 0) {
        truth.flags |= HP_TRUTH_OWN;
        truth.own = &r->truth;
    }
    world_fill(&r->view, at, 12, 0);
    world_model.own_view(NULL, &r->truth, r->view.records);
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "snapshot",
             result = predictor_ops(r)->snapshot(r->instance->self, &truth,
                                                 &r->view.view));
    r->own_wanted = run_judge(r, "snapshot", result, 1) == 1;
}

static void
predictor_show(struct run *r, int is_shown)
{
    const struct hp_predictor_ops *ops = predictor_ops(r);
    int err;

    if (is_shown)
        RUN_CALL(r->instance, r->tick, RUN_REALTIME, "present",
                 err =
                     ops->present(r->instance->self,
                                  1000000000 + r->tick * 16666667, r->record));
    else
        RUN_CALL(r->instance, r->tick, RUN_REALTIME, "own",
                 err = ops->own(r->instance->self, r->record));
    if (run_judge(r, is_shown ? "present" : "own", err, 0) == 0)
        absorb(r, r->record, world_schema.record_bytes);
}

static void
predictor_aside(struct run *r)
{
    struct hp_prediction out = {.size = sizeof(out)};

    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_REALTIME, "measure",
             predictor_ops(r)->measure(r->instance->self, &out));
}

static void
predictor_tick(struct run *r)
{
    predictor_input(r);
    if (r->tick >= BEHIND)
        predictor_snapshot(r);
    predictor_show(r, 0);
    predictor_show(r, 1);
}

static void
predictor_any(struct run *r)
{
    switch (chance_below(&r->chance, 4)) {
    case 0:
        predictor_show(r, 0);
        break;
    case 1:
        predictor_show(r, 1);
        break;
    case 2:
        predictor_aside(r);
        break;
    default:
        predictor_input(r);
        if (r->tick >= BEHIND)
            predictor_snapshot(r);
        r->tick++;
        break;
    }
}

const struct run_kind run_predictor = {predictor_open, predictor_tick,
                                       predictor_aside, predictor_any};

/* ---- cues ---- */

static struct hp_effect_sink
effect_sink(struct hp_effect_command *commands)
{
    return (struct hp_effect_sink){
        .size = sizeof(struct hp_effect_sink),
        .capacity = RUN_COMMANDS,
        .commands = commands,
    };
}

static void
absorb_commands(struct run *r, const struct hp_effect_sink *sink)
{
    uint32_t i, count = sink->count < RUN_COMMANDS ? sink->count : RUN_COMMANDS;
    const struct hp_effect_command *c;

    for (i = 0; i < count; i++) {
        c = &sink->commands[i];
        if (c->effect != NULL)
            absorb(r, c->effect, strlen(c->effect));
        absorb(r, &c->cause_tick, sizeof(c->cause_tick));
        absorb(r, &c->action, sizeof(c->action));
        absorb(r, &c->level, sizeof(c->level));
    }
}

static void
cues_input(struct run *r)
{
    struct hp_tick tick = world_tick(&r->limits, r->tick, is_deterministic(r));
    struct hp_effect_command commands[RUN_COMMANDS];
    struct hp_effect_sink sink = effect_sink(commands);
    const struct hp_cues_ops *ops = r->ops;
    struct hp_input input = world_input(&r->chance);

    world_fill(&r->view, r->tick, 12, 0);
    RUN_CALL(
        r->instance, r->tick, RUN_REALTIME, "input",
        ops->input(r->instance->self, &tick, &input, r->view.records, &sink));
    absorb_commands(r, &sink);
}

static void
cues_snapshot(struct run *r)
{
    struct hp_effect_command commands[RUN_COMMANDS];
    struct hp_effect_sink sink = effect_sink(commands);
    const struct hp_cues_ops *ops = r->ops;

    world_fill(&r->view, r->tick, 12, 0);
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "snapshot",
             ops->snapshot(r->instance->self, &r->view.view, r->view.records,
                           &sink));
    absorb_commands(r, &sink);
}

static void
cues_tick(struct run *r)
{
    cues_input(r);
    cues_snapshot(r);
}

static void
cues_any(struct run *r)
{
    if (chance_below(&r->chance, 2) == 0)
        cues_input(r);
    else
        cues_snapshot(r);
    r->tick++;
}

const struct run_kind run_cues = {nothing, cues_tick, NULL, cues_any};

/* ---- haptics ---- */

static const struct hp_haptics_ops *
haptics_ops(const struct run *r)
{
    return r->ops;
}

static void
haptics_devices(struct run *r)
{
    struct hp_device_sink sink = {
        .size = sizeof(sink),
        .capacity = RUN_DEVICES_MAX,
        .stride = sizeof(r->devices[0]),
        .devices = r->devices,
    };
    int err;

    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_MAIN, "devices",
             err = haptics_ops(r)->devices(r->instance->self, &sink));
    run_judge(r, "devices", err, 0);
    if (sink.count > RUN_DEVICES_MAX)
        check_fail("devices counts %u, the sink holds %d", sink.count,
                   RUN_DEVICES_MAX);
    r->device_count = sink.count;
    absorb(r, r->devices, sink.count * sizeof(r->devices[0]));
}

uint32_t
run_levels(struct run *r, struct hp_level *out, uint32_t capacity,
           uint64_t now_ns)
{
    const struct hp_device *d;
    uint32_t i, a, count = 0;

    for (i = 0; i < r->device_count; i++) {
        d = &r->devices[i];
        for (a = 0; a < d->actuator_count && a < HP_DEVICE_ACTUATORS_MAX &&
                    count < capacity;
             a++)
            out[count++] = (struct hp_level){
                .deadline_ns = now_ns + 300000000,
                .device = d->id,
                .generation = d->generation,
                .actuator = a,
                .level = (float)((chance_real(&r->chance) + 1) / 2),
            };
    }
    return count;
}

static void
haptics_render(struct run *r)
{
    struct hp_level list[64];
    uint64_t now_ns = clock_now_ns(r->instance->clock);
    struct hp_levels levels = {
        .size = sizeof(levels),
        .stride = sizeof(list[0]),
        .time_ns = now_ns,
        .levels = list,
        .effects = "gun_burst",
    };
    int err;

    levels.count = run_levels(r, list, 64, now_ns);
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "render",
             err = haptics_ops(r)->render(r->instance->self, &levels));
    run_judge(r, "render", err, 0);
}

static void
haptics_silence(struct run *r)
{
    int err;

    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_MAIN, "silence",
             err = haptics_ops(r)->silence(r->instance->self));
    run_judge(r, "silence", err, 0);
}

static void
haptics_guard(struct run *r)
{
    static struct hp_guard guards[RUN_DEVICES_MAX];
    struct hp_guard_sink sink = {
        .size = sizeof(sink),
        .capacity = RUN_DEVICES_MAX,
        .stride = sizeof(guards[0]),
        .guards = guards,
    };
    int err;

    if (haptics_ops(r)->guard == NULL)
        return;
    RUN_CALL(r->instance, INSTANCE_NO_TICK, RUN_MAIN, "guard",
             err = haptics_ops(r)->guard(r->instance->self, &sink));
    run_judge(r, "guard", err, 0);
}

/* The host asks for devices before it renders. */
static void
haptics_open(struct run *r)
{
    haptics_devices(r);
}

static void
haptics_aside(struct run *r)
{
    haptics_guard(r);
    haptics_silence(r);
}

static void
haptics_any(struct run *r)
{
    static void (*const calls[])(struct run *) = {
        haptics_devices, haptics_render, haptics_silence, haptics_guard};

    calls[chance_below(&r->chance, 4)](r);
    r->tick++;
}

const struct run_kind run_haptics = {haptics_open, haptics_render,
                                     haptics_aside, haptics_any};

/* ---- input ---- */

static void
input_poll(struct run *r)
{
    struct hp_tick tick = world_tick(&r->limits, r->tick, is_deterministic(r));
    const struct hp_input_ops *ops = r->ops;
    struct hp_input out = {.buttons = 0};
    int err;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "poll",
             err = ops->poll(r->instance->self, &tick, &out));
    run_judge(r, "poll", err, 0);
    absorb(r, out.axes, sizeof(out.axes));
    absorb(r, &out.buttons, sizeof(out.buttons));
}

static void
input_any(struct run *r)
{
    input_poll(r);
    r->tick += 1 + chance_below(&r->chance, 20); /* a gap: dropped ticks */
}

const struct run_kind run_input = {nothing, input_poll, NULL, input_any};
