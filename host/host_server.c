/* How the server side is put together. */
#include "bans.h"
#include "cmd.h"
#include "config.h"
#include "data_file.h"
#include "digest.h"
#include "host_private.h"
#include "jobs.h"
#include "log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
describe_limits(const struct side_config *side, uint32_t which,
                const struct hp_schema *schema, struct hp_limits *out)
{
    *out = (struct hp_limits){
        .size = sizeof(*out),
        .side = which,
        .rate_num = side->rate.num,
        .rate_den = side->rate.den,
        .clients_max = side->clients_max,
        .entities_max = side->entities_max,
        .snapshot_bytes_max = NET_DATAGRAM_MAX,
        .window_ticks = tick_window(side->rate),
        .schema = schema,
    };
}

static const struct hp_schema *
schema_of(struct instance *sim)
{
    const struct hp_sim_ops *ops = sim->ops;

    return ops->schema(sim->self);
}

/* What every buffer is sized by. The fields are the broadcaster's to judge. */
static int
judge_schema(const struct instance *sim, const struct hp_schema *schema)
{
    if (schema == NULL || schema->size < sizeof(*schema) ||
        schema->fields == NULL || schema->name == NULL ||
        schema->field_stride < sizeof(*schema->fields)) {
        log_error(
            "%s: found no schema, or part of one, expected a whole struct "
            "hp_schema: see hardpoint/sim.h",
            sim->label);
        return -EPROTO;
    }
    if (schema->record_bytes >= sizeof(struct hp_entity) &&
        schema->record_bytes <= HP_RECORD_BYTES_MAX &&
        schema->record_bytes % 8 == 0 && schema->own_bytes <= HP_OWN_BYTES_MAX)
        return 0;
    log_error("%s: its schema says %u bytes a record and %u of own state, "
              "expected %zu to %d, a multiple of 8, and at most %d",
              sim->label, schema->record_bytes, schema->own_bytes,
              sizeof(struct hp_entity), HP_RECORD_BYTES_MAX, HP_OWN_BYTES_MAX);
    return -EPROTO;
}

/* `out` is what was created, whether it started or not. */
static int
start_one_sim(struct host *h, uint32_t side, struct config *config,
              const struct side_config *terms, struct hp_limits *limits,
              struct instance **out)
{
    const struct hp_schema *schema;
    int err;

    *out = NULL;
    err = crew_create(&h->crew, HP_KIND_SIM, side, config, out);
    if (err < 0)
        return err;
    schema = schema_of(*out);
    err = judge_schema(*out, schema);
    if (err < 0)
        return err;
    describe_limits(terms, side, schema, limits);
    return crew_start(*out, limits);
}

/* The sim first: its schema is in the limits of all others. */
int
host_start_sim(struct host *h, uint32_t side, struct config *config,
               const struct side_config *terms, struct hp_limits *limits,
               struct instance **out)
{
    int err;

    do
        err = start_one_sim(h, side, config, terms, limits, out);
    while (err < 0 && side == HP_SIDE_SERVER &&
           crew_pass_over(&h->crew, HP_KIND_SIM, *out));
    return err;
}

/* Plugins that both sides must have alike. */
static uint32_t
list_plugins(const struct host *h, struct proto_plugin *out)
{
    static const uint32_t kinds[] = {HP_KIND_SIM, HP_KIND_BROADCASTER};
    const struct hp_plugin *table;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        table = plugin_table(crew_plugin(&h->crew, kinds[i]));
        out[i].kind = (uint16_t)kinds[i];
        snprintf(out[i].name, sizeof(out[i].name), "%s", table->name);
        snprintf(out[i].version, sizeof(out[i].version), "%s", table->version);
    }
    return 2;
}

struct shared_list {
    const struct instance *owners[2];
    struct proto_shared rows[PROTO_SHARED_MAX];
    uint32_t count;
    int full;
};

/* A client has the file at a place of its own: it is told the file's name and
 * its digest. */
static int
name_file(struct proto_shared *to)
{
    const char *slash = strrchr(to->value, '/');
    int err = digest_file(to->value, &to->file_hash);

    if (err == 0 && slash != NULL)
        memmove(to->value, slash + 1, strlen(slash));
    return err;
}

/* A data file goes by its name and a digest: clients have their own. */
static void
share_file(struct proto_shared *to, const struct hp_param *row,
           const char *value)
{
    int err;

    if (!data_file_is_path(row, value))
        return; /* a name that the plugin knows without a file */
    data_file_name(row, value, to->value, sizeof(to->value));
    err = digest_file(value, &to->file_hash);
    if (err < 0)
        log_error("server: %s: cannot read it for its digest: %s", value,
                  strerror(-err));
}

static int
add_shared(void *context, const char *section, const struct hp_param *row,
           uint32_t index, const char *value)
{
    struct shared_list *list = context;
    struct proto_shared *to = &list->rows[list->count];

    (void)index;
    if (!(row->flags & HP_PARAM_SHARED) ||
        (strcmp(section, list->owners[0]->section) != 0 &&
         strcmp(section, list->owners[1]->section) != 0))
        return 0;
    if (list->count == PROTO_SHARED_MAX ||
        (row->type != HP_PARAM_DATA && strlen(value) >= sizeof(to->value))) {
        list->full = 1;
        return 1;
    }
    memset(to, 0, sizeof(*to));
    snprintf(to->section, sizeof(to->section), "%s", section);
    snprintf(to->key, sizeof(to->key), "%s", row->name);
    snprintf(to->value, sizeof(to->value), "%s", value);
    if (row->type == HP_PARAM_PATH && *value != '\0' && name_file(to) < 0)
        return 0; /* the plugin has read it, or said why not */
    if (row->type == HP_PARAM_DATA)
        share_file(to, row, value);
    list->count++;
    return 0;
}

int
host_load_bans(struct host *h)
{
    const char *path = host_text(h, "net", "bans");
    struct bans *bans = NULL;
    int err = bans_load(&bans, path, stderr);

    if (err < 0) {
        log_error("net: [net] bans: %s cannot be used: %s", path,
                  err == -EINVAL ? "see above" : strerror(-err));
        return err;
    }
    if (bans_count(bans) > 0)
        log_info("net: %u addresses and networks are banned", bans_count(bans));
    server_set_bans(h->server, bans);
    return 0;
}

static void
helper_begin(void *context)
{
    side_thread_init(context, "server's helper");
}

/* Without them the world is the same, only slower. */
static void
start_helpers(struct host *h)
{
    int err;

    if (h->side.workers < 2)
        return;
    err = jobs_create(&h->jobs, h->clock, h->side.workers, helper_begin,
                      &h->side);
    if (err < 0)
        log_warning("server: the %u threads of [host] workers were refused "
                    "(%s): its own does the whole tick",
                    h->side.workers, strerror(-err));
    h->crew.jobs = h->jobs;
}

int
host_start_server(struct host *h)
{
    struct proto_plugin plugins[PROTO_PLUGINS_MAX];
    struct server_parts parts = {.limits = &h->server_limits,
                                 .plugins = plugins};
    struct shared_list *shared;
    uint32_t count;
    int err, status;

    start_helpers(h);
    err = host_start_sim(h, HP_SIDE_SERVER, h->setup->config, &h->side,
                         &h->server_limits, &h->sim[0]);
    if (err < 0)
        return CMD_PLUGIN;
    err = crew_start_all(&h->crew, HP_KIND_BROADCASTER, HP_SIDE_SERVER,
                         &h->server_limits, &h->broadcaster[0], 1, &count);
    if (err < 0)
        return CMD_PLUGIN;
    parts.sim = h->sim[0];
    parts.broadcaster = h->broadcaster[0];
    parts.plugin_count = list_plugins(h, plugins);
    shared = calloc(1, sizeof(*shared));
    if (shared == NULL)
        return CMD_PLUGIN;
    shared->owners[0] = h->sim[0];
    shared->owners[1] = h->broadcaster[0];
    config_each(h->setup->config, add_shared, shared);
    if (shared->full)
        log_error("server: the shared parameters do not fit a Welcome: at most "
                  "%d, of %zu bytes each",
                  PROTO_SHARED_MAX, sizeof(shared->rows[0].value) - 1);
    parts.shared = shared->rows;
    parts.shared_count = shared->count;
    status = host_open_record(h);
    if (status != 0) {
        free(shared);
        return status;
    }
    parts.record = h->record;
    err = shared->full ? -E2BIG : server_create(&h->server, &h->side, &parts);
    free(shared);
    if (err < 0)
        return CMD_UNAVAILABLE;
    if (host_start_agents(h, HP_SIDE_SERVER, &h->server_limits) < 0)
        return CMD_PLUGIN;
    if (host_load_bans(h) < 0)
        return CMD_CONFIG;
    err = h->record == NULL ? 0 : record_start(h->record);
    if (err == 0)
        err = server_start(h->server);
    if (err < 0) {
        log_error("server: its thread does not start: %s", strerror(-err));
        return CMD_UNAVAILABLE;
    }
    log_info("server: listens on %s:%u at %.6g Hz, for %u clients",
             h->side.address[0] != '\0' ? h->side.address : "0.0.0.0",
             server_port(h->server), tick_rate_hz(h->side.rate),
             h->side.clients_max);
    return 0;
}
