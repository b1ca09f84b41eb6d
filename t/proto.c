#include "proto.h"
#include "tap.h"
#include <errno.h>
#include <hardpoint/plugin.h>
#include <stdlib.h>

/* One message of any type, decoded. */
union any {
    struct proto_hello hello;
    struct proto_welcome welcome;
    struct proto_refusal refusal;
    struct proto_input input;
    struct proto_snapshot snapshot;
    struct proto_own own;
    struct proto_notice notice;
    struct proto_ping ping;
};

#define NOW    UINT64_C(1000000)
#define WINDOW 64

static int
get_any(int type, const uint8_t *bytes, size_t count, union any *out)
{
    switch (type) {
    case PROTO_HELLO:
        return proto_get_hello(bytes, count, &out->hello);
    case PROTO_WELCOME:
        return proto_get_welcome(bytes, count, &out->welcome);
    case PROTO_REFUSAL:
        return proto_get_refusal(bytes, count, &out->refusal);
    case PROTO_INPUT:
        return proto_get_input(bytes, count, NOW, WINDOW, &out->input);
    case PROTO_SNAPSHOT:
        return proto_get_snapshot(bytes, count, NOW, &out->snapshot);
    case PROTO_OWN:
        return proto_get_own(bytes, count, &out->own);
    case PROTO_NOTICE:
        return proto_get_notice(bytes, count, &out->notice);
    default:
        return proto_get_ping(bytes, count, &out->ping);
    }
}

static int
put_any(int type, uint8_t *bytes, size_t capacity, const union any *m)
{
    uint32_t events;

    switch (type) {
    case PROTO_HELLO:
        return proto_put_hello(bytes, capacity, &m->hello);
    case PROTO_WELCOME:
        return proto_put_welcome(bytes, capacity, &m->welcome);
    case PROTO_REFUSAL:
        return proto_put_refusal(bytes, capacity, &m->refusal);
    case PROTO_INPUT:
        return proto_put_input(bytes, capacity, &m->input);
    case PROTO_SNAPSHOT:
        return proto_put_snapshot(bytes, capacity, &m->snapshot, &events);
    case PROTO_OWN:
        return proto_put_own(bytes, capacity, &m->own);
    case PROTO_NOTICE:
        return proto_put_notice(bytes, capacity, &m->notice);
    default:
        return proto_put_ping(bytes, capacity, (enum proto_type)type, &m->ping);
    }
}

static union any back; /* large: of the facts that run one by one */

/*
 * Whatever is decoded goes out as the same bytes; every cut is refused, and so
 * is a byte more. A snapshot's further byte would be its body's.
 */
static int
holds(int type, const union any *m)
{
    static uint8_t bytes[65536], again[65536];
    int i, bad = 0, count = put_any(type, bytes, sizeof(bytes), m);

    if (!ok(count > 0) || !ok_int(proto_peek(bytes, (size_t)count), type) ||
        !ok_int(get_any(type, bytes, (size_t)count, &back), 0))
        return -1;
    ok_int(put_any(type, again, sizeof(again), &back), count);
    ok(memcmp(bytes, again, (size_t)count) == 0);
    for (i = 0; i < count; i++) {
        /* Of its own size, so that a sanitizer sees a read past the end. */
        uint8_t *cut = malloc((size_t)i + 1);

        memcpy(cut, bytes, (size_t)i);
        bad += get_any(type, cut, (size_t)i, &back) != -EBADMSG;
        free(cut);
    }
    ok_int(bad, 0);
    for (i = 0; i < 256 && type != PROTO_SNAPSHOT; i++) {
        bytes[count] = (uint8_t)i;
        bad += get_any(type, bytes, (size_t)count + 1, &back) != -EBADMSG;
    }
    ok_int(bad, 0);
    for (i = 0; i < count; i++)
        bad += put_any(type, again, (size_t)i, m) == count;
    ok_int(bad, 0);
    ok_int(get_any(type, bytes, (size_t)count, &back), 0);
    return count;
}

static void
a_hello_comes_back(void)
{
    union any m = {
        .hello = {.version = 77, .flags = 1}
    };

    strcpy(m.hello.name, "Viper");
    strcpy(m.hello.options, "aircraft=f16 callsign=Viper");
    holds(PROTO_HELLO, &m);
    ok_int(back.hello.version, 77);
    ok_int(back.hello.flags, PROTO_HELLO_STAGES);
    ok_text(back.hello.name, "Viper");
    ok_text(back.hello.options, "aircraft=f16 callsign=Viper");
}

static void
the_longest_and_the_shortest_hello_come_back(void)
{
    union any m = {
        .hello = {.version = UINT16_MAX, .flags = UINT8_MAX}
    };

    ok_int(holds(PROTO_HELLO, &m), 10);
    memset(m.hello.name, 'n', PROTO_NAME_MAX - 1);
    memset(m.hello.options, 'o', PROTO_OPTIONS_MAX - 1);
    holds(PROTO_HELLO, &m);
    ok_int(strlen(back.hello.name), PROTO_NAME_MAX - 1);
    ok_int(strlen(back.hello.options), PROTO_OPTIONS_MAX - 1);
}

static void
a_text_without_its_nul_does_not_go_out(void)
{
    struct proto_hello hello = {0};
    uint8_t bytes[512];

    memset(hello.name, 'n', sizeof(hello.name));
    ok_int(proto_put_hello(bytes, sizeof(bytes), &hello), -EMSGSIZE);
}

static void
control_characters_go_out_as_question_marks_and_do_not_come_in(void)
{
    struct proto_notice notice = {HP_LOG_INFO, "a\033[2Jb"};
    uint8_t bytes[64];
    int count = proto_put_notice(bytes, sizeof(bytes), &notice);

    ok_int(proto_get_notice(bytes, (size_t)count, &notice), 0);
    ok_text(notice.sentence, "a?[2Jb");
    bytes[4] = 033;
    ok_int(proto_get_notice(bytes, (size_t)count, &notice), -EBADMSG);
    ok_text(notice.sentence, "");
}

static void
a_refusal_a_notice_and_an_own_come_back(void)
{
    static uint8_t state[HP_OWN_BYTES_MAX];
    union any m = {.refusal = {.code = PROTO_REFUSED_FULL}};

    holds(PROTO_REFUSAL, &m);
    memset(m.refusal.sentence, 's', PROTO_SENTENCE_MAX - 1);
    holds(PROTO_REFUSAL, &m);
    ok_int(back.refusal.code, PROTO_REFUSED_FULL);
    ok_text(back.refusal.sentence, m.refusal.sentence);

    memset(&m, 0, sizeof(m));
    m.notice.level = HP_LOG_WARNING;
    memset(m.notice.sentence, 's', PROTO_SENTENCE_MAX - 1);
    holds(PROTO_NOTICE, &m);
    ok_int(back.notice.level, HP_LOG_WARNING);

    memset(state, 0xa5, sizeof(state));
    m.own = (struct proto_own){UINT64_MAX, state, sizeof(state)};
    holds(PROTO_OWN, &m);
    ok(back.own.tick == UINT64_MAX);
    ok_int(back.own.own_bytes, sizeof(state));
    ok(memcmp(back.own.own, state, sizeof(state)) == 0);
    m.own.own_bytes = 1;
    holds(PROTO_OWN, &m);
}

static void
pings_and_pongs_come_back(void)
{
    union any m = {
        .ping = {UINT32_MAX, PROTO_PATH_TICK, UINT64_MAX}
    };

    holds(PROTO_PING, &m);
    ok(back.ping.sent_ns == UINT64_MAX);
    holds(PROTO_PONG, &m);
    ok_int(back.ping.id, UINT32_MAX);
    ok_int(back.ping.path, PROTO_PATH_TICK);
}

static const struct hp_field fields[] = {
    {"position", "m", 1.0 / 1024, -1e6, 1e6, HP_FIELD_F64,        16, 3, 0},
    {"attitude", "1", 0,          -1,   1,   HP_FIELD_QUATERNION, 40, 1, 0},
    {"throttle", "1", 0.001,      0,    1,   HP_FIELD_F32,        80, 1, 7},
};

static void
welcome_fill(struct proto_welcome *m)
{
    memset(m, 0, sizeof(*m));
    m->client = 3;
    m->rate_num = 60000;
    m->rate_den = 1001;
    m->snapshot_every = 1;
    m->clients_max = 32;
    m->entities_max = 65536;
    m->tick = UINT64_C(1) << 40;
    m->flags = PROTO_WELCOME_TICK_SERVICE;
    m->schema = (struct hp_schema){.size = sizeof(m->schema),
                                   .record_bytes = 88,
                                   .own_bytes = 512,
                                   .version = 9,
                                   .field_count = 3,
                                   .field_stride = sizeof(fields[0]),
                                   .fields = fields,
                                   .name = "flight"};
    m->plugin_count = 1;
    m->plugins[0] = (struct proto_plugin){1, "flight", "1.0"};
    m->shared_count = 1;
    m->shared[0] = (struct proto_shared){"sim.flight", "wind", "0 0\n  0 5", 1};
}

static union any big;

static void
a_welcome_comes_back(void)
{
    struct proto_welcome *got = &back.welcome;
    uint32_t i;

    welcome_fill(&big.welcome);
    holds(PROTO_WELCOME, &big);
    ok_int(got->client, 3);
    ok_int(got->rate_num, 60000);
    ok_int(got->rate_den, 1001);
    ok_int(got->entities_max, 65536);
    ok(got->tick == UINT64_C(1) << 40);
    ok_int(got->flags, PROTO_WELCOME_TICK_SERVICE);
    ok_text(got->schema.name, "flight");
    ok_int(got->schema.field_count, 3);
    for (i = 0; i < 3; i++) {
        const struct hp_field *field = &got->schema.fields[i];

        ok_text(field->name, fields[i].name);
        ok_text(field->unit, fields[i].unit);
        ok(field->step == fields[i].step);
        ok(field->minimum == fields[i].minimum);
        ok(field->maximum == fields[i].maximum);
        ok_int(field->type, fields[i].type);
        ok_int(field->offset, fields[i].offset);
        ok_int(field->count, fields[i].count);
        ok_int(field->flags, fields[i].flags);
    }
    ok_text(got->plugins[0].name, "flight");
    ok_text(got->shared[0].value, "0 0\n  0 5");
    ok_int(got->shared[0].file_hash, 1);
}

static void
the_largest_welcome_comes_back(void)
{
    static struct hp_field many[PROTO_FIELDS_MAX];
    static char names[PROTO_FIELDS_MAX][32];
    struct proto_welcome *m = &big.welcome;
    uint32_t i;
    int count;

    welcome_fill(m);
    for (i = 0; i < PROTO_FIELDS_MAX; i++) {
        snprintf(names[i], sizeof(names[i]), "a_field_with_a_long_name_%u", i);
        many[i] =
            (struct hp_field){names[i],     "1",   5e-324, -1.7e308, 1.7e308,
                              HP_FIELD_U32, 4 * i, 1,      0};
    }
    m->schema.record_bytes = HP_RECORD_BYTES_MAX;
    m->schema.fields = many;
    m->schema.field_count = PROTO_FIELDS_MAX;
    m->plugin_count = PROTO_PLUGINS_MAX;
    m->shared_count = PROTO_SHARED_MAX;
    for (i = 0; i < PROTO_SHARED_MAX; i++)
        memset(m->shared[i].value, '5', sizeof(m->shared[i].value) - 1);
    count = holds(PROTO_WELCOME, &big);
    ok(count > 16384 && count < 65536);
    ok(back.welcome.schema.fields[127].step == 5e-324);
    ok(back.welcome.schema.fields[127].minimum == -1.7e308);
}

static void
the_smallest_welcome_comes_back(void)
{
    welcome_fill(&big.welcome);
    big.welcome.tick = 0;
    big.welcome.entities_max = 1;
    big.welcome.schema.name = "";
    big.welcome.schema.own_bytes = 0;
    big.welcome.schema.field_count = 0;
    big.welcome.plugin_count = 0;
    big.welcome.shared_count = 0;
    ok_int(holds(PROTO_WELCOME, &big), 28);
}

/* Puts `big.welcome` and says what reading it gives. */
static int
welcome_again(void)
{
    static uint8_t bytes[65536];
    int count = proto_put_welcome(bytes, sizeof(bytes), &big.welcome);

    if (count < 0)
        return count;
    return proto_get_welcome(bytes, (size_t)count, &back.welcome);
}

static void
a_welcome_that_makes_no_sense_is_refused(void)
{
    struct proto_welcome *m = &big.welcome;
    struct hp_field one[3];

    welcome_fill(m);
    m->rate_den = 0;
    ok_int(welcome_again(), -EBADMSG);
    welcome_fill(m);
    m->rate_num = 1001 * 1001;
    ok_int(welcome_again(), -EBADMSG);
    welcome_fill(m);
    m->client = m->clients_max;
    ok_int(welcome_again(), -EBADMSG);
    welcome_fill(m);
    m->schema.record_bytes = 520;
    ok_int(welcome_again(), -EBADMSG);

    memcpy(one, fields, sizeof(one));
    welcome_fill(m);
    m->schema.fields = one;
    ok_int(welcome_again(), 0);
    one[2].offset = 88; /* past the record */
    ok_int(welcome_again(), -EBADMSG);
    memcpy(one, fields, sizeof(one));
    one[2].step = 0; /* the broadcaster divides by it */
    ok_int(welcome_again(), -EBADMSG);
    one[2].step = (double)NAN;
    ok_int(welcome_again(), -EMSGSIZE);
    memcpy(one, fields, sizeof(one));
    one[0].offset = 17;
    ok_int(welcome_again(), -EBADMSG);
    memcpy(one, fields, sizeof(one));
    one[0].minimum = 2e6;
    ok_int(welcome_again(), -EBADMSG);
}

/* A stick that moves, a trigger that is pulled half way through. */
static void
input_fill(struct proto_input *m, uint32_t count)
{
    uint32_t i;

    memset(m, 0, sizeof(*m));
    m->tick = NOW + 3;
    m->snapshot = NOW - 1;
    m->flags = PROTO_INPUT_WANT_OWN;
    m->ack_bits = 64;
    m->acks[0] = UINT64_MAX;
    m->input_count = count;
    for (i = 0; i < count; i++) {
        m->inputs[i].buttons = i < count / 2 ? HP_BUTTON_GUN : 0;
        m->inputs[i].axes[HP_AXIS_ROLL] = (int16_t)(12000 - 310 * (int)i);
        m->inputs[i].axes[HP_AXIS_PITCH] = (int16_t)(-9000 + 250 * (int)i);
        m->inputs[i].axes[HP_AXIS_YAW] = (int16_t)(-700 + 20 * (int)i);
        m->inputs[i].axes[HP_AXIS_THROTTLE] = 28000;
    }
}

static void
an_input_comes_back(void)
{
    static union any m;
    uint32_t i;

    input_fill(&m.input, PROTO_INPUTS_MAX);
    holds(PROTO_INPUT, &m);
    ok(back.input.tick == NOW + 3);
    ok(back.input.snapshot == NOW - 1);
    ok_int(back.input.flags, PROTO_INPUT_WANT_OWN);
    ok_int(back.input.ack_bits, 64);
    ok(back.input.acks[0] == UINT64_MAX);
    ok_int(back.input.input_count, PROTO_INPUTS_MAX);
    for (i = 0; i < PROTO_INPUTS_MAX; i++)
        ok(memcmp(&back.input.inputs[i], &m.input.inputs[i],
                  sizeof(m.input.inputs[i])) == 0);
}

static void
inputs_at_the_ends_of_every_range_come_back(void)
{
    static union any m;
    uint32_t i, a;

    input_fill(&m.input, PROTO_INPUTS_MAX);
    m.input.flags = UINT8_MAX;
    for (i = 0; i < PROTO_INPUTS_MAX; i++) {
        m.input.inputs[i].buttons = i % 2 ? UINT32_MAX : 0;
        m.input.inputs[i].flags = i % 2 ? 0x7fff : 0;
        for (a = 0; a < HP_AXIS_COUNT; a++)
            m.input.inputs[i].axes[a] = i % 2 ? INT16_MAX : -INT16_MAX;
    }
    ok(holds(PROTO_INPUT, &m) > 1000);
    ok(memcmp(back.input.inputs, m.input.inputs, sizeof(m.input.inputs)) == 0);
}

static void
a_typical_input_message_is_under_40_bytes(void)
{
    static union any m;
    int three, two;

    input_fill(&m.input, 3);
    three = holds(PROTO_INPUT, &m);
    input_fill(&m.input, 2);
    two = holds(PROTO_INPUT, &m);
    printf("# 2 inputs: %d bytes, 3 inputs: %d bytes\n", two, three);
    ok(three < 40);
}

static void
repeated_and_sample_times_do_not_travel(void)
{
    static union any m;

    input_fill(&m.input, 2);
    m.input.inputs[0].flags = HP_INPUT_REPEATED | HP_INPUT_MENU;
    m.input.inputs[1].flags = HP_INPUT_REPEATED;
    m.input.inputs[0].sampled_ns = 5;
    holds(PROTO_INPUT, &m);
    ok_int(back.input.inputs[0].flags, HP_INPUT_MENU);
    ok_int(back.input.inputs[1].flags, 0);
    ok_int(back.input.inputs[0].sampled_ns, 0);
}

static void
repeated_from_the_wire_is_cleared(void)
{
    /* flags 0x8000 as varint 80 80 02 */
    static const uint8_t bytes[] = {0x14, 0, 0x40, 0x42, 0,
                                    1,    2, 0x80, 0x80, 2};
    struct proto_input m;

    ok_int(proto_get_input(bytes, sizeof(bytes), NOW, WINDOW, &m), 0);
    ok_int(m.input_count, 1);
    ok_int(m.inputs[0].flags, 0);
}

static void
an_axis_of_minus_32768_is_refused(void)
{
    uint8_t bytes[] = {0x14, 0, 0x40, 0x42, 0, 1, 4, 0x01, 0x80};
    struct proto_input m;

    ok_int(proto_get_input(bytes, sizeof(bytes), NOW, WINDOW, &m), 0);
    ok_int(m.inputs[0].axes[0], -INT16_MAX);
    bytes[7] = 0;
    ok_int(proto_get_input(bytes, sizeof(bytes), NOW, WINDOW, &m), -EBADMSG);
    ok_int(m.input_count, 0);
}

static void
acks_with_holes_come_back_as_they_were(void)
{
    static union any m;
    uint32_t i;

    input_fill(&m.input, 1);
    m.input.ack_bits = 1024;
    m.input.acks[0] = 1;
    for (i = 1; i < 16; i++)
        m.input.acks[i] = i % 2 ? UINT64_C(0xff) << 60 / i : UINT64_MAX;
    holds(PROTO_INPUT, &m);
    ok_int(back.input.ack_bits, 1024);
    ok(memcmp(back.input.acks, m.input.acks, sizeof(m.input.acks)) == 0);
}

static void
acks_that_alternate_are_told_as_far_as_runs_reach(void)
{
    static union any m;

    input_fill(&m.input, 1);
    m.input.acks[0] = UINT64_C(0x5555555555555555);
    holds(PROTO_INPUT, &m);
    ok_int(back.input.ack_bits, PROTO_RANGES_MAX);
    ok(back.input.acks[0] == 0x55555555);
}

static void
without_acks_there_is_no_snapshot(void)
{
    static union any m;

    input_fill(&m.input, 0);
    m.input.ack_bits = 0;
    ok_int(holds(PROTO_INPUT, &m), 6);
    ok_int(back.input.ack_bits, 0);
    ok_int(back.input.snapshot, 0);
}

static void
as_many_inputs_as_fit_go_out(void)
{
    static struct proto_input m, got;
    uint8_t bytes[60];
    int count;

    input_fill(&m, PROTO_INPUTS_MAX);
    count = proto_put_input(bytes, sizeof(bytes), &m);
    ok(count > 40);
    ok_int(proto_get_input(bytes, (size_t)count, NOW, WINDOW, &got), 0);
    ok(got.input_count > 3 && got.input_count < PROTO_INPUTS_MAX);
    ok(memcmp(got.inputs, m.inputs, got.input_count * sizeof(m.inputs[0])) ==
       0);
}

/* What the server at `now` takes a message of `tick` and `snapshot` for. */
static int
input_at(uint64_t tick, uint64_t snapshot, uint64_t now, uint32_t window)
{
    static struct proto_input m;
    uint8_t bytes[64];
    int count;

    input_fill(&m, 1);
    m.tick = tick;
    m.snapshot = snapshot;
    count = proto_put_input(bytes, sizeof(bytes), &m);
    return proto_get_input(bytes, (size_t)count, now, window, &back.input);
}

static void
ticks_are_expanded_to_the_nearest(void)
{
    ok_int(input_at(65536 + 5, 65530, 65530, 64), 0);
    ok(back.input.tick == 65541);
    ok(back.input.snapshot == 65530);
    ok_int(input_at(65530, 65529, 65540, 64), 0);
    ok(back.input.tick == 65530);
    ok_int(input_at(UINT64_C(1) << 48, UINT64_C(1) << 48,
                    (UINT64_C(1) << 48) + 1000, 1000),
           0);
    ok(back.input.tick == UINT64_C(1) << 48);
}

static void
a_tick_outside_the_window_is_told_apart(void)
{
    ok_int(input_at(NOW + 64, NOW, NOW, 64), 0);
    ok_int(input_at(NOW + 65, NOW, NOW, 64), -ERANGE);
    ok_int(input_at(NOW - 64, NOW, NOW, 64), 0);
    ok_int(input_at(NOW - 65, NOW, NOW, 64), -ERANGE);
    ok_int(input_at(65535, 0, 5, 64), -EBADMSG); /* would be tick -1 */
}

static void
a_snapshot_of_the_future_is_refused_and_an_old_one_says_nothing(void)
{
    ok_int(input_at(NOW, NOW + 1, NOW, 64), -EBADMSG);
    ok_int(input_at(NOW, NOW - 64, NOW, 64), 0);
    ok_int(back.input.ack_bits, 64);
    ok_int(input_at(NOW, NOW - 65, NOW, 64), 0);
    ok_int(back.input.ack_bits, 0);
    ok(back.input.acks[0] == 0);
}

static void
snapshot_fill(struct proto_snapshot *m)
{
    memset(m, 0, sizeof(*m));
    m->tick = NOW + 10;
    m->input_tick = NOW + 9;
    m->used_mask = 0xfffffffb;
    m->margin_us = 250;
    m->dilation_q8 = 256;
}

static void
a_snapshot_comes_back(void)
{
    static union any m;
    struct proto_snapshot *s = &m.snapshot, *got = &back.snapshot;
    int plain;

    snapshot_fill(s);
    plain = holds(PROTO_SNAPSHOT, &m);
    s->flags = PROTO_SNAPSHOT_OWN_CHECK | PROTO_SNAPSHOT_STAGES;
    s->own_check = UINT32_MAX;
    s->peers = 32;
    s->delay_ms = UINT32_MAX;
    s->delay_ticks = 3;
    s->margin_us = INT32_MIN;
    s->stages = (struct proto_stages){NOW + 8, 1, 2, 3, UINT64_MAX};
    printf("# header: %d bytes, with every tag: %d bytes\n", plain,
           holds(PROTO_SNAPSHOT, &m));
    ok(got->tick == NOW + 10);
    ok(got->input_tick == NOW + 9);
    ok_int(got->used_mask, 0xfffffffb);
    ok_int(got->margin_us, INT32_MIN);
    ok_int(got->dilation_q8, 256);
    ok_int(got->own_check, UINT32_MAX);
    ok_int(got->peers, 32);
    ok_int(got->delay_ms, UINT32_MAX);
    ok_int(got->delay_ticks, 3);
    ok(memcmp(&got->stages, &s->stages, sizeof(s->stages)) == 0);
    ok_int(got->body_bytes, 0);
}

static void
events_fill(struct proto_snapshot *m, uint32_t count)
{
    uint32_t i;

    m->event_count = count;
    for (i = 0; i < count; i++)
        m->events[i] = (struct hp_event){
            .tick = m->tick - i,
            .cause_tick = i % 2 ? m->tick - 9 : 0,
            .id = 1000 - 7 * i,
            .type = HP_EVENT_HIT,
            .who = HP_ENTITY_ID(3, 1),
            .whom = HP_ENTITY_NONE,
            .audience = HP_AUDIENCE_NEAR,
            .strength = 1.5f,
            .direction = {1, 0, -1}
        };
}

static void
events_come_back(void)
{
    static union any m;

    snapshot_fill(&m.snapshot);
    events_fill(&m.snapshot, 4);
    holds(PROTO_SNAPSHOT, &m);
    ok_int(back.snapshot.event_count, 4);
    ok(memcmp(back.snapshot.events, m.snapshot.events,
              4 * sizeof(m.snapshot.events[0])) == 0);
}

static void
what_an_event_cannot_say_is_clamped(void)
{
    static union any m;
    struct hp_event *got = back.snapshot.events;

    snapshot_fill(&m.snapshot);
    events_fill(&m.snapshot, 2);
    m.snapshot.events[0].strength = (float)INFINITY;
    m.snapshot.events[0].direction[0] = 9;
    m.snapshot.events[0].direction[1] = (float)NAN;
    m.snapshot.events[0].tick = m.snapshot.tick + 1;
    m.snapshot.events[1].strength = -0.0004f;
    m.snapshot.events[1].tick = 0;
    holds(PROTO_SNAPSHOT, &m);
    ok_real(got[0].strength, 2147483.647, 0.5);
    ok_real(got[0].direction[0], 1, 0);
    ok_real(got[0].direction[1], 0, 0);
    ok(got[0].tick == m.snapshot.tick);
    ok_real(got[1].strength, 0, 0);
    ok(got[1].tick == m.snapshot.tick - 65535);
}

static void
events_take_at_most_a_quarter_of_the_datagram(void)
{
    static struct proto_snapshot m, got;
    uint8_t bytes[1150];
    uint32_t put, without;
    int count, header;

    snapshot_fill(&m);
    header = proto_put_snapshot(bytes, sizeof(bytes), &m, &without);
    events_fill(&m, PROTO_EVENTS_MAX);
    count = proto_put_snapshot(bytes, sizeof(bytes), &m, &put);
    ok_int(without, 0);
    ok(put > 8 && put < PROTO_EVENTS_MAX);
    ok(count - header <= 1150 / 4);
    printf("# an event: %.1f bytes\n", (double)(count - header) / put);
    ok_int(proto_get_snapshot(bytes, (size_t)count, NOW, &got), 0);
    ok_int(got.event_count, put);
}

static void
the_body_is_what_follows(void)
{
    struct proto_snapshot m, got;
    uint8_t bytes[64];
    uint32_t events;
    int count;

    snapshot_fill(&m);
    count = proto_put_snapshot(bytes, sizeof(bytes), &m, &events);
    memcpy(bytes + count, "body", 4);
    ok_int(proto_get_snapshot(bytes, (size_t)count + 4, 0, &got), 0);
    ok_int(got.body_bytes, 4);
    ok(got.body != NULL && memcmp(got.body, "body", 4) == 0);
}

static void
an_unknown_tag_is_skipped_and_a_known_one_must_be_whole(void)
{
    /* tick 5, input 5, mask, margin 0, dilation 256, no flags, 2 tags */
    uint8_t bytes[] = {0x15, 5, 0, 1, 0,   0,   0, 0, 0, 1,
                       0,    2, 9, 2, 'x', 'y', 1, 1, 7, 0};
    struct proto_snapshot m;

    ok_int(proto_get_snapshot(bytes, sizeof(bytes), 0, &m), 0);
    ok_int(m.peers, 7);
    ok_int(m.body_bytes, 0);
    bytes[12] = 1; /* peers twice, and the first has a byte too many */
    ok_int(proto_get_snapshot(bytes, sizeof(bytes), 0, &m), -EBADMSG);
}

static void
a_first_snapshot_may_have_any_tick(void)
{
    static struct proto_snapshot m, got;
    uint8_t bytes[64];
    uint32_t events;
    int count;

    snapshot_fill(&m);
    m.tick = m.input_tick = UINT64_MAX;
    count = proto_put_snapshot(bytes, sizeof(bytes), &m, &events);
    ok_int(proto_get_snapshot(bytes, (size_t)count, 0, &got), 0);
    ok(got.tick == UINT64_MAX);
    ok_int(proto_get_snapshot(bytes, (size_t)count, NOW, &got), -EBADMSG);
}

static void
another_version_or_type_is_refused_at_the_first_byte(void)
{
    static const uint8_t refused[] = {0x00, 0x10, 0x1a, 0x1f, 0x24, 0x21, 0xf8};
    size_t i;

    for (i = 0; i < sizeof(refused); i++)
        ok_int(proto_peek(&refused[i], 1), -EBADMSG);
    ok_int(proto_peek(refused, 0), -EBADMSG);
}

static uint64_t
random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A sound message of the type; its size. */
static size_t
sample(int type, uint8_t *bytes, size_t capacity)
{
    static const uint8_t own[40];
    static union any m;

    memset(&m, 0, sizeof(m));
    switch (type) {
    case PROTO_HELLO:
        strcpy(m.hello.name, "Viper");
        break;
    case PROTO_WELCOME:
        welcome_fill(&m.welcome);
        break;
    case PROTO_INPUT:
        input_fill(&m.input, 4);
        break;
    case PROTO_SNAPSHOT:
        snapshot_fill(&m.snapshot);
        events_fill(&m.snapshot, 3);
        break;
    case PROTO_OWN:
        m.own = (struct proto_own){NOW, own, sizeof(own)};
        break;
    case PROTO_NOTICE:
        m.notice.level = HP_LOG_INFO;
        break;
    }
    return (size_t)put_any(type, bytes, capacity, &m);
}

/* What decodes must go out and decode to the same again: 1 if not. */
static int
comes_out_different(int type, const union any *first)
{
    static union any second;
    static uint8_t out[65536], again[65536];
    int count = put_any(type, out, sizeof(out), first);

    return count < 0 || get_any(type, out, (size_t)count, &second) != 0 ||
           put_any(type, again, sizeof(again), &second) != count ||
           memcmp(out, again, (size_t)count) != 0;
}

/* Half of them from nothing, half a sound message with a few bytes changed. */
static void
random_bytes_do_no_harm(void)
{
    static union any first;
    uint8_t bytes[1024];
    uint64_t seed = 0x9e3779b97f4a7c15;
    int i, type, decoded = 0, wrong = 0;
    size_t j, count, changes;

    for (i = 0; i < 100000; i++) {
        type = 1 + i / 2 % 9;
        count = sample(type, bytes, sizeof(bytes));
        changes = random_next(&seed) % 4;
        if (i % 2) {
            count = random_next(&seed) % 96;
            changes = 200;
        }
        for (j = 0; j < changes && count > 0; j++)
            bytes[random_next(&seed) % count] = (uint8_t)random_next(&seed);
        if (get_any(type, bytes, count, &first) != 0)
            continue;
        decoded++;
        wrong += comes_out_different(type, &first);
    }
    printf("# %d of %d decoded\n", decoded, i);
    ok(decoded > 10000 && decoded < 90000);
    ok_int(wrong, 0);
}

TAP_MAIN(FACT(a_hello_comes_back),
         FACT(the_longest_and_the_shortest_hello_come_back),
         FACT(a_text_without_its_nul_does_not_go_out),
         FACT(control_characters_go_out_as_question_marks_and_do_not_come_in),
         FACT(a_refusal_a_notice_and_an_own_come_back),
         FACT(pings_and_pongs_come_back), FACT(a_welcome_comes_back),
         FACT(the_largest_welcome_comes_back),
         FACT(the_smallest_welcome_comes_back),
         FACT(a_welcome_that_makes_no_sense_is_refused),
         FACT(an_input_comes_back),
         FACT(inputs_at_the_ends_of_every_range_come_back),
         FACT(a_typical_input_message_is_under_40_bytes),
         FACT(repeated_and_sample_times_do_not_travel),
         FACT(repeated_from_the_wire_is_cleared),
         FACT(an_axis_of_minus_32768_is_refused),
         FACT(acks_with_holes_come_back_as_they_were),
         FACT(acks_that_alternate_are_told_as_far_as_runs_reach),
         FACT(without_acks_there_is_no_snapshot),
         FACT(as_many_inputs_as_fit_go_out),
         FACT(ticks_are_expanded_to_the_nearest),
         FACT(a_tick_outside_the_window_is_told_apart),
         FACT(a_snapshot_of_the_future_is_refused_and_an_old_one_says_nothing),
         FACT(a_snapshot_comes_back), FACT(events_come_back),
         FACT(what_an_event_cannot_say_is_clamped),
         FACT(events_take_at_most_a_quarter_of_the_datagram),
         FACT(the_body_is_what_follows),
         FACT(an_unknown_tag_is_skipped_and_a_known_one_must_be_whole),
         FACT(a_first_snapshot_may_have_any_tick),
         FACT(another_version_or_type_is_refused_at_the_first_byte),
         FACT(random_bytes_do_no_harm))
