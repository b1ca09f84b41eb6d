/* A reload that names other haptics backends, or other parameters for them. */
#include "config.h"
#include "host_private.h"
#include "log.h"
#include <errno.h>
#include <string.h>

static int
is_among(const struct instance *i, const struct host_swap *swap)
{
    uint32_t k;

    for (k = 0; k < swap->count; k++)
        if (swap->backends[k] == i)
            return 1;
    return 0;
}

static int
is_changed(const struct host *h, const struct host_swap *swap)
{
    return swap->count != h->backend_count ||
           memcmp(swap->backends, h->backends,
                  swap->count * sizeof(swap->backends[0])) != 0;
}

static void
undo(struct host *h, const struct host_swap *swap)
{
    uint32_t i, k;
    int was_there;

    for (i = 0; i < swap->count; i++) {
        was_there = 0;
        for (k = 0; k < h->backend_count; k++)
            was_there |= h->backends[k] == swap->backends[i];
        if (!was_there)
            crew_dismiss(&h->crew, swap->backends[i]);
    }
}

/* Two backends that have opened one device are not its masters both: the new
 * one is told no level before the swap. */
int
host_prepare_swap(struct host *h, struct setup *next, struct host_swap *swap)
{
    int err;

    memset(swap, 0, sizeof(*swap));
    if (h->client == NULL)
        return 0;
    err = crew_renew(&h->crew, next, HP_KIND_HAPTICS, HP_SIDE_CLIENT,
                     &h->client_limits, swap->backends, HAPTICS_BACKENDS_MAX,
                     &swap->count);
    if (err < 0)
        return err;
    swap->is_due = 1;
    if (h->haptics != NULL || !is_changed(h, swap))
        return 0;
    log_error("reload: [plugins] haptics: there was no backend, or no effects "
              "file, at the start: restart to use one");
    undo(h, swap);
    return -EINVAL;
}

/* Those that stay were opened by `next` as well: its handle is the one that
 * remains. */
static void
adopt(struct host *h, const struct host_swap *swap)
{
    const struct setup *s = h->setup;
    struct instance *i;
    uint32_t k, u;

    for (k = 0; k < swap->count; k++) {
        i = swap->backends[k];
        i->config = s->config;
        for (u = 0; u < s->use_count; u++)
            if (plugin_table(s->uses[u].plugin) == i->table)
                i->plugin = s->uses[u].plugin;
    }
}

static void
swap_backends(struct host *h, const struct host_swap *swap)
{
    struct instance *gone[HAPTICS_BACKENDS_MAX];
    uint32_t i, gone_count = 0;

    for (i = 0; i < h->backend_count; i++)
        if (!is_among(h->backends[i], swap))
            gone[gone_count++] = h->backends[i];
    if (haptics_swap(h->haptics, swap->backends, swap->count, h->waiter) < 0)
        log_error("haptics: not every new backend is served: see above");
    for (i = 0; i < gone_count; i++)
        crew_dismiss(&h->crew, gone[i]);
    memcpy(h->backends, swap->backends, sizeof(h->backends));
    h->backend_count = swap->count;
}

static void
tell(const struct host *h)
{
    struct haptics_report r;
    uint32_t i;

    haptics_report(h->haptics, &r);
    for (i = 0; i < h->backend_count; i++)
        log_info("reload: %s is in use", h->backends[i]->section);
    if (h->backend_count == 0)
        log_info("reload: no haptics backend is in use");
    log_info("reload: the backends were swapped in %llu ms at most so far",
             (unsigned long long)(r.swap_ns_max / 1000000));
}

void
host_commit_swap(struct host *h, const struct host_swap *swap)
{
    struct roles roles;

    if (swap->is_due)
        adopt(h, swap);
    if (swap->is_due && h->haptics != NULL) {
        roles_read(&roles, h->setup->config);
        haptics_set_roles(h->haptics, &roles);
        if (is_changed(h, swap)) {
            swap_backends(h, swap);
            tell(h);
        }
    }
    setup_forget(h->setup);
}
