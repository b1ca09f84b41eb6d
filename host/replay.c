#include <config.h>

#include "clock.h"
#include "cmd.h"
#include "config.h"
#include "crew.h"
#include "digest.h"
#include "instance.h"
#include "log.h"
#include "replay.h"
#include "replay_compare.h"
#include "tick.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    const struct replay_options *options;
    struct replay_result *result;
    FILE *errors;
    struct record_reader reader;
    struct record_codec codec;
    struct plugin_path path;
    struct plugin *plugin;
    struct config *config;
    struct clock *clock;
    struct instance *sim;
    const struct hp_sim_ops *ops;
    struct hp_limits limits;
    char section[48];
    int schema_differs;

    uint8_t *records;
    struct hp_event *events;
    uint32_t event_capacity;
    uint8_t *states;
    uint16_t *rows, *columns, *owns;
    struct replay_difference hidden; /* in the hash alone, so far */
    int is_named; /* a difference is, and its values are looked for */
    int is_over;
};

__attribute__((format(printf, 2, 3))) static void
warn(struct replay_result *r, const char *format, ...)
{
    va_list list;

    if (r->warning_count == REPLAY_WARNINGS_MAX)
        return;
    va_start(list, format);
    vsnprintf(r->warnings[r->warning_count++], sizeof(r->warnings[0]), format,
              list);
    va_end(list);
}

void
replay_result_finish(struct replay_result *r)
{
    record_header_finish(&r->header);
}

/* ---- the file ---- */

static int
refuse_file(const char *file, int err, FILE *errors)
{
    if (err == -ENOMSG)
        fprintf(errors,
                "%s: error: is no recording, expected a file that `hardpoint "
                "run --record FILE` wrote\n",
                file);
    else
        fprintf(errors, "%s: error: cannot be read: %s\n", file,
                strerror(-err));
    return CMD_NO_INPUT;
}

static int
judge_header(const char *file, int err, const struct record_header *h,
             FILE *errors)
{
    if (err == -EPROTONOSUPPORT)
        fprintf(errors,
                "%s: error: is a recording of another form than this release "
                "reads (1): replay it with the release that made it\n",
                file);
    else if (err < 0)
        fprintf(errors,
                "%s: error: has no whole header, expected that of a "
                "recording: the file is cut or damaged at its start\n",
                file);
    else if (h->side != HP_SIDE_SERVER)
        fprintf(errors,
                "%s: error: is a client's recording, expected a server's or "
                "solo's: a client has no world to make again\n",
                file);
    else
        return CMD_OK;
    return CMD_NO_INPUT;
}

int
replay_open(struct record_reader *reader, const char *file,
            struct record_header *header, FILE *errors)
{
    struct record_frame frame;
    int err = record_reader_open(reader, file), status;

    memset(header, 0, sizeof(*header));
    if (err < 0)
        return refuse_file(file, err, errors);
    err = record_reader_next(reader, &frame);
    if (err > 0 && frame.kind == RECORD_HEADER)
        err = record_get_header(frame.body, frame.bytes, header);
    else
        err = err < 0 ? err : -EBADMSG;
    status = judge_header(file, err, header, errors);
    if (status == CMD_OK)
        reader->frame_max = record_entry_bytes_max(header);
    return status;
}

/* ---- the sim ---- */

static const struct hp_param *
row_named(const struct hp_plugin *table, const char *name)
{
    const struct hp_param *row;
    uint32_t i;

    for (i = 0; i < table->param_count; i++) {
        row = (const void *)((const char *)table->params +
                             (size_t)i * table->param_stride);
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

/* The recorded value goes in as from a file, so that -s is stronger. */
static int
take_params(struct replay *r)
{
    const struct record_header *h = &r->result->header;
    const struct hp_plugin *table = plugin_table(r->plugin);
    const struct record_param *p;
    uint32_t i;
    int err = 0;

    for (i = 0; i < h->param_count && err == 0; i++) {
        p = &h->params[i];
        if (row_named(table, p->key) == NULL) {
            warn(r->result,
                 "the recorded parameter %s = %.80s is unknown to this sim and "
                 "left out",
                 p->key, p->value);
            continue;
        }
        err = config_set(r->config, r->options->file, r->section, p->key,
                         p->value);
    }
    for (i = 0; err == 0 && i < (uint32_t)r->options->override_count; i++)
        config_override(r->config, r->options->overrides[i]);
    return err;
}

static void
compare_builds(struct replay *r)
{
    const struct record_header *h = &r->result->header;
    const struct hp_plugin *table = plugin_table(r->plugin);
    char build[BUILD_ID_BYTES];

    if (strcmp(h->sim_version, table->version) != 0)
        warn(r->result, "sim %s was version %s, is version %s", h->sim_name,
             h->sim_version, table->version);
    build_id_of(plugin_file(r->plugin), build);
    if (strcmp(h->sim_build, build) != 0)
        warn(r->result, "sim %s was build %s, is build %s (%s)", h->sim_name,
             h->sim_build, build, plugin_file(r->plugin));
    if (strcmp(h->host_version, PACKAGE_VERSION) != 0)
        warn(r->result, "the host was version %s, is version %s",
             h->host_version, PACKAGE_VERSION);
    build_id_own(build);
    if (strcmp(h->host_build, build) != 0)
        warn(r->result, "the host was build %s, is build %s", h->host_build,
             build);
}

/* A path's file may have been edited since. */
static void
compare_files(struct replay *r)
{
    const struct record_header *h = &r->result->header;
    const struct record_param *p;
    uint64_t digest;
    uint32_t i;
    int err;

    for (i = 0; i < h->param_count; i++) {
        p = &h->params[i];
        if (p->file_digest == 0)
            continue;
        err = digest_file(p->value, &digest);
        if (err < 0 || digest != p->file_digest)
            warn(r->result, "%s = %.160s: the file %s", p->key, p->value,
                 err < 0 ? "is not there any more"
                         : "has another content than when it was recorded");
    }
}

static int
configure(struct replay *r)
{
    const struct hp_plugin *table = plugin_table(r->plugin);
    int err = config_create(&r->config);

    if (err == 0)
        err = take_params(r);
    if (err < 0) {
        fprintf(r->errors, "%s: error: %s\n", r->options->file, strerror(-err));
        return CMD_PLUGIN;
    }
    config_bind(r->config, r->section, table->params, table->param_count,
                table->param_stride);
    if (config_finish(r->config) == 0)
        return CMD_OK;
    config_print_problems(r->config, r->errors);
    return CMD_CONFIG;
}

static int
load_sim(struct replay *r)
{
    const struct record_header *h = &r->result->header;
    char file[4096], why[PLUGIN_WHY_MAX] = "";
    const char *folders =
        r->options->plugin_path != NULL ? r->options->plugin_path : "";
    int err = plugin_path_init(&r->path, folders);

    snprintf(r->section, sizeof(r->section), "sim.%s", h->sim_name);
    if (err < 0)
        snprintf(why, sizeof(why), "--plugin-path: %s", strerror(-err));
    else
        err = plugin_find(&r->path, HP_KIND_SIM, h->sim_name, file,
                          sizeof(file), why);
    if (err >= 0)
        err = plugin_open(&r->plugin, file, HP_KIND_SIM, h->sim_name, why);
    if (err < 0) {
        fprintf(r->errors, "%s: error: its sim \"%s\" (version %s): %s\n",
                r->options->file, h->sim_name, h->sim_version, why);
        return CMD_CONFIG;
    }
    compare_builds(r);
    compare_files(r);
    return configure(r);
}

static int
same_field(const struct record_field *a, const struct record_field *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0 &&
           a->type == b->type && a->offset == b->offset && a->count == b->count;
}

/* With other records only the hash can be compared. */
static int
compare_schema(struct replay *r, const struct hp_schema *schema)
{
    const struct record_header *h = &r->result->header;
    struct record_header now;
    uint32_t i;
    int err;

    memset(&now, 0, sizeof(now));
    err = record_header_schema(&now, schema);
    r->schema_differs = now.record_bytes != h->record_bytes ||
                        now.own_bytes != h->own_bytes ||
                        now.field_count != h->field_count;
    if (r->schema_differs)
        warn(r->result,
             "records had %u bytes, %u fields and own states of %u bytes, "
             "have %u, %u and %u: only hashes are compared",
             h->record_bytes, h->field_count, h->own_bytes, now.record_bytes,
             now.field_count, now.own_bytes);
    for (i = 0; err == 0 && !r->schema_differs && i < h->field_count; i++)
        if (!same_field(&now.fields[i], &h->fields[i])) {
            r->schema_differs = 1;
            warn(r->result,
                 "the record's field %s is %s now, or moved: only hashes are "
                 "compared",
                 h->fields[i].name, now.fields[i].name);
        }
    record_header_finish(&now);
    return err;
}

static int
allocate(struct replay *r, const struct hp_schema *schema)
{
    const struct record_header *h = &r->result->header;

    r->event_capacity = 256; /* as the server's */
    r->records = calloc(h->entities_max, schema->record_bytes);
    r->events = calloc(r->event_capacity, sizeof(*r->events));
    r->states = calloc(h->clients_max, HP_OWN_BYTES_MAX);
    r->rows = calloc(h->entities_max, sizeof(*r->rows));
    r->columns = calloc(h->field_count + 1, sizeof(*r->columns));
    r->owns = calloc(h->clients_max, sizeof(*r->owns));
    if (r->records == NULL || r->events == NULL || r->states == NULL ||
        r->rows == NULL || r->columns == NULL || r->owns == NULL)
        return -ENOMEM;
    return record_codec_init(&r->codec, h);
}

static int
start_sim(struct replay *r)
{
    const struct record_header *h = &r->result->header;
    const struct hp_schema *schema;
    int err;

    if (instance_create(&r->sim, r->plugin, r->config, r->clock,
                        HP_SIDE_SERVER) < 0)
        return CMD_PLUGIN;
    r->ops = r->sim->ops;
    schema = r->ops->schema(r->sim->self);
    if (schema == NULL || schema->record_bytes < sizeof(struct hp_entity) ||
        schema->record_bytes > HP_RECORD_BYTES_MAX ||
        schema->own_bytes > HP_OWN_BYTES_MAX) {
        log_error("%s: found no schema that makes sense, see hardpoint/sim.h",
                  r->sim->label);
        return CMD_PLUGIN;
    }
    r->limits = (struct hp_limits){
        .size = sizeof(r->limits),
        .side = HP_SIDE_SERVER,
        .rate_num = h->rate_num,
        .rate_den = h->rate_den,
        .clients_max = h->clients_max,
        .entities_max = h->entities_max,
        .snapshot_bytes_max = h->snapshot_bytes_max,
        .window_ticks = h->window_ticks,
        .schema = schema,
    };
    err = compare_schema(r, schema);
    if (err == 0)
        err = allocate(r, schema);
    if (err < 0) {
        log_error("replay: %s", strerror(-err));
        return CMD_PLUGIN;
    }
    return crew_start(r->sim, &r->limits) < 0 ? CMD_PLUGIN : CMD_OK;
}

/* ---- the entries ---- */

static void
do_join(struct replay *r, const struct record_join *join)
{
    struct replay_difference *d = &r->result->difference;
    int result;

    r->result->joins++;
    r->sim->failure[0] = '\0';
    instance_enter(r->sim, "join", r->codec.next_tick);
    result = r->ops->join(r->sim->self, join->client, join->options);
    instance_leave(r->sim);
    if ((result < 0) == (join->result < 0))
        return;
    memset(d, 0, sizeof(*d));
    d->what = REPLAY_JOIN;
    d->tick = r->codec.next_tick;
    d->hash_tick = d->tick;
    d->entity = HP_ENTITY_NONE;
    d->client = join->client;
    snprintf(d->sentence, sizeof(d->sentence), "%s",
             result >= 0                  ? "is taken now, was refused"
             : r->sim->failure[0] != '\0' ? r->sim->failure
                                          : strerror(-result));
    r->is_over = 1; /* its inputs would go astray */
}

static void
do_leave(struct replay *r, uint32_t client)
{
    r->result->leaves++;
    instance_enter(r->sim, "leave", r->codec.next_tick);
    r->ops->leave(r->sim->self, client);
    instance_leave(r->sim);
}

static void
step(struct replay *r, const struct record_tick *t)
{
    const struct tick_rate rate = {r->limits.rate_num, r->limits.rate_den};
    struct hp_tick tick;

    tick_describe(rate, t->tick, 0, &tick);
    instance_enter(r->sim, "step", t->tick);
    r->ops->step(r->sim->self, &tick, t->inputs, t->input_count);
    instance_leave(r->sim);
}

static void
get_states(struct replay *r, const struct record_tick *t)
{
    uint32_t bytes = r->limits.schema->own_bytes, i;
    struct hp_byte_sink sink = {.size = sizeof(sink), .capacity = bytes};

    memset(r->states, 0, (size_t)t->input_count * bytes);
    for (i = 0; i < t->input_count; i++) {
        sink.bytes = r->states + (size_t)i * bytes;
        instance_enter(r->sim, "own_get", t->tick);
        r->ops->own_get(r->sim->self, t->inputs[i].client, &sink);
        instance_leave(r->sim);
        r->owns[i] = record_digest(sink.bytes, bytes);
    }
}

/* The world after the step, as the server looked at it. */
static void
look(struct replay *r, const struct record_tick *t, struct replay_moment *out)
{
    const struct record_header *h = &r->result->header;
    struct hp_view_sink sink = {
        .size = sizeof(sink),
        .capacity = h->entities_max,
        .stride = r->limits.schema->record_bytes,
        .event_capacity = r->event_capacity,
        .entities = r->records,
        .events = r->events,
    };

    instance_enter(r->sim, "view", t->tick);
    r->ops->view(r->sim->self, &sink);
    instance_leave(r->sim);
    instance_enter(r->sim, "hash", t->tick);
    out->hash = r->ops->hash(r->sim->self);
    instance_leave(r->sim);
    out->header = h;
    out->count = sink.count < h->entities_max ? sink.count : h->entities_max;
    out->event_count = sink.event_count < r->event_capacity ? sink.event_count
                                                            : r->event_capacity;
    out->view = r->records;
    out->states = r->states;
    out->rows = r->rows;
    out->columns = r->columns;
    out->owns = r->owns;
    if (r->schema_differs)
        return;
    out->event_digest = record_digest_events(r->events, out->event_count);
    record_digest_view(h, r->records, sink.stride, out->count, r->rows,
                       r->columns);
    get_states(r, t);
}

/* What the hash alone knows is shown by a record sooner or later: a round in
 * the air hits. Both ticks are told. */
static void
name(struct replay *r, const struct record_tick *t,
     const struct replay_moment *is)
{
    struct replay_difference *d = &r->result->difference, found;

    replay_name(t, is, &found);
    if (r->hidden.what != REPLAY_EQUAL)
        found.hash_tick = r->hidden.tick;
    if (found.what == REPLAY_HASH) {
        if (r->hidden.what == REPLAY_EQUAL)
            r->hidden = found;
        return;
    }
    *d = found;
    r->is_named = 1;
    r->is_over = replay_find_values(t, is, d);
}

static void
compare(struct replay *r, const struct record_tick *t,
        const struct replay_moment *is)
{
    struct replay_difference *d = &r->result->difference;

    if (t->tick < r->options->from)
        return;
    if (r->is_named) {
        r->is_over = replay_find_values(t, is, d);
    } else if (r->schema_differs) {
        if (t->hash == is->hash)
            return;
        *d = (struct replay_difference){.what = REPLAY_HASH,
                                        .tick = t->tick,
                                        .hash_tick = t->tick,
                                        .entity = HP_ENTITY_NONE,
                                        .client = HP_CLIENT_NONE};
        r->is_over = 1;
    } else if (!replay_same(t, is)) {
        name(r, t, is);
    }
}

static void
do_tick(struct replay *r, const struct record_tick *t)
{
    struct replay_moment is = {0};

    if (t->tick > r->options->until) {
        r->is_over = 1;
        return;
    }
    step(r, t);
    look(r, t, &is);
    r->result->ticks++;
    compare(r, t, &is);
}

/* 0 or -EBADMSG. */
static int
do_frame(struct replay *r, const struct record_frame *f)
{
    struct record_join join;
    struct record_tick tick;
    uint32_t client, why;
    int err = 0;

    switch (f->kind) {
    case RECORD_JOIN:
        err = record_get_join(&r->codec, f->body, f->bytes, &join);
        if (err == 0)
            do_join(r, &join);
        break;
    case RECORD_LEAVE:
        err = record_get_leave(&r->codec, f->body, f->bytes, &client);
        if (err == 0)
            do_leave(r, client);
        break;
    case RECORD_TICK:
        err = record_get_tick(&r->codec, f->body, f->bytes, &tick);
        if (err == 0)
            do_tick(r, &tick);
        break;
    case RECORD_RELOAD:
        warn(r->result,
             "the sim's live parameters were read again at about tick %" PRIu64
             ": differences from there on may come of that",
             r->codec.next_tick);
        break;
    case RECORD_END:
        err = record_get_end(f->body, f->bytes, &why, &r->result->lost);
        r->result->has_end = err == 0;
        r->is_over = 1;
        break;
    default: /* of a later release, and no part of the world */
        break;
    }
    return err;
}

static int
run_frames(struct replay *r)
{
    struct replay_result *out = r->result;
    struct record_frame frame;
    uint64_t start_ns = clock_now_ns(r->clock);
    int got = 0, err = 0;

    while (!r->is_over && err == 0 &&
           (got = record_reader_next(&r->reader, &frame)) > 0)
        err = do_frame(r, &frame);
    if (out->difference.what == REPLAY_EQUAL)
        out->difference = r->hidden;
    out->took_ns = clock_now_ns(r->clock) - start_ns;
    out->state = err < 0 ? RECORD_DAMAGED : r->reader.state;
    out->broken_at = r->reader.offset;
    if (r->is_over && out->state == RECORD_WHOLE)
        out->has_end |= out->difference.what != REPLAY_EQUAL ||
                        r->options->until != UINT64_MAX;
    if (got >= 0)
        return CMD_OK;
    log_error("replay: %s", strerror(-got));
    return CMD_PLUGIN;
}

static void
finish(struct replay *r)
{
    instance_destroy(r->sim);
    clock_destroy(r->clock);
    config_destroy(r->config);
    plugin_close(r->plugin);
    plugin_path_finish(&r->path);
    record_codec_finish(&r->codec);
    record_reader_close(&r->reader);
    free(r->records);
    free(r->events);
    free(r->states);
    free(r->rows);
    free(r->columns);
    free(r->owns);
}

int
replay_run(const struct replay_options *options, struct replay_result *out,
           FILE *errors)
{
    struct replay r;
    int status;

    memset(out, 0, sizeof(*out));
    memset(&r, 0, sizeof(r));
    r.options = options;
    r.result = out;
    r.errors = errors;
    status = replay_open(&r.reader, options->file, &out->header, errors);
    if (status == CMD_OK && clock_create_real(&r.clock) < 0)
        status = CMD_PLUGIN;
    if (status == CMD_OK)
        status = load_sim(&r);
    if (status == CMD_OK)
        status = start_sim(&r);
    if (status == CMD_OK)
        status = run_frames(&r);
    finish(&r);
    return status;
}

void
replay_say_end(const struct replay_result *r, char *out, size_t bytes)
{
    out[0] = '\0';
    if (r->state == RECORD_DAMAGED)
        snprintf(out, bytes,
                 "is damaged from byte %" PRIu64 " on: what follows tick "
                 "%" PRIu64 " is lost",
                 r->broken_at, r->header.first_tick + r->ticks - 1);
    else if (r->lost > 0)
        snprintf(out, bytes,
                 "is broken from tick %" PRIu64 " on: its writer could not "
                 "keep up, and %" PRIu64 " ticks are lost",
                 r->header.first_tick + r->ticks, r->lost);
    else if (r->state == RECORD_TORN || !r->has_end)
        snprintf(out, bytes,
                 "is torn after tick %" PRIu64 ": its host was killed, or its "
                 "disk was full",
                 r->header.first_tick + r->ticks - 1);
}
