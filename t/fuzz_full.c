/*
 * Fuzzing the decoder of broadcaster_full. What holds for any bytes: they are
 * refused and the sink is as it was, or the records are in order of slot and
 * in range, and go out and come in as the same again.
 */
#include "fake_host.h"
#include "sample_record.h"
#include <math.h>
#include <stdlib.h>

#define RECORDS_MAX 256

static void
hold(int truth)
{
    if (!truth)
        abort();
}

/* One instance serves all inputs: its calls keep nothing from each other. */
static struct hp_instance *
broadcaster(void)
{
    static struct fake_host fake;
    static struct hp_limits limits;
    static struct hp_instance *self;

    if (self != NULL)
        return self;
    fake_host_init(&fake, HP_SIDE_CLIENT);
    limits = fake_limits(HP_SIDE_CLIENT);
    limits.schema = &sample_schema;
    hold(hp_plugin_v1.create(&fake.host, &self) == 0);
    hold(hp_plugin_v1.start(self, &limits) == 0);
    return self;
}

static int
decode(const uint8_t *bytes, size_t count, struct sample_record *records)
{
    const struct hp_broadcaster_ops *ops = hp_plugin_v1.ops;
    struct hp_view_sink sink = {.size = sizeof(sink),
                                .count = 12345,
                                .capacity = RECORDS_MAX,
                                .stride = sizeof(records[0]),
                                .entities = records};
    int err = ops->decode(broadcaster(), 1, bytes, (uint32_t)count, &sink);

    hold(err == 0 || err == -EBADMSG);
    hold(err == 0 || sink.count == 12345);
    return err == 0 ? (int)sink.count : err;
}

static uint32_t
encode(const struct sample_record *records, int count, uint8_t *bytes,
       uint32_t capacity)
{
    const struct hp_broadcaster_ops *ops = hp_plugin_v1.ops;
    struct hp_view view = {.size = sizeof(view),
                           .count = (uint32_t)count,
                           .stride = sizeof(records[0]),
                           .own = HP_INDEX_NONE,
                           .entities = records};
    struct hp_byte_sink sink = {
        .size = sizeof(sink), .capacity = capacity, .bytes = bytes};

    hold(ops->encode(broadcaster(), 0, &view, &sink) == 0);
    return sink.count;
}

static void
hold_record(const struct sample_record *r)
{
    double length = 0;
    int i;

    for (i = 0; i < 3; i++)
        hold(fabs(r->head.position_m[i]) <= 500000);
    for (i = 0; i < 4; i++)
        length += pow((double)r->head.attitude[i], 2);
    hold(fabs(length - 1) < 1e-5);
    hold(r->throttle >= 0 && r->throttle <= 1);
    hold(r->score >= -1000 && r->score <= 1000 && r->gear <= 1);
}

/* Which part of an attitude was left out may change; where it points not. */
static void
hold_same(const struct sample_record *a, const struct sample_record *b)
{
    struct sample_record turned = *b;
    double dot = 0;
    int i;

    for (i = 0; i < 4; i++)
        dot += (double)a->head.attitude[i] * (double)b->head.attitude[i];
    hold(fabs(dot) > 1 - 1e-4);
    memcpy(turned.head.attitude, a->head.attitude,
           sizeof(turned.head.attitude));
    hold(memcmp(a, &turned, sizeof(turned)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct sample_record first[RECORDS_MAX], second[RECORDS_MAX];
    static uint8_t again[65536];
    int i, records = decode(bytes, count, first);

    if (records < 0)
        return 0;
    for (i = 0; i < records; i++) {
        hold_record(&first[i]);
        hold(i == 0 || first[i - 1].head.slot < first[i].head.slot);
    }
    hold(encode(first, records, again, sizeof(again)) == count);
    hold(decode(again, count, second) == records);
    for (i = 0; i < records; i++)
        hold_same(&first[i], &second[i]);
    return 0;
}
