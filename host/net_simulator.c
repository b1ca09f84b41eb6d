#include "net_simulator.h"
#include <assert.h>
#include <errno.h>
#include <ini/ini.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS         1000000.0
#define REORDER_LEAST_MS  10.0
#define REORDER_SPREAD_MS 40.0
#define SETTING_MAX       48

/* One datagram on its way; a duplicate is another. */
struct travelling {
    uint64_t due_ns;
    uint64_t order; /* of those due at once, the first put arrives first */
    struct net_datagram datagram;
};

struct net_link {
    struct net_simulator simulator;
    uint64_t random;
    uint64_t next_order;
    uint64_t lost;
    net_mangler *mangle; /* NULL: none */
    void *mangle_context;
    uint32_t capacity;
    uint32_t count;
    struct travelling *room;
    uint32_t *heap; /* of indices into room, soonest first; the free ones
                     * follow the `count` that are used */
};

/* ---- settings ---- */

int
net_simulator_is_on(const struct net_simulator *s)
{
    return s->delay_ms > 0 || s->jitter_ms > 0 || s->loss_percent > 0 ||
           s->duplicate_percent > 0 || s->reorder_percent > 0;
}

static int
parse_value(const char *text, double maximum, double *out)
{
    double value;

    if (ini_parse_real(text, "", &value, NULL) < 0 ||
        !(value >= 0 && value <= maximum))
        return -EINVAL;
    *out = value;
    return 0;
}

static int
parse_setting(char *setting, struct net_simulator *out)
{
    char *value = strchr(setting, '=');
    long long seed;

    if (value == NULL)
        return -EINVAL;
    *value++ = '\0';
    if (strcmp(setting, "delay") == 0)
        return parse_value(value, NET_SIMULATOR_MS_MAX, &out->delay_ms);
    if (strcmp(setting, "jitter") == 0)
        return parse_value(value, NET_SIMULATOR_MS_MAX, &out->jitter_ms);
    if (strcmp(setting, "loss") == 0)
        return parse_value(value, 100, &out->loss_percent);
    if (strcmp(setting, "duplicate") == 0)
        return parse_value(value, 100, &out->duplicate_percent);
    if (strcmp(setting, "reorder") == 0)
        return parse_value(value, 100, &out->reorder_percent);
    if (strcmp(setting, "seed") != 0 ||
        ini_parse_int(value, "", &seed, NULL) < 0 || seed < 0)
        return -EINVAL;
    out->seed = (uint64_t)seed;
    return 0;
}

int
net_simulator_parse(const char *text, struct net_simulator *out)
{
    struct net_simulator parsed = {0};
    char setting[SETTING_MAX];
    size_t length;

    for (;;) {
        length = strcspn(text, ",");
        if (length >= sizeof(setting))
            return -EINVAL;
        memcpy(setting, text, length);
        setting[length] = '\0';
        if (parse_setting(setting, &parsed) < 0)
            return -EINVAL;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    *out = parsed;
    return 0;
}

/* ---- chance ---- */

/* splitmix64: any seed will do, and every draw is a good one. */
static uint64_t
draw(struct net_link *link)
{
    uint64_t z = link->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 .. 1, never 1. */
static double
chance(struct net_link *link)
{
    return (double)(draw(link) >> 11) * 0x1p-53;
}

/* Draws even when the answer is known, so that one setting does not shift the
 * luck of another. */
static int
happens(struct net_link *link, double percent)
{
    return chance(link) * 100 < percent;
}

static uint64_t
draw_delay_ns(struct net_link *link)
{
    const struct net_simulator *s = &link->simulator;
    double ms = s->delay_ms + (2 * chance(link) - 1) * s->jitter_ms;
    double more_ms = REORDER_LEAST_MS + REORDER_SPREAD_MS * chance(link);

    if (ms < 0)
        ms = 0;
    if (happens(link, s->reorder_percent))
        ms += more_ms;
    return (uint64_t)(ms * NS_PER_MS);
}

/* ---- the datagrams on their way: a binary heap ---- */

static int
is_sooner(const struct net_link *link, uint32_t a, uint32_t b)
{
    const struct travelling *x = &link->room[link->heap[a]];
    const struct travelling *y = &link->room[link->heap[b]];

    return x->due_ns != y->due_ns ? x->due_ns < y->due_ns : x->order < y->order;
}

static void
swap(struct net_link *link, uint32_t a, uint32_t b)
{
    uint32_t index = link->heap[a];

    link->heap[a] = link->heap[b];
    link->heap[b] = index;
}

static void
rise(struct net_link *link, uint32_t at)
{
    for (; at > 0 && is_sooner(link, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(link, at, (at - 1) / 2);
}

static void
sink(struct net_link *link, uint32_t at)
{
    uint32_t child;

    for (; (child = 2 * at + 1) < link->count; at = child) {
        if (child + 1 < link->count && is_sooner(link, child + 1, child))
            child++;
        if (!is_sooner(link, child, at))
            return;
        swap(link, at, child);
    }
}

static void
send_off(struct net_link *link, const struct net_datagram *datagram,
         uint64_t due_ns)
{
    struct travelling *t;

    if (link->count == link->capacity) {
        link->lost++;
        return;
    }
    t = &link->room[link->heap[link->count]];
    t->due_ns = due_ns;
    t->order = link->next_order++;
    t->datagram.host = datagram->host;
    t->datagram.port = datagram->port;
    t->datagram.count = datagram->count;
    memcpy(t->datagram.bytes, datagram->bytes, datagram->count);
    if (link->mangle != NULL)
        link->mangle(link->mangle_context, &t->datagram);
    rise(link, link->count++);
}

void
net_link_put(struct net_link *link, const struct net_datagram *datagram,
             uint64_t now_ns)
{
    int is_lost = happens(link, link->simulator.loss_percent);
    int is_doubled = happens(link, link->simulator.duplicate_percent);
    uint64_t delay_ns = draw_delay_ns(link), again_ns = draw_delay_ns(link);

    assert(datagram->count <= sizeof(datagram->bytes));
    if (is_lost) {
        link->lost++;
        return;
    }
    send_off(link, datagram, now_ns + delay_ns);
    if (is_doubled)
        send_off(link, datagram, now_ns + again_ns);
}

uint64_t
net_link_due_ns(const struct net_link *link)
{
    return link->count == 0 ? UINT64_MAX : link->room[link->heap[0]].due_ns;
}

/* The slot taken goes behind the used ones, where it stays whole until the
 * next put. */
const struct net_datagram *
net_link_take(struct net_link *link, uint64_t now_ns)
{
    if (net_link_due_ns(link) > now_ns || link->count == 0)
        return NULL;
    swap(link, 0, --link->count);
    sink(link, 0);
    return &link->room[link->heap[link->count]].datagram;
}

uint64_t
net_link_lost(const struct net_link *link)
{
    return link->lost;
}

/* ---- life ---- */

int
net_link_create(struct net_link **out, const struct net_simulator *simulator,
                uint64_t stream, uint32_t capacity)
{
    struct net_link *link = calloc(1, sizeof(*link));
    uint32_t i;

    if (link == NULL)
        return -ENOMEM;
    link->simulator = *simulator;
    link->random = simulator->seed * UINT64_C(0xd1342543de82ef95) + stream;
    link->capacity = capacity;
    link->room = calloc(capacity, sizeof(*link->room));
    link->heap = calloc(capacity, sizeof(*link->heap));
    if (link->room == NULL || link->heap == NULL) {
        net_link_destroy(link);
        return -ENOMEM;
    }
    for (i = 0; i < capacity; i++)
        link->heap[i] = i;
    *out = link;
    return 0;
}

void
net_link_change(struct net_link *link, const struct net_simulator *simulator)
{
    link->simulator = *simulator;
}

void
net_link_mangle(struct net_link *link, net_mangler *mangle, void *context)
{
    link->mangle = mangle;
    link->mangle_context = context;
}

void
net_link_destroy(struct net_link *link)
{
    if (link == NULL)
        return;
    free(link->room);
    free(link->heap);
    free(link);
}
