/* [host] record: the recording of this host's world. */
#include <config.h>

#include "cmd.h"
#include "data_file.h"
#include "digest.h"
#include "host_private.h"
#include "log.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct listing {
    struct record_header *header;
    const char *section;
    int err;
};

static int
is_file(const struct hp_param *row, const char *value)
{
    return (row->type == HP_PARAM_PATH && *value != '\0') ||
           (row->type == HP_PARAM_DATA && data_file_is_path(row, value));
}

/* Paths are kept absolute, for a replay in another folder. A file that cannot
 * be read has no digest: it may be one that the plugin writes. */
static int
add_param(void *context, const char *section, const struct hp_param *row,
          uint32_t index, const char *value)
{
    struct listing *list = context;
    char *whole = NULL;
    uint64_t digest = 0;

    (void)index;
    if (strcmp(section, list->section) != 0)
        return 0;
    if (is_file(row, value)) {
        whole = realpath(value, NULL);
        digest_file(value, &digest);
    }
    list->err = record_header_param(list->header, row->name,
                                    whole != NULL ? whole : value, digest);
    free(whole);
    return list->err < 0;
}

static int
describe(const struct host *h, struct record_header *r)
{
    const struct instance *sim = h->sim[0];
    const struct hp_limits *limits = &h->server_limits;
    struct listing list = {r, sim->section, 0};
    int err;

    memset(r, 0, sizeof(*r));
    r->side = HP_SIDE_SERVER;
    r->views = (uint32_t)host_flag(h, "host", "record_views");
    snprintf(r->host_version, sizeof(r->host_version), "%s", PACKAGE_VERSION);
    build_id_own(r->host_build);
    snprintf(r->sim_name, sizeof(r->sim_name), "%s", sim->table->name);
    snprintf(r->sim_version, sizeof(r->sim_version), "%s", sim->table->version);
    build_id_of(plugin_file(sim->plugin), r->sim_build);
    r->rate_num = limits->rate_num;
    r->rate_den = limits->rate_den;
    r->clients_max = limits->clients_max;
    r->entities_max = limits->entities_max;
    r->snapshot_bytes_max = limits->snapshot_bytes_max;
    r->window_ticks = limits->window_ticks;
    r->first_tick = 0;
    r->wall_s = clock_wall_s(h->clock);
    err = record_header_schema(r, limits->schema);
    if (err < 0)
        return err;
    config_each(h->setup->config, add_param, &list);
    return list.err;
}

int
host_judge_record(const struct host *h)
{
    const char *path = host_text(h, "host", "record");

    if (*path == '\0' || h->role != HOST_CLIENT)
        return CMD_OK;
    log_error("record: found [host] record = %s with role = client, expected "
              "a server or solo: a client has no world of its own; record "
              "where the server runs",
              path);
    return CMD_CONFIG;
}

static const char *
reason(int err)
{
    return err == -ENXIO ? "nothing reads this pipe; start its reader first"
           : err == -E2BIG
               ? "the sim has more fields or parameters than it can hold"
               : strerror(-err);
}

int
host_open_record(struct host *h)
{
    const char *path = host_text(h, "host", "record");
    struct record_header header;
    int err;

    if (*path == '\0')
        return CMD_OK;
    err = describe(h, &header);
    if (err == 0)
        err = record_create(&h->record, h->clock, path, &header);
    record_header_finish(&header);
    if (err < 0) {
        log_error("record: %s: cannot be written: %s; see [host] record", path,
                  reason(err));
        return CMD_UNAVAILABLE;
    }
    log_info("record: to %s", path);
    return CMD_OK;
}

void
host_stop_record(struct host *h)
{
    struct record_report r;

    if (h->record == NULL)
        return;
    record_stop(h->record, h->waiter);
    record_report(h->record, &r);
    if (r.lost > 0 && r.err == 0)
        log_error("record: %s: broken from tick %" PRIu64 " on: its writer "
                  "could not keep up, %" PRIu64 " ticks are lost",
                  record_path(h->record), r.ticks, r.lost);
    if ((r.lost > 0 || r.err < 0) && h->status == CMD_OK)
        h->status = CMD_NO;
}
