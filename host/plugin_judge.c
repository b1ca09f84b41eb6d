#include "plugin_judge.h"
#include "object.h"
#include "plugin.h"
#include "plugin_params.h"
#include "refuse.h"
#include <errno.h>
#include <hardpoint/hardpoint.h>
#include <string.h>

/* Sizes of 1.0: up to the last member that 1.0 has. */
#define SIZE_TO(type, last) \
    (offsetof(struct type, last) + sizeof(((struct type *)0)->last))

struct op_row {
    const char *name;
    size_t offset;
};
#define OP(kind, member) \
    { \
#        member, offsetof(struct hp_##kind##_ops, member) \
    }

/* What a plugin of each kind must be able to do; other members may be NULL. */
/* clang-format off */
static const struct op_row sim_ops[] = {
    OP(sim, schema), OP(sim, join), OP(sim, leave), OP(sim, step),
    OP(sim, view), OP(sim, own_get), OP(sim, hash), OP(sim, model_step),
    OP(sim, own_check), OP(sim, own_view), {NULL, 0}};
static const struct op_row broadcaster_ops[] = {
    OP(broadcaster, join), OP(broadcaster, leave), OP(broadcaster, acked),
    OP(broadcaster, encode), OP(broadcaster, decode), {NULL, 0}};
static const struct op_row predictor_ops[] = {
    OP(predictor, input), OP(predictor, snapshot), OP(predictor, present),
    OP(predictor, own), OP(predictor, measure), {NULL, 0}};
static const struct op_row cues_ops[] = {
    OP(cues, input), OP(cues, snapshot), {NULL, 0}};
static const struct op_row haptics_ops[] = {
    OP(haptics, devices), OP(haptics, render), OP(haptics, silence),
    {NULL, 0}};
static const struct op_row input_ops[] = {OP(input, poll), {NULL, 0}};
static const struct op_row agent_ops[] = {OP(agent, idle), {NULL, 0}};

static const struct {
    uint32_t kind;
    size_t size; /* of 1.0 */
    const struct op_row *required;
} kinds[] = {
    {HP_KIND_SIM, SIZE_TO(hp_sim_ops, own_view), sim_ops},
    {HP_KIND_BROADCASTER, SIZE_TO(hp_broadcaster_ops, decode), broadcaster_ops},
    {HP_KIND_PREDICTOR, SIZE_TO(hp_predictor_ops, measure), predictor_ops},
    {HP_KIND_CUES, SIZE_TO(hp_cues_ops, snapshot), cues_ops},
    {HP_KIND_HAPTICS, SIZE_TO(hp_haptics_ops, guard), haptics_ops},
    {HP_KIND_INPUT, SIZE_TO(hp_input_ops, work), input_ops},
    {HP_KIND_AGENT, SIZE_TO(hp_agent_ops, idle), agent_ops},
};

static const struct op_row lifecycle[] = {
    {"create", offsetof(struct hp_plugin, create)},
    {"start", offsetof(struct hp_plugin, start)},
    {"stop", offsetof(struct hp_plugin, stop)},
    {"destroy", offsetof(struct hp_plugin, destroy)},
    {"ops", offsetof(struct hp_plugin, ops)},
    {NULL, 0}};
/* clang-format on */

/* The first member of `rows` that is NULL in `table`, or NULL. */
static const char *
first_missing(const void *table, const struct op_row *rows)
{
    void *value;

    for (; rows->name != NULL; rows++) {
        memcpy(&value, (const char *)table + rows->offset, sizeof(value));
        if (value == NULL)
            return rows->name;
    }
    return NULL;
}

/* What note and table have in common, judged the same way. */
static int
judge_versions(const char *file, unsigned min_minor, uint32_t kind,
               uint32_t flags, char *why)
{
    uint32_t unknown = flags & HP_PLUGIN_FLAGS_MUST;

    if (min_minor > HP_ABI_MINOR)
        return refuse(why, -EPROTO,
                      "%s: needs a host of ABI %d.%u or later, this host has "
                      "%d.%d; use a newer host, or an older release of the "
                      "plugin",
                      file, HP_ABI_MAJOR, min_minor, HP_ABI_MAJOR,
                      HP_ABI_MINOR);
    if (plugin_kind_name(kind) == NULL)
        return refuse(why, -EPROTO,
                      "%s: is of kind %u, which this host (ABI %d.%d) does "
                      "not know; use a newer host",
                      file, (unsigned)kind, HP_ABI_MAJOR, HP_ABI_MINOR);
    if (unknown != 0)
        return refuse(why, -EPROTO,
                      "%s: demands what this host (ABI %d.%d) does not know "
                      "(flags 0x%08x); use a newer host",
                      file, HP_ABI_MAJOR, HP_ABI_MINOR, (unsigned)unknown);
    return 0;
}

int
plugin_judge_note(const char *file, const struct hp_note *note, uint32_t kind,
                  const char *name, char *why)
{
    int err;

    if (note->abi_major != HP_ABI_MAJOR)
        return refuse(why, -EPROTO,
                      "%s: is built for ABI %u.%u, this host has %d.%d; build "
                      "it with this host's headers, or use a host of ABI %u",
                      file, note->abi_major, note->abi_minor, HP_ABI_MAJOR,
                      HP_ABI_MINOR, note->abi_major);
    err =
        judge_versions(file, note->abi_min_minor, note->kind, note->flags, why);
    if (err < 0)
        return err;
    if (!plugin_name_is_good(note->name))
        return refuse(why, -EINVAL,
                      "%s: its name is \"%s\", expected small letters, digits "
                      "and _, a letter first; give it another HP_NAME",
                      file, note->name);
    if (kind != 0 && note->kind != kind)
        return refuse(why, -EINVAL,
                      "%s: is a plugin of kind %s, expected %s; name it under "
                      "%s in [plugins]",
                      file, plugin_kind_name(note->kind),
                      plugin_kind_name(kind), plugin_kind_name(note->kind));
    if (name != NULL && strcmp(note->name, name) != 0)
        return refuse(why, -EINVAL,
                      "%s: calls itself \"%s\", expected \"%s\"; rename the "
                      "file to %s_%s.so, or its HP_NAME",
                      file, note->name, name, plugin_kind_name(note->kind),
                      note->name);
    return 0;
}

#if defined(__SANITIZE_ADDRESS__)
#    define HOST_HAS_ASAN 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define HOST_HAS_ASAN 1
#    endif
#endif
#ifndef HOST_HAS_ASAN
#    define HOST_HAS_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__)
#    define HOST_HAS_TSAN 1
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define HOST_HAS_TSAN 1
#    endif
#endif
#ifndef HOST_HAS_TSAN
#    define HOST_HAS_TSAN 0
#endif

int
plugin_judge_object(const struct object *o, char *why)
{
    static const struct {
        const char *symbol, *name, *option;
        int host_has_it;
    } sanitizers[] = {
        {"__asan_init", "AddressSanitizer", "address", HOST_HAS_ASAN},
        {"__tsan_init", "ThreadSanitizer",  "thread",  HOST_HAS_TSAN},
    };
    size_t i;

    for (i = 0; i < sizeof(sanitizers) / sizeof(sanitizers[0]); i++)
        if (!sanitizers[i].host_has_it &&
            object_mentions(o, sanitizers[i].symbol))
            return refuse(why, -ENOEXEC,
                          "%s: is built with %s, this host is not, and the "
                          "sanitizer would end it; build the plugin without "
                          "-fsanitize=%s, or the host with --enable-sanitize",
                          o->file, sanitizers[i].name, sanitizers[i].option);
    return 0;
}

static int
judge_texts(const char *file, const struct hp_plugin *t,
            const struct hp_note *note, char *why)
{
    const struct {
        const char *what, *in_table, *in_note;
        size_t bytes; /* the note's field; a longer text is cut there */
    } rows[] = {
        {"name",    t->name,    note->name,    sizeof(note->name)   },
        {"version", t->version, note->version, sizeof(note->version)},
        {"summary", t->summary, note->summary, sizeof(note->summary)},
        {"license", t->license, note->license, sizeof(note->license)},
        {"author",  t->author,  note->author,  sizeof(note->author) },
    };
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].in_table == NULL)
            return refuse(why, -EINVAL,
                          "%s: hp_plugin_v1 has no %s; begin the table with "
                          "HP_PLUGIN_HEAD",
                          file, rows[i].what);
        if (strncmp(rows[i].in_table, rows[i].in_note, rows[i].bytes - 1) != 0)
            return refuse(why, -EINVAL,
                          "%s: its table says %s \"%.64s\", its note \"%s\"; "
                          "use HP_PLUGIN_NOTE and HP_PLUGIN_HEAD, which say "
                          "the same",
                          file, rows[i].what, rows[i].in_table,
                          rows[i].in_note);
    }
    return 0;
}

static int
judge_agreement(const char *file, const struct hp_plugin *t,
                const struct hp_note *note, char *why)
{
    const struct {
        const char *what;
        unsigned in_table, in_note;
    } rows[] = {
        {"ABI minor",         t->abi_minor,     note->abi_minor    },
        {"oldest host minor", t->abi_min_minor, note->abi_min_minor},
        {"kind",              t->kind,          note->kind         },
        {"flags",             t->flags,         note->flags        },
    };
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].in_table != rows[i].in_note)
            return refuse(why, -EINVAL,
                          "%s: its table says %s %u, its note %u; use "
                          "HP_PLUGIN_NOTE and HP_PLUGIN_HEAD, which say the "
                          "same",
                          file, rows[i].what, rows[i].in_table,
                          rows[i].in_note);
    return judge_texts(file, t, note, why);
}

static int
judge_ops(const char *file, const struct hp_plugin *t, char *why)
{
    const char *kind = plugin_kind_name(t->kind);
    const char *missing;
    uint32_t size;
    size_t i;

    for (i = 0; kinds[i].kind != t->kind; i++)
        ;
    memcpy(&size, t->ops, sizeof(size));
    if (size < kinds[i].size)
        return refuse(why, -EINVAL,
                      "%s: its struct hp_%s_ops says size %u, expected at "
                      "least %zu (ABI 1.0); begin it with sizeof(struct "
                      "hp_%s_ops)",
                      file, kind, (unsigned)size, kinds[i].size, kind);
    missing = first_missing(t->ops, kinds[i].required);
    if (missing != NULL)
        return refuse(why, -EINVAL,
                      "%s: has no %s in its struct hp_%s_ops, which every "
                      "%s plugin must have; add it",
                      file, missing, kind, kind);
    return 0;
}

int
plugin_judge_table(const char *file, const struct hp_plugin *t, size_t bytes,
                   const struct hp_note *note, char *why)
{
    const size_t size_1_0 = SIZE_TO(hp_plugin, reload);
    const char *missing;
    int err;

    if (bytes != 0 && bytes < sizeof(t->size))
        return refuse(why, -EINVAL,
                      "%s: hp_plugin_v1 is %zu bytes long, expected at least "
                      "%zu (ABI 1.0); it must be a struct hp_plugin",
                      file, bytes, size_1_0);
    if (t->size < size_1_0 || (bytes != 0 && bytes < t->size))
        return refuse(why, -EINVAL,
                      "%s: hp_plugin_v1 says size %u and is %zu bytes long, "
                      "expected at least %zu (ABI 1.0); begin it with "
                      "HP_PLUGIN_HEAD",
                      file, (unsigned)t->size, bytes, size_1_0);
    err = judge_versions(file, t->abi_min_minor, t->kind, t->flags, why);
    if (err < 0)
        return err;
    err = judge_agreement(file, t, note, why);
    if (err < 0)
        return err;
    missing = first_missing(t, lifecycle);
    if (missing != NULL)
        return refuse(why, -EINVAL,
                      "%s: has no %s in hp_plugin_v1, which every plugin must "
                      "have; add it",
                      file, missing);
    err = judge_ops(file, t, why);
    if (err < 0)
        return err;
    return plugin_judge_params(file, t, why);
}
