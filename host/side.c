#include "side.h"
#include "log.h"
#include <errno.h>
#include <string.h>

#define SECOND_NS 1000000000ull

void
side_report_init(struct side_report *r, struct tick_rate rate)
{
    memset(r, 0, sizeof(*r));
    r->rate = rate;
    hist_init(&r->late_ns);
    hist_init(&r->busy_ns);
    hist_init(&r->round_ns);
}

static void
set(_Atomic uint64_t *to, uint64_t value)
{
    atomic_store_explicit(to, value, memory_order_relaxed);
}

void
side_report_begin(struct side_report *r, uint64_t start_ns, uint64_t late_ns,
                  uint64_t dropped)
{
    /* A dropped tick was late too: by more than anything that ran. */
    if (dropped > 0)
        hist_record_many(&r->late_ns, dropped * tick_period_ns(r->rate),
                         dropped);
    hist_record(&r->late_ns, late_ns);
    if (r->last_start_ns != 0)
        hist_record(&r->round_ns, start_ns - r->last_start_ns);
    r->last_start_ns = start_ns;
}

/* Achieved rate, over each whole second. */
static void
count_rate(struct side_report *r, uint64_t now_ns)
{
    uint64_t elapsed = now_ns - r->second_start_ns;

    if (r->second_start_ns == 0) {
        r->second_start_ns = now_ns;
        r->second_run = 0;
        return;
    }
    r->second_run++;
    if (elapsed < SECOND_NS)
        return;
    set(&r->hz_milli,
        (uint64_t)((double)r->second_run * 1e12 / (double)elapsed));
    r->second_start_ns = now_ns;
    r->second_run = 0;
}

void
side_report_end(struct side_report *r, const struct tick_schedule *s,
                const struct net *net, uint64_t start_ns, uint64_t end_ns)
{
    struct net_stats stats;
    int i;

    hist_record(&r->busy_ns, end_ns - start_ns);
    count_rate(r, start_ns);
    net_stats(net, &stats);
    set(&r->start_ns, s->start_ns);
    set(&r->now_ns, end_ns);
    set(&r->tick, s->next - 1);
    set(&r->run, s->run);
    set(&r->late, s->late);
    set(&r->dropped, s->dropped);
    set(&r->resyncs, s->resyncs);
    set(&r->slept_ns, s->slept_ns);
    set(&r->datagrams_in, stats.datagrams_in);
    set(&r->datagrams_out, stats.datagrams_out);
    set(&r->wire_bytes_in, stats.wire_bytes_in);
    set(&r->wire_bytes_out, stats.wire_bytes_out);
    for (i = 0; i < NET_CHANNELS; i++) {
        set(&r->channel_in[i], stats.channel_bytes_in[i]);
        set(&r->channel_out[i], stats.channel_bytes_out[i]);
    }
}

void
side_thread_init(const struct side_config *config, const char *name)
{
    int err;

    clock_set_slack(config->timer_slack_ns);
    if (!config->realtime)
        return;
    err = clock_set_realtime();
    if (err < 0)
        log_warning("%s: SCHED_FIFO was refused (%s): ticks run at normal "
                    "priority; give the program CAP_SYS_NICE, or set "
                    "[host] realtime = no",
                    name, strerror(-err));
    else
        log_info("%s: runs under SCHED_FIFO", name);
}
