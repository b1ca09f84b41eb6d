/* hardpoint replay FILE: a recorded world, made again and compared. */
#include "clock.h"
#include "cmd.h"
#include "cmd_flags.h"
#include "instance.h"
#include "json.h"
#include "log.h"
#include "replay.h"
#include <errno.h>
#include <ini/ini.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REPLAY_SCHEMA 1

struct replay_flags {
    struct replay_options options;
    const char **overrides;
    int json;
    int dump;
};

static void
usage(FILE *to)
{
    fprintf(to,
            "usage: hardpoint replay [-s SECTION.KEY=VALUE]... FILE\n"
            "       hardpoint replay --dump FILE\n\n"
            "Makes the world of a recording (`hardpoint run --record FILE`) "
            "again, as fast\nas it can, and compares every tick. Exit status: "
            "0 all is equal, 1 something\ndiffers, and the first tick, entity "
            "and field are named; 66 FILE is no whole\nrecording, 70 the sim "
            "fails, 78 it is missing or refuses a key.\n\n"
            "  -s SECTION.KEY=VALUE  gives the sim another parameter than was "
            "recorded\n"
            "      --plugin-path FOLDERS  looks there for the sim first\n"
            "      --from TICK       compares from there on\n"
            "      --until TICK      ends after it\n"
            "      --json            the answer as JSON\n"
            "      --dump            joins, leaves, inputs and hashes as text; "
            "needs no sim\n"
            "      --help            this text\n");
}

static int
parse_tick(const char *flag, const char *text, uint64_t *out)
{
    long long number;

    if (ini_parse_int(text, "", &number, NULL) == 0 && number >= 0) {
        *out = (uint64_t)number;
        return 0;
    }
    fprintf(stderr,
            "hardpoint replay: %s: found \"%s\", expected the number of a "
            "tick, as in %s 600\n",
            flag, text, flag);
    return CMD_USAGE;
}

/* 0, an exit status, or -1: help was given. */
static int
parse(int argc, char **argv, struct replay_flags *out)
{
    static const struct option longs[] = {
        {"plugin-path", required_argument, NULL, 'p'},
        {"from",        required_argument, NULL, 'f'},
        {"until",       required_argument, NULL, 'u'},
        {"json",        no_argument,       NULL, 'j'},
        {"dump",        no_argument,       NULL, 'd'},
        {"help",        no_argument,       NULL, 'h'},
        {NULL,          0,                 NULL, 0  },
    };
    struct replay_options *o = &out->options;
    int flag, status = 0;

    o->until = UINT64_MAX;
    while (status == 0 &&
           (flag = cmd_flag("replay", argc, argv, ":s:h", longs)) != -1) {
        if (flag == 's')
            out->overrides[o->override_count++] = optarg;
        else if (flag == 'p')
            o->plugin_path = optarg;
        else if (flag == 'f')
            status = parse_tick("--from", optarg, &out->options.from);
        else if (flag == 'u')
            status = parse_tick("--until", optarg, &out->options.until);
        else if (flag == 'j')
            out->json = 1;
        else if (flag == 'd')
            out->dump = 1;
        else
            status = flag == 'h' ? -1 : CMD_USAGE;
    }
    if (status == -1)
        usage(stdout);
    if (status != 0)
        return status;
    if (argc - optind > 1)
        return cmd_too_many("replay", argv[optind + 1]);
    if (argc - optind < 1) {
        fprintf(stderr, "hardpoint replay: found no FILE, expected the "
                        "recording to replay\n");
        return CMD_USAGE;
    }
    o->file = argv[optind];
    o->overrides = out->overrides;
    return 0;
}

/* ---- the answer in words ---- */

static void
print_entity(FILE *to, const struct replay_difference *d)
{
    if (d->entity != HP_ENTITY_NONE)
        fprintf(to, ", entity %u (generation %u", d->entity & 0xffff,
                d->entity >> 16);
    if (d->entity != HP_ENTITY_NONE && d->client != HP_CLIENT_NONE)
        fprintf(to, ", client %u", d->client);
    if (d->entity != HP_ENTITY_NONE)
        fprintf(to, ")");
    else if (d->client != HP_CLIENT_NONE)
        fprintf(to, ", client %u", d->client);
}

static void
print_field(FILE *to, const struct replay_difference *d)
{
    const struct record_field *f = d->fields[0];
    int many = f->type == HP_FIELD_QUATERNION || f->count > 1;
    uint32_t k;

    fprintf(to, ", field %s", f->name);
    if (many && d->recorded[0] != '\0')
        fprintf(to, "[%u]", d->element);
    if (d->recorded[0] != '\0') {
        fprintf(to, ": recorded %s %s, replayed %s %s", d->recorded,
                strcmp(f->unit, "1") == 0 ? "" : f->unit, d->replayed,
                strcmp(f->unit, "1") == 0 ? "" : f->unit);
        if (d->value_tick != d->tick)
            fprintf(to, " (at tick %" PRIu64 ", the next whole view)",
                    d->value_tick);
    }
    fprintf(to, "\n");
    if (d->field_count > 1) {
        fprintf(to, "  other fields:");
        for (k = 1; k < d->field_count; k++)
            fprintf(to, " %s", d->fields[k]->name);
        fprintf(to, "%s\n", d->field_count == REPLAY_FIELDS_MAX ? " ..." : "");
    }
    if (d->entities > 1)
        fprintf(to, "  %u entities differ at that tick\n", d->entities);
}

static void
print_difference(FILE *to, const struct replay_difference *d)
{
    if (d->hash_tick < d->tick)
        fprintf(to,
                "differs: tick %" PRIu64 ": the sim's hash: state that no "
                "record shows, until\n",
                d->hash_tick);
    fprintf(to, "differs: tick %" PRIu64, d->tick);
    print_entity(to, d);
    switch (d->what) {
    case REPLAY_JOIN:
        fprintf(to, ": the join comes out otherwise: %s\n", d->sentence);
        break;
    case REPLAY_ENTITY:
        fprintf(to, ": %s\n",
                d->is_missing ? "was recorded and is not there"
                              : "is there and was not recorded");
        break;
    case REPLAY_FIELD:
        print_field(to, d);
        break;
    case REPLAY_RECORD:
        fprintf(to, ": bytes of its record that no field describes\n");
        break;
    case REPLAY_OWN:
        fprintf(to, ": the own state, in what no field of the record shows");
        if (d->recorded[0] != '\0')
            fprintf(to,
                    "; at tick %" PRIu64 " byte %u on: recorded %s, replayed "
                    "%s",
                    d->value_tick, d->offset & ~7u, d->recorded, d->replayed);
        fprintf(to, "\n");
        if (d->entities > 1)
            fprintf(to, "  %u own states differ at that tick\n", d->entities);
        break;
    case REPLAY_EVENTS:
        fprintf(to, ": the events, and no record\n");
        break;
    default:
        fprintf(to, ": the sim's hash: state that no record shows\n");
        break;
    }
}

static double
seconds_of(const struct replay_result *r)
{
    return (double)r->ticks * r->header.rate_den / r->header.rate_num;
}

static void
print_answer(FILE *to, const struct replay_result *r, uint64_t until)
{
    double took = (double)r->took_ns / 1e9;

    if (r->difference.what != REPLAY_EQUAL) {
        print_difference(to, &r->difference);
        return;
    }
    fprintf(to,
            "equal: %" PRIu64 " ticks (%.3f s) in %.3f s, %.1f times as fast; "
            "%" PRIu64 " joins, %" PRIu64 " leaves%s\n",
            r->ticks, seconds_of(r), took, took > 0 ? seconds_of(r) / took : 0,
            r->joins, r->leaves,
            until != UINT64_MAX ? "; the rest was not asked for" : "");
}

/* ---- the answer as JSON ---- */

static void
put_difference(struct json *j, const struct replay_difference *d)
{
    static const char *const words[] = {"equal",  "join",   "entity",
                                        "field",  "record", "own_state",
                                        "events", "hash"};

    json_open_object(j, "difference");
    json_text(j, "what", words[d->what]);
    json_int(j, "tick", (int64_t)d->tick);
    json_int(j, "hash_tick", (int64_t)d->hash_tick);
    if (d->entity != HP_ENTITY_NONE) {
        json_int(j, "slot", d->entity & 0xffff);
        json_int(j, "generation", d->entity >> 16);
    }
    if (d->client != HP_CLIENT_NONE)
        json_int(j, "client", d->client);
    if (d->what == REPLAY_FIELD) {
        json_text(j, "field", d->fields[0]->name);
        json_text(j, "unit", d->fields[0]->unit);
        json_int(j, "element", d->element);
    }
    if (d->what == REPLAY_OWN)
        json_int(j, "offset", d->offset);
    if (d->recorded[0] != '\0') {
        json_int(j, "value_tick", (int64_t)d->value_tick);
        json_text(j, "recorded", d->recorded);
        json_text(j, "replayed", d->replayed);
    }
    if (d->sentence[0] != '\0')
        json_text(j, "sentence", d->sentence);
    json_close_object(j);
}

static void
put_answer(FILE *to, const char *file, const struct replay_result *r,
           const char *end)
{
    double took = (double)r->took_ns / 1e9;
    struct json j;
    uint32_t i;

    json_init(&j, to);
    json_open_object(&j, NULL);
    json_int(&j, "schema", REPLAY_SCHEMA);
    json_text(&j, "file", file);
    json_text(&j, "sim", r->header.sim_name);
    json_text(&j, "sim_version", r->header.sim_version);
    json_text(&j, "sim_build", r->header.sim_build);
    json_flag(&j, "equal", r->difference.what == REPLAY_EQUAL);
    json_int(&j, "ticks", (int64_t)r->ticks);
    json_real(&j, "flown_s", seconds_of(r));
    json_real(&j, "took_s", took);
    json_int(&j, "joins", (int64_t)r->joins);
    json_int(&j, "leaves", (int64_t)r->leaves);
    json_text(&j, "end", end);
    if (r->difference.what != REPLAY_EQUAL)
        put_difference(&j, &r->difference);
    json_open_array(&j, "warnings");
    for (i = 0; i < r->warning_count; i++)
        json_text(&j, NULL, r->warnings[i]);
    json_close_array(&j);
    json_close_object(&j);
    json_finish(&j);
}

static int
answer(const struct replay_flags *flags, const struct replay_result *r)
{
    const char *file = flags->options.file;
    char end[256];
    uint32_t i;

    replay_say_end(r, end, sizeof(end));
    for (i = 0; i < r->warning_count; i++)
        fprintf(stderr, "%s: warning: %s\n", file, r->warnings[i]);
    if (end[0] != '\0')
        fprintf(stderr, "%s: %s: %s\n", file,
                r->state == RECORD_DAMAGED ? "error" : "warning", end);
    if (flags->json)
        put_answer(stdout, file, r, end);
    else
        print_answer(stdout, r, flags->options.until);
    if (r->difference.what != REPLAY_EQUAL)
        return CMD_NO;
    return r->state == RECORD_DAMAGED ? CMD_NO_INPUT : CMD_OK;
}

static int
replay(const struct replay_flags *flags)
{
    struct replay_result *result = calloc(1, sizeof(*result));
    int status;

    if (result == NULL)
        return CMD_PLUGIN;
    status = replay_run(&flags->options, result, stderr);
    log_flush();
    if (status == CMD_OK)
        status = answer(flags, result);
    replay_result_finish(result);
    free(result);
    return status;
}

int
cmd_replay(int argc, char **argv)
{
    struct replay_flags flags;
    int status;

    memset(&flags, 0, sizeof(flags));
    flags.overrides = calloc((size_t)argc, sizeof(*flags.overrides));
    if (flags.overrides == NULL)
        return CMD_PLUGIN;
    status = parse(argc, argv, &flags);
    if (status == CMD_OK && flags.dump) {
        status = replay_dump(flags.options.file, stdout, stderr);
    } else if (status == CMD_OK) {
        instance_install_fault_handler();
        instance_thread_init();
        log_set_level(HP_LOG_WARNING);
        status = replay(&flags);
        instance_thread_finish();
    }
    free(flags.overrides);
    return status < 0 ? CMD_OK : status;
}
