/* How the client side is put together: from the server's Welcome. */
#include "cmd.h"
#include "config.h"
#include "data_file.h"
#include "digest.h"
#include "host_private.h"
#include "log.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CONNECT_NS 10000000000ull

static int
connect_client(struct host *h)
{
    struct client_config config = {
        .side = h->side,
        .name = host_text(h, "client", "name"),
        .options = host_text(h, "client", "join"),
        .stages = h->role == HOST_SOLO || h->bench,
        .connect_ns = CONNECT_NS,
        .tap = h->tap,
        .tap_context = h->tap_context,
    };
    int err;

    if (h->server != NULL)
        config.side.port = server_port(h->server);
    if (config.side.address[0] == '\0' ||
        strcmp(config.side.address, "0.0.0.0") == 0)
        config.side.address = "127.0.0.1";
    /* In solo play the server says as much. */
    if (h->role == HOST_CLIENT)
        log_info("client: asks %s:%u for a place", config.side.address,
                 config.side.port);
    err = client_connect(&h->client, &config, h->waiter, &h->signals->stop);
    if (err == -EINTR)
        return CMD_NO;
    if (err < 0)
        return CMD_UNAVAILABLE;
    if (h->role == HOST_CLIENT)
        log_info("client: \"%s\" joins as client %u", config.name,
                 client_welcome(h->client)->client);
    return 0;
}

/* The same plugins as the server's, or a sentence about the first that is not.
 */
static int
match_plugin(struct host *h, const struct proto_plugin *theirs)
{
    const struct hp_plugin *ours;

    for (;;) {
        ours = plugin_table(crew_plugin(&h->crew, theirs->kind));
        if (strcmp(theirs->name, ours->name) == 0 &&
            strcmp(theirs->version, ours->version) == 0)
            return 0;
        if (!crew_pass_over(&h->crew, theirs->kind, NULL))
            break;
    }
    log_error("client: the server runs the %s plugin \"%s\" %s and this client "
              "\"%s\" %s: set [plugins] %s, or install the server's version",
              plugin_kind_name(theirs->kind), theirs->name, theirs->version,
              ours->name, ours->version, plugin_kind_name(theirs->kind));
    return -EPROTO;
}

static int
match_plugins(struct host *h, const struct proto_welcome *w)
{
    uint32_t i;

    for (i = 0; i < w->plugin_count; i++)
        if ((w->plugins[i].kind == HP_KIND_SIM ||
             w->plugins[i].kind == HP_KIND_BROADCASTER) &&
            match_plugin(h, &w->plugins[i]) < 0)
            return -EPROTO;
    return 0;
}

static int
same_field(const struct hp_field *a, const struct hp_field *b)
{
    return strcmp(a->name, b->name) == 0 && a->type == b->type &&
           a->offset == b->offset && a->count == b->count &&
           a->step == b->step && a->minimum == b->minimum &&
           a->maximum == b->maximum;
}

static int
match_schema(const struct hp_schema *server, const struct hp_schema *ours)
{
    const struct hp_field *a, *b;
    uint32_t i;

    if (server->record_bytes != ours->record_bytes ||
        server->own_bytes != ours->own_bytes ||
        server->field_count != ours->field_count) {
        log_error("client: the server's records have %u bytes in %u fields, "
                  "this sim's %u in %u: install the server's version",
                  server->record_bytes, server->field_count, ours->record_bytes,
                  ours->field_count);
        return -EPROTO;
    }
    for (i = 0; i < ours->field_count; i++) {
        a = (const void *)((const char *)server->fields +
                           (size_t)i * server->field_stride);
        b = (const void *)((const char *)ours->fields +
                           (size_t)i * ours->field_stride);
        if (same_field(a, b))
            continue;
        log_error("client: the server's record has \"%s\" where this sim's "
                  "has \"%s\", or in another form: install the server's "
                  "version",
                  a->name, b->name);
        return -EPROTO;
    }
    return 0;
}

/* Our own copy of a file that the server has, as a setting. */
static int
take_file(struct host *h, const struct proto_shared *theirs, char *setting,
          size_t bytes)
{
    const char *own = host_text(h, theirs->section, theirs->key);
    uint64_t hash = 0;
    int err;

    if (own[0] == '\0') {
        log_error("client: the server has the file \"%s\" (digest %016llx) as "
                  "[%s] %s, and here that key names none: get the file and "
                  "name it",
                  theirs->value, (unsigned long long)theirs->file_hash,
                  theirs->section, theirs->key);
        return -ENOENT;
    }
    err = digest_file(own, &hash);
    if (err < 0) {
        log_error("client: [%s] %s: %s cannot be read: %s", theirs->section,
                  theirs->key, own, strerror(-err));
        return err;
    }
    if (hash != theirs->file_hash) {
        log_error("client: [%s] %s: %s is another file than the server's "
                  "\"%s\": its digest is %016llx, expected %016llx; get the "
                  "server's",
                  theirs->section, theirs->key, own, theirs->value,
                  (unsigned long long)hash,
                  (unsigned long long)theirs->file_hash);
        return -EPROTO;
    }
    snprintf(setting, bytes, "%s.%s=%s", theirs->section, theirs->key, own);
    return 0;
}

static const struct hp_param *
row_named(const struct hp_plugin *sim, const char *key)
{
    const struct hp_param *row;
    uint32_t i;

    for (i = 0; i < sim->param_count; i++) {
        row = (const void *)((const char *)sim->params +
                             (size_t)i * sim->param_stride);
        if (strcmp(row->name, key) == 0)
            return row;
    }
    return NULL;
}

/* Whether a file is the server's; notes in `told` how far the search came. */
static int
is_servers(const char *path, const struct proto_shared *wanted, char *told,
           size_t bytes)
{
    uint64_t hash;

    if (digest_file(path, &hash) < 0)
        return 0;
    snprintf(told, bytes, "%s differs from it", path);
    return hash == wanted->file_hash;
}

/*
 * Our copy of a data file that the server uses: one that our own INI names (in
 * solo it is the very file), else the one where the data are.
 */
static int
find_data(struct host *h, const struct hp_param *row,
          const struct proto_shared *wanted, char *path, size_t bytes)
{
    char told[PATH_MAX + 40] = "no such file is here", name[200];
    const char *own;
    uint32_t i;

    for (i = 0; config_text(h->setup->config, wanted->section, wanted->key, i,
                            &own) == 0;
         i++) {
        data_file_name(row, own, name, sizeof(name));
        if (strcmp(name, wanted->value) != 0 || !data_file_is_path(row, own))
            continue;
        snprintf(path, bytes, "%s", own);
        if (is_servers(path, wanted, told, sizeof(told)))
            return 0;
    }
    if (strchr(wanted->value, '/') == NULL &&
        data_file_find(row, wanted->value, path, bytes) == 0 &&
        is_servers(path, wanted, told, sizeof(told)))
        return 0;
    log_error("client: the server's %s \"%s\" is a file, and %s: get the "
              "server's file and put it into %.*s/ in a folder of "
              "HARDPOINT_DATA_PATH",
              wanted->key, wanted->value, told, (int)strcspn(row->choices, "|"),
              row->choices);
    return -EPROTO;
}

/* The model's parameters are the server's, never those of our own INI; a file
 * is ours when it is the same. */
static int
take_shared(struct host *h, const struct proto_welcome *w,
            const struct hp_plugin *sim)
{
    char section[64], path[PATH_MAX], setting[PATH_MAX + 128];
    const struct hp_param *row;
    const char *value;
    uint32_t i;
    int err = config_create(&h->model_config);

    if (err < 0)
        return err;
    config_keep_names(h->model_config);
    for (i = 0; i < w->shared_count; i++) {
        row = row_named(sim, w->shared[i].key);
        value = w->shared[i].value;
        if (w->shared[i].file_hash != 0 && row != NULL &&
            row->type == HP_PARAM_DATA) {
            err = find_data(h, row, &w->shared[i], path, sizeof(path));
            if (err < 0)
                return err;
            value = path;
        }
        snprintf(setting, sizeof(setting), "%s.%s=%s", w->shared[i].section,
                 w->shared[i].key, value);
        if (w->shared[i].file_hash != 0 && value != path &&
            take_file(h, &w->shared[i], setting, sizeof(setting)) < 0)
            return -EPROTO;
        config_override(h->model_config, setting);
    }
    snprintf(section, sizeof(section), "sim.%s", sim->name);
    config_bind(h->model_config, section, sim->params, sim->param_count,
                sim->param_stride);
    if (config_problem_count(h->model_config) == 0)
        return 0;
    log_error("client: the server's parameters do not suit this sim:");
    config_print_problems(h->model_config, stderr);
    return -EPROTO;
}

int
host_start_model(struct host *h, const struct proto_welcome *w)
{
    struct side_config terms = h->side;
    const struct hp_sim_ops *ops;
    int err;

    if (match_plugins(h, w) < 0 ||
        take_shared(h, w, plugin_table(crew_plugin(&h->crew, HP_KIND_SIM))) < 0)
        return -EPROTO;
    terms.rate.num = w->rate_num;
    terms.rate.den = w->rate_den;
    h->crew.budget_ns = host_budget_ns(h, terms.rate);
    terms.clients_max = w->clients_max;
    terms.entities_max = w->entities_max;
    err = host_start_sim(h, HP_SIDE_CLIENT, h->model_config, &terms,
                         &h->client_limits, &h->sim[1]);
    if (err < 0)
        return err;
    if (match_schema(&w->schema, h->client_limits.schema) < 0)
        return -EPROTO;
    ops = h->sim[1]->ops;
    h->model = (struct hp_model){
        .size = sizeof(h->model),
        .own_bytes = h->client_limits.schema->own_bytes,
        .schema = h->client_limits.schema,
        .self = h->sim[1]->self,
        .step = ops->model_step,
        .own_view = ops->own_view,
        .own_digest = digest_own,
    };
    h->client_limits.model = &h->model;
    return 0;
}

static int
start_haptics(struct host *h, struct client_parts *parts)
{
    struct haptics_config config = {
        .clock = h->clock,
        .backends = h->backends,
        .snapshot_interval_ns =
            tick_period_ns((struct tick_rate){h->client_limits.rate_num,
                                              h->client_limits.rate_den}) *
            client_welcome(h->client)->snapshot_every,
        .realtime = h->side.realtime,
    };
    const char *effects = host_text(h, "haptics", "effects");
    int err;

    err = crew_start_all(&h->crew, HP_KIND_HAPTICS, HP_SIDE_CLIENT,
                         &h->client_limits, h->backends, HAPTICS_BACKENDS_MAX,
                         &h->backend_count);
    config.backend_count = h->backend_count;
    if (err < 0 || config.backend_count == 0)
        return err;
    if (effects[0] == '\0') {
        log_warning("haptics: [haptics] effects names no file: nothing will be "
                    "felt");
        return 0;
    }
    err = effects_load(&h->effects, effects, stderr);
    if (err < 0) {
        log_error("haptics: %s: the effects cannot be used: %s", effects,
                  strerror(-err));
        return err;
    }
    config.effects = h->effects;
    config_flag(h->setup->config, "haptics", "unsafe", &config.unsafe);
    roles_read(&config.roles, h->setup->config);
    err = haptics_create(&h->haptics, &config);
    if (err == 0)
        err = haptics_start(h->haptics);
    parts->haptics = h->haptics;
    return err;
}

static int
start_client_plugins(struct host *h, struct client_parts *parts)
{
    const struct hp_limits *limits = &h->client_limits;
    const struct hp_sim_ops *ops = h->sim[1]->ops;
    struct crew *crew = &h->crew;
    uint32_t one;
    int err;

    if (crew_start_all(crew, HP_KIND_BROADCASTER, HP_SIDE_CLIENT, limits,
                       &h->broadcaster[1], 1, &one) < 0 ||
        crew_start_all(crew, HP_KIND_PREDICTOR, HP_SIDE_CLIENT, limits,
                       &h->predictor, 1, &one) < 0 ||
        crew_start_all(crew, HP_KIND_INPUT, HP_SIDE_CLIENT, limits,
                       &parts->input, 1, &one) < 0 ||
        crew_start_all(crew, HP_KIND_CUES, HP_SIDE_CLIENT, limits, parts->cues,
                       CLIENT_CUES_MAX, &parts->cues_count) < 0)
        return -ENODEV;
    err = input_device_start(&h->input_device, parts->input, h->clock);
    if (err < 0)
        return err;
    parts->broadcaster = h->broadcaster[1];
    parts->predictor = h->predictor;
    parts->own_check = ops->own_check;
    parts->model = h->sim[1]->self;
    return start_haptics(h, parts);
}

int
host_start_client(struct host *h)
{
    struct client_parts parts = {0};
    int status = connect_client(h), err;

    if (status != 0)
        return status;
    err = host_start_model(h, client_welcome(h->client));
    if (err < 0)
        return err == -EPROTO ? CMD_UNAVAILABLE : CMD_PLUGIN;
    err = start_client_plugins(h, &parts);
    if (err < 0)
        return err == -EINVAL ? CMD_CONFIG : CMD_PLUGIN;
    if (h->role == HOST_CLIENT &&
        host_start_agents(h, HP_SIDE_CLIENT, &h->client_limits) < 0)
        return CMD_PLUGIN;
    err = client_prepare(h->client, &parts, &h->client_limits);
    if (err == 0)
        err = client_start(h->client);
    if (err < 0) {
        log_error("client: its thread does not start: %s", strerror(-err));
        return CMD_UNAVAILABLE;
    }
    return 0;
}
