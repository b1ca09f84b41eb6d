/* SPDX-License-Identifier: 0BSD */
/*
 * hardpoint/agent.h - everything else: a metrics page, a fleet agent, a
 * viewer. It watches; it does not take part in a tick.
 */
#ifndef HARDPOINT_AGENT_H
#define HARDPOINT_AGENT_H

#include <hardpoint/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The state of one side, copied before each call. */
struct hp_status {
    uint32_t size;
    uint32_t side;
    uint64_t time_ns; /* monotonic */
    uint64_t tick;    /* newest that has run */
    uint64_t ticks_run;
    uint64_t ticks_late; /* started more than a tenth of a period late */
    uint64_t ticks_dropped;
    uint64_t bytes_in; /* payload of datagrams */
    uint64_t bytes_out;
    double tick_hz;      /* achieved over the last second */
    double tick_mean_ms; /* busy time of a tick, since the start */
    double tick_max_ms;
    uint32_t peers;
    uint32_t entities;
};

struct hp_agent_ops {
    uint32_t size;
    uint32_t reserved;

    /* [main] About ten times a second. Returns within `budget_ns`. Overlaps
     * [tick] calls of other plugins, never of its own. */
    void (*idle)(struct hp_instance *self, const struct hp_status *status,
                 uint64_t budget_ns);
};

#ifdef __cplusplus
}
#endif

#endif
