#include "crew.h"
#include "config.h"
#include "log.h"
#include <errno.h>
#include <string.h>

void
crew_init(struct crew *crew, struct setup *setup, struct clock *clock,
          uint64_t budget_ns)
{
    memset(crew, 0, sizeof(*crew));
    crew->setup = setup;
    crew->clock = clock;
    crew->budget_ns = budget_ns;
}

void
crew_finish(struct crew *crew)
{
    while (crew->count > 0) {
        crew->count--;
        instance_stop(crew->all[crew->count]);
        instance_destroy(crew->all[crew->count]);
    }
}

static int
is_passed_over(const struct crew *crew, uint32_t use)
{
    return crew->passed_over >> use & 1;
}

/* The first use of a kind that may still be taken, or use_count. */
static uint32_t
first_use(const struct crew *crew, uint32_t kind)
{
    uint32_t i;

    for (i = 0; i < crew->setup->use_count; i++)
        if (crew->setup->uses[i].kind == kind && !is_passed_over(crew, i))
            break;
    return i;
}

struct plugin *
crew_plugin(const struct crew *crew, uint32_t kind)
{
    uint32_t i = first_use(crew, kind);

    return i < crew->setup->use_count ? crew->setup->uses[i].plugin : NULL;
}

static int
create(struct crew *crew, struct plugin *plugin, uint32_t side,
       struct config *config, struct instance **out)
{
    int err;

    if (crew->count == CREW_MAX) {
        log_error("plugins: more than %d instances: name fewer in [plugins]",
                  CREW_MAX);
        return -ENOSPC;
    }
    err = instance_create(out, plugin, config, crew->clock, side);
    if (err < 0)
        return err;
    (*out)->budget_ns = crew->budget_ns;
    if (side == HP_SIDE_SERVER)
        (*out)->jobs = crew->jobs;
    crew->all[crew->count++] = *out;
    return 0;
}

/* Undoes the newest create. */
static void
drop_newest(struct crew *crew)
{
    instance_destroy(crew->all[--crew->count]);
}

static int
has_alternative(const struct setup *setup, uint32_t at)
{
    const struct setup_use *uses = setup->uses;

    return at + 1 < setup->use_count && uses[at + 1].kind == uses[at].kind &&
           uses[at + 1].use == uses[at].use;
}

int
crew_pass_over(struct crew *crew, uint32_t kind, struct instance *of_it)
{
    uint32_t at = first_use(crew, kind);

    if (at == crew->setup->use_count || !has_alternative(crew->setup, at))
        return 0;
    if (of_it != NULL)
        drop_newest(crew);
    crew->passed_over |= 1u << at;
    log_warning("[plugins] %s: %s is passed over; the next of the list, %s, is "
                "tried",
                plugin_kind_name(kind), crew->setup->uses[at].name,
                crew->setup->uses[at + 1].name);
    return 1;
}

int
crew_create(struct crew *crew, uint32_t kind, uint32_t side,
            struct config *config, struct instance **out)
{
    return create(crew, crew_plugin(crew, kind), side, config, out);
}

static const char *
reason(const struct instance *i, int err)
{
    return i->failure[0] != '\0' ? i->failure : strerror(-err);
}

int
crew_start(struct instance *i, const struct hp_limits *limits)
{
    int err = instance_start(i, limits);

    if (err < 0)
        log_error("%s: does not start: %s", i->label, reason(i, err));
    return err;
}

/* One candidate: 0 and `out`, or why not; told as a warning when another may
 * take its place, else as an error. */
static int
try_candidate(struct crew *crew, const struct setup *setup, uint32_t at,
              uint32_t side, const struct hp_limits *limits,
              struct instance **out)
{
    const struct setup_use *use = &setup->uses[at];
    int err;

    err = create(crew, use->plugin, side, setup->config, out);
    if (err < 0)
        return err;
    err = instance_start(*out, limits);
    if (err == 0)
        return 0;
    if (has_alternative(setup, at))
        log_warning("%s: does not start: %s; the next of the list is tried",
                    (*out)->label, reason(*out, err));
    else
        log_error("%s: does not start: %s", (*out)->label, reason(*out, err));
    drop_newest(crew);
    return err;
}

int
crew_start_all(struct crew *crew, uint32_t kind, uint32_t side,
               const struct hp_limits *limits, struct instance **out,
               uint32_t capacity, uint32_t *count)
{
    const struct setup_use *uses = crew->setup->uses;
    uint32_t i, served = UINT32_MAX;
    int err = 0;

    *count = 0;
    for (i = 0; i < crew->setup->use_count; i++) {
        if (uses[i].kind != kind || uses[i].use == served ||
            is_passed_over(crew, i))
            continue;
        if (*count == capacity) {
            log_error("plugins: more than %u of kind %s: name fewer in "
                      "[plugins]",
                      capacity, plugin_kind_name(kind));
            return -ENOSPC;
        }
        err = try_candidate(crew, crew->setup, i, side, limits, &out[*count]);
        if (err == 0) {
            served = uses[i].use;
            (*count)++;
        } else if (!has_alternative(crew->setup, i)) {
            return err;
        } else {
            crew->passed_over |= 1u << i;
        }
    }
    return 0;
}

/* ---- reload ---- */

static int
is_among(const struct instance *i, struct instance *const *list, uint32_t count)
{
    uint32_t k;

    for (k = 0; k < count; k++)
        if (list[k] == i)
            return 1;
    return 0;
}

/* The instance that is what a use of `next` wants. A plugin whose file was
 * replaced is another one. */
static struct instance *
find_same(const struct crew *crew, const struct setup *next, uint32_t at,
          uint32_t side, struct instance *const *taken, uint32_t taken_count)
{
    const struct setup_use *use = &next->uses[at];
    struct instance *i;
    uint32_t k;

    for (k = 0; k < crew->count; k++) {
        i = crew->all[k];
        if (i->side == side && i->table == plugin_table(use->plugin) &&
            !is_among(i, taken, taken_count) &&
            config_is_same_section(crew->setup->config, next->config,
                                   i->section))
            return i;
    }
    return NULL;
}

int
crew_renew(struct crew *crew, struct setup *next, uint32_t kind, uint32_t side,
           const struct hp_limits *limits, struct instance **out,
           uint32_t capacity, uint32_t *count)
{
    const struct setup_use *uses = next->uses;
    uint32_t i, before = crew->count, served = UINT32_MAX;
    int err = 0;

    *count = 0;
    for (i = 0; i < next->use_count && err == 0; i++) {
        if (uses[i].kind != kind || uses[i].use == served)
            continue;
        if (*count == capacity)
            err = -ENOSPC;
        else {
            out[*count] = find_same(crew, next, i, side, out, *count);
            if (out[*count] == NULL)
                err = try_candidate(crew, next, i, side, limits, &out[*count]);
        }
        if (err == 0) {
            served = uses[i].use;
            (*count)++;
        } else if (has_alternative(next, i))
            err = 0;
    }
    while (err < 0 && crew->count > before)
        crew_dismiss(crew, crew->all[crew->count - 1]);
    return err;
}

void
crew_dismiss(struct crew *crew, struct instance *i)
{
    uint32_t k, kept = 0;

    for (k = 0; k < crew->count; k++)
        if (crew->all[k] != i)
            crew->all[kept++] = crew->all[k];
    crew->count = kept;
    instance_stop(i);
    instance_destroy(i);
}
