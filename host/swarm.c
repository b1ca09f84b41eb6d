#include "swarm.h"
#include "cmd.h"
#include "log.h"
#include "net_address.h"
#include "swarm_private.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define SECOND_NS      1000000000ull
#define SETTLE_NS      SECOND_NS /* after the last join: clocks find their phase */
#define LOOK_NS        (SECOND_NS / 10) /* signals, progress and the log */
#define EVENTS_MAX     128
#define LATE_OFTEN     0.05
#define CPU_NEARLY_ONE 0.9

struct swarm_result *
swarm_result_create(void)
{
    struct swarm_result *r = calloc(1, sizeof(*r));

    if (r == NULL)
        return NULL;
    hist_init(&r->join_ns);
    hist_init(&r->rtt_ns);
    hist_init(&r->input_to_snapshot_ns);
    hist_init(&r->loop_ns);
    return r;
}

const char *
swarm_bottleneck(const struct swarm_result *r)
{
    if (r->cpu_cores > CPU_NEARLY_ONE)
        return "the swarm itself was the bottleneck: its one thread was busy "
               "nearly all the time; use fewer clients, or --light";
    if (r->late_share > LATE_OFTEN)
        return "the swarm itself was the bottleneck: its ticks often began "
               "more than a tenth of a period late; use fewer clients, "
               "--light, or a machine with more cores";
    return NULL;
}

/* ---- the loop ---- */

static uint64_t
now(const struct swarm *s)
{
    return clock_now_ns(s->host.clock);
}

/* When client `i` begins to connect: all of them spread over the ramp. */
static uint64_t
ramp_ns(const struct swarm *s, uint32_t i)
{
    return s->start_ns + s->options->ramp_ns * i / s->options->clients;
}

static void
begin_clients(struct swarm *s)
{
    while (s->status == 0 && s->begun < s->options->clients &&
           ramp_ns(s, s->begun) <= now(s))
        s->status = swarm_client_begin(s, s->begun++);
}

static void
serve_due(struct swarm *s)
{
    uint64_t due_ns, from_ns = now(s);
    uint32_t i;

    /* What becomes due meanwhile waits until the sockets were read. */
    while (s->status == 0 &&
           (i = due_heap_first(&s->due, &due_ns)) != DUE_HEAP_NONE &&
           due_ns <= from_ns)
        swarm_client_serve(s, i);
}

static void
serve_readable(struct swarm *s)
{
    struct epoll_event events[EVENTS_MAX];
    int count = epoll_wait(s->epoll, events, EVENTS_MAX, 0), i;

    for (i = 0; i < count && s->status == 0; i++)
        swarm_client_serve(s, events[i].data.u32);
}

/* One wait and what it brought. */
static void
turn(struct swarm *s, uint64_t until_ns)
{
    uint64_t wake_ns = until_ns, due_ns, woken_ns;

    if (due_heap_first(&s->due, &due_ns) != DUE_HEAP_NONE && due_ns < wake_ns)
        wake_ns = due_ns;
    if (s->begun < s->options->clients && ramp_ns(s, s->begun) < wake_ns)
        wake_ns = ramp_ns(s, s->begun);
    clock_wait(s->host.waiter, s->epoll, wake_ns, 0);
    woken_ns = now(s);
    serve_due(s);
    serve_readable(s);
    begin_clients(s);
    hist_record(s->loop_ns, now(s) - woken_ns);
}

static void
show_progress(const struct swarm *s, const char *doing, uint64_t left_ns)
{
    if (!s->options->progress)
        return;
    fprintf(stderr, "\rswarm: %u of %u fly, %s", s->flying, s->options->clients,
            doing);
    if (left_ns < SECOND_NS * 1000000)
        fprintf(stderr, ", %.0f s left", (double)left_ns / 1e9);
    fputs("    ", stderr);
}

/* Turns until `until_ns`, or until `is_over` says so. 1: a signal or an error
 * has ended it. */
static int
run_until(struct swarm *s, uint64_t until_ns, const char *doing,
          int (*is_over)(const struct swarm *))
{
    uint64_t look_ns = now(s) + LOOK_NS, at_ns;

    while ((at_ns = now(s)) < until_ns && !(is_over != NULL && is_over(s))) {
        turn(s, look_ns < until_ns ? look_ns : until_ns);
        if (s->status != 0 || s->host.signals->stop)
            return 1;
        if (at_ns < look_ns)
            continue;
        look_ns = at_ns + LOOK_NS;
        show_progress(s, doing, until_ns - at_ns);
        log_flush();
    }
    return 0;
}

static int
all_have_joined(const struct swarm *s)
{
    return s->begun == s->options->clients && s->joining == 0;
}

static int
none_flies(const struct swarm *s)
{
    return s->flying == 0;
}

static void
fly(struct swarm *s)
{
    /* The joins end by themselves: each answers, or its time is up. */
    if (run_until(s, CLOCK_NEVER, "joining", all_have_joined) ||
        run_until(s, now(s) + SETTLE_NS, "settling", none_flies))
        return;
    swarm_measure_begin(s);
    run_until(s, now(s) + s->options->duration_ns, "measuring", none_flies);
    swarm_measure_end(s);
}

/* ---- life ---- */

/* Once, so that no join waits for a name server. */
static int
resolve(struct swarm *s)
{
    const char *name = s->host.side.address;
    uint8_t bytes[4];
    uint32_t host;
    char why[256];
    int err = net_resolve(name, &host, why, sizeof(why));

    if (err < 0) {
        log_error("swarm: \"%s\": %s", name, why);
        return err;
    }
    memcpy(bytes, &host, sizeof(bytes)); /* network order */
    snprintf(s->address, sizeof(s->address), "%u.%u.%u.%u", bytes[0], bytes[1],
             bytes[2], bytes[3]);
    s->host.side.address = s->address;
    return 0;
}

static int
allocate(struct swarm *s)
{
    s->clients = calloc(s->options->clients, sizeof(*s->clients));
    s->before = calloc(1, sizeof(*s->before));
    s->after = calloc(1, sizeof(*s->after));
    s->loop_ns = calloc(1, sizeof(*s->loop_ns));
    if (s->clients == NULL || s->before == NULL || s->after == NULL ||
        s->loop_ns == NULL)
        return -ENOMEM;
    hist_init(s->loop_ns);
    if (s->options->light) {
        s->light = swarm_light_create(s->host.clock);
        if (s->light == NULL)
            return -ENOMEM;
    }
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (s->epoll < 0)
        return -errno;
    return due_heap_init(&s->due, s->options->clients);
}

static void
finish(struct swarm *s)
{
    uint32_t i;

    for (i = 0; s->clients != NULL && i < s->options->clients; i++)
        swarm_client_finish(&s->clients[i]);
    free(s->clients);
    if (s->epoll >= 0)
        close(s->epoll);
    due_heap_finish(&s->due);
    swarm_light_destroy(s->light);
    free(s->before);
    free(s->after);
    free(s->loop_ns);
    host_finish(&s->host);
}

static void
tell_nobody(const struct swarm_result *r)
{
    const char *why = r->refused > 0 ? r->refused_why : r->unanswered_why;

    log_error("swarm: none of %u clients was welcome: %s", r->asked,
              why[0] != '\0' ? why : "it was interrupted");
}

int
swarm_run(struct setup *setup, struct clock *clock, struct clock_waiter *waiter,
          const struct host_signals *signals,
          const struct swarm_options *options, struct swarm_result *out)
{
    struct swarm s = {.options = options, .epoll = -1};
    int err;

    host_init(&s.host, setup, clock, waiter, signals);
    err = resolve(&s);
    if (err == 0)
        err = allocate(&s);
    if (err < 0) {
        log_error("swarm: cannot begin: %s", strerror(-err));
        s.status = CMD_UNAVAILABLE;
    } else {
        clock_set_slack(s.host.side.timer_slack_ns);
        s.start_ns = now(&s);
        fly(&s);
        if (options->progress)
            fprintf(stderr, "\r%60s\r", "");
        swarm_collect(&s, out);
    }
    if (s.status == 0 && out->connected == 0) {
        tell_nobody(out);
        s.status = CMD_UNAVAILABLE;
    }
    finish(&s);
    return s.status;
}
