/* The rules of a sim. */
#include <config.h>

#include "run.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIM RULE_KIND(HP_KIND_SIM)

static const struct hp_sim_ops *
ops_of(const struct run *r)
{
    return r->ops;
}

/* ---- same-twice ---- */

static uint64_t
output_of(const struct check *c)
{
    struct run r;
    int i;

    run_open(&r, c, c->seed, 60, 1);
    for (i = 0; i < 200; i++)
        run_tick(&r);
    run_close(&r);
    return r.output;
}

static void
rule_same_twice(const struct check *c)
{
    uint64_t first = output_of(c);
    void *elsewhere = malloc(12345); /* so that addresses differ */
    uint64_t second = output_of(c);

    free(elsewhere);
    if (first != second)
        check_fail("the same inputs gave two worlds (hash, view or own state)");
}

/* ---- model ---- */

static int
own_get(struct run *r, uint64_t *own)
{
    struct hp_byte_sink sink = {
        .size = sizeof(sink),
        .capacity = r->schema->own_bytes,
        .bytes = (uint8_t *)own,
    };
    int err;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "own_get",
             err = ops_of(r)->own_get(r->instance->self, 0, &sink));
    if (err == 0 && sink.count != r->schema->own_bytes)
        check_fail("own_get gives %u bytes, the schema says %u", sink.count,
                   r->schema->own_bytes);
    return err;
}

/* The world's step of one client's own against the model's, tick by tick. */
static void
rule_model(const struct check *c)
{
    uint64_t own[HP_OWN_BYTES_MAX / 8] = {0}, next[HP_OWN_BYTES_MAX / 8] = {0};
    struct hp_tick tick;
    struct run r;
    int i, compared = 0;

    run_open(&r, c, c->seed, 60, 1);
    for (i = 0; i < 100; i++) {
        tick = world_tick(&r.limits, r.tick, 1);
        if (r.tick < 4 || own_get(&r, own) < 0) {
            run_tick(&r);
            continue;
        }
        run_tick(&r); /* r.inputs[0] is client 0's now */
        if (own_get(&r, next) < 0)
            continue;
        RUN_CALL(r.instance, r.tick, RUN_REALTIME, "model_step",
                 ops_of(&r)->model_step(r.instance->self, own,
                                        &r.inputs[0].input, &tick));
        if (memcmp(own, next, r.schema->own_bytes) != 0)
            check_fail("model_step and step differ at tick %llu; let both call "
                       "one function",
                       (unsigned long long)tick.index);
        compared++;
    }
    run_close(&r);
    if (compared == 0)
        check_skip("no client owns anything here");
}

/* ---- own-check ---- */

static void
expect_refusal(struct run *r, const void *own, uint32_t bytes, const char *what)
{
    int err;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "own_check",
             err = ops_of(r)->own_check(r->instance->self, own, bytes));
    if (err >= 0)
        check_fail("own_check takes %s, expected -EINVAL", what);
}

static void
rule_own_check(const struct check *c)
{
    uint64_t own[HP_OWN_BYTES_MAX / 8 + 1] = {0};
    uint32_t bytes;
    struct run r;
    int i, err;

    run_open(&r, c, c->seed, 60, 1);
    bytes = r.schema->own_bytes;
    for (i = 0; i < 10; i++)
        run_tick(&r);
    if (own_get(&r, own) < 0)
        check_skip("no client owns anything here");
    RUN_CALL(r.instance, r.tick, RUN_REALTIME, "own_check",
             err = ops_of(&r)->own_check(r.instance->self, own, bytes));
    if (err < 0)
        check_fail("own_check refuses what own_get gave");
    expect_refusal(&r, own, bytes - 1, "a state that is a byte short");
    memset(own, 0xff, sizeof(own));
    expect_refusal(&r, own, bytes, "a state of bytes 0xff (not-a-numbers)");
    for (i = 0; i < (int)(bytes / 8); i++)
        own[i] = 0x7ff0000000000000u;
    expect_refusal(&r, own, bytes, "a state of infinities");
    run_close(&r);
}

/* ---- finite ---- */

static void
check_record(const struct run *r, const char *record)
{
    const char *at = (const char *)r->schema->fields;
    const struct hp_field *f;
    uint32_t i, k, count;
    double wide;
    float narrow;

    for (i = 0; i < r->schema->field_count;
         i++, at += r->schema->field_stride) {
        f = (const void *)at;
        count = f->type == HP_FIELD_QUATERNION ? 4 : f->count;
        for (k = 0; k < count; k++) {
            if (f->type == HP_FIELD_F64) {
                memcpy(&wide, record + f->offset + k * 8, 8);
            } else if (f->type == HP_FIELD_F32 ||
                       f->type == HP_FIELD_QUATERNION) {
                memcpy(&narrow, record + f->offset + k * 4, 4);
                wide = (double)narrow;
            } else {
                continue;
            }
            if (!isfinite(wide))
                check_fail("%s is %g at tick %llu after extreme inputs",
                           f->name, wide, (unsigned long long)r->tick);
        }
    }
}

static void
extreme_step(struct run *r)
{
    static const int16_t wild[] = {-32767, 32767, 0, 1, -1};
    struct hp_client_input input = {.client = 0};
    struct hp_tick tick = world_tick(&r->limits, r->tick, 1);
    int i;

    for (i = 0; i < HP_AXIS_COUNT; i++)
        input.input.axes[i] = wild[chance_below(&r->chance, 5)];
    input.input.buttons = (uint32_t)chance_next(&r->chance);
    input.input.flags = (uint16_t)chance_next(&r->chance);
    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "step",
             ops_of(r)->step(r->instance->self, &tick, &input, 1));
    r->tick++;
}

static void
rule_finite(const struct check *c)
{
    struct hp_event events[64];
    struct hp_view_sink sink;
    struct run r;
    uint32_t i;
    int t, err;

    run_open(&r, c, c->seed, 60, 1);
    RUN_CALL(r.instance, 0, RUN_REALTIME, "join",
             err = ops_of(&r)->join(r.instance->self, 0, ""));
    if (err < 0)
        check_skip("join refuses an empty option text");
    for (t = 0; t < 600; t++) {
        extreme_step(&r);
        sink = (struct hp_view_sink){
            .size = sizeof(sink),
            .capacity = r.limits.entities_max,
            .stride = r.schema->record_bytes,
            .event_capacity = 64,
            .entities = r.records,
            .events = events,
        };
        RUN_CALL(r.instance, r.tick, RUN_REALTIME, "view",
                 ops_of(&r)->view(r.instance->self, &sink));
        for (i = 0; i < sink.count; i++)
            check_record(&r, (const char *)r.records +
                                 (size_t)i * r.schema->record_bytes);
    }
    run_close(&r);
}

/* ---- join-options ---- */

static void
rule_join_options(const struct check *c)
{
    static const char *const texts[] = {"aircraft",
                                        "=",
                                        "a=b=c",
                                        "aircraft=%n%s callsign=\x01\x02",
                                        "aircraft=../../../etc/passwd",
                                        "    "};
    char word[400];
    struct run r;
    size_t i;
    int err;

    run_open(&r, c, c->seed, 60, 1);
    memset(word, 'x', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    for (i = 0; i <= sizeof(texts) / sizeof(texts[0]); i++) {
        const char *text =
            i < sizeof(texts) / sizeof(texts[0]) ? texts[i] : word;

        RUN_CALL(r.instance, r.tick, RUN_MAIN, "join",
                 err = ops_of(&r)->join(r.instance->self, 0, text));
        if (err == 0)
            RUN_CALL(r.instance, r.tick, RUN_MAIN, "leave",
                     ops_of(&r)->leave(r.instance->self, 0));
    }
    run_close(&r);
}

/* clang-format off */
const struct rule rules_sim[] = {
    {"same-twice", "the same inputs give the same world twice",
     "players predict by it and replays depend on it; no clock, no addresses, no uninitialised bytes, no rand",
     rule_same_twice, SIM, RULE_NEEDS_START},
    {"model", "model_step does what step does",
     "each difference is a correction that the pilot sees; let both call one function",
     rule_model, SIM, RULE_NEEDS_START},
    {"own-check", "own_check refuses what is no state",
     "those bytes come over the network; check size, ranges, and that every number is finite",
     rule_own_check, SIM, RULE_NEEDS_START},
    {"finite", "extreme inputs give no NaN and no infinity",
     "one NaN spreads through a world; clamp inputs and guard divisions",
     rule_finite, SIM, RULE_NEEDS_START},
    {"join-options", "strange join options are survived",
     "they are a stranger's text; answer -EINVAL and say why by fail",
     rule_join_options, SIM, RULE_NEEDS_START},
    {NULL, NULL, NULL, NULL, 0, 0},
};
/* clang-format on */
