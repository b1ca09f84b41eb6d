#include "fake_host.h"
#include "sample_record.h"
#include "tap.h"
#include <time.h>

#define MANY 256

static struct fake_host fake;
static struct hp_limits limits;
static struct hp_instance *self;
static const struct hp_broadcaster_ops *ops;
static struct sample_record world[MANY], seen[MANY];
static uint8_t bytes[65536];
static uint32_t luck;

/* A fixed sequence: 0 <= x < 1. */
static double
chance(void)
{
    luck = luck * 1664525u + 1013904223u;
    return (double)(luck >> 8) / 16777216.0;
}

static double
within(double low, double high)
{
    return low + chance() * (high - low);
}

static void
any_attitude(float *q)
{
    double parts[4], length = 0;
    int i;

    for (i = 0; i < 4; i++) {
        parts[i] = within(-1, 1);
        length += parts[i] * parts[i];
    }
    for (i = 0; i < 4; i++)
        q[i] = (float)(parts[i] / sqrt(length));
}

static void
any_record(struct sample_record *r, uint16_t slot)
{
    int i;

    memset(r, 0, sizeof(*r));
    r->head.slot = slot;
    r->head.generation = (uint16_t)within(0, 65536);
    r->head.type = (uint16_t)within(0, 16);
    r->head.flags = (uint16_t)within(0, 8);
    r->head.owner = chance() < 0.5 ? HP_CLIENT_NONE : slot;
    for (i = 0; i < 3; i++) {
        r->head.position_m[i] = within(-20000, 20000);
        r->head.velocity_mps[i] = (float)within(-600, 600);
        r->head.rates_rps[i] = (float)within(-3, 3);
    }
    any_attitude(r->head.attitude);
    r->throttle = (float)chance();
    r->fuel_kg = (float)within(0, 3000);
    r->score = (int32_t)within(-1000, 1000);
    r->trim = (int16_t)within(-32768, 32767);
    r->rounds = (uint16_t)within(0, 512);
    r->gear = chance() < 0.5;
}

static void
begin(void)
{
    int i;

    luck = 1;
    fake_host_init(&fake, HP_SIDE_SERVER);
    limits = fake_limits(HP_SIDE_SERVER);
    limits.schema = &sample_schema;
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    for (i = 0; i < MANY; i++)
        any_record(&world[i], (uint16_t)(3 * i));
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

static uint32_t
encode(uint32_t count, uint32_t own, uint32_t capacity)
{
    struct hp_view view = {.size = sizeof(view),
                           .count = count,
                           .stride = sizeof(world[0]),
                           .own = own,
                           .entities = world};
    struct hp_byte_sink sink = {
        .size = sizeof(sink), .capacity = capacity, .bytes = bytes};

    if (ops->encode(self, 0, &view, &sink) < 0)
        return 0;
    return sink.count;
}

/* Returns the count of records in `seen`, or a negative errno. */
static int
decode(const uint8_t *from, uint32_t count)
{
    struct hp_view_sink sink = {.size = sizeof(sink),
                                .capacity = MANY,
                                .stride = sizeof(seen[0]),
                                .entities = seen};
    int err = ops->decode(self, 1, from, count, &sink);

    return err < 0 ? err : (int)sink.count;
}

/* The angle between two attitudes, in radians. */
static double
turn_between(const float *a, const float *b)
{
    double dot = 0;
    int i;

    for (i = 0; i < 4; i++)
        dot += (double)a[i] * (double)b[i];
    dot = fabs(dot);
    return dot < 1 ? 2 * acos(dot) : 0;
}

static void
same_within_half_a_step(const struct sample_record *a,
                        const struct sample_record *b)
{
    int i;

    ok_int(a->head.slot, b->head.slot);
    ok_int(a->head.generation, b->head.generation);
    ok_int(a->head.type, b->head.type);
    ok_int(a->head.flags, b->head.flags);
    ok_int(a->head.owner, b->head.owner);
    for (i = 0; i < 3; i++) {
        ok_real(a->head.position_m[i], b->head.position_m[i], 1.0 / 128);
        ok_real(a->head.velocity_mps[i], b->head.velocity_mps[i],
                1.0 / 16 + 1e-4);
        ok_real(a->head.rates_rps[i], b->head.rates_rps[i], 1.0 / 128 + 1e-6);
    }
    /* Half a step in each of three parts, and what the fourth makes of it. */
    ok(turn_between(a->head.attitude, b->head.attitude) < 4.0 / 1024);
    ok_real(a->throttle, b->throttle, 0.005 + 1e-6);
    ok_real(a->fuel_kg, b->fuel_kg, 0.35 + 1e-3);
    ok_int(a->score, b->score);
    ok_int(a->trim, b->trim);
    ok_int(a->rounds, b->rounds);
    ok_int(a->gear, b->gear);
}

static void
a_record_comes_back_within_half_a_step(void)
{
    uint32_t i, count;

    begin();
    count = encode(MANY, 7, sizeof(bytes));
    ok_int(decode(bytes, count), MANY);
    for (i = 0; i < MANY; i++)
        same_within_half_a_step(&seen[i], &world[i]);
    end();
}

/* A record is coded once for all clients; so what changes must be seen. */
static void
what_was_told_before_never_shows(void)
{
    struct sample_record kept;
    uint8_t first[sizeof(bytes)];
    uint32_t i, count;

    begin();
    count = encode(8, 0, sizeof(bytes));
    memcpy(first, bytes, count);
    kept = world[3];
    any_record(&world[3], world[3].head.slot);
    ok_int(encode(8, 0, sizeof(bytes)), count);
    ok(memcmp(first, bytes, count) != 0);
    ok_int(decode(bytes, count), 8);
    for (i = 0; i < 8; i++)
        same_within_half_a_step(&seen[i], &world[i]);
    world[3] = kept;
    ok_int(encode(8, 0, sizeof(bytes)), count);
    ok(memcmp(first, bytes, count) == 0);
    end();
}

static void
numbers_out_of_range_come_back_at_its_end(void)
{
    begin();
    world[0].head.position_m[0] = 1e9;
    world[0].head.position_m[1] = -1e9;
    world[0].head.position_m[2] = NAN;
    world[0].fuel_kg = 3000;
    world[0].rounds = 60000;
    memset(world[0].head.attitude, 0, sizeof(world[0].head.attitude));
    world[1].head.attitude[0] = NAN;
    ok_int(decode(bytes, encode(2, 0, sizeof(bytes))), 2);
    ok_real(seen[0].head.position_m[0], 500000, 0);
    ok_real(seen[0].head.position_m[1], -500000, 0);
    ok_real(seen[0].head.position_m[2], -500000, 0);
    ok_real(seen[0].fuel_kg, 3000, 0.35);
    ok_int(seen[0].rounds, 511);
    ok_real(seen[0].head.attitude[0], 1, 0);
    ok_real(seen[1].head.attitude[0], 1, 0);
    end();
}

static void
a_snapshot_never_exceeds_its_room(void)
{
    uint32_t capacity, count, before = 0;

    begin();
    for (capacity = 0; capacity < 1200; capacity++) {
        memset(bytes, 0xa5, capacity + 1);
        count = encode(MANY, 200, capacity);
        ok(count <= capacity);
        ok(count >= before); /* more room, no fewer records */
        ok_int(bytes[capacity], 0xa5);
        before = count;
        if (count > 0) {
            int i, records = decode(bytes, count), own = 0;

            ok(records > 0);
            for (i = 0; i < records; i++)
                own += seen[i].head.slot == world[200].head.slot;
            ok_int(own, 1); /* the own record is always in */
        }
    }
    ok(before > 1000);
    end();
}

static double
distance(const struct sample_record *a, const struct sample_record *b)
{
    double sum = 0;
    int i;

    for (i = 0; i < 3; i++)
        sum += pow(a->head.position_m[i] - b->head.position_m[i], 2);
    return sqrt(sum);
}

static void
the_nearest_are_taken(void)
{
    double farthest_in = 0;
    int i, s, in, records, nearer_out = 0;

    begin();
    records = decode(bytes, encode(MANY, 31, 1000));
    ok(records > 10 && records < MANY);
    for (i = 0; i < records; i++)
        farthest_in = fmax(farthest_in,
                           distance(&world[seen[i].head.slot / 3], &world[31]));
    for (i = 0; i < MANY; i++) {
        for (in = 0, s = 0; s < records; s++)
            in |= seen[s].head.slot == world[i].head.slot;
        nearer_out += !in && distance(&world[i], &world[31]) < farthest_in;
    }
    ok_int(nearer_out, 0);
    end();
}

static void
without_an_own_record_the_first_slots_go(void)
{
    int i, records;

    begin();
    records = decode(bytes, encode(MANY, HP_INDEX_NONE, 500));
    ok(records > 5);
    for (i = 0; i < records; i++)
        ok_int(seen[i].head.slot, 3 * i);
    end();
}

static void
an_empty_world_is_a_snapshot(void)
{
    begin();
    ok_int(encode(0, HP_INDEX_NONE, 100), 2);
    ok_int(decode(bytes, 2), 0);
    end();
}

static void
a_refused_snapshot_changes_nothing(void)
{
    uint32_t count, cut;

    begin();
    count = encode(9, 0, sizeof(bytes));
    memset(seen, 0x77, sizeof(seen));
    for (cut = 0; cut < count; cut++)
        ok_int(decode(bytes, cut), -EBADMSG);
    bytes[count] = 0;
    ok_int(decode(bytes, count + 1), -EBADMSG);
    for (cut = 0; cut < sizeof(seen); cut++)
        if (((uint8_t *)seen)[cut] != 0x77)
            break;
    ok_int(cut, sizeof(seen));
    end();
}

static void
slots_that_do_not_rise_are_refused(void)
{
    uint32_t count;

    begin();
    world[1].head.slot = world[0].head.slot;
    count = encode(3, 0, sizeof(bytes));
    ok_int(decode(bytes, count), -EBADMSG);
    world[1].head.slot = 3000;
    count = encode(3, 0, sizeof(bytes));
    ok_int(decode(bytes, count), -EBADMSG);
    end();
}

static void
what_random_bytes_say_is_in_range_or_refused(void)
{
    int round, i, records, taken = 0;
    uint32_t count, at;

    begin();
    for (round = 0; round < 20000; round++) {
        if (round % 2 == 0) { /* one flipped bit in a good one */
            count = encode(4, 0, sizeof(bytes));
            at = (uint32_t)within(0, 8.0 * count);
            bytes[at / 8] ^= (uint8_t)(1 << at % 8);
        } else {
            count = (uint32_t)within(0, 200);
            for (at = 0; at < count; at++)
                bytes[at] = (uint8_t)within(0, 256);
        }
        records = decode(bytes, count);
        taken += records >= 0;
        for (i = 0; i < records; i++) {
            ok(seen[i].gear <= 1);
            ok(seen[i].score >= -1000 && seen[i].score <= 1000);
            ok(fabs(seen[i].head.position_m[2]) <= 500000);
            ok(seen[i].throttle >= 0 && seen[i].throttle <= 1);
            ok_real(turn_between(seen[i].head.attitude, seen[i].head.attitude),
                    0, 1e-3);
        }
    }
    ok(taken > 1000 && taken < 15000);
    end();
}

/* Four equal parts that all lie half a step off: the one that is not sent comes
 * out smaller than those that are. Every odd number of steps has that. */
static void
the_attitude_of_equal_parts_comes_back_at_any_step(void)
{
    static const float half[] = {0.5f, 0.5f, 0.5f, 0.5f};
    struct hp_field fields[16];
    struct hp_schema schema = sample_schema;
    uint32_t i;
    int steps;

    memcpy(fields, sample_fields,
           schema.field_count * sizeof(sample_fields[0]));
    schema.fields = fields;
    for (steps = 15; steps < 40000; steps = 2 * steps + 1) {
        begin();
        hp_plugin_v1.stop(self);
        limits.schema = &schema;
        for (i = 0; i < schema.field_count; i++)
            if (fields[i].type == HP_FIELD_QUATERNION)
                fields[i].step = 1.0 / steps;
        ok_int(hp_plugin_v1.start(self, &limits), 0);
        memcpy(world[0].head.attitude, half, sizeof(half));
        ok_int(decode(bytes, encode(1, 0, sizeof(bytes))), 1);
        ok(turn_between(seen[0].head.attitude, half) < 6.0 / steps);
        end();
    }
}

static void
a_rotation_whose_step_is_too_fine_or_too_coarse_is_refused(void)
{
    static const double steps[] = {5e-324, 0.2, INFINITY};
    struct hp_field field = {"attitude",          "1", 1, 0, 0,
                             HP_FIELD_QUATERNION, 32,  1, 0};
    struct hp_schema schema = sample_schema;
    int i;

    fake_host_init(&fake, HP_SIDE_SERVER);
    limits = fake_limits(HP_SIDE_SERVER);
    limits.schema = &schema;
    schema.fields = &field;
    schema.field_count = 1;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    for (i = 0; i < 3; i++) {
        field.step = steps[i];
        ok_int(hp_plugin_v1.start(self, &limits), -EINVAL);
    }
    hp_plugin_v1.destroy(self);
}

static void
a_schema_that_makes_no_sense_is_refused(void)
{
    struct hp_field field = sample_fields[5];
    struct hp_schema schema = sample_schema;

    fake_host_init(&fake, HP_SIDE_SERVER);
    limits = fake_limits(HP_SIDE_SERVER);
    limits.schema = &schema;
    schema.fields = &field;
    schema.field_count = 1;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    field.step = 0;
    ok_int(hp_plugin_v1.start(self, &limits), -EINVAL);
    ok_text(fake.failure,
            "schema sample: field position has a step that is not positive or "
            "too fine for its range (type 7, -500000 .. 500000, step 0)");
    field.step = 1;
    field.offset = sizeof(struct sample_record) - 8;
    ok_int(hp_plugin_v1.start(self, &limits), -EINVAL);
    field.offset = 0;
    field.type = 99;
    ok_int(hp_plugin_v1.start(self, &limits), -EINVAL);
    field.type = HP_FIELD_U8;
    ok_int(hp_plugin_v1.start(self, &limits), -EINVAL);
    hp_plugin_v1.destroy(self);
}

static double
now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A figure for people; no limit, since the machine may be busy. */
static void
its_cost_is_told(void)
{
    double start, encoded, decoded;
    uint32_t count = 0;
    int i;

    begin();
    start = now_ns();
    for (i = 0; i < 200; i++)
        count = encode(32, 0, sizeof(bytes));
    encoded = now_ns();
    for (i = 0; i < 200; i++)
        ok_int(decode(bytes, count), 32);
    decoded = now_ns();
    printf("# %.1f bytes a record; encode %.0f ns, decode %.0f ns a record\n",
           count / 32.0, (encoded - start) / 6400, (decoded - encoded) / 6400);
    end();
}

TAP_MAIN(FACT(a_record_comes_back_within_half_a_step),
         FACT(what_was_told_before_never_shows),
         FACT(numbers_out_of_range_come_back_at_its_end),
         FACT(a_snapshot_never_exceeds_its_room), FACT(the_nearest_are_taken),
         FACT(without_an_own_record_the_first_slots_go),
         FACT(an_empty_world_is_a_snapshot),
         FACT(a_refused_snapshot_changes_nothing),
         FACT(slots_that_do_not_rise_are_refused),
         FACT(what_random_bytes_say_is_in_range_or_refused),
         FACT(the_attitude_of_equal_parts_comes_back_at_any_step),
         FACT(a_rotation_whose_step_is_too_fine_or_too_coarse_is_refused),
         FACT(a_schema_that_makes_no_sense_is_refused), FACT(its_cost_is_told))
