#include "crew.h"
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
has_alternative(const struct crew *crew, uint32_t at)
{
    const struct setup_use *uses = crew->setup->uses;

    return at + 1 < crew->setup->use_count &&
           uses[at + 1].kind == uses[at].kind &&
           uses[at + 1].use == uses[at].use;
}

int
crew_pass_over(struct crew *crew, uint32_t kind, struct instance *of_it)
{
    uint32_t at = first_use(crew, kind);

    if (at == crew->setup->use_count || !has_alternative(crew, at))
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
try_candidate(struct crew *crew, uint32_t at, uint32_t side,
              const struct hp_limits *limits, struct instance **out)
{
    const struct setup_use *use = &crew->setup->uses[at];
    int err;

    err = create(crew, use->plugin, side, crew->setup->config, out);
    if (err < 0)
        return err;
    err = instance_start(*out, limits);
    if (err == 0)
        return 0;
    if (has_alternative(crew, at))
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
        err = try_candidate(crew, i, side, limits, &out[*count]);
        if (err == 0) {
            served = uses[i].use;
            (*count)++;
        } else if (!has_alternative(crew, i)) {
            return err;
        } else {
            crew->passed_over |= 1u << i;
        }
    }
    return 0;
}
