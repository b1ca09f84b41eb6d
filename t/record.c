/* Recordings from inside: what is put is got, what does not fit is refused, and
 * a ring that is full ends the recording and not the tick. */
#include "record.h"
#include "clock.h"
#include "crc32.h"
#include "record_file.h"
#include "tap.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct thing {
    struct hp_entity head;
    float fuel;
    uint32_t reserved;
};

static const struct hp_field fields[] = {
    {"slot",       "1", 1, 0,  65535, HP_FIELD_U16, offsetof(struct thing, head.slot),
     1,                                                                                         0},
    {"position_m", "m", 1, -9, 9,     HP_FIELD_F64,
     offsetof(struct thing,                                                head.position_m), 3, 0},
    {"fuel",       "1", 1, 0,  1,     HP_FIELD_F32, offsetof(struct thing, fuel),            1, 0},
};

static const struct hp_schema schema = {
    .size = sizeof(schema),
    .record_bytes = sizeof(struct thing),
    .own_bytes = 24,
    .version = 3,
    .field_count = 3,
    .field_stride = sizeof(fields[0]),
    .fields = fields,
    .name = "things",
};

static void
fill_header(struct record_header *h)
{
    memset(h, 0, sizeof(*h));
    h->side = HP_SIDE_SERVER;
    snprintf(h->host_version, sizeof(h->host_version), "1.2");
    snprintf(h->sim_name, sizeof(h->sim_name), "things");
    h->rate_num = 60;
    h->rate_den = 1;
    h->clients_max = 4;
    h->entities_max = 8;
    h->snapshot_bytes_max = 1200;
    h->window_ticks = 64;
    h->first_tick = 7;
    ok_int(record_header_schema(h, &schema), 0);
    ok_int(record_header_param(h, "seed", "5", 0), 0);
    ok_int(record_header_param(h, "file", "/a/b.ini", 0x1122334455667788ull),
           0);
}

static void
a_header_comes_back_whole(void)
{
    struct record_header h, got;
    uint8_t bytes[4096];
    struct bytes_out out;
    size_t cut;

    fill_header(&h);
    bytes_out_init(&out, bytes, sizeof(bytes));
    record_put_header(&out, &h);
    ok_int(record_get_header(bytes, out.count, &got), 0);
    ok_text(got.sim_name, "things");
    ok_int(got.field_count, 3);
    ok_text(got.fields[2].name, "fuel");
    ok_text(got.params[1].value, "/a/b.ini");
    ok(got.params[1].file_digest == 0x1122334455667788ull);
    ok_int(got.first_tick, 7);
    record_header_finish(&got);
    for (cut = 0; cut < out.count; cut++) {
        ok(record_get_header(bytes, cut, &got) < 0);
        record_header_finish(&got);
    }
    bytes[0] = 2;
    ok_int(record_get_header(bytes, out.count, &got), -EPROTONOSUPPORT);
    record_header_finish(&got);
    record_header_finish(&h);
}

static void
a_header_that_makes_no_sense_is_refused(void)
{
    struct record_header h, got;
    uint8_t bytes[4096];
    struct bytes_out out;
    int i;

    for (i = 0; i < 8; i++) {
        fill_header(&h);
        switch (i) {
        case 0:
            h.rate_den = 0;
            break;
        case 1:
            h.clients_max = 1u << 20;
            break;
        case 2:
            h.entities_max = 0;
            break;
        case 3:
            h.record_bytes = 8;
            break;
        case 4:
            h.own_bytes = HP_OWN_BYTES_MAX + 8;
            break;
        case 5:
            h.fields[2].offset = 600;
            break;
        case 6:
            h.fields[2].type = 99;
            break;
        default:
            snprintf(h.sim_name, sizeof(h.sim_name), "../x");
            break;
        }
        bytes_out_init(&out, bytes, sizeof(bytes));
        record_put_header(&out, &h);
        ok_int(record_get_header(bytes, out.count, &got), -EBADMSG);
        record_header_finish(&got);
        record_header_finish(&h);
    }
}

/* A world of two, as the server would show it. */
struct world {
    struct thing things[8];
    struct hp_client_input inputs[4];
    struct hp_view view;
};

static void
fill_world(struct world *w, uint64_t tick)
{
    uint32_t i;

    memset(w, 0, sizeof(*w));
    for (i = 0; i < 2; i++) {
        w->things[i].head.slot = (uint16_t)(i * 5);
        w->things[i].head.generation = (uint16_t)(tick / 10);
        w->things[i].head.owner = i + 1;
        w->things[i].head.position_m[1] = (double)tick * 0.25 + i;
        w->things[i].fuel = 1 - (float)tick / 100;
        w->inputs[i].client = i + 1;
        w->inputs[i].input.axes[i] = (int16_t)(tick * 977);
        w->inputs[i].input.axes[7] = -32767;
        w->inputs[i].input.buttons = (uint32_t)tick & 3;
        w->inputs[i].input.flags = tick % 5 == 0 ? HP_INPUT_REPEATED : 0;
    }
    w->view.size = sizeof(w->view);
    w->view.count = 2;
    w->view.stride = sizeof(w->things[0]);
    w->view.tick = tick;
    w->view.entities = w->things;
}

static char path[256];

static struct record *
open_record(struct clock *clock, uint32_t entities_max)
{
    struct record_header h;
    struct record *r = NULL;

    fill_header(&h);
    h.entities_max = entities_max;
    snprintf(path, sizeof(path), "%s/record-%d.tmp",
             getenv("HP_BUILD") != NULL ? getenv("HP_BUILD") : ".",
             (int)getpid());
    ok_int(record_create(&r, clock, path, &h), 0);
    return r;
}

static void
put_tick(struct record *r, uint64_t tick)
{
    struct world w;
    struct record_moment m = {.tick = tick, .hash = tick * 3, .input_count = 2};
    uint8_t *states;

    fill_world(&w, tick);
    m.inputs = w.inputs;
    m.view = &w.view;
    states = record_tick(r, &m);
    if (states == NULL)
        return;
    memset(states, (int)tick, 24);
    record_commit(r);
}

static int
open_frames(struct record_reader *reader, struct record_header *h,
            struct record_codec *c)
{
    struct record_frame f;

    return ok_int(record_reader_open(reader, path), 0) &&
           ok_int(record_reader_next(reader, &f), 1) &&
           ok_int(f.kind, RECORD_HEADER) &&
           ok_int(record_get_header(f.body, f.bytes, h), 0) &&
           ok_int(record_codec_init(c, h), 0);
}

static void
check_tick(const struct record_tick *t, uint64_t tick)
{
    struct world w;
    uint8_t states[48] = {0};

    fill_world(&w, tick);
    memset(states, (int)tick, 24);
    ok(t->tick == tick && t->hash == tick * 3);
    ok_int(t->input_count, 2);
    ok(memcmp(t->inputs, w.inputs, 2 * sizeof(w.inputs[0])) == 0);
    ok_int(t->count, 2);
    ok(t->ids[1] == HP_ENTITY_ID(5, (uint16_t)(tick / 10)));
    ok(t->rows[1] == record_digest(&w.things[1], sizeof(w.things[1])));
    ok(t->owns[0] == record_digest(states, 24));
    ok((t->view != NULL) == ((tick - 7) % 60 == 0));
    if (t->view != NULL)
        ok(memcmp(t->view, w.things, 2 * sizeof(w.things[0])) == 0);
}

static void
what_a_server_does_comes_back(void)
{
    struct clock *clock;
    struct clock_waiter *waiter;
    struct record_reader reader;
    struct record_header h;
    struct record_codec c = {0};
    struct record_frame f;
    struct record_join join;
    struct record_tick t;
    struct record *r;
    uint64_t tick, lost = 1;
    uint32_t why = 9, client = 9;

    ok_int(clock_create_virtual(&clock, 1), 0);
    ok_int(clock_join(clock, &waiter), 0);
    clock_enter(waiter);
    r = open_record(clock, 8);
    ok_int(record_start(r), 0);
    record_join(r, 1, 0, "aircraft=f16");
    record_join(r, 3, -EINVAL, "nonsense");
    record_join(r, 2, 0, "");
    for (tick = 7; tick < 200; tick++) {
        put_tick(r, tick);
        clock_wait(waiter, -1, clock_now_ns(clock) + 16666667, 0);
    }
    record_leave(r, 2);
    record_stop(r, waiter);
    record_destroy(r);
    if (!open_frames(&reader, &h, &c))
        return;
    ok(record_reader_next(&reader, &f) == 1 && f.kind == RECORD_JOIN);
    ok_int(record_get_join(&c, f.body, f.bytes, &join), 0);
    ok_text(join.options, "aircraft=f16");
    ok(record_reader_next(&reader, &f) == 1 &&
       record_get_join(&c, f.body, f.bytes, &join) == 0);
    ok_int(join.result, -EINVAL);
    ok(record_reader_next(&reader, &f) == 1 &&
       record_get_join(&c, f.body, f.bytes, &join) == 0);
    for (tick = 7; tick < 200; tick++) {
        ok(record_reader_next(&reader, &f) == 1 && f.kind == RECORD_TICK);
        ok_int(record_get_tick(&c, f.body, f.bytes, &t), 0);
        check_tick(&t, tick);
    }
    ok(record_reader_next(&reader, &f) == 1 && f.kind == RECORD_LEAVE);
    ok_int(record_get_leave(&c, f.body, f.bytes, &client), 0);
    ok_int(client, 2);
    ok(record_reader_next(&reader, &f) == 1 && f.kind == RECORD_END);
    ok_int(record_get_end(f.body, f.bytes, &why, &lost), 0);
    ok(why == RECORD_END_STOP && lost == 0);
    ok_int(record_reader_next(&reader, &f), 0);
    ok_int(reader.state, RECORD_WHOLE);
    record_reader_close(&reader);
    record_codec_finish(&c);
    record_header_finish(&h);
    clock_leave(waiter);
    clock_destroy(clock);
    unlink(path);
}

/* The writer is not let run: nothing leaves the ring. */
static void
a_full_ring_ends_the_recording(void)
{
    struct clock *clock;
    struct clock_waiter *waiter;
    struct record_reader reader;
    struct record_header h;
    struct record_codec c = {0};
    struct record_frame f;
    struct record_tick t;
    struct record_report report;
    struct record *r;
    uint64_t tick, lost = 0, last = 0;
    uint32_t why = 9;

    ok_int(clock_create_virtual(&clock, 1), 0);
    ok_int(clock_join(clock, &waiter), 0);
    clock_enter(waiter);
    r = open_record(clock, 8);
    ok_int(record_start(r), 0);
    record_join(r, 1, 0, "");
    record_join(r, 2, 0, "");
    for (tick = 7; tick < 20000; tick++)
        put_tick(r, tick);
    record_leave(r, 1);
    record_stop(r, waiter);
    record_report(r, &report);
    ok(report.ticks > 1000 && report.lost > 1000);
    ok_int(report.ticks + report.lost, 20000 - 7);
    ok(report.ring_bytes > 1000000 && report.err == 0);
    record_destroy(r);
    if (!open_frames(&reader, &h, &c))
        return;
    while (record_reader_next(&reader, &f) == 1) {
        struct record_join join;

        if (f.kind == RECORD_JOIN)
            ok_int(record_get_join(&c, f.body, f.bytes, &join), 0);
        else if (f.kind == RECORD_TICK &&
                 record_get_tick(&c, f.body, f.bytes, &t) == 0)
            last = t.tick;
        else if (f.kind == RECORD_END)
            ok_int(record_get_end(f.body, f.bytes, &why, &lost), 0);
    }
    ok_int(last, 7 + report.ticks - 1);
    ok_int(why, RECORD_END_OVERFLOW);
    ok(lost == report.lost);
    record_reader_close(&reader);
    record_codec_finish(&c);
    record_header_finish(&h);
    clock_leave(waiter);
    clock_destroy(clock);
    unlink(path);
}

static void
digests_name_the_record_and_the_field(void)
{
    struct record_header h;
    struct world a, b;
    uint16_t rows[2][2], columns[2][3];

    fill_header(&h);
    fill_world(&a, 50);
    fill_world(&b, 50);
    b.things[1].fuel += 1e-6f;
    record_digest_view(&h, a.things, sizeof(a.things[0]), 2, rows[0],
                       columns[0]);
    record_digest_view(&h, b.things, sizeof(b.things[0]), 2, rows[1],
                       columns[1]);
    ok(rows[0][0] == rows[1][0] && rows[0][1] != rows[1][1]);
    ok(columns[0][0] == columns[1][0] && columns[0][1] == columns[1][1]);
    ok(columns[0][2] != columns[1][2]);
    record_header_finish(&h);
}

TAP_MAIN(FACT(a_header_comes_back_whole),
         FACT(a_header_that_makes_no_sense_is_refused),
         FACT(what_a_server_does_comes_back),
         FACT(a_full_ring_ends_the_recording),
         FACT(digests_name_the_record_and_the_field))
