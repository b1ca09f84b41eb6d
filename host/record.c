#include "record.h"
#include "log.h"
#include "pages.h"
#include "record_file.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define DRAIN_NS 20000000ull
#define BLOCK_NS 250000000ull /* what a killed host may lose */

/* Whole views once a second, own states each ten: what a difference is shown
 * with, beside its name. */
#define STATES_EVERY_VIEWS 10

#define RING_BYTES_MIN (1u << 20)
#define RING_BYTES_MAX (256u << 20)
#define RING_TICKS_MIN 4

enum message_kind {
    MESSAGE_WRAP = 0, /* the rest of the ring is unused */
    MESSAGE_JOIN = 1,
    MESSAGE_LEAVE = 2,
    MESSAGE_TICK = 3
};

/* What lies in the ring: this, then inputs, records, events, own states. */
struct message {
    uint32_t kind;
    uint32_t client;
    uint64_t bytes; /* with this head, a multiple of 8 */
    uint64_t tick;
    uint64_t hash;
    int32_t result;
    uint32_t input_count, count, event_count;
};

struct record {
    struct clock *clock;
    struct clock_waiter *waiter;
    struct clock_thread *thread;
    char *path;
    struct record_header header;

    /* The ring: bytes put and taken, ever growing; the tick's thread puts. */
    uint8_t *ring;
    size_t ring_bytes; /* a multiple of 8 */
    _Atomic uint64_t put, taken;
    uint64_t open_bytes; /* of the tick that is not committed */
    uint64_t fullest;
    _Atomic uint64_t lost;
    _Atomic int overflowed, failed, stopping;
    _Atomic uint32_t reloads;

    /* The writer's. */
    struct record_codec codec;
    struct record_writer writer;
    uint8_t *body;
    size_t body_bytes;
    uint32_t *ids;
    uint16_t *rows, *columns, *owns;
    uint64_t view_every, next_view;
    uint32_t views, reloads_put;
    uint64_t block_ns; /* when the last block was written */
    uint64_t ticks;
    struct record_report report;
};

static size_t
eight(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

/* ---- life ---- */

static size_t
message_bytes_max(const struct record_header *h)
{
    return sizeof(struct message) +
           h->clients_max * (sizeof(struct hp_client_input) + h->own_bytes) +
           (size_t)h->entities_max * h->record_bytes +
           256 * sizeof(struct hp_event) + 64;
}

/* A second of the fullest ticks, within reason: its pages cost nothing until
 * they are used. */
static size_t
ring_bytes_for(const struct record_header *h)
{
    size_t tick = message_bytes_max(h);
    size_t bytes = tick * (h->rate_num / h->rate_den + 1);

    if (bytes > RING_BYTES_MAX)
        bytes = RING_BYTES_MAX;
    if (bytes < RING_TICKS_MIN * tick)
        bytes = RING_TICKS_MIN * tick;
    if (bytes < RING_BYTES_MIN)
        bytes = RING_BYTES_MIN;
    return eight(bytes);
}

static int
allocate(struct record *r)
{
    const struct record_header *h = &r->header;

    r->ring_bytes = ring_bytes_for(h);
    r->ring = calloc(1, r->ring_bytes);
    r->body_bytes = record_entry_bytes_max(h);
    r->body = malloc(r->body_bytes);
    r->ids = calloc(h->entities_max, sizeof(*r->ids));
    r->rows = calloc(h->entities_max, sizeof(*r->rows));
    r->columns = calloc(h->field_count + 1, sizeof(*r->columns));
    r->owns = calloc(h->clients_max, sizeof(*r->owns));
    if (r->ring == NULL || r->body == NULL || r->ids == NULL ||
        r->rows == NULL || r->columns == NULL || r->owns == NULL)
        return -ENOMEM;
    return record_codec_init(&r->codec, h);
}

static int
write_header(struct record *r)
{
    size_t bytes = 65536 + (size_t)r->header.param_count * 512;
    struct bytes_out out;
    uint8_t *body;
    uint32_t i;

    for (i = 0; i < r->header.param_count; i++)
        bytes += strlen(r->header.params[i].value);
    body = malloc(bytes);
    if (body == NULL)
        return -ENOMEM;
    bytes_out_init(&out, body, bytes);
    record_put_header(&out, &r->header);
    if (!out.bad) {
        record_writer_put(&r->writer, RECORD_HEADER, body, out.count);
        record_writer_flush(&r->writer);
    }
    free(body);
    return out.bad ? -E2BIG : r->writer.err;
}

int
record_create(struct record **out, struct clock *clock, const char *path,
              struct record_header *header)
{
    struct record *r = calloc(1, sizeof(*r));
    int err;

    if (r == NULL)
        return -ENOMEM;
    r->writer.fd = -1;
    r->clock = clock;
    r->header = *header;
    memset(header, 0, sizeof(*header));
    r->view_every = r->header.rate_num / r->header.rate_den;
    r->path = strdup(path);
    err = r->path == NULL ? -ENOMEM : allocate(r);
    if (err == 0)
        err = record_writer_open(&r->writer, path);
    r->writer.hurry = &r->stopping;
    if (err == 0)
        err = write_header(r);
    if (err < 0) {
        record_destroy(r);
        return err;
    }
    *out = r;
    return 0;
}

void
record_destroy(struct record *r)
{
    if (r == NULL)
        return;
    record_writer_close(&r->writer);
    record_codec_finish(&r->codec);
    record_header_finish(&r->header);
    free(r->ring);
    free(r->body);
    free(r->ids);
    free(r->rows);
    free(r->columns);
    free(r->owns);
    free(r->path);
    free(r);
}

const char *
record_path(const struct record *r)
{
    return r->path;
}

void
record_report(const struct record *r, struct record_report *out)
{
    *out = r->report;
}

/* ---- the tick's end of the ring ---- */

/* Room for a message in one piece, or NULL: from then on nothing is taken. */
static struct message *
reserve(struct record *r, size_t bytes)
{
    uint64_t put = atomic_load_explicit(&r->put, memory_order_relaxed);
    uint64_t taken = atomic_load_explicit(&r->taken, memory_order_acquire);
    size_t at = (size_t)(put % r->ring_bytes), skip = 0;
    struct message *m;

    if (atomic_load_explicit(&r->overflowed, memory_order_relaxed) ||
        atomic_load_explicit(&r->failed, memory_order_relaxed))
        return NULL;
    if (at + bytes > r->ring_bytes)
        skip = r->ring_bytes - at;
    if (put + skip + bytes - taken > r->ring_bytes) {
        atomic_store_explicit(&r->overflowed, 1, memory_order_relaxed);
        return NULL;
    }
    if (skip > 0) {
        m = (void *)(r->ring + at);
        m->kind = MESSAGE_WRAP;
        at = 0;
    }
    r->open_bytes = skip + bytes;
    m = (void *)(r->ring + at);
    memset(m, 0, sizeof(*m));
    m->bytes = bytes;
    return m;
}

void
record_commit(struct record *r)
{
    uint64_t put = atomic_load_explicit(&r->put, memory_order_relaxed);
    uint64_t waiting;

    put += r->open_bytes;
    waiting = put - atomic_load_explicit(&r->taken, memory_order_relaxed);
    if (waiting > r->fullest)
        r->fullest = waiting;
    atomic_store_explicit(&r->put, put, memory_order_release);
}

void
record_join(struct record *r, uint32_t client, int result, const char *options)
{
    size_t length = strlen(options);
    struct message *m;

    if (r == NULL)
        return;
    if (length >= RECORD_OPTIONS_MAX)
        length = RECORD_OPTIONS_MAX - 1; /* the wire allows fewer */
    m = reserve(r, eight(sizeof(*m) + length + 1));
    if (m == NULL)
        return;
    m->kind = MESSAGE_JOIN;
    m->client = client;
    m->result = result;
    memcpy(m + 1, options, length);
    ((char *)(m + 1))[length] = '\0';
    record_commit(r);
}

void
record_leave(struct record *r, uint32_t client)
{
    struct message *m = r == NULL ? NULL : reserve(r, sizeof(*m));

    if (m == NULL)
        return;
    m->kind = MESSAGE_LEAVE;
    m->client = client;
    record_commit(r);
}

static uint8_t *
append(uint8_t *to, const void *bytes, size_t count)
{
    if (count > 0)
        memcpy(to, bytes, count);
    return to + count;
}

uint8_t *
record_tick(struct record *r, const struct record_moment *t)
{
    const struct hp_view *v = t->view;
    size_t inputs, view, events, states;
    struct message *m;
    uint8_t *at;

    if (r == NULL)
        return NULL;
    inputs = t->input_count * sizeof(*t->inputs);
    view = (size_t)v->count * r->header.record_bytes;
    events = v->event_count * sizeof(*v->events);
    states = (size_t)t->input_count * r->header.own_bytes;
    m = reserve(r, eight(sizeof(*m) + inputs + view + events + states));
    if (m == NULL) {
        atomic_fetch_add_explicit(&r->lost, 1, memory_order_relaxed);
        return NULL;
    }
    m->kind = MESSAGE_TICK;
    m->tick = t->tick;
    m->hash = t->hash;
    m->input_count = t->input_count;
    m->count = v->count;
    m->event_count = v->event_count;
    at = append((uint8_t *)(m + 1), t->inputs, inputs);
    at = append(at, v->entities, view);
    at = append(at, v->events, events);
    return memset(at, 0, states);
}

void
record_reload(struct record *r)
{
    if (r != NULL)
        atomic_fetch_add_explicit(&r->reloads, 1, memory_order_relaxed);
}

/* ---- the writer ---- */

static void
put_frame(struct record *r, enum record_kind kind, const struct bytes_out *out)
{
    if (!out->bad)
        record_writer_put(&r->writer, kind, out->bytes, out->count);
    else if (r->writer.err == 0)
        r->writer.err = -EMSGSIZE; /* our own bound was wrong */
}

static void
write_join(struct record *r, const struct message *m)
{
    struct record_join join = {.client = m->client, .result = m->result};
    struct bytes_out out;

    strncpy(join.options, (const char *)(m + 1), sizeof(join.options) - 1);
    bytes_out_init(&out, r->body, r->body_bytes);
    record_put_join(&r->codec, &out, &join);
    put_frame(r, RECORD_JOIN, &out);
}

static void
write_leave(struct record *r, const struct message *m)
{
    struct bytes_out out;

    bytes_out_init(&out, r->body, r->body_bytes);
    record_put_leave(&r->codec, &out, m->client);
    put_frame(r, RECORD_LEAVE, &out);
}

/* Which of the whole pictures go with this tick. */
static void
choose_pictures(struct record *r, struct record_tick *t, const uint8_t *view,
                const uint8_t *states)
{
    if (r->header.views) {
        t->view = view;
        t->states = states;
        return;
    }
    if (t->tick < r->next_view)
        return;
    r->next_view = t->tick + r->view_every;
    t->view = view;
    if (r->views++ % STATES_EVERY_VIEWS == 0)
        t->states = states;
}

static void
digest_states(struct record *r, const uint8_t *states, uint32_t count)
{
    uint32_t bytes = r->header.own_bytes, i;

    for (i = 0; i < count; i++)
        r->owns[i] = record_digest(states + (size_t)i * bytes, bytes);
}

static void
write_tick(struct record *r, const struct message *m)
{
    const struct record_header *h = &r->header;
    const struct hp_client_input *inputs = (const void *)(m + 1);
    const uint8_t *view = (const uint8_t *)(inputs + m->input_count);
    const uint8_t *events = view + (size_t)m->count * h->record_bytes;
    const uint8_t *states =
        events + (size_t)m->event_count * sizeof(struct hp_event);
    struct record_tick t = {.tick = m->tick,
                            .hash = m->hash,
                            .input_count = m->input_count,
                            .count = m->count,
                            .event_count = m->event_count,
                            .inputs = inputs,
                            .ids = r->ids,
                            .rows = r->rows,
                            .columns = r->columns,
                            .owns = r->owns};
    const struct hp_entity *e;
    struct bytes_out out;
    uint32_t i;

    for (i = 0; i < m->count; i++) {
        e = (const void *)(view + (size_t)i * h->record_bytes);
        r->ids[i] = HP_ENTITY_ID(e->slot, e->generation);
    }
    record_digest_view(h, view, h->record_bytes, m->count, r->rows, r->columns);
    t.event_digest = record_digest_events((const void *)events, m->event_count);
    digest_states(r, states, m->input_count);
    choose_pictures(r, &t, view, states);
    bytes_out_init(&out, r->body, r->body_bytes);
    record_put_tick(&r->codec, &out, &t);
    put_frame(r, RECORD_TICK, &out);
    r->ticks++;
}

static void
write_reloads(struct record *r)
{
    uint32_t reloads = atomic_load_explicit(&r->reloads, memory_order_relaxed);

    for (; r->reloads_put != reloads; r->reloads_put++)
        record_writer_put(&r->writer, RECORD_RELOAD, NULL, 0);
}

/* Takes the oldest message; 0 when there is none. */
static int
take_message(struct record *r)
{
    uint64_t put = atomic_load_explicit(&r->put, memory_order_acquire);
    uint64_t taken = atomic_load_explicit(&r->taken, memory_order_relaxed);
    size_t at = (size_t)(taken % r->ring_bytes);
    const struct message *m = (const void *)(r->ring + at);
    uint64_t bytes;

    if (taken == put)
        return 0;
    bytes = r->ring_bytes - at;
    if (bytes >= sizeof(m->kind) && m->kind != MESSAGE_WRAP) {
        bytes = m->bytes;
        if (m->kind == MESSAGE_JOIN)
            write_join(r, m);
        else if (m->kind == MESSAGE_LEAVE)
            write_leave(r, m);
        else
            write_tick(r, m);
    }
    atomic_store_explicit(&r->taken, taken + bytes, memory_order_release);
    return 1;
}

static void
tell_failure(struct record *r)
{
    if (r->writer.err == 0 || r->failed)
        return;
    log_error("record: %s: cannot be written: %s; it ends before tick %llu, "
              "and the host goes on",
              r->path,
              r->writer.err == -ETIMEDOUT ? "its reader takes nothing"
                                          : strerror(-r->writer.err),
              (unsigned long long)r->codec.next_tick);
    atomic_store_explicit(&r->failed, 1, memory_order_relaxed);
}

static void
drain(struct record *r)
{
    uint64_t now_ns = clock_now_ns(r->clock);

    while (r->writer.err == 0 && take_message(r))
        ;
    write_reloads(r);
    if (now_ns >= r->block_ns + BLOCK_NS) {
        record_writer_flush(&r->writer);
        r->block_ns = now_ns;
    }
    tell_failure(r);
}

static void
write_end(struct record *r)
{
    uint64_t lost = atomic_load_explicit(&r->lost, memory_order_relaxed);
    struct bytes_out out;

    bytes_out_init(&out, r->body, r->body_bytes);
    record_put_end(&out,
                   atomic_load(&r->overflowed) ? RECORD_END_OVERFLOW
                                               : RECORD_END_STOP,
                   lost);
    put_frame(r, RECORD_END, &out);
    record_writer_flush(&r->writer);
    tell_failure(r);
}

static void
record_thread(void *argument)
{
    struct record *r = argument;

    clock_enter(r->waiter);
    r->block_ns = clock_now_ns(r->clock);
    while (!atomic_load_explicit(&r->stopping, memory_order_acquire)) {
        clock_wait(r->waiter, -1, clock_now_ns(r->clock) + DRAIN_NS, 0);
        drain(r);
    }
    drain(r);
    write_end(r);
    clock_leave(r->waiter);
}

int
record_start(struct record *r)
{
    return clock_thread_launch(r->clock, &r->thread, &r->waiter, record_thread,
                               r, "record");
}

void
record_stop(struct record *r, struct clock_waiter *of_caller)
{
    int err;

    if (r == NULL)
        return;
    atomic_store_explicit(&r->stopping, 1, memory_order_release);
    if (r->waiter != NULL)
        clock_wake(r->waiter);
    clock_thread_join(r->thread, of_caller);
    r->thread = NULL;
    r->waiter = NULL;
    r->report.ticks = r->ticks;
    r->report.bytes = r->writer.bytes;
    r->report.lost = atomic_load(&r->lost);
    r->report.ring_bytes = r->fullest;
    err = record_writer_close(&r->writer);
    r->report.err = err;
}
