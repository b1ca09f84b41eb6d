/* hardpoint replay --dump: a recording as text, without its sim. */
#include "cmd.h"
#include "replay.h"
#include <inttypes.h>
#include <string.h>

struct dump {
    FILE *to;
    struct record_header header;
    struct record_codec codec;
    struct hp_input last[RECORD_CLIENTS_MAX];
};

static void
print_header(FILE *to, const char *file, const struct record_header *h)
{
    uint32_t i;

    fprintf(to, "recording %s\nhost %s build %s\nsim %s %s build %s\n", file,
            h->host_version, h->host_build, h->sim_name, h->sim_version,
            h->sim_build);
    fprintf(to,
            "rate %u/%u Hz\nclients_max %u\nentities_max %u\nfirst tick "
            "%" PRIu64 "\nbegun %" PRId64 " s after 1970\nwhole views %s\n",
            h->rate_num, h->rate_den, h->clients_max, h->entities_max,
            h->first_tick, h->wall_s, h->views ? "each tick" : "once a second");
    fprintf(to, "record %s version %u: %u bytes, own state %u bytes\n",
            h->schema_name, h->schema_version, h->record_bytes, h->own_bytes);
    for (i = 0; i < h->field_count; i++)
        fprintf(to, "field %s (%s) type %u at %u, %u of it\n",
                h->fields[i].name, h->fields[i].unit, h->fields[i].type,
                h->fields[i].offset, h->fields[i].count);
    for (i = 0; i < h->param_count; i++)
        fprintf(to, "parameter %s = %s\n", h->params[i].key,
                h->params[i].value);
}

/* Only what changed: a hand that rests says nothing. */
static void
print_input(struct dump *d, const struct hp_client_input *in)
{
    static const char *const axes[HP_AXIS_COUNT] = {
        "roll", "pitch", "yaw", "throttle", "brake", "axis5", "axis6", "axis7"};
    struct hp_input *was = &d->last[in->client];
    int a;

    if (memcmp(was, &in->input, sizeof(*was)) == 0)
        return;
    fprintf(d->to, "  client %u", in->client);
    for (a = 0; a < HP_AXIS_COUNT; a++)
        if (was->axes[a] != in->input.axes[a])
            fprintf(d->to, " %s %d", axes[a], in->input.axes[a]);
    if (was->buttons != in->input.buttons)
        fprintf(d->to, " buttons %#x", in->input.buttons);
    if (was->flags != in->input.flags)
        fprintf(d->to, " flags %#x", in->input.flags);
    fprintf(d->to, "\n");
    *was = in->input;
}

static int
print_tick(struct dump *d, const struct record_frame *f)
{
    struct record_tick t;
    uint32_t i;
    int err = record_get_tick(&d->codec, f->body, f->bytes, &t);

    if (err < 0)
        return err;
    fprintf(d->to,
            "tick %" PRIu64 " hash %016" PRIx64
            " clients %u entities %u events %u%s\n",
            t.tick, t.hash, t.input_count, t.count, t.event_count,
            t.view != NULL ? " view" : "");
    for (i = 0; i < t.input_count; i++)
        print_input(d, &t.inputs[i]);
    return 0;
}

static int
print_frame(struct dump *d, const struct record_frame *f)
{
    struct record_join join;
    uint32_t client, why;
    uint64_t lost;
    int err = 0;

    switch (f->kind) {
    case RECORD_JOIN:
        err = record_get_join(&d->codec, f->body, f->bytes, &join);
        if (err < 0)
            break;
        fprintf(d->to, "join client %u options \"%s\" result %d\n", join.client,
                join.options, join.result);
        memset(&d->last[join.client], 0, sizeof(d->last[0]));
        break;
    case RECORD_LEAVE:
        err = record_get_leave(&d->codec, f->body, f->bytes, &client);
        if (err == 0)
            fprintf(d->to, "leave client %u\n", client);
        break;
    case RECORD_TICK:
        err = print_tick(d, f);
        break;
    case RECORD_RELOAD:
        fprintf(d->to, "reload of live parameters\n");
        break;
    case RECORD_END:
        err = record_get_end(f->body, f->bytes, &why, &lost);
        if (err == 0)
            fprintf(d->to, "end: %s, %" PRIu64 " ticks lost\n",
                    why == RECORD_END_STOP ? "the host stopped"
                                           : "the writer could not keep up",
                    lost);
        break;
    default:
        fprintf(d->to, "an entry of kind %u, unknown to this release\n",
                f->kind);
        break;
    }
    return err;
}

static int
print_frames(struct dump *d, struct record_reader *reader, const char *file,
             FILE *errors)
{
    struct record_frame frame;
    int got = 0, err = 0;

    while (err == 0 && (got = record_reader_next(reader, &frame)) > 0)
        err = print_frame(d, &frame);
    if (got < 0)
        return CMD_PLUGIN;
    if (err == 0 && reader->state != RECORD_DAMAGED) {
        if (reader->state == RECORD_TORN)
            fprintf(errors, "%s: warning: is torn at byte %" PRIu64 "\n", file,
                    reader->offset);
        return CMD_OK;
    }
    fprintf(errors, "%s: error: is damaged from byte %" PRIu64 " on\n", file,
            reader->offset);
    return CMD_NO_INPUT;
}

int
replay_dump(const char *file, FILE *to, FILE *errors)
{
    static struct dump d;
    struct record_reader reader;
    int status;

    d.to = to;
    memset(&reader, 0, sizeof(reader));
    status = replay_open(&reader, file, &d.header, errors);
    if (status == CMD_OK && record_codec_init(&d.codec, &d.header) < 0)
        status = CMD_PLUGIN;
    if (status == CMD_OK) {
        print_header(to, file, &d.header);
        status = print_frames(&d, &reader, file, errors);
    }
    record_codec_finish(&d.codec);
    record_header_finish(&d.header);
    record_reader_close(&reader);
    return status;
}
