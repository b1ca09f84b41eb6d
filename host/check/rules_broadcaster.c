/* The rules of a broadcaster. */
#include <config.h>

#include "run.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BROADCASTER RULE_KIND(HP_KIND_BROADCASTER)

static const struct hp_broadcaster_ops *
ops_of(const struct run *r)
{
    return r->ops;
}

static void
join(struct run *r)
{
    int err;

    RUN_CALL(r->instance, 0, RUN_REALTIME, "join",
             err = ops_of(r)->join(r->instance->self, 0));
    if (err < 0)
        check_fail("join refuses client 0");
}

static int
encode(struct run *r, uint8_t *bytes, uint32_t capacity, uint32_t *count)
{
    struct hp_byte_sink sink = {
        .size = sizeof(sink),
        .capacity = capacity,
        .bytes = bytes,
    };
    int err;

    RUN_CALL(r->instance, r->tick, RUN_REALTIME, "encode",
             err =
                 ops_of(r)->encode(r->instance->self, 0, &r->view.view, &sink));
    *count = sink.count;
    return err;
}

static int
decode(struct run *r, const uint8_t *bytes, uint32_t bytes_count,
       uint32_t *records)
{
    struct hp_view_sink sink = {
        .size = sizeof(sink),
        .capacity = r->limits.entities_max,
        .stride = world_schema.record_bytes,
        .entities = r->records,
    };
    /* On the heap and no longer than said, so that reading on is seen. */
    uint8_t *copy = malloc(bytes_count > 0 ? bytes_count : 1);
    int err;

    if (copy == NULL)
        check_skip("no memory");
    memcpy(copy, bytes, bytes_count);
    RUN_CALL(r->far_end, r->tick, RUN_REALTIME, "decode",
             err = ops_of(r)->decode(r->far_end->self, r->tick, copy,
                                     bytes_count, &sink));
    free(copy);
    if (sink.count > sink.capacity)
        check_fail("decode counts %u records, the sink holds %u", sink.count,
                   sink.capacity);
    *records = sink.count;
    return err;
}

/* ---- garbage ---- */

static void
judge_garbage(struct run *r, const uint8_t *bytes, uint32_t count,
              const char *what)
{
    uint32_t records;
    int err = decode(r, bytes, count, &records);

    if (err < 0 && err != -EBADMSG && err != -ENOENT)
        check_fail("decode returns %d for %s, expected -EBADMSG or -ENOENT",
                   err, what);
    if (err < 0 && records != 0)
        check_fail("decode changed the sink although it refused %s", what);
}

static void
rule_garbage(const struct check *c)
{
    uint8_t whole[RUN_BYTES_MAX], bytes[RUN_BYTES_MAX];
    uint32_t count, i, k;
    struct run r;

    run_open(&r, c, c->seed, 60, 1);
    join(&r);
    world_fill(&r.view, 0, 12, 0);
    if (encode(&r, whole, 1000, &count) < 0)
        check_fail("encode fails for twelve records in 1000 bytes");
    for (i = 0; i < count; i++)
        judge_garbage(&r, whole, i, "truncated bytes");
    for (i = 0; i < 2000; i++) {
        memcpy(bytes, whole, count);
        for (k = 0; k <= chance_below(&r.chance, 4); k++)
            bytes[chance_below(&r.chance, count)] =
                (uint8_t)chance_next(&r.chance);
        judge_garbage(&r, bytes, count, "changed bytes");
    }
    for (i = 0; i < 2000; i++) {
        k = chance_below(&r.chance, 1000);
        for (count = 0; count < k; count++)
            bytes[count] = (uint8_t)chance_next(&r.chance);
        judge_garbage(&r, bytes, count, "random bytes");
    }
    run_close(&r);
}

/* ---- capacity ---- */

/* Bytes before a page that nobody may touch. */
static uint8_t *
guarded(uint32_t bytes)
{
    size_t page = 65536;
    uint8_t *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED || mprotect(at + page, page, PROT_NONE) < 0)
        check_skip("no memory");
    return at + page - bytes;
}

static void
rule_capacity(const struct check *c)
{
    static const uint32_t capacities[] = {0,  1,  2,   3,   4,   8,  16,
                                          32, 64, 100, 200, 500, 999};
    uint32_t count, records;
    uint8_t *bytes;
    struct run r;
    size_t i;
    int err;

    run_open(&r, c, c->seed, 60, 1);
    join(&r);
    for (i = 0; i < sizeof(capacities) / sizeof(capacities[0]); i++) {
        bytes = guarded(capacities[i]);
        world_fill(&r.view, r.tick, WORLD_ENTITIES_MAX, 5);
        err = encode(&r, bytes, capacities[i], &count);
        if (count > capacities[i])
            check_fail("encode counts %u bytes, the sink holds %u", count,
                       capacities[i]);
        if (err == 0 && count > 0 && decode(&r, bytes, count, &records) < 0)
            check_fail("decode refuses what encode put into %u bytes",
                       capacities[i]);
        r.tick++;
    }
    run_close(&r);
}

/* ---- round-trip ---- */

static double
number(const struct hp_field *f, const char *record, uint32_t k)
{
    double wide;
    float narrow;
    int32_t whole = 0;

    switch (f->type) {
    case HP_FIELD_F64:
        memcpy(&wide, record + f->offset + k * 8, 8);
        return wide;
    case HP_FIELD_F32:
    case HP_FIELD_QUATERNION:
        memcpy(&narrow, record + f->offset + k * 4, 4);
        return (double)narrow;
    case HP_FIELD_U8:
        return *(const uint8_t *)(record + f->offset + k);
    case HP_FIELD_U16:
    case HP_FIELD_I16:
        memcpy(&whole, record + f->offset + k * 2, 2);
        return f->type == HP_FIELD_I16 ? (int16_t)whole : whole;
    default:
        memcpy(&whole, record + f->offset + k * 4, 4);
        return f->type == HP_FIELD_U32 ? (double)(uint32_t)whole : whole;
    }
}

/* q and -q are one attitude. */
static double
attitude_error(const struct hp_field *f, const char *a, const char *b)
{
    double dot = 0, lengths[2] = {0, 0};
    uint32_t k;

    for (k = 0; k < 4; k++) {
        dot += number(f, a, k) * number(f, b, k);
        lengths[0] += number(f, a, k) * number(f, a, k);
        lengths[1] += number(f, b, k) * number(f, b, k);
    }
    return fabs(lengths[1] - 1) > 0.01
               ? 1
               : sqrt(fabs(1 - fabs(dot) / sqrt(lengths[0] * lengths[1])));
}

static void
compare(const char *sent, const char *got)
{
    const struct hp_field *f;
    double error, allowed;
    uint32_t i, k;

    for (i = 0; i < world_schema.field_count; i++) {
        f = &world_schema.fields[i];
        allowed = f->type == HP_FIELD_F32 || f->type == HP_FIELD_F64
                      ? f->step * 1.01
                      : 0;
        if (f->type == HP_FIELD_QUATERNION) {
            if (attitude_error(f, sent, got) > 8 * f->step)
                check_fail("%s comes back as another attitude, or is no unit "
                           "quaternion",
                           f->name);
            continue;
        }
        for (k = 0; k < f->count; k++) {
            error = fabs(number(f, sent, k) - number(f, got, k));
            if (!(error <= allowed))
                check_fail("%s of slot %g comes back as %g, it was %g; the "
                           "schema's step is %g",
                           f->name, number(&world_schema.fields[0], sent, 0),
                           number(f, got, k), number(f, sent, k), f->step);
        }
    }
}

static void
rule_round_trip(const struct check *c)
{
    uint8_t bytes[RUN_BYTES_MAX];
    uint32_t count, records, i, k;
    const char *sent, *got;
    struct run r;

    run_open(&r, c, c->seed, 60, 1);
    join(&r);
    for (r.tick = 0; r.tick < 100; r.tick++) {
        world_fill(&r.view, r.tick, 6, 0);
        if (encode(&r, bytes, 1000, &count) < 0 ||
            decode(&r, bytes, count, &records) < 0)
            check_fail("six records do not go through at tick %llu",
                       (unsigned long long)r.tick);
        if (records == 0)
            check_fail("nothing comes back at tick %llu",
                       (unsigned long long)r.tick);
        for (i = 0; i < records; i++) {
            got =
                (const char *)r.records + (size_t)i * world_schema.record_bytes;
            for (k = 0; k < 6; k++) {
                sent = (const char *)r.view.records +
                       (size_t)k * world_schema.record_bytes;
                if (memcmp(sent, got, 2) == 0) /* the slot */
                    compare(sent, got);
            }
        }
        RUN_CALL(r.instance, r.tick, RUN_REALTIME, "acked",
                 ops_of(&r)->acked(r.instance->self, 0, r.tick));
    }
    run_close(&r);
}

/* clang-format off */
const struct rule rules_broadcaster[] = {
    {"garbage", "decode refuses truncated, changed and random bytes",
     "they come over the network; check every count before it is used, touch the sink last",
     rule_garbage, BROADCASTER, RULE_NEEDS_START},
    {"capacity", "encode keeps within any capacity",
     "the host adds its own part to the datagram, so the room varies; send what matters most, or -ENOSPC",
     rule_capacity, BROADCASTER, RULE_NEEDS_START},
    {"round-trip", "what is decoded is what was encoded, within the schema's steps",
     "both ends are this plugin; round to the nearest step, and keep whole numbers whole",
     rule_round_trip, BROADCASTER, RULE_NEEDS_START},
    {NULL, NULL, NULL, NULL, 0, 0},
};
/* clang-format on */
